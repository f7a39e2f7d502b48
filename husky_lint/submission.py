"""The files of one submission, from a folder, a zip, one page, or memory.

Nothing of a submission is trusted: numbers and sizes are bounded, archives are read in memory and never unpacked, and
only regular files inside the submission are opened. What is left out is an :class:`InputProblem`; only a submission of
which nothing can be read is a :class:`SubmissionError`.
"""

from __future__ import annotations

import codecs
import os
import posixpath
import re
import stat
import zipfile
import zlib
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from husky_lint.source import SourceText

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

# A submission of the benchmark has some 15 files of together 100 KB.
MAX_FILES = 1_000
MAX_FILE_BYTES = 4_000_000
MAX_TOTAL_BYTES = 32_000_000
MAX_DEPTH = 32
# Text compresses 3 to 20 times; what inflates more than this, and to more than a megabyte, is a bomb.
MAX_ZIP_RATIO = 200
# The list of an archive's entries; some 10,000 of them.
MAX_ZIP_DIRECTORY_BYTES = 1_000_000
MAX_PROBLEMS = 200

_FOREIGN_FOLDERS = {"node_modules"}
# Left by tools of the person who packed it; no part of the submission, and not worth a word.
_DEBRIS = frozenset({".git", ".hg", ".svn", "__MACOSX", ".DS_Store", "Thumbs.db"})
_PAGE = re.compile(r"\.(?:x?html?|svg)\Z", re.IGNORECASE)
_FILE_NAME = re.compile(r"\.(?:html?|css|js|mjs|svg|ico|md)\Z", re.IGNORECASE)
_DRIVE = re.compile(r"[A-Za-z]:")
_CSS_CHARSET = re.compile(rb'@charset "([^"]{1,40})";')
_XML_ENCODING = re.compile(rb"""<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']""")
# How names end of what a page can load from beside it.
_LOADED = re.compile(r"\.(?:css|js|mjs|svg|ico)(?![\w.])", re.IGNORECASE)
_NO_NAME = re.compile(r"""[\s"'`()<>=,;:?#]""")


class SubmissionError(Exception):
    """Nothing of the submission can be read. The message is one line."""

    def __init__(self, message: str) -> None:
        super().__init__(" ".join(message.split()))


@dataclass(frozen=True, slots=True)
class InputProblem:
    """A file that was not taken as it is.

    ``key`` is one of ``too-large``, ``too-many-files``, ``too-deep``, ``zip-bomb``, ``bad-zip-name``, ``bad-name``,
    ``duplicate-name``, ``case-collision``, ``symlink-outside``, ``broken-symlink``, ``not-a-file``, ``unreadable``,
    ``skipped-folder``.
    """

    key: str
    message: str
    path: str | None = None


@dataclass(frozen=True, eq=False)
class SubmissionFile:
    """One file.

    ``path`` is relative, with forward slashes. ``size`` is in bytes, also where the content is ``omitted`` (``raw`` is
    empty then, and a problem says why).
    """

    path: str
    raw: bytes = field(repr=False)
    size: int = -1
    omitted: bool = False

    def __post_init__(self) -> None:
        if self.size < 0:
            object.__setattr__(self, "size", len(self.raw))

    @cached_property
    def text(self) -> SourceText:
        """The file decoded as a browser would: byte order mark, then what the file declares, then UTF-8."""
        return SourceText.decode(self.path, self.raw, _declared_encoding(self.path, self.raw))


