"""What a visit shows, and that each has a world of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

import pytest

from husky_lint.browser.serving import Origin
from husky_lint.browser.session import Console, Failed, PageError, Refused
from husky_lint.style.media import MediaContext
from husky_lint.submission import Submission

if TYPE_CHECKING:
    from husky_lint.browser.session import BrowserSession

pytestmark = pytest.mark.browser
ORIGINS = get_args(Origin)


def submission(body: str = "", **files: str | bytes) -> Submission:
    page = f"<!doctype html><meta charset=utf-8><title>A page</title>{body}"
    return Submission.from_files({"index.html": page, **files})


@pytest.mark.parametrize("origin", ORIGINS)
def test_own_files_load_from_wherever_they_lie(visits: BrowserSession, origin: Origin) -> None:
    made = submission(
        '<link rel=stylesheet href="a%20b/s.css?v=1#x"><script src="./x/../app.js"></script><p>ü</p>',
        **{"a b/s.css": "@import 'deep/t.css'; p { color: rgb(1, 2, 3) }", "a b/deep/t.css": "p { width: 7px }"},
        **{"app.js": "document.title = document.characterSet"},
    )
    with visits.visit(made, origin=origin) as visit:
        assert visit.page.title() == "UTF-8"
        assert visit.page.evaluate("getComputedStyle(document.querySelector('p')).color") == "rgb(1, 2, 3)"
        assert visit.page.evaluate("getComputedStyle(document.querySelector('p')).width") == "7px"
        assert visit.page.text_content("p") == "ü"
        assert [*visit.refused, *visit.failed, *visit.console, *visit.page_errors, *visit.dialogs] == []


@pytest.mark.parametrize("origin", ORIGINS)
def test_what_is_missing_thrown_and_said_is_listed(visits: BrowserSession, origin: Origin) -> None:
    made = submission("<img src=no.png><script>\nconsole.warn('careful'); throw new TypeError('oh')</script>")
    with visits.visit(made, origin=origin) as visit:
        assert visit.failed == [Failed("no.png", "image", "missing")]
        assert [error.message for error in visit.page_errors] == ["oh"]
        assert isinstance(visit.page_errors[0], PageError)
        assert Console("warning", "careful", visit.site.page, 1) in visit.console


def test_the_view_is_the_pages(visits: BrowserSession) -> None:
    view = MediaContext(390, 844, reduced_motion=True, color_scheme="dark", resolution=2)
    asked = "(prefers-color-scheme: dark) and (prefers-reduced-motion: reduce) and (resolution: 2dppx)"
    with visits.visit(submission(), view=view) as visit:
        assert visit.page.evaluate("q => matchMedia(q).matches && [innerWidth, innerHeight]", asked) == [390, 844]


@pytest.mark.parametrize("origin", ORIGINS)
def test_storage_lasts_for_a_visit_and_no_longer(visits: BrowserSession, origin: Origin) -> None:
    made = submission()
    for _ in range(2):
        with visits.visit(made, origin=origin) as visit:
            assert visit.page.evaluate("localStorage.getItem('kept')") is None
            visit.page.evaluate("localStorage.setItem('kept', 'yes'); document.cookie = 'a=1; max-age=99'")
            visit.reload()
            assert visit.page.evaluate("localStorage.getItem('kept')") == "yes"
            assert visit.page.evaluate("document.cookie") == ("a=1" if origin == "http" else "")
            assert visit.refused == []


@pytest.mark.parametrize("origin", get_args(Origin))
def test_a_page_that_moves_is_as_fresh_as_in_a_new_tab(visits: BrowserSession, origin: Origin) -> None:
    made = submission("<script>console.log(localStorage.kept, sessionStorage.kept, name, document.cookie)</script>")
    with visits.visit(made, origin=origin) as visit:
        assert [one.text for one in visit.console] == ["undefined undefined  "]
        visit.page.evaluate("localStorage.kept = sessionStorage.kept = name = 1; document.cookie = 'a=1; max-age=99'")
        visit.reload()
        assert visit.console[1].text.startswith("1 1 1")
        visit.move(origin, MediaContext(390, 844, reduced_motion=True))
        assert (visit.page.url, visit.console) == ("about:blank", [])
        visit.open()
        assert [one.text for one in visit.console] == ["undefined undefined  "]
        assert visit.page.evaluate("[innerWidth, matchMedia('(prefers-reduced-motion)').matches]") == [390, True]
        visit.move("http" if origin == "file" else "file", MediaContext())
        visit.open()
        assert visit.page.url.startswith("file:" if origin == "http" else "http:")
        assert visit.page.evaluate("[innerWidth, matchMedia('(prefers-reduced-motion)').matches]") == [1280, False]
        assert visit.refused == []


def test_a_failing_visitor_does_not_cost_the_browser(visits: BrowserSession) -> None:
    with visits.visit(submission()):
        pass
    starts = visits.starts
    with pytest.raises(ZeroDivisionError), visits.visit(submission()):
        raise ZeroDivisionError
    with visits.visit(submission()) as visit:
        assert visit.page.title() == "A page"
    assert visits.starts == starts


def test_pages_below_the_root_are_found_as_a_server_finds_them(visits: BrowserSession) -> None:
    made = submission("<iframe src='sub/'></iframe>", **{"sub/index.html": "<title>below</title>"})
    with visits.visit(made) as visit:
        assert [frame.title() for frame in visit.page.frames] == ["A page", "below"]
        assert visit.failed == []


def test_requests_to_elsewhere_are_refused_and_listed(visits: BrowserSession) -> None:
    with visits.visit(submission("<img src='http://example.com/a.png'>")) as visit:
        assert visit.refused == [Refused("http://example.com/a.png", "image")]
        assert visit.failed == []
