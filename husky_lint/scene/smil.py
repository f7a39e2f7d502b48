"""SVG animation elements of a scene: which attribute of which element they animate, and the values over times."""

from __future__ import annotations

import copy
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from husky_lint.animation import offset, smil
from husky_lint.animation.transforms import TransformList, parse_transform_attribute
from husky_lint.animation.unknown import Unknown
from husky_lint.animation.vectors import Series, Vector
from husky_lint.scene import geometry
from husky_lint.scene.graph import XLINK_HREF, SceneGraph, local_name
from husky_lint.scene.paths import parse_path
from husky_lint.script.journal import SetAttribute

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from lxml.etree import _Element
    from numpy.typing import NDArray

    from husky_lint.script.journal import Mutation
    from husky_lint.style.values import Resolution

    FloatArray = NDArray[np.float64]

_NAMES: Final = frozenset({"animate", "set", "animateTransform", "animateMotion"})
MOTION: Final = "motion"
"""Stands for the attribute that ``animateMotion`` animates."""

Elements = dict[str, list["_Element"]]


def animation_elements(scene: SceneGraph) -> Mapping[_Element, Mapping[str, Sequence[_Element]]]:
    """The animation elements of a scene's document, by the element and the attribute that they animate, in order."""
    known: Mapping[_Element, Elements] | None = scene.kept.get("animation elements")
    if known is None:
        known = scene.kept["animation elements"] = _build_index(scene)
    return known


def _build_index(scene: SceneGraph) -> dict[_Element, Elements]:
    root = scene.root.element.getroottree().getroot()
    found: defaultdict[_Element, Elements] = defaultdict(dict)
    by_id: dict[str, _Element] | None = None
    for animation in root.iter(*("{*}" + name for name in _NAMES)):
        name = local_name(animation)
        if not name:
            continue
        href = animation.get("href", animation.get(XLINK_HREF))
        target = animation.getparent()
        if href is not None:
            if by_id is None:
                by_id = {}
                for element in root.iter("*"):
                    by_id.setdefault(element.get("id") or "", element)
            target = by_id.get(href.strip().removeprefix("#"))
        if target is None:
            continue
        attribute = MOTION if name == "animateMotion" else (animation.get("attributeName") or "").strip()
        if name == "animateTransform" and attribute != "transform":
            continue
        if attribute == "transform" and name != "animateTransform":
            continue
        found[target].setdefault(attribute, []).append(animation)
    return dict(found)


def animation_elements_in(
    scene: SceneGraph, mutations: Sequence[Mutation]
) -> Mapping[_Element, Mapping[str, Sequence[_Element]]]:
    """As :func:`animation_elements`, with copies that have what the mutations of a state write to them."""
    index = animation_elements(scene)
    written: dict[_Element, dict[str, str | None]] = {}
    for mutation in mutations:
        if isinstance(mutation, SetAttribute) and local_name(mutation.element) in _NAMES:
            written.setdefault(mutation.element, {})[mutation.name] = mutation.value
    if not written:
        return index
    return {
        target: {name: [_copy(one, written.get(one, {})) for one in elements] for name, elements in animated.items()}
        for target, animated in index.items()
    }


def _copy(element: _Element, written: Mapping[str, str | None]) -> _Element:
    if not written:
        return element
    made = copy.deepcopy(element)
    for name, value in written.items():
        if value is None:
            made.attrib.pop(name, "")
        else:
            made.set(name, value)
    return made


def _attributes(element: _Element) -> dict[str, str]:
    return {str(name): str(value) for name, value in element.attrib.items()}


@dataclass(frozen=True, slots=True)
class SmilTransform:
    """The ``transform`` attribute under its ``animateTransform`` elements."""

    animations: tuple[smil.SmilAnimation, ...]
    base: TransformList
    unknown: Unknown | None = None

    def evaluate(self, times: FloatArray, width: object = 0.0, height: object = 0.0) -> FloatArray:
        """Matrices (T, 6); NaN where they cannot be told."""
        del width, height
        rows = smil.evaluate_transform(self.animations, self.base, times)
        return np.full((len(times), 6), np.nan) if isinstance(rows, Unknown) else rows


@dataclass(frozen=True, slots=True)
class SmilMotion:
    """The ``animateMotion`` elements of an element: a matrix outside its transform."""

    motions: tuple[smil.SmilMotion, ...]

    def evaluate(self, times: FloatArray) -> FloatArray:
        """Matrices (T, 6); NaN where they cannot be told."""
        rows = smil.evaluate_motion(self.motions, times)
        return np.full((len(times), 6), np.nan) if isinstance(rows, Unknown) else rows


def compile_transform(elements: Sequence[_Element], attribute: str | None) -> SmilTransform | Unknown | None:
    """The animated ``transform`` attribute; None where no element has an effect."""
    found: list[smil.SmilAnimation] = []
    for element in elements:
        animation = smil.parse_animate_transform(_attributes(element))
        if isinstance(animation, Unknown):
            return animation
        if animation is not None:
            found.append(animation)
    if not found:
        return None
    base = (parse_transform_attribute(attribute) if attribute else None) or TransformList()
    return SmilTransform(tuple(found), base)


def compile_motion(elements: Sequence[_Element], path_of: Callable[[str], str | None]) -> SmilMotion | Unknown | None:
    """The motion of an element; None where no element has an effect. ``path_of`` gives the path data by id."""
    found: list[smil.SmilMotion] = []
    for element in elements:
        data = None
        for child in element:
            if isinstance(child.tag, str) and local_name(child) == "mpath":
                href = child.get("href", child.get(XLINK_HREF, "")).strip()
                data = path_of(href.removeprefix("#"))
        motion = smil.parse_animate_motion(_attributes(element), data)
        if isinstance(motion, Unknown):
            return motion
        if motion is not None:
            found.append(motion)
    return SmilMotion(tuple(found)) if found else None


def _parse_length(resolution: Resolution) -> Callable[[str], Vector | None]:
    def parse(text: str) -> Vector | None:
        length = geometry.attribute_length(text.strip(), resolution)
        if length is None:
            return None
        return Vector.of("unsupported") if length.deferred else Vector.of("length", length.px, length.percent)

    return parse


def _parse_path(text: str) -> Vector | None:
    return offset.path_vector(parse_path(text))


def _parse_points(text: str) -> Vector | None:
    numbers = [number for point in geometry.parse_points(text) for number in point]
    return Vector(("points", len(numbers)), np.array(numbers))


def animated_attribute(
    elements: Sequence[_Element], attribute: str, base: str | Vector | None, resolution: Resolution, times: FloatArray
) -> Series | Unknown:
    """A geometry attribute over times: form ``length``, ``("path", …)`` or ``("points", n)``.

    ``base`` is the attribute as it is without animation, as text or as a value.
    """
    parse = {"d": _parse_path, "points": _parse_points}.get(attribute) or _parse_length(resolution)
    found: list[smil.SmilAnimation] = []
    for element in elements:
        reader = smil.parse_set if local_name(element) == "set" else smil.parse_animate
        animation = reader(_attributes(element), parse)
        if isinstance(animation, Unknown):
            return animation
        if animation is not None:
            found.append(animation)
    if not isinstance(base, Vector):
        base = parse(base or ("" if attribute in {"d", "points"} else "0")) or Vector.of("length", 0.0, 0.0)
    return smil.evaluate_attribute(found, base, times)
