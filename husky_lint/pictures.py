"""Pictures that a pack draws of a submission, for ``husky-lint poses`` and for reports.

A pack draws them by its hook ``draw_pictures``; the engine writes them to files and into reports, and knows nothing of
what they show.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_STEM: Final = re.compile(r"[^a-z0-9]+")
_LONGEST_STEM: Final = 40


@dataclass(frozen=True, slots=True)
class Picture:
    """One self-contained SVG document: no script, nothing loaded, and no text of a submission that is not escaped.

    ``name`` is unique among the pictures of a submission, ``group`` the heading that it stands under, ``notes`` say
    what could not be drawn. ``width`` and ``height`` are pixels.
    """

    name: str
    group: str
    title: str
    svg: str
    width: float
    height: float
    notes: tuple[str, ...] = ()

    @property
    def file_name(self) -> str:
        """A name for its file, of lower-case letters, digits and hyphens whatever ``name`` holds."""
        stem = _STEM.sub("-", self.name.lower()).strip("-")[:_LONGEST_STEM]
        return f"{stem or 'picture'}.svg"
