"""Hearts: how they move, and that they stay in the picture (spec §2.6)."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from husky_lint.animation.properties import animate_property
from husky_lint.animation.unknown import Unknown as UnknownMotion
from husky_lint.rule import Confidence, Finding, Reason, Related, Severity, Undecided, Verdict, rule
from husky_lint.scene.graph import SHAPES
from husky_lint.script.journal import InsertNode, SetAttribute

from .heart_shape import is_heart_shaped
from .spawned import Spawn, Variants, is_drawn, outlines_of, spawns, words_of
from .visibility import is_painted
from .words import PARTS, names_of, read_name, says

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lxml.etree import _Element
    from numpy.typing import NDArray

    from husky_lint.evidence import Evidence
    from husky_lint.parse.css import AtRule
    from husky_lint.scene.graph import SceneNode
    from husky_lint.scene.motion import Motion
    from husky_lint.source import Span
    from husky_lint.style.computed import ComputedStyle, StyledDocument
    from husky_lint.style.page_state import PageState

_WORDS = PARTS["hearts"]
_MENTION = re.compile(r"heart|[❤♥💕💗💖]|corda\b|coraz|c(?:oe|œ)ur|cuor[ei]\b|\bherz", re.IGNORECASE)
_READ = re.compile(r"var\(\s*(--[\w-]+)")
_MOVES = frozenset({"transform", "translate", "scale", "rotate", "offset-distance", "offset-path"})
_TIMES = 61
_ENOUGH = 0.6


@dataclass(frozen=True, slots=True)
class _Kind:
    """Hearts that differ in nothing but chance: the elements that stand for all of them."""

    elements: tuple[_Element, ...]
    span: Span | None
    spawn: Spawn | None = None


@dataclass(frozen=True, slots=True)
class _Hearts:
    """The kinds of hearts in one state, which has them in it."""

    state: PageState
    kinds: tuple[_Kind, ...]


@rule("HB2602")
def heart_transform(evidence: Evidence, heart_properties: Sequence[str]) -> Iterator[Finding | Verdict]:
    """Hearts do not move by custom properties that their keyframes read.

    ## What it checks
    Script gives each heart `--x`, `--y` and `--s`, and the `transform` of its keyframes reads them. A `transform`
    attribute (or inline `transform`) that the animation replaces places nothing.

    ## Why it matters
    "A CSS animation overrides an SVG transform attribute and the hearts then render off-canvas": at the origin.

    ## Example that fails
    ```html
    <button id="pet">Good dog</button>
    <style>
    .heart { animation: rise 1.6s ease-out both; }
    @keyframes rise { from { transform: scale(0); } to { transform: translateY(-50px); } }
    </style>
    <script>
    document.getElementById("pet").addEventListener("click", function () {
      var heart = document.createElementNS("http://www.w3.org/2000/svg", "path");
      heart.setAttribute("class", "heart");
      heart.setAttribute("d", "M0 6C-12-2-8-12 0-6C8-12 12-2 0 6Z");
      heart.setAttribute("transform", "translate(" + (540 + Math.random() * 60) + ", 120)");
      document.getElementById("hearts").appendChild(heart);
    });
    </script>
    ```

    ## Example that passes
    ```html
    <button id="pet">Good dog</button>
    <style>
    .heart { animation: rise 1.6s ease-out both; }
    @keyframes rise {
      from { transform: translate(var(--x), var(--y)) scale(0); }
      to { transform: translate(var(--x), calc(var(--y) - 50px)) scale(var(--s)); opacity: 0; }
    }
    </style>
    <script>
    document.getElementById("pet").addEventListener("click", function () {
      var heart = document.createElementNS("http://www.w3.org/2000/svg", "path");
      heart.setAttribute("class", "heart");
      heart.setAttribute("d", "M0 6C-12-2-8-12 0-6C8-12 12-2 0 6Z");
      heart.style.setProperty("--x", 540 + Math.random() * 60 + "px");
      heart.style.setProperty("--y", "120px");
      heart.style.setProperty("--s", .8 + Math.random() / 2);
      document.getElementById("hearts").appendChild(heart);
    });
    </script>
    ```
    """
    told: set[tuple[object, ...]] = set()
    for hearts in _hearts_of(evidence):
        if hearts.state.media.reduced_motion:  # a still heart need not move
            continue
        for kind in hearts.kinds:
            for finding in _movement(evidence, hearts.state, kind, heart_properties):
                if (finding.message, finding.span) not in told:
                    told.add((finding.message, finding.span))
                    yield finding


@rule("HB2603")
def hearts_in_viewbox(evidence: Evidence, visible_opacity: float, slack: float) -> Iterator[Finding]:
    """A heart can leave the picture.

    ## What it checks
    The box of every heart that can be seen, at every time of its animation and for every value that its random numbers
    may take, lies in the viewBox; with and without reduced motion. A heart less than 5 % opaque is not seen.

    ## Why it matters
    "All hearts must be inside the viewBox."

    ## Example that fails
    ```html
    <button id="pet">Good dog</button>
    <style>
    .heart { animation: rise 1.6s ease-out both; }
    @keyframes rise { to { transform: translate(var(--x), calc(var(--y) - 200px)) scale(var(--s)); } }
    </style>
    <script>
    document.getElementById("pet").addEventListener("click", function () {
      var heart = document.createElementNS("http://www.w3.org/2000/svg", "path");
      heart.setAttribute("class", "heart");
      heart.setAttribute("d", "M0 6C-12-2-8-12 0-6C8-12 12-2 0 6Z");
      heart.style.cssText = "--x: " + (540 + Math.random() * 60) + "px; --y: 120px; --s: 1";
      document.getElementById("hearts").appendChild(heart);
    });
    </script>
    ```

    ## Example that passes
    ```html
    <button id="pet">Good dog</button>
    <style>
    .heart { transform: translate(var(--x), var(--y)); animation: rise 1.6s ease-out both; }
    @keyframes rise {
      from { transform: translate(var(--x), var(--y)) scale(0); }
      to { transform: translate(var(--x), calc(var(--y) - 50px)) scale(var(--s)); opacity: 0; }
    }
    </style>
    <script>
    document.getElementById("pet").addEventListener("click", function () {
      var heart = document.createElementNS("http://www.w3.org/2000/svg", "path");
      heart.setAttribute("class", "heart");
      heart.setAttribute("d", "M0 6C-12-2-8-12 0-6C8-12 12-2 0 6Z");
      heart.style.cssText = "--x: " + (540 + Math.random() * 60) + "px; --y: 120px; --s: 1";
      document.getElementById("hearts").appendChild(heart);
    });
    </script>
    ```
    """
    told: set[tuple[object, ...]] = set()
    open_question: Undecided | None = None
    for hearts in _hearts_of(evidence):
        motion = evidence.motion_of(hearts.state, [element for kind in hearts.kinds for element in kind.elements])
        for kind in hearts.kinds:
            try:
                outside = _outside(motion, kind, visible_opacity, slack)
            except Undecided as undecided:
                open_question = open_question or undecided
                continue
            if outside is not None and (outside.message, outside.span) not in told:
                told.add((outside.message, outside.span))
                yield outside
    if open_question is not None:
        raise open_question


# ---------------------------------------------------------------- which hearts there are


def _hearts_of(evidence: Evidence) -> tuple[_Hearts, ...]:
    found = evidence.derived(_find_hearts)
    if found:
        return found
    if evidence.script.limit:
        raise Undecided(Reason.LIMIT, "what script does could not be followed to its end")
    texts = [evidence.page.source.text, *(script.script.text for script in evidence.scripts)]
    if any(_MENTION.search(text) for text in texts):
        raise Undecided(Reason.ROLE_NOT_FOUND, "the page speaks of hearts, but none was seen to be made")
    raise Undecided(Reason.ROLE_NOT_FOUND, "no event was seen to make hearts")


def _find_hearts(evidence: Evidence) -> tuple[_Hearts, ...]:
    states = evidence.states
    found = [*_spawned(evidence, states.initial), *_drawn(evidence)]
    reduced = states.state(motion="reduced")
    if found:
        found.extend(_spawned(evidence, reduced))
    return tuple(found)


def _spawned(evidence: Evidence, state: PageState) -> Iterator[_Hearts]:
    """Hearts that script makes when something happens in a state; all of them in one state of the page."""
    in_source = set(evidence.page.elements)
    kinds: list[_Kind] = []
    changes: dict[tuple[_Element, str], SetAttribute] = {}
    put: list[InsertNode] = []
    for spawn in spawns(evidence.script_in(state.media), evidence.page.root):
        if not is_drawn(spawn.root) or not _is_heart(spawn):
            continue
        if spawn.parent not in in_source:
            raise Undecided(Reason.DYNAMIC_VALUE, "script makes the group that hearts are put into", spawn.span)
        elements = tuple(element for element, _ in Variants(spawn.root).elements())
        kinds.append(_Kind(elements, spawn.span, spawn))
        put.extend(InsertNode(spawn.parent, element, 0, 0, spawn.span) for element in elements)
        for mutation in spawn.response.mutations if spawn.response is not None else ():
            if isinstance(mutation, SetAttribute) and mutation.element in in_source:
                changes[mutation.element, mutation.name] = mutation
    if not kinds:
        return
    parents = dict.fromkeys(kind.spawn.parent for kind in kinds if kind.spawn is not None)
    for base in _paces(evidence, state, tuple(parents)):
        mutations = (*base.mutations, *changes.values(), *put)
        yield _Hearts(replace(base, label=f"{base.label} with hearts", mutations=mutations), tuple(kinds))


def _is_heart(spawn: Spawn) -> bool:
    own = [read_name(word) for word in words_of(spawn.root)]
    around = [spawn.parent, *spawn.parent.iterancestors()][:2]
    named = says(own, _WORDS) >= _ENOUGH or any(says(names_of(element), _WORDS) >= _ENOUGH for element in around)
    return named or bool(_MENTION.search(spawn.root.text)) or any(map(is_heart_shaped, outlines_of(spawn.root)))


def _paces(evidence: Evidence, state: PageState, parents: Sequence[_Element]) -> Iterator[PageState]:
    """The state; and every pace, where what the hearts are put into moves with the dog."""
    yield state
    motion = evidence.motion(state)
    nodes = [node for parent in parents if (node := motion.scene.node(parent)) is not None]
    above = [one for node in nodes for one in (node, *node.ancestors())]
    if any(one.parent is not None and motion.animations(one) for one in above):
        for pace in evidence.states.values("pace"):
            if state.axes.get("pace") != pace:
                yield evidence.states.state(pace=pace, motion=state.axes.get("motion", "full"))


def _drawn(evidence: Evidence) -> Iterator[_Hearts]:
    """Hearts that markup has, shown by what a click changes."""
    scene = evidence.scene
    shapes = [
        node.element
        for node in scene.nodes[1:]
        if node.name in SHAPES
        and not node.uses
        and (_is_called_heart(node) or _waits_as_heart(evidence, node))
        and not any(one.name in ("defs", "symbol", "clipPath", "mask") for one in node.ancestors())
    ]
    if not shapes:
        return
    in_source = set(evidence.page.elements)
    seen: set[tuple[object, ...]] = set()
    initial = evidence.states.initial
    for response in (None, *evidence.script.responses):
        changes = tuple(
            mutation
            for mutation in (response.mutations if response is not None else ())
            if isinstance(mutation, SetAttribute) and mutation.element in in_source
        )
        key = tuple((mutation.element, mutation.name, mutation.value) for mutation in changes)
        if key not in seen and (response is None or response.type in ("click", "pointerdown", "mousedown")):
            seen.add(key)
            state = replace(initial, label="with hearts", mutations=(*initial.mutations, *changes))
            yield _Hearts(state, (_Kind(tuple(shapes), evidence.element_span(shapes[0])),))


def _is_called_heart(node: SceneNode) -> bool:
    return any(says(names_of(one.element), _WORDS) >= _ENOUGH for one in (node, *node.ancestors()) if one.parent)


def _waits_as_heart(evidence: Evidence, node: SceneNode) -> bool:
    """Whether a shape is drawn as a heart and not seen as the page loads; a heart that is seen may be the dog's tag."""
    if node.name != "path" or not is_heart_shaped(node.element.get("d", "")):
        return False
    return not is_painted(evidence.motion(evidence.states.initial), node)


