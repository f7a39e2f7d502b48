"""What the motions of several states share: whatever was worked out before, a state shows what it shows alone."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np
import pytest

from husky_lint.parse.html import parse_html
from husky_lint.scene.changes import scene_changes, shown_ids
from husky_lint.scene.graph import build_scene
from husky_lint.scene.motion import Motion
from husky_lint.script.journal import InsertNode, RemoveNode, SetAttribute, SetText, apply_all, undo_all
from husky_lint.source import SourceText
from husky_lint.style.computed import StyleEngine
from husky_lint.style.media import MediaContext
from husky_lint.style.page_state import PageState

if TYPE_CHECKING:
    from lxml.etree import _Element

    from husky_lint.parse.html import HtmlDocument
    from husky_lint.script.journal import Mutation

PAGE = """<!doctype html><style>
:root { --turn: 10deg; --cycle: 1s; --far: calc(var(--near) * 2); --near: 3px }
[data-pace=hop] { --cycle: .5s }
[data-pace=run] { --turn: 40deg; --near: 9px }
[data-theme=night] #thick { stroke-width: 8px }
[data-theme=night] { font-size: 30px }
@media (prefers-reduced-motion: reduce) { #walk { animation: none } #still { transform: translateX(7px) } }
#walk { animation: swing var(--cycle) linear infinite; transform-origin: 10px 10px }
#late { animation: swing calc(var(--cycle) * 2) calc(var(--cycle) * -.25) linear infinite }
#named { animation: turned 1s linear infinite }
#above { transform: rotate(20deg) }
#asks { animation: asking 1s linear infinite }
#var { transform: translate(var(--far), var(--near)) }
#em { cx: 2em; r: 1em }
#thick { stroke: red; stroke-width: 2px; transform-box: stroke-box; transform-origin: 0 0; transform: scale(2) }
#along { offset-path: url(#road); offset-distance: 50% }
#grows { animation: grow 1s linear infinite }
[data-theme=night] #grows { --near: 4px !important }
.hidden { display: none }
@keyframes swing { to { transform: rotate(90deg) } }
@keyframes turned { to { transform: rotate(var(--turn)) } }
@keyframes asking { from { transform: inherit } to { transform: none } }
@keyframes grow { to { --near: 100px } }
@property --near { syntax: "<length>"; inherits: true; initial-value: 0px }
</style><body><p><button>a</button></p><svg viewBox="0 0 300 200"><defs><path id="road" d="M0 0H100"/>
<symbol id="sign" viewBox="0 0 10 10"><rect id="board" width="10" height="10"/></symbol></defs>
<g id="walk"><rect width="20" height="4"/></g><g id="late"><rect width="20" height="4"/></g>
<rect id="named" width="9" height="9"/><g id="above"><rect id="asks" width="9" height="9"/></g>
<rect id="var" width="5" height="5"/><circle id="em"/><rect id="thick" x="5" y="5" width="10" height="10"/>
<rect id="along" width="2" height="2"/><rect id="still" width="3" height="3"/>
<g id="grows"><rect id="grown" width="4" height="4" style="transform: translateX(var(--near))"/></g>
<line id="line" x1="1em" x2="5em" y2="3"/><use id="use" href="#sign" width="20" height="20"/><text>words</text></svg>"""

_VALUES: dict[tuple[str, str], tuple[str | None, ...]] = {
    ("html", "data-pace"): (None, "hop", "run"),
    ("html", "data-theme"): (None, "night"),
    ("walk", "class"): (None, "hidden"),
    ("road", "d"): ("M0 0H100", "M0 0V60"),
    ("use", "width"): ("20", "60"),
    ("still", "transform"): (None, "scale(3)"),
}


def _elements(document: HtmlDocument) -> dict[str, _Element]:
    return {"html": document.root, **{e.get("id", ""): e for e in document.root.iter("*") if e.get("id")}}


def _state(document: HtmlDocument, values: dict[tuple[str, str], str | None], media: MediaContext) -> PageState:
    elements = _elements(document)
    wanted = [SetAttribute.of(elements[name], attribute, value) for (name, attribute), value in values.items()]
    return PageState("test", media, tuple(one for one in wanted if one.before != one.value))


def _shown(motion: Motion) -> tuple[dict[str, list[list[float]]], dict[str, str]]:
    boxes = motion.boxes([0.0, 0.3, 0.7])
    found = {node.css_path: np.nan_to_num(rows, nan=-1.0).round(9).tolist() for node, rows in boxes.items()}
    return found, {node.css_path: reason for node, reason in motion.unknown.items()}


def test_a_state_shows_what_it_shows_alone() -> None:
    document = parse_html(SourceText("index.html", PAGE))
    sheets = [sheet for _, sheet in document.stylesheets]
    engine, scene = StyleEngine(document, sheets), build_scene(document)
    views = [MediaContext(), MediaContext(reduced_motion=True)]
    combinations = [dict(zip(_VALUES, chosen, strict=True)) for chosen in itertools.product(*_VALUES.values())]
    order = np.random.default_rng(0).permutation(len(combinations))[:30].tolist()
    different = set()
    for number, index in enumerate(order):
        state = _state(document, combinations[index], views[number % 2])
        for animated in (True, False):
            alone = Motion(StyleEngine(document, sheets).style(state), build_scene(document), animated=animated)
            shown = _shown(Motion(engine.style(state), scene, animated=animated))
            assert shown == _shown(alone), (combinations[index], animated)
            different.add(str(shown))
    assert len(different) > 30


def test_states_that_look_the_same_share_what_is_compiled() -> None:
    document = parse_html(SourceText("index.html", "<style>[a] rect { fill: red }</style><svg><rect width='9'/></svg>"))
    engine, scene = StyleEngine(document, [sheet for _, sheet in document.stylesheets]), build_scene(document)
    plain, painted = (_state(document, {("html", "a"): value}, MediaContext()) for value in (None, ""))
    first, second = Motion(engine.style(plain), scene), Motion(engine.style(painted), scene)
    assert first.style(scene.nodes[1]).text("fill") != second.style(scene.nodes[1]).text("fill")
    assert first.outline(scene.nodes[1]) is not None
    kept = scene.kept["motion"]
    assert len(kept.compiled) == len(scene.nodes)


@pytest.fixture
def page() -> HtmlDocument:
    return parse_html(SourceText("index.html", PAGE))


def _changes(page: HtmlDocument, *mutations: Mutation) -> int:
    undo_all(mutations)
    return len(scene_changes(mutations, shown_ids(page.root)))


def test_what_happens_beside_the_scene_makes_no_other_scene(page: HtmlDocument) -> None:
    paragraph = next(page.root.iter("{*}p"))
    button = paragraph[0].makeelement(paragraph[0].tag, {"id": "pace"})
    mutations: list[Mutation] = [InsertNode.of(paragraph, button, 0), SetAttribute.of(page.root, "id", "root")]
    apply_all(mutations)
    assert _changes(page, *mutations) == 0


def test_what_script_does_to_the_scene_makes_another(page: HtmlDocument) -> None:
    elements = _elements(page)
    group, paragraph = elements["walk"], next(page.root.iter("{*}p"))
    rect = group[0]
    shown = paragraph.makeelement(paragraph[0].tag, {"id": "sign"})
    cases: list[Mutation] = [
        RemoveNode.of(rect),
        SetText.of(group, ""),
        InsertNode.of(paragraph, shown, 0),
        SetAttribute.of(elements["use"], "href", "#road"),
        SetAttribute.of(paragraph, "id", "sign"),
        RemoveNode.of(next(page.root.iter("{*}svg"))),
    ]
    for mutation in cases:
        mutation.apply()
        assert _changes(page, mutation) == 1, mutation


def test_what_is_asked_of_one_node_is_what_is_asked_of_all() -> None:
    document = parse_html(SourceText("index.html", PAGE))
    engine = StyleEngine(document, [sheet for _, sheet in document.stylesheets])
    values: dict[tuple[str, str], str | None] = {("html", "data-theme"): "night", ("walk", "class"): "hidden"}
    styled = engine.style(_state(document, values, MediaContext()))
    script_driven = [_elements(document)["still"]]
    scene = build_scene(document)
    whole = Motion(styled, scene, script_driven=script_driven)
    times = [0.0, 0.3, 0.7]
    boxes, unknown = whole.boxes(times), dict(whole.unknown)
    assert {"text", "script-driven-motion"} <= set(unknown.values())
    for node in scene.nodes[1:]:
        alone = Motion(styled, scene, script_driven=script_driven)
        assert alone.is_displayed(node) == whole.is_displayed(node), node
        assert alone.unknown.get(node) == unknown.get(node), node
        assert (node in alone.unknown) == (node in unknown)
        np.testing.assert_array_equal(alone.boxes(times, [node]).get(node, 0), boxes.get(node, 0))
        other = Motion(styled, scene, script_driven=script_driven).matrices([node], times)
        np.testing.assert_array_equal(other.get(node, 0), whole.matrices([node], times).get(node, 0))


def test_the_order_of_questions_does_not_matter() -> None:
    document = parse_html(SourceText("index.html", PAGE))
    engine = StyleEngine(document, [sheet for _, sheet in document.stylesheets])
    styled, scene = engine.style(_state(document, {}, MediaContext())), build_scene(document)
    script_driven = [_elements(document)["still"]]
    wanted = _shown(Motion(styled, scene, script_driven=script_driven))
    for seed in range(12):
        motion = Motion(styled, scene, script_driven=script_driven)
        for place in np.random.default_rng(seed).permutation(len(scene.nodes)).tolist()[: 3 * seed]:
            node = scene.nodes[place]
            if place % 2:
                motion.matrices([node], [0.0])
            else:
                motion.boxes([0.0], [node])
        assert _shown(motion) == wanted, seed


def test_no_more_of_a_scene_is_looked_at_than_is_asked_about() -> None:
    text = "<svg><g><rect width='9'/><path d='M0 0H9'/></g><g id='b'><rect width='4'/><rect width='5'/></g></svg>"
    document = parse_html(SourceText("index.html", text))
    scene = build_scene(document)
    motion = Motion(StyleEngine(document, []).style(_state(document, {}, MediaContext())), scene)
    first = next(node for node in scene.nodes if node.name == "rect")
    motion.matrices([first], [0.0])
    assert motion.unknown.get(first) is None
    assert len(scene.kept["motion"].compiled) == 3
    group = next(node for node in scene.nodes if node.element.get("id") == "b")
    motion.matrices([group], [0.0])
    assert len(scene.kept["motion"].compiled) == 4
    motion.boxes([0.0], [group])
    assert len(scene.kept["motion"].compiled) == 6
    assert len(motion.unknown) == 0
    assert len(scene.kept["motion"].compiled) == len(scene.nodes)
