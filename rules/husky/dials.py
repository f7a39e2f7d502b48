"""The dials (spec §2.1, §2.2): ``--cycle`` for everything of the gait, ``--glide-*`` for the strips of scenery."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from husky_lint.animation.smil import parse_clock
from husky_lint.rule import Finding, Reason, Related, Severity, Undecided, Verdict, rule
from husky_lint.script.journal import SetAttribute
from husky_lint.style.custom_properties import referenced_names
from husky_lint.style.values import parse_time, split_commas, split_spaces

from .rig import LEGS, STRIPS, rig_of
from .strips import animation_names, duration_of, moving_position, pace_states, strips_of, style_in, walk_state

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from lxml.etree import _Element

    from husky_lint.evidence import Evidence
    from husky_lint.scene.graph import SceneNode
    from husky_lint.source import Span
    from husky_lint.style.computed import ComputedStyle, StyledDocument
    from husky_lint.style.custom_properties import CustomValue
    from husky_lint.style.states import PageState

    from .rig import Rig
    from .strips import Strip

NOD: Final = 2.0
"""Seconds from which a movement of the head is a look around and no nod."""
_LIFE: Final = ("ear", "eye", "brow", "mouth_or_tongue", "tag", "detached_leg", "hearts", "nose")
"""Parts whose animations may keep their own time."""
_SAME: Final = 0.01


# ---------------------------------------------------------------------------------------------------------------------
# Strips


@rule("HB2104")
def parallax_dials(evidence: Evidence, dials: Sequence[str]) -> Iterator[Finding]:
    """A strip of scenery has no dial of its own, or runs at the wrong depth.

    ## What it checks
    Four strips scroll. The duration of each reaches its own one of `--glide-far`, `--glide-mid`, `--glide-near` and
    `--glide-dirt` through `var()`. The far strip is slowest, the dirt fastest, and what is farther is painted earlier.

    ## Why it matters
    The differences of speed are the depth of the park. A literal duration does not follow when the pace changes.

    ## Example that fails
    ```css
    .strip-mid { animation-duration: 24s; }
    ```

    ```css
    .strip-near { animation-duration: var(--glide-mid); }
    ```

    ```css
    .strip-far { animation: none; }
    ```

    ## Example that passes
    ```css
    .strip-mid { --own: calc(var(--glide-mid) * 1.5); animation-duration: var(--own); }
    ```
    """
    strips = strips_of(evidence)
    _refuse_driven(evidence, dials)
    readers: dict[str, Strip] = {}
    for strip in strips:
        reached = [dial for dial in dials if dial in strip.dials]
        span = _duration_span(evidence, strip.style)
        if not reached:
            yield Finding(
                f"the {strip.name} strip takes {strip.duration:g} s and reads none of {', '.join(dials)}",
                span,
                data={"strip": strip.name, "duration": strip.duration, "reads": sorted(strip.dials)},
            )
        for dial in reached[:1]:
            if dial in readers:
                yield Finding(
                    f"two strips run on {dial}; each has a dial of its own",
                    span,
                    related=(Related(_duration_span(evidence, readers[dial].style), "the other strip"),),
                    data={"dial": dial},
                )
            readers.setdefault(dial, strip)
    if len(strips) < len(STRIPS):
        _refuse_unknown_scenery(evidence)
        yield Finding(
            f"{len(strips)} strips of scenery scroll, not {len(STRIPS)}",
            evidence.element_span(evidence.scene.root.element),
            data={"strips": [strip.name for strip in strips]},
        )
    ordered = [(dial, readers[dial]) for dial in dials if dial in readers]
    for (slow_dial, slow), (fast_dial, fast) in itertools.pairwise(ordered):
        if slow.duration <= fast.duration:
            yield Finding(
                f"{slow_dial} is {slow.duration:g} s and {fast_dial} is {fast.duration:g} s; what is nearer is faster",
                _dial_span(evidence, slow, slow_dial),
                related=(Related(_dial_span(evidence, fast, fast_dial), f"{fast_dial}"),),
                data={slow_dial: slow.duration, fast_dial: fast.duration},
            )
        if fast_dial != dials[-1] and slow.node.index > fast.node.index:
            yield Finding(
                f"the strip on {slow_dial} is painted over the one on {fast_dial}, and scrolls slower: what is farther "
                f"is painted earlier",
                evidence.element_span(slow.element),
                related=(Related(evidence.element_span(fast.element), f"this strip runs on {fast_dial}"),),
            )


@rule("HB2105")
def parallax_ratio(evidence: Evidence, paces: Sequence[str], ratio: float) -> Iterator[Finding]:
    """A pace changes the ratio between the strips.

    ## What it checks
    At every pace the durations of the strips, as used, are those of walk divided by one common factor, to 2 %. A faster
    pace has shorter durations.

    ## Why it matters
    The ratio between the strips is the depth cue. If one strip keeps its speed while the others hurry, the park bends.

    ## Example that fails
    ```css
    #scene[data-speed="zoomies"] { --glide-far: 48s; }
    ```

    ```css
    #scene[data-speed="hop"] { --glide-far: 60s; --glide-mid: 30s; --glide-near: 15s; --glide-dirt: 7.5s; }
    ```

    ## Example that passes
    ```css
    #scene[data-speed="hop"] { --glide-far: 32s; --glide-mid: 16s; --glide-near: 8s; --glide-dirt: 4s; }
    ```
    """
    speeds = _factors(evidence, paces)
    before: tuple[str, float] | None = None
    for pace in paces:
        factors = speeds[pace]
        ordered = sorted(factors.items(), key=lambda item: item[1])
        common = ordered[len(ordered) // 2][1]
        off = max(factors, key=lambda strip: abs(factors[strip] / common - 1.0))
        slowest, fastest = ordered[0][1], ordered[-1][1]
        if fastest > slowest * (1.0 + ratio):
            told = ", ".join(f"{strip.name} ÷ {factor:.3f}" for strip, factor in factors.items())
            yield Finding(
                f"at {pace} the strips do not share one factor: {told} of walk; their ratio is the depth cue",
                _used_span(evidence, off, pace),
                data={"pace": pace, "factors": {strip.name: round(f, 4) for strip, f in factors.items()}},
            )
        if before is not None and common <= before[1]:
            yield Finding(
                f"{pace} is faster than {before[0]}, and the scenery is not: its factor is {common:.3f} after "
                f"{before[1]:.3f}",
                _used_span(evidence, off, pace),
                data={"pace": pace, "factor": common, "before": before[1]},
            )
        before = (pace, common)


@rule("HB2114")
def pace_speed(
    evidence: Evidence, paces: Sequence[str], cycle_property: str, cycles: Mapping[str, float], ratio: float
) -> Iterator[Finding | Verdict]:
    """The scenery's speed does not follow the stride.

    ## What it checks
    The factor that the strips share at a pace, against the cycle of walk divided by the cycle of that pace. Both
    numbers are shown. It is a warning: the spec can be read either way, and a factor that follows the ground speed of
    the paws is a good reason for another number.

    ## Why it matters
    “When a pace changes speed, the four parallax durations are divided by the same ratio.”

    ## Example that fails
    ```css
    #scene[data-speed="hop"] { --glide-far: 12s; --glide-mid: 6s; --glide-near: 3s; --glide-dirt: 1.5s; }
    ```

    ## Example that passes
    ```css
    #scene { --glide-far: calc(var(--cycle) * 48); --glide-mid: calc(var(--cycle) * 24); --glide-near: 12s; }
    #scene[data-speed] { --glide-far: calc(var(--cycle) * 48); --glide-mid: calc(var(--cycle) * 24);
      --glide-near: calc(var(--cycle) * 12); --glide-dirt: calc(var(--cycle) * 6); }
    ```
    """
    speeds = _factors(evidence, paces)
    measured = _cycles(evidence, paces, cycle_property)
    walk = measured.get("walk", cycles["walk"])
    apart = False
    for pace in paces:
        factors = sorted(speeds[pace].values())
        common = factors[len(factors) // 2]
        expected = walk / measured.get(pace, cycles[pace])
        if abs(common / expected - 1.0) > ratio:
            apart = True
            strip = next(iter(speeds[pace]))
            yield Finding(
                f"at {pace} the scenery is {common:.3f} times as fast as at walk, and the stride {expected:.3f} times",
                _used_span(evidence, strip, pace),
                severity=Severity.WARNING,
                data={"pace": pace, "factor": common, "expected": expected},
            )
    yield Verdict.failed() if apart else Verdict.passed()


# ---------------------------------------------------------------------------------------------------------------------
# The cycle


@rule("HB2211")
def cycle_dial(
    evidence: Evidence, paces: Sequence[str], cycle_property: str, cycles: Mapping[str, float], duration: float
) -> Iterator[Finding]:
    """The dial `--cycle` has another value than the contract's at a pace.

    ## What it checks
    `--cycle`, as the parts of the gait see it, is 1.06 s at stroll, 0.78 s at walk, 0.62 s at hop, 0.38 s at zoomies.

    ## Why it matters
    Counters, poses and the audit all count on these strides.

    ## Example that fails
    ```css
    #scene[data-speed="hop"] { --cycle: .7s; }
    ```

    ```css
    .dog { --cycle: .78s; }
    ```

    ## Example that passes
    ```css
    #scene[data-speed="hop"] { --cycle: calc(620ms); }
    ```
    """
    _refuse_driven(evidence, [cycle_property])
    for pace, state in pace_states(evidence, paces).items():
        expected = cycles[pace]
        seen = _cycle_values(evidence, state, cycle_property)
        if not seen:
            yield Finding(
                f"nothing sets {cycle_property} at {pace}; it is {expected:g}s",
                evidence.element_span(evidence.scene.root.element),
                data={"pace": pace, "measured": None, "expected": expected},
            )
        told: set[object] = set()
        for value, element in seen:
            if value.reason is not None:
                raise Undecided(Reason(value.reason), f"{cycle_property} at {pace}")
            seconds = parse_time(value.tokens or ())
            key = value.declaration
            if (seconds is None or abs(seconds - expected) > duration) and key not in told:
                told.add(key)
                measured = "no time" if seconds is None else f"{seconds:g} s"
                yield Finding(
                    f"{cycle_property} is {measured} at {pace}; it is {expected:g} s",
                    value.declaration.span if value.declaration is not None else evidence.element_span(element),
                    data={"pace": pace, "measured": seconds, "expected": expected},
                )


@rule("HB2212")
def one_dial(evidence: Evidence, paces: Sequence[str], cycle_property: str) -> Iterator[Finding]:
    """A part of the gait keeps its own time instead of `--cycle`.

    ## What it checks
    At every pace the duration of each animation of the gait reaches `--cycle` through `var()`: the joints of the legs,
    the dots, the bob of the body, the nod, the tail and the shadow. What lives on by itself (a look around, an ear, an
    eye, the tongue, clouds) and what happens once may have a time of its own. A duration that script writes next to
    `--cycle` counts when it keeps one ratio to it at every pace.

    ## Why it matters
    One dial turns the whole dog. A literal that is right at walk is wrong as soon as the pace changes: legs and body
    drift apart.

    ## Example that fails
    ```css
    .fore .lower { animation-duration: .78s; }
    ```

    ```css
    .tail { animation: wag .78s ease-in-out calc(var(--cycle) * -.2) infinite; }
    ```

    ```css
    #scene[data-speed="zoomies"] .dog { animation-duration: .19s; }
    ```

    ## Example that passes
    ```css
    .tail { --wag: calc(var(--cycle) * 2); animation: wag var(--wag) ease-in-out infinite, lift 9s infinite; }
    .head { animation-duration: 4.4s; }
    ```
    """
    _refuse_driven(evidence, [cycle_property])
    rig = rig_of(evidence)
    if not rig.legs:
        raise Undecided(Reason.ROLE_NOT_FOUND, "no legs could be told")
    states = pace_states(evidence, paces)
    parts = _gait_parts(evidence, rig)
    told: set[Span] = set()
    for pace, state in states.items():
        styled = evidence.style(state)
        for name, node in parts:
            for fault in _literals(evidence, styled, node, name, cycle_property):
                if fault.span not in told:
                    told.add(fault.span)
                    yield _judge_literal(evidence, fault, pace, states, cycle_property)
    yield from _smil(evidence, parts, states, cycle_property)


# ---------------------------------------------------------------------------------------------------------------------
# What the rules share


def _refuse_driven(evidence: Evidence, names: Iterable[str]) -> None:
    """Script that writes a dial on every frame makes it a value of run time."""
    wanted = {f"style/{name}" for name in names}
    for driven in evidence.script.driven:
        if driven.part in wanted:
            raise Undecided(Reason.SCRIPT_DRIVEN_MOTION, f"script keeps writing {driven.part[6:]}", driven.effect.span)


def _refuse_unknown_scenery(evidence: Evidence) -> None:
    motion = evidence.motion(walk_state(evidence))
    for node in motion.scene.nodes[1:]:
        reason = motion.unknown.get(node)
        if reason is not None and reason not in ("text", "foreign-object"):
            raise Undecided(
                Reason(reason) if reason in set(Reason) else Reason.UNSUPPORTED_CSS, "some of the scenery is not known"
            )


def _duration_span(evidence: Evidence, style: ComputedStyle) -> Span:
    declaration = style.declaration("animation-duration")
    return declaration.span if declaration is not None else evidence.element_span(style.element)


def _dial_span(evidence: Evidence, strip: Strip, dial: str) -> Span:
    declaration = strip.style.declaration(dial)
    return declaration.span if declaration is not None else _duration_span(evidence, strip.style)


def _used_span(evidence: Evidence, strip: Strip, pace: str) -> Span:
    """Where a strip's duration at a pace is set: its dial, else the duration itself."""
    style = style_in(evidence, evidence.states.state(pace=pace), strip.node)
    for dial in sorted(strip.dials):
        declaration = style.declaration(dial)
        if declaration is not None:
            return declaration.span
    return _duration_span(evidence, style)


