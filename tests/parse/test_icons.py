"""Icon files by their content."""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from husky_lint.parse.icons import parse_icon

if TYPE_CHECKING:
    from pathlib import Path


def png(width: int, height: int) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    pixels = zlib.compress(b"".join(b"\0" + b"\0\0\0\0" * width for _ in range(height)))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def ico(*images: tuple[int, int, bytes]) -> bytes:
    directory, payload = b"", b""
    offset = 6 + 16 * len(images)
    for width, height, image in images:
        directory += struct.pack("<BBBBHHII", width % 256, height % 256, 0, 0, 1, 32, len(image), offset + len(payload))
        payload += image
    return struct.pack("<HHH", 0, 1, len(images)) + directory + payload


BITMAP = struct.pack("<IiiHHIIiiII", 40, 16, 32, 1, 32, 0, 0, 0, 0, 0, 0) + bytes(16 * 16 * 4)


def test_corpus_icons_are_fine(corpus_submission: Path) -> None:
    for path in corpus_submission.glob("favicon*"):
        icon = parse_icon(path.name, path.read_bytes())
        assert icon.kind == path.suffix[1:]
        assert icon.problems == ()
        assert icon.width == icon.height
        assert icon.width in (32, 48, 64)


def test_ico() -> None:
    icon = parse_icon("favicon.ico", ico((16, 16, BITMAP), (256, 256, png(256, 256))))
    assert (icon.kind, icon.width, icon.height, icon.problems) == ("ico", 256, 256, ())


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        (b"", "empty"),
        (b"GIF89a", "Neither"),
        (b"\0\0\1\0\0\0", "no image"),
        (ico((16, 16, BITMAP))[:200], "outside"),
        (ico((16, 16, b"x" * 100)), "neither a bitmap"),
        (b"\0\0\1\0\2\0" + bytes(16), "ends after"),
        (ico((16, 16, png(16, 16)[:-12])), "cut off"),
    ],
)
def test_what_is_wrong(raw: bytes, problem: str) -> None:
    assert problem in " ".join(parse_icon("favicon.ico", raw).problems)


def test_the_content_says_the_kind() -> None:
    assert parse_icon("favicon.ico", png(8, 9)) == parse_icon("favicon.png", png(8, 9))
    assert parse_icon("favicon.ico", png(8, 9)).height == 9
    assert parse_icon("favicon.ico", b'<svg xmlns="http://www.w3.org/2000/svg"/>').kind == "svg"


@pytest.mark.parametrize(
    ("attributes", "size"),
    [
        ('width="32" height="48px"', (32, 48)),
        ('viewBox="0 0 64 65"', (64, 65)),
        ('width="10" viewBox="0,0,64,65"', (10, 65)),
        ('width="100%" height="2em"', (None, None)),
        ('viewBox="none"', (None, None)),
    ],
)
def test_svg_size(attributes: str, size: tuple[float | None, float | None]) -> None:
    icon = parse_icon("f.svg", f'<svg xmlns="http://www.w3.org/2000/svg" {attributes}/>'.encode())
    assert (icon.width, icon.height) == size
    assert icon.problems == ()


def test_svg_without_its_namespace_shows_nothing() -> None:
    assert parse_icon("f.svg", b"<svg width='1' height='1'/>").problems


@given(
    st.binary(max_size=200),
    st.sampled_from(["", "\0\0\1\0", "\x89PNG\r\n\x1a\n", "<svg "]),
    st.sampled_from(["a.ico", "a.svg"]),
)
def test_any_bytes_are_read(raw: bytes, start: str, name: str) -> None:
    icon = parse_icon(name, start.encode("latin-1") + raw)
    assert icon.width is None or icon.width >= 0
