"""Edits of the files of a submission, in memory. An edit that does not find its place is an error, never a shrug."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

Files = dict[str, bytes]
Change = Callable[[Files], None]


class EditError(ValueError):
    """An edit that is spelled wrongly, or that does not find its place. The message is one line."""


@dataclass(frozen=True, slots=True)
class Region:
    """A piece of a text: from the only ``start`` to the end of the next ``end`` after it.

    Without an ``end`` the piece is ``start`` itself.
    """

    start: str
    end: str = ""

    def find(self, text: str, low: int = 0, high: int | None = None) -> tuple[int, int]:
        """Offsets of the piece within ``text[low:high]``; raises EditError unless it is there exactly once."""
        high = len(text) if high is None else high
        count = text.count(self.start, low, high)
        if count != 1:
            raise EditError(f"{self.start!r} is there {count} times")
        first = text.index(self.start, low, high)
        last = first + len(self.start)
        if self.end:
            last = text.find(self.end, last, high)
            if last < 0:
                raise EditError(f"no {self.end!r} after {self.start!r}")
            last += len(self.end)
        return first, last


@dataclass(frozen=True, slots=True)
class TextEdit:
    """What is done to one place of one file, or to ``count`` places.

    ``piece`` says where; a ``count`` of 0 takes any number of places but none. A ``pattern`` is a regular expression
    instead, and ``replace`` then its template. ``within`` bounds both. The piece is put before (``side`` -1) or after
    (+1) the ``anchor``, where there is one, and stays where it was if it is to ``keep``.
    """

    file: str
    piece: Region | None
    pattern: str
    count: int
    within: Region | None
    replace: str | None
    wrap: tuple[str, str] | None
    anchor: Region | None
    side: int
    keep: bool

    def __call__(self, files: Files) -> None:
        text = _text(files, self.file)
        low, high = self.within.find(text) if self.within else (0, len(text))
        try:
            files[self.file] = self._edited(text, low, high).encode()
        except EditError as error:
            raise EditError(f"{self.file}: {error}") from None

    def _edited(self, text: str, low: int, high: int) -> str:
        if self.pattern:
            found, count = re.subn(self.pattern, self.replace or "", text[low:high])
            self._expect(self.pattern, count)
            return text[:low] + found + text[high:]
        assert self.piece is not None
        if self.count != 1:
            count = text.count(self.piece.start, low, high)
            self._expect(self.piece.start, count)
            return text[:low] + text[low:high].replace(self.piece.start, self.replace or "") + text[high:]
        first, last = self.piece.find(text, low, high)
        piece = text[first:last]
        if self.anchor is None:
            made = f"{self.wrap[0]}{piece}{self.wrap[1]}" if self.wrap else self.replace or ""
            return text[:first] + made + text[last:]
        rest = text if self.keep else text[:first] + text[last:]
        place = self.anchor.find(rest)[self.side > 0]
        return rest[:place] + piece + rest[place:]

    def _expect(self, what: str, count: int) -> None:
        if count != self.count and (self.count or not count):
            raise EditError(f"{what!r} is there {count} times, not {self.count}")


def _text(files: Files, name: str) -> str:
    if name not in files:
        raise EditError(f"there is no {name}")
    return files[name].decode("utf-8")


def _append(name: str, text: str) -> Change:
    def change(files: Files) -> None:
        files[name] = (_text(files, name) + text).encode()

    return change


def _write(name: str, content: bytes, fresh: bool) -> Change:
    def change(files: Files) -> None:
        if fresh is (name in files):
            raise EditError(f"{name} is there already" if fresh else f"there is no {name} to overwrite")
        files[name] = content

    return change


def _delete(name: str) -> Change:
    def change(files: Files) -> None:
        if files.pop(name, None) is None:
            raise EditError(f"there is no {name}")

    return change


def _rename(name: str, to: str) -> Change:
    def change(files: Files) -> None:
        if name not in files or to in files:
            raise EditError(f"{name} cannot become {to}")
        files[to] = files.pop(name)

    return change


_WHOLE: Mapping[str, Callable[[str, Any], Change]] = {
    "append": _append,
    "add": lambda name, text: _write(name, text.encode(), fresh=True),
    "add_base64": lambda name, text: _write(name, base64.b64decode(text, validate=True), fresh=True),
    "overwrite": lambda name, text: _write(name, text.encode(), fresh=False),
    "overwrite_base64": lambda name, text: _write(name, base64.b64decode(text, validate=True), fresh=False),
    "delete": lambda name, _true: _delete(name),
    "rename": _rename,
}
_SIDES = {"move_before": (-1, False), "move_after": (1, False), "copy_before": (-1, True), "copy_after": (1, True)}
_DEEDS = frozenset({"replace", "wrap", *_SIDES})
_WORDS = frozenset({"file", "find", "pattern", "count", "within", *_DEEDS})


def read_edit(table: Mapping[str, Any]) -> Change:
    """An edit from its TOML table; raises EditError.

    ``file`` and one of: ``append``, ``add``, ``add_base64``, ``overwrite``, ``overwrite_base64`` (a content),
    ``delete`` (true), ``rename`` (a name); or a place and a deed. The place is ``find`` (a text, or start and end) or
    ``pattern`` (a regular expression), once or ``count`` times (0: any number), in the whole file or ``within`` a piece
    of it. The deed is ``replace``, ``wrap`` (two texts), ``move_before``, ``move_after``, ``copy_before`` or
    ``copy_after``.
    """
    name = str(table["file"])
    whole = _WHOLE.keys() & table.keys()
    if whole:
        if len(table) != 2:
            raise EditError(f"{name}: {sorted(table)} do not go together")
        key = whole.pop()
        return _WHOLE[key](name, table[key])
    deeds = set(_DEEDS & table.keys())
    places = {"find", "pattern"} & table.keys()
    if table.keys() - _WORDS or len(deeds) != 1 or len(places) != 1:
        raise EditError(f"{name}: one place and one deed, not {sorted(table)}")
    deed = deeds.pop()
    side, keep = _SIDES.get(deed, (0, False))
    return TextEdit(
        name,
        _region(table.get("find")),
        str(table.get("pattern", "")),
        int(table.get("count", 1)),
        _region(table.get("within")),
        table["replace"] if deed == "replace" else None,
        tuple(table["wrap"]) if deed == "wrap" else None,
        _region(table[deed]) if side else None,
        side,
        keep,
    )


def _region(said: str | list[str] | None) -> Region | None:
    if said is None:
        return None
    return Region(said) if isinstance(said, str) else Region(*said)
