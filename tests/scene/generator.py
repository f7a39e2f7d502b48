"""Random scenes for comparison with a browser: shapes, nesting, styles and animations that hypothesis can shrink.

Every animation delay is written ``calc(D - var(--t))``, with ``--t: 0s`` in the page. A browser shows time t when all
animations are paused at their start and ``--t`` is t; that reaches the instances inside ``<use>`` too, which
``document.getAnimations()`` does not. Numbers are small integers or few decimals, so that failures read well.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Callable

    from hypothesis.strategies import DrawFn

TIMES = (0.0, 0.137, 0.513, 0.779, 1.003, 1.919, 3.317)

SHAPES = ("rect", "circle", "ellipse", "line", "polyline", "polygon", "path")
coordinate = st.integers(-20, 120)
size = st.one_of(st.integers(1, 60), st.sampled_from((0, 0.5, 33.3)))
# No two of these are half a turn apart, and no scale of a list turns by one: where lists do not match, matrices are
# interpolated, and the way round a half turn is decided by rounding.
angle = st.sampled_from((0, 15, 30, 45, 85, -60, 163, 200, 360, 720, -430))
positive = st.sampled_from((0.5, 1, 1.5, 2, 3))
factor = st.sampled_from((0, 0.5, 1, 1.5, 2, -1, -0.5, 3))


@dataclass
class Scene:
    """The page's markup, and the style sheet in it by itself."""

    markup: str
    rules: list[str] = field(default_factory=list)

    @property
    def html(self) -> str:
        style = "\n".join([":root { --t: 0s; --e: ease-in }", *self.rules])
        return f"<!doctype html><style>{style}</style><body style='margin:0'>{self.markup}</body>"


def length(draw: DrawFn, base: st.SearchStrategy[float] = coordinate) -> str:
    unit = draw(st.sampled_from(("", "", "", "px", "%", "em", "pt")))
    number = draw(base)
    return f"{number / 10 if unit == 'em' else number}{unit}"


def css_length(draw: DrawFn, *, percent: bool = True) -> str:
    choice = draw(st.integers(0, 6))
    number = draw(coordinate)
    if choice == 5 and percent:
        return f"{number}%"
    if choice == 6 and percent:
        return f"calc({draw(st.integers(-20, 20))}px + {number}%)"
    return f"{number / 10}em" if choice == 4 else f"{number}px"


def path_data(draw: DrawFn) -> str:
    parts = [f"M{draw(coordinate)} {draw(coordinate)}"]
    for letter in draw(st.lists(st.sampled_from("LHVCSQTAZMlhvcsqtaz"), min_size=1, max_size=5)):
        match letter.upper():
            case "Z":
                parts.append(letter)
            case "A":
                # Radii that reach: where they must be scaled up, Chromium's 32-bit floats lose a few thousandths.
                radii = f"{draw(st.sampled_from((0, 100, 130)))} {draw(st.integers(100, 160))} {draw(angle)}"
                flags = draw(st.sampled_from(("0 0 ", "0 1 ", "10", "11", "1,1,")))
                parts.append(f"{letter}{radii} {flags}{draw(coordinate)},{draw(coordinate)}")
            case kind:
                count = {"L": 2, "M": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2}[kind]
                parts.append(letter + " ".join(str(draw(coordinate)) for _ in range(count)))
    return "".join(parts)


def shape_attributes(draw: DrawFn, name: str) -> str:
    match name:
        case "rect" | "image":
            parts = {"x": length(draw), "y": length(draw), "width": length(draw, size), "height": length(draw, size)}
            if draw(st.booleans()):
                parts["rx"] = "5"
        case "circle":
            parts = {"cx": length(draw), "cy": length(draw), "r": length(draw, size)}
        case "ellipse":
            parts = {"cx": length(draw), "cy": length(draw), "rx": length(draw, size)}
            if draw(st.booleans()):
                parts["ry"] = length(draw, size)
        case "line":
            parts = {part: length(draw) for part in ("x1", "y1", "x2", "y2")}
        case "path":
            parts = {"d": path_data(draw)}
        case _:
            points = draw(st.lists(st.tuples(coordinate, coordinate), max_size=5))
            parts = {"points": " ".join(f"{x},{y}" for x, y in points)}
    return "".join(f' {key}="{value}"' for key, value in parts.items())


# ---------------------------------------------------------------------------------------------------------------------
# Styles


