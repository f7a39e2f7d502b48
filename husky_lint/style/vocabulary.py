"""What a rule pack says about the states of its pages: axes, their values, and the words that name them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class AxisValue:
    """One value of an axis.

    ``words`` name it wherever they stand (lower case). ``weak`` words name it only next to a hint of the axis
    (``data-motion="off"``). ``labels`` are further words on controls that lead to it.
    """

    name: str
    words: frozenset[str]
    weak: frozenset[str] = frozenset()
    labels: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Axis:
    """One dimension of a page's state; ``default`` is the value of a page that says nothing.

    ``hints`` are words in names of attributes, classes and controls that say the axis is meant. ``media`` gives, for a
    value, fields of :class:`~husky_lint.style.media.MediaContext` that the value means; with ``media_decides`` the axis
    *is* that media feature, and what the page writes follows from it. ``keys`` are pressed where no control is found.
    """

    name: str
    values: tuple[AxisValue, ...]
    default: str
    hints: frozenset[str] = frozenset()
    keys: tuple[str, ...] = ()
    media: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    media_decides: bool = False

    def value(self, name: str) -> AxisValue | None:
        return next((value for value in self.values if value.name == name), None)

    def opposite(self, name: str) -> AxisValue | None:
        """The other value of a two-valued axis."""
        if len(self.values) != 2:
            return None
        return self.values[1] if self.values[0].name == name else self.values[0]


@dataclass(frozen=True, slots=True)
class StateVocabulary:
    """The axes of a pack, in the order in which a state is entered."""

    axes: tuple[Axis, ...]

    def axis(self, name: str) -> Axis | None:
        return next((axis for axis in self.axes if axis.name == name), None)
