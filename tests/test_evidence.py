"""The static evidence: what the page applies, in order, each answer once."""

from __future__ import annotations

import numpy as np
import pytest
from lxml import etree

from husky_lint.evidence import StaticEvidence
from husky_lint.packs import pack_rubric
from husky_lint.rule import PageMissing, Reason, Undecided
from husky_lint.submission import MAX_FILE_BYTES, Submission


def evidence(page: str = "", **files: str | bytes) -> StaticEvidence:
    named = {name.replace("__", "/").replace("_", "."): content for name, content in files.items()}
    return StaticEvidence(Submission.from_files({"index.html": page, **named}), pack_rubric("husky"))


def test_stylesheets_come_in_cascade_order_with_their_imports_first() -> None:
    given = evidence(
        "<link rel=stylesheet href=a.css media=print><style>s{}</style><link rel='alternate stylesheet' href=c.css>"
        "<link rel=stylesheet href=gone.css><style type=text/less>no</style>",
        a_css="@import 'd/b.css' screen; a{}",
        d__b_css="@import '../a.css'; b{}",
        c_css="",
    )
    told = [(s.sheet.source.path, s.media, s.imported) for s in given.stylesheets]
    assert told[1:] == [("d/b.css", "print and screen", True), ("a.css", "print", False), ("index.html", "", False)]
    assert told[0][:1] == ("a.css",)


def test_scripts_in_document_order() -> None:
    given = evidence(
        "<head><script>1</script><script src=a.js defer></script><script type=text/template>no</script>"
        "<body><script type=module>2</script><script src=https://x/y.js></script><script src=b.js></script>",
        a_js="3",
        b_js="4",
    )
    told = [(s.script.text, s.inline, s.module, s.deferred, s.in_head) for s in given.scripts]
    assert told == [
        ("1", True, False, False, True),
        ("3", False, False, True, True),
        ("2", True, True, True, False),
        ("4", False, False, False, False),
    ]


def test_tools_are_the_scripts_that_the_page_does_not_run() -> None:
    assert list(evidence("<script src=a.js></script>", a_js="", tools__audit_js="").tools) == ["tools/audit.js"]


def test_each_answer_is_worked_out_once() -> None:
    given = evidence("<svg viewBox='0 0 9 9'><rect/></svg>")
    calls = []

    def infer(asked: object) -> int:
        calls.append(asked)
        return len(calls)

    def refuse(asked: object) -> int:
        calls.append(asked)
        raise Undecided(Reason.ROLE_NOT_FOUND, "no ear")

    assert given.derived(infer) == given.derived(infer) == 1
    for _ in range(2):
        with pytest.raises(Undecided, match="no ear"):
            given.derived(refuse)
    assert len(calls) == 2
    assert given.scene is given.scene
    assert given.stylesheets is given.stylesheets


def test_no_page_and_no_scene() -> None:
    bare = StaticEvidence(Submission.from_files({"styles.css": ""}), pack_rubric("husky"))
    with pytest.raises(PageMissing):
        _ = bare.page
    with pytest.raises(PageMissing):
        _ = bare.stylesheets
    assert list(bare.tools) == []
    with pytest.raises(Undecided) as told:
        _ = evidence("<p>").scene
    assert told.value.reason is Reason.SCENE_NOT_FOUND


def test_a_file_too_large_to_read_leaves_it_open() -> None:
    large = b" " * (MAX_FILE_BYTES + 1)
    for page, name in (("<link rel=stylesheet href=a.css>", "a_css"), ("<script src=a.js></script>", "a_js")):
        given = evidence(page, **{name: large})
        with pytest.raises(Undecided) as told:
            _ = given.stylesheets if name == "a_css" else given.scripts
        assert told.value.reason is Reason.LIMIT


def test_icons() -> None:
    given = evidence("<link rel=icon href=dog.svg>", dog_svg="<svg/>", favicon_ico=b"x", other_svg="<svg/>")
    assert sorted(given.icons) == ["dog.svg", "favicon.ico"]
    assert given.icons["favicon.ico"].kind == "unknown"


PAGE = """<!doctype html><body><svg id=s viewBox="0 0 900 460" data-speed=walk><rect id=r /></svg>
<button data-speed=hop>hop</button>
<style>[data-speed=hop] rect { fill: red } @keyframes k { to { transform: translateX(9px) } }
rect { animation: k 1s linear infinite }</style>
<script>
var svg = document.getElementById("s");
svg.appendChild(document.createElementNS("http://www.w3.org/2000/svg", "circle"));
document.querySelector("button").addEventListener("click", function () { svg.setAttribute("data-speed", "hop"); });
</script>"""


def test_script_is_followed_and_the_tree_stays_as_written() -> None:
    given = evidence(PAGE)
    written = etree.tostring(given.page.root)
    told = {(effect.kind, effect.trigger) for effect in given.script.all_effects}
    assert ("insert", "load") in told
    assert ("attribute", "click") in told
    assert not given.script.limit
    assert given.script is given.script
    assert etree.tostring(given.page.root) == written


def test_states_scene_style_and_motion_agree() -> None:
    given = evidence(PAGE)
    written = etree.tostring(given.page.root)
    hop = given.states.state(pace="hop")
    assert [node.name for node in given.scene.nodes] == ["svg", "rect", "circle"]
    assert given.scene_in(hop) is given.scene
    (rect,) = (node for node in given.scene.nodes if node.name == "rect")
    assert given.style(hop).computed(rect.element).color("fill") != given.style(given.states.initial).computed(
        rect.element
    ).color("fill")
    matrix = given.motion(hop).matrix(rect, np.array([0.0, 0.5]))
    assert matrix[:, 4].tolist() == pytest.approx([0, 4.5])
    assert etree.tostring(given.page.root) == written


@pytest.mark.parametrize(
    ("write", "reason"), [("style.transform = 'none'", "script-driven-motion"), ("title = 'x'", None)]
)
def test_what_frames_move_is_unknown(write: str, reason: str | None) -> None:
    script = f"<script>function f() {{ document.getElementById('r').{write}; requestAnimationFrame(f) }} f()</script>"
    given = evidence("<svg viewBox='0 0 9 9'><rect id=r width=1 height=1 /></svg>" + script)
    motion = given.motion(given.states.initial)
    assert {node.name: why for node, why in motion.unknown.items()}.get("rect") == reason


@pytest.mark.parametrize("target", ["", "window.", "self.", "globalThis."])
def test_a_bare_listener_is_the_windows(target: str) -> None:
    given = evidence(
        f"<svg><rect/></svg><script>{target}addEventListener('resize', () => {{ document.title = 1 }})</script>"
    )
    assert [(listener.target, listener.type) for listener in given.script.listeners] == [("window", "resize")]