def transform(draw: DrawFn, *, percent: bool = True) -> str:
    functions = []
    for _ in range(draw(st.integers(1, 3))):
        match draw(st.integers(0, 8)):
            case 0:
                functions.append(f"rotate({draw(angle)}deg)")
            case 1:
                functions.append(f"translate({css_length(draw, percent=percent)}, {css_length(draw, percent=percent)})")
            case 2:
                functions.append(f"scale({draw(positive)})")
            case 3:
                functions.append(f"scale({draw(factor)}, {draw(positive)})")
            case 4:
                functions.append(f"translateX({css_length(draw, percent=percent)})")
            case 5:
                functions.append(f"skewX({draw(st.sampled_from((0, 20, -30)))}deg)")
            case 6:
                entries = (
                    draw(positive),
                    draw(factor),
                    draw(factor),
                    draw(positive),
                    draw(coordinate),
                    draw(coordinate),
                )
                functions.append(f"matrix({', '.join(map(str, entries))})")
            case 7:
                functions.append(f"rotate({draw(angle) / 360}turn)")
            case _:
                functions.append(f"skew({draw(st.sampled_from((0, 20, -30)))}deg, 10deg)")
    return " ".join(functions)


def transform_attribute(draw: DrawFn) -> str:
    match draw(st.integers(0, 4)):
        case 0:
            return f"translate({draw(coordinate)} {draw(coordinate)})"
        case 1:
            return f"rotate({draw(angle)},{draw(coordinate)},{draw(coordinate)})"
        case 2:
            return f"scale({draw(factor)})translate({draw(coordinate)})"
        case 3:
            return f"matrix(1 {draw(factor)} -.5,1 {draw(coordinate)} 3)"
        case _:
            return f"skewX(20) rotate({draw(angle)})"


def origin(draw: DrawFn) -> str:
    return draw(
        st.sampled_from(("center", "0 0", "left bottom", "right", "50% 20%", "30px 40px", "calc(50% + 5px) 10%"))
    )


def translate(draw: DrawFn) -> str:
    return draw(st.sampled_from(("none", f"{css_length(draw)}", f"{css_length(draw)} {css_length(draw)}")))


def rotate(draw: DrawFn) -> str:
    return draw(st.sampled_from(("none", f"{draw(angle)}deg", "0.2turn")))


def scale(draw: DrawFn) -> str:
    return draw(st.sampled_from(("none", f"{draw(factor)}", f"{draw(factor)} {draw(factor)}")))


def offset_path(draw: DrawFn) -> str:
    return draw(st.sampled_from(("none", "path('M0 0h100v50')", "path('M10 10 L 50 0 V 90 H 20 z')")))


GEOMETRY_LENGTHS = {
    "rect": ("x", "y", "width", "height"),
    "circle": ("cx", "cy", "r"),
    "ellipse": ("cx", "cy", "rx", "ry"),
    "use": ("x", "y"),
}
PROPERTIES: dict[str, Callable[[DrawFn], str]] = {
    "transform": lambda draw: draw(st.sampled_from(("none", transform(draw), transform(draw)))),
    "translate": translate,
    "rotate": rotate,
    "scale": scale,
    "transform-origin": origin,
    "offset-path": offset_path,
    "offset-distance": lambda draw: draw(st.sampled_from(("0", "50%", "20px", "110%"))),
    "offset-rotate": lambda draw: draw(st.sampled_from(("auto", "0deg", "reverse", "auto 30deg"))),
}
ANIMATED = (
    "transform",
    "transform",
    "transform",
    "translate",
    "rotate",
    "scale",
    "transform-origin",
    "offset-distance",
)
EASINGS = (
    *("linear", "ease", "ease-in-out", "cubic-bezier(.3,-.6,.7,1.6)", "steps(3)", "steps(4, jump-both)"),
    *("step-start", "linear(0, .2 40%, 1.2, 1)", "var(--e)"),
)


def geometry_value(draw: DrawFn, part: str) -> str:
    if part in {"x", "y", "cx", "cy"}:
        return css_length(draw)
    return draw(st.sampled_from(("10px", "25px", "20%", "1em", "calc(5px + 10%)")))


def value_of(draw: DrawFn, part: str) -> str:
    make = PROPERTIES.get(part)
    return geometry_value(draw, part) if make is None else make(draw)


def declarations(draw: DrawFn, name: str) -> list[str]:
    chosen = draw(st.lists(st.sampled_from(tuple(PROPERTIES)), max_size=3, unique=True))
    if name in GEOMETRY_LENGTHS and draw(st.integers(0, 4)) == 0:
        chosen.append(draw(st.sampled_from(GEOMETRY_LENGTHS[name])))
    found = [f"{part}: {value_of(draw, part)}" for part in chosen]
    if draw(st.booleans()):
        boxes = ("view-box", "fill-box", "fill-box", "content-box", "stroke-box", "border-box")
        found.append(f"transform-box: {draw(st.sampled_from(boxes))}")
        found.append(f"transform-origin: {origin(draw)}")
    if draw(st.integers(0, 7)) == 0:
        found.append(draw(st.sampled_from(("display: none", "visibility: hidden", "display: contents", "opacity: 0"))))
    if draw(st.integers(0, 3)) == 0:
        found.append(f"stroke: red; stroke-width: {draw(st.integers(1, 3))}")
    return found


