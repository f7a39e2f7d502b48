"""Row 1 as a browser has it: what the page asks for, what it throws, what the console says."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from husky_lint.browser.live import Measured, live
from husky_lint.rule import Confidence, Finding, Reason, Verdict

from .desktop import clock, loaded, paced, paused, themed, used
from .served import opened
from .still import still_loaded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from husky_lint.browser.live import Reports
    from husky_lint.browser.session import Console, Refused

    from .desktop import Noise

_CODE: Final = frozenset({"script", "stylesheet"})
_NO_LOAD: Final = frozenset({"popup", "download"})
_ECHO: Final = re.compile(r"Failed to load resource")
"""What the console says of a request that is told by itself."""
_UNSENT: Final = re.compile(r"\bFailed to fetch\b")
_NULL: Final = re.compile(r"\b(null|undefined)\b")
_UNRESOLVED: Final = re.compile(r"require is not defined|Failed to resolve module specifier")
_SYNTAX: Final = re.compile(r"\bSyntaxError\b|Unexpected (?:token|identifier|end)|Invalid or unexpected")
_LIKELY: Final = Verdict.passed("nothing of it happened in use", confidence=Confidence.LIKELY)
_WHERE: Final = re.compile(r"(?:file|https?)://\S*/")


@live("HB1004", loaded, opened)
def runtime_dependency(reports: Reports) -> Iterator[Finding | Measured | Verdict]:
    """Opens the page from disk and over HTTP, and lists scripts and style sheets that it asks other hosts for."""
    noises = (reports.of(loaded).noise, reports.of(opened).noise)
    asked = [one for one in _refused(*noises) if one.kind in _CODE]
    yield Measured("code asked of other hosts", [one.url for one in asked])
    for one in asked:
        yield Finding(f"the page asks another host for a {one.kind}: {one.url!r}", data={"url": one.url})
    unresolved = dict.fromkeys(text for noise in noises for text in _said(noise) if _UNRESOLVED.search(text))
    for text in unresolved:
        yield Finding(f"the page says: {text}", data={"error": text})
    if not asked and not unresolved:
        yield Verdict.unknown(Reason.NEEDS_SOURCE, "nothing of it was asked for in use")


@live("HB1005", loaded, opened, still_loaded, paced, paused, themed, clock, used)
def network_call(reports: Reports) -> Iterator[Finding | Measured | Verdict]:
    """Opens the page in every way and uses all of its controls, and lists what it asks other hosts for."""
    noises = (reports.of(loaded).noise, reports.of(used).noise, reports.of(opened).noise, reports.of(still_loaded))
    asked = [one for one in _refused(*noises) if one.kind not in _NO_LOAD]
    yield Measured("asked of other hosts", [one.url for one in asked])
    for one in asked:
        yield Finding(
            f"the page asks the network for a {one.kind}: {one.url!r}; it has to run offline", data={"url": one.url}
        )
    if not asked:
        yield _LIKELY


@live("HB1006", loaded, opened)
def breaks_on_file_url(reports: Reports) -> Iterator[Finding | Measured | Verdict]:
    """Opens the page from disk and over HTTP, and tells what fails from disk only."""
    disk, http = reports.of(loaded).noise, reports.of(opened).noise
    only = _disk_only(disk, http)
    yield Measured("what fails from disk only", only)
    for text in only:
        yield Finding(f"opened from disk, and not over HTTP: {text}", data={"error": text})
    if not only:
        yield Verdict.unknown(Reason.NEEDS_SOURCE, "nothing of it fails in use; not all that is linked is asked for")


@live("HB1009", loaded, opened, still_loaded)
def parse_error(reports: Reports) -> Iterator[Finding | Measured | Verdict]:
    """Opens the page from disk and over HTTP, and reads what the console says of it both ways.

    What it says from disk only is HB1006's.
    """
    disk, http = reports.of(loaded).noise, reports.of(opened).noise
    noises = (disk, http, reports.of(still_loaded))
    syntax = dict.fromkeys(
        one.message for noise in noises for one in noise.errors if _is_syntax(one.message, one.stack)
    )
    only = _disk_only(disk, http)
    console = dict.fromkeys(
        one.text for noise in noises for one in noise.console if not _is_echo(one) and _placeless(one.text) not in only
    )
    yield Measured("errors on the console", [*syntax, *console])
    for message in syntax:
        yield Finding(f"a script does not parse: {message}", core=True, data={"error": message})
    for text in console:
        yield Finding(f"the console says: {text}", core=False, data={"error": text})
    if not syntax and not console:
        yield Verdict.unknown(Reason.NEEDS_SOURCE, "the console says nothing; what a browser drops it does not tell")


@live("HB1010", loaded, opened, still_loaded, paced, paused, themed, clock, used)
def dangling_reference(reports: Reports) -> Iterator[Finding | Measured | Verdict]:
    """Opens the page and uses all of its controls; tells exceptions that nothing caught, and files that are missing."""
    early = (reports.of(loaded).noise, reports.of(opened).noise, reports.of(still_loaded))
    at_load = _thrown(*early)
    later = [message for message in _thrown(reports.of(used).noise) if message not in at_load]
    missing = dict.fromkeys(f.path for noise in (*early, reports.of(used).noise) for f in noise.failed)
    yield Measured("exceptions at load", at_load)
    yield Measured("exceptions in use", later)
    yield Measured("files asked for and missing", list(missing))
    for message in at_load:
        null = bool(_NULL.search(message))
        yield Finding(f"loading throws: {message}", core=null, data={"error": message})
    for message in later:
        yield Finding(f"using the page throws: {message}", core=False, data={"error": message})
    for path in missing:
        yield Finding(f"the page asks for {path!r}, which is not there", core=False, data={"path": path})
    if not (at_load or later or missing):
        yield Verdict.unknown(Reason.NEEDS_SOURCE, "nothing is thrown or missing; a reference to nothing is silent")


def _refused(*noises: Noise) -> list[Refused]:
    """What was asked of other hosts."""
    return list(dict.fromkeys(one for noise in noises for one in noise.refused if not one.url.startswith("file:")))


def _is_echo(one: Console) -> bool:
    return bool(_ECHO.search(one.text))


def _is_syntax(message: str, stack: str) -> bool:
    return stack.startswith("SyntaxError") or bool(_SYNTAX.search(message))


def _thrown(*noises: Noise) -> list[str]:
    """What nothing caught, but for a script that does not parse (HB1009) and a request that is refused (HB1005, 6)."""
    errors = [e for noise in noises for e in noise.errors if not _UNSENT.search(e.message)]
    return list(dict.fromkeys(e.message for e in errors if not _is_syntax(e.message, e.stack)))


def _said(noise: Noise) -> list[str]:
    """What failed, in words that do not say where the page lies."""
    texts = [one.text for one in noise.console if not _is_echo(one)]
    texts += [error.message for error in noise.errors]
    texts += [f"{one.path} is {one.why}" for one in noise.failed]
    texts += [f"{one.url} is no file of the submission" for one in noise.refused if one.url.startswith("file:")]
    return list(dict.fromkeys(map(_placeless, texts)))


def _placeless(text: str) -> str:
    return _WHERE.sub("", text)


def _disk_only(disk: Noise, http: Noise) -> list[str]:
    """What fails from disk and not over HTTP, in the words of :func:`_said`."""
    elsewhere = set(_said(http))
    return [text for text in _said(disk) if text not in elsewhere]
