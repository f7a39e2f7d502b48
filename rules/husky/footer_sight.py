"""Whether text can be seen in a state: every way in which a style hides it, on it or on what is around it."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from husky_lint.scene.graph import local_name
from husky_lint.style.colors import WHITE, Color, contrast
from husky_lint.style.words import words

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from lxml.etree import _Element

    from husky_lint.source import Span
    from husky_lint.style.computed import ComputedStyle, StyledDocument

HIDING: Final = words(
    """
    display visibility opacity content-visibility transform scale translate clip clip-path filter mask-image height
    max-height width max-width overflow-x overflow-y overflow position left top right bottom font-size color
    background-color background-image text-indent animation-name -webkit-text-fill-color
    """
)
"""The properties that are looked at."""

LEAST_CONTRAST: Final = 1.2
"""Text with less contrast to what is behind it is not seen (chosen; 1 is the same colour)."""
_LEAST_SIZE: Final = 2.0
_VEIL: Final = 0.5
"""Opacity from which on a box hides what is behind it."""
_LONG_AFTER: Final = 1e6
_AWAY: Final = 900.0
_FIXED_AWAY: Final = 200.0
_NOTHING_LEFT = re.compile(
    r"(?:inset\(\s*(?:[5-9]\d|100)(?:\.\d+)?%\s*\)|inset\(\s*100%|circle\(\s*0(?:px|%)?[\s)]|ellipse\(\s*0)",
    re.IGNORECASE,
)
_TRANSPARENT_FILTER = re.compile(r"opacity\(\s*(?:0?\.0\d*|0|0?\.?0*%|[0-4](?:\.\d+)?%)\s*\)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Hidden:
    """Why something is not seen, and where that is declared."""

    reason: str
    span: Span | None


class Sight:
    """Answers whether text is seen, once for each way in which its elements are styled."""

    def __init__(self, least_opacity: float) -> None:
        self._least_opacity = least_opacity
        self._known: dict[tuple[object, ...], Hidden | None] = {}
        self._kept: list[ComputedStyle] = []

    def why_hidden(self, styled: StyledDocument, element: _Element) -> Hidden | None:
        """Why the text of an element cannot be seen in a state; None where nothing hides it."""
        if element not in styled:
            return Hidden("it is not on the page", None)
        chain = [element, *(above for above in element.iterancestors() if above in styled)]
        styles = [styled.computed(above) for above in chain]
        opened = tuple(above.get("open") for above in chain if str(above.tag).endswith("}details"))
        key = (element, styled.state.media.width, opened, *map(id, styles))
        if key not in self._known:
            self._kept.extend(styles)  # so that the identities in the key stay taken
            self._known[key] = next(_reasons(styled, element, self._least_opacity), None)
        return self._known[key]


def may_be_covered(styled: StyledDocument, elements: Iterable[_Element], own: Container[_Element]) -> _Element | None:
    """An element of the page that is taken out of the flow and painted, so that it may lie over what is in the flow.

    How large it is and where only a layout shows. ``own`` is what does not count: the text itself, what is around it.
    """
    for element in elements:
        if element in own or element not in styled or any(local_name(up) == "svg" for up in element.iterancestors()):
            continue
        style = styled.computed(element)
        position = style.keyword("position")
        if position == "absolute" and any(
            up in styled and styled.computed(up).keyword("position") not in (None, "static")
            for up in element.iterancestors()
            if not str(up.tag).endswith(("}body", "}html"))
        ):
            continue  # it stays about what it is placed in
        if position in ("fixed", "absolute") and _paints(style) and _number(style, "z-index") >= 0:
            shown = (one for one in (element, *element.iterancestors()) if one in styled)
            if all(styled.computed(one).keyword("display") != "none" for one in shown):
                return element
    return None


def _paints(style: ComputedStyle) -> bool:
    color = style.color("background-color")
    return style.keyword("background-image") != "none" or color is None or color.alpha > _VEIL


def _reasons(styled: StyledDocument, element: _Element, least_opacity: float) -> Iterator[Hidden]:
    own = styled.computed(element)
    if own.keyword("visibility") in ("hidden", "collapse"):
        yield _declared(own, "visibility", f"visibility: {own.keyword('visibility')}")
    size = own.font_size
    if size < _LEAST_SIZE:
        yield _declared(own, "font-size", f"its font is {size:g}px")
    opacity = 1.0
    chain = [element, *(above for above in element.iterancestors() if above in styled)]
    inner: _Element | None = None
    for current in chain:
        style = styled.computed(current)
        yield from _of_box(styled, style, current, inner)
        opacity *= _number(style, "opacity")
        yield from _left_by_animation(styled, style, current, least_opacity)
        if opacity < least_opacity:
            yield _declared(style, "opacity", f"its opacity is {opacity:g}")
            return
        inner = current
    yield from _ink(styled, own, chain)


def _declared(style: ComputedStyle, name: str, reason: str) -> Hidden:
    declaration = style.declaration(name)
    return Hidden(reason, declaration.span if declaration is not None else None)


def _number(style: ComputedStyle, name: str) -> float:
    number = style.number(name)
    return 1.0 if number is None else number


def _length(style: ComputedStyle, name: str, reference: float) -> float | None:
    return None if style.keyword(name) is not None else style.length(name, reference)


def _text_of(style: ComputedStyle, name: str) -> str:
    from husky_lint.style.values import serialize

    return serialize(style.value(name))


def _of_box(
    styled: StyledDocument, style: ComputedStyle, element: _Element, inner: _Element | None
) -> Iterator[Hidden]:
    """What one element on the way up does to what is in it."""
    media = styled.state.media
    name = str(element.tag).rpartition("}")[2]
    if style.keyword("display") == "none":
        yield _declared(style, "display", f"display: none on <{name}>")
    if style.keyword("content-visibility") == "hidden":
        yield _declared(style, "content-visibility", f"content-visibility: hidden on <{name}>")
    closed = name == "details" and element.get("open") is None
    if closed and inner is not None and not str(inner.tag).endswith("}summary"):
        yield Hidden("it lies in a closed <details>", None)
    if style.keyword("display") in ("inline", "contents"):
        return
    yield from _moved_away(style, name, media.width, media.height)
    clips = {style.keyword("overflow-x"), style.keyword("overflow-y")} & {"hidden", "clip"}
    if clips:
        for side in ("height", "max-height", "width", "max-width"):
            length = _length(style, side, media.width)
            if length is not None and length <= _LEAST_SIZE:
                yield _declared(style, side, f"{side}: {length:g}px with overflow hidden on <{name}>")
    if (clip := _text_of(style, "clip-path")) != "none" and _NOTHING_LEFT.search(clip):
        yield _declared(style, "clip-path", f"clip-path: {clip} on <{name}>")
    if style.keyword("position") in ("absolute", "fixed") and "rect(" in _text_of(style, "clip"):
        numbers = [float(n) for n in re.findall(r"-?\d*\.?\d+", _text_of(style, "clip"))]
        if len(numbers) == 4 and (numbers[2] - numbers[0] <= 2 or numbers[1] - numbers[3] <= 2):
            yield _declared(style, "clip", f"clip: {_text_of(style, 'clip')} on <{name}>")
    if _TRANSPARENT_FILTER.search(_text_of(style, "filter")):
        yield _declared(style, "filter", f"filter: {_text_of(style, 'filter')} on <{name}>")


def _left_by_animation(
    styled: StyledDocument, style: ComputedStyle, element: _Element, least_opacity: float
) -> Iterator[Hidden]:
    """What an animation that has ended leaves."""
    from husky_lint.animation.properties import animate_property
    from husky_lint.animation.unknown import Unknown
    from husky_lint.scene.animated import KeyframesReader

    if style.cascade.is_silent_on("animation-name"):
        return
    animations = KeyframesReader().animations(style, styled)
    if isinstance(animations, Unknown):
        return
    name = str(element.tag).rpartition("}")[2]
    for prop in ("opacity", "visibility", "display"):
        ending = [(spec, frames) for spec, frames in animations.get(prop, ()) if math.isfinite(spec.iteration_count)]
        track = animate_property(prop, ending, style.value(prop)) if ending else None
        if track is None or isinstance(track, Unknown):
            continue
        series = track.evaluate(np.array([_LONG_AFTER]))
        for _, value in getattr(series, "pieces", ()):
            gone = value.form in ("hidden", "collapse", "none")
            if prop == "opacity" and value.form == "number" and np.size(value.numbers):
                gone = float(np.reshape(value.numbers, -1)[0]) < least_opacity
            if gone:
                yield _declared(style, "animation-name", f"an animation leaves <{name}> with {prop} at its end")


def _moved_away(style: ComputedStyle, name: str, width: float, height: float) -> Iterator[Hidden]:
    from husky_lint.animation.transforms import parse_transform

    position = style.keyword("position")
    if position in ("absolute", "fixed", "relative"):
        for side, reference in (("left", width), ("right", width), ("top", height), ("bottom", height)):
            length = _length(style, side, reference)
            away = _AWAY if side in ("top", "bottom") else width * 0.95
            fixed = position == "fixed" and (length or 0.0) <= -_FIXED_AWAY
            if length is not None and (length <= -away or fixed or (position == "fixed" and length >= reference)):
                yield _declared(style, side, f"{side}: {length:g}px moves <{name}> off the screen")
    indent = _length(style, "text-indent", width)
    if indent is not None and indent <= -width * 0.75:
        yield _declared(style, "text-indent", f"text-indent: {indent:g}px moves the text off the screen")
    moves = style.keyword("transform") != "none"
    transform = parse_transform(style.value("transform"), style.units) if moves else None
    if transform is not None and transform.functions:
        matrix = np.reshape(transform.matrix_3d(width, height * 0.2), (-1, 4, 4))[0]
        (a, c), (b, d), (e, f) = matrix[0, :2], matrix[1, :2], matrix[:2, 3]
        if abs(a * d - b * c) < 1e-4:
            yield _declared(style, "transform", f"the transform of <{name}> leaves nothing of it")
        elif e <= -width * 0.95 or f <= -10 * _AWAY:
            yield _declared(style, "transform", f"the transform moves <{name}> off the screen")
    scale = style.number("scale")
    if scale is not None and abs(scale) < 1e-3:
        yield _declared(style, "scale", f"scale: {scale:g} on <{name}>")


def _ink(styled: StyledDocument, own: ComputedStyle, chain: list[_Element]) -> Iterator[Hidden]:
    """Text in the colour of what is behind it."""
    name = "-webkit-text-fill-color" if own.declaration("-webkit-text-fill-color") is not None else "color"
    ink = own.color(name) or own.color("color")
    if ink is None:
        return
    if ink.alpha < 0.05:
        yield _declared(own, name, "its text is transparent")
        return
    behind = _behind(styled, chain)
    if behind is None:
        return
    seen = _over(ink, behind)
    ratio = contrast(seen, behind)
    if ratio < LEAST_CONTRAST:
        yield _declared(own, name, f"its text has a contrast of {ratio:.2f} to what is behind it")


def _behind(styled: StyledDocument, chain: list[_Element]) -> Color | None:
    """The colour behind text; None where an image or gradient lies there."""
    layers: list[Color] = []
    for element in chain:
        style = styled.computed(element)
        if style.keyword("background-image") != "none":
            return None
        color = style.color("background-color")
        if color is None:
            return None
        layers.append(color)
        if color.alpha >= 0.999:
            break
    else:
        dark = styled.computed(chain[-1]).scheme == "dark"
        layers.append(Color(0.07, 0.07, 0.07) if dark else WHITE)
    behind = layers.pop()
    for color in reversed(layers):
        behind = _over(color, behind)
    return behind


def _over(top: Color, below: Color) -> Color:
    rest = 1.0 - top.alpha
    return Color(
        top.red * top.alpha + below.red * rest,
        top.green * top.alpha + below.green * rest,
        top.blue * top.alpha + below.blue * rest,
    )
