"""The files that are measured: the corpus where it lies beside the repository, else the bundled submissions."""

from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_COMMENTS = {".html": "<!-- copy {} -->", ".css": "/* copy {} */", ".js": "// copy {}"}
_DEGREES = re.compile(r"(?<![\w.])(-?\d+(?:\.\d+)?)deg\b")


def submissions(repository: Path) -> list[Path]:
    """Folders of submissions."""
    corpus = repository.parent / "shared" / "corpus"
    home = corpus if corpus.is_dir() else repository / "fixtures"
    return sorted(folder for folder in home.iterdir() if (folder / "index.html").is_file())


def source_bytes(folder: Path) -> int:
    """Bytes of HTML, CSS and JavaScript."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.suffix in _COMMENTS)


def distinct_copies(folders: list[Path], count: int, target: Path) -> list[Path]:
    """``count`` copies in turn of the folders; no two have a source file in common.

    Each copy's angles differ a little and each source file ends with its own comment, so that nothing remembered
    from one copy, a whole file or a parsed value, answers for another.
    """
    copies = []
    for number in range(count):
        copy = target / f"{number:04}-{folders[number % len(folders)].name}"
        shutil.copytree(folders[number % len(folders)], copy)
        shift = number // len(folders) * 0.0001
        for path in copy.rglob("*"):
            if path.suffix in _COMMENTS:
                text = path.read_text(encoding="utf-8")
                if path.suffix == ".css" and shift:
                    text = _DEGREES.sub(lambda match, by=shift: f"{float(match[1]) + by:.4f}deg", text)  # type: ignore[misc]
                path.write_text(f"{text}\n{_COMMENTS[path.suffix].format(number)}\n", encoding="utf-8")
        copies.append(copy)
    return copies
