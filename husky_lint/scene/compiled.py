"""One element of a scene in one style: its shape, its placement, what it sets up for its children.

The states of a page differ in few elements. What an element is compiled to hangs on the values of a handful of
properties and attributes, and those are the key it is kept under: states in which they are equal share the object, so
that whoever works something out of it does so once.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from husky_lint.animation.properties import Context
from husky_lint.animation.unknown import LIMIT, UNSUPPORTED, Unknown
from husky_lint.scene import geometry
from husky_lint.scene.animated import LONGHANDS, KeyframesReader, mentions_wide
from husky_lint.scene.fill import ANIMATED_GEOMETRY, Shape, Viewport, animated_length, used_length
from husky_lint.scene.geometry import NOTHING, Bounds
from husky_lint.scene.graph import SHAPES, SceneGraph, SceneNode, fit, parse_aspect_ratio, parse_view_box
from husky_lint.scene.placement import CENTER, ORIGIN, PLACING, Placement, compile_placement
from husky_lint.scene.smil import MOTION, animation_elements_in, compile_motion, compile_transform
from husky_lint.script.journal import SetAttribute
from husky_lint.style.custom_properties import referenced_names
from husky_lint.style.element_style import is_absolute

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping

    from lxml.etree import _Element
    from numpy.typing import NDArray

    from husky_lint.parse.css import AtRule
    from husky_lint.scene.animated import Animations
    from husky_lint.style.cascade import Cascade, Declared
    from husky_lint.style.computed import ComputedStyle, StyledDocument
    from husky_lint.style.custom_properties import CustomValue

    FloatArray = NDArray[np.float64]

TEXT: Final = "text"
FOREIGN_OBJECT: Final = "foreign-object"
SCRIPT_DRIVEN: Final = "script-driven-motion"
NEEDS_BROWSER: Final = "needs-browser"

UNKNOWN_BOX: Final = Bounds(math.nan, math.nan, math.nan, math.nan)
_STILL: Final = np.zeros(1)
_RELEVANT: Final = PLACING | ANIMATED_GEOMETRY | {"animation-name", "display", "all"}
_READ: Final = frozenset({"transform", "viewBox", "preserveAspectRatio", "d", "points", "x1", "y1", "x2", "y2"})
"""Attributes that are no presentation attributes, the sizes of viewports apart."""
_SIZES: Final = frozenset({"x", "y", "width", "height"})
_BY_ATTRIBUTE: Final = {"line": ("x1", "y1", "x2", "y2"), "svg": tuple(_SIZES), "symbol": tuple(_SIZES)}
"""The lengths that only attributes give, for the elements that have some."""
_FIXED: Final = re.compile(r"\s*[-+]?[\d.]+(?:[eE][-+]?\d+)?(?:px|%)?\s*\Z")


@dataclass(slots=True, eq=False)
class Compiled:
    """What one element is in one style."""

    style: ComputedStyle
    """The style of the first state in which it was like this; of other states, only what is relevant here is equal."""
    viewport: Viewport
    """What the element's own percentages refer to."""
    display: str = "inline"
    shape: Shape | None = None
    bounds: Bounds | None = None
    placement: Placement | None = None
    matrix: FloatArray | None = None
    """The placement, where it is still and needs no box."""
    content: FloatArray | None = None
    """From the element's inner space to its outer one: the position of a ``<use>``, the viewBox of an ``<svg>``."""
    moving_content: Mapping[str, Animations] | None = None
    inner: Viewport | None = None
    """What the percentages of children refer to, where the element sets up a viewport."""
    box_reason: str | None = None
    matrix_reason: str | None = None
    own_reason: str | None = None
    """Why the contents of this element itself cannot be told, such as text."""
    animates_customs: bool = False

    def content_at(self, times: FloatArray) -> FloatArray | None:
        """:attr:`content` over times: (T, 6) for a ``<use>`` whose x or y is animated."""
        animations = self.moving_content
        if animations is None:
            return self.content
        rows = np.tile([1.0, 0.0, 0.0, 1.0, 0.0, 0.0], (len(times), 1))
        for column, name in ((4, "x"), (5, "y")):
            reference = self.viewport.reference(name)
            if name in animations:
                value = animated_length(name, animations, self.style, reference, Context(self.style.units), times)
                rows[:, column] = math.nan if isinstance(value, Unknown) else value
            elif self.style.declares(name):
                rows[:, column] = used_length(self.style.length_percentage(name), reference)
        return rows


