"""Scene graphs: instances, paint order, what is painted at all, viewBox."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from lxml import etree

from husky_lint.scene import graph
from husky_lint.scene.graph import AspectRatio, Place, ViewBox, build_scene, find_scene, fit


@dataclass
class Document:
    root: etree._Element


def document(body: str) -> Document:
    text = f'<html xmlns="http://www.w3.org/1999/xhtml"><body>{body}</body></html>'
    return Document(etree.fromstring(text, etree.XMLParser(huge_tree=True)))


def svg(content: str, attributes: str = "") -> Document:
    namespaces = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    return document(f"<svg {namespaces} {attributes}>{content}</svg>")


def names(scene: graph.SceneGraph) -> list[str]:
    return [node.name + "*" * len(node.uses) for node in scene.nodes]


def places(content: str) -> dict[str, Place]:
    return {
        node.element.get("id", ""): node.place for node in build_scene(svg(content)).nodes if node.element.get("id")
    }


def test_paths_count_element_siblings_from_the_scene() -> None:
    scene = build_scene(svg("<title>t</title><!-- c --><g><path/><rect/></g>"))
    assert [node.css_path for node in scene.nodes] == [
        "svg",
        "svg>title:nth-child(1)",
        "svg>g:nth-child(2)",
        "svg>g:nth-child(2)>path:nth-child(1)",
        "svg>g:nth-child(2)>rect:nth-child(2)",
    ]
    assert [node.index for node in scene.nodes] == list(range(5))
    assert scene.by_path["svg>g:nth-child(2)"].children[1].name == "rect"


def test_use_makes_instances_in_paint_order() -> None:
    scene = build_scene(svg('<use href="#a"/><g id="a"><rect/><use xlink:href="#b"/></g><circle id="b"/>'))
    assert names(scene) == ["svg", "use", "g*", "rect*", "use*", "circle**", "g", "rect", "use", "circle*", "circle"]
    circle = scene.root.children[2].element
    assert [node.index for node in scene.instances(circle)] == [5, 9, 10]
    assert scene.nodes[5].css_path == "svg>use:nth-child(1)>>>g>use:nth-child(2)>>>circle"
    assert scene.node(circle) is scene.nodes[10]


def test_edges_tell_children_from_instances() -> None:
    scene = build_scene(svg('<use href="#a"/><rect id="a"/>'))
    edges: Any = scene.graph.edges.data("kind")
    assert sorted((a.name, b.name, kind) for a, b, kind in edges) == [
        ("svg", "rect", "child"),
        ("svg", "use", "child"),
        ("use", "rect", "instance"),
    ]


@pytest.mark.parametrize(
    "content",
    [
        '<use id="a" href="#a"/>',
        '<g id="a"><use href="#a"/></g>',
        '<use href="#nothing"/>',
        '<use href="#c"/><clipPath id="c"/>',
        '<use href="#d"/><defs id="d"/>',
        '<use href=""/>',
        "<use/>",
    ],
)
def test_use_of_nothing(content: str) -> None:
    assert all(not node.uses for node in build_scene(svg(content)).nodes)


def test_a_use_may_not_show_itself_through_another() -> None:
    scene = build_scene(svg('<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>'))
    assert names(scene) == ["svg", "g", "use", "g*", "use*", "g", "use", "g*", "use*"]


def test_href_wins_over_xlink_href_and_spaces_do_not_matter() -> None:
    scene = build_scene(svg('<use href=" #a" xlink:href="#b"/><rect id="a"/><circle id="b"/>'))
    assert names(scene)[:3] == ["svg", "use", "rect*"]


def test_a_bomb_of_uses_is_cut_off() -> None:
    levels = "".join(
        f'<g id="l{n}">' + (f'<use href="#l{n - 1}"/>' * 10 if n else "<rect/>") + "</g>" for n in range(12)
    )
    scene = build_scene(svg(f'<defs>{levels}</defs><use id="bomb" href="#l11"/><rect/>'))
    assert len(scene.nodes) < 2 * graph.MAX_NODES
    assert any(node.cut_off for node in scene.root.children[1].descendants())
    assert scene.root.children[2].name == "rect"


def test_deep_nesting() -> None:
    scene = build_scene(svg("<g>" * 1000 + "<rect/>" + "</g>" * 1000))
    assert scene.nodes[-1].depth == 1001
    assert scene.nodes[-1].css_path.count("g:nth-child(1)") == 1000


def test_what_is_never_painted() -> None:
    found = places(
        '<defs><rect id="def"/></defs><symbol id="symbol"><rect id="insymbol"/></symbol>'
        '<clipPath><rect id="clip"/></clipPath>'
        '<title id="title"/><foo id="foo"><rect id="infoo"/></foo><rect><rect id="inrect"/></rect>'
        '<use href="#none"><rect id="inuse"/></use><g id="g"><rect id="rect"/></g><tspan id="tspan"/>'
        '<text id="text"><tspan id="intext"/><rect id="rectintext"/></text>'
    )
    never = {name for name, place in found.items() if place is Place.NEVER}
    assert never == {
        *("def", "symbol", "insymbol", "clip", "title", "foo", "infoo"),
        *("inrect", "inuse", "tspan", "rectintext"),
    }
    assert found["intext"] is Place.TEXT


def test_a_symbol_is_painted_as_an_instance() -> None:
    scene = build_scene(svg('<symbol id="s"><rect/></symbol><use href="#s"/>'))
    assert [(node.name, node.place) for node in scene.nodes if node.uses] == [
        ("symbol", Place.RENDERED),
        ("rect", Place.RENDERED),
    ]


@pytest.mark.parametrize(
    ("content", "chosen"),
    [
        ('<rect id="a" requiredExtensions="x"/><rect id="b"/><rect id="c"/>', {"b"}),
        ('<rect id="a" systemLanguage="fr, de"/><g id="b" systemLanguage="en-GB"/>', {"b"}),
        ('<title/><rect id="a"/>', set()),
        ('<rect id="a" systemLanguage=""/>', set()),
        ('<rect id="a" requiredExtensions="http://www.w3.org/1999/xhtml"/>', {"a"}),
    ],
)
def test_switch(content: str, chosen: set[str]) -> None:
    found = places(f"<switch>{content}</switch>")
    assert {name for name, place in found.items() if place is Place.RENDERED} == chosen


def test_conditions_hold_outside_a_switch_too() -> None:
    assert places('<g id="g" systemLanguage="fr"><rect id="r"/></g>') == {"g": Place.NEVER, "r": Place.NEVER}


def test_html_inside_a_foreign_object() -> None:
    body = '<foreignObject id="f"><div xmlns="http://www.w3.org/1999/xhtml" id="d"/></foreignObject>'
    assert places(body) == {"f": Place.RENDERED, "d": Place.FOREIGN}


def test_the_scene_is_the_svg_that_paints_most() -> None:
    icon = '<svg xmlns="http://www.w3.org/2000/svg" id="icon" viewBox="0 0 9000 9000"><path/><path/></svg>'
    sprites = (
        '<svg xmlns="http://www.w3.org/2000/svg" id="sprites"><symbol id="s">' + "<path/>" * 50 + "</symbol></svg>"
    )
    scene = '<svg xmlns="http://www.w3.org/2000/svg" id="scene"><use href="#s"/></svg>'
    found = find_scene(document(icon + sprites + f"<main>{scene}</main>"))
    assert found is not None
    assert found.get("id") == "scene"
    assert find_scene(document("<p/>")) is None
    with pytest.raises(ValueError, match="no svg"):
        build_scene(document("<p/>"))


@pytest.mark.parametrize("text", [None, "", "0 0 1", "0 0 1 1 1", "0 0 -1 1", "0 0 1 x", "0,,0 1 1"])
def test_no_view_box(text: str | None) -> None:
    assert graph.parse_view_box(text) is None


def test_view_box() -> None:
    assert graph.parse_view_box(" -1,2 3e1\n4 ") == ViewBox(-1, 2, 30, 4)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (None, AspectRatio()),
        ("xMinYMax slice", AspectRatio(0, 1, "slice")),
        (" xMaxYMid ", AspectRatio(1, 0.5)),
        ("none", AspectRatio(0, 0, "none")),
        ("none slice", AspectRatio(0, 0, "none")),
        ("xMaxYMid foo", AspectRatio()),
        ("xmaxymid", AspectRatio()),
    ],
)
def test_aspect_ratio(text: str | None, expected: AspectRatio) -> None:
    assert graph.parse_aspect_ratio(text) == expected


def test_fit() -> None:
    box = ViewBox(10, 0, 100, 100)
    assert fit(box, AspectRatio(), 200, 100) == (1, 0, 0, 1, 40, 0)
    assert fit(box, AspectRatio(1, 1, "slice"), 200, 100) == (2, 0, 0, 2, -20, -100)
    assert fit(box, AspectRatio(fit="none"), 200, 100) == (2, 0, 0, 1, -20, 0)
    for nothing in (
        fit(None, AspectRatio(), 1, 1),
        fit(ViewBox(0, 0, 0, 5), AspectRatio(), 1, 1),
        fit(box, AspectRatio(), 0, 9),
    ):
        assert nothing == (1, 0, 0, 1, 0, 0)
