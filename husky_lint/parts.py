"""What a pack says the elements of a page are: the parts of a drawing, for ``husky-lint rig`` and for reports.

A pack tells them by its hook ``infer_parts``; the engine only shows them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class InferredPart:
    """What plays a role: CSS paths of its elements, how sure that is from 0 to 1, and why."""

    paths: tuple[str, ...]
    confidence: float
    evidence: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """The JSON of ``rig``: ``path`` is a list where several elements play the role together."""
        path = self.paths[0] if len(self.paths) == 1 else list(self.paths)
        return {"path": path, "confidence": self.confidence, "evidence": list(self.evidence)}


@dataclass(frozen=True, slots=True)
class Outline:
    """Lines of one shape in scene units. ``role`` is the part it belongs to, ``""`` for none."""

    lines: tuple[tuple[Point, ...], ...]
    role: str = ""
    closed: bool = True


@dataclass(frozen=True, slots=True)
class Bone:
    """Joints of a limb in scene units, from its root to its end."""

    name: str
    joints: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Label:
    """A text at a place of the picture."""

    text: str
    at: Point


@dataclass(frozen=True)
class Figure:
    """The parts of a drawing by role (None where a role could not be told), and its picture at rest.

    ``missing`` says why a role could not be told, ``conflicts`` where evidence disagrees. ``view`` is x, y, width,
    height of what the picture shows.
    """

    parts: Mapping[str, InferredPart | None]
    missing: Mapping[str, str]
    conflicts: tuple[str, ...]
    view: tuple[float, float, float, float]
    outlines: tuple[Outline, ...] = ()
    bones: tuple[Bone, ...] = ()
    labels: tuple[Label, ...] = field(default=())

    @property
    def paths(self) -> dict[str, str]:
        """The CSS path of each role that could be told; the first, where several elements play it."""
        return {role: part.paths[0] for role, part in self.parts.items() if part is not None}

    def to_json(self) -> dict[str, Any]:
        """``{ROLE: {"path", "confidence", "evidence"} | null}``."""
        return {role: None if part is None else part.to_json() for role, part in self.parts.items()}
