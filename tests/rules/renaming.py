"""Rename every class, id and data attribute value of a submission to meaningless words, everywhere alike."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

from husky_lint.style.words import words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

KEPT = words(
    """
    stroll walk hop zoomies day night true false paused still reduced allowed running
    pause play start stop title style hidden text value name type key width height left right top bottom
    button main footer header figure path html svg none auto on off label light time
    """
)
"""Words that the states of a page are told by, and that mean something to browsers; none is part of a dog."""
SHARED = frozenset({"head", "body", "mask", "line", "eye"})
"""Names of parts that script knows as something else too: renamed there in selectors only."""

_TAG = re.compile(r"<[a-zA-Z][^<>]*>", re.DOTALL)
_NAMING = re.compile(r"""(?<=[\s"'])(class|id|data-[\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
_PARTIAL = re.compile(r"\[\s*([\w-]+)\s*[$^*]=")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_SAYING = re.compile(r"""\s(?:aria-label|aria-labelledby|aria-describedby)\s*=\s*(?:"[^"]*"|'[^']*')""")
_SVG = re.compile(r"<svg.*?</svg>", re.DOTALL)


def rename(files: Mapping[str, str], seed: int = 0) -> dict[str, str]:
    """The files with other names. Comments in HTML and labels in the scene, which are names too, are left out."""
    html = {path: _COMMENT.sub("", text) for path, text in files.items() if path.endswith(".html")}
    names = {name for text in html.values() for name in _names(text)} - KEPT
    joined = _met_in_part(files, html.values()) - KEPT
    parts = {part for name in joined for part in name.split("-")}
    whole = sorted((names - joined) | (parts - KEPT))
    renamed = dict(zip(whole, _words(len(whole), seed), strict=True))
    renamed |= {name: "-".join(renamed.get(part, part) for part in name.split("-")) for name in joined}
    if not renamed:
        return dict(files)
    names = set(renamed)
    pattern = re.compile(
        r"(?<![\w-])(" + "|".join(map(re.escape, sorted(names, key=len, reverse=True))) + r")(?![\w-])"
    )

    def everywhere(text: str) -> str:
        text = re.sub(r"""(?<=["'`\s>+~,(])([.#])([\w-]+)""", lambda m: m[1] + renamed.get(m[2], m[2]), text)
        return pattern.sub(lambda match: match[1] if match[1] in SHARED else renamed[match[1]], text)

    changed = dict(files)
    for path, text in html.items():
        bare = _SVG.sub(lambda match: _SAYING.sub("", match[0]), text)
        changed[path] = _page(bare, renamed)
    for path, text in files.items():
        if path.endswith(".css"):
            changed[path] = _sheet(text, renamed)
        elif path.endswith(".js"):
            changed[path] = everywhere(text)
    return changed


def _met_in_part(files: Mapping[str, str], pages: Iterable[str]) -> set[str]:
    """Values that a selector such as ``[data-dot$="fore"]`` may meet by a part of them: to be renamed part by part."""
    attributes = {match[1] for text in files.values() for match in _PARTIAL.finditer(text)}
    found = (match for text in pages for tag in _TAG.findall(text) for match in _NAMING.finditer(tag))
    values = ((match[2] or match[3] or match[4] or "").split() for match in found if match[1] in attributes)
    return {value for several in values for value in several if "-" in value}


def _names(text: str) -> Iterable[str]:
    for tag in _TAG.findall(text):
        for match in _NAMING.finditer(tag):
            yield from (match[2] or match[3] or match[4] or "").split()


def _words(count: int, seed: int) -> list[str]:
    letters = random.Random(seed)
    found: dict[str, None] = {}
    while len(found) < count:
        found["".join(letters.choice("bdfgkmvwxz") + letters.choice("y") for _ in range(4)) + "q"] = None
    return list(found)


def _page(text: str, renamed: Mapping[str, str]) -> str:
    def value(match: re.Match[str]) -> str:
        content = match[2] or match[3] or match[4] or ""
        return f'{match[1]}="{" ".join(renamed.get(word, word) for word in content.split())}"'

    def tag(match: re.Match[str]) -> str:
        changed = _NAMING.sub(value, match[0])
        changed = re.sub(r"(href\s*=\s*[\"']#)([\w-]+)", lambda m: m[1] + renamed.get(m[2], m[2]), changed)
        changed = re.sub(r"(url\(#)([\w-]+)", lambda m: m[1] + renamed.get(m[2], m[2]), changed)
        return re.sub(r"(for\s*=\s*[\"'])([\w-]+)", lambda m: m[1] + renamed.get(m[2], m[2]), changed)

    text = _TAG.sub(tag, text)
    return re.sub(
        r"(<style[^>]*>)(.*?)(</style>)", lambda m: m[1] + _sheet(m[2], renamed) + m[3], text, flags=re.DOTALL
    )


def _sheet(text: str, renamed: Mapping[str, str]) -> str:
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    text = re.sub(r"([.#])(-?[a-zA-Z_][\w-]*)", lambda m: m[1] + renamed.get(m[2], m[2]), text)
    return re.sub(r"""(\[[\w-]+[~|^$*]?=\s*["']?)([\w-]+)""", lambda m: m[1] + renamed.get(m[2], m[2]), text)
