"""Writing SVG: elements whose text is escaped and whose numbers are finite and short.

For pictures that husky-lint draws. Whatever comes from a submission passes through here, so nothing of it can become
markup, and no number can become ``nan``.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from lxml import etree

from husky_lint.report.printable import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lxml.etree import _Element

    Point = tuple[float, float]

NAMESPACE: Final = "http://www.w3.org/2000/svg"
_DEFAULT: Final[dict[Any, str]] = {None: NAMESPACE}
_FARTHEST: Final = 1e5


def number(value: float, digits: int = 1) -> str:
    """A number as short as it can be written; what is not finite, or absurdly far away, is cut to ±100,000."""
    if math.isnan(value):
        return "0"
    text = f"{max(-_FARTHEST, min(_FARTHEST, value)):.{digits}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def element(name: str, *children: _Element | str, **attributes: str | float | None) -> _Element:
    """An SVG element. ``stroke_width=2`` becomes ``stroke-width="2"``, ``class_`` ``class``; None is left out."""
    made = etree.Element(f"{{{NAMESPACE}}}{name}", nsmap=_DEFAULT)
    for key, value in attributes.items():
        if value is not None:
            text = printable(value) if isinstance(value, str) else number(value)
            made.set(key.rstrip("_").replace("_", "-"), text)
    for child in children:
        if isinstance(child, str):
            if len(made):
                made[-1].tail = (made[-1].tail or "") + printable(child)
            else:
                made.text = (made.text or "") + printable(child)
        else:
            made.append(child)
    return made


def polyline_data(lines: Iterable[Iterable[Point]], *, closed: bool = False) -> str:
    """The ``d`` of lines through points; points that are not finite are left out, and lines of fewer than two."""
    pieces = []
    for line in lines:
        known = [(x, y) for x, y in line if math.isfinite(x) and math.isfinite(y)]
        if len(known) > 1:
            joined = "L".join(f"{number(x)} {number(y)}" for x, y in known)
            pieces.append(f"M{joined}{'Z' if closed else ''}")
    return "".join(pieces)


def matrix_attribute(row: Sequence[float]) -> str | None:
    """``matrix(a b c d e f)``; None for a matrix that is not known."""
    if not all(map(math.isfinite, row)):
        return None
    return f"matrix({' '.join(number(value, 4 if place < 4 else 2) for place, value in enumerate(row))})"


def document(width: float, height: float, style: str, label: str, children: Iterable[_Element]) -> str:
    """A whole SVG document of so many pixels, which is its view box too. ``label`` says what it shows."""
    rules = element("style")
    rules.text = style  # the picture's own, on as many lines as it likes
    root = element(
        "svg",
        rules,
        *children,
        viewBox=f"0 0 {number(width)} {number(height)}",
        width=width,
        height=height,
        role="img",
        aria_label=label,
    )
    text: str = etree.tostring(root, encoding="unicode")
    return text + "\n"
