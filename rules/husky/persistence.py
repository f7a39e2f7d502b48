"""What the page remembers (spec §2.6): the theme, in a cookie and a mirror, set before first paint; never the pace."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from husky_lint.rule import Finding, Reason, Severity, Undecided, rule
from husky_lint.scene.graph import Place, local_name
from husky_lint.script.cookies import is_gone
from husky_lint.script.effects import StorageModel
from husky_lint.script.journal import InsertNode, SetAttribute
from husky_lint.script.scope import children
from husky_lint.script.values import Unknown
from husky_lint.style.spellings import STYLE, declarations

from .theme import ATTRIBUTE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lxml.etree import _Element

    from husky_lint.evidence import Evidence, PageScript
    from husky_lint.script.effects import Effect, Response
    from husky_lint.source import Span
    from husky_lint.style.computed import StyledDocument

LOCAL: Final = "localStorage"
_LATER: Final = frozenset(
    {
        "addEventListener",
        "setTimeout",
        "setInterval",
        "requestAnimationFrame",
        "requestIdleCallback",
        "then",
        "queueMicrotask",
    }
)
_FUNCTIONS: Final = frozenset({"FunctionExpression", "ArrowFunctionExpression", "FunctionDeclaration"})
_MAX_NODES: Final = 200_000
_PACE_WORDS: Final = frozenset({"pace", "speed", "gait", "tempo", "stride", "velocity"})
_WORD = re.compile(r"[A-Za-z][a-z]*")


@rule("HB2606")
def persistence(evidence: Evidence, cookie: str, themes: Sequence[str]) -> Iterator[Finding]:
    """Day or night is not remembered as the contract has it.

    ## What it checks
    A control that changes the theme writes the cookie `husky-sky` and mirrors it to localStorage. Loading reads the
    cookie first and the mirror where there is none. Each access stands in a `try`. All of that is followed as the
    browser would run it: a handler that nothing can reach saves nothing.

    ## Why it matters
    Cookies are refused on `file://`, storage throws in private modes. With one of them missing, or unguarded, the night
    is lost on reload or the page breaks.

    ## Example that fails
    ```html
    <button id="moon">Night</button>
    <script>
    document.getElementById("moon").onclick = function () { document.documentElement.dataset.theme = "night"; };
    </script>
    ```

    ```html
    <button id="moon">Night</button>
    <script>
    document.getElementById("moon").addEventListener("click", function () {
      document.documentElement.dataset.theme = "night";
      document.cookie = "husky-sky=night";
      localStorage.setItem("husky-sky", "night");
    });
    </script>
    ```

    ## Example that passes
    ```html
    <button id="moon">Night</button>
    <script>
    document.getElementById("moon").addEventListener("click", function () {
      document.documentElement.dataset.theme = "night";
      try { document.cookie = "husky-sky=night; max-age=31536000"; } catch (e) {}
      try { localStorage.setItem("husky-sky", "night"); } catch (e) {}
    });
    </script>
    ```
    """
    toggles = theme_toggles(evidence)
    survey = evidence.script
    if not toggles:
        if survey.limit:
            raise Undecided(Reason.LIMIT, "what script does could not be followed to its end")
        unsure = next((one for one in survey.model.listeners if not one.certain), None)
        if unsure is not None:
            raise Undecided(Reason.DYNAMIC_VALUE, "whether script listens to a control hangs on chance", unsure.span)
        vague = next((one for r in survey.responses for one in r.effects if _may_set(one)), None)
        if vague is not None:
            raise Undecided(Reason.DYNAMIC_VALUE, "which theme a control sets could not be followed", vague.span)
        writes = [effect for effect in survey.all_effects if effect.kind in ("cookie", "storage")]
        yield Finding(
            "no control that can be worked changes the theme, so nothing is ever remembered",
            writes[0].span if writes else evidence.element_span(evidence.page.root),
            data={"responses": len(survey.responses)},
        )
        return
    told: set[object] = set()
    for toggle in toggles:
        saved = _Saved.of(toggle.effects, cookie)
        pending = any(effect.kind in ("timer", "observer") for effect in toggle.effects)
        for missing, what in ((saved.cookie is None, f"the cookie {cookie}"), (saved.mirror is None, LOCAL)):
            if missing and what not in told:
                if pending or toggle.limit:
                    raise Undecided(Reason.DYNAMIC_VALUE, f"whether {what} is written could not be followed")
                told.add(what)
                others = [e for e in toggle.effects if e.kind == "cookie"] if what != LOCAL else []
                named = f"; it writes the cookie {others[0].name!r}" if others else ""
                yield Finding(
                    f"changing the theme does not write {what}{named}",
                    others[0].span if others else toggle.listener.span,
                    data={"missing": what, "type": toggle.type},
                )
    yield from _unguarded(evidence, toggles)
    first = next(
        (saved for t in toggles if (saved := _Saved.of(t.effects, cookie)).night), _Saved.of(toggles[0].effects, cookie)
    )
    yield from _unread(evidence, first, cookie, themes)


@rule("HB2607")
def before_first_paint(evidence: Evidence, cookie: str, themes: Sequence[str]) -> Iterator[Finding]:
    """The theme is not set before the first paint.

    ## What it checks
    With the night remembered, an inline script in `<head>` sets the theme on `<html>` while it runs: no module, no
    `defer`, no file of its own, no waiting for an event.

    ## Why it matters
    Any later, and the page flashes white before it turns dark.

    ## Example that fails
    ```html
    index.html:
    <!doctype html><html data-theme="day"><head><link rel="stylesheet" href="styles.css"></head>
    <body><svg viewBox="0 0 900 460"><path d="M0 340H900V460H0Z"/></svg><script>
    try { if (/husky-sky=night/.test(document.cookie)) document.documentElement.dataset.theme = "night"; } catch (e) {}
    </script></body></html>
    ```

    ```html
    index.html:
    <!doctype html><html data-theme="day"><head><link rel="stylesheet" href="styles.css"><script>
    addEventListener("DOMContentLoaded", function () {
      if (/husky-sky=night/.test(document.cookie)) document.documentElement.dataset.theme = "night";
    });
    </script></head><body><svg viewBox="0 0 900 460"><path d="M0 340H900V460H0Z"/></svg></body></html>
    ```

    ## Example that passes
    ```html
    <script>document.title = "Husky walk";</script>
    ```
    """
    early = [s for s in evidence.scripts if s.inline and s.in_head and not s.deferred and not s.module]
    saved = next((s for t in theme_toggles(evidence) if (s := _Saved.of(t.effects, cookie)).night), _Saved())
    night = _load(evidence, early, saved.storage(cookie, themes[1], themes[1])) if early else None
    if night is not None and night.unknown:
        raise Undecided(Reason.DYNAMIC_VALUE, "what the script in head makes of a remembered night")
    memories = saved.storage(cookie, themes[1], themes[1])
    if night is not None and night.theme == themes[1]:
        later = [effect for effect in night.writes if _is_later(early, effect)]
        if len(later) == len(night.writes):
            yield Finding("the script in <head> sets the theme, but only later, on an event", later[0].span)
        elif (undoing := _themes_after(evidence, early)) and _load(
            evidence, evidence.scripts, memories
        ).theme == themes[0]:
            yield Finding("the script in <head> sets a remembered night, and a later one the day", undoing[-1].span)
        return
    whole = _load(evidence, evidence.scripts, memories)
    if whole.theme == themes[1] and whole.writes:
        yield Finding(
            "the remembered theme is set by a script that is no inline script in <head>; the page is painted before it",
            whole.writes[0].span,
        )
        return
    yield Finding(
        "no script sets a remembered night",
        evidence.element_span(early[0].element) if early else evidence.element_span(evidence.page.root),
    )


@rule("HB2608")
def pace_not_persisted(evidence: Evidence, paces: Sequence[str], cookie: str) -> Iterator[Finding]:
    """The pace is remembered.

    ## What it checks
    No cookie and no storage is written with the pace.

    ## Why it matters
    A reload starts at walk, on purpose: nobody wants to be met by zoomies.

    ## Example that fails
    ```html
    <button id="faster">Hop</button>
    <script>
    document.getElementById("faster").onclick = function () {
      try { localStorage.setItem("husky-pace", "hop"); } catch (e) {}
    };
    </script>
    ```

    ## Example that passes
    ```html
    <button id="faster">Hop</button>
    <script>
    document.getElementById("faster").onclick = function () {
      try { localStorage.setItem("husky-walk-visits", "1"); } catch (e) {}
    };
    </script>
    ```
    """
    survey = evidence.script
    told: set[Span | None] = set()
    for effect in survey.all_effects:
        if effect.kind not in ("cookie", "storage", "history") or effect.value is None or effect.span in told:
            continue
        says = _says_pace(effect, paces)
        if says is None:
            continue
        told.add(effect.span)
        yield Finding(
            f"script keeps the pace in {_store(effect)} ({says}); the pace is not remembered",
            effect.span,
            severity=Severity.WARNING if effect.kind == "history" else Severity.ERROR,
            data={"store": _store(effect), "key": effect.name},
        )
    changing = [r for r in survey.responses if _changes(r, evidence, "pace")]
    for response in changing:
        for effect in response.effects:
            is_write = effect.kind in ("cookie", "storage") and effect.name != cookie
            if is_write and not isinstance(effect.value, str | float | bool | None) and effect.span not in told:
                raise Undecided(Reason.DYNAMIC_VALUE, f"changing the pace writes {_store(effect)}", effect.span)
    if survey.limit:
        raise Undecided(Reason.LIMIT, "what script does could not be followed to its end")


# ---------------------------------------------------------------------------------------------------------------------
# What is written


@dataclass(frozen=True, slots=True)
class _Saved:
    """What changing the theme writes: the effect on the cookie, that on the mirror; ``night`` where both say night."""

    cookie: Effect | None = None
    mirror: Effect | None = None

    @classmethod
    def of(cls, effects: Iterable[Effect], name: str) -> _Saved:
        cookie = mirror = None
        for effect in effects:
            if effect.kind == "cookie" and effect.name == name:
                cookie = None if isinstance(effect.value, str) and is_gone(effect.value) else effect
            elif effect.kind == "storage" and effect.target == LOCAL and effect.value is not None:
                mirror = effect
        return cls(cookie, mirror)

    @property
    def night(self) -> bool:
        return self.cookie is not None and "night" in str(self.cookie.value)

    def storage(self, name: str, kept: str, mirrored: str | None) -> StorageModel:
        """What the browser remembers: the cookie with ``kept`` (empty: none), the mirror with ``mirrored``."""
        cookies = {name: self._as_cookie(kept)} if kept else {}
        key = self.mirror.name if self.mirror is not None and self.mirror.name else name
        return StorageModel(cookies=cookies, local={key: self._as_mirror(mirrored)} if mirrored else {})

    def _as_cookie(self, theme: str) -> str:
        text = self.cookie.value if self.cookie is not None and isinstance(self.cookie.value, str) else ""
        content = text.partition(";")[0].partition("=")[2].strip()
        return _respelled(content, theme)

    def _as_mirror(self, theme: str) -> str:
        value = self.mirror.value if self.mirror is not None and isinstance(self.mirror.value, str) else ""
        return _respelled(value, theme)


def _respelled(written: str, theme: str) -> str:
    """The way in which the page writes a theme, for another theme."""
    for known in ("night", "day"):
        if known in written:
            return written.replace(known, theme)
    return theme


def theme_toggles(evidence: Evidence) -> list[Response]:
    """The responses to events that change the theme."""
    responses = [r for r in evidence.script.responses if r.type not in ("timer", "frame")]
    return [r for r in responses if _changes(r, evidence, "theme") and _can_happen(evidence, r)]


def _can_happen(evidence: Evidence, response: Response) -> bool:
    """Whether a person can make the event happen: a pointer needs an element that is displayed, no gradient."""
    element = response.element
    if element is None or response.type.startswith("key"):
        return True
    styled = evidence.style(evidence.states.initial)
    if element not in styled:
        return _is_inserted(evidence, element)
    svg = next((one for one in (element, *element.iterancestors()) if local_name(one) == "svg"), None)
    if svg is evidence.scene.root.element:
        node = evidence.scene.node(element)
        return node is not None and node.place is Place.RENDERED and _is_displayed(styled, element)
    return _is_displayed(styled, element)


def _is_inserted(evidence: Evidence, element: _Element) -> bool:
    """Whether some event puts an element into the page that is not there as it loads."""
    inserted = [m.node for r in evidence.script.responses for m in r.mutations if isinstance(m, InsertNode)]
    return any(one in inserted for one in (element, *element.iterancestors()))


def _is_displayed(styled: StyledDocument, element: _Element) -> bool:
    return all(styled.computed(one).keyword("display") != "none" for one in (element, *element.iterancestors()))


def _may_set(effect: Effect) -> bool:
    """Whether script writes a theme that cannot be told, or not for sure."""
    return (effect.kind, effect.name) == ("attribute", ATTRIBUTE) and (
        not effect.certain or isinstance(effect.value, Unknown)
    )


def _changes(response: Response, evidence: Evidence, axis: str) -> bool:
    telling = evidence.states.tells(axis)
    names = {"class" if form.is_class else form.name for form in telling}
    if axis == "theme":
        names.add(ATTRIBUTE)
    carriers = {carrier for form in telling for carrier in form.carriers} | {evidence.page.root}
    classes = [form.name for form in telling if form.is_class]
    styles = [form.text for form in telling if form.name == STYLE]
    for mutation in response.mutations:
        if isinstance(mutation, SetAttribute) and mutation.name in names and mutation.element in carriers:
            if mutation.name == "class":
                before, after = (mutation.before or "").split(), (mutation.value or "").split()
                if any((name in before) != (name in after) for name in classes):
                    return True
            elif mutation.name == STYLE:
                before, after = declarations(mutation.before or ""), declarations(mutation.value or "")
                if any((text in before) != (text in after) for text in styles):
                    return True
            elif mutation.value != mutation.before:
                return True
    return False


def _store(effect: Effect) -> str:
    if effect.kind == "storage":
        return f"{effect.target} as {effect.name!r}" if effect.name else str(effect.target)
    return f"the cookie {effect.name!r}" if effect.kind == "cookie" else "the address of the page"


def _says_pace(effect: Effect, paces: Sequence[str]) -> str | None:
    """Why a write speaks of the pace; None when it does not."""
    key = {word.lower() for word in _WORD.findall(effect.name)}
    if effect.kind != "history" and key & _PACE_WORDS:
        return f"its name says {min(key & _PACE_WORDS)}"
    text = effect.value if isinstance(effect.value, str) else ""
    if effect.kind == "cookie":
        text = text.partition(";")[0].partition("=")[2]
    said = {word.lower() for word in _WORD.findall(text)}
    if said & set(paces) and effect.kind != "history":
        return f"it holds {min(said & set(paces))!r}"
    if said & _PACE_WORDS and said & set(paces):
        return f"it holds {min(said & _PACE_WORDS)!r}"
    return None


# ---------------------------------------------------------------------------------------------------------------------
# What is read


@dataclass(frozen=True, slots=True)
class _Loaded:
    """The theme that loading comes to; ``writes`` set it on ``<html>``, ``unknown`` says that it cannot be told."""

    theme: str | None
    writes: tuple[Effect, ...]
    unknown: bool


def _load(evidence: Evidence, scripts: Sequence[PageScript], storage: StorageModel) -> _Loaded:
    """Load the page with these scripts and memories; the tree is as written again afterwards."""
    from husky_lint.script.model import ScriptModel
    from husky_lint.style.media import MediaContext

    model = ScriptModel(evidence.page, scripts, MediaContext(), storage=storage, settles=False)
    root = evidence.page.root
    try:
        model.load()
        theme = _theme_now(evidence, root)
        names = _theme_names(evidence)
        unknown = any(element is root and part.removeprefix("attribute/") in names for element, part in model.unknown)
        writes = [
            effect
            for effect in model.effects
            if effect.element is root
            and effect.kind in ("attribute", "class", "property")
            and _about(effect, names, theme)
        ]
        loaded = _Loaded(theme, tuple(writes), unknown or model.limit)
    finally:
        model.journal.undo_to(0)
    model.let_go()
    return loaded


def _about(effect: Effect, names: set[str], theme: str | None) -> bool:
    return effect.kind == "class" or (effect.name in names and effect.value == theme) or effect.name == "className"


def _themes_after(evidence: Evidence, early: Sequence[PageScript]) -> list[Effect]:
    """What loading writes of the theme on ``<html>``, behind these scripts."""
    root = evidence.page.root
    names = _theme_names(evidence)
    spans = _spans(early)
    return [
        effect
        for effect in evidence.script.effects
        if effect.element is root
        and (effect.kind == "class" or effect.name in names)
        and effect.span is not None
        and not any(_within(effect.span, span) for span in spans)
    ]


def _theme_names(evidence: Evidence) -> set[str]:
    """The attributes that say the theme."""
    return {"class" if form.is_class else form.name for form in evidence.states.forms("theme")} | {ATTRIBUTE}


def _spans(scripts: Sequence[PageScript]) -> list[Span]:
    """Where scripts stand, of those that parse."""
    return [script.script.span(script.script.program) for script in scripts if script.script.program is not None]


def _theme_now(evidence: Evidence, root: _Element) -> str | None:
    """The theme as the tree says it: by ``data-theme``, else by what selectors read."""
    written = root.get(ATTRIBUTE)
    if written is not None:
        return written
    held = [f.value for f in evidence.states.forms("theme") if any(f.holds(carrier) for carrier in f.carriers)]
    return held[0] if held else None


def _unread(evidence: Evidence, saved: _Saved, cookie: str, themes: Sequence[str]) -> Iterator[Finding]:
    day, night = themes
    both = _load(evidence, evidence.scripts, saved.storage(cookie, night, day))
    _refuse(both)
    reads = [e for e in evidence.script.effects if e.kind == "storage-read"]
    span = reads[0].span if reads else evidence.element_span(evidence.page.root)
    if both.theme != night:
        alone = _load(evidence, evidence.scripts, saved.storage(cookie, night, None))
        _refuse(alone)
        if alone.theme == night:
            yield Finding(
                f"where the cookie {cookie} says night and {LOCAL} says day, the page loads by day; the cookie is the "
                f"primary one",
                span,
            )
        else:
            yield Finding(f"the page loads by day although the cookie {cookie} says night", span)
    # Where nothing behind the head reads what is kept, the head alone decides.
    early = [script for script in evidence.scripts if script.in_head and not script.deferred]
    spans = _spans(early)
    by_head = both.theme == night and all(r.span is not None and any(_within(r.span, s) for s in spans) for r in reads)
    mirror = _load(evidence, early if by_head else evidence.scripts, saved.storage(cookie, "", night))
    _refuse(mirror)
    if mirror.theme != night:
        yield Finding(f"without the cookie the page loads by day although {LOCAL} says night", span)


def _refuse(loaded: _Loaded) -> None:
    if loaded.unknown:
        raise Undecided(Reason.DYNAMIC_VALUE, "which theme the page loads with could not be followed")


# ---------------------------------------------------------------------------------------------------------------------
# Guards


def _unguarded(evidence: Evidence, toggles: Sequence[Response]) -> Iterator[Finding]:
    """Accesses to cookie and storage, at load and on a change of theme, outside of every ``try``."""
    accesses = [e for e in evidence.script.effects if e.kind in ("storage-read", "storage", "cookie")]
    accesses += [e for t in toggles for e in t.effects if e.kind in ("storage-read", "storage", "cookie")]
    told: set[Span] = set()
    for effect in accesses:
        what = "the cookie" if "cookie" in (effect.kind, effect.target) else str(effect.target)
        if effect.span is None or effect.span in told or what == "sessionStorage" or effect.guarded:
            continue
        told.add(effect.span)
        yield Finding(
            f"{'reading' if effect.kind == 'storage-read' else 'writing'} {what} is not guarded by a try: where it "
            f"throws, the rest of the script is lost",
            effect.span,
            data={"store": what},
        )


def _nodes(program: Any) -> Iterator[Any]:
    """Every node of a program."""
    stack = [program] if program is not None else []
    count = 0
    while stack and count < _MAX_NODES:
        node = stack.pop()
        count += 1
        yield node
        stack.extend(children(node))


def _within(inner: Span, outer: Span) -> bool:
    return inner.file == outer.file and outer.start <= inner.start and inner.end <= outer.end


def _is_later(scripts: Sequence[PageScript], effect: Effect) -> bool:
    """Whether what happens stands in a function that waits: for an event, a timer, a frame or a promise."""
    if effect.span is None:
        return False
    for page_script in scripts:
        script = page_script.script
        for node in _nodes(script.program):
            waiting: list[Any] = []
            if node.type == "CallExpression":
                callee = node.callee
                name = callee.property if callee.type == "MemberExpression" else callee
                if getattr(name, "name", "") in _LATER:
                    waiting = [argument for argument in node.arguments if argument.type in _FUNCTIONS]
            elif node.type == "AssignmentExpression" and node.right.type in _FUNCTIONS:
                name = getattr(node.left, "property", None)
                waiting = [node.right] if getattr(name, "name", "").startswith("on") else []
            if any(_within(effect.span, script.span(function)) for function in waiting):
                return True
    return False
