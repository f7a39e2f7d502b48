"""The source's tree follows a live page, and comes back."""

from __future__ import annotations

from lxml import etree

from husky_lint.browser.likeness import Likeness
from husky_lint.browser.stage import LiveElement
from husky_lint.parse.html import parse_html
from husky_lint.script.journal import RemoveNode, undo_all
from husky_lint.source import SourceText

SOURCE = "<!doctype html><html lang=en><head><title>t</title></head><body class=a><p id=x>one</p><p id=y>two</p></body>"
XHTML = "{http://www.w3.org/1999/xhtml}"


def tree(text: str = SOURCE) -> etree._Element:
    return parse_html(SourceText("index.html", text)).root


def live(root: etree._Element) -> list[LiveElement]:
    """A tree as a browser would show it."""
    places: dict[etree._Element, int] = {}
    found: list[LiveElement] = []
    for number, element in enumerate(root.iter("*")):
        places[element] = number
        above = element.getparent()
        texts = (element.text or "", *(child.tail or "" for child in element))
        attributes = {str(name): str(value) for name, value in element.attrib.items()}
        found.append(LiveElement(number, -1 if above is None else places[above], str(element.tag), attributes, texts))
    return found


def text(root: etree._Element) -> str:
    return etree.tostring(root, encoding="unicode")


def test_a_page_as_the_source_says_needs_nothing() -> None:
    root = tree()
    changes, numbers = Likeness().follow(root, live(tree()))
    assert changes == ()
    assert [numbers[element] for element in root.iter("*")] == list(range(6))


def test_what_script_did_is_followed_and_undone() -> None:
    root, shown = tree(), tree()
    before = text(root)
    body = shown.find(f"{XHTML}body")
    assert body is not None
    body.set("class", "b")
    del body.getparent().attrib["lang"]  # type: ignore[union-attr]
    first, second = body
    first.text = "1"
    body.remove(second)
    added = etree.SubElement(body, f"{XHTML}button", id="start")
    added.text = "Start"
    etree.SubElement(added, "{http://www.w3.org/2000/svg}svg", viewBox="0 0 1 1")
    changes, numbers = Likeness().follow(root, live(shown))
    assert text(root) == text(shown)
    assert len(numbers) == len(list(shown.iter("*")))
    undo_all(changes)
    assert text(root) == before


def test_what_the_page_adds_is_the_same_element_each_time() -> None:
    root, shown = tree(), tree()
    etree.SubElement(shown, f"{XHTML}aside")
    likeness = Likeness()
    made = []
    for _ in range(2):
        changes, _ = likeness.follow(root, live(shown))
        made.append(root[-1])
        undo_all(changes)
    assert made[0] is made[1]


def test_an_element_that_script_was_taken_to_remove_is_itself_again() -> None:
    root = tree()
    paragraph = root[1][0]
    told = RemoveNode.of(paragraph)
    told.apply()
    changes, numbers = Likeness().follow(root, live(tree()), [told])
    assert root[1][0] is paragraph
    assert paragraph in numbers
    undo_all([told, *changes])
    assert text(root) == text(tree())


def test_siblings_are_told_apart_by_what_they_are() -> None:
    root, shown = tree(), tree()
    new = etree.Element(f"{XHTML}p", id="new")
    shown[1].insert(0, new)
    kept = list(root[1])
    Likeness().follow(root, live(shown))
    assert list(root[1])[1:] == kept


def test_names_that_xml_cannot_hold_are_left_out() -> None:
    root = tree()
    shown = live(tree())
    shown[0] = LiveElement(0, -1, shown[0].tag, {"lang": "en", "@click": "go", "xmlns": "x", "a\x00b": "c"}, ())
    changes, _ = Likeness().follow(root, shown)
    assert dict(root.attrib.items()) == {"lang": "en"}
    undo_all(changes)
