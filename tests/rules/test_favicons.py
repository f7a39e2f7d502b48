"""The favicons: their size and format, and that script swaps them."""

from __future__ import annotations

import struct

import pytest

from husky_lint.rule import Judgement, Reason

from .skeletal import errors, judge, judgement, verdict

PASS, FAIL, UNKNOWN = Judgement.PASS, Judgement.FAIL, Judgement.UNKNOWN
NAMESPACE = 'xmlns="http://www.w3.org/2000/svg"'
PNG = (
    b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sIIBBBBB", 13, b"IHDR", 16, 16, 8, 6, 0, 0, 0) + b"\0" * 8 + b"IEND\0\0\0\0"
)


@pytest.mark.parametrize("size", ['width="32" height="32"', 'height="2em" width=" 48px "', 'width="1e2" height=".5in"'])
def test_a_favicon_with_a_size(size: str) -> None:
    icon = f"<svg {NAMESPACE} {size}><path d='M0 0h9v9z'/></svg>"
    assert judgement(judge("HB2609", files={"favicon.svg": icon, "favicon-night.svg": icon})) is PASS


@pytest.mark.parametrize(
    "size",
    ['viewBox="0 0 9 9"', 'width="32"', 'width="100%" height="100%"', 'width="0" height="0"', 'style="width: 9px"'],
)
@pytest.mark.parametrize("path", ["favicon.svg", "favicon-night.svg"])
def test_a_favicon_without_one(path: str, size: str) -> None:
    icon = f"<svg {NAMESPACE} {size}><circle r='9'/></svg>"
    ruling = judge("HB2609", files={path: icon})
    assert judgement(ruling) is FAIL
    assert {finding.span.file for finding in errors(ruling) if finding.span is not None} == {path}


def test_the_missing_size_is_the_view_box_s() -> None:
    icon = f'<svg {NAMESPACE} viewBox="0 0 64 48"><circle r="9"/></svg>'
    text = icon
    for finding in reversed(errors(judge("HB2609", files={"favicon.svg": icon}))):
        assert finding.fix is not None
        for edit in finding.fix.edits:
            text = text[: edit.span.start] + edit.replacement + text[edit.span.end :]
    assert judgement(judge("HB2609", files={"favicon.svg": text})) is PASS
    assert 'width="64"' in text
    assert 'height="48"' in text


@pytest.mark.parametrize(
    "icon",
    [
        '<svg width="9" height="9"><circle r="9"/></svg>',
        f'<svg {NAMESPACE} width="9" height="9"/>',
        f'<svg {NAMESPACE} width="9" height="9"><circle r="9"></svg>',
        f'<html {NAMESPACE} width="9" height="9"/>',
    ],
)
def test_a_favicon_that_shows_nothing(icon: str) -> None:
    assert judgement(judge("HB2609", files={"favicon.svg": icon})) is FAIL


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b"not an icon", FAIL),
        (b"\0\0\1\0\0\0", FAIL),
        (b"\0\0\1\0\1\0" + b"\x10" * 16, FAIL),
        (f'<svg {NAMESPACE} width="9" height="9"><circle r="9"/></svg>'.encode(), FAIL),
        (PNG, PASS),
        (struct.pack("<HHH", 0, 1, 1) + struct.pack("<BBBBHHII", 16, 16, 0, 0, 1, 32, len(PNG), 22) + PNG, PASS),
    ],
)
def test_the_binary_icon_is_one(raw: bytes, expected: Judgement) -> None:
    assert judgement(judge("HB2609", files={"favicon.ico": raw})) is expected


def test_without_any_favicon_there_is_nothing_to_judge() -> None:
    gone: dict[str, str | bytes | None] = {"favicon.svg": None, "favicon-night.svg": None, "favicon.ico": None}
    assert judgement(judge("HB2609", files=gone)) is Judgement.NOT_APPLICABLE


# ---------------------------------------------------------------- HB2610

TOGGLE = (
    '<button id="sky">Night</button><script>'
    "function turn(night) {{ document.documentElement.dataset.theme = night ? 'night' : 'day'; {swap} }}"
    "document.getElementById('sky').addEventListener('click', function () {{"
    "  turn(document.documentElement.dataset.theme !== 'night'); }});</script>"
)

SWAPS = [
    "document.getElementById('favicon').href = night ? 'favicon-night.svg' : 'favicon.svg';",
    "document.querySelector('link[rel~=icon]').setAttribute('href', 'favicon' + (night ? '-night' : '') + '.svg');",
    "document.querySelectorAll('link[rel=icon]').forEach(l => { l.href = `./favicon${night ? '-night' : ''}.svg`; });",
    (
        "var old = document.getElementById('favicon'), link = old.cloneNode(); "
        "link.href = night ? 'favicon-night.svg' : 'favicon.svg'; old.replaceWith(link);"
    ),
    (
        "var old = document.getElementById('favicon'); old.remove(); var link = document.createElement('link'); "
        "link.id = 'favicon'; link.rel = 'icon'; link.href = {true: 'favicon-night.svg', false: 'favicon.svg'}[night]; "
        "document.head.appendChild(link);"
    ),
]


@pytest.mark.parametrize("swap", SWAPS)
def test_the_icon_is_swapped(swap: str) -> None:
    ruling = judge("HB2610", html=TOGGLE.format(swap=swap))
    assert (judgement(ruling), errors(ruling)) == (PASS, [])


@pytest.mark.parametrize(
    "swap",
    [
        "",
        "var link = document.createElement('link'); link.rel = 'icon'; link.href = 'favicon-night.svg';",
        "document.getElementById('favicon').href = night ? 'favicon.svg' : 'favicon-night.svg';",
        "document.getElementById('favicon').href = night ? 'icons/night.svg' : 'favicon.svg';",
        "document.getElementById('favicon').href = night ? 'https://x.example/n.svg' : 'favicon.svg';",
        "document.getElementById('favicon').href = night ? 'data:image/svg+xml,x' : 'favicon.svg';",
        "document.getElementById('favicon').title = night ? 'favicon-night.svg' : 'favicon.svg';",
        "if (night) document.getElementById('favicon').remove();",
        "function never() { document.getElementById('favicon').href = 'favicon-night.svg'; }",
    ],
)
def test_the_icon_is_not_swapped(swap: str) -> None:
    ruling = judge("HB2610", html=TOGGLE.format(swap=swap))
    assert judgement(ruling) is FAIL
    assert errors(ruling)[0].span is not None


def test_the_system_s_preference_is_no_swap() -> None:
    page = '<link rel="icon" media="(prefers-color-scheme: dark)" href="favicon-night.svg">'
    toggle = TOGGLE.format(swap="").partition("<script>")[2].partition("</script>")[0]
    button = "var b = document.createElement('button'); b.id = 'sky'; b.textContent = 'Night';document.body.append(b);"
    assert judgement(judge("HB2610", html=page, js=button + toggle)) is FAIL


def test_a_page_without_a_way_into_night_is_left_open() -> None:
    ruling = judge("HB2610")
    assert (judgement(ruling), verdict(ruling).reason) == (UNKNOWN, Reason.STATE_NOT_FOUND)
