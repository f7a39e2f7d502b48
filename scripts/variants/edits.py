"""Edits of a submission held in memory: each says what it replaces, and fails when that is not there."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

#: A submission: bytes of each file by its path in the folder, with forward slashes.
Files = dict[str, bytes]


class EditError(ValueError):
    """What an edit was to replace occurs another number of times than expected."""


def read(folder: Path) -> Files:
    """Every file of the folder; what installing the tools leaves behind is not part of it."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "node_modules" not in path.parts
    }


def edited(files: Files, name: str, *edits: tuple[str, str], times: int = 1) -> Files:
    """The same files with text of one of them replaced, one edit after the other.

    Raises EditError unless each old text occurs exactly ``times`` times when its turn comes.
    """
    text = files[name].decode()
    for old, new in edits:
        if (found := text.count(old)) != times:
            raise EditError(f"{name}: {old!r} occurs {found} times, expected {times}")
        text = text.replace(old, new)
    return {**files, name: text.encode()}


def cut(files: Files, name: str, start: str, end: str) -> tuple[Files, str]:
    """The files without the first stretch from ``start`` to the end of ``end`` after it, and that stretch."""
    text = files[name].decode()
    first = text.find(start)
    last = text.find(end, first) + len(end)
    if first < 0 or last < len(end):
        raise EditError(f"{name}: no stretch from {start!r} to {end!r}")
    return {**files, name: (text[:first] + text[last:]).encode()}, text[first:last]
