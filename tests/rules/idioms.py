"""The dog of the skeleton in the writing of other hands: each function says the same dog in another way.

What is drawn and how it moves stays as it was, to a unit or so; only the spelling changes.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Final

from husky_lint.rules.husky.skeleton import files

if TYPE_CHECKING:
    from collections.abc import Callable

ENDS: Final = ("fore", "hind")
SIDES: Final = ("near", "far")
PIVOTS: Final = {
    ("fore", "near"): ((498, 214), (482, 252), (484, 324)),
    ("fore", "far"): ((478, 212), (464, 250), (464, 324)),
    ("hind", "near"): ((358, 226), (374, 266), (352, 306)),
    ("hind", "far"): ((338, 224), (354, 266), (332, 304)),
}
JOINTS: Final = ("upper", "lower", "pawgrp")
_CHOOSE: Final = "function setPace(index) { scene.dataset.speed = paces[(index + paces.length) % paces.length]; }"


class Page:
    """The skeleton's page, style sheet and script, to be edited. An edit that meets nothing is an error."""

    def __init__(self) -> None:
        self.files: dict[str, str | bytes] = files()

    def replace(self, path: str, old: str, new: str, count: int = -1) -> None:
        text = str(self.files[path])
        assert old in text, old
        self.files[path] = text.replace(old, new, count)

    def rewrite(self, path: str, pattern: str, new: str | Callable[[re.Match[str]], str]) -> None:
        changed, count = re.subn(pattern, new, str(self.files[path]), flags=re.DOTALL)
        assert count, pattern
        self.files[path] = changed

    def html(self, old: str, new: str) -> None:
        self.replace("index.html", old, new)

    def css(self, old: str, new: str) -> None:
        self.replace("styles.css", old, new)

    def style(self, text: str) -> None:
        self.files["styles.css"] = str(self.files["styles.css"]) + text

    def leg(self, end: str, side: str) -> str:
        """The markup of a leg."""
        page = str(self.files["index.html"])
        start = page.index(f'<g class="leg {end} {side}">')
        depth = 0
        for match in re.finditer(r"<g\b|</g>", page[start:]):
            depth += 1 if match[0] != "</g>" else -1
            if depth == 0:
                return page[start : start + match.end()]
        raise AssertionError(end, side)

    def shape(self, name: str) -> str:
        """The markup of the one shape of a class."""
        (found,) = re.findall(rf'<(?:path|circle|ellipse) class="{name}"[^>]*/>', str(self.files["index.html"]))
        return str(found)

    def on_pace(self, before: str, at_pace: str) -> None:
        """Script before, and at, the choice of a pace; ``pace`` is its name there."""
        chosen = f"{before}\nfunction setPace(index) {{\n  const pace = paces[(index + paces.length) % paces.length];\n"
        self.replace("app.js", _CHOOSE, f"{chosen}  scene.dataset.speed = pace;\n  {at_pace}\n}}")


# ---------------------------------------------------------------------------------------------------------------------
# Joints


def a_hock_as_fourth_joint(page: Page) -> None:
    for side in SIDES:
        leg = page.leg("hind", side)
        page.html(leg, re.sub(r'(<path class="paw"[^>]*/>)', r'<g class="digits">\1</g>', leg))
    page.css(".upper, .lower, .pawgrp, .dot {", ".upper, .lower, .pawgrp, .digits, .dot {")
    page.css(".pawgrp, .dot, .shadow", ".pawgrp, .digits, .dot, .shadow")
    page.style("""
    .digits { animation-name: digits; } .near .digits { transform-origin: 354px 330px; }
    .far .digits { transform-origin: 334px 330px; }
    @keyframes digits { 0%, 46%, 100% { transform: rotate(0deg); } 60% { transform: rotate(9deg); } }
    """)


