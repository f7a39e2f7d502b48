"""The scrolling strips of scenery (spec §2.1): which they are, how they are cloned, how they scroll."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from husky_lint.rule import Finding, Reason, Related, Undecided, rule
from husky_lint.scene.graph import SHAPES
from husky_lint.scene.paths import flatten
from husky_lint.script.journal import SetAttribute

from .colour import paint_of
from .rig import STRIPS
from .visibility import is_painted
from .words import names_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from lxml.etree import _Element
    from numpy.typing import NDArray

    from husky_lint.evidence import Evidence
    from husky_lint.parse.css import AtRule
    from husky_lint.scene.graph import SceneNode
    from husky_lint.scene.motion import Motion
    from husky_lint.source import Span
    from husky_lint.style.computed import ComputedStyle, StyledDocument
    from husky_lint.style.states import PageState

    FloatArray = NDArray[np.float64]

DIAL_PREFIX: Final = "--glide-"
LEAST_WIDTH: Final = 600.0
"""Scenery that scrolls is at least this wide, clones included."""
LEAST_TRAVEL: Final = 300.0
GROUND: Final = 200.0
"""What ends above this line is sky: clouds may drift on their own."""
_FULL_BLEED: Final = 0.8
_POP: Final = 12.0
"""Square units that may differ between the first and the last frame of a strip before it is seen to jump."""
# The start of a round is looked at just after it: rounded down it would be the end of the one before.
_PHASES: Final = np.array([1e-6, 0.25, 0.5, 0.75, 0.999, 1.25])
_WORDS: Final[Mapping[str, frozenset[str]]] = {
    "far": frozenset({"far", "hill", "hills", "mountain", "mountains", "distant", "collis", "montes"}),
    "mid": frozenset({"mid", "middle", "tree", "trees", "forest", "arbor", "wood", "woods"}),
    "near": frozenset({"near", "bush", "bushes", "hedge", "hedges", "shrub", "shrubs", "frutex"}),
    "dirt": frozenset({"dirt", "path", "trail", "ground", "road", "pebbles", "semita", "gravel"}),
}
_GEOMETRY: Final = ("d", "x", "y", "width", "height", "cx", "cy", "r", "rx", "ry", "transform", "translate", "scale")


@dataclass(frozen=True, slots=True, eq=False)
class Strip:
    """One strip. ``movers`` are the nodes that scroll: the element, and its instances where it is cloned whole.

    ``name`` is one of :data:`~.rig.STRIPS`, told by the dial, by names, else by speed. ``travel`` (6,) is where the
    first mover is along the horizontal of what it stands in, at the phases 0, ¼, ½, ¾, almost 1 and 1¼ of a scroll.
    """

    name: str
    movers: tuple[SceneNode, ...]
    style: ComputedStyle
    position: int
    """Of the animation that scrolls, in the list of the element's animations."""
    duration: float
    travel: FloatArray
    sideways: FloatArray
    """(6,) how far it strays from the horizontal at the same phases."""
    dials: frozenset[str]
    """The ``--glide-*`` properties that the duration was resolved through, the first on each way."""

    @property
    def node(self) -> SceneNode:
        return self.movers[0]

    @property
    def element(self) -> _Element:
        return self.node.element


def strips_of(evidence: Evidence) -> tuple[Strip, ...]:
    """The strips at walk, slowest first: at most four. Raises Undecided where script moves scenery by itself."""
    return evidence.derived(_find_strips)


def walk_state(evidence: Evidence) -> PageState:
    """The page at walk, or as it loads where it has no such pace."""
    states = evidence.states
    return states.state(pace="walk") if "walk" in states.values("pace") else states.initial


def pace_states(evidence: Evidence, paces: Iterable[str]) -> dict[str, PageState]:
    """A state for each pace. Raises Undecided where the page cannot be put into one of them."""
    found: dict[str, PageState] = {}
    for pace in paces:
        state = evidence.states.state(pace=pace)
        reason = state.unknown.get("pace") or state.unknown.get("sheets")
        if reason is not None:
            known = Reason(reason) if reason in set(Reason) else Reason.STATE_NOT_FOUND
            raise Undecided(known, f"how the page looks at {pace} could not be told")
        found[pace] = state
    return found


