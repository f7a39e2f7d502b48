"""Pages that do away with themselves pass nothing by their source."""

from __future__ import annotations

import pytest

from husky_lint import Submission, check
from husky_lint.evidence import StaticEvidence
from husky_lint.packs import default_pack, load_pack
from husky_lint.rule import Judgement


def _doubt(script: str) -> str | None:
    page = f'<!DOCTYPE html><body><button>b</button><svg viewBox="0 0 900 460"/><script>{script}</script>'
    return StaticEvidence(Submission.from_files({"index.html": page}), load_pack(default_pack()).rubric).doubt


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ('addEventListener("load", () => document.documentElement.remove())', "takes the page's root element out"),
        ('addEventListener("load", () => { document.open(); document.close(); })', "writes the document anew"),
        ("setTimeout(() => location.reload(), 30)", "leaves the page (reload)"),
        ('requestAnimationFrame(() => { location.href = "other.html"; })', "leaves the page (location)"),
        ("onload = () => history.back()", "leaves the page (back)"),
        ('addEventListener("click", () => { location = "x.html"; }, true)', "leaves the page (location)"),
        ('document.body.addEventListener("click", () => location.assign("x.html"))', "leaves the page (assign)"),
        ('document.querySelector("button").onclick = () => { while (true) {} }', "runs into an endless loop"),
        ('document.querySelector("button").onclick = () => { for (;;) alert(1); }', "runs into an endless loop"),
        ('document.querySelector("button").onclick = () => { do { } while (1); }', "runs into an endless loop"),
        ("for (;;) { const f = function* () { yield 1; }; }", "runs into an endless loop"),
    ],
)
def test_script_that_does_away_with_the_page_is_found(script: str, said: str) -> None:
    doubt = _doubt(script)
    assert doubt is not None
    assert said in doubt


@pytest.mark.parametrize(
    "script",
    [
        'location.hash = "#top"; location.replace("#walk"); history.replaceState(null, "", "?pace=hop");',
        'document.querySelector("button").onclick = () => location.reload()',
        "let n = 0; while (true) { if (n++ > 3) break; }",
        "function* turns() { for (;;) { yield 1; do { yield 2; } while (true); } } const t = turns(); t.next();",
        "let n = 0; for (;;) { if (Math.random() > .5) break; n += 1; }",
        "(() => { while (true) { if (Math.random() > .5) return; } })()",
        "try { while (true) { if (Math.random() > .5) throw 1; } } catch (e) {}",
        "const tick = () => requestAnimationFrame(tick); tick();",
        'document.querySelector("button").remove()',
    ],
)
def test_script_that_lets_the_page_stand_is_not(script: str) -> None:
    assert _doubt(script) is None


def test_nothing_passes_on_a_page_that_goes() -> None:
    page = '<!DOCTYPE html><svg viewBox="0 0 900 460"/><script>onload = () => location.reload()</script>'
    card = check(Submission.from_files({"index.html": page}))
    verdicts = [result.verdict for results in card.clauses.values() for result in results]
    assert not any(verdict.judgement is Judgement.PASS for verdict in verdicts)
    assert any("leaves the page" in verdict.detail for verdict in verdicts)
