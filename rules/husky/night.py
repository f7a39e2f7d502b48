"""Night (spec §2.6): the dog's underside stays white, and the colours are those of the contract."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from husky_lint.rule import Finding, Reason, Related, Undecided, rule
from husky_lint.scene.graph import SHAPES
from husky_lint.style.colors import Color, parse_color
from husky_lint.style.shorthands import css

from .applied import narrow, paints_by_width
from .pixels import Canvas, Scenario, outline_in_scene
from .rig import rig_of
from .theme import theme_states
from .visibility import is_painted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from husky_lint.evidence import Evidence
    from husky_lint.parse.css import Declaration
    from husky_lint.scene.graph import SceneGraph, SceneNode
    from husky_lint.scene.motion import Motion
    from husky_lint.source import Span
    from husky_lint.style.computed import ComputedStyle
    from husky_lint.style.states import PageState

    from .rig import Rig

    FloatArray = NDArray[np.float64]

TRAIL_AT: Final = 348.0
"""An ordinate on the path, below the paws."""
_SPACING: Final = 6.0
_LEAST_POINTS: Final = 4
_ENDS: Final = (Scenario(True, True), Scenario(True, False), Scenario(False, True), Scenario(False, False))


class Shade(NamedTuple):
    """How light a piece of the underside is: the median of its visible points, and its contrast to the trail."""

    luminance: float
    contrast: float


@rule("HB2604")
def night_white(
    evidence: Evidence, themes: Sequence[str], least_luminance: float, least_contrast: float
) -> Iterator[Finding]:
    """The white underside is dimmed by night.

    ## What it checks
    By night each visible piece of the underside has a relative luminance of at least 0.8 and a contrast of 3 to the
    trail, as it is painted: fill and its opacity, opacities and filters of everything around it, what lies behind and
    what is painted over it, the page's own filters too.

    ## Why it matters
    Dimmed with the rest of the scene, the belly merges with the trail and the dog loses his underside.

    ## Example that fails
    ```css
    :root[data-theme="night"] { --fur-white: #8a93a6; }
    ```

    ```css
    :root[data-theme="night"] .dog { filter: brightness(.7); }
    ```

    ```css
    :root[data-theme="night"] .bib-belly { opacity: .55; }
    ```

    ```html
    <rect width="900" height="460" fill="#0a1030" opacity=".4"/>
    ```

    ```css
    @media (max-width: 500px) { :root[data-theme="night"] .bib { filter: brightness(.4); } }
    ```

    ## Example that passes
    ```css
    :root[data-theme="night"] .dog { filter: brightness(1.05) saturate(.9); }
    ```
    """
    rig = rig_of(evidence)
    bib = rig.part("bib")
    state = theme_states(evidence, themes)[themes[1]]
    told: set[SceneNode] = set()
    for look, where in _looks(evidence, state):
        _refuse_overlays(evidence, look)
        rest = evidence.rest(look)
        own = (rest.scene.node(one.element) for one in bib.shapes or bib.nodes)
        shapes = [one for node in own if node is not None for one in (node, *node.descendants()) if one.name in SHAPES]
        found = _shades(rest, shapes, _not_the_trail(rig, rest.scene))
        for shape, shades in found.items():
            faults = [s for s in shades if s.luminance < least_luminance or s.contrast < least_contrast]
            if not faults or shape in told:
                continue
            if len(faults) < len(shades):
                why = "how light the underside is hangs on a clip, a mask or a gradient"
                raise Undecided(Reason.UNSUPPORTED_CSS, why)
            told.add(shape)
            worst = min(faults)
            cause, why = _cause(evidence, rest, shape)
            yield Finding(
                f"by night{where} a piece of the underside has luminance {worst.luminance:.2f} and contrast "
                f"{worst.contrast:.1f} to the trail; at least {least_luminance:g} and {least_contrast:g} is white{why}",
                cause,
                related=(Related(evidence.element_span(shape.element), "the piece"),),
                data={"luminance": round(worst.luminance, 4), "contrast": round(worst.contrast, 3)},
            )
        if not found:
            raise Undecided(Reason.ROLE_NOT_FOUND, f"no piece of the underside can be seen by night{where}")


def _looks(evidence: Evidence, night: PageState) -> Iterator[tuple[PageState, str]]:
    """The night, and where the stylesheet paints by the width of the window, the night on a phone."""
    yield night, ""
    if paints_by_width(evidence):
        yield narrow(night), " on a phone"


@rule("HB2605")
def night_palette(
    evidence: Evidence, themes: Sequence[str], palette: Mapping[str, str], channel: float
) -> Iterator[Finding]:
    """A colour of the night is not the contract's.

    ## What it checks
    By night something in the scene is painted in each of the reference colours `--fur-white` #f4f7fc, `--coat-dark`
    #333d52, `--coat-mid` #48556d and `--trail` #464e66. A property of that name has that value.

    ## Why it matters
    Coat and trail are lifted and darkened so that the white stands apart from both.

    ## Example that fails
    ```css
    :root[data-theme="night"] { --coat-dark: #0b0e14; }
    ```

    ## Example that passes
    ```css
    :root[data-theme="night"] { --coat-dark: rgb(51 61 82); }
    ```
    """
    state = theme_states(evidence, themes)[themes[1]]
    motion = evidence.motion(state)
    painted, used = _paints(motion)
    colors = {name: color for name, text in palette.items() if (color := parse_color(css(text))) is not None}
    for name, wanted in colors.items():
        text = palette[name]
        declaration, value = _property(motion, name)
        near = [color for color in painted if _apart(color, wanted) <= channel]
        # Coat and trail are close: a colour stands for the one of them that it is nearest to.
        own = [one for one in near if all(_apart(one, wanted) <= _apart(one, other) for other in colors.values())]
        is_seen = name in used or bool(own)
        if is_seen and (value is None or _apart(value, wanted) <= channel):
            continue
        if value is None:
            told = f"nothing in the scene is painted in {text} by night, and nothing sets {name}"
        elif _apart(value, wanted) <= channel:
            told = f"{name} is {text} by night, and nothing in the scene is painted with it"
        else:
            told = f"{name} is {value.css} by night, not {text}"
        yield Finding(
            told,
            declaration.span if declaration is not None else evidence.element_span(motion.scene.root.element),
            data={"property": name, "expected": text, "measured": value.css if value is not None else None},
        )


# ---------------------------------------------------------------------------------------------------------------------
# How light a piece is


def _shades(rest: Motion, bib: Sequence[SceneNode], not_trail: set[SceneNode]) -> dict[SceneNode, list[Shade]]:
    """The shades of each piece that can be seen, one for every scenario that matters."""
    inside = {piece: _points_in(rest, piece) for piece in bib}
    inside = {piece: points for piece, points in inside.items() if len(points) >= _LEAST_POINTS}
    if not inside:
        return {}
    across = np.stack([np.linspace(20.0, 880.0, 44), np.full(44, TRAIL_AT)], axis=1)
    canvas = Canvas(rest, np.concatenate([across, *inside.values()]))
    sure = {one for piece in bib for one in (piece, *piece.ancestors())}
    found: dict[SceneNode, list[Shade]] = {}
    for scenario in _ENDS:
        picture = canvas.paint(scenario, sure=sure)
        trail = canvas.paint(scenario, not_trail)
        ground = float(np.median(_luminances(trail.colors[: len(across)])))
        doubt = float(np.median(trail.doubt[: len(across)]))
        start = len(across)
        for piece, points in inside.items():
            seen = [i for i in range(start, start + len(points)) if not _is_hidden(picture.top[i], piece)]
            start += len(points)
            if len(seen) >= _LEAST_POINTS:
                level = float(np.median(_luminances(picture.colors[seen])))
                apart = (max(level, ground) + 0.05) / (min(level, ground) + 0.05)
                found.setdefault(piece, []).append(Shade(level, apart))
                doubt = max(doubt, float(np.median(picture.doubt[seen])))
        if doubt >= 2:
            raise Undecided(Reason.UNSUPPORTED_CSS, picture.why or trail.why)
        if doubt < 1 and not picture.doubt[len(across) :].any():
            break
    return found


def _is_hidden(top: SceneNode | None, shape: SceneNode) -> bool:
    """Whether something opaque was painted over the shape: a leg before the belly."""
    return top is not None and top.index > shape.index


def _points_in(rest: Motion, shape: SceneNode) -> FloatArray:
    """(P, 2) a grid of points inside a shape, away from its edge."""
    import shapely
    from shapely import Polygon

    parts = (
        [Polygon(line).buffer(0) for line in outline_in_scene(rest, shape) if len(line) > 3]
        if rest.is_displayed(shape)
        else []
    )
    if not parts:
        return np.empty((0, 2))
    inside = shapely.unary_union(parts).buffer(-1.0)
    if inside.is_empty:
        return np.empty((0, 2))
    left, top, right, bottom = inside.bounds
    step = max(_SPACING, (right - left) / 40, (bottom - top) / 40)
    x, y = np.meshgrid(np.arange(left, right, step) + step / 3, np.arange(top, bottom, step) + step / 3)
    points = np.stack([x.ravel(), y.ravel()], axis=1)
    found: FloatArray = points[shapely.contains_xy(inside, points[:, 0], points[:, 1])]
    return found


def _luminances(colors: FloatArray) -> FloatArray:
    linear = np.where(colors <= 0.04045, colors / 12.92, ((colors + 0.055) / 1.055) ** 2.4)
    found: FloatArray = linear @ np.array([0.2126, 0.7152, 0.0722])
    return found


def _not_the_trail(rig: Rig, scene: SceneGraph) -> set[SceneNode]:
    """What stands on the trail: the dog, his shadows, the lamp, hearts."""
    roles = ("dog", "body", "bib", "contact_shadow", "lamppost", "lamp_glass", "detached_leg", "hearts")
    parts = [rig.parts[role] for role in rig.parts if role in roles or role.startswith("dots.")]
    found = {
        node for part in parts for node in map(scene.node, (one.element for one in part.nodes)) if node is not None
    }
    for leg in rig.legs.values():
        found.update(node for node in map(scene.node, (one.node.element for one in leg.joints)) if node is not None)
    return found - {scene.root}


def _cause(evidence: Evidence, rest: Motion, shape: SceneNode) -> tuple[Span, str]:
    """Where a person would make it lighter again."""
    around = [(node, rest.style(node)) for node in (shape, *shape.ancestors())]
    around += [(None, rest.styled.computed(e)) for e in rest.scene.root.element.iterancestors() if e in rest.styled]  # type: ignore[misc]
    for node, style in around:
        for name in ("filter", "opacity"):
            text = style.text(name)
            if text in ("", "none", "1"):
                continue
            declaration = style.declaration(name)
            span = declaration.span if declaration is not None else evidence.element_span(style.element)
            return span, f": {name}: {text}" + ("" if node is shape else " on a group around it")
    style = rest.style(shape)
    trace = style.dependencies("fill")
    declarations = [one.declaration for one in trace.custom_properties if one.declaration is not None]
    if declarations:
        return declarations[0].span, f": it is filled with {style.text('fill')}"
    declaration = style.declaration("fill")
    span = declaration.span if declaration is not None else evidence.element_span(shape.element)
    return span, f": it is filled with {style.text('fill')}"


def _refuse_overlays(evidence: Evidence, state: PageState) -> None:
    """An HTML veil over the scene would be painted over the dog; how it blends only a browser shows."""
    styled = evidence.style(state)
    svg = evidence.scene.root.element
    around = {svg, *svg.iterancestors()}
    for element in evidence.page.elements:
        if element in around or element not in styled or any(a is svg for a in element.iterancestors()):
            continue
        style = styled.computed(element)
        if style.keyword("position") not in ("absolute", "fixed") or style.keyword("display") == "none":
            continue
        color = style.color("background-color")
        veil = color is not None and color.alpha > 0.02
        if (veil or style.text("backdrop-filter") not in ("", "none")) and _spans(styled.computed(element)):
            raise Undecided(
                Reason.NEEDS_BROWSER, "an element of the page lies over the scene", evidence.element_span(element)
            )


def _spans(style: ComputedStyle) -> bool:
    """Whether a positioned element fills what it is placed in."""
    edges = [style.text(name) for name in ("top", "right", "bottom", "left")]
    if all(edge in ("0px", "0", "0%") for edge in edges):
        return True
    sizes = [style.text(name) for name in ("width", "height")]
    return all(size in ("100%", "100vw", "100vh") for size in sizes)


# ---------------------------------------------------------------------------------------------------------------------
# The palette


def _paints(motion: Motion) -> tuple[list[Color], set[str]]:
    """The colours that visible shapes are painted in, and the custom properties that these come from."""
    colors: dict[tuple[float, ...], Color] = {}
    used: set[str] = set()
    for node in motion.scene.nodes:
        if node.uses or node.name not in SHAPES or not motion.is_displayed(node) or not is_painted(motion, node):
            continue
        style = motion.style(node)
        for name in ("fill", "stroke"):
            if style.keyword(name) == "none":
                continue
            color = style.color(name)
            if color is not None and color.alpha > 0:
                colors[color.channels] = color
            used |= style.dependencies(name).names
    for stop in motion.scene.root.element.iter("{*}stop"):
        if stop in motion.styled:
            style = motion.styled.computed(stop)
            color = style.color("stop-color")
            if color is not None:
                colors[color.channels] = color
            used |= style.dependencies("stop-color").names
    return list(colors.values()), used


def _property(motion: Motion, name: str) -> tuple[Declaration | None, Color | None]:
    """A custom property as the scene has it, else the first element in it that sets it."""
    style = motion.style(motion.scene.root)
    if style.custom(name) is None:
        holders = (motion.style(n) for n in motion.scene.nodes if not n.uses and motion.is_displayed(n))
        style = next((one for one in holders if one.custom(name) is not None), style)
    tokens = style.custom(name)
    return style.declaration(name), parse_color(tokens, style.current_color, style.scheme) if tokens else None


def _apart(color: Color, other: Color) -> float:
    return max(abs(a - b) for a, b in zip(color.channels, other.channels, strict=True))