@dataclass(frozen=True, slots=True, eq=False)
class _Reading:
    """What of a cascade matters here, and what of the surroundings the values hang on."""

    names: tuple[str, ...]
    relevant: frozenset[str]
    """The declared properties that are read here, in a fixed order and as a set."""
    is_animated: bool
    declared: tuple[Declared | None, ...]
    """What declares them; with an animation also that, and custom properties, which it may animate."""
    words: tuple[str, ...]
    """What may be the names of its keyframes."""
    customs: tuple[str, ...]
    """The custom properties that those name."""
    by_parent: bool
    """Whether values hang on the parent's too, or on the font: then only the values themselves tell."""


def _read(cascade: Cascade, *, animated: bool) -> _Reading:
    relevant = frozenset(cascade.properties()) & _RELEVANT
    if "all" in relevant:
        relevant = _RELEVANT
    names = tuple(sorted(relevant - {"all"}))
    is_animated = animated and "animation-name" in relevant
    declared = tuple(map(cascade.winner, names))
    words: tuple[str, ...] = ()
    if is_animated:
        declared += (*map(cascade.winner, LONGHANDS), *cascade.customs.values())
        named = cascade.winner("animation-name")
        words = _words(named.tokens if named is not None else ())
    found = [one for one in declared if one is not None]
    customs = frozenset[str]().union(*(referenced_names(one.tokens) for one in found if one.has_var))
    by_parent = bool(cascade.uncertain) or any(map(_is_by_parent, found))
    return _Reading(names, relevant, is_animated, declared, words, tuple(sorted(customs)), by_parent)


def _is_by_parent(declared: Declared) -> bool:
    known: bool | None = declared.memo.get(_is_by_parent)
    if known is None:
        known = declared.memo[_is_by_parent] = _tell_by_parent(declared)
    return known


def _tell_by_parent(declared: Declared) -> bool:
    if declared.keyword is not None and declared.keyword != "initial":
        return True
    return mentions_wide(declared.tokens) if declared.has_var else not is_absolute(declared.memo, declared.tokens)


def _words(tokens: Iterable[Any]) -> tuple[str, ...]:
    """The identifiers and strings anywhere in a value."""
    found: list[str] = []
    stack = list(tokens)
    while stack:
        token = stack.pop()
        if token.type in {"ident", "string"}:
            found.append(token.value)
        stack.extend(getattr(token, "arguments", None) or getattr(token, "content", None) or ())
    return tuple(found)


class Shared:
    """What the motions of one page in different states have in common."""

    def __init__(self) -> None:
        self.reader = KeyframesReader()
        self.readings: dict[tuple[Cascade, bool], _Reading] = {}
        self.compiled: dict[Hashable, Compiled] = {}
        self._told: dict[CustomValue, tuple[bool, tuple[str, ...]]] = {}

    def let_go(self) -> None:
        """Forget what is compiled, which hangs together with what compiled it."""
        self.compiled.clear()

    def reading(self, cascade: Cascade, *, animated: bool) -> _Reading:
        known = self.readings.get((cascade, animated))
        if known is None:
            known = self.readings[cascade, animated] = _read(cascade, animated=animated)
        return known

    def told(self, value: CustomValue) -> tuple[bool, tuple[str, ...]]:
        """Whether a custom property's value may mean different things on different elements, and the words in it."""
        known = self._told.get(value)
        if known is None:
            tokens = value.tokens or ()
            known = self._told[value] = (not is_absolute({}, tokens), _words(tokens))
        return known


