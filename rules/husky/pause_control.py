"""The page with pause pressed."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from husky_lint.rule import Reason, Undecided

from .rig import rig_of
from .running import state_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from lxml.etree import _Element

    from husky_lint.evidence import Evidence
    from husky_lint.source import Span
    from husky_lint.style.playthrough import Model
    from husky_lint.style.states import PageState

_PAUSE: Final = re.compile(r"\b(pause|stop|freeze|halt)", re.IGNORECASE)
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
    state_of(evidence, pace=pace)

    def press(model: Model) -> None:
        press_pause(evidence, model)

    return evidence.states.after(press, pace=pace)


def _how(evidence: Evidence) -> Paused:
    """Whether something that a person can do pauses the page."""
    states = evidence.states
    ways = states.evidence("paused", "true")
    if any(way.source in {"control", "key", "load"} for way in ways):
        _refuse_interface(evidence)
        return Paused()
    if evidence.script.limit:
        raise Undecided(Reason.LIMIT, "the scripts are too much to follow")
    _refuse_interface(evidence)
    button = _button(evidence)
    if button is None:
        if any(response.limit for response in evidence.script.responses):
            raise Undecided(Reason.LIMIT, "not everything that controls do could be followed")
        return Paused(dead="no control and no key pauses the walk")
    answers = [one for one in evidence.script.responses if one.target is button]
    if any(not effect.certain or effect.kind == "unknown" for one in answers for effect in one.effects):
        raise Undecided(Reason.DYNAMIC_VALUE, "what the pause control does could not be told")
    changes = [e for one in answers for e in one.effects if e.kind in {"attribute", "class", "style-property"}]
    if any(effect.element is not button for effect in changes):
        return Paused(by_press=True)
    label = " ".join("".join(map(str, button.itertext())).split())[:40]
    return Paused(dead=f"the control “{label}” pauses nothing", span=_span(evidence, button))


def _refuse_interface(evidence: Evidence) -> None:
    for response in evidence.script.responses:
        for effect in response.effects:
            if effect.kind == "unknown" and effect.name in _BY_INTERFACE:
                raise Undecided(
                    Reason.DYNAMIC_VALUE, f"script calls {effect.name}() on animations themselves", effect.span
                )


def _button(evidence: Evidence) -> _Element | None:
    """The control that is called pause, as it stands in the page."""
    part = rig_of(evidence).page.get("pause_button")
    if part is not None:
        return part.elements[0]
    candidates: list[Any] = [one for one in evidence.page.root.iter("{*}button") if _PAUSE.search(_said(one))]
    return candidates[0] if candidates else None


def press_pause(evidence: Evidence, model: Model) -> bool:
    """Press pause on the page at work; False where nothing comes of it."""
    button = next((one for one in evidence.page.root.iter("{*}button") if _PAUSE.search(_said(one))), None)
    if button is not None and model.dispatch(button, "click"):
        return True
    body = next(iter(evidence.page.root.iter("{*}body")), evidence.page.root)
    return any(bool(model.dispatch(body, "keydown", key=key)) for key in (" ", "p"))


def _said(element: _Element) -> str:
    return " ".join(["".join(map(str, element.itertext())), *map(str, element.attrib.values())])


def _span(evidence: Evidence, element: _Element) -> Span | None:
    try:
        return evidence.element_span(element)
    except KeyError:
        return None
