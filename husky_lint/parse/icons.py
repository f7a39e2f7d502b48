"""Icon files: what kind they really are, how large, and what is wrong with them."""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass
from typing import Literal

from husky_lint.parse.html import SVG
from husky_lint.source import SourceText

_PNG = b"\x89PNG\r\n\x1a\n"
_LENGTH = re.compile(r"\s*([0-9]*\.?[0-9]+(?:e[-+]?[0-9]+)?)(?:px)?\s*\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class IconFile:
    """An icon by its content, whatever its name says.

    ``width`` and ``height`` are in pixels: of the largest image of an ``.ico``, of an SVG's ``width`` and ``height`` or
    else its ``viewBox``; None if it says neither. With a problem, browsers may show nothing.
    """

    kind: Literal["ico", "png", "svg", "unknown"]
    width: float | None
    height: float | None
    problems: tuple[str, ...] = ()


def parse_icon(path: str, raw: bytes) -> IconFile:
    """Read the content of an icon file; never raises."""
    if raw.startswith(_PNG):
        return _png(raw)
    if path.lower().endswith(".svg") or raw.lstrip(b"\xef\xbb\xbf \t\r\n")[:5].lower() in (b"<svg ", b"<?xml"):
        return _svg(path, raw)
    if raw[:4] == b"\0\0\1\0":
        return _ico(raw)
    return IconFile("unknown", None, None, ("Neither an ICO, a PNG nor an SVG file" if raw else "The file is empty",))


def _png(raw: bytes) -> IconFile:
    if len(raw) < 24 or raw[12:16] != b"IHDR":
        return IconFile("png", None, None, ("The PNG has no header",))
    width, height = struct.unpack(">II", raw[16:24])
    problems = () if b"IEND" in raw[-16:] else ("The PNG is cut off",)
    return IconFile("png", width, height, problems)


def _ico(raw: bytes) -> IconFile:
    """The directory of the file: a header of 6 bytes and 16 bytes for each image."""
    count = int.from_bytes(raw[4:6], "little")
    problems: list[str] = [] if count else ["The icon holds no image"]
    best = (0, 0)
    for index in range(count):
        entry = raw[6 + 16 * index : 22 + 16 * index]
        if len(entry) < 16:
            problems.append(f"The directory announces {count} images and ends after {index}")
            break
        width, height = entry[0] or 256, entry[1] or 256
        size, offset = struct.unpack("<II", entry[8:16])
        image = raw[offset : offset + size]
        if offset < 6 + 16 * count or len(image) < size or size < 40:
            problems.append(f"Image {index + 1} lies outside the file")
            continue
        if image.startswith(_PNG):
            inner = _png(image)
            problems.extend(f"Image {index + 1}: {problem}" for problem in inner.problems)
            width, height = int(inner.width or width), int(inner.height or height)
        elif int.from_bytes(image[:4], "little") not in (40, 108, 124):
            problems.append(f"Image {index + 1} is neither a bitmap nor a PNG")
            continue
        best = max(best, (width, height))
    return IconFile("ico", best[0] or None, best[1] or None, tuple(problems))


def _svg(path: str, raw: bytes) -> IconFile:
    from husky_lint.parse.svg import parse_svg

    document = parse_svg(SourceText.decode(path, raw))
    root = document.root
    problems = [error.message for error in document.errors]
    if root.tag != f"{{{SVG}}}svg":
        problems.append("The root is no <svg> in the SVG namespace")
    width, height = _length(root.get("width")), _length(root.get("height"))
    box = re.split(r"[\s,]+", (root.get("viewBox") or "").strip())
    if len(box) == 4 and (width is None or height is None):
        width = _length(box[2]) if width is None else width
        height = _length(box[3]) if height is None else height
    return IconFile("svg", width, height, tuple(problems))


def _length(text: str | None) -> float | None:
    match = _LENGTH.match(text) if text else None
    return float(match[1]) if match else None