def _factors(evidence: Evidence, paces: Sequence[str]) -> dict[str, dict[Strip, float]]:
    """How many times as fast as at walk each strip is, at every pace."""
    strips = strips_of(evidence)
    if len(strips) < 2:
        _refuse_unknown_scenery(evidence)
        raise Undecided(Reason.ROLE_NOT_FOUND, f"{len(strips)} strips of scenery scroll")
    _refuse_driven(evidence, [dial for strip in strips for dial in strip.dials])
    states = pace_states(evidence, paces)
    found: dict[str, dict[Strip, float]] = {}
    for pace, state in states.items():
        styled = evidence.style(state)
        found[pace] = {}
        for strip in strips:
            style = style_in(evidence, state, strip.node)
            reason = style.unknown("animation-duration")
            if reason is not None:
                raise Undecided(Reason(reason), f"the duration of the {strip.name} strip at {pace}")
            seconds = duration_of(style, moving_position(style, styled)) if animation_names(style) else 0.0
            found[pace][strip] = strip.duration / seconds if seconds > 0 else 1e-9
    return found


# ---------------------------------------------------------------- the cycle


def _leg_nodes(rig: Rig) -> list[tuple[str, SceneNode]]:
    return [
        (f"the {name.replace('_', ' ')} leg", joint.node)
        for name in LEGS
        if name in rig.legs
        for joint in rig.legs[name].joints
    ]