def style_in(evidence: Evidence, state: PageState, node: SceneNode) -> ComputedStyle:
    """The style of a node in another state. Raises Undecided where it is not in the page then."""
    styled = evidence.style(state)
    try:
        return styled.clone_computed(node.uses, node.element) if node.uses else styled.computed(node.element)
    except KeyError:
        raise Undecided(Reason.DYNAMIC_VALUE, "the strip is not in the page at every pace") from None


def moving_position(style: ComputedStyle, styled: StyledDocument) -> int:
    """Which of an element's animations moves it: the first whose keyframes set a transform; 0 where none does."""
    for position, name in enumerate(animation_names(style)):
        keyframes = styled.keyframes(name)
        if keyframes is not None and _moves(keyframes):
            return position
    return 0


def animation_names(style: ComputedStyle) -> list[str]:
    """The names of an element's animations; empty for none."""
    text = style.text("animation-name")
    return [] if text in ("", "none") else text.split(", ")


def duration_of(style: ComputedStyle, position: int) -> float:
    """Seconds of one of the animations of an element."""
    times = style.times("animation-duration")
    return (times[position % len(times)] if times else None) or 0.0


def dials_of(style: ComputedStyle) -> frozenset[str]:
    """The ``--glide-*`` properties that an element's duration reads; one that is made of another hides that."""
    found: set[str] = set()
    pending = list(style.resolve("animation-duration").uses)
    seen: set[int] = set()
    while pending:
        value = pending.pop()
        if value.name.startswith(DIAL_PREFIX):
            found.add(value.name)
        elif id(value) not in seen:
            seen.add(id(value))
            pending.extend(value.uses)
    return frozenset(found)


def _moves(keyframes: AtRule) -> bool:
    properties = {"transform", "translate", "offset-distance"}
    return any(d.name in properties for stop in keyframes.rules for d in stop.declarations)


# ---------------------------------------------------------------------------------------------------------------------
# Telling them


def _find_strips(evidence: Evidence) -> tuple[Strip, ...]:
    state = walk_state(evidence)
    motion = evidence.motion(state)
    wide = _wide(evidence, state, motion)
    if any(box[2] >= LEAST_WIDTH for box in motion.unmoved.values()):
        raise Undecided(Reason.SCRIPT_DRIVEN_MOTION, "script moves the scenery")
    animated = [node for node in wide if node not in motion.unknown and _own_animation(motion, node)]
    outer = [node for node in animated if not any(above in animated for above in node.ancestors())]
    found = _group(motion, outer)
    if len(found) > len(STRIPS):
        boxes = evidence.rest(state).boxes([0.0])
        ranked = sorted(found, key=lambda strip: -_rank(strip, boxes))
        found = ranked[: len(STRIPS)]
    return tuple(sorted(_named(found), key=lambda strip: -strip.duration))


def _wide(evidence: Evidence, state: PageState, motion: Motion) -> list[SceneNode]:
    boxes = evidence.rest(state).boxes([0.0])
    wide = []
    for node in motion.scene.nodes[1:]:
        box = boxes.get(node)
        told = box is not None and np.isfinite(box).all()
        if motion.is_displayed(node) and (
            (told and box is not None and box[0, 2] >= LEAST_WIDTH) or node in motion.unknown
        ):
            wide.append(node)
    return wide


def _own_animation(motion: Motion, node: SceneNode) -> bool:
    return bool(animation_names(motion.style(node))) or any(child.name == "animateTransform" for child in node.children)


def _group(motion: Motion, nodes: Sequence[SceneNode]) -> list[Strip]:
    """Strips of the nodes that travel sideways; nodes of one element are one strip."""
    times: list[FloatArray] = []
    facts = []
    for node in nodes:
        style = motion.style(node)
        position = moving_position(style, motion.styled)
        duration = duration_of(style, position)
        delays = style.times("animation-delay")
        delay = (delays[position % len(delays)] if delays else None) or 0.0
        facts.append((node, style, position, duration))
        settled = (
            np.ceil(max(0.0, 20.0 - delay / duration)) if duration > 0 and _count(style, position) is None else 0.0
        )
        begin = delay + duration * settled
        times.append(begin + _PHASES * duration if duration > 0 else np.linspace(0.0, 100.0, len(_PHASES)))
    if not nodes:
        return []
    around = {node.parent for node in nodes if node.parent is not None}
    matrices = motion.matrices({*nodes, *around}, np.concatenate(times))
    found: dict[object, Strip] = {}
    for place, (node, style, position, duration) in enumerate(facts):
        rows = slice(place * len(_PHASES), (place + 1) * len(_PHASES))
        own = matrices[node][rows]
        parent = matrices.get(node.parent) if node.parent is not None else None
        x, y = _relative(own, parent[rows] if parent is not None else None)
        if not np.isfinite(own).all() or np.ptp(own[:, :4], axis=0).max() > 1e-6 or np.ptp(x) < LEAST_TRAVEL:
            continue
        names = dials_of(style)
        known = found.get(node.element)
        movers = (*known.movers, node) if known is not None else (node,)
        if known is None:
            found[node.element] = Strip("", movers, style, position, duration, x, y - y[0], names)
        else:
            found[node.element] = _with(known, movers=movers)
    return list(found.values())


