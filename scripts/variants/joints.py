"""The reference with its joints spelled in other ways: wrappers, boxes, shared shapes, a fourth joint, siblings."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import svgpathtools

from scripts.variants.edits import EditError, cut, edited

if TYPE_CHECKING:
    from scripts.variants.edits import Files

#: Where each part of the reference turns: selector of the rule, outermost group first, and the point.
_ORIGIN = re.compile(
    r"^(?P<outer>\.(?:fore|hind)\.(?:near|far)) \{\n(?P<rules>(?:  & \.\w+ \{ transform-origin: .*\n)+)\}\n",
    re.MULTILINE,
)
_POINT = re.compile(r"\.([\w-]+) \{ transform-origin: ([\d.]+)px ([\d.]+)px;")
_NUMBER = re.compile(r"-?\d*\.?\d+")


def _number(value: float) -> str:
    return f"{value:.4f}".rstrip("0").rstrip(".") or "0"


def shifted(path: str, dx: float, dy: float) -> str:
    """Path data moved by (dx, dy): absolute coordinates change, relative ones do not. Knows M L H V C Q S A Z."""
    out = ""
    for command, rest in re.findall(r"([A-Za-z])([^A-Za-z]*)", path):
        numbers = [float(one) for one in _NUMBER.findall(rest)]
        if command == "A":
            numbers = [n + (0, 0, 0, 0, 0, dx, dy)[at % 7] for at, n in enumerate(numbers)]
        elif command in "MLCQS":
            numbers = [n + (dx, dy)[at % 2] for at, n in enumerate(numbers)]
        elif command in "HV":
            numbers = [n + (dx if command == "H" else dy) for n in numbers]
        elif command.isupper() and command != "Z":
            raise EditError(f"path command {command}")
        out += f" {command}" + " ".join(map(_number, numbers))
    return out.strip()


def moved(markup: str, dx: float, dy: float) -> str:
    """Shapes moved by (dx, dy), whatever groups they stand in."""
    markup = re.sub(r' d="([^"]*)"', lambda found: f' d="{shifted(found[1], dx, dy)}"', markup)
    for axis, by in (("x", dx), ("y", dy)):
        for written in set(re.findall(rf' c{axis}="([^"]*)"', markup)):
            markup = markup.replace(f' c{axis}="{written}"', f' c{axis}="{_number(float(written) + by)}"')
    return markup


def _end_of_group(page: str, start: int) -> int:
    """Where the ``<g>`` that begins at ``start`` ends."""
    depth = 0
    for found in re.finditer(r"<g\b|</g>", page[start:]):
        depth += 1 if found[0] == "<g" else -1
        if depth == 0:
            return start + found.end()
    raise EditError("a group without an end")


def _pivots(css: str) -> dict[str, tuple[float, float]]:
    """Pivots of the dog's joints by the group's opening tag, limbs as ``<g class="leg fore near">|upper``."""
    found: dict[str, tuple[float, float]] = {}
    for limb in _ORIGIN.finditer(css):
        end, side = limb["outer"].strip(".").split(".")
        for name, x, y in _POINT.findall(limb["rules"]):
            found[f"leg {end} {side}|{name}"] = float(x), float(y)
    for name in ("tail", "tail-tip", "head", "ear", "eye", "tag", "tongue"):
        ((x, y),) = re.findall(rf"^\.{name} \{{ transform-origin: ([\d.]+)px ([\d.]+)px; \}}$", css, re.MULTILINE)
        found[f"|{name}"] = float(x), float(y)
    return found


def _place_of(page: str, key: str) -> int:
    outer, name = key.split("|")
    start = page.index(f'<g class="{outer}">') if outer else 0
    return page.index(f'<g class="{name}">', start)


_PINNED = 'seen.pins.join() === "498px 214px,482px 252px,478px 212px,464px 250px", seen.pins.join());'
_PINNED_SEEN = (
    "seen.pins.flat().every((at, index) => near(at, [498, 214, 482, 252, 478, 212, 464, 250][index], 0.2)), "
    "show(seen.pins.flat()));"
)


def wrappers(files: Files) -> Files:
    """Each joint is a ``<g transform="translate(…)">`` around a part drawn from its own joint, turning about 0 0."""
    page, css = files["index.html"].decode(), files["styles.css"].decode()
    # What a part holds is drawn from the part's joint; joints inside come after it, and are moved with it first.
    for key, (x, y) in _pivots(css).items():
        start = _place_of(page, key)
        end = _end_of_group(page, start)
        outer = re.findall(r'transform="translate\(([\d.-]+) ([\d.-]+)\)"', _open_groups(page, start))
        px, py = x - sum(float(a) for a, _ in outer), y - sum(float(b) for _, b in outer)
        wrapper = f'<g transform="translate({_number(px)} {_number(py)})">'
        page = page[:start] + wrapper + moved(page[start:end], -px, -py) + "</g>" + page[end:]
    css = _ORIGIN.sub("", css)
    css = re.sub(r"^\.(?:tail|tail-tip|head|ear|eye|tag|tongue) \{ transform-origin.*\n", "", css, flags=re.MULTILINE)
    joints = ".upper, .lower, .pawgrp, .tail, .tail-tip, .head, .ear, .eye, .tag, .tongue { transform-origin: 0 0; }\n"
    files = {**files, "index.html": page.encode(), "styles.css": css.encode()}
    files = edited(files, "styles.css", ("the dog: joints", "the dog: joints, each at the origin of its group"))
    heading = files["styles.css"].decode().index("/* ---- the gait")
    text = files["styles.css"].decode()
    files = {**files, "styles.css": (text[:heading].rstrip() + "\n\n" + joints + "\n" + text[heading:]).encode()}
    return edited(
        files,
        "tools/audit.js",
        (
            '{ "fore near": [484, 340], "fore far": [464, 340], "hind near": [354, 340], "hind far": [334, 340] }',
            '{ "fore near": [0, 16], "fore far": [0, 16], "hind near": [2, 34], "hind far": [2, 36] }',
        ),
        (
            '[window.point(".tail", 344, 216), window.point(".tail", 296, 166)]',
            '[window.point(".tail", 0, 0), window.point(".tail", -48, -50)]',
        ),
        ("(part) => style(part).transformOrigin", "(part) => window.point(part, 0, 0)"),
        (_PINNED, _PINNED_SEEN),
    )


def _open_groups(page: str, at: int) -> str:
    """The opening tags of the groups that are open at a place, one after the other."""
    stack: list[str] = []
    for found in re.finditer(r"<g\b[^>]*>|</g>", page[:at]):
        if found[0] == "</g>":
            stack.pop()
        else:
            stack.append(found[0])
    return "".join(stack)


def _box(markup: str) -> tuple[float, float, float, float]:
    """Left, top, width and height of the shapes in a stretch of markup, strokes left out."""
    boxes = [svgpathtools.parse_path(d).bbox() for d in re.findall(r' d="([^"]*)"', markup)]
    for x, y, rx in re.findall(r'<circle[^>]* cx="([\d.]+)" cy="([\d.]+)" r="([\d.]+)"', markup):
        boxes.append((float(x) - float(rx), float(x) + float(rx), float(y) - float(rx), float(y) + float(rx)))
    left, top = min(box[0] for box in boxes), min(box[2] for box in boxes)
    return left, top, max(box[1] for box in boxes) - left, max(box[3] for box in boxes) - top


def fill_boxes(files: Files) -> Files:
    """Parts that hold no other joint turn about a point of their own box, given in per cent of it."""
    page, css = files["index.html"].decode(), files["styles.css"].decode()
    for key, (x, y) in _pivots(css).items():
        name = key.split("|")[1]
        if name in ("upper", "lower", "tail", "head"):
            continue
        start = _place_of(page, key)
        left, top, width, height = _box(page[start : _end_of_group(page, start)])
        old = f".{name} {{ transform-origin: {_number(x)}px {_number(y)}px; }}"
        places = f"{_number((x - left) / width * 100)}% {_number((y - top) / height * 100)}%"
        if css.count(old) != 1:
            raise EditError(f"styles.css: {old!r} occurs {css.count(old)} times")
        css = css.replace(old, f".{name} {{ transform-origin: {places}; }}")
    boxed = "  & :is(.pawgrp, .tail-tip, .ear, .eye, .tag, .tongue) { transform-box: fill-box; }\n"
    return edited(
        {**files, "styles.css": css.encode()},
        "styles.css",
        ("  & * { transform-box: view-box; }\n", "  & * { transform-box: view-box; }\n" + boxed),
    )


_FUR = "#scene { --paw-fur: var(--fur-white); --sock-fur: var(--coat-mid); }\n"


def shared_shapes(files: Files) -> Files:
    """Paws and the foreleg are drawn once, in ``<defs>``; legs and the leg that runs away use them."""
    page = files["index.html"].decode()
    limbs = {}
    for limb in ("fore near", "fore far", "hind near", "hind far"):
        start = page.index('<g class="pawgrp">', page.index(f'<g class="leg {limb}">'))
        limbs[limb] = page[start : _end_of_group(page, start)]
    shapes = ""
    for end in ("fore", "hind"):
        drawn = limbs[f"{end} near"].removeprefix('<g class="pawgrp">').removesuffix("</g>")
        shapes += f'        <g id="{end}-paw">{drawn}</g>\n'
        page = page.replace(limbs[f"{end} near"], f'<g class="pawgrp"><use href="#{end}-paw"/></g>')
        dy = "" if end == "fore" else ' y="-1"'
        page = page.replace(limbs[f"{end} far"], f'<g class="pawgrp"><use href="#{end}-paw" x="-20"{dy}/></g>')
    files = {**files, "index.html": page.encode()}
    files, runaway = cut(
        files, "index.html", '        <path class="arm" d="M498 214 L482 252"/><path class="triceps"', "\n      </g>\n"
    )
    arm, forearm, sleeve = (
        re.findall(rf'<path class="{name}" [^>]*>', runaway)[0] for name in ("arm", "forearm", "sleeve")
    )
    triceps = re.findall(r'<path class="triceps"[^>]*>', runaway)[0]
    shapes += f'        <g id="near-arm">{arm}{triceps}</g>\n        <g id="near-forearm">{forearm}{sleeve}</g>\n'
    uses = "".join(f'<use href="#{name}"/>' for name in ("near-arm", "near-forearm", "fore-paw"))
    page = files["index.html"].decode()
    near_start = page.index('<g class="leg fore near">')
    near = page[near_start : _end_of_group(page, near_start)]
    drawn = re.sub(rf"{re.escape(arm)}\s*{re.escape(triceps)}", '<use href="#near-arm"/>', near)
    drawn = re.sub(rf"{re.escape(forearm)}\s*{re.escape(sleeve)}", '<use href="#near-forearm"/>', drawn)
    page = page.replace(near, drawn).replace('<g class="runaway">\n', f'<g class="runaway">{uses}</g>\n')
    files = edited(
        {**files, "index.html": page.encode()},
        "index.html",
        ("      </defs>\n", f"{shapes}      </defs>\n"),
    )
    far = "color-mix(in srgb, var(--fur-white) 78%, var(--coat-far))"
    files = edited(
        files,
        "styles.css",
        (
            ".cannon { stroke-width: 12; stroke: var(--fur-white); }",
            ".cannon { stroke-width: 12; stroke: var(--paw-fur); }",
        ),
        (".paw { fill: var(--fur-white); }", ".paw { fill: var(--paw-fur); }"),
        (
            ".torso, .haunch, .calf, .sleeve, .sock {",
            ".sock { fill: var(--sock-fur); }\n.torso, .haunch, .calf, .sleeve {",
        ),
        ("  & .calf, & .sleeve, & .sock {", "  & .calf, & .sleeve {"),
        ("  & .forearm, & .cannon {", "  & .forearm {"),
        (f"  & .paw {{ fill: {far}; }}\n", ""),
        (".leg.far {\n", _FUR + f".leg.far {{\n  --paw-fur: {far};\n  --sock-fur: var(--coat-far);\n"),
    )
    return edited(
        files,
        "tools/audit.js",
        ("low: window.box(`${selector} .paw`).bottom", "low: window.box(selector).bottom"),
        ('style(".fore.near .arm")', 'style("#near-arm .arm")'),
        ('style(".fore.near .forearm")', 'style("#near-forearm .forearm")'),
    )


def fourth_joint(files: Files) -> Files:
    """The hind limb has one joint more: the toes turn against the cannon, on the delay of their leg."""
    page = files["index.html"].decode()
    for side in ("near", "far"):
        start = page.index('<path class="paw"', page.index(f'<g class="leg hind {side}">'))
        end = page.index("</g>", start)
        page = page[:start] + f'<g class="foot">{page[start:end]}</g>' + page[end:]
    files = {**files, "index.html": page.encode()}
    return edited(
        files,
        "styles.css",
        (
            "  & .pawgrp { transform-origin: 352px 306px; }\n",
            "  & .pawgrp { transform-origin: 352px 306px; }\n  & .foot { transform-origin: 354px 330px; }\n",
        ),
        (
            "  & .pawgrp { transform-origin: 332px 304px; }\n",
            "  & .pawgrp { transform-origin: 332px 304px; }\n  & .foot { transform-origin: 334px 330px; }\n",
        ),
        (".upper, .lower, .pawgrp, .dot {", ".upper, .lower, .pawgrp, .foot, .dot {"),
        (
            ".dot { animation-name: press; }\n",
            ".hind .foot { animation-name: walk-hind-foot; }\n.dot { animation-name: press; }\n",
        ),
        (
            "  & .hind .pawgrp { animation-name: hop-hind-paw; }\n",
            "  & .hind .pawgrp { animation-name: hop-hind-paw; }\n  & .hind .foot { animation-name: hop-hind-foot; }\n",
        ),
        (
            "  & .hind .pawgrp { animation-name: run-hind-paw; }\n",
            "  & .hind .pawgrp { animation-name: run-hind-paw; }\n  & .hind .foot { animation-name: run-hind-foot; }\n",
        ),
        ("& .lower, & .pawgrp, & .front,", "& .lower, & .pawgrp, & .foot, & .front,"),
        ("@keyframes walk-hind-upper {", f"{_FOOT}@keyframes walk-hind-upper {{"),
    )


_FOOT = "".join(
    f"@keyframes {stride}-hind-foot {{\n"
    f"  0%, {off}% {{ rotate: 0deg; animation-timing-function: linear; }}\n"
    f"  {mid}% {{ rotate: {turn}deg; animation-timing-function: cubic-bezier(.4, .15, .65, .9); }}\n"
    f"  {late}%, 100% {{ rotate: 0deg; }}\n"
    "}\n"
    for stride, off, mid, late, turn in (("walk", 46, 68, 90, 16), ("run", 30, 60, 88, 20), ("hop", 40, 66, 90, 18))
)


def siblings(files: Files) -> Files:
    """No group is the dog: three siblings repeat the bob, the near foreleg is the last of them."""
    page = files["index.html"].decode()
    start = page.index('<g class="dog">')
    end = _end_of_group(page, start)
    dog = page[start:end]
    front = dog.index('        <g class="front">')
    near = dog.index('        <g class="leg fore near">')
    body = dog[len('<g class="dog">') : front]
    head, leg = dog[front:near], dog[near : -len("</g>")]
    three = "\n      ".join(
        f'<g class="dog dog-{name}">\n{part.strip(chr(10)).rstrip()}\n      </g>'
        for name, part in {"body": body, "head": head, "leg": leg}.items()
    )
    return {**files, "index.html": (page[:start] + three + page[end:]).encode()}
