"""Choosing the shapes and the element of a part by several kinds of evidence at once.

Names, geometry, paint and motion each give 0 to 1. Geometry without a name has to be good; a name with geometry that
is out of the question tells nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final

from .drawing import climb
from .rig import Part

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from husky_lint.scene.graph import SceneNode

    from .drawing import Drawing, Ink
    from .rig import Conflict

NAMED_ENOUGH: Final = 0.4
AROUND: Final = 0.8
"""What a name on a group counts for what is in it, and for what is in that."""
CROWDED: Final = 14
"""A group with more shapes than this is no part, and its name says nothing about each of them."""
SKULL_AT: Final = (568.0, 180.0)
IN_ITS_PLACE: Final = 0.6
"""How well a shape must lie and measure to be a part whatever it is called."""
UNNAMED_LEAST: Final = 0.45
"""What geometry and paint must reach where no name says the role."""


@dataclass(frozen=True, slots=True)
class Match:
    """A shape that may play a role: how well by each kind of evidence, and in all."""

    ink: Ink
    named: float
    placed: float
    painted: float
    score: float

    @property
    def confidence(self) -> float:
        return round(min(0.99, self.score), 2)


def near(value: float, target: float, tolerance: float) -> float:
    """1 at the target, falling to 0 at ``tolerance`` away."""
    return max(0.0, 1.0 - abs(value - target) / tolerance)


def within(value: float, least: float, most: float, margin: float) -> float:
    """1 from ``least`` to ``most``, falling to 0 at ``margin`` beyond."""
    if least <= value <= most:
        return 1.0
    return max(0.0, 1.0 - (least - value if value < least else value - most) / margin)


def every(*kinds: float) -> float:
    """The mean of several measures, 0 as soon as one of them is."""
    return 0.0 if min(kinds) <= 0.0 else sum(kinds) / len(kinds)


@dataclass(eq=False)
class Search:
    """What is known while the parts are being told, and what is still free."""

    drawing: Drawing
    dog: SceneNode | None
    legs: frozenset[SceneNode]
    """Shapes that belong to legs."""
    roots: tuple[tuple[float, float], ...] = ()
    """Where the legs are rooted."""
    parts: dict[str, Part] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)
    conflicts: list[Conflict] = field(default_factory=list)
    taken: dict[SceneNode, str] = field(default_factory=dict)
    """Shapes that play a role."""

    def __post_init__(self) -> None:
        self.inks: tuple[Ink, ...] = (
            tuple(self.drawing.inside(self.dog)) if self.dog is not None else tuple(self.drawing.inks.values())
        )
        self.free: list[Ink] = [ink for ink in self.inks if ink.node not in self.legs]

    def turn_back(self, drawing: Drawing) -> None:
        """Go on in the drawing as it is, after the dog was told in one that was turned over."""
        self.drawing = drawing
        self.inks = tuple(drawing.inside(self.dog)) if self.dog is not None else tuple(drawing.inks.values())
        self.free = [ink for ink in self.inks if ink.node not in self.legs]

    def is_dogs(self, node: SceneNode) -> bool:
        """Whether a node lies in the dog's group."""
        return self.dog is not None and (node is self.dog or self.dog in node.ancestors())

    def names(self, node: SceneNode, role: str) -> float:
        """How plainly names on and around a shape say the role, against names that say something else."""
        lexicon = self.drawing.lexicon
        own = around = lexicon.says(node, role)
        weight = AROUND
        for above in node.ancestors():
            if above is self.dog or weight < NAMED_ENOUGH or len(self.drawing.inside(above)) > CROWDED:
                break
            around = max(around, weight * lexicon.says(above, role))
            weight *= AROUND
        other = lexicon.says_other(node, role)
        return around if own >= other or other < 0.75 else around * 0.3

    def ranked(
        self,
        role: str,
        placed: Callable[[Ink], float],
        painted: Callable[[Ink], float] | None = None,
        *,
        among: Iterable[Ink] | None = None,
        least: float = UNNAMED_LEAST,
    ) -> list[Match]:
        """The shapes that may play the role, the best first."""
        found = []
        for ink in self.free if among is None else among:
            if ink.node in self.taken:
                continue
            place = placed(ink)
            if place <= 0.0:
                continue
            named = self.names(ink.node, role)
            paint = painted(ink) if painted is not None else 0.5
            other = self.drawing.lexicon.says_other(ink.node, role)
            unnamed = 0.7 * place + 0.3 * paint - (0.45 if named < NAMED_ENOUGH and other >= 0.75 else 0.0)
            if named < NAMED_ENOUGH and (unnamed < least or paint <= 0.0):
                continue
            score = 0.6 * named + 0.4 * (0.7 * place + 0.3 * paint) if named >= NAMED_ENOUGH else 0.75 * unnamed
            found.append(Match(ink, named, place, paint, score))
        return sorted(found, key=lambda match: (-match.score, match.ink.node.index))

    def take(
        self, role: str, nodes: Sequence[SceneNode], shapes: Iterable[SceneNode], match: Match | None, *said: str
    ) -> Part:
        """Record a part, and that its shapes are no longer free."""
        told = list(said)
        confidence = 0.6
        if match is not None:
            confidence = match.confidence
            if match.named >= NAMED_ENOUGH:
                told.append(f"named so ({match.named:.2f})")
            told.append(f"its place fits ({match.placed:.2f})")
            if match.painted != 0.5:
                told.append(f"its paint fits ({match.painted:.2f})")
        kept = tuple(sorted(dict.fromkeys(shapes), key=lambda node: node.index))
        part = Part(role, tuple(hosts(nodes)), confidence, tuple(told), kept)
        self.parts[role] = part
        self.taken.update(dict.fromkeys(kept, role))
        return part

    def take_group(self, role: str, groups: Iterable[SceneNode], confidence: float, told: Iterable[str]) -> None:
        """Record the groups that stand for a whole; what is in them stays free."""
        self.parts[role] = Part(role, tuple(map(host, groups)), confidence, tuple(told))

    def miss(self, role: str, why: str) -> None:
        """Record why a role could not be told."""
        self.missing.setdefault(role, why)

    def lack(
        self, role: str, why: str, could: Callable[[Ink], bool], placed: Callable[[Ink], float] | None = None
    ) -> None:
        """Record that a role could not be told: as absent where nothing seen could play it and nothing is called so.

        What has its very place counts even where it was taken for something else, since its name may lie.
        """
        rivals = [ink for ink in self.free if ink.node not in self.taken and could(ink)]
        rivals += [ink for ink in self.free if placed is not None and placed(ink) >= IN_ITS_PLACE]
        if rivals or not self._sees_all or any(self.names(ink.node, role) >= NAMED_ENOUGH for ink in self.free):
            self.miss(role, why)
        else:
            self.miss(role, f"absent: {why}")

    @cached_property
    def _sees_all(self) -> bool:
        """Whether what the dog consists of is all shapes whose place is known, and it is a dog at all."""
        motion = self.drawing.motion
        unknown = motion.unknown
        inside = [self.dog, *self.dog.descendants()] if self.dog is not None else self.drawing.scene.nodes[1:]
        hidden = {"text", "image", "foreignObject"}
        return bool(self.legs) and not any(
            motion.is_displayed(node) and (node.name in hidden or node in unknown) for node in inside
        )

    @cached_property
    def hips(self) -> tuple[float, float]:
        """Where the hindmost leg is rooted; without legs where the contract has it."""
        return min(self.roots, default=(350.0, 222.0))

    def on_head(self, ink: Ink) -> tuple[float, float]:
        """The middle of a shape, moved as the skull would have to be to lie where the contract has it."""
        part = self.parts.get("skull")
        skull = self.drawing.inks.get(part.shapes[0]) if part is not None and part.shapes else None
        if skull is None:
            return ink.x, ink.y
        return ink.x + SKULL_AT[0] - skull.x, ink.y + SKULL_AT[1] - skull.y

    # ------------------------------------------------------------------ which element stands for shapes

    def group_of(self, shape: SceneNode, belongs: Callable[[Ink], bool]) -> list[SceneNode]:
        """The shape and the groups around it that hold nothing but what belongs, innermost first."""
        return climb(
            shape,
            lambda above: (
                above is not self.dog
                and above not in self.legs
                and all(belongs(ink) for ink in self.drawing.inside(above))
            ),
        )

    def element(self, role: str, line: Sequence[SceneNode], *, moving: bool = True) -> SceneNode:
        """Of a shape and its groups the one that stands for the part: named plainly, else moving, else the outermost.

        A group that says something else, such as the set around an ear, gives way to one that says the role.
        """
        lexicon = self.drawing.lexicon
        named = [(lexicon.says(node, role), -place, node) for place, node in enumerate(line)]
        best = max(score for score, _, _ in named)
        if best >= 0.75:
            plain = [node for score, _, node in named if score == best]
            return (
                plain[-1]
                if len(plain) > 1 and self.is_moving(plain[-1])
                else plain[0]
                if len(plain) == 1
                else plain[-1]
            )
        if moving:
            movers = [node for node in line if self.is_moving(node)]
            if movers:
                return movers[-1]
        return line[-1]

    def is_moving(self, node: SceneNode) -> bool:
        """Whether the element turns in the stride or has an animation of its own."""
        return node in self.drawing.stage.turns or self.drawing.is_animated(node)


def hosts(nodes: Iterable[SceneNode]) -> list[SceneNode]:
    """Nodes as elements of the page: for what a ``<use>`` outside legs shows, the use."""
    return list(dict.fromkeys(host(node) for node in nodes))


def host(node: SceneNode) -> SceneNode:
    """The node, or the ``<use>`` that it is all the content of."""
    while node.is_instance_root and node.parent is not None:
        node = node.parent
    return node
