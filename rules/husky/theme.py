"""Day and night (spec §2.2, §3): one source, the whole page, and clones that follow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from husky_lint.rule import Confidence, Finding, Reason, Related, Undecided, rule
from husky_lint.scene.graph import SHAPES
from husky_lint.style.colors import Color

from .strips import strips_of
from .visibility import is_painted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lxml.etree import _Element

    from husky_lint.evidence import Evidence
    from husky_lint.scene.graph import SceneNode
    from husky_lint.scene.motion import Motion
    from husky_lint.script.effects import Effect
    from husky_lint.source import Span
    from husky_lint.style.computed import ComputedStyle, StyledDocument
    from husky_lint.style.spellings import Form
    from husky_lint.style.states import PageState

PAINTS: Final = ("fill", "stroke")
_SEEN: Final = (
    "fill",
    "stroke",
    "fill-opacity",
    "stroke-opacity",
    "opacity",
    "stroke-width",
    "filter",
    "display",
    "visibility",
)
_OF_GROUPS: Final = ("opacity", "filter", "display")
_VOID: Final = frozenset({"script", "style", "head", "title", "meta", "link", "template", "noscript", "svg"})
_MAX_TEXTS: Final = 400
ATTRIBUTE: Final = "data-theme"


def theme_states(evidence: Evidence, themes: Sequence[str]) -> dict[str, PageState]:
    """The page by day and by night, else as it loads. Raises Undecided where it cannot be put into one of them."""
    found: dict[str, PageState] = {}
    for theme in themes:
        state = evidence.states.state(theme=theme)
        reason = state.unknown.get("theme") or state.unknown.get("sheets")
        if reason is not None:
            known = Reason(reason) if reason in set(Reason) else Reason.STATE_NOT_FOUND
            raise Undecided(known, f"how the page looks by {theme} could not be told")
        found[theme] = state
    return found


# ---------------------------------------------------------------------------------------------------------------------
# Clones


@rule("HB2111")
def clone_theming(evidence: Evidence, themes: Sequence[str]) -> Iterator[Finding]:
    """A cloned strip is painted otherwise than its original.

    ## What it checks
    Inside a strip that `<use>` clones, by day and by night, no paint hangs on a rule whose selector reaches outside the
    cloned element: Chromium does not match it in the clone.

    ## Why it matters
    The clone keeps the day colour, or none at all, and half of the park stays in daylight. Custom properties inherited
    from the root reach into clones; ancestors in selectors do not.

    ## Example that fails
    ```css
    :root[data-theme="night"] .hill { fill: #101820; }
    ```

    ```css
    .hill { fill: none; }
    .strip-far .hill { fill: var(--hill); }
    ```

    ## Example that passes
    ```css
    #far .hill { fill: var(--hill); }
    ```
    """
    told: set[tuple[_Element, str]] = set()
    for theme, state in theme_states(evidence, themes).items():
        styled, motion = evidence.style(state), evidence.motion(state)
        for original, clone, strip in _pairs(evidence, motion):
            own, cloned = styled.computed(original), motion.style(clone)
            if own.cascade is cloned.cascade and _same_scope(own, cloned):
                continue
            for name in _SEEN if clone.name in SHAPES else _OF_GROUPS:
                if (original, name) in told or own.text(name) == cloned.text(name):
                    continue
                cause = _outside(own, cloned, name)
                if cause is None or not (_matters(own, name) or _matters(cloned, name)):
                    continue
                if not _is_seen(styled, motion, clone):
                    continue
                told.add((original, name))
                yield Finding(
                    f"by {theme} the {name} of a shape of the {strip} strip is {own.text(name)}, and "
                    f"{cloned.text(name)} in its clone: a rule that reaches outside the clone does not match in it. "
                    f"Use a custom property inherited from the root",
                    cause,
                    related=(Related(evidence.element_span(original), "the shape"),),
                    data={"theme": theme, "property": name, "original": own.text(name), "clone": cloned.text(name)},
                )


@rule("HB2112")
def clone_paint_server(evidence: Evidence, themes: Sequence[str]) -> Iterator[Finding]:
    """A cloned strip is painted by `url(#…)`.

    ## What it checks
    No visible shape in a strip that `<use>` clones has a gradient, a pattern or another paint server as fill or stroke.

    ## Why it matters
    Paint servers come out black on clones in browsers, and their stops cannot be themed there.

    ## Example that fails
    ```css
    .hill { fill: url(#dusk); }
    ```

    ## Example that passes
    ```css
    .sky { fill: url(#dusk); }
    ```
    """
    told: set[_Element] = set()
    for state in theme_states(evidence, themes).values():
        motion = evidence.motion(state)
        styled = evidence.style(state)
        for original, clone, strip in _pairs(evidence, motion):
            for style in (styled.computed(original), motion.style(clone)) if clone.name in SHAPES else ():
                for name in PAINTS:
                    server = style.paint_server(name)
                    if server is None or original in told or not _paints(style):
                        continue
                    told.add(original)
                    declaration = style.declaration(name)
                    yield Finding(
                        f"the {name} of a shape in the cloned {strip} strip is url({server}); use a plain colour there",
                        declaration.span if declaration is not None else evidence.element_span(original),
                        related=(Related(evidence.element_span(original), "the shape"),),
                        data={"property": name, "server": server},
                    )


# ---------------------------------------------------------------------------------------------------------------------
# The switch


@rule("HB2206")
def single_theme_source(evidence: Evidence, themes: Sequence[str]) -> Iterator[Finding]:
    """Something else than `<html data-theme>` says whether it is night.

    ## What it checks
    Script sets `data-theme` on `<html>` to `day` or `night`, the style of the page follows it, and no second attribute,
    class or media query makes anything look different by night.

    ## Why it matters
    Two switches drift apart: a page that is dark around a scene in daylight.

    ## Example that fails
    ```css
    @media (prefers-color-scheme: dark) { body { background: #000; } }
    ```

    ```html
    <style>body.dark .sky { fill: #000; } body.dark { background: #111; }</style>
    <script>document.documentElement.className = "x"; addEventListener("load", function () {
      document.body.classList.add("dark"); });</script>
    ```

    ## Example that passes
    ```css
    [data-theme="night"] body { color: #fff; }
    ```
    """
    root = evidence.page.root
    if _has_no_night(evidence, themes):
        yield Finding("nothing on the page switches between day and night", evidence.element_span(root))
        return
    states = theme_states(evidence, themes)
    readers = [form for form in evidence.states.forms("theme") if not form.is_class and form.name == ATTRIBUTE]
    on_root = [form for form in readers if root in form.carriers]
    writers = [
        e for e in evidence.script.all_effects if e.kind == "attribute" and e.name == ATTRIBUTE and e.element is root
    ]
    if not on_root:
        first = next(iter(evidence.states.forms("theme")), None)
        yield Finding(
            "no selector reads data-theme on <html>" + (f"; the theme is read from {first.spelling}" if first else ""),
            first.span if first is not None else evidence.element_span(root),
        )
    if not writers:
        if evidence.script.limit:
            raise Undecided(Reason.LIMIT, "what script does could not be followed to its end")
        yield Finding("no script sets data-theme on <html>", evidence.element_span(root))
    for form in on_root:
        if form.text is not None and form.text not in themes:
            yield Finding(
                f"data-theme is {form.text!r} for {form.value}; it is one of {', '.join(themes)}",
                form.span,
                data={"measured": form.text, "expected": list(themes)},
            )
    yield from _second_switches(evidence, root)
    yield from _preference(evidence, states, themes)


@rule("HB2207")
def page_wide_theme(evidence: Evidence, themes: Sequence[str]) -> Iterator[Finding]:
    """Night changes only a part of the page.

    ## What it checks
    From day to night the background of the page, the colour of its text and the paint of the scene all change.

    ## Why it matters
    A night scene on a white page is a picture with the light on.

    ## Example that fails
    ```css
    body { background: #f5f2e8 !important; }
    ```

    ```css
    body, footer { color: #222831; }
    ```

    ## Example that passes
    ```css
    body { background: linear-gradient(var(--page), var(--page)); }
    ```
    """
    if _has_no_night(evidence, themes):
        yield Finding("the page has no night", evidence.element_span(evidence.page.root))
        return
    day, night = (evidence.style(state) for state in theme_states(evidence, themes).values())
    body = next((e for e in evidence.page.elements if _name(e) == "body"), evidence.page.root)
    layers = [_backdrop(styled, body) for styled in (day, night)]
    if layers[0] == layers[1]:
        declaration = day.computed(body).declaration("background-color")
        yield Finding(
            f"the background of the page is {layers[0]} by day and by night",
            declaration.span if declaration is not None else evidence.element_span(body),
        )
    texts = [element for element in _texts(evidence) if element in day and element in night]
    same = [e for e in texts if day.computed(e).current_color == night.computed(e).current_color]
    ink = day.computed(body).current_color if body in day else None
    # A button that lights up changes its own few letters, and one may keep its colours; the page's text is most of what
    # there is to read, or a good part of it in the ink of the page.
    inked = [e for e in same if day.computed(e).current_color == ink]
    letters = sum(map(_letters, texts))
    if 2 * sum(map(_letters, same)) > letters or 4 * sum(map(_letters, inked)) > letters:
        declaration = day.computed(same[0]).declaration("color")
        yield Finding(
            f"the text of the page is {day.computed(same[0]).text('color')} by day and by night",
            declaration.span if declaration is not None else evidence.element_span(same[0]),
        )
    shapes = [node for node in evidence.scene.nodes if node.name in SHAPES and not node.uses]
    repainted = [
        node
        for node in shapes
        if node.element in day
        and node.element in night
        and _look(day.computed(node.element)) != _look(night.computed(node.element))
    ]
    if shapes and not repainted and not _whole_scene_changes(day, night, evidence):
        yield Finding(
            "nothing in the scene is painted otherwise by night", evidence.element_span(evidence.scene.root.element)
        )


# ---------------------------------------------------------------------------------------------------------------------
# What the rules share


def _has_no_night(evidence: Evidence, themes: Sequence[str]) -> bool:
    """Whether surely nothing switches the theme: no selector, no media query, no attribute that script writes."""
    if themes[1] in evidence.states.values("theme") or evidence.states.forms("theme") or evidence.script.limit:
        return False
    texts = [page_sheet.sheet.source.text for page_sheet in evidence.stylesheets]
    written = any(
        effect.kind in ("stylesheet-text", "insert-rule", "unknown") for effect in evidence.script.all_effects
    )
    return not written and not any("prefers-color-scheme" in text or ATTRIBUTE in text for text in texts)


def _pairs(evidence: Evidence, motion: Motion) -> Iterator[tuple[_Element, SceneNode, str]]:
    """Every shape and group in a cloned strip: its element, its instance in the clone, the strip's name."""
    for strip in strips_of(evidence):
        mover = motion.scene.node(strip.element)
        movers = [mover] if mover is not None else list(strip.movers)
        if mover is not None:
            movers += [node for node in motion.scene.instances(strip.element) if node is not mover]
        for one in movers:
            for node in (one, *one.descendants()):
                if node.uses and node.name in (*SHAPES, "g"):
                    yield node.element, node, strip.name


