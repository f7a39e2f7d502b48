"""The footer that every submission prints: five labels, filled in, always visible (spec §5)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from husky_lint.rule import Edit, Finding, Fix, Reason, Severity, Undecided, rule
from husky_lint.script.journal import applied
from husky_lint.script.values import Unknown

from .footer_sight import Hidden, Sight, may_be_covered
from .footer_states import Seen, footer_states
from .footer_text import Entry, RunBlock, label_span, read_run_block

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lxml.etree import _Element

    from husky_lint.evidence import Evidence
    from husky_lint.source import Span

_PLACEHOLDER = re.compile(
    r"""(?:
        tb[dac] | to\s?do | fix\s?me | null | undefined | nan | \[object\ object\] | placeholder | lorem.* |
        x{2,} | \?+ | [-–—_.…*·•]+ | x+[mh]\s*x+[sm]? | n\ m | (?:m{1,2}:s{1,2}) | 0{1,2}:0{2}(?::0{2})? |
        (?:not\s+(?:yet\s+)?(?:set|filled(?:\s+in)?|recorded|available\s+yet)) | (?:to\s+be\s+.*) | (?:fill\s.*) |
        (?:your|my)[\s_-].* | (?:insert|enter|put|replace)[\s_-].* |
        (?:model|engine|time|tokens?)[\s_-]?(?:name|id|here)? |
        pending\W* | loading\W* | calculating\W* | coming\ssoon
    )\Z""",
    re.IGNORECASE | re.VERBOSE,
)
_TEMPLATE = re.compile(
    r"\{\{.*?\}\}|\$\{[^}]*\}|<%.*?%>|%%?[A-Z_]{3,}%%?|__[A-Z_]{3,}__|\A\$?[A-Z]{2,}(?:_[A-Z]+)+\Z|\A<[^>]+>\Z|\A\[[^\]]*\]\Z"
    r"|\A\{[^}]*\}\Z|\A«.*»\Z"
)
_NOT_SAID = re.compile(r"(?:n/?a|not\s+(?:applicable|available)|unknown|none)\Z", re.IGNORECASE)


def _block(evidence: Evidence, labels: Sequence[str]) -> RunBlock:
    """The labels that the loaded page prints, read once for all three rules."""
    kept = evidence.derived(_blocks)
    key = tuple(labels)
    if key not in kept:
        kept[key] = read_run_block(evidence, evidence.states.initial, labels)
    return kept[key]


def _blocks(evidence: Evidence) -> dict[tuple[str, ...], RunBlock]:
    del evidence
    return {}


@rule("HB5001")
def footer_labels(evidence: Evidence, labels: Sequence[str]) -> Iterator[Finding]:
    """The page does not print exactly the five labels.

    ## What it checks
    The text of the loaded page, with what script writes at load, holds `Time Taken:`, `Tokens Used:`, `Model:`,
    `Engine:` and `Thinking level:`, spelled just so. A label may be split over elements, and may come from a style
    sheet's `content`. Where most of them are missing there is no footer, and the row fails.

    ## Why it matters
    The run is identified by this block; a script reads it by these words.

    ## Example that fails
    ```html
    <footer>
      <p>Time taken: 14m 20s</p><p>Tokens Used: 1</p><p>Model: m</p><p>Engine: e</p><p>Thinking level: high</p>
    </footer>
    ```

    ```html
    <footer>Made with care.</footer>
    ```

    ## Example that passes
    ```html
    <footer id="run"></footer>
    <script>
    document.getElementById("run").innerHTML = ["Time Taken", "Tokens Used", "Model", "Engine", "Thinking level"]
      .map(function (label) { return "<p><b>" + label + ":</b> unreported</p>"; }).join("");
    </script>
    ```
    """
    page = evidence.page
    block = _block(evidence, labels)
    for label in labels:
        entry = block.entries.get(label)
        if entry is None:
            yield Finding(
                f"the page does not print {label!r}", core=len(block.entries) <= len(labels) // 2, data={"label": label}
            )
            continue
        span = label_span(page, entry.elements[0], entry.printed)
        if not entry.exact:
            written = page.source.slice(span) == entry.printed
            yield Finding(
                f"the label reads {entry.printed!r}, expected {label!r}",
                span,
                core=False,
                fix=Fix(f"write {label}", (Edit(span, label),)) if written else None,
                data={"measured": entry.printed, "expected": label},
            )
        elif entry.count > 1:
            yield Finding(f"{label!r} stands on the page {entry.count} times", span, Severity.WARNING)
        if entry.generated:
            yield Finding(
                f"{label!r} is printed by a style sheet: it can be seen, but neither selected nor read by a script",
                span,
                Severity.WARNING,
            )
        if _transformed(evidence, entry):
            yield Finding(f"text-transform shows {label!r} in other letters", span, Severity.WARNING)
    for text, element in block.others:
        yield Finding(
            f"{text!r} is a sixth label in the block, which has exactly five",
            label_span(page, element, text),
            Severity.WARNING,
        )
    yield from _placed(evidence, block)


def _transformed(evidence: Evidence, entry: Entry) -> bool:
    styled = evidence.style(evidence.states.initial)
    element = entry.elements[0]
    return element in styled and styled.computed(element).keyword("text-transform") not in (None, "none")


def _placed(evidence: Evidence, block: RunBlock) -> Iterator[Finding]:
    """The block stands at the bottom of the page: behind the scene."""
    if not block.entries:
        return
    try:
        scene = evidence.scene.root.element
    except Undecided:
        return
    order = {element: place for place, element in enumerate(evidence.page.elements)}
    first = min(block.entries.values(), key=lambda entry: entry.place).elements[0]
    if first in order and scene in order and order[first] < order[scene]:
        yield Finding(
            "the block stands before the scene, not at the bottom of the page",
            evidence.element_span(first),
            Severity.WARNING,
        )


@rule("HB5002")
def footer_values(evidence: Evidence, labels: Sequence[str]) -> Iterator[Finding]:
    """A value of the footer is empty, a placeholder or left-over template text.

    ## What it checks
    Behind each label stands text that says something. `unreported` does; nothing at all, `TBD`, `…`, `?`, `undefined`,
    `{{model}}`, `YOUR_MODEL` and their like do not.

    ## Why it matters
    "The values are honest: an empty or guessed field scores worse than `unreported`."

    ## Example that fails
    ```html
    <footer>
      <p>Time Taken: 14m 20s</p><p>Tokens Used:</p><p>Model: m-1</p><p>Engine: e 2</p><p>Thinking level: high</p>
    </footer>
    ```

    ```html
    <footer>
      <p>Time Taken: 14m</p><p>Tokens Used: 9</p><p>Model: {{model}}</p><p>Engine: TBD</p><p>Thinking level: high</p>
    </footer>
    ```

    ## Example that passes
    ```html
    <footer>
      <p>Time Taken: 14m 20s</p><p>Tokens Used: unreported</p><p>Model: m-1</p><p>Engine: e 2</p>
      <p>Thinking level: off</p>
    </footer>
    ```
    """
    page = evidence.page
    block = _block(evidence, labels)
    if not block.entries:
        yield Finding("there is no footer: none of the five labels is on the page")
        return
    open_question: Span | None = None
    for label in labels:
        entry = block.entries.get(label)
        if entry is None:
            yield Finding(f"{label!r} is not on the page, so it has no value", data={"label": label})
            continue
        late = _known_late(evidence, (*entry.value_elements, *entry.elements))
        if late is not None and (not entry.value or _is_empty(entry.value)):
            open_question = late
            continue
        span = label_span(page, (entry.value_elements or entry.elements)[0], entry.value or entry.printed)
        told = {"label": label, "value": entry.value}
        if not entry.value:
            yield Finding(f"{label} has no value; write 'unreported' if it is not known", span, data=told)
        elif _is_empty(entry.value):
            yield Finding(f"{label} has the placeholder {entry.value!r}", span, data=told)
        elif _NOT_SAID.match(entry.value):
            yield Finding(
                f"{label} {entry.value!r}: the spec's word is 'unreported'", span, Severity.WARNING, data=told
            )
    if open_question is not None:
        raise Undecided(Reason.DYNAMIC_VALUE, "script writes a value that is known at run time only", open_question)


def _is_empty(value: str) -> bool:
    return bool(_PLACEHOLDER.match(value) or _TEMPLATE.search(value))


def _known_late(evidence: Evidence, elements: Sequence[_Element]) -> Span | None:
    """Where script writes a text into one of the elements, or beside them, that the source does not tell."""
    around = {*elements, *(parent for e in elements if (parent := e.getparent()) is not None)}
    around = {element for element in around if not str(element.tag).endswith(("}body", "}main", "}html"))}
    for effect in evidence.script.all_effects:
        if effect.kind != "text" or not isinstance(effect.value, Unknown) or effect.element is None:
            continue
        if not around.isdisjoint((effect.element, *effect.element.iterancestors())):
            return effect.span
    return None


@rule("HB5003")
def footer_visible(
    evidence: Evidence, labels: Sequence[str], phone_width: float, visible_opacity: float
) -> Iterator[Finding]:
    """The footer cannot be seen in some state.

    ## What it checks
    Each label and value of the footer in every combination of pace, theme, paused and reduced motion that a style or a
    script makes a difference for, on a desktop and on a phone of 390 px: it is on the page, displayed, visible, opaque,
    of some size, on the screen, in a colour unlike what is behind it, and nothing around it hides it. So does every
    other event that touches it. Hidden wherever the page loads, it decides the row.

    ## Why it matters
    "The footer is always visible, it is never hidden or removed by any state."

    ## Example that fails
    ```css
    html[data-theme="night"] footer { display: none; }
    ```

    ```css
    @media (max-width: 600px) { footer { height: 0; overflow: hidden; } }
    ```

    ```css
    footer { color: #f5f2e8; }
    ```

    ```js
    setTimeout(function () { document.querySelector("footer").remove(); }, 3000);
    ```

    ## Example that passes
    ```css
    footer { font-size: .8rem; opacity: .85; color: var(--ink); }
    @media (prefers-reduced-motion: reduce) { .strip { display: none; } }
    ```
    """
    initial = evidence.states.initial
    block = _block(evidence, labels)
    if not block.entries:
        yield Finding("there is no footer: none of the five labels is on the page", core=True)
        return
    told: set[tuple[str, Span | None]] = set()
    sight = Sight(visible_opacity)
    for seen in footer_states(evidence, _elements(block), phone_width):
        for hidden, label in _hidden_in(evidence, seen, block, labels, sight):
            if (hidden.reason, hidden.span) in told:
                continue
            told.add((hidden.reason, hidden.span))
            yield Finding(
                f"{label} cannot be seen {seen.when}: {hidden.reason}",
                hidden.span or seen.span or label_span(evidence.page, block.entries[label].elements[0], label),
                core=seen.state is initial,
                data={"state": seen.state.label, "label": label},
            )
    _stop_where_unknown(evidence, block)


def _elements(block: RunBlock) -> tuple[_Element, ...]:
    found: dict[_Element, None] = {}
    for entry in block.entries.values():
        found.update(dict.fromkeys((*entry.elements, *entry.value_elements)))
    return tuple(found)


def _hidden_in(
    evidence: Evidence, seen: Seen, block: RunBlock, labels: Sequence[str], sight: Sight
) -> Iterator[tuple[Hidden, str]]:
    """Labels that are hidden in a state, the first reason for each."""
    styled = evidence.style(seen.state)
    if seen.changes_text or not all(element in styled for element in _elements(block)):
        now = read_run_block(evidence, seen.state, labels)
        for label in block.entries:
            if label not in now.entries:
                yield Hidden("it is not on the page", None), label
        block = now
    with applied(seen.state.mutations):
        for label, entry in block.entries.items():
            for element in dict.fromkeys((*entry.elements, *entry.value_elements)):
                hidden = sight.why_hidden(styled, element)
                if hidden is not None:
                    yield hidden, label
                    break


def _stop_where_unknown(evidence: Evidence, block: RunBlock) -> None:
    if evidence.script.limit:
        raise Undecided(Reason.LIMIT, "what script does could not be followed to its end")
    styled = evidence.style(evidence.states.initial)
    for element in _elements(block):
        for above in (element, *element.iterancestors()):
            if above not in styled:
                continue
            style = styled.computed(above)
            for name in ("display", "visibility", "opacity"):
                if (reason := style.unknown(name)) is not None:
                    raise Undecided(Reason(reason), f"{name} of the footer", evidence.element_span(above))
    around = {one for element in _elements(block) for one in (element, *element.iterancestors())}
    lid = may_be_covered(styled, evidence.page.elements, around)
    if lid is not None:
        what = "a box that is taken out of the flow may lie over the footer"
        raise Undecided(Reason.NEEDS_BROWSER, what, evidence.element_span(lid))