def _relative(own: FloatArray, parent: FloatArray | None) -> tuple[FloatArray, FloatArray]:
    """Where a node stands in its parent's space."""
    if parent is None:
        return own[:, 4], own[:, 5]
    a, b, c, d, e, f = parent.T
    with np.errstate(all="ignore"):
        determinant = a * d - b * c
        x, y = own[:, 4] - e, own[:, 5] - f
        return (d * x - c * y) / determinant, (a * y - b * x) / determinant


def _with(strip: Strip, **changes: object) -> Strip:
    return replace(strip, **changes)  # type: ignore[arg-type]


def _rank(strip: Strip, boxes: Mapping[SceneNode, FloatArray]) -> float:
    box = boxes.get(strip.node)
    low = box is not None and bool(box[0, 1] + box[0, 3] > GROUND)
    return 4.0 * bool(_dial(strip)) + 2.0 * (_word(strip) is not None) + 1.0 * low + 0.1 * len(strip.movers)


def _dial(strip: Strip) -> str | None:
    """The strip whose dial the duration reaches, where it is one."""
    told = [name for name in STRIPS if f"{DIAL_PREFIX}{name}" in strip.dials]
    return told[0] if len(told) == 1 else None


def _word(strip: Strip) -> str | None:
    elements = [strip.element, *(child.element for child in strip.node.children[:3])]
    said = {word for element in elements for name in names_of(element) for word in name.all}
    told = [name for name in STRIPS if name in said] or [name for name in STRIPS if said & _WORDS[name]]
    return told[0] if len(told) == 1 else None


def _named(strips: Sequence[Strip]) -> list[Strip]:
    for tell in (_dial, _word):
        names = [tell(strip) for strip in strips]
        if len(strips) == len(STRIPS) and set(names) == set(STRIPS):
            return [_with(strip, name=name) for strip, name in zip(strips, names, strict=True)]
    if len(strips) == len(STRIPS):
        ordered = sorted(strips, key=lambda strip: -strip.duration)
        return [_with(strip, name=name) for strip, name in zip(ordered, STRIPS, strict=True)]
    return [_with(strip, name=_dial(strip) or _word(strip) or "a") for strip in strips]


# ---------------------------------------------------------------------------------------------------------------------
# Rules


@rule("HB2102")
def strip_width(evidence: Evidence, strip_width: float, seam: float) -> Iterator[Finding]:
    """A strip is not 900 wide, or does not meet its clone.

    ## What it checks
    Each strip is cloned by `<use>`, 900 units to the right of the original. What fills the strip from side to side
    spans 0 to 900, ends at the height where it begins, and the last frame of the scroll is the first one again.
    `xlink:href` and a `translate(900)` do as well as `href` and `x`.

    ## Why it matters
    The scroll jumps back after 900 units. Unless the clone stands exactly there, the scenery hops once a round.

    ## Example that fails
    ```html
    <svg viewBox="0 0 900 460">
      <g class="strip strip-dirt">
        <g id="dirt"><path class="dirt" d="M0 330H900V460H0Z"/></g><use href="#dirt" x="880"/>
      </g>
    </svg>
    ```

    ```html
    <svg viewBox="0 0 900 460">
      <g class="strip strip-dirt"><path class="dirt" d="M0 330H1800V460H0Z"/></g>
    </svg>
    ```

    ```html
    <svg viewBox="0 0 900 460">
      <g class="strip strip-far">
        <g id="far"><path class="hill" d="M0 200L900 240V330H0Z"/></g><use href="#far" x="900"/>
      </g>
    </svg>
    ```

    ## Example that passes
    ```css
    .hill { fill: #9db8a5; }
    ```
    """
    strips = strips_of(evidence)
    state = walk_state(evidence)
    motion, rest = evidence.motion(state), evidence.rest(state)
    boxes = {node: box[0] for node, box in rest.boxes([0.0]).items()}
    for strip in strips:
        yield from _judge_width(evidence, strip, motion, rest, boxes, strip_width, seam)
    if len(strips) < len(STRIPS):
        _refuse_few(evidence, strips)
        yield Finding(f"{len(strips)} strips of scenery scroll, not {len(STRIPS)}", _scene_span(evidence))