def _same_scope(own: ComputedStyle, cloned: ComputedStyle) -> bool:
    return own.parent is not None and cloned.parent is not None and own.parent.cascade is cloned.parent.cascade


def _outside(own: ComputedStyle, cloned: ComputedStyle, name: str) -> Span | None:
    """The declaration that paints the original and is not there in the clone, or the other way round."""
    for one, other in ((own, cloned), (cloned, own)):
        trace = one.dependencies(name)
        there = set(other.dependencies(name).declarations)
        inside = _subtree(cloned)
        for declaration in trace.declarations:
            if declaration not in there and _declared_inside(one, declaration, inside):
                return declaration.span
    return None


def _subtree(cloned: ComputedStyle) -> set[_Element]:
    """The elements from a shape in a clone up to what the ``<use>`` shows."""
    found: set[_Element] = set()
    style: ComputedStyle | None = cloned
    tree = cloned.tree
    while style is not None and style.tree is tree:
        found.add(style.element)
        style = style.parent
    return found


def _declared_inside(style: ComputedStyle, declaration: object, inside: set[_Element]) -> bool:
    """Whether a declaration applies to the shape or to what is around it within the cloned element."""
    one: ComputedStyle | None = style
    while one is not None and one.element in inside:
        winners = (one.cascade.winner(name) for name in one.cascade.properties())
        if any(winner is not None and winner.declaration is declaration for winner in winners):
            return True
        one = one.parent
    return False