# ---------------------------------------------------------------- how they move


def _movement(evidence: Evidence, state: PageState, kind: _Kind, wanted: Sequence[str]) -> Iterator[Finding]:
    spawn = kind.spawn
    styled = evidence.style(state)
    element = kind.elements[0]
    if element not in styled:
        return
    if spawn is not None and spawn.root.moved_by is not None:
        raise Undecided(Reason.SCRIPT_DRIVEN_MOTION, "script animates the hearts itself", spawn.root.moved_by)
    rules = list(_keyframes(styled, [element, *element.iterdescendants("*")]))
    moving = [(rule_, declarations) for rule_ in rules if (declarations := list(_moves(rule_)))]
    if not moving:
        if spawn is None:
            return
        yield Finding(
            "the hearts do not move: no keyframes with a transform apply to them",
            kind.span,
            data={"expected": list(wanted)},
        )
        return
    read = {name for _, declarations in moving for text, _ in declarations for name in _READ.findall(text)}
    given = set() if spawn is None else {name for name in spawn.root.style if name.startswith("--")}
    if spawn is not None:
        given.update(re.findall(r"(--[\w-]+)\s*:", str(spawn.root.attributes.get("style", ""))))
    else:
        given.update(name for name in read if styled.computed(element).custom(name) is not None)
    first = moving[0][1][0][1]
    place = _place_of(spawn)
    if not read & given:
        overridden = f", and it replaces {place[0]}" if place is not None else ""
        yield Finding(
            f"the hearts' keyframes read none of {', '.join(wanted)}{overridden}: all hearts rise from one place",
            first,
            related=(Related(place[1], "this places nothing while the animation runs"),) if place and place[1] else (),
            data={"read": sorted(read), "given": sorted(given)},
        )
        return
    if missing := [name for name in wanted if name not in read & given]:
        severity = Severity.WARNING if len(read & given) >= len(wanted) else Severity.ERROR
        yield Finding(
            f"the hearts' keyframes read {', '.join(sorted(read & given))}, expected {', '.join(wanted)}"
            f" (without {', '.join(missing)})",
            first,
            severity,
            data={"read": sorted(read), "given": sorted(given)},
        )
    if place is not None:
        yield Finding(f"{place[0]} of a heart does nothing: its animation replaces it", place[1], Severity.WARNING)