@rule("HB2103")
def strip_scroll(evidence: Evidence, strip_width: float, distance: float) -> Iterator[Finding]:
    """A strip does not scroll left by 900 units, evenly and for ever.

    ## What it checks
    Each strip is moved by one `@keyframes` rule from `translateX(0)` to `translateX(-900px)`, linear and infinite. What
    counts is where the strip is over two rounds.

    ## Why it matters
    Any other distance shows the seam, an eased scroll makes the ground stutter, and scenery that runs to the right
    turns the dog's walk into a moonwalk.

    ## Example that fails
    ```css
    @keyframes glide { from { transform: translateX(0); } to { transform: translateX(-800px); } }
    ```

    ```css
    .strip { animation-timing-function: ease; }
    ```

    ```css
    .strip { animation-direction: reverse; }
    ```

    ```css
    .strip-far { animation-iteration-count: 3; }
    ```

    ## Example that passes
    ```css
    @keyframes glide { 100% { transform: translate(-900px, 0); } }
    ```
    """
    strips = strips_of(evidence)
    styled = evidence.style(walk_state(evidence))
    for strip in strips:
        yield from _judge_scroll(evidence, strip, styled, strip_width, distance)
    if len(strips) < len(STRIPS):
        _refuse_few(evidence, strips)
        yield Finding(f"{len(strips)} strips of scenery scroll, not {len(STRIPS)}", _scene_span(evidence))


@rule("HB2106")
def path_reauthored(evidence: Evidence, paces: Sequence[str]) -> Iterator[Finding]:
    """A pace changes the scenery's keyframes or drawing instead of a dial.

    ## What it checks
    The strips run on the same `@keyframes` rule at every pace, and their shapes keep their geometry. Only durations
    change.

    ## Why it matters
    Speed is a dial. A second path for a pace is a second thing to keep seamless, and the change of pace makes it jump.

    ## Example that fails
    ```css
    @keyframes rush { to { transform: translateX(-1800px); } }
    #scene[data-speed="zoomies"] .strip-dirt { animation-name: rush; }
    ```

    ```css
    #scene[data-speed="hop"] .hill { d: path("M0 180H900V330H0Z"); }
    ```

    ## Example that passes
    ```css
    #scene[data-speed="zoomies"] .strip { animation-name: glide; }
    ```
    """
    strips = strips_of(evidence)
    if not strips:
        _refuse_few(evidence, strips)
        raise Undecided(Reason.ROLE_NOT_FOUND, "no strip of scenery scrolls")
    states = pace_states(evidence, paces)
    reference = states["walk"]
    base = evidence.style(reference)
    for strip in strips:
        own = _keyframes_of(strip.style, base)
        told: set[str] = set()
        for pace, state in states.items():
            style = style_in(evidence, state, strip.node)
            name, keyframes = _keyframes_of(style, evidence.style(state))
            if keyframes is not own[1] and name not in told:
                told.add(name)
                declaration = style.declaration("animation-name")
                yield Finding(
                    f"the {strip.name} strip runs on {name!r} at {pace} and on {own[0]!r} at walk; a pace changes the "
                    f"duration and nothing else",
                    declaration.span if declaration is not None else evidence.element_span(strip.element),
                    data={"strip": strip.name, "pace": pace, "keyframes": name, "expected": own[0]},
                )
    yield from _redrawn(evidence, strips, states)


# ---------------------------------------------------------------------------------------------------------------------
# What the rules share


def _scene_span(evidence: Evidence) -> Span:
    return evidence.element_span(evidence.scene.root.element)


