"""Matches carried over to a tree in which script inserted and removed elements, against matches found anew."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from husky_lint.parse.html import parse_html
from husky_lint.script.journal import InsertNode, RemoveNode, SetAttribute, SetText, apply_all, undo_all
from husky_lint.source import SourceText
from husky_lint.style.computed import StyleEngine
from husky_lint.style.page_state import PageState

if TYPE_CHECKING:
    from lxml.etree import _Element

SELECTORS = """
g rect; g > rect; .a rect; .a > .b; #top rect; [data-x] .b; * rect; svg .b; body > p; p + svg; p ~ svg rect
.b + .b; .b ~ rect; rect:first-child; rect:last-child; rect:nth-child(2); rect:nth-last-child(2); g:only-child
:has(> .b); g:has(+ g); .b:not(:first-child); :is(.a, p) rect; rect:nth-of-type(2); svg:nth-child(2) .a
.a:not(.b ~ *) rect; :root g; g:last-of-type > rect; :nth-child(1 of .b); .a:has(rect) .b; button:enabled
p:lang(en) button; :where(.a .b)
""".replace("\n", ";")
STYLE = "".join(
    f"{selector.strip()} {{ --s{number}: 1 }}"
    for number, selector in enumerate(part for part in SELECTORS.split(";") if part.strip())
)
PAGE = f"""<!doctype html><html lang="en"><style>{STYLE} @scope (.a) {{ .b {{ --scoped: 1 }} }}</style><body id="top">
<p><button>x</button></p><svg data-x=""><defs><g id="shared" class="a"><rect class="b"/><rect/></g></defs>
<g class="a"><rect class="b"/><rect class="b"/><g/></g><g><g class="b"><rect/></g></g><use href="#shared"/></svg>"""


Change = InsertNode | RemoveNode | SetAttribute | SetText


def _values(engine: StyleEngine, state: PageState) -> list[tuple[str, ...]]:
    styled = engine.style(state)
    found = [tuple(sorted(style.scope.declared)) for style in styled]
    for use in engine.document.root.iter("{*}use"):
        shared = [e for e in engine.document.root.iter("*") if e.get("id") == "shared"]
        if shared and use in styled and shared[0] in styled:
            clones = (styled.clone_computed([use], element) for element in shared[0].iter("*"))
            found.extend(tuple(sorted(clone.cascade.customs)) for clone in clones)
    return found


def _change(root: _Element, chance: random.Random) -> Change:
    at = chance.choice(list(root.iter("{*}g", "{*}rect", "{*}p", "{*}svg", "{*}defs")))
    kind = chance.randrange(4)
    if kind == 0:
        namespace = at.tag.rpartition("}")[0] + "}"
        new = at.makeelement(namespace + chance.choice(("rect", "g")), {"class": chance.choice(("a", "b", "c"))})
        return InsertNode.of(at, new, chance.randint(0, len(at)))
    if kind == 1:
        return RemoveNode.of(at)
    if kind == 2:
        return SetText.of(at, "")
    return SetAttribute.of(at, "class", chance.choice(("a", "b", "")))


@pytest.mark.parametrize("seed", range(12))
def test_matches_in_a_changed_tree_are_those_found_anew(seed: int) -> None:
    chance = random.Random(seed)
    document = parse_html(SourceText("index.html", PAGE))
    engine = StyleEngine(document, [sheet for _, sheet in document.stylesheets])
    for _ in range(4):
        mutations: list[Change] = []
        for _ in range(chance.randint(1, 4)):
            mutations.append(_change(document.root, chance))
            mutations[-1].apply()
        undo_all(mutations)
        state = PageState("changed", mutations=tuple(mutations))
        engine.style(state)
        apply_all(mutations)
        anew = StyleEngine(document, [sheet for _, sheet in document.stylesheets])
        found, expected = _values(engine, state), _values(anew, PageState("anew"))
        undo_all(mutations)
        assert found == expected