def _cycle_values(evidence: Evidence, state: PageState, name: str) -> list[tuple[CustomValue, _Element]]:
    """The values of the dial that the legs see in a state; that of the scene where there are no legs."""
    styled = evidence.style(state)
    found: dict[int, tuple[CustomValue, _Element]] = {}
    nodes = [node for _, node in _leg_nodes(rig_of(evidence))] or [evidence.scene.root]
    for node in nodes:
        style = _style(styled, node)
        if style is None:
            continue
        value = style.custom_value(name)
        if value.tokens is not None or value.reason is not None:
            found[id(value)] = (value, node.element)
    return list(found.values())


def _cycles(evidence: Evidence, paces: Sequence[str], name: str) -> dict[str, float]:
    found: dict[str, float] = {}
    for pace, state in pace_states(evidence, paces).items():
        for value, _ in _cycle_values(evidence, state, name):
            seconds = parse_time(value.tokens or ())
            if seconds:
                found[pace] = seconds
    return found


def _style(styled: StyledDocument, node: SceneNode) -> ComputedStyle | None:
    try:
        return styled.clone_computed(node.uses, node.element) if node.uses else styled.computed(node.element)
    except KeyError:
        return None


def _gait_parts(evidence: Evidence, rig: Rig) -> list[tuple[str, SceneNode]]:
    """The nodes whose animations are of the gait, by what to call them: parts, and the groups around the legs."""
    motion = evidence.motion(walk_state(evidence))
    legs = _leg_nodes(rig)
    for name, node in legs:
        if motion.is_script_driven(node):
            raise Undecided(Reason.SCRIPT_DRIVEN_MOTION, f"script moves {name}")
    found: dict[SceneNode, str] = {node: name for name, node in legs}
    roles = [f"dots.{leg}" for leg in LEGS]
    for role in (*roles, "contact_shadow", "tail", "tail_tip", "body", "dog"):
        if role in rig.parts:
            for node in rig.parts[role].nodes:
                found.setdefault(node, "a contact dot" if role in roles else f"the {role.replace('_', ' ')}")
    tails = {node for node, name in found.items() if name == "the tail"}
    for node in tuple(found):
        for above in node.ancestors():
            found.setdefault(above, "the tail" if tails.intersection(above.ancestors()) else "the body's bob")
    life = {node for role in _LIFE if role in rig.parts for node in rig.parts[role].nodes}
    for role in ("skull", "head", "neck"):
        for node in rig.parts[role].nodes if role in rig.parts else ():
            for one in (node, *node.ancestors()):
                found.setdefault(one, "the nod")
    return [(name, node) for node, name in found.items() if node not in life]


