"""Two pieces of work in one thread, each going on while the other waits for the browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from husky_lint.browser.aside import Aside, give_way
from husky_lint.submission import Submission

if TYPE_CHECKING:
    from husky_lint.browser.session import BrowserSession

pytestmark = pytest.mark.browser
PAGE = Submission.from_files({"index.html": "<!doctype html><title>A page</title>"})


def visited(visits: BrowserSession, log: list[str], name: str, other: str = "") -> str:
    """A visit that is not over before the other one has begun."""
    with visits.visit(PAGE) as visit:
        log.append(name)
        for _ in range(2_000):
            if not other or other in log:
                break
            visit.page.evaluate("new Promise(done => requestAnimationFrame(done))")
        return f"{name}: {visit.page.title()}"


def test_visits_go_on_at_once(visits: BrowserSession) -> None:
    log: list[str] = []
    aside = Aside(lambda: visited(visits, log, "aside", "here"))
    assert log == []
    assert visited(visits, log, "here", "aside") == "here: A page"
    assert aside.result() == "aside: A page" == aside.result()
    assert sorted(log) == ["aside", "here"]


def test_what_nothing_waited_for_is_done_when_it_is_asked_for(visits: BrowserSession) -> None:
    with visits.visit(PAGE):
        aside = Aside(lambda: "done")
        assert aside.result() == "done"


def test_what_is_raised_aside_is_raised_where_it_is_asked_for(visits: BrowserSession) -> None:
    def fails() -> None:
        with visits.visit(PAGE) as visit:
            visit.page.evaluate("1")
            raise KeyError("aside")

    aside = Aside(fails)
    assert visited(visits, [], "here") == "here: A page"
    with pytest.raises(KeyError, match="aside"):
        aside.result()
    assert visited(visits, [], "here") == "here: A page"


def test_what_is_dropped_ends_where_it_is(visits: BrowserSession) -> None:
    log: list[str] = []
    starts = visits.starts
    with visits.visit(PAGE):
        pass

    def waits() -> None:
        log.append("begun")
        with visits.visit(PAGE) as visit:
            log.append("opened")
            visit.page.wait_for_timeout(60_000)

    aside = Aside(waits)
    while not log:
        give_way()
    aside.drop()
    assert visited(visits, log, "here") == "here: A page"
    assert visits.starts - starts <= 2


def test_prepared_tabs_are_used_and_fresh(visits: BrowserSession) -> None:
    visits.prepare(2)
    for _ in range(400):
        give_way()
    (one, other) = visits._tabs
    with visits.visit(PAGE) as visit:
        assert visit.context is one.result()[0]
        assert visit.page.evaluate("[innerWidth, innerHeight]") == [1280, 720]
    with visits.visit(PAGE) as visit:
        assert visit.context is other.result()[0]
    assert visits._tabs == []