@dataclass(frozen=True, eq=False)
class Submission:
    """The files of one submission, sorted by path. ``page`` is the page it is judged by."""

    name: str
    path: str | None
    files: Mapping[str, SubmissionFile]
    problems: tuple[InputProblem, ...] = ()
    page: str = field(default="index.html")

    @classmethod
    def from_files(cls, files: Mapping[str, str | bytes], name: str = "submission") -> Submission:
        """From memory; text is encoded as UTF-8. Raises SubmissionError if there is no file."""
        shelf = _Shelf()
        for path, content in files.items():
            clean = _clean_name(path)
            if clean is None:
                shelf.problem("bad-name", "Not a relative path inside the submission", path)
                continue
            # Lone surrogates cannot be written down; they come back as replacement characters.
            shelf.add(clean, content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass"))
        return shelf.submission(name, None)

    @classmethod
    def from_folder(cls, path: str | os.PathLike[str]) -> Submission:
        """From a folder, its subfolders included. Raises SubmissionError if there is nothing to read."""
        folder = Path(path)
        _stat(folder)
        if not folder.is_dir():
            raise SubmissionError(f"{folder}: not a folder")
        shelf = _Shelf()
        _FolderReader(folder, shelf).read()
        return shelf.submission(_name_of(folder), str(path))

    @classmethod
    def from_zip(cls, path: str | os.PathLike[str]) -> Submission:
        """From a zip archive, read in memory. One folder around everything is taken off.

        Raises SubmissionError if it is no archive, or there is nothing in it to read.
        """
        archive = Path(path)
        if not stat.S_ISREG(_stat(archive).st_mode):
            raise SubmissionError(f"{archive}: not a file")
        shelf = _Shelf()
        try:
            with open(archive, "rb") as file:
                _check_directory(file)
                with zipfile.ZipFile(file) as opened:
                    _read_zip(opened, shelf)
        except (*_ZIP_FAULTS, OSError) as error:
            raise SubmissionError(f"{archive}: not a readable zip archive ({error})") from error
        return shelf.submission(_name_of(archive.with_suffix("")), str(path))

    @classmethod
    def loose(cls, path: str | os.PathLike[str]) -> Submission:
        """One page (``.html``, ``.svg``) with the files of its folder that it, or one of those, mentions by name.

        Only styles, scripts, SVG files and icons inside the page's folder are taken. Raises SubmissionError if the page
        cannot be read.
        """
        page = Path(path)
        if not stat.S_ISREG(_stat(page).st_mode):
            raise SubmissionError(f"{page}: not a file")
        shelf = _Shelf()
        reader = _FolderReader(page.parent, shelf)
        reader.take(page.name)
        if page.name not in shelf.files:
            raise SubmissionError(f"{page}: {shelf.problems[-1].message if shelf.problems else 'unreadable'}")
        waiting, seen = [page.name], {page.name}
        while waiting:
            file = shelf.files.get(waiting.pop())
            if file is None or file.path.endswith(".ico"):
                continue
            for mention in _mentions(file.text.text):
                # Beside the file that mentions it (CSS, modules), or beside the page (everything else).
                for base in (posixpath.dirname(file.path), ""):
                    target = _clean_name(posixpath.normpath(posixpath.join(base, mention)))
                    if target is None or target in seen or len(seen) > MAX_FILES:
                        continue
                    seen.add(target)
                    if reader.exists(target):
                        reader.take(target)
                        waiting.append(target)
        return shelf.submission(page.name, str(path), page.name)

    def text(self, path: str) -> SourceText | None:
        """A file decoded, or None if there is none of that name."""
        file = self.files.get(path)
        return None if file is None else file.text


def _mentions(text: str) -> Iterator[str]:
    for match in _LOADED.finditer(text):
        before = _NO_NAME.split(text[max(match.start() - 200, 0) : match.start()])[-1]
        yield before + match[0]


def load(path: str | os.PathLike[str]) -> Submission:
    """A submission from a folder, a zip archive, or one ``.html`` or ``.svg`` file. Raises SubmissionError."""
    place = Path(path)
    mode = _stat(place).st_mode
    if stat.S_ISDIR(mode):
        return Submission.from_folder(place)
    if not stat.S_ISREG(mode):
        raise SubmissionError(f"{place}: neither a folder nor a file")
    if _PAGE.search(place.name):
        return Submission.loose(place)
    if place.suffix.lower() == ".zip" or _is_zip(place):
        return Submission.from_zip(place)
    raise SubmissionError(f"{place}: not a folder, a .zip, an .html or an .svg file")


# What zipfile raises for archives that are broken, encrypted, or made to break it.
_ZIP_FAULTS = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    ValueError,
    IndexError,
    KeyError,
)


