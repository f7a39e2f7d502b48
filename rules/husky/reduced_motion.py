"""Reduced motion (spec §2.2): a correct still, and a button to start the walk all the same."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from husky_lint.rule import Finding, Reason, Related, Severity, Undecided, rule
from husky_lint.scene.graph import SHAPES
from husky_lint.script.journal import InsertNode, apply_all, undo_all

from .kinematics import transformed
from .rig import LEGS, rig_of
from .running import gait_parts, is_animated, may_run, play_state_span, state_of
from .seen import counterpart, seen
from .smil_running import clock_runs
from .strides import GONE_AT, sole_points
from .visibility import is_painted, view_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from lxml.etree import _Element

    from husky_lint.evidence import Evidence
    from husky_lint.scene.graph import SceneNode
    from husky_lint.scene.motion import Motion
    from husky_lint.source import Span
    from husky_lint.style.playthrough import Model
    from husky_lint.style.states import PageState

    from .rig import Leg

_TIMES: Final = (1.0, 1.13, 1.31, 1.67, 2.03, 2.9, 4.7, 7.3)
"""Seconds at which the still is compared with itself: no gait has a period that meets all of them."""
_CONTROLS: Final = frozenset({"button", "a", "input", "summary", "label"})
_ROLES: Final = frozenset({"button", "switch", "checkbox", "link"})
_MOST_BELOW: Final = 14.0
"""Units below the path band that no still paw is."""


@rule("HB2208")
def reduced_motion_still(
    evidence: Evidence, paces: Sequence[str], default_pace: str, path_band: Sequence[float], still_motion: float
) -> Iterator[Finding]:
    """With reduced motion the walk runs, or the still is no correct picture.

    ## What it checks
    For a visitor who prefers reduced motion, at every pace, no part of the gait and nothing of the scenery moves: legs,
    bob, wag, contact dots, shadow, the loose leg, strips, clouds. All legs that belong to the pace are seen, at the
    default pace at least two of them on the path and none below it.

    ## Why it matters
    Such visitors get sick of motion. What they see instead must be a dog that stands, not one whose legs are gone.

    ## Example that fails
    ```css
    #scene[data-still="true"] .upper { animation: fore-upper var(--cycle) infinite !important; }
    ```

    ```css
    #scene[data-still="true"] .strip { animation: glide 48s linear infinite !important; }
    ```

    ```css
    #scene[data-still="true"] .fore.far { display: none; }
    ```

    ```css
    #scene[data-still="true"] .tail { animation: wag 1s infinite !important; }
    @keyframes wag { 50% { transform: rotate(9deg); } }
    ```

    ## Example that passes
    ```css
    #scene[data-still="true"] .strip { animation: glide .01ms !important; }
    ```
    """
    parts = {**_wagging(evidence), **gait_parts(evidence)}
    told: set[Span] = set()
    for pace in paces:
        state = state_of(evidence, motion="reduced", pace=pace)
        motion = evidence.motion(state)
        looked_at = {**_scenery(evidence, motion), **parts}
        for node, span in _moving(evidence, motion, looked_at, still_motion):
            if span not in told:
                told.add(span)
                yield Finding(
                    f"{looked_at[node]} moves at {pace} for visitors who prefer reduced motion",
                    span,
                    related=(Related(evidence.element_span(node.element), "this element"),),
                    data={"part": looked_at[node], "pace": pace},
                )
        yield from _wrong_still(evidence, motion, pace, pace == default_pace, path_band)


@rule("HB2209")
def start_button(evidence: Evidence, label: str) -> Iterator[Finding]:
    """With reduced motion there is no `Start the walk` in the controls, or it starts nothing.

    ## What it checks
    For a visitor who prefers reduced motion a control that says `Start the walk` stands in the element of class
    `controls` that the page has anyway, and a click on it makes the legs move. Other words or another place among the
    controls do not fail the row by themselves. One that the page shows to everybody is told, without failing.

    ## Why it matters
    The still is a default, not a verdict: whoever wants the walk can have it, where the other controls are.

    ## Example that fails
    ```js
    document.querySelector(".controls").lastElementChild.textContent = "Go";
    ```

    ```css
    @media (prefers-reduced-motion: reduce) { #scene * { animation: none !important; } }
    ```

    ```js
    document.body.append(document.querySelector(".controls").lastElementChild);
    ```

    ## Example that passes
    ```js
    document.querySelector(".controls").lastElementChild.className = "start";
    ```
    """
    survey = evidence.script_in(evidence.states.state(motion="reduced").media)
    state = state_of(evidence, motion="reduced")
    found = _labelled(evidence, state, label)
    if not found:
        if survey.limit or any(e.kind == "insert" and not e.certain for e in survey.effects):
            raise Undecided(Reason.DYNAMIC_VALUE, "what script adds for reduced motion could not be told")
        similar = _labelled(evidence, state, label.split(maxsplit=1)[0])
        close = next((text for _, text, _ in similar), None)
        yield Finding(
            f"no control says “{label}” for visitors who prefer reduced motion"
            + (f"; one says “{close}”" if close is not None else ""),
            _inserted_span(state) or _controls_span(evidence),
            core=close is None,
            data={"expected": label, "measured": close},
        )
        return
    element, text, place = found[0]
    span = _place_span(evidence, state, element)
    if place is None:
        yield Finding(f"“{text}” stands outside the page's .controls; append it there", span, core=True)
    elif place == "new":
        yield Finding(
            f"“{text}” stands in a .controls that script makes; append it to the one of the page", span, core=False
        )
    elif place == "similar":
        yield Finding(f"“{text}” stands among the controls, which are not of class controls", span, core=False)
    if _shown_to_all(evidence, label):
        yield Finding(f"“{text}” is shown without reduced motion too", span, severity=Severity.WARNING)
    yield from _starts(evidence, text, label, span)


# ---------------------------------------------------------------- the still


def _moving(
    evidence: Evidence, motion: Motion, parts: Iterable[SceneNode], still_motion: float
) -> Iterator[tuple[SceneNode, Span]]:
    """The parts whose shapes are seen to move, outermost first, with what makes them."""
    here = {node: there for node in parts if (there := counterpart(motion, node)) is not None}
    shown = {node: there for node, there in here.items() if motion.is_displayed(there)}
    for there in shown.values():
        if motion.is_script_driven(there):
            raise Undecided(Reason.SCRIPT_DRIVEN_MOTION, "script moves a part of the gait")
    able = {node: there for node, there in shown.items() if _may_move(evidence, motion, there)}
    if not able:
        return
    times = np.array(_TIMES)
    matrices = motion.matrices(set(able.values()), times)
    boxes = motion.boxes(times, [one for one in able.values() if one.name in SHAPES])
    moved: set[SceneNode] = set()
    for node in sorted(able, key=lambda one: one.index):
        there = able[node]
        if any(above in moved for above in there.ancestors()):
            continue
        shift = _shift(matrices.get(there))
        if there in boxes and np.isfinite(boxes[there]).all():
            shift = max(shift, float(np.ptp(boxes[there], axis=0).max()))
        if shift > still_motion and _is_seen(motion, there):
            moved.add(there)
            yield node, play_state_span(evidence, motion, there)


def _may_move(evidence: Evidence, motion: Motion, node: SceneNode) -> bool:
    """Whether a node has an animation of its own that could run."""
    if may_run(motion, node):
        return True
    return any(child.name.startswith("animate") for child in node.children) and clock_runs(evidence, motion)


def _wagging(evidence: Evidence) -> dict[SceneNode, str]:
    """The tail, which the spec counts to the gait: a paused dog may wag, one in a still does not."""
    rig = rig_of(evidence)
    roles = [role for role in ("tail", "tail_tip") if role in rig.parts]
    return {node: "the tail" for role in roles for node in rig.parts[role].nodes}


def _scenery(evidence: Evidence, motion: Motion) -> dict[SceneNode, str]:
    """What is around the dog and has an animation that could run, such as clouds."""
    rig = rig_of(evidence)
    animal = {node.element for role in ("dog", "hearts") if role in rig.parts for node in rig.parts[role].nodes}
    animal |= {node.element for node in gait_parts(evidence)}
    found = {}
    for node in motion.scene.nodes[1:]:
        if _may_move(evidence, motion, node) and motion.is_displayed(node):
            around = {node.element, *(above.element for above in node.ancestors())}
            if not around & animal:
                found[node] = f"<{node.name}> of the scenery"
    return found


def _shift(matrix: Any) -> float:
    """Units that points of the drawing are moved between any two of the instants."""
    if matrix is None or not np.isfinite(matrix).all():
        return 0.0
    corners = transformed(matrix, np.array([[300.0, 100.0], [620.0, 100.0], [300.0, 340.0], [620.0, 340.0]]))
    return float(np.ptp(corners, axis=0).max())


def _is_seen(motion: Motion, node: SceneNode) -> bool:
    shapes = [one for one in (node, *node.descendants()) if one.name in SHAPES and motion.is_displayed(one)]
    return bool(shapes) and bool(seen(motion, shapes, _TIMES).any())


def _wrong_still(
    evidence: Evidence, motion: Motion, pace: str, default: bool, path_band: Sequence[float]
) -> Iterator[Finding]:
    """A leg that is not there, or does not stand."""
    rig = rig_of(evidence)
    top, bottom = path_band
    gone = GONE_AT.get(pace, frozenset())
    legs = {name: rig.leg(name) for name in LEGS if name not in gone}
    lost = [name for name, leg in legs.items() if not _leg_is_seen(motion, leg)]
    stay = [name for name in gone if _leg_is_seen(motion, rig.leg(name))]
    if len(lost) == len(stay) == 1 and lost[0].endswith("_fore"):
        lost = []  # three legs are left: that it is the wrong one that goes is the hop's clauses' affair
    for name, leg in legs.items():
        if name in lost:
            yield Finding(
                f"the {name.replace('_', ' ')} leg is not seen in the still at {pace}",
                evidence.element_span(leg.joints[0].node.element),
                data={"leg": name, "pace": pace},
            )
    lowest = _lowest(motion, legs)
    for name, depth in lowest.items():
        if depth > bottom + _MOST_BELOW:
            yield Finding(
                f"the {name.replace('_', ' ')} paw is at y {depth:.0f} in the still at {pace}, below the path "
                f"({top:g}–{bottom:g})",
                evidence.element_span(rig.legs[name].joints[0].node.element),
                data={"leg": name, "pace": pace, "y": depth},
            )
    standing = [name for name, depth in lowest.items() if top - 2.0 <= depth <= bottom + 2.0]
    if default and len(lowest) == len(LEGS) and len(standing) < 2:
        heights = ", ".join(f"{name.replace('_', ' ')} {depth:.0f}" for name, depth in lowest.items())
        yield Finding(
            f"the dog does not stand on the path in the still at {pace}: paws at y {heights}",
            evidence.element_span(rig.part("dog").node.element),
            data={"paws": lowest, "expected": list(path_band)},
        )


def _leg_is_seen(motion: Motion, leg: Leg) -> bool:
    shapes = [there for shape in (*leg.shapes, *leg.sole) if (there := counterpart(motion, shape)) is not None]
    painted = [shape for shape in shapes if is_painted(motion, shape)]
    view = view_of(motion.scene)
    for box in motion.boxes([1.0], painted[:2]).values():
        if box[0, 0] < view[2] and box[0, 0] + box[0, 2] > view[0] and box[0, 1] < view[3]:
            return True
    return bool(seen(motion, shapes, [0.0, 1.0]).all())


def _lowest(motion: Motion, legs: Mapping[str, Leg]) -> dict[str, float]:
    """The lowest y of each leg's sole, where it can be told."""
    soles: dict[SceneNode, str] = {}
    for name, leg in legs.items():
        for sole in leg.sole:
            there = counterpart(motion, sole)
            if there is not None and motion.is_displayed(there) and there not in motion.unknown:
                soles[there] = name
    matrices = motion.matrices(set(soles), np.array([1.0]))
    lowest: dict[str, float] = {}
    for there, name in soles.items():
        depth = float(transformed(matrices[there], sole_points(motion, there))[..., 1].max())
        lowest[name] = max(lowest.get(name, depth), depth)
    return lowest


