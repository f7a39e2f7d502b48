"""What the checks of an audit take for granted and its source does not provide: true measures, a page that stands."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final

from husky_lint.style.words import words

from .tool_facts import Fact
from .tool_items import has
from .tool_program import bare, key_of, literal_text
from .tool_reading import said_within

if TYPE_CHECKING:
    from collections.abc import Iterator

    from husky_lint.parse.js import JsNode

    from .tool_failure import Assertion
    from .tool_flow import Context, Key
    from .tool_program import ToolFile
    from .tool_reading import Tools

_MATRICES: Final = words("getScreenCTM getCTM")
_ROOTS: Final = words("svg scene root stage svgroot")
_ROOT_SELECTORS: Final = words("svg #scene scene")
_CHOOSING: Final = words("filter some find every")
_STOPPED: Final = Fact.PAUSE | Fact.PAUSED | Fact.REDUCED_MOTION | Fact.EMULATED | Fact.DELAY
_MAX_STEPS: Final = 400
_MAX_WAY: Final = 16


def skewed_measures(tools: Tools, file: ToolFile) -> Iterator[JsNode]:
    """The calls of one file that take a place from the matrix of something below the scene (spec §3, traps)."""
    for call in file.calls:
        callee = bare(call.callee)
        if callee.type != "MemberExpression" or key_of(callee) not in _MATRICES or not tools.program.runs(call):
            continue
        if not _is_root(callee.object):
            yield call


def _is_root(node: JsNode) -> bool:
    """Whether the matrix is asked of the scene itself, whose ancestors turn nothing."""
    node = bare(node)
    looked_up = literal_text(node.arguments[0]) if node.type == "CallExpression" and node.arguments else None
    return str(getattr(node, "name", "") or "").lower() in _ROOTS or looked_up in _ROOT_SELECTORS


def unsupported(tools: Tools, audit: ToolFile) -> tuple[str, JsNode] | None:
    """Why a check of an audit may fail on a sound page, and where; None when nothing in its source says so."""
    files = tools.program.closure(audit)
    checks = [one for one in tools.checks(audit).assertions if one.measured and not one.constant]
    skewed = next((call for file in files for call in skewed_measures(tools, file)), None)
    if skewed is not None and any(has(Fact(one.facts), Fact.BOX, Fact.MATRIX) for one in checks):
        return "a check goes by a matrix that counts rotations twice", skewed
    still = next((one for one in checks if _wants_nothing_to_move(tools, one)), None)
    if still is not None:
        told = said_within(file.script.program for file in files if file.script.program is not None)
        if not told & (Fact.REDUCED_MOTION | Fact.EMULATED):
            return "a check wants nothing to move, and nothing asks for reduced motion", still.site
    return None


def _wants_nothing_to_move(tools: Tools, check: Assertion) -> bool:
    """Whether a check compares the number of animations of a page that nobody paused with zero."""
    facts, label = Fact(check.facts), Fact(check.label)
    if not has(facts, Fact.ANIMATIONS, Fact.COUNT) or (facts | label) & _STOPPED:
        return False
    comparison = _comparison(tools, check)
    if comparison is None or comparison[0].operator not in ("===", "=="):
        return False
    node, context = comparison
    if all(one.type != "Literal" or one.value != 0 for one in (node.left, node.right)):
        return False
    return bool(facts & Fact.PLAY_STATE) or not _chooses(tools, ("expression", node, (), context))


def _comparison(tools: Tools, check: Assertion) -> tuple[JsNode, Context | None] | None:
    """The comparison that alone decides a check, through the parameter of the function that notes it."""
    keys: deque[Key] = deque(("expression", one.node, one.path, one.context) for one in check.decisions)
    for _ in range(_MAX_WAY):
        if len(keys) != 1:
            return None
        key = keys.popleft()
        node: JsNode = key[1]
        if key[0] == "expression" and node.type == "BinaryExpression":
            return node, key[3]
        keys.extend(one for one in tools.flow.following(key) if one[0] != "control")
    return None


def _chooses(tools: Tools, start: Key) -> bool:
    """Whether only some animations are counted; also when that is too long to be followed."""
    seen: set[tuple[str, int, int]] = set()
    stack = [start]
    while stack:
        key = stack.pop()
        ident = (key[0], id(key[1]), id(key[3]))
        if ident in seen:
            continue
        seen.add(ident)
        node: JsNode = key[1]
        called = key[0] == "expression" and node.type == "CallExpression" and bare(node.callee)
        if len(seen) > _MAX_STEPS or (called and called.type == "MemberExpression" and key_of(called) in _CHOOSING):
            return True
        stack += tools.flow.following(key)
    return False