def _place_of(spawn: Spawn | None) -> tuple[str, Span | None] | None:
    if spawn is None:
        return None
    if "transform" in spawn.root.style:
        return "the inline transform", spawn.root.spans.get("transform")
    if "transform" in spawn.root.attributes:
        return "the transform attribute", spawn.root.spans.get("transform")
    return None


def _keyframes(styled: StyledDocument, elements: Iterable[_Element]) -> Iterator[AtRule]:
    for element in elements:
        if element not in styled:
            continue
        for token in styled.computed(element).value("animation-name"):
            if token.type in ("ident", "string"):
                found = styled.keyframes(str(token.value))
                if found is not None:
                    yield found


def _moves(keyframes: AtRule) -> Iterator[tuple[str, Span]]:
    """The declarations of a ``@keyframes`` rule that move: their text and place."""
    for stop in keyframes.rules:
        for declaration in stop.declarations:
            if declaration.name in _MOVES:
                yield declaration.value, declaration.span


# ---------------------------------------------------------------- where they go


def _outside(motion: Motion, kind: _Kind, least_opacity: float, slack: float) -> Finding | None:
    box = motion.scene.view_box
    nodes = [node for element in kind.elements if (node := motion.scene.node(element)) is not None]
    if box is None or not nodes:
        raise Undecided(Reason.SCENE_NOT_FOUND, "hearts are not in the scene", kind.span)
    spawn = kind.spawn
    if spawn is not None and spawn.root.moved_by is not None:
        raise Undecided(Reason.SCRIPT_DRIVEN_MOTION, "script animates the hearts itself", spawn.root.moved_by)
    times = _times(motion, nodes)
    boxes = motion.boxes(times, nodes)
    first, last = (_opacities(motion, node, times) for node in (nodes[0], nodes[-1]))
    common = first if np.array_equal(first, last) else None  # chance rarely has a part in it
    worst: tuple[float, str, SceneNode, float, float] | None = None
    for node in nodes:
        if node not in boxes:
            reason = motion.unknown.get(node, "dynamic-value")
            raise Undecided(_reason(reason), "where a heart is", kind.span)
        rows = boxes[node]
        opacity = _opacities(motion, node, times) if common is None else common
        seen = np.isfinite(rows[:, 0]) & (opacity >= least_opacity)
        if motion.style(node).keyword("visibility") in ("hidden", "collapse"):
            continue
        left, top, width, height = rows.T
        for side, beyond in (
            ("left", box.x - left),
            ("top", box.y - top),
            ("right", left + width - (box.x + box.width)),
            ("bottom", top + height - (box.y + box.height)),
        ):
            values = np.where(seen, beyond, -np.inf)
            at = int(np.argmax(values))
            if values[at] > slack and (worst is None or values[at] > worst[0]):
                worst = (
                    float(values[at]),
                    side,
                    node,
                    float(times[at]),
                    float(left[at] if side in ("left", "right") else top[at]),
                )
    if worst is None:
        return None
    by, side, node, time, edge = worst
    return Finding(
        f"a heart leaves the viewBox at its {side} by {by:.1f} units, {time:.2f} s after it appears"
        f" ({_written(node)}, {_where(motion.styled.state)})",
        kind.span,
        confidence=Confidence.CERTAIN,
        data={"side": side, "beyond": round(by, 2), "time": round(time, 3), "edge": round(edge, 2)},
    )


