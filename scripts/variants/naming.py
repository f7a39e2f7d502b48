"""The reference with other names, and with none: classes, ids, keyframes and private custom properties."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import esprima

from scripts.variants import css
from scripts.variants.edits import edited

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from scripts.variants.css import Block
    from scripts.variants.edits import Files

SCRIPTS = ("app.js", "tools/audit.js", "tools/poses.js", "tools/responsive.js", "tools/scene.js")

#: What the specification itself names: it says what these are, and nothing else on the page does.
_KEPT = {"controls", "heart", "hearts"}
#: Words of selectors that are no names.
_TAGS = {"button", "path", "circle", "ellipse", "rect", "footer", "span", "html", "body", "is", "not", "hover"}
_TAGS |= {"aria-pressed", "true"}

#: Words for the parts that would mislead a reader who believed them.
_LIES = {
    "leg": "wing",
    "upper": "digiti",
    "lower": "femur",
    "pawgrp": "scapula",
    "paw": "hoof",
    "fore": "q7",
    "hind": "q8",
    "near": "k1",
    "far": "k2",
    "tail": "rudder",
    "tail-tip": "beak",
    "torso": "wardrobe",
    "head": "teapot",
    "skull": "lid",
    "ear": "spout",
    "eye": "knob",
    "brow": "handle",
    "haunch": "eyelid",
    "neck": "tuesday",
    "dog": "cupboard",
    "blade": "moustache",
    "bib": "lamp",
    "post": "nose-ring",
    "glass": "left-paw",
    "scene": "x0",
}


_LIVES = 'for (const part of [".head", ".ear", ".eye"]) check(`paused: ${part} lives`,'
_LIVES_NAMED = (
    'for (const [name, part] of Object.entries({ head: ".head", ear: ".ear", eye: ".eye" })) '
    "check(`paused: the ${name} lives`,"
)


def _syllables(index: int) -> str:
    """A word of two syllables, another for each index under 75²."""
    sounds = [consonant + vowel for consonant in "bdfgklmnprstvwz" for vowel in "aeiou"]
    return sounds[index * 7 % 75] + sounds[(index // 75 * 11 + index * 4 + 3) % 75]


def _rewritten_strings(script: str, change: Callable[[str, str], str]) -> str:
    """The script with ``change(text, word before)`` applied to the inside of each string and piece of a template."""
    tokens: list[Any] = esprima.tokenize(script, {"range": True})
    out, at, before = "", 0, ""
    for token in tokens:
        start, end = token.range
        if token.type in ("String", "Template"):
            opening, closing = 1, 2 if token.value.endswith("${") else 1
            inner = script[start + opening : end - closing]
            out += script[at : start + opening] + change(inner, before)
            at = end - closing
        before = str(token.value)
    return out + script[at:]


def _selector_like(text: str, names: Iterable[str]) -> bool:
    words = re.findall(r"[A-Za-z][\w-]*", text)
    return bool(words) and all(word in names or word in _TAGS for word in words)


def _own_names(files: Files) -> tuple[set[str], set[str]]:
    """Classes and ids together, and names of keyframes, that the page and its script give."""
    page, script = files["index.html"].decode(), files["app.js"].decode()
    names = {name for value in re.findall(r'(?:class|id)="([^"]*)"', page) for name in value.split()}
    names |= set(re.findall(r'spawn\(byId\("\w+"\), "([\w-]+)"', script)) | {"paused", "moving"}
    names -= {name for name in names if name.startswith("pace-")}
    return names - _KEPT, set(re.findall(r"@keyframes ([\w-]+)", files["styles.css"].decode()))


def renamed(files: Files) -> Files:
    """Every class, id, keyframe and private property has a name that says nothing, or something untrue."""
    files = edited(files, "tools/audit.js", (_LIVES, _LIVES_NAMED))
    names, frames = _own_names(files)
    private = {"--phase", "--near-fore", "--far-fore", "--near-hind", "--far-hind", "--glide"}
    words = (_syllables(index) for index in range(1000))
    new = {name: _LIES.get(name) or next(words) for name in sorted(names)}
    frame = {name: next(words) for name in sorted(frames)}
    secret = {name: f"--{next(words)}" for name in sorted(private)}

    def word(found: re.Match[str]) -> str:
        return new.get(found[0], found[0])

    def selector(text: str) -> str:
        text = re.sub(r"(?<=[.#])[A-Za-z][\w-]*", word, text)
        return text.replace(".pace-", ".gear-")

    def block(one: Block) -> Block:
        if one.prelude.startswith("@keyframes "):
            return css.Block(f"@keyframes {frame[one.prelude.split()[1]]}", one.items)
        items = tuple(
            item
            if isinstance(item, css.Block)
            else css.Declaration(
                secret.get(item.name, item.name),
                re.sub(
                    r"--[\w-]+",
                    lambda found: secret.get(found[0], found[0]),
                    " ".join(frame.get(part, part) for part in item.value.split(" "))
                    if item.name.startswith("animation")
                    else item.value.replace("#dusk", f"#{new['dusk']}"),
                ),
            )
            for item in one.items
        )
        return css.Block(selector(one.prelude), items)

    def string(text: str, before: str) -> str:
        if text.startswith((".pace-", "pace-")):
            return text.replace("pace-", "gear-")
        said = text.endswith(": ") or (text == "paused" and before == "===")
        if said or not _selector_like(text, names):
            return text
        return re.sub(r"[A-Za-z][\w-]*", lambda found: word(found) if found[0] not in _TAGS - names else found[0], text)

    page = files["index.html"].decode()
    page = re.sub(
        r'\b(class|id)="([^"]*)"',
        lambda found: f'{found[1]}="{re.sub(r"[A-Za-z][A-Za-z0-9_-]*", word, found[2]).replace("pace-", "gear-")}"',
        page,
    )
    page = re.sub(r'href="#([\w-]+)"', lambda found: f'href="#{new[found[1]]}"', page)
    changed = {name: _rewritten_strings(files[name].decode(), string).encode() for name in SCRIPTS}
    rules = css.each(css.parse(files["styles.css"].decode()), block)
    return {**files, **changed, "index.html": page.encode(), "styles.css": css.write(rules).encode()}


# ---- no classes at all


def _attribute_selector(text: str, ids: set[str]) -> str:
    """A selector by classes as one by ids and attributes."""
    for state, attribute in _STATES.items():
        text = re.sub(re.escape(state) + r"(?![\w-])", attribute, text)
    text = re.sub(r"\.pace-(\w+)", r'[data-speed="\1"]', text)
    text = text.replace("body:not([data-moving])", "#scene:not([data-moving])").replace(
        "body[data-speed", "#scene[data-speed"
    )
    text = text.replace(" #scene *", " *") if text.startswith("#scene:not") else text
    return re.sub(
        r"\.([A-Za-z][\w-]*)",
        lambda found: (
            found[0] if found[1] == "controls" else f"#{found[1]}" if found[1] in ids else f"[data-part~={found[1]}]"
        ),
        text,
    )


_STATES = {".paused": '[data-paused="true"]', ".moving": "[data-moving]"}


def attributes(files: Files) -> Files:
    """Parts are ids and ``data-part``, states are attributes of the scene, the script is as of ten years ago."""
    page = files["index.html"].decode()
    page = page.replace('<body class="pace-walk">', "<body>").replace(
        '<svg id="scene"', '<svg id="scene" data-speed="walk"'
    )
    used = re.findall(r'class="([^"]*)"', page)
    taken = set(re.findall(r'\bid="([^"]*)"', page))
    ids = {name for name in used if used.count(name) == 1 and " " not in name and name not in taken}
    ids = {name for name in ids if sum(name in other.split() for other in used) == 1} - {"controls"}

    def marked(found: re.Match[str]) -> str:
        if found[1] == "controls":
            return found[0]
        return f'id="{found[1]}"' if found[1] in ids else f'data-part="{found[1]}"'

    def block(one: Block) -> Block:
        return one if one.prelude.startswith("@") else css.Block(_attribute_selector(one.prelude, ids), one.items)

    rules: list[Block | css.Declaration] = []
    for rule in css.each(css.flatten(css.parse(files["styles.css"].decode())), block):
        if isinstance(rule, css.Block) and rule.prelude == "body":
            dials = tuple(one for one in rule.declarations if one.name.startswith("--"))
            rules += [
                css.Block("#scene", dials),
                css.Block("body", tuple(set_ for set_ in rule.items if set_ not in dials)),
            ]
        else:
            rules.append(rule)
    tools = {
        name: _rewritten_strings(
            content.decode(), lambda text, _: _attribute_selector(text, ids) if _names_parts(text, used) else text
        ).encode()
        for name, content in _by_attributes(files).items()
        if name.startswith("tools/") and name.endswith(".js")
    }
    return {
        **files,
        **tools,
        "index.html": re.sub(r'class="([^"]*)"', marked, page).encode(),
        "styles.css": css.write(rules).encode(),
        "app.js": (Path(__file__).parent / "es5" / "app.js").read_bytes(),
    }


def _names_parts(text: str, used: list[str]) -> bool:
    known = {name for value in used for name in value.split()} | {"heart"}
    return any(word in known for word in re.findall(r"\.([A-Za-z][\w-]*)", text))


def _by_attributes(files: Files) -> Files:
    """The tools, where they put selectors together or ask for the classes of the body."""
    files = edited(
        files,
        "tools/audit.js",
        ('`.leg.${leg.replace(" ", ".")} .pawgrp`', '`[data-part="leg ${leg}"] .pawgrp`'),
        ("`.${end}.${side}${part}`", "`[data-part~=${end}][data-part~=${side}]${part}`"),
        (
            '[...document.body.classList].filter((name) => name.startsWith("pace-"))',
            '[document.getElementById("scene").getAttribute("data-speed")]',
        ),
        ("document.body.className,", 'document.getElementById("scene").getAttribute("data-speed"),'),
        ('after[1].trim() === "pace-walk"', 'after[1] === "walk"'),
        (
            '.map((shape) => shape.getAttribute("class"))',
            '.map((shape) => shape.id || shape.getAttribute("data-part"))',
        ),
    )
    return edited(
        files,
        "tools/scene.js",
        (
            "document.body.classList.contains(`pace-${name}`)",
            'document.getElementById("scene").getAttribute("data-speed") === name',
        ),
        ("getComputedStyle(document.body)", 'getComputedStyle(document.getElementById("scene"))'),
    )