def _paints(style: ComputedStyle) -> bool:
    """Whether a shape of that style leaves any paint."""
    if style.keyword("display") == "none" or style.keyword("visibility") in ("hidden", "collapse"):
        return False
    if (style.number("opacity") or 0.0) <= 0.01:
        return False
    return any(
        style.keyword(name) != "none" and (1.0 if (n := style.number(f"{name}-opacity")) is None else n) > 0.01
        for name in PAINTS
    )


def _matters(style: ComputedStyle, name: str) -> bool:
    """Whether a property has a part in what is painted: no stroke of width 0, no fill that is clear."""
    paint = name.partition("-")[0]
    if paint not in PAINTS:
        return True
    opacity = style.number(f"{paint}-opacity")
    width = style.length("stroke-width") if paint == "stroke" else 1.0
    return style.keyword(paint) != "none" and (opacity is None or opacity > 0.01) and (width is None or width > 0)


def _is_seen(styled: StyledDocument, motion: Motion, clone: SceneNode) -> bool:
    """Whether the original or the clone of a shape, or of one in a group, leaves paint."""
    shapes = [clone] if clone.name in SHAPES else [one for one in clone.descendants() if one.name in SHAPES]
    return any(_paints(styled.computed(one.element)) or is_painted(motion, one) for one in shapes)


