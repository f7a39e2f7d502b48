"""The rig: which element is which part of the dog and of the scene around it, however it is named.

``rig_of(evidence)`` is what the rules ask. A role that could not be told raises
:class:`~husky_lint.rule.Undecided`, so that its clauses become ``unknown`` and never ``fail``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from husky_lint.rule import Reason, Undecided

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lxml.etree import _Element

    from husky_lint.evidence import Evidence
    from husky_lint.scene.graph import SceneNode

LEGS: Final = ("near_fore", "far_fore", "near_hind", "far_hind")
SEGMENTS: Final = ("upper", "forearm", "paw")
STRIPS: Final = ("far", "mid", "near", "dirt")

DRAWN_ROLES: Final = (
    *("scene", "dog", "body", "head", "skull", "face_mask", "eye", "brow", "ear", "nose", "mouth_or_tongue", "neck"),
    *("collar", "tag", "bib", "blade", "tail", "tail_tip", "contact_shadow", "lamppost", "lamp_glass", "hearts"),
    "detached_leg",
    *(f"{leg}.{segment}" for leg in LEGS for segment in SEGMENTS),
    *(f"dots.{leg}" for leg in LEGS),
    *(f"strip.{strip}" for strip in STRIPS),
)
"""Roles of elements of the scene; ``strip.*`` is the element that moves."""

BY_SCRIPT: Final = "script moves what may be it"
"""How the reason begins why a part was not told that only running the script would show."""

PAGE_ROLES: Final = ("footer", "pause_button", "start_button", "pace_buttons")
"""Roles of elements of the page around it."""


@dataclass(frozen=True, slots=True)
class Part:
    """A role and what plays it.

    ``nodes`` are in paint order; most roles have one, ``bib``, ``mouth_or_tongue`` and the like may have several.
    ``confidence`` runs from 0 to 1; ``evidence`` says in words what each kind of evidence gave. ``shapes`` are the
    visible shapes that make the part, without those of other parts in it (the collar without its tag); for a leg's
    segments and for groups of the whole they are left empty.
    """

    role: str
    nodes: tuple[SceneNode, ...]
    confidence: float
    evidence: tuple[str, ...]
    shapes: tuple[SceneNode, ...] = ()

    @property
    def node(self) -> SceneNode:
        """The first of the nodes."""
        return self.nodes[0]


@dataclass(frozen=True, slots=True)
class PagePart:
    """A role that elements of the page around the scene play, with their CSS paths in the state they are there in."""

    role: str
    elements: tuple[_Element, ...]
    paths: tuple[str, ...]
    confidence: float
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Joint:
    """An element of a leg that turns.

    ``pivot`` is where it turns in the drawing, in scene units: every animation removed and each joint at the angle it
    is drawn at, however a static rotation poses it. ``centre`` is the same point in the element's own space, to follow
    it through time by the element's matrix.
    """

    node: SceneNode
    pivot: tuple[float, float]
    centre: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Leg:
    """One leg, proximal to distal. ``joints`` are all elements that turn in it at walk (two, three, four …).

    ``upper``, ``forearm`` and ``paw`` of the roles are the first, the second and the last of them; a welded paw leaves
    ``paw`` out. ``sole`` are the shapes at the ground end: those whose outline is tested for contact.
    """

    name: str
    joints: tuple[Joint, ...]
    sole: tuple[SceneNode, ...]
    confidence: float
    evidence: tuple[str, ...]
    shapes: tuple[SceneNode, ...] = ()


class Disagreement(StrEnum):
    """What kind of evidence disagrees with which."""

    FACES_LEFT = "faces-left"
    LEG_NAME = "leg-name"
    LEG_COUNT = "leg-count"
    STRIP_NAME = "strip-name"
    DOT_NAME = "dot-name"
    PIN = "pin"


@dataclass(frozen=True, slots=True)
class Conflict:
    """Evidence that disagrees, such as a leg named near and painted far: a sentence, and the element it is about."""

    kind: Disagreement
    message: str
    node: SceneNode | None = None

    def __str__(self) -> str:
        return self.message


@dataclass(frozen=True, slots=True)
class Rig:
    """Every part that could be told; ``conflicts`` says where evidence disagrees."""

    parts: Mapping[str, Part]
    legs: Mapping[str, Leg]
    missing: Mapping[str, str]
    """Why a role that is not in ``parts`` could not be told; ``absent: …`` where the drawing surely has none."""
    conflicts: tuple[Conflict, ...] = ()
    page: Mapping[str, PagePart] = field(default_factory=dict)
    """The roles of :data:`PAGE_ROLES` that could be told."""

    def part(self, role: str) -> Part:
        """The part of a role. Raises Undecided(role-not-found, ambiguous-role, script-driven-motion)."""
        found = self.parts.get(role)
        if found is None:
            why = self.missing.get(role, "nothing in the scene looks like it")
            raise Undecided(_reason(why), f"{role}: {why}")
        return found

    def leg(self, name: str) -> Leg:
        """A leg by name (``near_fore`` …). Raises Undecided(role-not-found or script-driven-motion)."""
        found = self.legs.get(name)
        if found is None:
            why = self.missing.get(name, "no such leg was found")
            raise Undecided(_reason(why), f"{name}: {why}")
        return found

    def is_absent(self, role: str) -> bool:
        """Whether the drawing surely has no such part, so that a clause that asks for it fails instead of unknown."""
        return self.missing.get(role, "").startswith("absent")


def _reason(why: str) -> Reason:
    if why.startswith(BY_SCRIPT):
        return Reason.SCRIPT_DRIVEN_MOTION
    return Reason.AMBIGUOUS_ROLE if why.startswith("ambiguous") else Reason.ROLE_NOT_FOUND


def rig_of(evidence: Evidence) -> Rig:
    """The rig of a submission, inferred once."""
    from .inference import infer_rig

    return evidence.derived(infer_rig)
