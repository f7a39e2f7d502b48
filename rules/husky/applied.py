"""Which of the style sheets' rules ever apply: a rule that matches nothing loads nothing and hides nothing."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from husky_lint.rule import PageMissing, Undecided
from husky_lint.style.words import words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from husky_lint.evidence import Evidence
    from husky_lint.parse.css import AtRule, Declaration, StyleRule, Stylesheet
    from husky_lint.source import Span
    from husky_lint.style.page_state import PageState

PHONE_WIDTH = 390.0
_MAX_DEPTH = 200
WIDTH_WORDS = ("width", "height", "orientation", "aspect-ratio")
_PAINTING = words("fill fill-opacity opacity filter mix-blend-mode color clip-path mask display visibility")
_WIDTH_NAMES = ("innerWidth", "outerWidth", "clientWidth", "offsetWidth", "visualViewport", "screen.")
#: Selectors that no loaded state shows: generated boxes, and what a person in front of the page does.
_UNSEEN = re.compile(r"::|:(?:before|after|first-line|first-letter|hover|focus|active|checked|target|open|user-|modal)")


def single_states(evidence: Evidence) -> tuple[PageState, ...]:
    """The page as it loads, in each value of each axis alone, and on a phone."""
    return evidence.derived(_single_states)


def _single_states(evidence: Evidence) -> tuple[PageState, ...]:
    states = evidence.states
    initial = states.initial
    found = [initial]
    for axis in states.axes:
        found.extend(states.state(**{axis: value}) for value in states.values(axis) if initial.axes.get(axis) != value)
    found.append(narrow(initial))
    return tuple(found)


def narrow(state: PageState, width: float = PHONE_WIDTH) -> PageState:
    """The same state on a phone."""
    return replace(state, label=f"{state.label} width={width:g}", media=replace(state.media, width=width, height=844))


def asks_for_width(evidence: Evidence) -> bool:
    """Whether script may do other things on a phone: it asks how wide the page is."""
    return any(
        effect.kind == "media-query" and any(word in str(effect.name) for word in WIDTH_WORDS)
        for effect in evidence.script.all_effects
    ) or any(word in script.script.text for script in evidence.scripts for word in _WIDTH_NAMES)


def paints_by_width(evidence: Evidence) -> bool:
    """Whether a media query about the size of the window paints something otherwise."""
    from husky_lint.style.values import serialize

    for block, _ in evidence.style_engine.selectors:
        if any(one.name in _PAINTING or one.name.startswith("--") for one in block.declared):
            texts = (serialize(getattr(condition, "tokens", ())).lower() for condition in block.conditions)
            if any(word in text for text in texts for word in WIDTH_WORDS):
                return True
    return False


def page_sheets(evidence: Evidence) -> tuple[Stylesheet, ...]:
    """The sheets of the page, and those that script writes in one of its states."""
    sheets = [page_sheet.sheet for page_sheet in evidence.stylesheets]
    for state in single_states(evidence):
        linked = (given.sheet for given in state.links.values() if given is not None)
        sheets.extend(sheet for sheet in (*state.sheets, *linked) if sheet not in sheets)
    return tuple(sheets)


def rules_in(rules: Iterable[StyleRule | AtRule], depth: int = 0) -> Iterable[StyleRule | AtRule]:
    """Rules with those nested in them."""
    for rule in rules:
        yield rule
        if depth < _MAX_DEPTH:
            yield from rules_in(rule.rules, depth + 1)


def enclosing_rule(evidence: Evidence, span: Span) -> tuple[StyleRule | AtRule, Declaration] | None:
    """The rule and declaration of the page's sheets in which a span lies."""
    for page_sheet in evidence.stylesheets:
        if page_sheet.sheet.source.path == span.file:
            for rule in rules_in(page_sheet.sheet.rules):
                for declaration in rule.declarations:
                    if declaration.span.start <= span.start and span.end <= declaration.span.end:
                        return rule, declaration
    return None


def may_apply(evidence: Evidence, rule: StyleRule | AtRule, declaration: Declaration) -> bool:
    """Whether a declaration takes part in the look of something; where that cannot be told it does."""
    selector = getattr(rule, "selector_text", None)
    if selector is None or _UNSEEN.search(selector):
        return True
    try:
        return _wins(evidence, declaration) or _names_script_made(evidence, selector)
    except (Undecided, PageMissing):
        return True


def _wins(evidence: Evidence, declaration: Declaration) -> bool:
    from husky_lint.style.cascade import longhands

    names = longhands(declaration.name)
    for state in single_states(evidence):
        cascades = {id(style.cascade): style.cascade for style in evidence.style(state)}
        for cascade in cascades.values():
            for name in names:
                winner = cascade.winner(name)
                if winner is not None and winner.declaration is declaration:
                    return True
    return False


def script_made_names(evidence: Evidence) -> frozenset[str]:
    """Classes and ids that script gives to elements."""
    return evidence.derived(_script_made_names)


def _script_made_names(evidence: Evidence) -> frozenset[str]:
    found: set[str] = set()
    for effect in evidence.script.all_effects:
        if effect.kind == "class" and isinstance(effect.value, str):
            found.update(effect.value.split())
        elif effect.kind == "class" and effect.value is True:
            found.add(effect.name)
        elif effect.kind == "attribute" and effect.name == "id" and isinstance(effect.value, str):
            found.add(effect.value)
        elif effect.kind == "insert" and hasattr(effect.value, "iter"):
            for element in effect.value.iter("*"):
                found.update((element.get("class") or "").split())
                if element.get("id"):
                    found.add(element.get("id"))
    return frozenset(found)


def _names_script_made(evidence: Evidence, selector: str) -> bool:
    """Whether a class or id of the selector is one that script gives, or at least a word of its text."""
    names = re.findall(r"[.#]([\w-]+)", selector)
    if any(name in script_made_names(evidence) for name in names):
        return True
    on_page = evidence.derived(_page_names)
    written = [page_script.script.text for page_script in evidence.scripts]
    return any(
        name not in on_page and any(re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text) for text in written)
        for name in names
    )


def _page_names(evidence: Evidence) -> frozenset[str]:
    found: set[str] = set()
    for element in evidence.page.elements:
        found.update((element.get("class") or "").split())
        found.add(element.get("id") or "")
    return frozenset(found)
