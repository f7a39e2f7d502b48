"""The page around the scene: footer, pause, start and pace buttons, told from what they say and are called."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from husky_lint.script.journal import apply_all, undo_all
from husky_lint.style.tree import SVG

from .rig import PagePart, Part
from .run_footer import LABELS
from .words import names_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from lxml.etree import _Element

    from husky_lint.evidence import Evidence
    from husky_lint.style.states import PageState

    from .search import Search

_MAX_ELEMENTS: Final = 20_000
_MAX_TEXT: Final = 120
_CONTROL_ROLES: Final = frozenset({"button", "radio", "tab", "switch", "menuitem", "option"})
_START: Final = re.compile(r"\bstart\b.*\bwalk", re.IGNORECASE)
_PAUSE: Final = re.compile(r"\b(pause|stop|freeze|resume)", re.IGNORECASE)


def tell_page(evidence: Evidence, search: Search) -> tuple[dict[str, PagePart], dict[str, str]]:
    """The roles of the page's elements, and why one could not be told. Hearts, which lie in the scene, too."""
    found: dict[str, PagePart] = {}
    missing: dict[str, str] = {}
    initial = evidence.states.initial
    pace = evidence.rubric.vocabulary.axis("pace")
    paces = [value.words for value in pace.values] if pace is not None else []
    _tell(
        evidence,
        initial,
        found,
        {"footer": _footer, "pace_buttons": lambda elements: _paces(elements, paces), "pause_button": _pause},
    )
    reduced = evidence.states.state(motion="reduced")
    _tell(evidence, reduced, found, {"start_button": _start})
    if "start_button" not in found:
        _tell(evidence, initial, found, {"start_button": _start})
    why = {
        "footer": "no element holds the five labels",
        "pace_buttons": "no controls are called like the paces",
        "pause_button": "no control is called pause",
        "start_button": "no control is labelled Start the walk, with or without reduced motion",
    }
    missing.update({role: text for role, text in why.items() if role not in found})
    _hearts(evidence, search, found.get("pace_buttons"))
    return found, missing


def _tell(
    evidence: Evidence,
    state: PageState,
    found: dict[str, PagePart],
    finders: Mapping[str, Callable[[list[_Element]], tuple[list[_Element], float, list[str]]]],
) -> None:
    """Look for roles in the page as it is in a state."""
    apply_all(state.mutations)
    try:
        elements = [one for one in _bounded(evidence.page.root.iter("*")) if isinstance(one.tag, str)]
        for role, find in finders.items():
            if role in found:
                continue
            chosen, confidence, told = find(elements)
            if chosen:
                paths = tuple(page_path(element) for element in chosen)
                found[role] = PagePart(role, tuple(chosen), paths, confidence, tuple(told))
    finally:
        undo_all(state.mutations)


def _bounded(elements: Iterable[_Element]) -> Iterator[_Element]:
    for count, element in enumerate(elements):
        if count >= _MAX_ELEMENTS:
            return
        yield element


def page_path(element: _Element) -> str:
    """The CSS path of an element of the page: ``html>body:nth-child(2)>…``, as the tree is now."""
    steps: list[str] = []
    one: _Element | None = element
    while one is not None:
        parent = one.getparent()
        name = str(one.tag).rpartition("}")[2]
        if parent is None:
            steps.append(name)
        else:
            position = sum(isinstance(sibling.tag, str) for sibling in one.itersiblings(preceding=True)) + 1
            steps.append(f"{name}:nth-child({position})")
        one = parent
    return ">".join(reversed(steps))


def _name(element: _Element) -> str:
    return str(element.tag).rpartition("}")[2]


def is_control(element: _Element) -> bool:
    """Whether an element is something to be pressed: a button, or what plays one."""
    name = _name(element)
    if name in {"button", "summary"} or (element.get("role") or "") in _CONTROL_ROLES:
        return True
    if name == "input":
        return (element.get("type") or "").lower() in {"button", "submit", "radio", "checkbox", "image"}
    return name == "a" and (element.get("href") or "#").startswith(("#", "javascript:"))


