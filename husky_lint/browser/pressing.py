"""What a person can press on a page, and the pressing of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from husky_lint.style.playthrough import can_be_pointed_at, fit_of, is_control

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lxml.etree import _Element

    from husky_lint.browser.stage import LivePage, Stage
    from husky_lint.style.vocabulary import Axis, AxisValue

_POINTED: Final = frozenset({"click", "pointerdown", "mousedown", "pointerup", "mouseup", "touchstart"})
_KEYED: Final = frozenset({"keydown", "keyup", "keypress"})


@dataclass(frozen=True, slots=True)
class Press:
    """One thing done to the page: ``click`` on an element, ``key`` with the focus on it, or an event to ``fire``.

    ``write`` an attribute is what no person can do; it shows how a state looks that no control leads to. ``number`` is
    the element's, -1 for wherever the focus is.
    """

    kind: str
    number: int
    name: str = ""
    fields: tuple[tuple[str, Any], ...] = field(default=())

    @classmethod
    def of(
        cls, target: Any, event_type: str, fields: Mapping[str, Any], numbers: Mapping[_Element, int]
    ) -> Press | None:
        """The press that makes an event on an element happen; None where the page does not show the element."""
        number = numbers.get(target, -1) if hasattr(target, "attrib") else -1
        if event_type in _KEYED:
            name = target.tag.rpartition("}")[2] if hasattr(target, "attrib") else "body"
            return cls("key", -1 if name in {"body", "html"} else number, str(fields.get("key", "")))
        if number < 0:
            return None
        if event_type in _POINTED:
            return cls("click", number)
        return cls("fire", number, event_type, tuple(sorted(fields.items())))


def press(stage: Stage, one: Press) -> LivePage | None:
    """Do it, and look; None where it cannot be done."""
    if one.kind == "click":
        return stage.click(one.number)
    if one.kind == "key":
        return stage.key(one.name, one.number)
    if one.kind == "write":
        return stage.write(one.number, one.name, dict(one.fields).get("value"))
    return stage.fire(one.number, one.name, dict(one.fields))


def controls_for(root: _Element, axis: Axis, value: AxisValue) -> list[_Element]:
    """The controls of the page, as the tree is now, that may lead to a value; the likeliest first."""
    opposite = axis.opposite(value.name)
    scored = [
        (-score, place, element)
        for place, element in enumerate(root.iter("*"))
        if is_control(element) and can_be_pointed_at(element) and (score := fit_of(element, axis, value, opposite))
    ]
    return [element for _, _, element in sorted(scored, key=lambda entry: entry[:2])]
