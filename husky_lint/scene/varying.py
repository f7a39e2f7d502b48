"""Placements that hang on animated custom properties: style is worked out anew for each value."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import tinycss2

from husky_lint.animation.properties import Context, animate_property, custom_text
from husky_lint.animation.unknown import UNSUPPORTED, Unknown
from husky_lint.animation.vectors import VectorTrack
from husky_lint.scene.animated import LONGHANDS
from husky_lint.scene.boxes import IDENTITY
from husky_lint.scene.placement import PLACING, Placement, compile_placement
from husky_lint.style.custom_properties import referenced_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from husky_lint.animation.vectors import Vector
    from husky_lint.scene.animated import Animations, KeyframesReader
    from husky_lint.style.computed import ComputedStyle, StyledDocument

    FloatArray = NDArray[np.float64]

Tracks = dict[str, VectorTrack]
"""Animated custom properties by name."""

MAX_VALUES: Final = 5_000
"""Different values in one evaluation; a placement with more is unknown."""


def custom_tracks(
    style: ComputedStyle, styled: StyledDocument, animations: Mapping[str, Animations], inherited: Tracks
) -> Tracks | Unknown:
    """The animated custom properties that an element has: those it inherits, and those that it animates itself."""
    own = [name for name in animations if name.startswith("--")]
    if not own and not inherited:
        return {}
    rules = styled.property_rules
    tracks: Tracks = {
        name: track
        for name, track in inherited.items()
        if name not in style.cascade.customs and (name not in rules or rules[name].inherits)
    }
    context = Context(style.units, syntaxes={name: rule.syntax for name, rule in rules.items()})
    for name in own:
        track = animate_property(name, animations[name], style.value(name), context)
        if not isinstance(track, VectorTrack):
            return track if isinstance(track, Unknown) else Unknown(UNSUPPORTED, name)
        tracks[name] = track
    return tracks


def dependence(
    style: ComputedStyle,
    styled: StyledDocument,
    animations: Mapping[str, Animations],
    relevant: Iterable[str],
    tracks: Tracks,
) -> bool | Unknown:
    """Whether where an element lies depends on animated custom properties; unknown if in a way not evaluated here."""
    placing: set[str] = set()
    other: set[str] = set()
    for name in relevant:
        (placing if name in PLACING else other).update(style.dependencies(name).names if name != "all" else ())
    if animations:
        for name in LONGHANDS:
            other.update(style.dependencies(name).names)
        for found in animations.values():
            for spec, _ in found:
                placing.update(_names_in(styled, spec.name))
    for name in tuple(placing):
        placing.update(style.dependencies(name).names)
    if not other.isdisjoint(tracks):
        return Unknown(UNSUPPORTED, "geometry or timing that hangs on an animated custom property")
    if placing.isdisjoint(tracks):
        return False
    for name in placing - tracks.keys():
        if name not in style.cascade.customs and not style.dependencies(name).names.isdisjoint(tracks):
            return Unknown(UNSUPPORTED, "a custom property worked out of an animated one further up")
    return True


def _names_in(styled: StyledDocument, keyframes: str) -> frozenset[str]:
    """The custom properties that a ``@keyframes`` rule refers to."""
    rule = styled.keyframes(keyframes)
    if rule is None:
        return frozenset()
    found: set[str] = set()
    for block in rule.rules:
        for declaration in block.declarations:
            found |= referenced_names(declaration.tokens)
    return frozenset(found)


@dataclass(frozen=True, slots=True)
class VaryingPlacement(Placement):
    """A placement whose style depends on animated custom properties. ``box`` is that of the style without them."""

    style: ComputedStyle | None = None
    styled: StyledDocument | None = None
    reader: KeyframesReader | None = None
    attribute: str | None = None
    context: Context | None = None
    default_origin: Vector | None = None
    tracks: Mapping[str, VectorTrack] | None = None

    @property
    def is_animated(self) -> bool:
        return True

    def rows(
        self,
        times: FloatArray,
        x: float | FloatArray,
        y: float | FloatArray,
        width: float | FloatArray,
        height: float | FloatArray,
    ) -> FloatArray:
        result = np.full((len(times), 6), np.nan)
        groups = self._values(times)
        if len(groups) > MAX_VALUES:
            return result
        box = [np.broadcast_to(np.asarray(value), len(times)) for value in (x, y, width, height)]
        for texts, indices in groups.items():
            index = np.array(indices)
            placement = self._placement(texts)
            if placement is None:
                result[index] = IDENTITY
            elif not isinstance(placement, Unknown) and placement.box == self.box:
                result[index] = placement.rows(times[index], *(side[index] for side in box))
        return result

    def _values(self, times: FloatArray) -> dict[tuple[tuple[str, str], ...], list[int]]:
        """The times at which the custom properties have the same values, by those values as text."""
        columns: list[list[tuple[str, str]]] = [[] for _ in times]
        for name, track in (self.tracks or {}).items():
            for index, value in track.evaluate(times).pieces:
                rows = value.numbers if value.numbers.ndim == 2 else [value.numbers] * len(index)
                for time, row in zip(index.tolist(), rows, strict=True):
                    columns[time].append((name, custom_text(value.form, row.tolist())))
        groups: defaultdict[tuple[tuple[str, str], ...], list[int]] = defaultdict(list)
        for time, column in enumerate(columns):
            groups[tuple(column)].append(time)
        return dict(groups)

    def _placement(self, texts: tuple[tuple[str, str], ...]) -> Placement | Unknown | None:
        assert self.style is not None
        assert self.styled is not None
        assert self.reader is not None
        assert self.context is not None
        assert self.default_origin is not None
        overrides = {name: tuple(tinycss2.parse_component_value_list(text)) for name, text in texts}
        style = self.style.with_overrides(overrides)
        animations = self.reader.animations(style, self.styled)
        if isinstance(animations, Unknown):
            return animations
        return compile_placement(style, self.attribute, animations, self.context, self.default_origin)