def _refuse_few(evidence: Evidence, strips: Sequence[Strip]) -> None:
    """Fewer than four strips are found: undecided where some could be there and not be told."""
    motion = evidence.motion(walk_state(evidence))
    hidden = [motion.unknown[node] for node in motion.scene.nodes if node in motion.unknown and node.name != "text"]
    told = [reason for reason in hidden if reason not in ("text", "foreign-object")]
    if told:
        reason = Reason(told[0]) if told[0] in set(Reason) else Reason.UNSUPPORTED_CSS
        raise Undecided(reason, f"{len(strips)} strips could be told, and some of the scenery cannot be evaluated")


def _keyframes_of(style: ComputedStyle, styled: StyledDocument) -> tuple[str, AtRule | None]:
    names = animation_names(style)
    if not names:
        return "none", None
    name = names[moving_position(style, styled) % len(names)]
    return name, styled.keyframes(name)


def _judge_scroll(
    evidence: Evidence, strip: Strip, styled: StyledDocument, width: float, distance: float
) -> Iterator[Finding]:
    style = strip.style
    name, keyframes = _keyframes_of(style, styled)
    facts = {"strip": strip.name, "travel": [round(float(x), 2) for x in strip.travel]}
    if keyframes is None:
        yield Finding(
            f"the {strip.name} strip is moved by no @keyframes rule; it scrolls by one, from translateX(0) to "
            f"translateX(-{width:g}px)",
            evidence.element_span(strip.element),
            data=facts,
        )
        return
    count = _count(style, strip.position)
    if count is not None:
        yield Finding(
            f"the {strip.name} strip stops after {count} rounds; it scrolls for ever",
            _span_of(evidence, style, "animation-iteration-count"),
            data=facts,
        )
        return
    moved = strip.travel - strip.travel[0]
    even = np.array([0.0, 0.25, 0.5, 0.75, 0.999, 0.25]) * -width
    worst = int(np.argmax(np.abs(moved - even)))
    if abs(float((moved - even)[worst])) <= distance and float(np.abs(strip.sideways).max()) <= distance:
        if abs(float(strip.travel[0])) > distance:
            yield Finding(
                f"the {strip.name} strip starts its scroll at {strip.travel[0]:g}, not at 0", keyframes.span, data=facts
            )
        return
    if moved[4] > 0 or moved[1] > 0:
        fault, span = f"moves right, {moved[2]:+.0f} units in half a round", keyframes.span
    elif abs(abs(moved[4]) - 0.999 * width) > max(distance, 1.0):
        fault, span = f"scrolls by {moved[4] / 0.999:.0f} units a round", keyframes.span
    elif float(np.abs(strip.sideways).max()) > distance:
        fault, span = f"moves {strip.sideways[np.argmax(np.abs(strip.sideways))]:+.1f} units up or down", keyframes.span
    else:
        fault = f"is at {moved[worst]:.0f} when an even scroll is at {even[worst]:.0f}"
        span = _span_of(evidence, style, "animation-timing-function")
    yield Finding(
        f"the {strip.name} strip {fault}; it goes evenly from 0 to -{width:g}",
        span,
        related=(Related(_span_of(evidence, style, "animation-name"), f"it runs on {name!r}"),),
        data=facts,
    )


def _count(style: ComputedStyle, position: int) -> str | None:
    """How often an animation of an element runs; None for ever."""
    counts = style.text("animation-iteration-count").split(", ")
    count = counts[position % len(counts)]
    return None if count == "infinite" else count


def _span_of(evidence: Evidence, style: ComputedStyle, name: str) -> Span:
    declaration = style.declaration(name)
    return declaration.span if declaration is not None else evidence.element_span(style.element)


# ---------------------------------------------------------------- width and seam


@dataclass(frozen=True, slots=True, eq=False)
class Copies:
    """One element standing in a strip more than once. ``offsets`` are where, relative to the first copy."""

    element: _Element
    nodes: tuple[SceneNode, ...]
    offsets: tuple[tuple[float, float], ...]


def copies_in(strip: Strip, rest: Motion) -> list[Copies]:
    """The elements that ``<use>`` shows in a strip, the one with most shapes first."""
    inside = [node for mover in strip.movers for node in (mover, *mover.descendants())]
    roots = {node.element for node in inside if node.is_instance_root}
    found = []
    for element in roots:
        nodes = tuple(node for node in inside if node.element is element and rest.is_displayed(node))
        if len(nodes) < 2:
            continue
        rows = rest.matrices(nodes, [0.0])
        first = rows[nodes[0]][0]
        offsets = tuple((float(rows[n][0][4] - first[4]), float(rows[n][0][5] - first[5])) for n in nodes)
        found.append(Copies(element, nodes, offsets))
    return sorted(found, key=lambda copies: -_size(copies.nodes[0]))