def translate_wrappers(page: Page) -> None:
    (sx, sy), (ex, ey), (wx, wy) = PIVOTS["fore", "near"]
    leg = page.leg("fore", "near")
    arm, forearm, paw = (re.findall(rf'<path class="{name}"[^>]*/>', leg)[0] for name in ("arm", "forearm", "paw"))

    def joint(name: str, by: tuple[int, int], shape: str, at: tuple[int, int], inner: str = "") -> str:
        drawn = f'<g transform="translate({-at[0]} {-at[1]})">{shape}</g>'
        return f'<g transform="translate({by[0]} {by[1]})"><g class="{name}">{drawn}{inner}</g></g>'

    paws = joint("pawgrp", (wx - ex, wy - ey), paw, (wx, wy))
    lower = joint("lower", (ex - sx, ey - sy), forearm, (ex, ey), paws)
    page.html(leg, f'<g class="leg fore near">{joint("upper", (sx, sy), arm, (sx, sy), lower)}</g>')
    page.style(".fore.near .upper, .fore.near .lower, .fore.near .pawgrp { transform-origin: 0 0; }")


def pivots_as_attributes(page: Page) -> None:
    for (end, side), pivots in PIVOTS.items():
        leg = changed = page.leg(end, side)
        for name, (x, y) in zip(JOINTS, pivots, strict=True):
            changed = changed.replace(f'<g class="{name}">', f'<g class="{name}" transform-origin="{x} {y}">')
        page.html(leg, changed)
    page.rewrite("styles.css", r"\.(fore|hind)\.(near|far) \.(upper|lower|pawgrp) \{ transform-origin[^}]*\}\n", "")


def pivots_in_the_fill_box(page: Page) -> None:
    """The near fore paw's: its box is (476.6, 319) to (500, 340), and nothing in it moves."""
    page.style(".fore.near .pawgrp { transform-box: fill-box; transform-origin: 7.36px 5px; }")


def individual_rotate(page: Page) -> None:
    page.rewrite("styles.css", r"transform: rotate\((-?[\d.]+)deg\)", r"rotate: \1deg")


def matrices(page: Page) -> None:
    def matrix(match: re.Match[str]) -> str:
        angle = math.radians(float(match[1]))
        cos, sin = math.cos(angle), math.sin(angle)
        return f"transform: matrix({cos:.6f}, {sin:.6f}, {-sin:.6f}, {cos:.6f}, 0, 0)"

    def block(match: re.Match[str]) -> str:
        return re.sub(r"transform: rotate\((-?[\d.]+)deg\)", matrix, match[0])

    page.rewrite("styles.css", r"@keyframes (?:fore|hind)-(?:upper|lower|paw) \{.*?\n\}", block)


def another_scale(page: Page) -> None:
    """The dog drawn at two fifths of its size, about the middle of its ground, and put at the right one."""
    page.html(
        '<g class="dog">',
        '<g transform="translate(426 340) scale(2.5)"><g transform="scale(.4) translate(-426 -340)"><g class="dog">',
    )
    page.html('<g class="runaway">', '</g></g><g class="runaway">')


def names_of_joints_that_lie(page: Page) -> None:
    for path in ("index.html", "styles.css"):
        for old, new in (("upper", "@@"), ("pawgrp", "upper"), ("@@", "pawgrp")):
            page.rewrite(path, rf"(?<![\w-]){old}(?![\w-])", new)
    for old, new in (("fore-pawgrp", "fore-upper"), ("hind-pawgrp", "hind-upper")):
        assert old not in str(page.files["styles.css"]), new


def legs_made_by_script(page: Page) -> None:
    made = []
    for end in ENDS:
        for side in SIDES:
            leg = page.leg(end, side)
            inside = re.sub(r"\s*\n\s*", "", leg[leg.index(">") + 1 : -len("</g>")])
            made.append(f"document.querySelector('.leg.{end}.{side}').innerHTML = '{inside}';")
            page.html(leg, f'<g class="leg {end} {side}"></g>')
    page.files["app.js"] = "\n".join(made) + "\n" + str(page.files["app.js"])


# ---------------------------------------------------------------------------------------------------------------------
# Limbs


