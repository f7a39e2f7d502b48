"""The visits that the looks share, and how a dog at work is told from the animations of its page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from husky_lint.browser.live import Setting
from husky_lint.rule import Reason, Undecided
from husky_lint.style.media import MediaContext

from ..pause import ear_chain
from ..rig import rig_of
from ..running import gait_parts, head_chain, state_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from husky_lint.browser.live import Control, LivePage
    from husky_lint.evidence import Evidence
    from husky_lint.scene.graph import SceneNode
    from husky_lint.style.page_state import PageState

DESKTOP: Final = Setting("desktop", 1, "file", MediaContext(1280, 900))
SERVED: Final = Setting("served", 2, "http", MediaContext(1280, 900))
STILL: Final = Setting("still", 3, "file", MediaContext(1280, 900, reduced_motion=True), held=True)

MOVES: Final = frozenset(
    {
        *("transform", "translate", "rotate", "scale", "offsetDistance", "offsetPath", "d", "opacity", "visibility"),
        *("cx", "cy", "r", "rx", "ry", "x", "y", "width", "height", "left", "top", "strokeDashoffset"),
    }
)
"""Properties, as scripts spell them, whose animation is seen as motion."""
_ALIKE: Final = 0.6
_START: Final = ("start",)


@dataclass(frozen=True, slots=True)
class Animation:
    """An animation of the scene as the browser runs it. ``mark`` is the part it moves, ``""`` for none that is known.

    ``state`` is ``running``, ``paused`` or ``finished``; lengths are seconds.
    """

    place: str
    mark: str
    name: str
    duration: float
    delay: float
    endless: bool
    state: str
    moves: bool
    shown: bool

    @property
    def runs(self) -> bool:
        """Whether it moves something that is shown now, and goes on to."""
        return self.state == "running" and self.moves and self.shown and self.duration > 0.05


def animations(page: LivePage) -> tuple[Animation, ...]:
    """The animations of the scene but for transitions."""
    return _told(page.see("animations"))


def standing(page: LivePage, *questions: Sequence[object]) -> tuple[Any, ...]:
    """The animations of the scene, the labels of the footer that are not to be seen, and what else is asked."""
    running, hidden, *more = page.see_all(["animations"], ["texts", list(labels_of(page.evidence))], *questions)
    return _told(running), unseen(hidden), *more


def _told(found: Sequence[Mapping[str, Any]]) -> tuple[Animation, ...]:
    return tuple(
        Animation(
            one["place"],
            one["mark"] or "",
            one["name"],
            one["duration"],
            one["delay"],
            one["endless"],
            one["state"],
            bool(MOVES.intersection(one["changing"])),
            one["shown"],
        )
        for one in found
        if not one["transition"] and not one["pseudo"]
    )


Print = frozenset[tuple[str, str, float, float]]
"""What the scene's endless animations look like at a pace: place, name, duration and delay of each."""


def pace_print(found: Sequence[Animation]) -> Print:
    """The fingerprint of a pace."""
    return frozenset((a.place, a.name, round(a.duration, 4), round(a.delay, 4)) for a in found if a.endless)


def pace_by_print(seen: Print, known: Mapping[str, Print]) -> str | None:
    """The pace that animations look most like; None where several do, or none."""
    likeness = {
        pace: len(seen & one) / len(seen | one) if seen | one else 0.0 for pace, one in known.items() if one or seen
    }
    best = sorted(likeness, key=lambda pace: -likeness[pace])
    if not best or likeness[best[0]] < _ALIKE:
        return None
    return None if len(best) > 1 and likeness[best[0]] == likeness[best[1]] else best[0]


@dataclass(frozen=True, slots=True)
class Cast:
    """Which marked elements play which part: the name of a mark, and what to call it."""

    gait: Mapping[str, str]
    head: tuple[str, ...]
    ear: tuple[str, ...]
    legs: tuple[str, ...]
    hearts: tuple[str, ...]
    tail: tuple[str, ...]
    paths: Mapping[str, str]


def cast_of(evidence: Evidence) -> Cast:
    """The parts by what the source says of them. What cannot be told is left out."""
    return _cast_in(evidence, evidence.states.initial)


def still_cast_of(evidence: Evidence) -> Cast:
    """The parts as they stand for visitors who prefer reduced motion."""
    return _cast_in(evidence, state_of(evidence, motion="reduced"))


