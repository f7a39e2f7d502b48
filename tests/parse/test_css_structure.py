"""The structure of style sheets against Chromium's, where authors make mistakes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from husky_lint.parse.css import AtRule, Declaration, StyleRule, parse_stylesheet
from husky_lint.source import SourceText

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from playwright.sync_api import Page

SHEETS = [
    "a{color:red;width:1px}",
    "a{color:red}}b{color:red}c{color:red}",
    "color:red; a{color:red} b{color:red}",
    "a{color:red",
    "a{color:red;b{color:red",
    "a{;;color:red;;}",
    "a{color red; width:1px}",
    "a{b{color:red} width:1px; c{color:red}}",
    "a{color:red; b:hover{width:1px} height:2px}",
    "a{b:hover{width:1px} c:hover{}; height:2px}",
    "a{--x:{a:b};width:1px}",
    "a{--x:{a:b} c;width:1px}",
    "a{--x:;width:1px}",
    "a{--x:a;--y:b!important;width:1px!important}",
    "--x:{a{color:red}} b{color:red}",
    "@media all{color:red; a{color:red} b{color:red}}",
    "@media all{a{color:red}",
    "@media all{} @media all; a{color:red} b{color:red}",
    "a{@media all{color:red; b{width:1px}} height:2px}",
    "a{color:red; @media all; width:1px}",
    "@nonsense{a{color:red}} b{color:red}",
    "@nonsense; b{color:red}",
    "a{@nonsense{color:red} width:1px}",
    "@layer x; @layer y{a{color:red}} @layer x, z;",
    "@supports (color:red){a{color:red}}",
    "@keyframes k{0%{width:1px}50%,75%{width:2px;height:3px}to{}} a{color:red}",
    "@keyframes k{0%{width:1px;b{width:2px}height:3px}}",
    "<!-- a{color:red} --> b{color:red}",
    "a{color:red/*;}*/;width:1px/* } */}",
    "a{color:red;/* b{width:1px}",
    "a{content:'x;}';width:1px}",
    "a{content:'x\n;width:1px} b{color:red}",
    "a{background-image:url(x;y{z);width:1px}",
    "a{background-image:url(x y);width:1px} b{color:red}",
    "a{width:calc(1px + (2px);height:2px} b{color:red}",
    "a{width:1px);height:2px} b{color:red}",
    "a[x='}']{color:red}",
    "a{color:red} @charset 'x'; b{color:red}",
    "a{color:red;}\\}b{color:red}",
    "a{COLOR:red;WiDtH:1px}",
    "@layer x; @import 'data:text/css,'; @import 'data:text/css,'; @namespace x 'u'; @import 'data:text/css,'; a{}",
    "@import 'data:text/css,'; @layer x; @import 'data:text/css,'; a{}",
    "@layer x; @namespace x 'u'; @layer y; @namespace z 'v'; a{} @namespace w 'w';",
    "@nonsense; } x{} @import 'data:text/css,'; b{color:red}",
    "@import 'data:text/css,'; @layer x; @namespace z 'v'; a{}",
    "@layer x{} @import 'data:text/css,'; @namespace z 'v';",
    "a{color\n:\nred;width/**/:/**/1px}",
    "@font-face{font-family:x;src:local(y)} a{color:red}",
    "@property --p{syntax:'*';inherits:false} a{color:red}",
    "@scope (a) to (b){c{color:red}}",
    "a{&:hover{color:red}> b{color:red}+ c{width:1px}.d &{height:2px}}",
    "@starting-style{a{color:red}} a{@starting-style{color:red}}",
    "a{color:red}\x00b{color:red}",
    "{color:red} a{color:red}",
    "a{{color:red} width:1px}",
    "a{} ; b{color:red} c{color:red}",
    "a{color:red}@media all{b{color:red}}}c{color:red}d{color:red}",
    "a{b{width:1px};height:2px}",
    "a{b c;height:2px}",
    "a{(b;c);height:2px}",
    "a{color:red;}b{width:1px};c{height:2px}",
]

# Chromium's object model as nested lists: a declaration is its name, a rule a pair of its keyword ("" for a style rule,
# "%" for a keyframe) and its body.
_READ = """css => {
  const style = document.createElement('style');
  style.textContent = css;
  document.head.append(style);
  const names = declarations => Array.from(declarations);
  const read = rule => {
    if (rule.constructor.name === 'CSSNestedDeclarations') return names(rule.style);
    const body = [...(rule.style ? names(rule.style) : []), ...Array.from(rule.cssRules || []).flatMap(read)];
    const kinds = {
      CSSStyleRule: '', CSSKeyframeRule: '%', CSSMediaRule: 'media', CSSLayerBlockRule: 'layer', CSSScopeRule: 'scope',
      CSSLayerStatementRule: 'layer', CSSSupportsRule: 'supports', CSSKeyframesRule: 'keyframes',
      CSSFontFaceRule: 'font-face', CSSPropertyRule: 'property', CSSStartingStyleRule: 'starting-style',
      CSSImportRule: 'import', CSSNamespaceRule: 'namespace',
    };
    const kind = kinds[rule.constructor.name];
    return [[kind, kind === 'property' ? ['inherits', 'syntax'] : body]];
  };
  const rules = Array.from(style.sheet.cssRules).flatMap(read);
  style.remove();
  return rules;
}"""


def _ours(nodes: Sequence[Declaration | StyleRule | AtRule], keyframes: bool = False) -> list[Any]:
    """The same shape; a block's repeated declarations count once, as in the object model."""
    shape: list[Any] = []
    for node in nodes:
        if isinstance(node, Declaration):
            if node.name in shape:
                shape.remove(node.name)
            shape.append(node.name)
        elif isinstance(node, StyleRule):
            shape.append(["%" if keyframes else "", _ours(node.body)])
        elif node.keyword == "charset":
            continue
        elif node.keyword == "property":
            shape.append([node.keyword, sorted(_ours(node.body))])
        else:
            shape.append([node.keyword, _ours(node.body, keyframes=node.keyword == "keyframes")])
    return shape


