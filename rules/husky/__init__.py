"""The pack for husky-bench: what the engine does not know about the walking husky."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from husky_lint.documentation import Example
    from husky_lint.evidence import Evidence
    from husky_lint.parts import Bone, Figure
    from husky_lint.pictures import Picture


def example_files(example: Example) -> Mapping[str, str | bytes]:
    """The whole submission that an example of a rule's docstring stands for."""
    from .skeleton import fill

    return fill(example)


def run_metadata(evidence: Evidence) -> Mapping[str, str]:
    """What the footer says of the run: time taken, tokens used, model, engine, thinking level."""
    from .run_footer import read_footer

    return read_footer(evidence.page)


def infer_parts(evidence: Evidence) -> Figure:
    """Which element is which part of the dog and of the scene around it."""
    from .rig_picture import picture_of

    return picture_of(evidence)


def draw_pictures(evidence: Evidence) -> Iterator[Picture]:
    """Contact sheets of the paces and the paths of the paws."""
    from .poses import draw_poses

    return draw_poses(evidence)


def infer_limbs(evidence: Evidence, pace: str, phases: Sequence[float]) -> Sequence[Sequence[Bone]]:
    """The legs and the spine at phases of a pace's settled stride."""
    from .poses_bones import bones_at

    return bones_at(evidence, pace, phases)