class Compiler:
    """Compiles the elements of a scene in one state; ``script_driven`` are those that script moves."""

    def __init__(
        self, styled: StyledDocument, scene: SceneGraph, script_driven: frozenset[_Element], *, animated: bool
    ) -> None:
        self.styled = styled
        self.shared: Shared = scene.kept.setdefault("motion", Shared())
        self._scene = scene
        self.script_driven = script_driven
        self._animated = animated
        self._smil = animation_elements_in(scene, styled.state.mutations) if animated else {}
        self._written: dict[_Element, dict[str, str | None]] = {}
        for mutation in styled.state.mutations:
            if isinstance(mutation, SetAttribute) and (mutation.name in _READ or mutation.name in _SIZES):
                self._written.setdefault(mutation.element, {})[mutation.name] = mutation.value

    def style(self, node: SceneNode) -> ComputedStyle:
        """The style of a node, also of an instance in a ``<use>``. Raises KeyError for what is not in the document."""
        if node.uses:
            return self.styled.clone_computed(node.uses, node.element)
        return self.styled.computed(node.element)

    def attribute(self, element: _Element, name: str) -> str | None:
        """An attribute as it is in the state."""
        written = self._written.get(element)
        return written[name] if written is not None and name in written else element.get(name)

    def relevant(self, node: SceneNode) -> frozenset[str]:
        """The properties declared on an element that are read here."""
        return self._reading(node).relevant

    def compile(self, node: SceneNode, viewport: Viewport) -> Compiled:
        """What a node is, where its percentages refer to ``viewport``. Raises KeyError as :meth:`style` does."""
        shared, reading = self.shared, self._reading(node)
        around = self._around(node, reading) if reading.customs or reading.is_animated or reading.by_parent else ()
        key = (
            node.element,
            node.uses,
            (node.is_instance_root, node.cut_off, node.external),
            viewport,
            (reading.is_animated, self._moving_attributes(node.element)),
            reading.declared,
            around,
            self._written_on(node, reading) if self._written else (),
            node.element in self.script_driven,
            self._units(node) if node.name in _BY_ATTRIBUTE or node.element in self._smil else None,
        )
        known = shared.compiled.get(key)
        if known is None:
            known = shared.compiled[key] = self._compile(node, reading, viewport)
        return known

    def root(self, node: SceneNode, style: ComputedStyle) -> Compiled:
        """The scene's svg, whose own place is not looked at."""
        viewport = self._root_viewport(node, style)
        key = ("root", node.element, viewport)
        known = self.shared.compiled.get(key)
        if known is None:
            known = self.shared.compiled[key] = Compiled(style, Viewport(math.nan, math.nan), inner=viewport)
        return known

    def _root_viewport(self, node: SceneNode, style: ComputedStyle) -> Viewport:
        view_box = parse_view_box(self.attribute(node.element, "viewBox"))
        if view_box is not None and view_box.width > 0 and view_box.height > 0:
            return Viewport(view_box.width, view_box.height)
        media = self.styled.state.media
        standalone = node.element.getparent() is None
        sizes: list[float] = []
        for name, default, whole in (("width", 300.0, media.width), ("height", 150.0, media.height)):
            length = style.length_percentage(name) if style.declares(name) else None
            if length is not None and not standalone:
                sizes.append(used_length(length, math.nan))
            elif standalone:
                sizes.append(float(whole) if length is None else used_length(length, float(whole)))
            else:
                sizes.append(default)
        return Viewport(*sizes)

    # ------------------------------------------------------------------ what it hangs on

    def _moving_attributes(self, element: _Element) -> tuple[tuple[tuple[str, str], ...], ...]:
        """The attributes of the SVG animation elements that move an element, as they are in the state."""
        animated = self._smil.get(element, {})
        return tuple(
            tuple((str(name), str(value)) for name, value in one.attrib.items())
            for found in animated.values()
            for one in found
        )

    def _reading(self, node: SceneNode) -> _Reading:
        return self.shared.reading(self.styled.cascade(node.element, node.uses), animated=self._animated)

    def _around(self, node: SceneNode, reading: _Reading) -> tuple[Hashable, ...]:
        """What the values hang on beside the declarations: the custom properties that they name, the keyframes.

        Where values hang on the parent's, the style itself; where on fonts, what units mean.
        """
        style = self.style(node)
        if reading.by_parent:
            return (style,)
        get, told = style.scope.get, self.shared.told
        found = [get(name) for name in reading.customs]
        relative = False
        rules: list[AtRule] = []
        if reading.is_animated:
            words = {*reading.words, *(word for value in found for word in told(value)[1])}
            for word in sorted(words):
                rule = self.styled.keyframes(word)
                if rule is not None:
                    read = self.shared.reader.read(rule)
                    if read.inherits:
                        return (style,)
                    rules.append(rule)
                    relative = relative or read.relative
                    found += [get(name) for name in read.names]
        relative = relative or any(told(value)[0] for value in found)
        return (*found, *rules, style.units if relative else None)

    def _written_on(self, node: SceneNode, reading: _Reading) -> Hashable:
        """What script wrote in this state into the attributes that are read for a node."""
        elements = [node.element]
        if node.is_instance_root and node.parent is not None:
            elements.append(node.parent.element)
        found = [(element, *self._written[element].items()) for element in elements if element in self._written]
        if "offset-path" in reading.relevant or MOTION in self._smil.get(node.element, ()):
            found += [(element, ("d", w["d"])) for element, w in self._written.items() if "d" in w]
        return tuple(found)

    def _units(self, node: SceneNode) -> Hashable:
        """The meaning of relative units, where attributes may give lengths in such."""
        if node.element in self._smil:
            return self.style(node).units
        names = _BY_ATTRIBUTE[node.name]
        texts = [self.attribute(node.element, name) for name in names]
        if node.is_instance_root and node.parent is not None:
            texts += [self.attribute(node.parent.element, name) for name in names]
        if all(text is None or _FIXED.match(text) for text in texts):
            return None
        return self.style(node).units

    # ------------------------------------------------------------------ compiling

    def _compile(self, node: SceneNode, reading: _Reading, viewport: Viewport) -> Compiled:
        style = self.style(node)
        compiled = Compiled(style, viewport)
        if "display" in reading.relevant:
            display = style.keyword("display")
            if display == "none" or (display == "contents" and node.name not in {"g", "svg", "use"}):
                compiled.display = "none"
                return compiled
            if display == "contents":
                compiled.display = "contents"
        animations: Mapping[str, Animations] = {}
        if self._animated and "animation-name" in reading.relevant:
            found = self.shared.reader.animations(style, self.styled)
            if not isinstance(found, Unknown):
                animations = found
            elif compiled.display != "contents":
                compiled.box_reason = compiled.matrix_reason = found.reason
        compiled.animates_customs = any(name.startswith("--") for name in animations)
        if compiled.display == "contents":
            return compiled
        if compiled.box_reason is None:
            self._fill_in(compiled, node, reading.relevant, animations)
        self.doubt(compiled, node)
        return compiled

    def _fill_in(
        self, compiled: Compiled, node: SceneNode, relevant: frozenset[str], animations: Mapping[str, Animations]
    ) -> None:
        style, viewport, element = compiled.style, compiled.viewport, node.element
        self._compile_placement(compiled, node, relevant, animations)
        for name in (relevant | animations.keys()) & _RELEVANT - {"all"}:
            reason = style.unknown(name)
            if reason is not None:
                compiled.matrix_reason = compiled.box_reason = reason
        elements = self._smil.get(element, {})
        if "display" in animations or "display" in elements:
            compiled.matrix_reason = compiled.box_reason = UNSUPPORTED
        if node.name in SHAPES or node.name == "image":
            compiled.shape = Shape(
                node.name,
                lambda name: self.attribute(element, name),
                style,
                viewport,
                animations,
                Context(style.units) if animations else Context(),
                elements,
            )
            if node.name == "image" and _needs_image(node, style):
                compiled.box_reason = NEEDS_BROWSER
        elif node.name in {"text", "foreignObject"}:
            compiled.bounds = NOTHING
        elif node.name == "use":
            _compile_use(compiled, animations)
            if not {"x", "y", "width", "height", "href"}.isdisjoint(elements):
                compiled.matrix_reason = compiled.box_reason = UNSUPPORTED
        elif node.name in {"svg", "symbol"}:
            self._compile_viewport(compiled, node)
            if not {"x", "y", "width", "height", "viewBox", "preserveAspectRatio"}.isdisjoint(elements):
                compiled.matrix_reason = compiled.box_reason = UNSUPPORTED

    def doubt(self, compiled: Compiled, node: SceneNode) -> None:
        """What cannot be told of a node whatever its style."""
        reason: str | None = None
        if node.name in {"text", "foreignObject"}:
            reason = compiled.own_reason = _content_reason(node)
        elif node.cut_off:
            reason = LIMIT
        elif node.external:
            reason = NEEDS_BROWSER
        if node.element in self.script_driven:
            compiled.matrix_reason = compiled.box_reason = SCRIPT_DRIVEN
        elif reason is not None:
            compiled.box_reason, compiled.bounds = reason, UNKNOWN_BOX

    def _compile_placement(
        self, compiled: Compiled, node: SceneNode, relevant: frozenset[str], animations: Mapping[str, Animations]
    ) -> None:
        attribute = self.attribute(node.element, "transform")
        elements = self._smil.get(node.element, {})
        if not (attribute or elements or PLACING & relevant or PLACING & animations.keys()):
            return
        moved = compile_transform(elements["transform"], attribute) if "transform" in elements else None
        path = compile_motion(elements[MOTION], self.path_of) if MOTION in elements else None
        for found in (moved, path):
            if isinstance(found, Unknown):
                compiled.matrix_reason = found.reason
                return
        assert not isinstance(moved, Unknown)
        assert not isinstance(path, Unknown)
        style, viewport = compiled.style, compiled.viewport
        context = Context(style.units, path_of=self.path_of)
        placement = compile_placement(style, attribute, animations, context, default_origin(node), moved, path)
        if isinstance(placement, Unknown):
            compiled.matrix_reason = placement.reason
            return
        if placement is None:
            return
        if placement.is_animated or placement.box != "view":
            compiled.placement = placement
            return
        compiled.matrix = placement.rows(_STILL, 0.0, 0.0, viewport.width, viewport.height)
        if not np.isfinite(compiled.matrix).all():
            compiled.matrix_reason = NEEDS_BROWSER if math.isnan(viewport.width) else UNSUPPORTED

    def path_of(self, identifier: str) -> str | None:
        """The path data of the first ``<path>`` with an id."""
        for element in self._scene.root.element.getroottree().getroot().iter("{*}path"):
            if element.get("id") == identifier:
                return self.attribute(element, "d")
        return None

    def _compile_viewport(self, compiled: Compiled, node: SceneNode) -> None:
        """A nested svg, or a symbol in a ``<use>``. CSS does not set their geometry, only attributes do."""
        element, units, viewport = node.element, compiled.style.units, compiled.viewport
        sizes = {"x": 0.0, "y": 0.0, "width": viewport.width, "height": viewport.height}
        for name in sizes:
            text = self.attribute(element, name)
            length = None if text is None else geometry.attribute_length(text, units)
            if length is not None:
                sizes[name] = used_length(length, viewport.reference(name))
        if node.is_instance_root and node.parent is not None:
            for name in ("width", "height"):
                text = self.attribute(node.parent.element, name)
                if text is not None:
                    length = geometry.attribute_length(text, units)
                    sizes[name] = used_length(length, viewport.reference(name))
        view_box = parse_view_box(self.attribute(element, "viewBox"))
        aspect = parse_aspect_ratio(self.attribute(element, "preserveAspectRatio"))
        matrix = np.array(fit(view_box, aspect, sizes["width"], sizes["height"]))
        matrix[4] += sizes["x"]
        matrix[5] += sizes["y"]
        compiled.content = matrix
        if view_box is not None and view_box.width > 0 and view_box.height > 0:
            compiled.inner = Viewport(view_box.width, view_box.height)
            if math.isnan(sizes["width"]) or math.isnan(sizes["height"]):
                compiled.matrix_reason = NEEDS_BROWSER
        else:
            compiled.inner = Viewport(max(sizes["width"], 0.0), max(sizes["height"], 0.0))


def default_origin(node: SceneNode) -> Any:
    """The transform origin of a node that declares none."""
    return CENTER if node.name == "svg" and node.is_instance_root else ORIGIN


def _needs_image(node: SceneNode, style: ComputedStyle) -> bool:
    """Whether the size of an image is its file's to say."""
    if not node.element.get("href", node.element.get("{http://www.w3.org/1999/xlink}href")):
        return False
    return any(not style.declares(name) or style.keyword(name) == "auto" for name in ("width", "height"))


def _compile_use(compiled: Compiled, animations: Mapping[str, Animations]) -> None:
    style = compiled.style
    x, y = (
        used_length(style.length_percentage(name), compiled.viewport.reference(name)) if style.declares(name) else 0.0
        for name in ("x", "y")
    )
    if "x" in animations or "y" in animations:
        compiled.moving_content = animations
    if x or y:
        compiled.content = np.array([1.0, 0.0, 0.0, 1.0, x, y])


def _content_reason(node: SceneNode) -> str | None:
    """Why the box of a text or a foreignObject is unknown; text of nothing but spaces has no box."""
    if node.name == "foreignObject":
        return FOREIGN_OBJECT
    return TEXT if any(text.strip() for text in node.element.itertext()) else None