def limbs_of_rects(page: Page) -> None:
    def bar(start: tuple[int, int], end: tuple[int, int], width: float, kind: str) -> str:
        length = math.dist(start, end)
        angle = math.degrees(math.atan2(end[1] - start[1], end[0] - start[0])) - 90
        x, y = start[0] - width / 2, start[1] - width / 2
        return (
            f'<rect class="bar {kind}" x="{x}" y="{y}" width="{width}" height="{length + width:.2f}" '
            f'rx="{width / 2}" transform="rotate({angle:.3f} {start[0]} {start[1]})"/>'
        )

    for side in SIDES:
        leg, (shoulder, elbow, wrist) = page.leg("fore", side), PIVOTS["fore", side]
        changed = re.sub(r'<path class="arm"[^>]*/>', bar(shoulder, elbow, 21, "arm-bar"), leg)
        page.html(leg, re.sub(r'<path class="forearm"[^>]*/>', bar(elbow, wrist, 14.5, "shin-bar"), changed))
    page.style("""
    .arm-bar { fill: var(--coat-mid); } .shin-bar { fill: var(--fur-white); }
    .far .arm-bar { fill: var(--coat-far); } .far .shin-bar { fill: var(--fur-far); }
    """)


def lines_beneath_limbs(page: Page) -> None:
    for end in ENDS:
        for side in SIDES:
            leg = page.leg(end, side)
            under = r'<path class="edge \1-edge" \2/><path class="\1" \2/>'
            page.html(leg, re.sub(r'<path class="(arm|forearm|thigh|shank)" (d="[^"]*")/>', under, leg))
    page.style("""
    .edge { fill: none; stroke: #20242e; stroke-linecap: round; opacity: .55; } .arm-edge { stroke-width: 25; }
    .forearm-edge { stroke-width: 18; } .thigh-edge { stroke-width: 33; } .shank-edge { stroke-width: 20; }
    """)


def paws_of_toes(page: Page) -> None:
    def paw(match: re.Match[str]) -> str:
        x = float(match[1])
        pads = ((8, 329, 8, 9), (6, 335, 6, 5), (12, 335.5, 6, 4.5), (17, 336, 5, 4))
        return "".join(f'<ellipse class="pad" cx="{x + dx}" cy="{y}" rx="{rx}" ry="{ry}"/>' for dx, y, rx, ry in pads)

    for end in ENDS:
        for side in SIDES:
            leg = page.leg(end, side)
            page.html(leg, re.sub(r'<path class="paw" d="M(\d+)[^"]*"/>', paw, leg))
    page.style(".pad { fill: var(--fur-white); } .far .pad { fill: var(--fur-far); }")


def probes_in_the_paws(page: Page) -> None:
    """Unseen shapes to measure by: beneath the sole, and around it."""
    unseen = (
        '<rect x="470" y="330" width="30" height="30" opacity="0"/><circle class="probe" cx="485" cy="346" r="9"/>'
        '<rect x="340" y="335" width="30" height="30" visibility="hidden"/>'
    )
    for side in SIDES:
        for end in ENDS:
            leg = page.leg(end, side)
            page.html(leg, re.sub(r'(<path class="paw"[^>]*/>)', rf"\1{unseen}", leg))
    page.style(".probe { fill: #000; fill-opacity: 0; }")


def a_near_leg_beside_the_dog(page: Page) -> None:
    """The bob on two siblings and none on the dog: the near foreleg's group repeats the body's."""
    leg = page.leg("fore", "near")
    page.html(leg, f'</g><g class="bob limb">{leg}</g>')
    page.html('<g class="dog">', '<g class="dog"><g class="bob rest">')
    page.css(".dog { animation: bob", ".bob { animation: bob")
    page.css('[data-speed="hop"] .dog {', '[data-speed="hop"] .bob {')
    page.css(":is(.strip, .dog,", ":is(.strip, .bob,")


# ---------------------------------------------------------------------------------------------------------------------
# Clocks


def delays_by_importance(page: Page) -> None:
    page.css("animation-delay: calc(var(--cycle) * var(--phase));", "animation-delay: var(--lag) !important;")
    page.style(".leg, .dot { --lag: calc(var(--cycle) * var(--phase)); }")
    for end in ENDS:
        for joint, name in (("upper", "upper"), ("lower", "lower"), ("pawgrp", "paw")):
            page.style(f"#scene .{end} .{joint} {{ animation: {end}-{name} var(--cycle) infinite; }}\n")
    page.style('#scene[data-speed="zoomies"] .fore .lower { animation-name: run-lower; }')


