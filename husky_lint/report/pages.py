"""Pages of HTML that husky-lint writes: one environment in which every text is escaped and printable."""

from __future__ import annotations

import functools
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from husky_lint import __version__
from husky_lint.report.printable import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from husky_lint.pictures import Picture

INDEX: Final = "index.html"


@functools.cache
def environment() -> Environment:
    """Templates of this package; what a submission says cannot become markup, nor hide behind control characters."""
    return Environment(
        loader=PackageLoader("husky_lint.report"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_printed,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _printed(value: Any) -> Any:
    return printable(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def grouped(pictures: Iterable[Picture]) -> list[tuple[str, list[Picture]]]:
    """Pictures under their headings, in the order they were drawn in."""
    return [(heading, list(shown)) for heading, shown in groupby(pictures, key=lambda picture: picture.group)]


def write_gallery(pictures: Sequence[Picture], title: str, folder: Path, notes: Sequence[str] = ()) -> None:
    """Each picture as a file of the folder, which is made, and an index.html that shows them all. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    for picture in pictures:
        (folder / picture.file_name).write_text(picture.svg, encoding="utf-8", errors="backslashreplace")
    page = environment().get_template("gallery.html.jinja")
    text = page.render(title=title, version=__version__, pictures=pictures, groups=grouped(pictures), notes=notes)
    (folder / INDEX).write_text(text, encoding="utf-8", errors="backslashreplace")