def _name(element: _Element) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def _look(style: ComputedStyle) -> tuple[str, ...]:
    return tuple(style.text(name) for name in ("fill", "stroke", "opacity", "fill-opacity", "filter", "display"))


def _whole_scene_changes(day: StyledDocument, night: StyledDocument, evidence: Evidence) -> bool:
    """Whether a filter on the scene or a stop of a gradient does it."""
    root = evidence.scene.root.element
    if day.computed(root).text("filter") != night.computed(root).text("filter"):
        return True
    stops = [e for e in root.iter("{*}stop") if e in day and e in night]
    return any(day.computed(e).text("stop-color") != night.computed(e).text("stop-color") for e in stops)


def _backdrop(styled: StyledDocument, body: _Element) -> tuple[str, ...]:
    """What is painted behind the page: of ``<html>``, else of ``<body>``, which then covers the canvas."""
    found = []
    for element in (styled.computed(body).root.element, body):
        style = styled.computed(element)
        color = style.color("background-color")
        image = style.text("background-image")
        if image not in ("", "none") or (isinstance(color, Color) and color.alpha > 0):
            found.append(f"{style.text('background-color')} {'' if image == 'none' else image}".strip())
    return tuple(found)


def _texts(evidence: Evidence) -> Iterator[_Element]:
    """Elements of the page that hold text of their own."""
    count = 0
    for element in evidence.page.elements:
        if count >= _MAX_TEXTS or not isinstance(element.tag, str):
            return
        names = {_name(element), *(_name(a) for a in element.iterancestors())}
        if names & _VOID or "body" not in names:
            continue
        if (element.text or "").strip() or any((child.tail or "").strip() for child in element):
            count += 1
            yield element


def _letters(element: _Element) -> int:
    """How many letters of text an element holds itself."""
    own = (element.text or "", *(child.tail or "" for child in element))
    return sum(len("".join(text.split())) for text in own)


def _second_switches(evidence: Evidence, root: _Element) -> Iterator[Finding]:
    """Other attributes and classes that selectors read as the theme, and that change something."""
    seen: set[str] = set()
    for form in evidence.states.forms("theme"):
        is_source = not form.is_class and form.name == ATTRIBUTE and (root in form.carriers or not form.carriers)
        if is_source or form.spelling in seen or not form.carriers:
            continue
        writes = [effect for effect in evidence.script.all_effects if _writes(effect, form)]
        if not writes and not any(form.holds(carrier) for carrier in form.carriers):
            continue  # nothing ever sets it: a dead rule
        seen.add(form.spelling)
        spans = [effect.span for effect in writes if effect.span is not None]
        yield Finding(
            f"{form.spelling} on <{_name(form.carriers[0])}> is read as the theme besides <html data-theme>",
            form.span,
            related=tuple(Related(span, "it is written here") for span in spans[:1]),
            data={"spelling": form.spelling},
        )


def _writes(effect: Effect, form: Form) -> bool:
    """Whether script sets on a carrier what a selector reads."""
    if effect.element not in form.carriers:
        return False
    if form.is_class:
        return (effect.kind == "class" or effect.name in ("class", "className")) and form.name in (
            f"{effect.name} {effect.value}".split()
        )
    return effect.kind == "attribute" and effect.name == form.name


def _preference(evidence: Evidence, states: dict[str, PageState], themes: Sequence[str]) -> Iterator[Finding]:
    """Whether the preference for dark colours changes the page by itself, while ``data-theme`` stays."""
    from dataclasses import replace

    if "prefers-color-scheme" not in "".join(page_sheet.sheet.source.text for page_sheet in evidence.stylesheets):
        return
    day = states[themes[0]]
    dark = replace(day, media=replace(day.media, color_scheme="dark"))
    here, there = evidence.style(day), evidence.style(dark)
    for element in evidence.page.elements:
        if element not in here or element not in there or _name(element) in _VOID - {"svg"}:
            continue
        own, other = here.computed(element), there.computed(element)
        if own.cascade is other.cascade and own.scope is other.scope:
            continue
        for name in ("background-color", "color", "fill", "stroke", "filter"):
            declaration = other.declaration(name)
            if own.text(name) != other.text(name) and declaration is not None:
                yield Finding(
                    f"the {name} of <{_name(element)}> follows the system's colour scheme, whatever data-theme says",
                    declaration.span,
                    confidence=Confidence.CERTAIN,
                    data={"property": name, "light": own.text(name), "dark": other.text(name)},
                )
                return