class _Shelf:
    """Collects files within the limits."""

    def __init__(self) -> None:
        self.files: dict[str, SubmissionFile] = {}
        self.problems: list[InputProblem] = []
        self._folded: dict[str, str] = {}
        self._total = 0
        self._count = 0

    def problem(self, key: str, message: str, path: str | None = None) -> None:
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(InputProblem(key, message, None if path is None else _printable(path)))

    @property
    def room(self) -> int:
        """How many bytes the next file may have."""
        return min(MAX_FILE_BYTES, MAX_TOTAL_BYTES - self._total)

    def full(self) -> bool:
        """Whether no more files are taken; says so once."""
        if self._count < MAX_FILES:
            return False
        if self._count == MAX_FILES:
            self._count += 1
            self.problem("too-many-files", f"More than {MAX_FILES} files; the rest is not read")
        return True

    def add(self, path: str, raw: bytes) -> None:
        if len(raw) > self.room:
            self.omit(path, len(raw))
        elif self._register(path):
            self._total += len(raw)
            self.files[path] = SubmissionFile(path, raw)

    def omit(self, path: str, size: int, key: str = "too-large", message: str = "") -> None:
        """Note a file whose content is not taken."""
        if self._register(path):
            self.problem(key, message or f"{size} bytes are more than is read", path)
            self.files[path] = SubmissionFile(path, b"", size, omitted=True)

    def _register(self, path: str) -> bool:
        if self.full():
            return False
        if path in self.files:
            self.problem("duplicate-name", "There is a second file of this name; the first counts", path)
            return False
        other = self._folded.setdefault(path.casefold(), path)
        if other != path:
            self.problem(
                "case-collision", f"Differs from {_printable(other)} only by case: one replaces the other", path
            )
        self._count += 1
        return True

    def submission(self, name: str, path: str | None, page: str = "index.html") -> Submission:
        if not self.files:
            detail = f": {self.problems[0].message}" if self.problems else ""
            raise SubmissionError(f"{path or name}: there is no file to read{detail}")
        files = {key: self.files[key] for key in sorted(self.files)}
        return Submission(name, path, files, tuple(self.problems), page)


