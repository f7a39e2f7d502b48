"""The page with pause pressed."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from husky_lint.rule import Reason, Undecided

from .pace_list import is_shown
from .rig import rig_of
from .running import state_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lxml.etree import _Element

    from husky_lint.evidence import Evidence
    from husky_lint.script.effects import Effect
    from husky_lint.source import Span
    from husky_lint.style.playthrough import Model
    from husky_lint.style.states import PageState

_PAUSE: Final = re.compile(r"\b(pause|stop|freeze|halt)", re.IGNORECASE)
_PLAY: Final = re.compile(r"\b(play|resume|hold|motion)|[⏸⏯]", re.IGNORECASE)
_NAMES: Final = frozenset({"button", "a", "input", "summary"})
_ROLES: Final = frozenset({"button", "switch", "checkbox"})
_KEYS: Final = (" ", "p", "P")
_CHANGES: Final = frozenset({"attribute", "class", "style-property", "text"})
_BY_INTERFACE: Final = frozenset({"pause", "pauseAnimations", "updatePlaybackRate", "playbackRate", "cancel"})
"""What script may call on animations themselves, which the cascade does not show."""


@dataclass(frozen=True, slots=True)
class Paused:
    """The paused state of each pace; or why pausing does nothing (``dead``), and where.

    ``by_press``: no selector tells the state, so the page is looked at as a press of the control leaves it.
    """

    states: Mapping[str, PageState] = field(default_factory=dict)
    dead: str | None = None
    span: Span | None = None
    by_press: bool = False


def paused_states(evidence: Evidence, paces: Sequence[str]) -> Paused:
    """The page paused at each pace. Raises Undecided where that cannot be told."""
    told = evidence.derived(_how)
    if told.dead is not None:
        return told
    if told.by_press:
        return Paused({pace: _pressed(evidence, pace) for pace in paces})
    return Paused({pace: state_of(evidence, pace=pace, paused="true") for pace in paces})


def _pressed(evidence: Evidence, pace: str) -> PageState:
    evidence.style(evidence.states.initial)
    state_of(evidence, pace=pace)

    def press(model: Model) -> None:
        press_pause(evidence, model)

    return evidence.states.after(press, pace=pace)


def _how(evidence: Evidence) -> Paused:
    """Whether something that a person can do pauses the page."""
    states = evidence.states
    ways = states.evidence("paused", "true")
    part = rig_of(evidence).page.get("pause_button")
    hidden = part is not None and not is_shown(evidence, part.elements[0])
    if any(way.source in {"control", "key", "load"} for way in ways) and not hidden:
        return Paused()
    if evidence.script.limit:
        raise Undecided(Reason.LIMIT, "the scripts are too much to follow")
    answers: list[Press] = []
    evidence.style(states.initial)  # worked out before the page is at work

    def press(model: Model) -> None:
        answers.append(press_pause(evidence, model))

    states.after(press)
    answer = answers[0] if answers else Press(None, ())
    if any(not effect.certain or effect.kind == "unknown" for effect in answer.effects):
        raise Undecided(Reason.DYNAMIC_VALUE, "what the pause control does could not be told")
    if answer.effects:
        return Paused(by_press=True)
    if hidden and part is not None:
        return Paused(dead="the pause control is not displayed", span=_span(evidence, part.elements[0]))
    if any(":checked" in page_sheet.sheet.source.text for page_sheet in evidence.stylesheets):
        raise Undecided(Reason.STATE_NOT_FOUND, "a box to tick may pause the page without script")
    if answer.control is None:
        return Paused(dead="no control and no key pauses the walk")
    label = " ".join("".join(map(str, answer.control.itertext())).split())[:40]
    return Paused(dead=f"the control “{label}” pauses nothing", span=_span(evidence, answer.control))


def refuse_interface(evidence: Evidence) -> None:
    """Raise Undecided where script pauses animations themselves, which the cascade does not show."""
    for response in evidence.script.responses:
        for effect in response.effects:
            if effect.kind == "unknown" and effect.name in _BY_INTERFACE:
                raise Undecided(
                    Reason.DYNAMIC_VALUE, f"script calls {effect.name}() on animations themselves", effect.span
                )


def refuse_undoing(evidence: Evidence) -> None:
    """Raise Undecided where a timer that pausing sets touches again what pausing did."""
    for response in evidence.script.responses:
        marks = (one for one in response.effects if one.kind in _CHANGES and one.kind != "text")
        done = {(one.kind, one.element, one.name) for one in marks if one.element is not None}
        control = response.element if response.element is not None and _is_control(response.element) else None
        called = [str(name) for _, _, name in done] + ([_said(control)] if control is not None else [])
        if not any(map(_PAUSE.search, called)):
            continue
        for effect in response.later:
            if (effect.kind, effect.element, effect.name) in done:
                raise Undecided(Reason.SCRIPT_DRIVEN_MOTION, "a timer may end the pause", effect.span)


@dataclass(frozen=True, slots=True)
class Press:
    """What pressing pause does: the control that is called so, if there is one, and what comes of it."""

    control: _Element | None
    effects: tuple[Effect, ...]


def press_pause(evidence: Evidence, model: Model) -> Press:
    """Press what is called pause on the page at work, else what is called play; without either, the keys for it."""
    controls = [one for one in evidence.page.root.iter("*") if _is_control(one) and is_shown(evidence, one)]
    called = [[one for one in controls if words.search(_said(one))] for words in (_PAUSE, _PLAY)]
    chosen = next((found[0] for found in called if found), None)
    if chosen is not None:
        effects = tuple(model.dispatch(chosen, "click"))
        if effects:
            return Press(chosen, effects)
    body = next(iter(evidence.page.root.iter("{*}body")), evidence.page.root)
    for key in _KEYS:
        effects = tuple(model.dispatch(body, "keydown", key=key))
        if any(effect.kind in _CHANGES for effect in effects):
            return Press(chosen, effects)
    return Press(chosen, ())


def _is_control(element: _Element) -> bool:
    name = str(element.tag).rpartition("}")[2]
    return name in {"button", "a", "input", "summary"} or (element.get("role") or "") in {
        "button",
        "switch",
        "checkbox",
    }


def _said(element: _Element) -> str:
    return " ".join(["".join(map(str, element.itertext())), *map(str, element.attrib.values())])


def _span(evidence: Evidence, element: _Element) -> Span | None:
    try:
        return evidence.element_span(element)
    except KeyError:
        return None
