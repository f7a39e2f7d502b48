"""The means by which variants are made: edits that must find their place, nested rules, path data."""

from __future__ import annotations

import pytest

from scripts.variants import css
from scripts.variants.edits import EditError, cut, edited
from scripts.variants.joints import shifted

SHEET = """\
/* a palette */
:root { --a: 1px; &[data-theme="night"] { --a: 2px; } }
.leg, .dot { fill: red; & .paw, &.far { fill: blue; } }
@media (width < 400px) { body { & p { margin: 0; } } }
@keyframes nod { 0%, 100% { rotate: 0deg; } 50% { rotate: 1deg; } }
"""
FLAT = """\
:root { --a: 1px; }
:root[data-theme="night"] { --a: 2px; }
.leg, .dot { fill: red; }
.leg .paw, .dot .paw, .leg.far, .dot.far { fill: blue; }
@media (width < 400px) {
  body p { margin: 0; }
}
@keyframes nod {
  0%, 100% { rotate: 0deg; }
  50% { rotate: 1deg; }
}
"""


def test_nested_rules_without_nesting() -> None:
    assert css.write(css.flatten(css.parse(SHEET))) == FLAT
    assert css.write(css.parse(FLAT)) == FLAT


def test_path_data_moved() -> None:
    path = "M10 20 l5 5 H30 V-4 C1 2 3 4 5 6 A9 8 0 0 1 50 60 q1 1 2 2 Z"
    assert shifted(path, 10, -1) == "M20 19 l5 5 H40 V-5 C11 1 13 3 15 5 A9 8 0 0 1 60 59 q1 1 2 2 Z"
    with pytest.raises(EditError):
        shifted("M0 0 T5 5", 1, 1)


def test_edits_that_do_not_find_their_place() -> None:
    files = {"a.css": b"one two two"}
    assert edited(files, "a.css", ("one", "1"), ("1 two", "x")) == {"a.css": b"x two"}
    for old in ("two", "three"):
        with pytest.raises(EditError):
            edited(files, "a.css", (old, ""))
    assert cut(files, "a.css", "one", "two") == ({"a.css": b" two"}, "one two")
    with pytest.raises(EditError):
        cut(files, "a.css", "one", "three")
