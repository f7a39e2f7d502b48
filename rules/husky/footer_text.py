"""The run's five labels as the page prints them, and what stands behind each (spec §5)."""

from __future__ import annotations

import bisect
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lxml import etree

from husky_lint.script.journal import applied
from husky_lint.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lxml.etree import _Element

    from husky_lint.evidence import Evidence
    from husky_lint.parse.html import HtmlDocument
    from husky_lint.style.page_state import PageState

_UNSEEN = frozenset(
    {"head", "script", "style", "template", "title", "desc", "metadata", "noscript", "datalist", "iframe", "object"}
)
_INLINE = frozenset(
    """
    a abbr b bdi bdo br cite code data em font i kbd mark output q s samp small span strong sub sup time tspan u var wbr
    """.split()  # noqa: SIM905 - a list of words
)
_MAX_VALUE = 300


@dataclass(frozen=True, slots=True)
class _Piece:
    start: int
    text: str
    element: _Element
    generated: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """A label as printed, with the elements that print it and its value.

    ``exact`` says that it reads just as the spec has it; ``count`` how often it stands on the page. ``generated`` marks
    a label that a style sheet prints (``content``).
    """

    label: str
    printed: str
    exact: bool
    count: int
    place: int
    elements: tuple[_Element, ...]
    value: str
    value_elements: tuple[_Element, ...]
    generated: bool = False


@dataclass(frozen=True, slots=True)
class RunBlock:
    """The labels that a state of the page prints, and other lines between them that look like labels."""

    entries: Mapping[str, Entry]
    others: tuple[tuple[str, _Element], ...]

    @property
    def exact(self) -> int:
        """How many labels read just as the spec has them."""
        return sum(entry.exact for entry in self.entries.values())


def read_run_block(evidence: Evidence, state: PageState, labels: Sequence[str]) -> RunBlock:
    """Read the page as it is in a state, with what script has written. Generated text is read where a label lacks."""
    page = evidence.page
    with applied(state.mutations):
        block = _read(tuple(_pieces(page.root, {})), labels)
        if block.exact < len(labels) and (generated := _generated(evidence, state)):
            printed = _read(tuple(_pieces(page.root, generated)), labels)
            return printed if printed.exact > block.exact else block
    return block


def label_span(document: HtmlDocument, element: _Element, text: str) -> Span:
    """Where an element's text stands in the source, else its start tag."""
    spans = document.spans(element)
    content = spans.content
    if content is not None and text:
        place = document.source.text.find(text, content.start, content.end)
        if place >= 0:
            return Span(content.file, place, place + len(text))
    return spans.start_tag


# ---------------------------------------------------------------- text


def _pieces(root: _Element, generated: Mapping[tuple[_Element, str], str]) -> Iterator[_Piece]:
    """The text of the page in reading order; a piece that is a new line stands wherever a block begins or ends."""
    position, unseen = 0, 0

    def piece(text: str, element: _Element, made: bool = False) -> Iterator[_Piece]:
        nonlocal position
        if text:
            yield _Piece(position, text, element, made)
            position += len(text)

    for event, element in etree.iterwalk(root, events=("start", "end")):
        name = str(element.tag).rpartition("}")[2]
        block = name not in _INLINE
        if event == "start":
            unseen += name in _UNSEEN
            if block or name == "br":
                yield from piece("\n", element)
            if not unseen:
                if generated:
                    yield from piece(generated.get((element, "before"), ""), element, made=True)
                yield from piece(_collapsed(element.text), element)
        else:
            if not unseen and generated:
                yield from piece(generated.get((element, "after"), ""), element, made=True)
            unseen -= name in _UNSEEN
            if block:
                yield from piece("\n", element)
            parent = element.getparent()
            if not unseen and parent is not None:
                yield from piece(_collapsed(element.tail), parent)


def _collapsed(text: str | None) -> str:
    return re.sub(r"\s+", " ", text) if text else ""  # a no-break space looks like any other


def _pattern(label: str) -> re.Pattern[str]:
    words = label.rstrip(":").split()
    return re.compile(r"(?<![\w-])" + r"\s*".join(map(re.escape, words)) + r"(?:\s*:|(?=\s*\n))", re.IGNORECASE)


