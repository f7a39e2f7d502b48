"""What an audit speaks of besides the list, and what becomes of its run where that is broken."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from husky_lint.evidence import StaticEvidence
from husky_lint.packs import load_pack
from husky_lint.rule import Judgement, run_rule
from validity.cases import base_files
from validity.edits import read_edit

if TYPE_CHECKING:
    from husky_lint.rule import Ruling

PACK = load_pack("husky")


def ruled(*edits: dict[str, str]) -> Ruling:
    from husky_lint.submission import Submission

    files = dict(base_files("reference"))
    for edit in edits:
        read_edit(edit)(files)
    rule = PACK.rules["HB3007"]
    return run_rule(rule, StaticEvidence(Submission.from_files(files), PACK.rubric), PACK.parameters(rule))


@pytest.mark.parametrize(
    ("edit", "judgement"),
    [
        ({"file": "index.html", "find": "0 0 900 460", "replace": "0 0 900 461"}, Judgement.UNKNOWN),
        ({"file": "favicon.ico", "overwrite": "no icon"}, Judgement.UNKNOWN),
        ({"file": "README.md", "overwrite": "Short."}, Judgement.PASS),
        ({"file": "vite.config.js", "add": "export default {};"}, Judgement.PASS),
    ],
)
def test_a_broken_clause_that_the_audit_speaks_of_is_for_the_browser(
    edit: dict[str, str], judgement: Judgement
) -> None:
    assert ruled(edit).verdicts[None].judgement is judgement


@pytest.mark.parametrize(("named", "judgement"), [("", Judgement.PASS), ("// styles.css\n", Judgement.UNKNOWN)])
def test_a_file_that_nothing_names_is_missed_by_no_check(named: str, judgement: Judgement) -> None:
    from husky_lint.submission import Submission

    files = dict(base_files("reference"))
    page, sheet = files["index.html"].decode(), files.pop("styles.css").decode()
    link = '<link rel="stylesheet" href="styles.css">'
    assert link in page
    files["index.html"] = page.replace(link, f"<style>{sheet.replace('styles.css', '')}</style>").encode()
    files["tools/audit.js"] = named.encode() + files["tools/audit.js"].replace(b"styles.css", b"styles")
    rule = PACK.rules["HB3007"]
    ruling = run_rule(rule, StaticEvidence(Submission.from_files(files), PACK.rubric), PACK.parameters(rule))
    assert ruling.verdicts[None].judgement is judgement


@pytest.mark.parametrize(
    ("thick", "read", "judgement"),
    [
        ("far", ".fore.near .arm", Judgement.UNKNOWN),
        ("near", ".fore.near .arm", Judgement.FAIL),
        ("far", ".fore.far .arm", Judgement.FAIL),
        ("far", ".arm", Judgement.FAIL),
    ],
)
@pytest.mark.parametrize("scale", ["", 'document.querySelector("svg").getBoundingClientRect().width / 900 * '])
def test_a_check_of_one_leg_says_nothing_of_another(thick: str, read: str, judgement: Judgement, scale: str) -> None:
    thicker = {"file": "styles.css", "append": f"\n.fore.{thick} .forearm {{ stroke-width: 20 !important; }}\n"}
    looks = {
        "file": "tools/audit.js",
        "find": 'style(".fore.near .arm").strokeWidth) / parseFloat(style(".fore.near .forearm")',
        "replace": f'style("{read}").strokeWidth) / ({scale}1) / parseFloat(style("{read.replace("arm", "forearm")}")',
    }
    assert ruled(thicker, looks).verdicts[None].judgement is judgement


AUDIT = "tools/audit.js"
PLAIN = {"file": AUDIT, "find": 'browser.newContext({ reducedMotion: "reduce" })', "replace": "browser.newContext()"}
EMULATED = {
    "file": AUDIT,
    "find": "const running = () =>",
    "replace": "await page.emulateMedia({ reducedMotion: 'reduce' }); const running = () =>",
}
STILL_ENDS = "(await running()) === 0, await running());"
MATRIX = {
    "file": AUDIT,
    "find": "const rect = document.querySelector(selector).getBoundingClientRect();",
    "replace": (
        "const at = document.querySelector(selector).getScreenCTM();"
        "const rect = { left: at.e, right: at.e, top: at.f, bottom: at.f };"
    ),
}


@pytest.mark.parametrize(
    ("edits", "judgement"),
    [
        ([PLAIN], Judgement.UNKNOWN),
        ([PLAIN, {"file": AUDIT, "append": "\n// reducedMotion: 'reduce', emulateMedia\n"}], Judgement.UNKNOWN),
        ([PLAIN, {"file": AUDIT, "find": STILL_ENDS, "replace": "(await running()) >= 0);"}], Judgement.PASS),
        ([PLAIN, {"file": AUDIT, "find": STILL_ENDS, "replace": "(await running()) > 20);"}], Judgement.PASS),
        ([PLAIN, EMULATED], Judgement.PASS),
        ([MATRIX], Judgement.UNKNOWN),
        ([{**MATRIX, "replace": f"{MATRIX['find']} scene.getScreenCTM();"}], Judgement.PASS),
    ],
)
def test_checks_that_rest_on_what_is_not_so_are_for_the_browser(
    edits: list[dict[str, str]], judgement: Judgement
) -> None:
    assert ruled(*edits).verdicts[None].judgement is judgement


def test_counting_some_animations_says_nothing_of_reduced_motion() -> None:
    few = "document.getElementById('scene').getAnimations({ subtree: true }).filter((one) => one.id === 'x').length"
    counts = {
        "file": AUDIT,
        "find": 'document.getElementById("scene").getAnimations({ subtree: true }).length',
        "replace": few,
    }
    assert ruled(PLAIN, counts).verdicts[None].judgement is Judgement.PASS
