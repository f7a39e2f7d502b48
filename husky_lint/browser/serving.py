"""A submission's own files for its own page, and nothing else for anyone: over HTTP from memory, or as ``file://``."""

from __future__ import annotations

import posixpath
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from urllib.parse import quote, unquote, urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from husky_lint.submission import Submission, SubmissionFile

Origin = Literal["http", "file"]

HOST = "submission.test"
"""A name that cannot exist (RFC 6761), so that nothing but the routing can answer for it."""

# As common servers say it; none says a charset, so that the page's own declaration counts as it does on disk.
_TYPES = {
    ".css": "text/css",
    ".htm": "text/html",
    ".html": "text/html",
    ".ico": "image/x-icon",
    ".js": "text/javascript",
    ".json": "application/json",
    ".mjs": "text/javascript",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
    ".svg": "image/svg+xml",
    ".md": "text/plain",
    ".txt": "text/plain",
    ".webmanifest": "application/manifest+json",
    ".xhtml": "application/xhtml+xml",
    ".xml": "text/xml",
}


def content_type(path: str) -> str:
    """The media type that a server gives a file of this name."""
    return _TYPES.get(posixpath.splitext(path)[1].lower(), "application/octet-stream")


@dataclass(frozen=True, slots=True)
class Site:
    """Where a submission is reached: URLs that begin with ``root`` (it ends with a slash) are its files."""

    submission: Submission
    origin: Origin
    root: str

    @property
    def page(self) -> str:
        """The URL of the submission's page."""
        return self.root + quote(self.submission.page)

    def path(self, url: str) -> str | None:
        """The path in the submission that a URL asks for; None when it is no URL of the submission's."""
        parts = urlsplit(url)
        root = urlsplit(self.root)
        if (parts.scheme, parts.netloc) != (root.scheme, root.netloc):
            return None
        asked = unquote(parts.path)
        base = unquote(root.path)
        if not asked.startswith(base) or "\0" in asked:
            return None
        path = posixpath.normpath(asked[len(base) :] or ".")
        if path.startswith(("../", "/")) or path == "..":
            return None
        if self.origin == "http" and (path == "." or asked.endswith("/")):
            folder = "" if path == "." else f"{path}/"
            return self.submission.page if not folder else f"{folder}index.html"
        return path

    def file(self, path: str) -> SubmissionFile | None:
        """The file at a path as it can be served: there, and not left unread."""
        found = self.submission.files.get(path)
        return None if found is None or found.omitted else found


@contextmanager
def serve(submission: Submission, origin: Origin) -> Iterator[Site]:
    """The site of a submission; for ``file`` its files lie in a folder of their own as long as the ``with`` lasts."""
    if origin == "http":
        yield Site(submission, origin, f"http://{HOST}/")
        return
    with tempfile.TemporaryDirectory(prefix="husky-lint-", ignore_cleanup_errors=True) as folder:
        base = Path(folder).resolve()
        write_files(submission, base)
        yield Site(submission, origin, base.as_uri() + "/")


def write_files(submission: Submission, base: Path) -> None:
    """Write what was read of a submission into a folder. A name that the disk does not take is left out."""
    for path, file in submission.files.items():
        if file.omitted:
            continue
        place = base / path
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(file.raw)
        except (OSError, ValueError):
            continue
