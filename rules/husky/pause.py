"""Pause (spec §2.2): the gait stops, the animal lives on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from husky_lint.rule import Finding, Reason, Related, Undecided, rule

from .pause_control import paused_states, refuse_interface, refuse_undoing
from .rig import rig_of
from .running import gait_parts, head_chain, nods, play_state_span, running
from .seen import counterpart
from .smil_running import smil_running
from .strides import strides

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from husky_lint.evidence import Evidence
    from husky_lint.scene.graph import SceneNode
    from husky_lint.scene.motion import Motion
    from husky_lint.source import Span


@rule("HB2204")
def pause_stops_gait(evidence: Evidence, paces: Sequence[str]) -> Iterator[Finding]:
    """Pause leaves something of the gait running.

    ## What it checks
    With pause pressed, at every pace, each animation of the gait that is seen is paused or gone: the joints of the
    legs, the leg that came loose at hop, contact dots, the bob of the body, the nod, the shadow and the four strips.
    Tail, tag, clouds and whatever else lives may go on. A fault at some paces only does not fail the row by itself.

    ## Why it matters
    A rule that pauses loses to a later `animation` shorthand of the same specificity, which sets the play state back
    to running: at one pace a part goes on over a dog that stands.

    ## Example that fails
    ```css
    #scene[data-paused="true"] .lower { animation-play-state: running; }
    ```

    ```css
    #scene[data-paused="true"][data-speed="hop"] .runaway { animation: run-away 2.4s both; }
    ```

    ```js
    setPaused = function () {};
    ```

    ## Example that passes
    ```css
    #scene[data-paused="true"] .pawgrp { animation: none; }
    ```
    """
    paused = paused_states(evidence, paces)
    if paused.dead is not None:
        yield Finding(paused.dead, paused.span or evidence.element_span(evidence.scene.root.element), core=True)
        return
    failing: dict[SceneNode, list[str]] = {}
    found: list[tuple[SceneNode, str, str, str, Span]] = []
    for pace, state in paused.states.items():
        motion = evidence.motion(state)
        for node, what, name in _still_running(evidence, motion, pace):
            if node not in failing:
                here = counterpart(motion, node)
                span = play_state_span(evidence, motion, here if here is not None else node)
                found.append((node, what, name, pace, span))
            failing.setdefault(node, []).append(pace)
    if failing:
        refuse_interface(evidence)
    else:
        refuse_undoing(evidence)
    everywhere = {pace for where in failing.values() for pace in where} == set(paused.states)
    told: set[Span] = set()
    for node, what, name, _, span in found:
        if span in told:
            continue
        told.add(span)
        where = "at every pace" if len(failing[node]) == len(paused.states) else f"at {', '.join(failing[node])}"
        yield Finding(
            f"{what} goes on while paused, {where}: the animation {name} runs on",
            span,
            core=everywhere,
            related=(Related(evidence.element_span(node.element), "on this element"),),
            data={"part": what, "animation": name, "paces": failing[node]},
        )


@rule("HB2205")
def paused_but_alive(evidence: Evidence, paces: Sequence[str]) -> Iterator[Finding]:
    """Pause freezes the animal: it no longer looks around, or no ear flicks.

    ## What it checks
    With pause pressed, at every pace, an animation still turns or moves the head (the skull or a group around it that
    does not hold the legs) and one still moves the ear.

    ## Why it matters
    Pause stops the walk, not the animal. A dog that stands and looks around is alive; a frozen one is a picture.

    ## Example that fails
    ```css
    #scene[data-paused="true"] * { animation-play-state: paused !important; }
    ```

    ```css
    #scene[data-paused="true"] .ear { animation: none; }
    ```

    ## Example that passes
    ```css
    #scene[data-paused="true"] .eye { animation-play-state: paused; }
    ```
    """
    rig = rig_of(evidence)
    head, doubt = _head_or_above(evidence)
    ear = ear_chain(evidence)
    paused = paused_states(evidence, paces)
    if paused.dead is not None:
        raise Undecided(Reason.STATE_NOT_FOUND, paused.dead)
    refuse_interface(evidence)
    lacking: dict[str, list[str]] = {"head": [], "ear": []}
    for pace, state in paused.states.items():
        motion = evidence.motion(state)
        for name, chain in (("head", head), ("ear", ear)):
            if not any(running(motion, node) or smil_running(evidence, motion, node) for node in chain):
                lacking[name].append(pace)
            elif name == "head" and doubt is not None:
                raise doubt
    everywhere = any(len(where) == len(paused.states) for where in lacking.values())
    for name, where in lacking.items():
        chain = head if name == "head" else ear
        if not where:
            continue
        _refuse_scripted(evidence, chain)
        motion = evidence.motion(paused.states[where[0]])
        stopped = next((node for node in chain if _stands(motion, node)), None)
        what = "look around" if name == "head" else "flick of the ear"
        yield Finding(
            f"no {what} while paused, "
            + ("at every pace" if len(where) == len(paused.states) else f"at {', '.join(where)}")
            + ("" if stopped is not None else ": nothing animates it"),
            play_state_span(evidence, motion, stopped)
            if stopped is not None
            else evidence.element_span((chain[0] if chain else rig.part("skull").node).element),
            core=everywhere,
            data={"part": name, "paces": where},
        )


# ---------------------------------------------------------------- what the rules share


def _still_running(evidence: Evidence, motion: Motion, pace: str) -> Iterator[tuple[SceneNode, str, str]]:
    for node, what in gait_parts(evidence).items():
        # What happens once, such as a fade when the page opens, is over; but the loose leg flies while it is looked at.
        once = what == "the loose leg"
        for one in (*running(motion, node), *smil_running(evidence, motion, node)):
            if one.endless or once:
                yield node, what, one.name
                break
    stride = strides(evidence).get(pace)
    if stride is None or "skull" not in rig_of(evidence).parts:
        return
    for node in head_chain(evidence):
        for one in nods(running(motion, node), stride.cycle):
            yield node, "the nod", one.name
            break


def _head_or_above(evidence: Evidence) -> tuple[Sequence[SceneNode], Undecided | None]:
    """The nodes that turn the head. Where the gait is not told: all that carry it, and why that cannot be told.

    Where none of these runs the head is still, whatever of them belongs to the gait.
    """
    skull = rig_of(evidence).part("skull").node
    try:
        return head_chain(evidence), None
    except Undecided as undecided:
        return [node for node in (skull, *skull.ancestors()) if node.parent is not None], undecided


def ear_chain(evidence: Evidence) -> list[SceneNode]:
    """The ear, what is in it, and the groups around it that are not around the skull too."""
    rig = rig_of(evidence)
    ears = rig.part("ear").nodes
    skull = set(rig.part("skull").node.ancestors()) if "skull" in rig.parts else set()
    around = [above for node in ears for above in node.ancestors() if above not in skull and above.parent is not None]
    return list(dict.fromkeys([*ears, *(one for node in ears for one in node.descendants()), *around]))


def _stands(motion: Motion, node: SceneNode) -> bool:
    """Whether a node has an animation, which does not run."""
    here = counterpart(motion, node)
    if here is None or not motion.is_displayed(here):
        return False
    style = motion.style(here)
    return style.text("animation-name") not in ("", "none")


def _refuse_scripted(evidence: Evidence, chain: Sequence[SceneNode]) -> None:
    """Script that touches a part on a timer may well move it."""
    elements = {node.element for node in chain}
    for response in evidence.script.responses:
        if response.type in ("timer", "frame"):
            for effect in response.effects:
                if effect.element in elements and effect.kind in ("class", "attribute", "style-property", "animation"):
                    raise Undecided(Reason.SCRIPT_DRIVEN_MOTION, "script moves it on a timer", effect.span)