def _size(node: SceneNode) -> int:
    return sum(1 for one in (node, *node.descendants()) if one.name in SHAPES)


def _judge_width(
    evidence: Evidence,
    strip: Strip,
    motion: Motion,
    rest: Motion,
    boxes: Mapping[SceneNode, FloatArray],
    width: float,
    seam: float,
) -> Iterator[Finding]:
    copies = copies_in(strip, rest)
    span = evidence.element_span(strip.element)
    tiles = [one for one in copies if any(_is_at(offset, width, seam) for offset in _apart(one))]
    if not copies:
        yield Finding(
            f'the {strip.name} strip has no clone; it is cloned by <use href="#…" x="{width:g}"/>',
            span,
            data={"strip": strip.name},
        )
        return
    if not tiles:
        uses = [node.parent.element for node in copies[0].nodes if node.is_instance_root and node.parent is not None]
        x, y = _apart(copies[0])[-1]
        place = f"{x:g} units to the right" if abs(y) <= seam else f"at ({x:g}, {y:g})"
        yield Finding(
            f"the clone of the {strip.name} strip stands {place} of the original, not {width:g}",
            evidence.attribute_span(uses[-1], "x") if uses else span,
            data={"strip": strip.name, "measured": x, "expected": width},
        )
        return
    # Scenery may be cloned in several pieces, such as the hills and the trees of one strip.
    for tile in tiles:
        yield from _judge_tile(evidence, strip, tile, rest, boxes, width, seam)


def _apart(copies: Copies) -> list[tuple[float, float]]:
    """From every copy to every later one, left to right."""
    ordered = sorted(copies.offsets)
    return [(b[0] - a[0], b[1] - a[1]) for a, b in itertools.combinations(ordered, 2)]


def _is_at(offset: tuple[float, float], width: float, seam: float) -> bool:
    return abs(offset[0] - width) <= seam and abs(offset[1]) <= seam


def _judge_tile(
    evidence: Evidence,
    strip: Strip,
    tile: Copies,
    rest: Motion,
    boxes: Mapping[SceneNode, FloatArray],
    width: float,
    seam: float,
) -> Iterator[Finding]:
    order = sorted(range(len(tile.nodes)), key=lambda i: tile.offsets[i])
    first = tile.nodes[order[0]]
    over: list[SceneNode] = []
    for node in (first, *first.descendants()):
        box = boxes.get(node)
        if node.name not in SHAPES or box is None or not np.isfinite(box).all() or not is_painted(rest, node):
            continue
        left, right = float(box[0]), float(box[0] + box[2])
        if left < -seam or right > width + seam:
            over.append(node)
        elif box[2] >= _FULL_BLEED * width and _is_one_piece(rest, node, _FULL_BLEED * width):
            if left > seam or right < width - seam:
                yield Finding(
                    f"a shape of the {strip.name} strip that fills it spans {left:.1f} to {right:.1f}, not 0 to "
                    f"{width:g}: {left + width - right:.1f} units of gap to its clone",
                    evidence.element_span(node.element),
                    data={"strip": strip.name, "left": left, "right": right},
                )
                continue
            begins, ends = _top_at(rest, node, left + seam / 10), _top_at(rest, node, right - seam / 10)
            if begins is not None and ends is not None and abs(begins - ends) > max(2.0, 4 * seam):
                yield Finding(
                    f"a shape of the {strip.name} strip begins at y {begins:.1f} and ends at y {ends:.1f}: a step "
                    f"where it meets its clone",
                    evidence.element_span(node.element),
                    data={"strip": strip.name, "begins": begins, "ends": ends},
                )
    if over and len(tile.nodes) == 2:
        yield from _pops(evidence, strip, over, rest, width)


def _lines(rest: Motion, node: SceneNode) -> list[FloatArray]:
    """The outline of a shape in scene units, at rest."""
    a, b, c, d, e, f = rest.matrix(node, [0.0])[0]
    return [
        np.stack([a * line[:, 0] + c * line[:, 1] + e, b * line[:, 0] + d * line[:, 1] + f], axis=1)
        for line in flatten(rest.outline(node))
        if len(line) > 1
    ]