def keyframes(draw: DrawFn, label: str, name: str) -> str:
    animated = draw(st.lists(st.sampled_from(ANIMATED), min_size=1, max_size=2, unique=True))
    if name in GEOMETRY_LENGTHS and draw(st.integers(0, 3)) == 0:
        animated.append(draw(st.sampled_from(GEOMETRY_LENGTHS[name])))
    # Blocks with one offset are another test's business (tests/animation).
    stops = draw(st.lists(st.sampled_from(("0%", "30%", "50%", "20%, 70%", "to")), min_size=1, max_size=4, unique=True))
    blocks = []
    for stop in stops:
        inside = []
        for part in animated:
            if draw(st.integers(0, 5)):
                important = " !important" if draw(st.integers(0, 15)) == 0 else ""
                inside.append(f"{part}: {value_of(draw, part)}{important}")
        if draw(st.integers(0, 3)) == 0:
            inside.append(f"animation-timing-function: {draw(st.sampled_from(EASINGS))}")
        if draw(st.integers(0, 7)) == 0:
            inside.append(f"animation-composition: {draw(st.sampled_from(('add', 'accumulate', 'replace')))}")
        blocks.append(f"{stop} {{ {'; '.join(inside)} }}")
    return f"@keyframes {label} {{ {' '.join(blocks)} }}"


def animation(draw: DrawFn, labels: list[str]) -> list[str]:
    longhands = {
        "animation-name": ", ".join(labels),
        "animation-duration": draw(st.sampled_from(("1s", "2s", "700ms", "1s, 3s", "0s"))),
        "animation-timing-function": draw(st.sampled_from(EASINGS)),
        "animation-iteration-count": draw(
            st.sampled_from(("infinite", "infinite", "1", "2.5", "0.3", "0", "1, infinite"))
        ),
    }
    if draw(st.booleans()):
        longhands["animation-direction"] = draw(st.sampled_from(("reverse", "alternate", "alternate-reverse")))
    if draw(st.booleans()):
        longhands["animation-fill-mode"] = draw(st.sampled_from(("both", "forwards", "backwards", "none, both")))
    if draw(st.integers(0, 3)) == 0:
        longhands["animation-composition"] = draw(st.sampled_from(("add", "accumulate", "replace, add")))
    if draw(st.integers(0, 2)) == 0:
        shorthand = f"animation: {', '.join(f'{label} 1s infinite ease-out' for label in labels)}"
        if draw(st.booleans()):
            found = [shorthand, *(f"{key}: {value}" for key, value in longhands.items() if key != "animation-name")]
        else:
            found = [*(f"{key}: {value}" for key, value in longhands.items()), shorthand]
    else:
        found = [f"{key}: {value}" for key, value in longhands.items()]
    return found


def delay(draw: DrawFn) -> str:
    """Important, so that no other rule takes the time of the page away."""
    delays = draw(st.lists(st.sampled_from(("0s", "-0.4s", "0.6s", "-2s", "1s")), min_size=1, max_size=2))
    return "animation-delay: " + ", ".join(f"calc({delay} - var(--t))" for delay in delays) + " !important"


def wrapped(draw: DrawFn, selector: str, body: str, *, layers: bool) -> str:
    """A rule in one of the many ways to write it, or in one that does not hold."""
    match draw(st.sampled_from(range(10) if layers else (0, 3, 4, 6, 7))):
        case 0:
            return f"@media (min-width: 100px) {{ {selector} {{ {body} }} }}"
        case 1:
            return f"@layer one {{ {selector} {{ {body} }} }}"
        case 2:
            return f"svg {{ {selector} {{ {body} }} }}"
        case 3:
            return f"@media (max-width: 10px) {{ {selector} {{ {body} }} }}"
        case 4:
            return f"@supports (transform: none) {{ {selector} {{ {body} }} }}"
        case 5:
            return f"@layer two, one; @layer two {{ svg {selector} {{ {body} }} }}"
        case _:
            return f"{selector} {{ {body} }}"


# ---------------------------------------------------------------------------------------------------------------------
# Elements