def delays_by_source_order(page: Page) -> None:
    """Shorthands that reset the delay, and delays after them."""
    own = "animation-delay: calc(var(--cycle) * var(--phase));"
    page.css(own, "")
    for end in ENDS:
        for joint, name in (("upper", "upper"), ("lower", "lower"), ("pawgrp", "paw")):
            old = f".{end} .{joint} {{ animation-name: {end}-{name}; }}"
            page.css(old, f".{end} .{joint} {{ animation: {end}-{name} var(--cycle) infinite; }}")
    page.style(
        f".fore .upper, .fore .lower, .fore .pawgrp, .hind .upper, .hind .lower, .hind .pawgrp, .dot {{ {own} }}"
    )


def delays_by_script(page: Page) -> None:
    page.css("animation-delay: calc(var(--cycle) * var(--phase));", "")
    page.on_pace(
        """
        const WALK = { "near-fore": 0, "far-fore": -.54, "near-hind": -.5, "far-hind": -.04 };
        const LAGS = { stroll: WALK, walk: WALK, hop: {},
          zoomies: { "far-fore": -.1, "near-hind": -.5, "far-hind": -.6 } };
        """,
        """
        for (const side of ["near", "far"]) for (const end of ["fore", "hind"]) {
          const lag = (LAGS[pace][side + "-" + end] || 0) * table[pace].cycle;
          document.querySelectorAll(`.${end}.${side} :is(.upper, .lower, .pawgrp), [data-leg="${side}-${end}"]`)
            .forEach(function (part) { part.style.animationDelay = lag.toFixed(4) + "s"; });
        }
        """,
    )
    page.files["app.js"] = str(page.files["app.js"]) + "setPace(1);\n"


def delays_ahead(page: Page) -> None:
    """Whole cycles apart is the same."""
    page.rewrite("styles.css", r"--phase: -(\.\d+)", lambda match: f"--phase: {1 - float(match[1]):.2f}")


def inherited_delays(page: Page) -> None:
    page.css("animation-delay: calc(var(--cycle) * var(--phase));", "animation-delay: inherit;")
    page.style(".leg, #scene .dot { animation-delay: calc(var(--cycle) * var(--phase)); }")


# ---------------------------------------------------------------------------------------------------------------------
# The hop


def its_own_leg_flies(page: Page) -> None:
    """No stand-in: the group around the near foreleg flies, and CSS hides it in the still."""
    leg = page.leg("fore", "near")
    page.rewrite("index.html", r'<g class="runaway">.*?</g>', "")
    page.html(leg, f'<g class="runaway">{leg}</g>')
    page.css("display: none; }\n.fore.near, .dot", "}\n.fore.near, .dot")
    page.css('#scene[data-speed="hop"] .fore.near, #scene', "#scene")
    page.css(".runaway { display: inline; animation", ".runaway { animation")
    page.css(
        "100% { transform: translate(-640px, 58px) rotate(-450deg); }",
        "99% { visibility: visible; } 100% { transform: translate(-640px, 58px) rotate(-450deg); visibility: hidden; }",
    )
    page.style('#scene[data-speed="hop"] .runaway :is(.upper, .lower, .pawgrp) { animation: none; }')


def script_takes_the_leg_out(page: Page) -> None:
    page.css('#scene[data-speed="hop"] .fore.near, #scene', "#scene")
    page.on_pace(
        'const leg = document.querySelector(".leg.fore.near"), husky = document.querySelector(".dog");',
        'if (pace === "hop") leg.remove(); else husky.append(leg);',
    )


def script_clones_the_leg(page: Page) -> None:
    page.rewrite("index.html", r'<g class="runaway">.*?</g>', '<g class="debris"></g>')
    page.css("transform-origin: 490px 280px; display: none;", "transform-origin: 490px 280px;")
    page.on_pace(
        'const debris = document.querySelector(".debris");',
        """
        debris.replaceChildren();
        if (pace === "hop") {
          const copy = document.querySelector(".leg.fore.near").cloneNode(true);
          copy.setAttribute("class", "runaway");
          debris.append(copy);
        }
        """,
    )


