"""Pictures of the dog without a browser: contact sheets of its paces, and the paths of its paws."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .poses_paws import paw_plot
from .poses_sheet import contact_sheet, flight_sheet
from .rig import rig_of
from .strides import GONE_AT, strides

if TYPE_CHECKING:
    from collections.abc import Iterator

    from husky_lint.evidence import Evidence
    from husky_lint.pictures import Picture


def draw_poses(evidence: Evidence) -> Iterator[Picture]:
    """A contact sheet and a plot of the paws for every pace. Raises Undecided where there is no scene or no pace."""
    rig_of(evidence)
    for pace, stride in strides(evidence).items():
        yield contact_sheet(evidence, stride)
        flight = flight_sheet(evidence, stride) if pace in GONE_AT else None
        if flight is not None:
            yield flight
        yield paw_plot(stride)
