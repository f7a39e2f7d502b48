"""A small pack for tests of the engine: what it says does not change when the real rules do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import husky_lint.rules
import pytest

from husky_lint import packs

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

RUBRIC = """
[score]
title = "toy"
stated_total = 12

[[row]]
number = 1
title = "Has a title"
weight = 4

[[row]]
number = 2
title = "Behaves"
weight = 6

[clauses]
HB7001 = { name = "title", title = "The page has a title", row = 1, core = true }
HB7002 = { name = "marquee", title = "Nothing scrolls by itself", row = 2 }
HB7003 = { name = "crasher", title = "Crashes where a page says so", row = 2, core = true }
HB7004 = { name = "later", title = "No rule yet", row = 2 }
HB7005 = { name = "short", title = "The title is short" }

[tolerance.HB7005]
longest = { value = 10, source = "chosen" }
"""

RULES = '''
from husky_lint.rule import Finding, Severity, rule

XHTML = "{http://www.w3.org/1999/xhtml}"


@rule("HB7001")
def title(evidence):
    """A page without a title.

    ## What it checks
    That there is one.

    ## Why it matters
    Tabs.

    ## Example that fails
    ```html
    <p>nothing</p>
    ```

    ## Example that passes
    ```html
    <title>a</title>
    ```
    """
    if not any(e.tag == XHTML + "title" for e in evidence.page.elements):
        yield Finding("no title, expected one", evidence.page.spans(evidence.page.root).start_tag)


@rule("HB7002")
def marquee(evidence):
    """Things that scroll by themselves."""
    for element in evidence.page.elements:
        if element.tag == XHTML + "marquee":
            yield Finding("1 marquee, expected none", evidence.element_span(element), data={"count": 1})


@rule("HB7003")
def crasher(evidence):
    """Crashes, dies or hangs on request."""
    text = evidence.page.source.text
    if "CRASH" in text:
        raise RuntimeError("asked to")
    if "DIE" in text:
        import os
        os.kill(os.getpid(), 9)
    while "HANG" in text:
        pass
    return ()


@rule("HB7005")
def short(evidence, longest):
    """A long title."""
    for element in evidence.page.elements:
        if element.tag == XHTML + "title" and len(element.text or "") > longest:
            yield Finding("long", evidence.element_span(element), severity=Severity.WARNING)
'''


def write_pack(folder: Path) -> None:
    """Write the pack below ``folder``."""
    pack = folder / "toy"
    pack.mkdir()
    (pack / "rubric.toml").write_text(RUBRIC)
    (pack / "__init__.py").write_text("def run_metadata(evidence):\n    return {'model': 'toy-1', 'else': 'x'}\n")
    (pack / "manners.py").write_text(RULES)


@pytest.fixture
def toy_pack(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The name of a pack that is there while the test runs (in this process only)."""
    folder = tmp_path_factory.mktemp("packs")
    write_pack(folder)
    monkeypatch.setattr(husky_lint.rules, "__path__", [*husky_lint.rules.__path__, str(folder)])
    _forget()
    yield "toy"
    _forget()


def _forget() -> None:
    import sys

    for name in [name for name in sys.modules if name.startswith("husky_lint.rules.toy")]:
        del sys.modules[name]
    vars(husky_lint.rules).pop("toy", None)
    for cached in (packs._folders, packs.pack_rubric, packs.load_pack):
        cached.cache_clear()