def the_leg_is_only_invisible(page: Page) -> None:
    page.css(
        '#scene[data-speed="hop"] .fore.near, #scene[data-speed="hop"] .dot[data-leg="near-fore"] { display: none; }',
        '#scene[data-speed="hop"] .fore.near, #scene[data-speed="hop"] .dot[data-leg="near-fore"] { opacity: 0; }',
    )


# ---------------------------------------------------------------------------------------------------------------------
# Head, neck and collar


def a_muzzle_apart(page: Page) -> None:
    page.html(
        page.shape("skull"),
        '<path class="skull" d="M520 184 C516 160 532 146 552 146 C574 145 586 156 590 170 C592 184 590 198 582 206 '
        'C556 214 524 204 520 184 Z"/><path class="muzzle" d="M582 164 C598 170 612 178 618 184 C621 191 617 197 '
        '608 199 C598 204 586 210 570 211 Z"/>',
    )
    page.style(".muzzle { fill: var(--coat-mid); }")


def no_neck(page: Page) -> None:
    """Neck and trunk are one path."""
    from shapely import Polygon

    from husky_lint.scene.paths import flatten, parse_path

    def area(name: str) -> Polygon:
        match = re.search(r' d="([^"]*)"', page.shape(name))
        assert match is not None
        return Polygon(flatten(parse_path(match[1]))[0]).buffer(0)

    both = area("torso").union(area("neck"))
    data = " L".join(f"{x:.1f} {y:.1f}" for x, y in both.exterior.coords[:-1])
    page.html(page.shape("torso"), f'<path class="torso" d="M{data} Z"/>')
    page.html(page.shape("neck"), "")


def plain_features(page: Page) -> None:
    """A dot for an eye, an ellipse for a brow and for a nose, a polygon for an ear."""
    page.rewrite("index.html", r'<g class="eye">.*?</g>', '<circle class="eye pupil" cx="577" cy="171" r="4.6"/>')
    page.html(page.shape("brow"), '<ellipse class="spot" cx="576" cy="160" rx="8" ry="3"/>')
    page.html(page.shape("nose"), '<ellipse class="nose" cx="616" cy="184" rx="6" ry="6"/>')
    page.html(page.shape("ear-fur"), '<polygon class="ear-fur" points="528,163 530,106 568,149"/>')
    page.style(".spot { fill: var(--fur-white); }")


def names_of_features_that_lie(page: Page) -> None:
    for path in ("index.html", "styles.css"):
        for one, other in (("skull", "torso"), ("ear-fur", "nose"), ("face-mask", "throat")):
            for old, new in ((one, "@@"), (other, one), ("@@", other)):
                page.rewrite(path, rf"(?<![\w-]){old}(?![\w-])", new)


def a_collar_as_line(page: Page) -> None:
    page.html(page.shape("collar"), '<line class="collar" x1="515" y1="174" x2="537" y2="241"/>')


def a_collar_as_clipped_band(page: Page) -> None:
    outline = re.search(r' d="([^"]*)"', page.shape("neck"))
    assert outline is not None
    band = '<rect class="band" x="521" y="150" width="9" height="120" transform="rotate(-17 526 208)"/>'
    page.html(page.shape("collar"), f'<g clip-path="url(#necking)">{band}</g>')
    page.html('<g class="dog">', f'<clipPath id="necking"><path d="{outline[1]}"/></clipPath><g class="dog">')
    page.style(".band { fill: #d2383f; }")


def a_far_ear_out_of_sight(page: Page) -> None:
    page.html(page.shape("skull"), f'<path class="e2" d="M540 160 L552 154 L566 160 L560 170 Z"/>{page.shape("skull")}')
    page.style(".e2 { fill: var(--coat-dark); }")


def a_far_ear(page: Page) -> None:
    """Not the same dog: a second ear, unnamed, behind the skull."""
    ear = "M503.3 165.2 C499 142 500 122 504.9 108.2 C521 118 535 134 542.7 150.8 C531 162 515 168 503.3 165.2 Z"
    page.html(page.shape("skull"), f'<path class="e2" d="{ear}"/>{page.shape("skull")}')
    page.style(".e2 { fill: var(--coat-dark); }")


# ---------------------------------------------------------------------------------------------------------------------
# Trunk and tail