# ---------------------------------------------------------------- the button


def _says(element: _Element) -> str:
    """What a control says: its text, its label, its value, its title."""
    texts = ["".join(map(str, element.itertext())), *(element.get(n) or "" for n in ("aria-label", "value", "title"))]
    return " · ".join(dict.fromkeys(text for text in (" ".join(one.split()) for one in texts) if text))


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))


def _labelled(evidence: Evidence, state: PageState, label: str) -> list[tuple[_Element, str, str | None]]:
    """The shown controls that say a label, what they say, and where they stand."""
    apply_all(state.mutations)
    try:
        added = {m.node for m in state.mutations if isinstance(m, InsertNode)}
        found = []
        for element in evidence.page.root.iter("*"):
            name = str(element.tag).rpartition("}")[2]
            if name not in _CONTROLS and (element.get("role") or "") not in _ROLES:
                continue
            text = _says(element)
            if _plain(label) not in _plain(text) or element.get("hidden") is not None:
                continue
            found.append((element, text, _place(element, added)))
    finally:
        undo_all(state.mutations)
    styled = evidence.style(state)
    return [one for one in found if _is_shown(styled, one[0])]


def _place(element: _Element, added: set[_Element]) -> str | None:
    """Where a control stands: the ``page``'s .controls, a ``new`` one, something ``similar``; None elsewhere."""
    holder = next((one for one in element.iterancestors() if "controls" in (one.get("class") or "").split()), None)
    if holder is not None:
        return "new" if any(one in added for one in (holder, *holder.iterancestors())) else "page"
    for above in element.iterancestors():
        if re.search(r"controls?\b|toolbar", f"{above.get('class')} {above.get('id')} {above.get('role')}"):
            return "similar"
    return None


