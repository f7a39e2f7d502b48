"""The reference in other spellings of the same languages."""

from __future__ import annotations

import itertools
import math
import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import esprima

from scripts.variants import css
from scripts.variants.edits import edited

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scripts.variants.css import Block, Declaration
    from scripts.variants.edits import Files

_HEADING = re.compile(r"^/\* ---- (.+?) -+ \*/\n", re.MULTILINE)
_TEXT = (".html", ".css", ".js", ".svg", ".md", ".json")


_STILL = """\
  @media (prefers-reduced-motion: reduce) {
    body:not(.moving) #scene * { animation: none; }
    body:not(.moving).pace-hop .runaway { display: none; }
  }
"""
_STILL_NESTED = """\
  body:not(.moving) {
    @media (prefers-reduced-motion: reduce) {
      & #scene * { animation: none; }
      &.pace-hop .runaway { display: none; }
    }
  }
"""


def layers(files: Files) -> Files:
    """Every section of the style sheet is a cascade layer, the dial is a registered property, the still is nested."""
    parts = _HEADING.split(files["styles.css"].decode())
    names = [re.sub(r"[^a-z]+", "-", title.lower()).strip("-") for title in parts[1::2]]
    opening, sections = parts[0], parts[2::2]
    comment, palette = opening.split("*/\n", 1)
    text = [f"{comment}*/\n\n@layer palette, {', '.join(names)};\n"]
    text.append('\n@property --cycle {\n  syntax: "<time>";\n  inherits: true;\n  initial-value: .78s;\n}\n')
    for name, section in zip(["palette", *names], [palette, *sections], strict=True):
        body = "".join(f"  {line}" if line.strip() else line for line in section.strip("\n").splitlines(keepends=True))
        text.append(f"\n@layer {name} {{\n{body}\n}}\n")
    files = {**files, "styles.css": "".join(text).encode()}
    return edited(files, "styles.css", (_STILL, _STILL_NESTED))


_ROTATE = "parseFloat(getComputedStyle(document.querySelector(selector)).rotate) || 0;"
_TRANSFORM = """{
    const turned = new DOMMatrix(getComputedStyle(document.querySelector(selector)).transform);
    return (Math.atan2(turned.b, turned.a) * 180) / Math.PI;
  };"""
_FUNCTIONS = ("translate", "rotate", "scale")


def _with_transform(block: Block) -> Block:
    """The individual transform properties of a block as one ``transform``, in the order in which they apply."""
    values = {one.name: one.value for one in block.declarations if one.name in _FUNCTIONS}
    if not values:
        return block
    calls = [f"{name}({', '.join(values[name].split())})" for name in _FUNCTIONS if name in values]
    items: list[Block | Declaration] = [css.Declaration("transform", " ".join(calls))]
    items += [item for item in block.items if not (isinstance(item, css.Declaration) and item.name in _FUNCTIONS)]
    return css.Block(block.prelude, tuple(items))


def plain(files: Files) -> Files:
    """A style sheet as of ten years ago: no nesting, ``transform`` in place of the individual properties."""
    rules = css.each(css.flatten(css.parse(files["styles.css"].decode())), _with_transform)
    files = {**files, "styles.css": css.write(rules).encode()}
    return edited(files, "tools/audit.js", (_ROTATE, _TRANSFORM))


def _compact(items: Iterable[Block | Declaration]) -> str:
    text = ""
    for item in items:
        if isinstance(item, css.Block):
            prelude = re.sub(r" ?([>,]) ?", r"\1", item.prelude)
            text += f"{prelude}{{{_compact(item.items).rstrip(';')}}}"
        else:
            text += f"{item.name}:{re.sub(r', ', ',', item.value)};"
    return text


def _squeezed(script: str, names: dict[str, str]) -> str:
    """The script on one line, without comments, its own names shortened."""
    tokens: list[Any] = esprima.tokenize(script)
    words = [str(token.value) for token in tokens]
    for at, token in enumerate(tokens):
        if token.type == "Template":
            words[at] = re.sub(r"\$\{(\w+)", lambda found: "${" + names.get(found[1], found[1]), words[at])
        elif token.type == "Identifier" and token.value in names and words[at - 1] != ".":
            key = at + 1 < len(words) and words[at + 1] == ":" and words[at - 1] in "{,"
            words[at] = token.value if key else names[token.value]
    text = words[0]
    for before, after in pairwise(words):
        apart = (re.match(r"[\w$]", after) and re.search(r"[\w$]$", before)) or (
            before[-1:] == after[:1] and after[0] in "+-"
        )
        text += f" {after}" if apart else after
    return text


def minified(files: Files) -> Files:
    """What a build would make of the page: one line each of HTML, CSS and JavaScript. The tools stay readable."""
    page = files["index.html"].decode()
    page = re.sub(
        r"<script>(.*?)</script>", lambda found: f"<script>{_squeezed(found[1], {})}</script>", page, flags=re.DOTALL
    )
    page = re.sub(r">\s+<", "><", page)
    page = re.sub(r'="([\w#.:-]+)"(?=[ >])', r"=\1", page)
    page = re.sub(r"</(?:p|dt|dd)>(?=<(?:p|dd|dt)[ >]|</(?:div|footer|dl)>)", "", page)
    page = page.replace("</body></html>", "").strip()
    script = files["app.js"].decode()
    names = {
        name: f"${at:x}" for at, name in enumerate(re.findall(r"^(?:const|let|function) (\w+)", script, re.MULTILINE))
    }
    return {
        **files,
        "index.html": page.encode(),
        "styles.css": _compact(css.parse(files["styles.css"].decode())).encode(),
        "app.js": _squeezed(script, names).encode(),
    }


def crlf_bom(files: Files) -> Files:
    """Saved by an editor that starts files with a byte order mark and ends lines with two characters."""
    return {
        name: b"\xef\xbb\xbf" + content.replace(b"\n", b"\r\n")
        if name.endswith(_TEXT) and not name.endswith(".json")
        else content
        for name, content in files.items()
    }


def _angle(degrees: float, way: int) -> str:
    """An angle in degrees, in another unit: turns, radians or gradians."""
    if way == 0:
        return f"{degrees / 360:.6g}turn"
    return f"{math.radians(degrees):.6g}rad" if way == 1 else f"{degrees / 0.9:.6g}grad"


def units(files: Files) -> Files:
    """Times in milliseconds, angles in turns, radians and gradians, lengths of the page in other units."""
    ways = itertools.cycle(range(3))
    text = files["styles.css"].decode()
    text = re.sub(r"(-?[\d.]+)deg\b", lambda found: _angle(float(found[1]), next(ways)), text)
    text = re.sub(r"(?<![\w.-])([\d.]+)s\b", lambda found: f"{float(found[1]) * 1000:g}ms", text)
    text = re.sub(r"\b900px", "9.375in", text)
    return edited(
        {**files, "styles.css": text.encode()},
        "tools/scene.js",
        (
            'parseFloat(getComputedStyle(document.body).getPropertyValue("--cycle"))',
            'parseFloat(getComputedStyle(document.body).getPropertyValue("--cycle")) / 1000',
        ),
    )
