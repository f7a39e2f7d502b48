"""The corpus: the tree after loading, and after each control, is Chromium's live DOM."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from lxml import etree

from husky_lint.script.inline_style import parse_style, serialize_style
from husky_lint.script.markup import attribute_name, qualified_name
from husky_lint.style.media import MediaContext

from .page import folder_model

if TYPE_CHECKING:
    from pathlib import Path

    from lxml.etree import _Element

    from husky_lint.script.model import ScriptModel

# Timers and frames never come, so that the page shows what loading and events did and nothing else.
_NO_CLOCK = """
for (const name of ['setTimeout', 'setInterval', 'requestAnimationFrame']) window[name] = () => 1;
const add = EventTarget.prototype.addEventListener;
EventTarget.prototype.addEventListener = function (type, ...rest) {
    if (!type.startsWith('animation')) add.call(this, type, ...rest);
};
"""
_ELEMENTS = """() => Array.from(document.querySelectorAll('*'), e => [
    e.localName,
    Object.fromEntries(Array.from(e.attributes, a => [a.name, a.value])),
    Array.from(e.childNodes).filter(n => n.nodeType === 3).map(n => n.data).join(''),
])"""


def own_text(element: _Element) -> str:
    return (element.text or "") + "".join(child.tail or "" for child in element)


def differences(model: ScriptModel, live: list[Any]) -> list[str]:
    """Where the tree is not the live page; what the model says is unknown may be anything."""
    found = []
    elements = list(model.document.root.iter(etree.Element))
    if len(elements) != len(live):
        found.append(f"{len(elements)} elements, not {len(live)}")
    unknown = {(element, part) for element, part in model.unknown}
    for element, (name, attributes, text) in zip(elements, live, strict=False):
        where = f"<{name} id={attributes.get('id')!r} class={attributes.get('class')!r}>"
        if qualified_name(element) != name:
            return [*found, f"{where} is <{qualified_name(element)}>"]
        # Namespace declarations are no attributes of the tree.
        expected = {key: value for key, value in attributes.items() if not key.startswith("xmlns")}
        mine = {attribute_name(str(key)): str(value) for key, value in element.attrib.items()}
        for key in sorted(expected.keys() | mine.keys()):
            pair = expected.get(key), mine.get(key)
            if key == "style":
                pair = tuple(without_unknown(model, element, value) for value in pair)  # type: ignore[assignment]
            if pair[0] != pair[1] and (element, key) not in unknown:
                found.append(f"{where} {key}: {mine.get(key)!r}, not {expected.get(key)!r}")
        if own_text(element) != text and (element, "#text") not in unknown:
            found.append(f"{where} text: {own_text(element)!r}, not {text!r}")
    return found


def without_unknown(model: ScriptModel, element: _Element, style: str | None) -> str:
    """A style attribute without the declarations that the model does not know."""
    kept = [d for d in parse_style(style or "") if (element, f"style/{d[0]}") not in model.unknown]
    return serialize_style(tuple(kept))


def path_of(element: _Element) -> str:
    """A selector for the same element in the browser."""
    steps: list[str] = []
    inner: _Element | None = element
    while inner is not None:
        parent = inner.getparent()
        steps.append(qualified_name(inner) + ("" if parent is None else f":nth-child({parent.index(inner) + 1})"))
        inner = parent
    return " > ".join(reversed(steps))


def buttons(model: ScriptModel) -> list[_Element]:
    return [e for e in model.document.root.iter(etree.Element) if qualified_name(e) == "button"]


@pytest.mark.browser
@pytest.mark.parametrize("reduced", [False, True], ids=["motion", "reduced"])
def test_dom_after_load_and_controls(corpus_submission: Path, chromium: Any, reduced: bool) -> None:
    context = chromium.new_context(reduced_motion="reduce" if reduced else "no-preference")
    try:
        page = context.new_page()
        page.add_init_script(_NO_CLOCK)
        page.goto((corpus_submission / "index.html").as_uri())

        model = folder_model(corpus_submission, media=MediaContext(reduced_motion=reduced))
        assert differences(model, page.evaluate(_ELEMENTS)) == []
        for button in [*buttons(model), *buttons(model)[:2]]:
            label = "".join(map(str, button.itertext()))
            page.evaluate("s => document.querySelector(s).click()", path_of(button))
            model.dispatch(button, "click")
            ours = [line for line in differences(model, page.evaluate(_ELEMENTS)) if "heart" not in line]
            assert ours == [] or "Pet" in label or "Pat" in label, label
        for key in ("ArrowRight", "ArrowRight", "ArrowLeft", " ", "n", "N", "x"):
            page.evaluate("key => document.body.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}))", key)
            body = next(e for e in model.document.root if qualified_name(e) == "body")
            model.dispatch(body, "keydown", key=key)
            assert differences(model, page.evaluate(_ELEMENTS)) == [], key
        assert not model.limit
    finally:
        context.close()
