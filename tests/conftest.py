"""Fixtures shared by all tests: the corpus, and one Chromium for a test process."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import hypothesis
import pytest

from husky_lint.browser.chromium import ChromiumMissing, launch
from husky_lint.browser.session import BrowserSession, open_browser

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, Page, Route

REPOSITORY = Path(__file__).resolve().parent.parent
CORPUS = REPOSITORY.parent / "shared" / "corpus"
GRAMMAR = REPOSITORY / "husky_lint" / "style" / "css_grammar.json"

_LOCAL_SCHEMES = ("file:", "data:", "about:", "blob:")


# No test is timed: a loaded machine is not a failure. In CI a run's examples depend on the code alone.
hypothesis.settings.register_profile(
    "untimed",
    deadline=None,
    derandomize=bool(os.environ.get("CI")),
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("untimed")


def corpus_folders() -> list[Path]:
    """The corpus submissions next to the repository; empty when there is no corpus."""
    if not CORPUS.is_dir():
        return []
    return sorted(folder for folder in CORPUS.iterdir() if (folder / "index.html").is_file())


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that takes ``corpus_submission`` runs once for each corpus folder."""
    if "corpus_submission" in metafunc.fixturenames:
        folders = corpus_folders()
        skip = pytest.mark.skip(reason="no corpus beside the repository")
        parameters = [pytest.param(folder, id=folder.name) for folder in folders]
        metafunc.parametrize("corpus_submission", parameters or [pytest.param(None, marks=skip, id="absent")])


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of corpus submissions; the test is skipped where it is absent."""
    if not corpus_folders():
        pytest.skip("no corpus beside the repository")
    return CORPUS


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """One headless Chromium for the test process (each xdist worker has its own).

    Without a browser the test is skipped, but in CI (the variable CI is set) it fails.
    """
    try:
        browser = launch()
    except ChromiumMissing as missing:
        if os.environ.get("CI"):
            pytest.fail(str(missing))
        pytest.skip(str(missing))
    yield browser
    browser.close()


@pytest.fixture
def calibrated(chromium: Browser) -> None:
    """For tests of what differs between versions of Chromium: skipped in one older than the names of CSS are from."""
    source = json.loads(GRAMMAR.read_text(encoding="utf-8"))["source"]
    wanted = source.rpartition("Chromium ")[2]
    if int(chromium.version.partition(".")[0]) < int(wanted.partition(".")[0]):
        pytest.skip(f"Chromium {chromium.version} is older than {wanted}")


@pytest.fixture(scope="session")
def visits(chromium: Browser) -> Iterator[BrowserSession]:
    """One browser session for the test process, for the tests of what visits submissions."""
    with open_browser() as session:
        yield session


def _only_local(route: Route) -> None:
    if route.request.url.startswith(_LOCAL_SCHEMES):
        route.continue_()
    else:
        route.abort()


@pytest.fixture
def page(chromium: Browser) -> Iterator[Callable[..., Page]]:
    """A factory of pages: ``page(viewport={"width": 390, "height": 844}, reduced_motion="reduce")``.

    Each call opens a fresh context (keyword arguments are Playwright's ``new_context`` options; 1280 × 720 by
    default) in which everything but file:, data:, about: and blob: URLs is refused. Closed when the test ends.
    """
    contexts = []

    def open_page(**options: Any) -> Page:
        context = chromium.new_context(**{"viewport": {"width": 1280, "height": 720}, **options})
        contexts.append(context)
        context.route("**/*", _only_local)
        return context.new_page()

    yield open_page
    for context in contexts:
        context.close()
