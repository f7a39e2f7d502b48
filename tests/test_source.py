"""Source text: decoding, positions, newline normalisation."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from husky_lint.source import Position, SourceText, Span


@pytest.mark.parametrize(
    ("raw", "text", "encoding", "lossy", "bom"),
    [
        (b"abc", "abc", "utf-8", False, False),
        (b"\xef\xbb\xbfabc", "abc", "utf-8", False, True),
        (b"\xff\xfe" + "aé😀".encode("utf-16-le"), "aé😀", "utf-16-le", False, True),
        (b"\xfe\xff" + "aé😀".encode("utf-16-be"), "aé😀", "utf-16-be", False, True),
        (b"a\xffb", "a\ufffdb", "utf-8", True, False),
        (b"\xff\xfea", "\ufffd", "utf-16-le", True, True),
        (b"\xed\xa0\x80", "\ufffd\ufffd\ufffd", "utf-8", True, False),
        (b"", "", "utf-8", False, False),
    ],
)
def test_decoding(raw: bytes, text: str, encoding: str, lossy: bool, bom: bool) -> None:
    source = SourceText.decode("x", raw)
    assert (source.text, source.encoding, source.lossy, source.has_bom) == (text, encoding, lossy, bom)


def test_a_byte_order_mark_wins_over_a_declaration() -> None:
    assert SourceText.decode("x", b"\xe9", "latin-1").text == "é"
    assert SourceText.decode("x", b"\xef\xbb\xbf\xc3\xa9", "latin-1").text == "é"


def test_an_unknown_encoding_is_utf_8() -> None:
    assert SourceText.decode("x", "é".encode(), "no-such-thing").text == "é"


def test_positions_count_code_points_whatever_ends_the_lines() -> None:
    source = SourceText("x", "a😀b\r\n\tc\rd\n\ne")
    assert source.line_count == 5
    assert [source.position(source.text.index(c)) for c in "b\tcde"] == [(1, 3), (2, 1), (2, 2), (3, 1), (5, 1)]
    assert source.position(-5) == (1, 1)
    assert source.position(10_000) == Position(5, 2)
    assert [source.line(number) for number in range(1, 6)] == ["a😀b", "\tc", "d", "", "e"]
    assert source.offset(2, 2) == source.text.index("c")
    assert source.offset(99, 99) == len(source.text)


def test_spans() -> None:
    source = SourceText("x", "abcdef")
    span = source.span(1, 3)
    assert span == Span("x", 1, 3)
    assert source.slice(span) == "bc"
    assert span.to(source.span(4, 5)) == Span("x", 1, 5)


_TEXT = st.lists(st.sampled_from(["\r", "\n", "\r\n", "a", "😀", "\t"]), max_size=30).map("".join)


@given(_TEXT)
def test_normalised_offsets_map_back(text: str) -> None:
    source = SourceText("x", text)
    normalised = source.normalised
    assert "\r" not in normalised
    raw = [source.raw_offset(offset) for offset in range(len(normalised) + 1)]
    assert raw[-1] == len(text)
    assert raw == sorted(set(raw))
    for offset, character in enumerate(normalised):
        expected = text[raw[offset]]
        assert character == expected or (character == "\n" and expected == "\r")


@given(_TEXT)
def test_positions_and_offsets_are_inverse(text: str) -> None:
    source = SourceText("x", text)
    for offset in range(len(text) + 1):
        assert source.offset(*source.position(offset)) == offset


@given(st.binary(max_size=60), st.sampled_from(["utf-8", "shift_jis", "utf-16-le", "gb18030", "nonsense", "cp1252"]))
def test_any_bytes_decode(raw: bytes, encoding: str) -> None:
    text = SourceText.decode("x", raw, encoding).text
    assert isinstance(text, str)
    assert not any("\ud800" <= character <= "\udfff" for character in text)