@dataclass(frozen=True, slots=True, eq=False)
class Literal:
    """An animation of the gait whose duration does not reach the dial."""

    part: str
    node: SceneNode
    position: int
    seconds: float
    span: Span


def _literals(evidence: Evidence, styled: StyledDocument, node: SceneNode, part: str, dial: str) -> Iterator[Literal]:
    style = _style(styled, node)
    if style is None or not style.declares("animation-name"):
        return
    names = animation_names(style)
    if not names:
        return
    reason = style.unknown("animation-duration")
    if reason is not None:
        raise Undecided(Reason(reason), f"the duration of {part}")
    counts = style.text("animation-iteration-count").split(", ")
    sources = _sources(style, len(names))
    for position, name in enumerate(names):
        seconds = duration_of(style, position)
        keyframes = styled.keyframes(name)
        if keyframes is None or seconds <= 0 or counts[position % len(counts)] != "infinite":
            continue
        if part == "the nod" and seconds >= NOD:
            continue
        if position and not _is_motion(keyframes):
            continue
        if not any(_reaches(style, source, dial) for source in sources[position % len(sources)]):
            if position and seconds >= NOD:
                continue  # a slow second movement beside the one of the gait
            yield Literal(part, node, position, seconds, _duration_span(evidence, style))


def _is_motion(keyframes: object) -> bool:
    properties = {"transform", "translate", "rotate", "scale", "offset-distance"}
    rules = getattr(keyframes, "rules", ())
    return any(d.name in properties for stop in rules for d in stop.declarations)