class _FolderReader:
    """Reads regular files below one folder, whatever else lies there."""

    def __init__(self, folder: Path, shelf: _Shelf) -> None:
        self.folder = folder
        self.real = os.path.realpath(folder)
        self.shelf = shelf
        self._visited: set[tuple[int, int]] = set()

    def read(self) -> None:
        waiting: list[tuple[str, int]] = [("", 0)]
        while waiting and not self.shelf.full():
            relative, depth = waiting.pop()
            folders = self._folder(relative)
            if folders and depth >= MAX_DEPTH:
                self.shelf.problem("too-deep", f"Folders more than {MAX_DEPTH} deep are not read", relative)
                continue
            waiting.extend((folder, depth + 1) for folder in reversed(folders))

    def _folder(self, relative: str) -> list[str]:
        """Take the files of one folder; gives its subfolders."""
        folders: list[str] = []
        try:
            here = os.stat(self.folder / relative)
            if (here.st_dev, here.st_ino) in self._visited:  # a link back up
                return []
            self._visited.add((here.st_dev, here.st_ino))
            with os.scandir(self.folder / relative) as entries:
                names = sorted(entry.name for entry, _ in zip(entries, range(MAX_FILES * 4), strict=False))
        except OSError as error:
            self.shelf.problem("unreadable", f"The folder cannot be read: {error.strerror}", relative or ".")
            return []
        for name in names:
            path = f"{relative}/{name}" if relative else name
            if name in _DEBRIS:
                continue
            if self._is_folder(path):
                if name in _FOREIGN_FOLDERS:
                    self.shelf.problem("skipped-folder", "Not read: packages are no part of a submission", path)
                else:
                    folders.append(path)
                    if _FILE_NAME.search(name):
                        self.shelf.problem("not-a-file", "A folder where a file is expected", path)
                continue
            if self.shelf.full():
                return []
            self.take(path)
        return folders

    def _is_folder(self, relative: str) -> bool:
        try:
            return stat.S_ISDIR(os.stat(self.folder / relative).st_mode) and self._inside(relative)
        except OSError:
            return False

    def _inside(self, relative: str) -> bool:
        try:
            real = os.path.realpath(self.folder / relative)
        except OSError:
            return False
        return real == self.real or real.startswith(self.real.rstrip("/") + "/")

    def exists(self, relative: str) -> bool:
        try:
            return stat.S_ISREG(os.stat(self.folder / relative).st_mode)
        except (OSError, ValueError):
            return False

    def take(self, relative: str) -> None:
        """Add one file, or say why not. Devices, pipes and sockets are never opened."""
        path = self.folder / relative
        name = _printable(relative)
        if name != relative:
            self.shelf.problem("bad-name", "The name is not UTF-8", relative)
        try:
            linked = os.lstat(path)
            if stat.S_ISLNK(linked.st_mode):
                if not os.path.exists(path):
                    self.shelf.problem("broken-symlink", "The link leads nowhere", name)
                    return
                if not self._inside(relative):
                    self.shelf.problem(
                        "symlink-outside", "The link leads out of the submission; it is not followed", name
                    )
                    return
            target = os.stat(path)
            if not stat.S_ISREG(target.st_mode):
                self.shelf.problem("not-a-file", "Neither a file nor a folder", name)
                return
            if target.st_size > self.shelf.room:
                self.shelf.omit(name, target.st_size)
                return
            # Non-blocking: what became a pipe since must not hang.
            descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
            with open(descriptor, "rb") as file:
                self.shelf.add(name, file.read(self.shelf.room + 1))
        except OSError as error:
            self.shelf.omit(name, 0, "unreadable", f"Cannot be read: {error.strerror}")