def _is_shown(styled: Any, element: _Element) -> bool:
    try:
        style = styled.computed(element)
    except KeyError:
        return True
    while style is not None:
        if style.keyword("display") == "none":
            return False
        style = style.parent
    return bool(styled.computed(element).keyword("visibility") not in ("hidden", "collapse"))


def _shown_to_all(evidence: Evidence, label: str) -> bool:
    return bool(_labelled(evidence, evidence.states.initial, label))


def _starts(evidence: Evidence, text: str, label: str, span: Span) -> Iterator[Finding]:
    """A click on the button, and whether the legs go."""
    clicked: list[bool] = []

    def click(model: Model) -> None:
        for element in evidence.page.root.iter("*"):
            name = str(element.tag).rpartition("}")[2]
            controls = name in _CONTROLS or (element.get("role") or "") in _ROLES
            if controls and _plain(label) in _plain(_says(element)):
                clicked.append(bool(model.dispatch(element, "click")))
                if name == "input":
                    model.dispatch(element, "change", checked=True)
                return

    state = evidence.states.after(click, motion="reduced")
    if state.unknown.get("sheets") is not None:
        raise Undecided(Reason.UNSUPPORTED_CSS, "script exchanges style sheets")
    legs = [joint.node for leg in rig_of(evidence).legs.values() for joint in leg.joints]
    if not legs:
        raise Undecided(Reason.ROLE_NOT_FOUND, "no legs could be told")
    if any(is_animated(evidence.style(state), node) for node in legs):
        return
    motion = evidence.motion(state)
    if next(_moving(evidence, motion, legs, 1.0), None) is None:
        why = "nothing listens to it" if not any(clicked) else "no leg moves after a click on it"
        yield Finding(f"“{text}” does not start the walk: {why}", span, core=True, data={"label": text})


def _place_span(evidence: Evidence, state: PageState, element: _Element) -> Span:
    """Where script puts an element into the page, else where it stands."""
    chain = (element, *element.iterancestors())
    for mutation in state.mutations:
        if isinstance(mutation, InsertNode) and mutation.node in chain and mutation.span is not None:
            return mutation.span
    try:
        return evidence.element_span(element)
    except KeyError:
        return _controls_span(evidence)


def _inserted_span(state: PageState) -> Span | None:
    spans = [
        mutation.span
        for mutation in state.mutations
        if isinstance(mutation, InsertNode) and str(getattr(mutation.node, "tag", "")).endswith("button")
    ]
    return spans[-1] if spans else None


def _controls_span(evidence: Evidence) -> Span:
    for element in evidence.page.elements:
        if "controls" in (element.get("class") or "").split():
            return evidence.element_span(element)
    return evidence.element_span(evidence.page.root)