def _label(element: _Element) -> str:
    """What a control says: its text, else its label, value or title."""
    text = " ".join("".join(map(str, element.itertext())).split())[:_MAX_TEXT]
    told = [text, *(element.get(name) or "" for name in ("aria-label", "value", "title"))]
    return " · ".join(part for part in told if part)[:_MAX_TEXT]


def _called(element: _Element) -> frozenset[str]:
    return frozenset(word for name in names_of(element) for word in name.all)


def _footer(elements: list[_Element]) -> tuple[list[_Element], float, list[str]]:
    """The smallest element that holds all five labels."""
    labels = [label[:-1].lower() for label in LABELS.values()]
    best: _Element | None = None
    for element in elements:
        if _name(element) in {"html", "head", "script", "style", "svg"}:
            continue
        if best is not None and element.getparent() is not best:
            continue
        text = "".join(map(str, element.itertext())).lower()
        if all(label in text for label in labels):
            best = element
    if best is None:
        return [], 0.0, []
    outer = next((one for one in (best, *best.iterancestors()) if _name(one) == "footer"), None)
    chosen = outer if outer is not None else best
    return [chosen], 0.95, ["holds the five labels"]


def _paces(elements: list[_Element], paces: Sequence[frozenset[str]]) -> tuple[list[_Element], float, list[str]]:
    """One control for each pace, in the order of the paces."""
    controls = [element for element in elements if is_control(element)]
    chosen: list[_Element] = []
    told: list[str] = []
    for words in paces:
        for element in controls:
            if element in chosen:
                continue
            said = set(re.findall(r"[a-z]+", _label(element).lower())) | _called(element)
            if words & said and not _START.search(_label(element)):
                chosen.append(element)
                break
    if chosen and len(chosen) == len(paces):
        told.append("one control is called like each pace")
        return chosen, 0.9, told
    return [], 0.0, []


def _pause(elements: list[_Element]) -> tuple[list[_Element], float, list[str]]:
    for element in elements:
        if is_control(element) and _PAUSE.search(_label(element)):
            return [element], 0.9, [f"says {_label(element)!r}"]
    for element in elements:
        if is_control(element) and "pause" in _called(element):
            return [element], 0.8, ["called pause"]
    return [], 0.0, []


def _start(elements: list[_Element]) -> tuple[list[_Element], float, list[str]]:
    for element in elements:
        if is_control(element) and _START.search(_label(element)):
            return [element], 0.95, [f"says {_label(element)!r}"]
    return [], 0.0, []


def _hearts(evidence: Evidence, search: Search, paces: PagePart | None) -> None:
    """Where script inserts what a click on the dog or on a control of its own makes; the group that is called so."""
    lexicon = search.drawing.lexicon
    scene = search.drawing.scene
    clicked = _filled_by_clicks(evidence, paces)
    nodes = [node for element in clicked if (node := scene.node(element)) is not None and node.parent is not None]
    named = [node for node in scene.nodes[1:] if node.name in {"g", "svg"} and lexicon.says(node, "hearts") >= 0.75]
    both = [node for node in named if node in nodes]
    if both or len(named) == 1:
        chosen = (both or named)[0]
        told = ("named so", *(["a click inserts shapes there"] if both else []))
        search.parts["hearts"] = Part("hearts", (chosen,), 0.95 if both else 0.8, told)
    elif len(nodes) == 1:
        search.parts["hearts"] = Part("hearts", (nodes[0],), 0.7, ("a click inserts shapes there",))
    else:
        many = len(named) or len(nodes)
        search.miss(
            "hearts",
            f"ambiguous: {many} groups may hold them" if many else "no group is called so or filled by a click",
        )


def _filled_by_clicks(evidence: Evidence, paces: PagePart | None) -> list[_Element]:
    """Elements of a scene that clicks insert something into, clicks on the pace controls left out."""
    skipped = frozenset(paces.elements) if paces is not None else frozenset()
    found: dict[_Element, None] = {}
    for response in evidence.script.responses:
        if response.type in {"click", "pointerdown", "pointerup", "mousedown"} and response.element not in skipped:
            for effect in (*response.effects, *response.later):
                element = effect.element
                if effect.kind == "insert" and element is not None and str(element.tag).startswith("{" + SVG + "}"):
                    found[element] = None
    return list(found)


__all__ = ["page_path", "tell_page"]