def _reaches(style: ComputedStyle, name: str, dial: str) -> bool:
    return name == dial or dial in style.dependencies(name).names


def _sources(style: ComputedStyle, count: int) -> list[frozenset[str]]:
    """For each animation of an element, the custom properties that its duration is written with."""
    declared = style.resolve("animation-duration").declared
    if declared is None or not declared.has_var:
        return [frozenset()]
    items = split_commas(declared.tokens)
    if declared.shorthand is None:
        return [frozenset(referenced_names(item)) for item in items]
    if len(items) < count:  # a variable holds several animations
        return [frozenset(referenced_names(declared.tokens))]
    return [_shorthand_source(style, item) for item in items]


def _shorthand_source(style: ComputedStyle, item: Sequence[object]) -> frozenset[str]:
    """The custom properties in the first time of one animation of the shorthand, which is its duration."""
    for token in split_spaces(list(item)):
        names = frozenset(referenced_names([token]))
        if not names:
            if parse_time([token]) is not None:
                return frozenset()
            continue
        substituted = style.substitute([token])
        if substituted is None:
            continue
        inner = split_spaces(substituted)
        if any(parse_time([one]) is not None for one in inner):
            return names
    return frozenset()


def _judge_literal(
    evidence: Evidence, fault: Literal, pace: str, states: Mapping[str, PageState], dial: str
) -> Finding:
    """The finding of a literal: no fault where script keeps it in one ratio to the dial at every pace."""
    by_script = any(
        isinstance(mutation, SetAttribute) and mutation.name == "style" and mutation.element is fault.node.element
        for mutation in states[pace].mutations
    )
    ratios = _ratios(evidence, fault, states, dial)
    steady = by_script and len(ratios) == len(states) and max(ratios) <= min(ratios) * (1.0 + _SAME)
    if steady:
        return Finding(
            f"the duration of {fault.part} does not read {dial}, but script keeps it at {ratios[0]:.3g} of it at every "
            f"pace",
            fault.span,
            severity=Severity.WARNING,
            data={"part": fault.part, "ratio": ratios[0]},
        )
    return Finding(
        f"{fault.part} takes {fault.seconds:g} s at {pace} whatever {dial} is; write it as var({dial}) or a calc() of "
        f"it",
        fault.span,
        data={"part": fault.part, "pace": pace, "seconds": fault.seconds},
    )