def _check_directory(file: BinaryIO) -> None:
    """Refuse an archive whose list of entries would take the memory before one of them is looked at."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(size - 22 - 0xFFFF, 0))
    tail = file.read()
    # Where zipfile looks: at the very end, else behind a comment.
    end = len(tail) - 22 if tail[-22:-18] == b"PK\5\6" else tail.rfind(b"PK\5\6")
    if end < 0 or len(tail) < end + 22:
        raise zipfile.BadZipFile("no end record")
    directory = int.from_bytes(tail[end + 12 : end + 16], "little")
    if directory > MAX_ZIP_DIRECTORY_BYTES or tail[max(end - 20, 0) : end].startswith(b"PK\6\7"):
        raise zipfile.BadZipFile("too many entries")
    file.seek(0)


def _read_zip(archive: zipfile.ZipFile, shelf: _Shelf) -> None:
    skipped: set[str] = set()
    entries: list[tuple[str, zipfile.ZipInfo]] = []
    for entry in archive.infolist():
        name = _clean_name(entry.filename)
        # zipfile has already cut the name at a NUL and turned separators; judge what the archive says.
        if name is None or _clean_name(entry.orig_filename) is None:
            shelf.problem("bad-zip-name", "The name leads out of the archive; it is not read", entry.orig_filename)
            continue
        parts = name.split("/")
        if entry.is_dir() or any(part in _DEBRIS for part in parts):
            continue
        foreign = next((index for index, part in enumerate(parts[:-1]) if part in _FOREIGN_FOLDERS), None)
        if foreign is not None:
            folder = "/".join(parts[: foreign + 1])
            if folder not in skipped:
                skipped.add(folder)
                shelf.problem("skipped-folder", "Not read: packages are no part of a submission", folder)
        elif stat.S_ISLNK(entry.external_attr >> 16):
            shelf.problem("symlink-outside", "A link in an archive is not followed", name)
        else:
            entries.append((name, entry))
        if len(entries) > MAX_FILES:
            break
    prefix = _wrapper(name for name, _ in entries)
    for name, entry in entries:
        if shelf.full():
            return
        _read_entry(archive, entry, name[len(prefix) :], shelf)


def _read_entry(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, name: str, shelf: _Shelf) -> None:
    room = shelf.room
    if entry.file_size > max(entry.compress_size, 5_000) * MAX_ZIP_RATIO:
        shelf.omit(name, entry.file_size, "zip-bomb", f"Inflates more than {MAX_ZIP_RATIO} times; it is not read")
        return
    if entry.file_size > room:
        shelf.omit(name, entry.file_size)
        return
    try:
        with archive.open(entry) as file:
            raw = file.read(room + 1)
    except (*_ZIP_FAULTS, OSError) as error:
        shelf.omit(name, entry.file_size, "unreadable", f"Cannot be read: {' '.join(str(error).split())}")
        return
    shelf.add(name, raw)


def _wrapper(names: Iterable[str]) -> str:
    """The one folder around all files, with its slash, when a folder was packed instead of what is in it."""
    tops = Counter(name.partition("/")[::2] for name in names)
    folders = {top for top, _ in tops}
    if len(folders) == 1 and all(rest for _, rest in tops):
        return f"{folders.pop()}/"
    return ""


def _clean_name(name: str) -> str | None:
    """A relative path with forward slashes and no dots in it; None if it is none or leads elsewhere."""
    if not name or "\\" in name or "\0" in name or name.startswith("/") or _DRIVE.match(name):
        return None
    parts = [part for part in name.split("/") if part not in ("", ".")]
    return None if not parts or ".." in parts else "/".join(parts)


def _printable(path: str) -> str:
    """A file name whose undecodable bytes are replacement characters."""
    return path if path.isascii() else path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _name_of(path: Path) -> str:
    return _printable(path.name or Path(os.path.abspath(path)).name or "submission")


def _stat(path: Path) -> os.stat_result:
    try:
        return os.stat(path)
    except FileNotFoundError:
        raise SubmissionError(f"{path}: no such file or folder") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise SubmissionError(f"{_printable(str(path))}: cannot be read ({reason})") from None


def _is_zip(path: Path) -> bool:
    try:
        return zipfile.is_zipfile(path)
    except OSError:
        return False


def _declared_encoding(path: str, raw: bytes) -> str:
    suffix = os.path.splitext(path)[1].lower()
    label: str | None = None
    if suffix in (".html", ".htm"):
        label = _meta_charset(raw[:1024])
    elif suffix == ".css":
        match = _CSS_CHARSET.match(raw)
        label = match[1].decode("latin-1") if match else None
    elif suffix in (".svg", ".xml", ".xhtml"):
        match = _XML_ENCODING.match(raw)
        label = match[1].decode("latin-1") if match else None
    return _codec(label) if label else "utf-8"


def _meta_charset(head: bytes) -> str | None:
    """What ``<meta charset>`` says (WHATWG HTML, "prescan a byte stream to determine its encoding")."""
    if b"charset" not in head.lower():
        return None
    import turbohtml

    document = turbohtml.parse(head)
    return document.encoding if document.encoding_confidence == "certain" else None


def _codec(label: str) -> str:
    """Python's name of an encoding label."""
    label = label.strip().lower()
    # A declaration that can be read byte by byte is not in UTF-16 (WHATWG Encoding: it means UTF-8 then).
    if label.replace("_", "-").startswith(("utf-16", "utf16", "utf-32", "utf32", "ucs")):
        return "utf-8"
    known = {"iso-8859-1": "cp1252", "latin1": "cp1252", "us-ascii": "cp1252", "ascii": "cp1252", "gbk": "gb18030"}
    label = known.get(label, label)
    label = {"gb2312": "gb18030", "iso-8859-8-i": "iso-8859-8", "x-mac-cyrillic": "mac-cyrillic"}.get(label, label)
    try:
        codec = codecs.lookup(label)
    except (LookupError, ValueError):
        return "utf-8"
    return codec.name if codec._is_text_encoding else "utf-8"
