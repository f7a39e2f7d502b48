"""The footer as it is read: its labels, in every state that the looks pass through."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final

from husky_lint.browser.live import Measured, live
from husky_lint.rule import Finding, Reason, Undecided

from .desktop import clock, loaded, narrow, paced, paused, themed
from .still import still

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from husky_lint.browser.live import Reports

_BY_STYLE: Final = "a style sheet prints it"
_ABSENT: Final = "it is not on the page"


@live("HB5001", loaded)
def footer_labels(reports: Reports, labels: Sequence[str]) -> Iterator[Finding | Measured]:
    """Reads the text of the page as it opens."""
    hidden = reports.of(loaded).hidden
    absent = [label for label in labels if hidden.get(label) == _ABSENT]
    yield Measured("labels that are not on the page", absent)
    for label in absent:
        yield Finding(f"the page does not print {label!r}", core=len(absent) >= len(labels) / 2, data={"label": label})
    if not absent and _BY_STYLE in hidden.values():
        raise Undecided(Reason.TEXT, "a style sheet prints a label, which is no text of the page")


@live("HB5003", loaded, paced, paused, themed, narrow, clock, still)
def footer_visible(reports: Reports, labels: Sequence[str]) -> Iterator[Finding | Measured]:
    """Looks for each label at every pace, paused, by night, on a phone and with reduced motion."""
    states: dict[str, Mapping[str, str]] = {"as it loads": reports.of(loaded).hidden}
    states |= {f"at {pace}": hidden for pace, hidden in reports.of(paced).hidden.items()}
    states |= {f"paused at {pace}": one.hidden for pace, one in reports.of(paused).paces.items()}
    states["after some time"] = reports.of(clock).hidden
    states["on a phone"] = reports.of(narrow).hidden
    states["on a phone by night"] = reports.of(narrow).by_night
    states |= {f"with reduced motion at {pace}": pose.hidden for pace, pose in reports.of(still).poses.items()}
    with suppress(Undecided):  # a night that no control leads to nobody sees
        states["by night"] = reports.of(themed).hidden
    yield Measured("states looked at", list(states))
    absent = states["as it loads"]
    told: set[str] = set()
    for when, hidden in states.items():
        gone = {label: why for label, why in hidden.items() if why not in (_BY_STYLE, _ABSENT) or label not in absent}
        gone = {label: why for label, why in gone.items() if label not in told and why != _BY_STYLE}
        if gone:
            told |= set(gone)
            why = next(iter(gone.values()))
            yield Finding(
                f"{when} the footer does not show {', '.join(gone)}: {why}",
                core=when == "as it loads",
                data={"state": when, "labels": list(gone)},
            )
    if all(absent.get(label) == _ABSENT for label in labels):
        yield Finding("there is no footer: none of the five labels is on the page", core=True)
    elif _BY_STYLE in absent.values() and not told:
        raise Undecided(Reason.TEXT, "a style sheet prints a label, which is no text of the page")