class Builder:
    """Writes one scene; ids and class names are numbered as elements come."""

    def __init__(self, draw: DrawFn) -> None:
        self.draw = draw
        self.rules: list[str] = []
        self.count = 0
        self.targets: list[str] = []
        self.in_definitions = False
        """Chromium 156 does not order the layers of rules that match inside a ``<use>``."""

    def styled(self, name: str) -> str:
        """Attributes that style an element; its rules are added to the sheet."""
        draw = self.draw
        self.count += 1
        label = f"e{self.count}"
        attributes = f' class="{label}" id="{label}"'
        if draw(st.integers(0, 3)) == 0:
            attributes += f' transform="{transform_attribute(draw)}"'
        body = declarations(draw, name)
        if draw(st.booleans()):
            labels = [f"k{self.count}{letter}" for letter in "ab"[: draw(st.integers(1, 2))]]
            self.rules += [keyframes(draw, label, name) for label in labels]
            body += animation(draw, labels)
            self.rules.append(f".{label} {{ {delay(draw)} }}")
        if not body:
            return attributes
        if draw(st.integers(0, 4)) == 0:
            text = "; ".join(body)
            return attributes + f' style="{text}"'
        important = draw(st.integers(0, 9)) == 0
        middle = draw(st.integers(0, len(body)))
        for part in (body[:middle], body[middle:]):
            if part:
                text = "; ".join(
                    f"{line} !important" if important and not line.startswith("animation") else line for line in part
                )
                self.rules.append(wrapped(draw, f".{label}", text, layers=not self.in_definitions))
        return attributes

    def node(self, depth: int) -> str:
        draw = self.draw
        groups = ("g", "g", "g", "svg", "a", "switch", "use") if depth > 0 else ()
        name = draw(st.sampled_from((*SHAPES, *groups)))
        if name == "use":
            return self.use()
        attributes = self.styled(name)
        if name in SHAPES:
            return f"<{name}{attributes}{shape_attributes(draw, name)}/>"
        if name == "svg":
            attributes += self.viewport()
        # Of a switch one child: Chromium shows what is inside others when they are animated.
        count = draw(st.integers(0, 1 if name == "switch" else 3))
        content = "".join(self.node(depth - 1) for _ in range(count))
        return f"<{name}{attributes}>{content}</{name}>"

    def viewport(self) -> str:
        draw = self.draw
        text = ""
        for part in ("x", "y", "width", "height"):
            if draw(st.booleans()):
                text += f' {part}="{length(draw, size if part in {"width", "height"} else coordinate)}"'
        if draw(st.booleans()):
            text += f' viewBox="{draw(coordinate)} 0 {draw(size)} {draw(size)}"'
        if draw(st.booleans()):
            aspects = ("none", "xMinYMin", "xMaxYMid slice", "xMidYMax meet", "nonsense")
            text += f' preserveAspectRatio="{draw(st.sampled_from(aspects))}"'
        return text

    def use(self) -> str:
        draw = self.draw
        attributes = self.styled("use")
        for part in ("x", "y", "width", "height"):
            if draw(st.integers(0, 2)) == 0:
                attributes += f' {part}="{length(draw, size if part in {"width", "height"} else coordinate)}"'
        target = draw(st.sampled_from((*self.targets, "nothing"))) if self.targets else "nothing"
        return f'<use{attributes} href="#{target}"/>'

    def definitions(self) -> str:
        draw = self.draw
        found = []
        for index in range(draw(st.integers(0, 2))):
            target = f"t{index}"
            name = draw(st.sampled_from(("g", "symbol", "svg", *SHAPES)))
            attributes = self.styled(name).replace(f'id="e{self.count}"', f'id="{target}"')
            if name in SHAPES:
                found.append(f"<{name}{attributes}{shape_attributes(draw, name)}/>")
            else:
                attributes += "" if name == "g" else self.viewport()
                found.append(f"<{name}{attributes}>{self.node(0)}{self.node(0)}</{name}>")
            self.targets.append(target)
        return f"<defs>{''.join(found)}</defs>" if found else ""


@st.composite
def scenes(draw: DrawFn) -> Scene:
    """A page with one svg."""
    builder = Builder(draw)
    view_box = draw(st.sampled_from(("0 0 200 100", "-20 10 100 100", "0 0 400 400")))
    builder.in_definitions = True
    definitions = builder.definitions()
    builder.in_definitions = False
    body = definitions + "".join(builder.node(2) for _ in range(draw(st.integers(1, 3))))
    svg = f'<svg id="scene" viewBox="{view_box}" width="800" height="400" style="font-size: 10px">{body}</svg>'
    return Scene(svg, builder.rules)