def _where(state: PageState) -> str:
    told = [f"{axis}={value}" for axis, value in state.axes.items() if axis in ("pace", "motion")]
    return ", ".join(told) or "as the page loads"


def _written(node: SceneNode) -> str:
    style = node.element.get("style") or ""
    found = re.findall(r"(--[\w-]+)\s*:\s*([^;]+)", style)
    return ", ".join(f"{name} {value.strip()}" for name, value in found[:4]) or f"<{node.name}>"


def _reason(key: str) -> Reason:
    try:
        return Reason(key)
    except ValueError:
        return Reason.DYNAMIC_VALUE


def _times(motion: Motion, nodes: Sequence[SceneNode]) -> NDArray[np.float64]:
    """From the moment a heart appears to the end of its animation, just before what happens then."""
    end = 0.0
    for node in (nodes[0], nodes[-1]):
        for one in (node, *node.descendants()):
            animations = motion.animations(one)
            if isinstance(animations, UnknownMotion):
                continue
            for specs in animations.values():
                for spec, _ in specs:
                    count = spec.iteration_count if np.isfinite(spec.iteration_count) else 1.0
                    end = max(end, spec.delay + spec.duration * min(count, 5.0))
    return np.linspace(0.0, max(end, 0.0) * (1 - 1e-6), _TIMES) if end > 0 else np.zeros(1)


def _opacities(motion: Motion, node: SceneNode, times: NDArray[np.float64]) -> NDArray[np.float64]:
    """The opacity of a node over times, with that of what is around it in the same particle."""
    result = np.ones(len(times))
    one: SceneNode | None = node
    while one is not None and one.parent is not None:
        style = motion.style(one)
        own = _animated_opacity(motion, one, style, times)
        result = result * (own if own is not None else _opacity(style))
        one = one.parent
    return result


def _opacity(style: ComputedStyle) -> float:
    number = style.number("opacity")
    return 1.0 if number is None else number


def _animated_opacity(
    motion: Motion, node: SceneNode, style: ComputedStyle, times: NDArray[np.float64]
) -> NDArray[np.float64] | None:
    animations = motion.animations(node)
    if isinstance(animations, UnknownMotion) or "opacity" not in animations:
        return None
    track = animate_property("opacity", animations["opacity"], style.value("opacity"))
    if isinstance(track, UnknownMotion):
        return None
    series = track.evaluate(times)
    numbers = series.numbers("number") if hasattr(series, "numbers") else None
    return None if numbers is None or not numbers.size else np.nan_to_num(numbers[:, 0], nan=1.0)