@pytest.fixture
def browser_page(page: Callable[..., Page]) -> Page:
    opened = page()
    opened.set_content("<!DOCTYPE html><html><head></head><body></body></html>")
    return opened


@pytest.mark.browser
@pytest.mark.parametrize("css", SHEETS)
def test_structure_is_chromiums(css: str, browser_page: Page) -> None:
    assert _ours(parse_stylesheet(SourceText("x.css", css)).rules) == browser_page.evaluate(_READ, css)


# Judging values and selectors is not the parser's business, so Chromium says which of ours are none.
_JUDGE = """rules => {
  const holds = css => {
    const style = document.createElement('style');
    style.textContent = css;
    document.head.append(style);
    const all = list => Array.from(list).reduce((n, rule) => n + 1 + all(rule.cssRules || []), 0);
    const count = all(style.sheet.cssRules);
    style.remove();
    return count;
  };
  const judge = (body, nested) => body.flatMap(node => {
    if (node.length === 3) return CSS.supports(node[0], node[1]) || node[0].startsWith('--') ? [node[0]] : [];
    const [kind, prelude, block] = node;
    if (kind === '' && (nested ? holds(`x{${prelude}{}}`) !== 2 : holds(`${prelude}{}`) !== 1)) return [];
    return [[kind, judge(block, nested || kind === '')]];
  });
  return judge(rules, false);
}"""


def _with_values(nodes: Sequence[Declaration | StyleRule | AtRule]) -> list[Any]:
    return [
        (node.name, node.value, node.important)
        if isinstance(node, Declaration)
        else ["", node.selector_text, _with_values(node.body), 0]
        if isinstance(node, StyleRule)
        else [node.keyword, node.prelude_text, _with_values(node.body), 0]
        for node in nodes
    ]


def _once(body: list[Any]) -> list[Any]:
    """Repeated declarations of a block count once, at the last place."""
    last = {name: index for index, name in enumerate(body) if isinstance(name, str)}
    return [
        node if isinstance(node, str) else [node[0], _once(node[1])]
        for index, node in enumerate(body)
        if not isinstance(node, str) or last[node] == index
    ]


_PIECES = [
    *(
        "a{",
        "b:hover{",
        "&.c{",
        "@media all{",
        "@layer l{",
        "@supports (color:red){",
        "}",
        "}",
        "}",
        ";",
        ";",
        " ",
        "\n",
    ),
    *(
        "color:red",
        "width:1px;",
        "--x:{y}",
        "--z:1;",
        "/*;}*/",
        "(",
        ")",
        "[",
        "]",
        "'s'",
        "'",
        "!important",
        ":",
        "c ",
        "{",
    ),
]


@pytest.mark.browser
@settings(deadline=None, max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pieces=st.lists(st.sampled_from(_PIECES), max_size=18))
def test_random_structure_is_chromiums(pieces: list[str], browser_page: Page) -> None:
    css = "".join(pieces)
    ours = _with_values(parse_stylesheet(SourceText("x.css", css)).rules)
    judged = browser_page.evaluate(_JUDGE, ours)
    assert _once(judged) == _once(browser_page.evaluate(_READ, css)), css