def _ratios(evidence: Evidence, fault: Literal, states: Mapping[str, PageState], dial: str) -> list[float]:
    found = []
    for state in states.values():
        style = _style(evidence.style(state), fault.node)
        cycle = parse_time(style.custom(dial) or ()) if style is not None else None
        if style is not None and cycle and animation_names(style):
            found.append(duration_of(style, fault.position) / cycle)
    return found


def _smil(
    evidence: Evidence, parts: Iterable[tuple[str, SceneNode]], states: Mapping[str, PageState], dial: str
) -> Iterator[Finding]:
    for name, node in parts:
        for child in node.children:
            if child.name not in ("animateTransform", "animateMotion") or name == "the nod":
                continue
            ratios = _smil_ratios(evidence, node, child.element, states, dial)
            steady = len(ratios) == len(states) and max(ratios) <= min(ratios) * (1.0 + _SAME)
            yield Finding(
                f"{name} is moved by <{child.name}>, whose dur cannot read a custom property"
                + (f", but script keeps it at {ratios[0]:.3g} of {dial} at every pace" if steady else ""),
                evidence.attribute_span(child.element, "dur"),
                severity=Severity.WARNING if steady else Severity.ERROR,
                data={"part": name},
            )


def _smil_ratios(
    evidence: Evidence, node: SceneNode, element: _Element, states: Mapping[str, PageState], dial: str
) -> list[float]:
    """The duration of an SVG animation element by the dial, at each pace where script has written it."""
    found = []
    for state in states.values():
        written = [
            one.value
            for one in state.mutations
            if isinstance(one, SetAttribute) and one.element is element and one.name == "dur"
        ]
        style = _style(evidence.style(state), node)
        cycle = parse_time(style.custom(dial) or ()) if style is not None else None
        seconds = parse_clock(written[-1] or "") if written else None
        if cycle and seconds:
            found.append(seconds / cycle)
    return found