def _read(pieces: Sequence[_Piece], labels: Sequence[str]) -> RunBlock:
    text = "".join(piece.text for piece in pieces)
    starts = [piece.start for piece in pieces]
    found: list[tuple[int, int, str]] = []
    counts: dict[str, int] = {}
    for label in labels:
        matches = list(_pattern(label).finditer(text))
        exact = [match for match in matches if match[0] == label]
        with_colon = [match for match in matches if match[0].endswith(":")]
        chosen = exact or with_colon or matches
        if chosen:  # the page ends with the block, so the last one is meant
            found.append((chosen[-1].start(), chosen[-1].end(), label))
            counts[label] = len(exact)
    found.sort()
    entries: dict[str, Entry] = {}
    for number, (start, end, label) in enumerate(found):
        following = found[number + 1][0] if number + 1 < len(found) else len(text)
        value_start, value = _value(text, end, following)
        under = _elements(pieces, starts, start, end)
        entries[label] = Entry(
            label,
            text[start:end],
            text[start:end] == label,
            counts[label],
            start,
            tuple(piece.element for piece in under),
            value,
            tuple(piece.element for piece in _elements(pieces, starts, value_start, value_start + len(value))),
            any(piece.generated for piece in under),
        )
    return RunBlock(entries, tuple(_others(text, pieces, starts, found)))


def _value(text: str, start: int, end: int) -> tuple[int, str]:
    """The rest of the label's line, else the next line that has text."""
    for line in re.finditer(r"[^\n]+", text[start:end]):
        stripped = line[0].strip()
        if stripped:
            return start + line.start() + line[0].index(stripped), stripped[:_MAX_VALUE]
    return start, ""


def _elements(pieces: Sequence[_Piece], starts: Sequence[int], start: int, end: int) -> list[_Piece]:
    """The pieces that a range of the text lies in."""
    first = max(bisect.bisect_right(starts, start) - 1, 0)
    last = bisect.bisect_left(starts, end)
    return [piece for piece in pieces[first:last] if piece.text.strip()]


_LABEL_LIKE = re.compile(r"(?<=\n)\s*([A-Z][A-Za-z]+(?: [A-Za-z]+){0,3}:)")


def _others(
    text: str, pieces: Sequence[_Piece], starts: Sequence[int], found: Sequence[tuple[int, int, str]]
) -> Iterator[tuple[str, _Element]]:
    """Further labels in the block: between the five, or in the same element behind them."""
    if len(found) < 2:
        return
    known = {start for start, _, _ in found}
    low, high = found[0][0], found[-1][1]
    first, last = (_elements(pieces, starts, place, place + 1)[0].element for place in (low, found[-1][0]))
    around = next((a for a in (first, *first.iterancestors()) if a is last or a in last.iterancestors()), None)
    if around is not None and not str(around.tag).endswith(("}body", "}main", "}html")):
        inside = [piece for piece in pieces if piece.element is around or around in piece.element.iterancestors()]
        low = min([low, *(piece.start for piece in inside)])
        high = max([high, *(piece.start + len(piece.text) for piece in inside)])
    for match in _LABEL_LIKE.finditer(text, max(low - 1, 0), high):
        if match.start(1) not in known:
            under = _elements(pieces, starts, match.start(1), match.end(1))
            if under:
                yield match[1], under[0].element


# ---------------------------------------------------------------- generated content

_PSEUDO = re.compile(r"::?(before|after)\s*\Z", re.IGNORECASE)


def _generated(evidence: Evidence, state: PageState) -> dict[tuple[_Element, str], str]:
    """Text that ``::before`` and ``::after`` print, from rules with plain selectors."""
    from husky_lint.script.journal import Journal
    from husky_lint.script.query import Query, compile_selector
    from husky_lint.script.query import Undecided as NotFollowed

    from .applied import rules_in

    found: dict[tuple[_Element, str], str] = {}
    query = Query(Journal(), None)
    for sheet in (*(s.sheet for s in evidence.stylesheets), *state.sheets):
        for rule in rules_in(sheet.rules):
            selector = getattr(rule, "selector_text", "")
            content = next((d for d in rule.declarations if d.name == "content"), None)
            if content is None or not selector:
                continue
            for part in selector.split(","):
                pseudo = _PSEUDO.search(part.strip())
                if pseudo is None:
                    continue
                try:
                    test = compile_selector(part.strip()[: pseudo.start()] or "*")
                    elements = [e for e in evidence.page.root.iter("*") if test is not None and test(e, query)]
                except NotFollowed:
                    continue
                for element in elements:
                    found[element, pseudo[1].lower()] = _content_text(content.tokens, element)
    return found


def _content_text(tokens: Sequence[object], element: _Element) -> str:
    printed = []
    for token in tokens:
        kind = getattr(token, "type", "")
        if kind == "string":
            printed.append(str(token.value))  # type: ignore[attr-defined]
        elif kind == "function" and token.lower_name == "attr" and token.arguments:  # type: ignore[attr-defined]
            printed.append(element.get(str(getattr(token.arguments[0], "value", ""))) or "")  # type: ignore[attr-defined]
    return _collapsed("".join(printed))
