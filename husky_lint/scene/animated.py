"""Which properties of an element are animated, by what, with keyframes as this element sees them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from husky_lint.animation.keyframes import keyframe_blocks, property_keyframes
from husky_lint.animation.timeline import animation_specs
from husky_lint.animation.unknown import Unknown
from husky_lint.style.custom_properties import CSS_WIDE, css_wide, needs_substitution, referenced_names
from husky_lint.style.element_style import is_absolute
from husky_lint.style.grammar import check_declaration, property_info
from husky_lint.style.shorthands import expand

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence

    from husky_lint.animation.keyframes import KeyframeBlock, Tokens
    from husky_lint.animation.timeline import AnimationSpec
    from husky_lint.animation.tracks import Keyframe
    from husky_lint.parse.css import AtRule
    from husky_lint.style.computed import ComputedStyle, StyledDocument

    Frames = tuple[Keyframe[Tokens], ...]
    Animations = list[tuple[AnimationSpec, Frames]]
    _Part = tuple[AnimationSpec, AtRule, tuple[Hashable, object]]

LONGHANDS = (
    "animation-name",
    "animation-duration",
    "animation-timing-function",
    "animation-delay",
    "animation-iteration-count",
    "animation-direction",
    "animation-fill-mode",
    "animation-play-state",
    "animation-composition",
)


def _accepts(name: str, tokens: Sequence[Any]) -> bool:
    return check_declaration(name, tokens) is None


def _expand(name: str, tokens: Tokens) -> Iterable[tuple[str, Tokens]]:
    info = property_info(name)
    if info is None or name.startswith("--"):
        return ((name, tokens),)
    if not info.shorthand_of:
        return ((info.alias_of or name, tokens),)
    if css_wide(tokens) is not None:
        return tuple((part, tokens) for part in info.shorthand_of)
    return expand(name, tokens) or ()


@dataclass(frozen=True, slots=True)
class KeyframesRule:
    """A ``@keyframes`` rule as it stands."""

    blocks: tuple[KeyframeBlock, ...] | Unknown
    names: tuple[str, ...]
    """The custom properties that its declarations name."""
    inherits: bool
    """Whether a declaration may come to a CSS-wide keyword, and so refer to the parent's values."""
    relative: bool
    """Whether a declaration has a length in it that hangs on fonts or the viewport."""


class KeyframesReader:
    """Reads the ``@keyframes`` rules of a page; what elements have in common is worked out once.

    Make one for each :class:`~husky_lint.style.computed.StyledDocument`, or share it between those of one engine.
    Everything is kept under what it hangs on: the values of the longhands, the rules, the custom properties that they
    name. The same of those give the same object, on whatever element and in whatever state.
    """

    def __init__(self) -> None:
        self._blocks: dict[AtRule, KeyframesRule] = {}
        self._lists: dict[tuple[int, ...], tuple[tuple[Tokens, ...], Sequence[AnimationSpec]]] = {}
        self._frames: dict[Hashable, tuple[Mapping[str, Frames], object]] = {}
        self._animations: dict[Hashable, tuple[Mapping[str, Animations] | Unknown, object]] = {}

    def read(self, rule: AtRule) -> KeyframesRule:
        """A rule, read once."""
        known = self._blocks.get(rule)
        if known is None:
            blocks = keyframe_blocks((item for item in rule.rules if hasattr(item, "prelude")), _accepts)
            found = () if isinstance(blocks, Unknown) else [t for block in blocks for _, t in block.declarations]
            names = frozenset[str]().union(*map(referenced_names, found))
            inherits = any(map(mentions_wide, found))
            relative = not all(is_absolute({}, tokens) for tokens in found)
            known = self._blocks[rule] = KeyframesRule(blocks, tuple(sorted(names)), inherits, relative)
        return known

    def animations(self, style: ComputedStyle, styled: StyledDocument) -> Mapping[str, Animations] | Unknown:
        """For each animated property its animations, lowest first; without the properties that ``!important`` holds."""
        if not style.declares("animation-name"):
            return {}
        tokens = tuple(style.value(name) for name in LONGHANDS)
        timings = styled.state.scripted.timings
        specs = self._specs(tokens)
        if timings:
            specs = [timings[spec.name].of(spec) if spec.name in timings else spec for spec in specs]
        rules = [(spec, styled.keyframes(spec.name)) for spec in specs]
        parts = [(spec, rule, self._seen(rule, style)) for spec, rule in rules if rule is not None]
        own = tuple(timings.get(spec.name) for spec in specs) if timings else ()
        key = (*map(id, tokens), own, *((rule, seen) for _, rule, (seen, _) in parts), style.cascade.important)
        known = self._animations.get(key)
        if known is None:
            held = (tokens, [alive for _, _, (_, alive) in parts])
            known = self._animations[key] = (self._found(style, parts), held)
        return known[0]

    def _specs(self, tokens: tuple[Tokens, ...]) -> Sequence[AnimationSpec]:
        key = tuple(map(id, tokens))
        known = self._lists.get(key)
        if known is None:
            known = self._lists[key] = (tokens, animation_specs(dict(zip(LONGHANDS, tokens, strict=True))))
        return known[1]

    def _seen(self, rule: AtRule, style: ComputedStyle) -> tuple[Hashable, object]:
        """What the keyframes take from around an element: a key, and what must live as long as the key."""
        read = self.read(rule)
        customs = [style.custom_value(name) for name in read.names]
        above = style.parent if read.inherits else None
        return (*map(id, customs), id(above)), (customs, above)

    def _found(self, style: ComputedStyle, parts: Sequence[_Part]) -> Mapping[str, Animations] | Unknown:
        found: dict[str, Animations] = {}
        for spec, rule, (seen, alive) in parts:
            blocks = self.read(rule).blocks
            if isinstance(blocks, Unknown):
                return blocks
            key = (rule, spec.easing, spec.composition, seen)
            frames = self._frames.get(key)
            if frames is None:
                resolve = _Resolver(style)
                frames = self._frames[key] = (property_keyframes(blocks, spec, resolve, _expand), alive)
            for name, sequence in frames[0].items():
                winner = style.cascade.winner(name)
                if winner is None or not winner.important:
                    found.setdefault(name, []).append((spec, sequence))
        return found


def mentions_wide(tokens: Tokens) -> bool:
    """Whether a CSS-wide keyword is the value, or the fallback of a ``var()`` that may be it."""
    stack = list(tokens)
    while stack:
        token = stack.pop()
        if token.type == "ident" and token.lower_value in CSS_WIDE:
            return True
        stack.extend(getattr(token, "arguments", None) or getattr(token, "content", None) or ())
    return False


class _Resolver:
    """Computes a keyframe's value on one element."""

    def __init__(self, style: ComputedStyle) -> None:
        self._style = style

    def __call__(self, name: str, tokens: Tokens) -> Tokens | None:
        style = self._style
        found: Tokens | None = tokens
        if needs_substitution(tokens):
            found = style.substitute(tokens)
            if found is None or not _accepts(name, found):
                return None
        keyword = css_wide(found or ())
        if keyword is None or name.startswith("--"):
            return found
        info = property_info(name)
        inherits = keyword == "inherit" or (keyword != "initial" and info is not None and info.inherited)
        if not inherits or style.parent is None:
            return found
        return tuple(style.parent.value(name))
