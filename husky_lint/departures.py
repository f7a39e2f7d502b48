"""Script that does away with the page it runs on: leaves it, writes it anew, takes its root out, or never comes back.

What such a page shows after that is not what its source says, so nothing passes by the source.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from husky_lint.script.effects import ENDLESS
from husky_lint.style.words import words

if TYPE_CHECKING:
    from husky_lint.evidence import ScriptSurvey
    from husky_lint.script.effects import Effect, Listener, Timer

_NAVIGATIONS: Final = words("location reload assign replace back forward go")


def departure(survey: ScriptSurvey) -> str | None:
    """What does away with the page, in words; None where nothing does.

    At load, on a timer or a frame anything counts; on an event only what hangs on the window or the document, which
    every visitor sets off, or what ends in an endless loop. A link and a button that lead elsewhere are their own.
    """
    for effect, response in survey.everything():
        said = _done_by(effect, response is None or _is_everybodys(response.listener))
        if said is not None:
            return f"on {effect.trigger} script {said}"
    return None


def _is_everybodys(listener: Listener | Timer) -> bool:
    element = getattr(listener, "element", None)
    return element is None or element.getparent() is None or str(element.tag).endswith("}body")


def _done_by(effect: Effect, everywhere: bool) -> str | None:
    if effect.kind == "limit" and effect.name == ENDLESS:
        return "runs into an endless loop"
    if effect.kind == "remove" and effect.element is not None and effect.element is effect.value:
        return "takes the page's root element out"
    if effect.kind == "unknown" and effect.target == "document" and effect.name == "write":
        return "writes the document anew"
    if everywhere and effect.kind == "history" and effect.target == "window" and effect.name in _NAVIGATIONS:
        stays = effect.name in ("location", "assign", "replace") and str(effect.value).startswith("#")
        return None if stays else f"leaves the page ({effect.name})"
    return None