def _cast_in(evidence: Evidence, state: PageState) -> Cast:
    scene = evidence.scene_in(state)
    paths: dict[str, str] = {}

    def marked(name: str, node: SceneNode) -> str | None:
        here = scene.node(node.element)
        if here is None or node.uses:
            return None
        path = here.css_path
        known = next((mark for mark, other in paths.items() if other == path), None)
        paths.setdefault(known or name, path)
        return known or name

    def several(role: str, nodes: Sequence[SceneNode]) -> tuple[str, ...]:
        found = (marked(f"{role} {index}", node) for index, node in enumerate(nodes))
        return tuple(one for one in found if one is not None)

    gait: dict[str, str] = {}
    try:
        parts = gait_parts(evidence)
    except Undecided:
        parts = {}
    for index, (node, what) in enumerate(parts.items()):
        if name := marked(f"gait {index}", node):
            gait[name] = what
    rig = rig_of(evidence)
    chains: dict[str, tuple[str, ...]] = {"head": (), "ear": ()}
    for role, chain in (("head", head_chain), ("ear", ear_chain)):
        try:
            chains[role] = several(role, chain(evidence))
        except Undecided:
            continue
    hearts = rig.parts.get("hearts")
    dog = rig.parts.get("dog")
    if dog is not None:
        several("dog", dog.nodes)
    legs = tuple(name for name, what in gait.items() if what.endswith(" leg") and what != "the loose leg")
    tails = [node for role in ("tail", "tail_tip") if role in rig.parts for node in rig.parts[role].nodes]
    return Cast(
        gait,
        chains["head"],
        chains["ear"],
        legs,
        several("hearts", hearts.nodes) if hearts is not None else (),
        several("tail", tails),
        paths,
    )


def place_of(path: str) -> str:
    """The place of an element in the scene, as animations say it, from its path."""
    return ">".join(
        f"{name}:{number.rstrip(')')}"
        for name, _, number in (step.partition(":nth-child(") for step in path.split(">")[1:])
    )


def meet(page: LivePage, casting: Callable[[Evidence], Cast] = cast_of) -> Cast:
    """Tell the live page which element is which. Raises Undecided where its tree is not the one that was read."""
    cast = page.evidence.derived(casting)
    if not page.see("scene"):
        raise Undecided(Reason.SCENE_NOT_FOUND, "the live page shows no svg")
    lost = page.mark(cast.paths)
    if len(lost) * 2 > len(cast.paths):
        raise Undecided(Reason.ROLE_NOT_FOUND, "the live page's scene is not the one that was read")
    return cast


# ---------------------------------------------------------------- controls


def pace_control(page: LivePage, pace: str) -> Control | None:
    """The control that says a pace most plainly, looked for once a load."""

    def find() -> Control | None:
        controls = page.once("controls", page.controls)
        found = page.saying(*page.words("pace", pace), without=_START, among=controls)
        return next((one for one in found if not one.in_scene), None)

    return page.once(f"pace {pace}", find)


def paces_of(evidence: Evidence) -> tuple[str, ...]:
    """The paces of the contract, in order."""
    axis = evidence.rubric.vocabulary.axis("pace")
    return tuple(value.name for value in axis.values) if axis is not None else ()


def choose(page: LivePage, pace: str) -> bool:
    """Press the button of a pace; False where there is none, or it cannot be reached."""
    control = pace_control(page, pace)
    if control is not None and control.tag == "select":
        return page.pick(control, page.words("pace", pace))
    return control is not None and page.press(control)


def pause_controls(page: LivePage) -> list[Control]:
    """What may pause the walk or let it go on, the plainest first, keys last."""
    words = {*page.words("paused", "true"), *page.words("paused", "false")}
    paces = {word for pace in paces_of(page.evidence) for word in page.words("pace", pace)}
    found = [one for one in page.saying(*words - paces, without=_START) if not one.in_scene and one.tag != "select"]
    return [*found, *page.keys("paused")]


def theme_controls(page: LivePage) -> list[Control]:
    """What may turn day to night: what says so first, then every other control that says something else; then keys."""
    said = page.saying(*page.words("theme", "night"), *page.words("theme", "day"))
    others = {word for pace in paces_of(page.evidence) for word in page.words("pace", pace)}
    others |= {*page.words("paused", "true"), *_START}
    silent = [one for one in page.controls() if one not in said and not one.says(others)]
    found = [one for one in (*said, *silent) if not one.in_scene and one.tag not in ("a", "select")]
    return [*found, *page.keys("theme")]


def labels_of(evidence: Evidence) -> Sequence[str]:
    """The labels of the footer."""
    value: Any = evidence.rubric.tolerance("HB5003", "labels").value
    return tuple(value)


def hidden_labels(page: LivePage) -> dict[str, str]:
    """The labels of the footer that are not to be seen now, and why."""
    return unseen(page.see("texts", list(labels_of(page.evidence))))


def unseen(found: Mapping[str, str | None]) -> dict[str, str]:
    """Of texts with the reason why they are not seen, those that have one."""
    return {label: why for label, why in found.items() if why is not None}
