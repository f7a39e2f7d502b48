"""What the selectors of the tools meet in the page: what they click, and what they read by a selector alone."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from husky_lint.rule import Finding, Undecided
from husky_lint.script.journal import Journal, applied
from husky_lint.script.query import Query, compile_selector
from husky_lint.script.query import Undecided as Unmatchable
from husky_lint.style.words import words

from .controls import is_control
from .tool_program import bare, is_function, key_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element

    from husky_lint.evidence import Evidence
    from husky_lint.parse.js import JsNode
    from husky_lint.style.states import PageState

    from .tool_program import ToolFile
    from .tool_reading import Tools

_CLICKS: Final = words("click dblclick tap check uncheck setChecked hover")
_LOOKUPS: Final = words("locator $ waitForSelector querySelector")
_SINGLE: Final = words(
    "getAttribute textContent innerText innerHTML inputValue $eval isDisabled isEnabled dispatchEvent press"
)
_HOLE: Final = "\0"
_ATTRIBUTE: Final = re.compile(r"""\[\s*([\w-]+)\s*[~|^$*]?=\s*(["']?)[^\]"']*\0[^\]"']*\2\s*\]""")
_TEXT: Final = re.compile(r""":(?:has-text|text|text-is)\(\s*(["'])(.*?)\1\s*\)""")
_PSEUDO: Final = re.compile(r":visible\b")
_TOKEN: Final = re.compile(r"[#.]([A-Za-z_][\w-]*)")
_UNRENDERED: Final = words(
    """
    linearGradient radialGradient stop defs symbol clipPath mask pattern filter marker title desc metadata style script
    template head meta link
    """
)
_MAX_VARIANTS: Final = 24
_MAX_ELEMENTS: Final = 20_000


@dataclass(frozen=True, slots=True)
class Use:
    """A selector of a tool. ``act`` is ``click`` or ``read``; both wait for an element and give up without one."""

    file: ToolFile
    node: JsNode
    selector: str
    act: str


@dataclass(frozen=True, slots=True)
class Meeting:
    """What a selector meets in the page as it loads: the elements of the first state that has any, in order."""

    use: Use
    elements: tuple[_Element, ...]
    state: PageState | None


def misdirected(evidence: Evidence, tools: Tools) -> Iterator[Finding]:
    """Clicks that meet something else before the control that they mean."""
    for meeting in meetings(evidence, tools):
        first = meeting.elements[0] if meeting.elements else None
        if meeting.use.act != "click" or first is None or _takes_clicks(first):
            continue
        meant = next((one for one in meeting.elements[1:] if is_control(one)), None)
        if meant is not None:
            yield Finding(
                f"{meeting.use.selector!r} meets <{_name(first)}> before the <{_name(meant)}> that it means: the click "
                f"goes astray; select {_name(meant)}{_brackets(meeting.use.selector)}",
                meeting.use.file.span(meeting.use.node),
                data={"trap": "selector"},
            )


def unmet(evidence: Evidence, tools: Tools) -> Iterator[Finding]:
    """Selectors that a tool waits for in vain, or whose element cannot be clicked."""
    told = _told_tokens(evidence, tools)
    for meeting in meetings(evidence, tools):
        use = meeting.use
        span = use.file.span(use.node)
        if not meeting.elements:
            absent = [token for token in _TOKEN.findall(use.selector) if token not in told]
            if absent:
                yield Finding(f"nothing of the page is called {absent[0]}: {use.selector!r} meets no element", span)
            continue
        first = meeting.elements[0]
        if use.act == "click":
            why = _unclickable(evidence, first, meeting.state)
            if why:
                yield Finding(f"{use.selector!r} meets <{_name(first)}>, {why}: the click waits in vain", span)


def meetings(evidence: Evidence, tools: Tools) -> tuple[Meeting, ...]:
    """Every selector that is clicked or read, and what it meets. Worked out once."""
    return evidence.derived(_meet_all)


def _meet_all(evidence: Evidence) -> tuple[Meeting, ...]:
    from .tool_reading import read_tools

    uses = list(_uses(evidence.derived(read_tools)))
    states = [evidence.states.initial]
    with suppress(Undecided, KeyError, ValueError):
        states.append(evidence.states.state(motion="reduced"))
    found: dict[str, tuple[tuple[_Element, ...], PageState | None]] = {}
    for state in states:
        with applied(state.mutations):
            elements = elements_of(evidence)
            for selector in {use.selector for use in uses}:
                if selector not in found or not found[selector][0]:
                    met = elements_met(selector, elements)
                    if met is not None:
                        found[selector] = (tuple(met), state if met else None)
    return tuple(Meeting(use, *found[use.selector]) for use in uses if use.selector in found)


def elements_of(evidence: Evidence) -> list[_Element]:
    """The elements of the page as it is now, in order, no more than can be tried."""
    found = []
    for count, element in enumerate(evidence.page.root.iter("*")):
        if count >= _MAX_ELEMENTS:
            break
        found.append(element)
    return found


def elements_met(selector: str, elements: list[_Element]) -> list[_Element] | None:
    """The elements that a selector meets, None when it is of a kind that is not followed."""
    steps = [step.strip() for step in selector.split(">>")]
    css, wanted = steps[0], ""
    for step in steps[1:]:
        if not step.startswith("text="):
            return None
        wanted = step[5:].strip("\"' ")
    text = _TEXT.search(css)
    if text is not None:
        wanted = text[2]
        css = css[: text.start()] + css[text.end() :]
    css = _PSEUDO.sub("", css).strip().removeprefix("css=")
    css = _ATTRIBUTE.sub(r"[\1]", css)
    if not css or _HOLE in css or "=" in css.split("[")[0] or css.startswith("//"):
        return None
    try:
        test = compile_selector(css)
        if test is None:
            return None
        query = Query(Journal(), None)
        met = [one for one in elements if test(one, query)]
    except (Unmatchable, RecursionError):
        return None
    if wanted:
        met = [one for one in met if wanted.lower() in " ".join("".join(map(str, one.itertext())).split()).lower()]
    return met


# ---------------------------------------------------------------- where selectors stand


def _uses(tools: Tools) -> Iterator[Use]:
    for file in tools.program.files.values():
        for call in file.calls:
            callee = bare(call.callee)
            name = key_of(callee) if callee.type == "MemberExpression" else None
            if name not in _CLICKS and name not in _SINGLE:
                continue
            if not tools.program.runs(call):
                continue
            act = "click" if name in _CLICKS else "read"
            for selector in _selectors_of(tools, call, str(name)):
                yield Use(file, call, selector, act)


def _selectors_of(tools: Tools, call: JsNode, name: str) -> list[str]:
    """The selectors that a call may act on: its first argument, or what its receiver was looked up by."""
    callee = bare(call.callee)
    receiver = bare(callee.object)
    given = call.arguments[0] if call.arguments else None
    if receiver is not None and key_of(receiver) in ("keyboard", "mouse") if _is_member(receiver) else False:
        return []
    takes = name in _CLICKS or name == "$eval" or (name == "getAttribute" and len(call.arguments) > 1)
    takes = takes or (name not in ("getAttribute", "$eval") and given is not None)
    if takes and given is not None and given.type != "ObjectExpression" and not is_function(given):
        return [one for one in _texts(tools, given, 0) if one]
    holder = receiver
    for _ in range(4):
        if holder is None:
            return []
        if holder.type == "Identifier":
            variable = tools.program.variable(holder)
            if variable is None or len(variable.definitions) != 1 or variable.definitions[0].kind != "init":
                return []
            holder = bare(variable.definitions[0].value)
        elif holder.type == "CallExpression" and _is_member(bare(holder.callee)):
            looked = key_of(bare(holder.callee))
            if looked in _LOOKUPS and len(holder.arguments) == 1:
                return [one for one in _texts(tools, holder.arguments[0], 0) if one]
            if looked == "getElementById" and holder.arguments:
                return [f"#{one}" for one in _texts(tools, holder.arguments[0], 0) if one and _HOLE not in one]
            if looked != "first":
                return []
            holder = bare(bare(holder.callee).object)
        else:
            return []
    return []


def _is_member(node: JsNode | None) -> bool:
    return node is not None and node.type == "MemberExpression"


def _texts(tools: Tools, node: JsNode | None, depth: int) -> list[str]:
    """The texts that an expression may be, a hole for each part that is not known."""
    node = bare(node)
    if node is None or depth > 8:
        return [_HOLE]
    if node.type == "Literal":
        return [node.value] if isinstance(node.value, str) else [_HOLE]
    if node.type == "TemplateLiteral":
        parts = [str(quasi.value.cooked or "") for quasi in node.quasis]
        return [_HOLE.join(parts)]
    if node.type == "BinaryExpression" and node.operator == "+":
        left, right = _texts(tools, node.left, depth + 1), _texts(tools, node.right, depth + 1)
        return [a + b for a in left[:4] for b in right[:4]]
    if node.type == "Identifier":
        variable = tools.program.variable(node)
        if variable is None or len(variable.definitions) != 1:
            return [_HOLE]
        one = variable.definitions[0]
        if one.kind == "init" and not one.path:
            return _texts(tools, one.value, depth + 1)
        if one.kind == "parameter" and not one.path:
            function = tools.program.function(one.site)
            found: list[str] = []
            for site in function.sites if function is not None else ():
                if not site.direct or not tools.program.runs(site.node):
                    return [_HOLE]
                if one.index < len(site.node.arguments):
                    found += _texts(tools, site.node.arguments[one.index], depth + 1)
            return list(dict.fromkeys(found))[:_MAX_VARIANTS] or [_HOLE]
        if one.kind == "element" and not one.path:
            held = bare(one.value)
            if held is not None and held.type == "ArrayExpression":
                return [text for each in held.elements for text in _texts(tools, each, depth + 1)][:_MAX_VARIANTS]
    return [_HOLE]


# ---------------------------------------------------------------- what an element is good for


def _name(element: _Element) -> str:
    return str(element.tag).rpartition("}")[2]


def _brackets(selector: str) -> str:
    return selector.replace(_HOLE, "…") if selector.startswith(("[", ".", "#")) else ""


def _takes_clicks(element: _Element) -> bool:
    """Whether a click on an element does what a click on a control does: it is one, or lies in one."""
    return is_control(element) or any(is_control(one) for one in element.iterancestors())


def _unclickable(evidence: Evidence, element: _Element, state: PageState | None) -> str:
    """Why a click on an element waits for ever; ``""`` when it does not."""
    line = [element, *element.iterancestors()]
    for one in line:
        if _name(one) in _UNRENDERED:
            return "which is never painted" if one is element else f"which lies in <{_name(one)}> and is never painted"
    if state is None:
        return ""
    try:
        styled = evidence.style(state)
        for one in line:
            style = styled.computed(one)
            if style.keyword("display") == "none":
                return "which is not displayed"
        if styled.computed(element).keyword("visibility") in ("hidden", "collapse"):
            return "which is hidden"
    except (Undecided, KeyError):
        return ""
    if element.get("disabled") is not None and _name(element) in ("button", "input", "select"):
        return "which is disabled"
    return ""


def _told_tokens(evidence: Evidence, tools: Tools) -> frozenset[str]:
    """Every identifier that the page or its scripts spell, and what the tools themselves put into it."""
    spelled: set[str] = set()
    word = re.compile(r"[A-Za-z_][\w-]*")
    for path, file in evidence.submission.files.items():
        if path.endswith((".html", ".js", ".mjs", ".svg")) and not path.startswith("tools/"):
            spelled.update(word.findall(file.text.text))
    for tool in tools.program.files.values():
        for call in tool.calls:
            callee = bare(call.callee)
            if _is_member(callee) and key_of(callee) in ("setAttribute", "add", "toggle"):
                spelled.update(
                    part for one in call.arguments for text in _texts(tools, one, 0) for part in word.findall(text)
                )
        for store in tool.stores:
            target = store.left if store.type == "AssignmentExpression" else None
            if target is not None and _is_member(target) and key_of(target) in ("id", "className", "innerHTML"):
                spelled.update(part for text in _texts(tools, store.right, 0) for part in word.findall(text))
    return frozenset(spelled)
