"""What reaches a ``<use>`` clone: rules that match inside it, and inheritance through the ``<use>``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.style.chromium_styles import styled_snapshot

if TYPE_CHECKING:
    from collections.abc import Callable

    from lxml.etree import _Element
    from playwright.sync_api import Page

    from husky_lint.style.computed import StyledDocument

_GROUP = (
    '<g class="out"><g id="a" class="a"><rect class="r" width="50" height="50"/></g></g>'
    '<use class="u" href="#a" x="200"/>'
)
_SECOND = _GROUP.replace('<g class="out">', '<g class="out"><path/>')
_DIRECT = '<rect id="a" class="r" width="50" height="50"/><use href="#a" x="200"/>'
_NESTED = (
    '<defs><rect id="q" class="r" width="50" height="50"/></defs>'
    '<g id="a" class="a"><use class="in" href="#q"/></g><use class="u" href="#a" x="200"/>'
)

CASES = [
    (":root[data-theme=night] .r{fill:red}", _GROUP),
    ("html .r{fill:red}", _GROUP),
    (".out .r{fill:red}", _GROUP),
    (".a{fill:red}", _GROUP),
    ("#a > .r{fill:red}", _GROUP),
    ("* .a{fill:red}", _GROUP),
    (".out{fill:red}", _GROUP),
    (".u{fill:red}", _GROUP),
    (".u .r{fill:red}", _GROUP),
    (".r:not(.out *){fill:red}", _GROUP),
    (".a:has(.r){fill:red}", _GROUP),
    (".out .r{fill:blue!important}.r{fill:red}", _GROUP),
    ("html{--c:red}.r{fill:var(--c)}", _GROUP),
    (".out{--c:red}.r{fill:var(--c,lime)}", _GROUP),
    (".u{--c:red}.r{fill:var(--c,lime)}", _GROUP),
    ("@scope (.out){.r{fill:red}}", _GROUP),
    ("@scope (.a){.r{fill:red}}", _GROUP),
    ("html{&[data-theme=night] .r{fill:red}}", _GROUP),
    (".a:first-child{fill:red}", _GROUP),
    (".a:only-child{fill:red}", _SECOND),
    (".a:nth-child(2){fill:red}", _SECOND),
    ("path + .a{fill:red}", _SECOND),
    (":root.r{fill:blue}.r{fill:red}", _DIRECT),
    ("body .r{fill:red}", _DIRECT),
    (".r:empty{fill:red}", _DIRECT),
    ("use{fill:red}", _DIRECT),
    (".in{fill:red}", _NESTED),
    (".a .in{fill:red}", _NESTED),
    (".in .r{fill:red}", _NESTED),
    (".a .r{fill:red}", _NESTED),
    (".u{fill:red}.a .in{fill:inherit}", _NESTED),
    ("@media (width>1px){@layer x{.r{fill:red}}}.out .r{fill:lime}", _GROUP),
]


def _page(css: str, svg: str) -> str:
    return (
        f'<!doctype html><html data-theme="night"><head><style>body{{margin:0}}{css}</style></head>'
        f'<body><svg width="400" height="100" viewBox="0 0 400 100">{svg}</svg></body></html>'
    )


def _static(css: str, svg: str) -> tuple[str, str]:
    """The fill of the original rect and of the one in the clone at x = 200."""
    styled = styled_snapshot(_page(css, svg))
    original, chain = _original_and_chain(styled)
    return styled.computed(original).text("fill"), styled.clone_computed(chain, original).text("fill")


def _original_and_chain(styled: StyledDocument) -> tuple[_Element, list[_Element]]:
    elements = [style.element for style in styled]
    rect = next(e for e in elements if e.tag.endswith("}rect"))
    outer = next(e for e in elements if e.tag.endswith("}use") and e.get("x") == "200")
    inner = [e for e in elements if e.tag.endswith("}use") and e is not outer]
    return rect, [outer, *inner]


def _nested_original(css: str) -> str:
    """In the nested case what is painted at the left is itself a clone."""
    styled = styled_snapshot(_page(css, _NESTED))
    rect, chain = _original_and_chain(styled)
    return styled.clone_computed(chain[1:], rect).text("fill")


_PIXELS = """async ([data, points]) => {
  const image = new Image(); image.src = 'data:image/png;base64,' + data; await image.decode();
  const canvas = document.createElement('canvas'); canvas.width = image.width; canvas.height = image.height;
  const context = canvas.getContext('2d'); context.drawImage(image, 0, 0);
  return points.map(([x, y]) => 'rgb(' + [...context.getImageData(x, y, 1, 1).data].slice(0, 3).join(', ') + ')');
}"""


@pytest.mark.browser
def test_clones_are_painted_as_computed(page: Callable[..., Page]) -> None:
    import base64

    opened = page(viewport={"width": 400, "height": 100})
    wrong = []
    for css, svg in CASES:
        opened.set_content(_page(css, svg))
        data = base64.b64encode(opened.screenshot()).decode()
        painted = tuple(opened.evaluate(_PIXELS, [data, [[10, 10], [210, 10]]]))
        original, clone = _static(css, svg)
        computed = (_nested_original(css) if svg is _NESTED else original, clone)
        if painted != computed:
            wrong.append((css, painted, computed))
    assert not wrong


def test_a_chain_that_leads_nowhere() -> None:
    styled = styled_snapshot(_page("", _GROUP + '<use id="lost" href="#nothing"/><use id="plain"/><circle/>'))
    elements = {style.element.get("id"): style.element for style in styled}
    rect, _ = _original_and_chain(styled)
    for lost in ("lost", "plain"):
        with pytest.raises(KeyError):
            styled.clone_computed([elements[lost]], rect)
    circle = next(style.element for style in styled if style.node.name == "circle")
    with pytest.raises(KeyError):
        styled.clone_computed([next(s.element for s in styled if s.node.classes == {"u"})], circle)
