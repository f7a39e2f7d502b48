"""When Python looks for garbage.

Nearly every object that judging makes lives until the submission is judged. The collector would look through them over
and over for cycles to free, a quarter of the whole time, and find nothing.
"""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

# By default 700, 10 and 10. Not off altogether: what a hostile script makes and drops in cycles has to go.
_RARE = (300_000, 50, 100)


def collect_rarely() -> None:
    """For a process that only judges: what is loaded is never looked through again, and collections are rare."""
    gc.freeze()
    gc.set_threshold(*_RARE)


@contextmanager
def rare_collections() -> Iterator[None]:
    """Collect rarely in the ``with`` block, as before after it. The setting is the process's, not the thread's."""
    before = gc.get_threshold()
    if before[0]:  # 0: the caller has turned collection off
        gc.set_threshold(*map(max, before, _RARE))
    try:
        yield
    finally:
        gc.set_threshold(*before)
