"""Makes husky_lint/style/css_grammar.json: what Chromium knows of CSS properties.

    npm pack mdn-data && tar xzf mdn-data-*.tgz
    python -m scripts.build_css_grammar package   # HUSKY_LINT_CHROMIUM names the browser, if not Playwright's

Value syntax comes from MDN's data (``mdn-data``, CC0); names, initial values, inheritance, longhands and aliases are
asked of the installed Chromium, which also decides wherever the data differ from it: such differences are in
``css_grammar_differences.py``, each with its reason. ``tests/style/test_grammar.py`` compares the result with
``CSS.supports``.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from husky_lint.style.value_syntax import BASIC_TYPES, SEQUENCE_TYPES, parse_syntax, references
from scripts.css_grammar_differences import DESCRIPTORS, PROPERTIES, TYPES

TARGET = Path(__file__).resolve().parent.parent / "husky_lint" / "style" / "css_grammar.json"

SUPPORTED = """names => {
  const style = document.createElement('div').style;
  return names.filter(name => !name.startsWith('--') && CSS.supports(name, 'initial')).map(name => {
    style.cssText = '';
    style.setProperty(name, 'initial');
    return [name, [...style]];
  });
}"""

STYLE_KEYS = """() => {
  const names = new Set(getComputedStyle(document.documentElement));
  for (const key in document.documentElement.style) names.add(key);
  return [...names];
}"""

# For each longhand: its initial value as computed in an element without boxes (the proposed spelling if it computes to
# the same under two font sizes and colours), and whether a child takes the first candidate value that differs from it.
FACTS = """questions => {
  document.body.innerHTML = '<section style="display: none"><div><i></i></div></section>';
  const parent = document.querySelector('div'), child = document.querySelector('i');
  const computed = (element, name) => getComputedStyle(element).getPropertyValue(name);
  return questions.map(([name, proposal, candidates]) => {
    const contexts = ['color: rgb(1, 2, 3); font-size: 10px', 'color: rgb(4, 5, 6); font-size: 20px'];
    let same = proposal !== null && CSS.supports(name, proposal), initial = '';
    for (const context of contexts) {
      parent.style.cssText = context;
      parent.style.setProperty(name, 'initial');
      initial = computed(parent, name);
      if (same) {
        parent.style.setProperty(name, proposal);
        same = computed(parent, name) === initial;
      }
    }
    parent.style.cssText = '';
    child.style.cssText = '';
    parent.style.setProperty(name, 'initial');
    initial = computed(parent, name);
    let inherited = null;
    for (const value of candidates) {
      parent.style.cssText = '';
      parent.style.setProperty(name, value);
      const other = computed(parent, name);
      if (other === initial || other === '') continue;
      inherited = computed(child, name) === other;
      break;
    }
    return [name, same ? proposal : initial, inherited];
  });
}"""

CANDIDATES = (
    *("none", "7px", "3", "red", "50%", "1s", "both", "hidden", "url(#a)", "--a", "a", "'x'", "always", "20deg", "0.5"),
    *("dark", "off", "on", "2", "rgb(9,8,7)", "bold", "rtl", "7px 7px"),
)


def kebab_case(key: str) -> str:
    name = re.sub("[A-Z]", lambda match: "-" + match[0].lower(), key)
    return "-" + name if name.startswith(("webkit-", "epub-")) else name


def known_names(page: Page, listed: set[str]) -> dict[str, list[str]]:
    """Every property name Chromium accepts, with the longhands it sets."""
    names = listed | {kebab_case(key) for key in page.evaluate(STYLE_KEYS)}
    names |= {prefix + name for prefix in ("-webkit-", "-epub-") for name in names if not name.startswith("-")}
    return dict(page.evaluate(SUPPORTED, sorted(names)))


def alias_target(name: str, longhands: list[str], known: dict[str, list[str]]) -> str | None:
    """The property in its own right that a legacy name stands for."""
    if len(longhands) == 1:
        return None if longhands == [name] else longhands[0]
    if not name.startswith("-") and name != "grid-gap":
        return None
    return next((other for other in known if not other.startswith("-") and known[other] == longhands != []), None)


def keywords(syntax: str | None) -> list[str]:
    return [] if syntax is None else re.findall(r"(?<![<\w'-])[a-z][\w-]+(?![\w(-]|\(\))", syntax)


def build(mdn: Path, page: Page) -> dict[str, Any]:
    def read(name: str) -> Any:
        return json.loads((mdn / "css" / name).read_text(encoding="utf-8"))

    properties, syntaxes, at_rules = read("properties.json"), read("syntaxes.json"), read("at-rules.json")
    types = {name: entry["syntax"] for name, entry in syntaxes.items()} | {n: s for n, (s, _) in TYPES.items()}
    syntax = {name: entry["syntax"] for name, entry in properties.items()} | {n: s for n, (s, _) in PROPERTIES.items()}
    known = known_names(page, set(properties))

    aliases: dict[str, str] = {}
    alias_syntax = {}
    longhands: dict[str, list[Any]] = {}
    shorthands: dict[str, list[Any]] = {}
    questions = []
    for name, sets in known.items():
        target = alias_target(name, sets, known)
        if target is not None:
            aliases[name] = target
            if name in PROPERTIES:
                alias_syntax[name] = PROPERTIES[name][0]
        elif sets == [name] and name != "all":
            initial = properties.get(name, {}).get("initial")
            proposal = initial if isinstance(initial, str) else None
            questions.append([name, proposal, [*keywords(syntax.get(name)), *CANDIDATES]])
        else:
            shorthands[name] = [syntax.get(name), sets if name != "all" else []]
    for name, initial, inherited in page.evaluate(FACTS, questions):
        listed = properties.get(name, {}).get("inherited", False)
        if inherited is not None and inherited != listed and name in properties:
            print(f"{name}: Chromium says inherited={inherited}", file=sys.stderr)
        longhands[name] = [syntax.get(name), initial, int(listed if inherited is None else inherited)]
    # Longhands that only shorthands reach.
    for name, (_, sets) in shorthands.items():
        missing = [part for part in sets if part not in longhands]
        if missing:
            print(f"{name} sets unknown {missing}", file=sys.stderr)

    descriptors = {
        rule: {name: entry["syntax"] for name, entry in at_rules[rule]["descriptors"].items()}
        for rule in ("@font-face", "@property", "@counter-style", "@view-transition", "@font-palette-values")
    }
    for rule, changes in DESCRIPTORS.items():
        descriptors[rule] |= {name: text for name, (text, _) in changes.items()}

    reachable: dict[str, str] = {}
    texts = [entry[0] for entry in (*longhands.values(), *shorthands.values())]
    pending = [text for text in (*texts, *alias_syntax.values()) if text is not None]
    pending += [text for entries in descriptors.values() for text in entries.values()]
    while pending:
        for reference in references(parse_syntax(pending.pop())):
            if (
                reference in reachable
                or reference in BASIC_TYPES
                or reference in SEQUENCE_TYPES
                or reference.startswith("'")
            ):
                continue
            if reference not in types:
                print(f"no definition of <{reference}>", file=sys.stderr)
                continue
            reachable[reference] = " ".join(types[reference].split())
            pending.append(reachable[reference])
    return {
        "aliases": aliases,
        "alias_syntax": alias_syntax,
        "longhands": longhands,
        "shorthands": shorthands,
        "types": dict(sorted(reachable.items())),
        "descriptors": descriptors,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Makes husky_lint/style/css_grammar.json.")
    parser.add_argument("mdn", type=Path, help="the unpacked npm package mdn-data")
    arguments = parser.parse_args()
    version = json.loads((arguments.mdn / "package.json").read_text(encoding="utf-8"))["version"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("HUSKY_LINT_CHROMIUM"), args=["--no-sandbox"]
        )
        data = build(arguments.mdn, browser.new_page())
        sources = f"mdn-data {version} (CC0-1.0); Chromium {browser.version}"
        browser.close()
    lines = [f'"source": {json.dumps(sources)}']
    for section, entries in data.items():
        rows = ",\n".join(
            f"{json.dumps(key)}:{json.dumps(value, ensure_ascii=False, separators=(',', ':'))}"
            for key, value in entries.items()
        )
        lines.append(f'"{section}": {{\n{rows}\n}}')
    TARGET.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