def smil_for_ear_and_tail(page: Page) -> None:
    def turn(angles: tuple[int, ...], times: str, pivot: str, seconds: str) -> str:
        values = ";".join(f"{angle} {pivot}" for angle in angles)
        return (
            f'<animateTransform attributeName="transform" type="rotate" values="{values}" keyTimes="{times}" '
            f'dur="{seconds}" repeatCount="indefinite"/>'
        )

    page.html('<g class="ear">', '<g class="ear">' + turn((0, 0, -9, 0), "0;.88;.91;1", "548 156", "5.3s"))
    page.html('<g class="tail-tip">', '<g class="tail-tip">' + turn((-7, 8, -7), "0;.5;1", "296 166", "3.12s"))
    for part in ("tail-tip", "ear"):
        page.rewrite("styles.css", rf"\n\.{part} \{{ animation: [^}}]*\}}", "")
        page.rewrite("styles.css", rf"\n\.{part} \{{ transform-origin: [^}}]*\}}", "")


def a_tail_held_by_a_transition(page: Page) -> None:
    """The streamed tail is a pose of a group of its own, reached by a transition; the wag goes on in it."""
    tail = re.search(r'<g class="tail">.*?</g>\s*</g>', str(page.files["index.html"]), re.DOTALL)
    assert tail is not None
    page.html(tail[0], f'<g class="tail-pose">{tail[0]}</g>')
    page.css('#scene[data-speed="zoomies"] .tail { animation-name: stream; }', "")
    page.style("""
    .tail-pose { transform-origin: 344px 216px; transform: rotate(0deg); transition: transform .45s ease; }
    #scene[data-speed="zoomies"] .tail-pose { transform: rotate(-74deg); }
    """)


def a_tail_of_four_joints(page: Page) -> None:
    chain = """<g class="tail"><path class="tail-fur" d="M344 216 C332 213 320 208 312 200"/><g class="t2">
      <path class="tail-fur" d="M312 200 C302 190 296 180 296 166"/><g class="tail-tip">
      <path class="tail-white" d="M296 166 C296 152 302 142 308 138"/><g class="t4">
      <path class="tail-white" d="M308 138 L328 136"/></g></g></g></g>"""
    page.rewrite("index.html", r'<g class="tail">.*?</g>\s*</g>', chain)
    page.css(".tail, .tail-tip, .tag", ".tail, .t2, .t4, .tail-tip, .tag")
    page.style("""
    .t2 { transform-origin: 312px 200px; animation: tip var(--cycle) ease-in-out calc(var(--cycle) * -.9) infinite; }
    .t4 { transform-origin: 308px 138px; animation: tip var(--cycle) ease-in-out calc(var(--cycle) * -.7) infinite; }
    """)


def a_blade_that_turns(page: Page) -> None:
    blade, leg = page.shape("blade"), page.leg("fore", "near")
    page.html(blade, "")
    turning = leg.replace('<g class="upper">', f'<g class="sway">{blade}<g class="upper">', 1)
    page.html(leg, turning[: -len("</g>")] + "</g></g>")
    page.css(".tail, .tail-tip, .tag", ".tail, .sway, .tail-tip, .tag")
    page.style("""
    .sway { transform-origin: 486px 200px; animation: sway var(--cycle) ease-in-out infinite; }
    @keyframes sway { 0%, 100% { transform: rotate(-1.6deg); } 50% { transform: rotate(1.6deg); } }
    """)


def dots_of_one_ellipse(page: Page) -> None:
    page.rewrite(
        "index.html",
        r'<ellipse class="dot" data-leg="([\w-]+)" cx="(\d+)" cy="(\d+)"[^>]*/>',
        r'<use class="dot" data-leg="\1" href="#spot" x="\2" y="\3"/>',
    )
    page.html('<g class="dots">', '<defs><ellipse id="spot" rx="14" ry="3"/></defs><g class="dots">')


def dots_by_scale(page: Page) -> None:
    page.rewrite(
        "index.html",
        r'<ellipse class="dot" data-leg="([\w-]+)" cx="(\d+)" cy="(\d+)" rx="([\d.]+)" ry="([\d.]+)"/>',
        r'<g transform="translate(\2 \3) scale(\4 \5)"><circle class="dot" data-leg="\1" r="1"/></g>',
    )