def _is_one_piece(rest: Motion, node: SceneNode, width: float) -> bool:
    """Whether some part of the outline spans the width by itself; a row of pebbles in one path does not."""
    return any(float(np.ptp(line[:, 0])) >= width for line in _lines(rest, node))


def _top_at(rest: Motion, node: SceneNode, x: float) -> float | None:
    """The upper end of a shape at an abscissa."""
    highest: list[float] = []
    for line in _lines(rest, node):
        begin, end = line[:-1], line[1:]
        crossing = (np.minimum(begin[:, 0], end[:, 0]) <= x) & (np.maximum(begin[:, 0], end[:, 0]) >= x)
        for p, q in zip(begin[crossing], end[crossing], strict=True):
            share = 0.0 if q[0] == p[0] else (x - p[0]) / (q[0] - p[0])
            highest.append(float(p[1] + share * (q[1] - p[1])))
    return min(highest) if highest else None


def _pops(evidence: Evidence, strip: Strip, over: Sequence[SceneNode], rest: Motion, width: float) -> Iterator[Finding]:
    """What stands over an end of the tile is there in the last frame and not in the first, or the other way round."""
    import shapely
    from shapely import Polygon

    by_paint: dict[object, list[SceneNode]] = {}
    for node in over[:60]:
        paint = paint_of(rest, node)
        if paint.fill is not None or paint.served:
            by_paint.setdefault((paint.fill, paint.served), []).append(node)
    for nodes in by_paint.values():
        parts = [Polygon(line).buffer(0) for node in nodes for line in _lines(rest, node) if len(line) >= 4]
        if not parts:
            continue
        drawn = shapely.unary_union(parts)
        both = drawn.union(shapely.affinity.translate(drawn, width))
        start = shapely.clip_by_rect(both, 0.0, -1e4, width, 1e4)
        end = shapely.affinity.translate(shapely.clip_by_rect(both, width, -1e4, 2 * width, 1e4), -width)
        changed = float(start.symmetric_difference(end).area)
        if changed > _POP:
            yield Finding(
                f"a shape of the {strip.name} strip stands over the end of its {width:g} units, and {changed:.0f} "
                f"square units of it appear or vanish whenever the scroll starts over",
                evidence.element_span(nodes[0].element),
                data={"strip": strip.name, "area": changed},
            )


# ---------------------------------------------------------------- drawing by pace


def _redrawn(evidence: Evidence, strips: Sequence[Strip], states: Mapping[str, PageState]) -> Iterator[Finding]:
    inside = {
        node.element: strip
        for strip in strips
        for node in (strip.node, *strip.node.descendants())
        if node.name in SHAPES and not node.uses
    }
    reference = evidence.style(states["walk"])
    drawn = _attributes(states["walk"], inside)
    seen: set[_Element] = set()
    for pace, state in states.items():
        styled = evidence.style(state)
        changed = _attributes(state, inside)
        for element, strip in inside.items():
            if element in seen or element not in styled or element not in reference:
                continue
            here, there = styled.computed(element), reference.computed(element)
            name = None
            span = None
            if here is not there:
                name = next((one for one in _GEOMETRY if _value(here, one) != _value(there, one)), None)
                span = _span_of(evidence, here, name) if name is not None else None
            if name is None:
                own, base = changed.get(element, {}), drawn.get(element, {})
                name = next((n for n in {*own, *base} if own.get(n) != base.get(n)), None)
                span = evidence.element_span(element)
            if name is not None:
                seen.add(element)
                yield Finding(
                    f"a shape of the {strip.name} strip has another {name} at {pace} than at walk; a pace changes the "
                    f"duration and nothing else",
                    span,
                    data={"strip": strip.name, "pace": pace, "property": name},
                )


def _value(style: ComputedStyle, name: str) -> str:
    return style.text(name) if style.declares(name) else ""


def _attributes(state: PageState, elements: Mapping[_Element, Strip]) -> dict[_Element, dict[str, str | None]]:
    """What script makes of the geometry attributes of these elements in a state."""
    found: dict[_Element, dict[str, str | None]] = {}
    for mutation in state.mutations:
        is_drawing = isinstance(mutation, SetAttribute) and mutation.name in {"points", *_GEOMETRY}
        if is_drawing and isinstance(mutation, SetAttribute) and mutation.element in elements:
            found.setdefault(mutation.element, {})[mutation.name] = mutation.value
    return found
