"""Which properties of an element are animated, by what, with keyframes as this element sees them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from husky_lint.animation.keyframes import keyframe_blocks, property_keyframes
from husky_lint.animation.timeline import animation_specs
from husky_lint.animation.unknown import Unknown
from husky_lint.style.custom_properties import css_wide, needs_substitution
from husky_lint.style.grammar import check_declaration, property_info
from husky_lint.style.shorthands import expand

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from husky_lint.animation.keyframes import KeyframeBlock, Tokens
    from husky_lint.animation.timeline import AnimationSpec
    from husky_lint.animation.tracks import Keyframe
    from husky_lint.parse.css import AtRule
    from husky_lint.style.computed import ComputedStyle, StyledDocument

    Frames = tuple[Keyframe[Tokens], ...]
    Animations = list[tuple[AnimationSpec, Frames]]

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


class KeyframesReader:
    """Reads the ``@keyframes`` rules of a page; what elements have in common is worked out once.

    Make one for each :class:`~husky_lint.style.computed.StyledDocument`, or share it between those of one engine.
    """

    def __init__(self) -> None:
        self._blocks: dict[AtRule, tuple[tuple[KeyframeBlock, ...] | Unknown, bool]] = {}
        self._common: dict[tuple[AtRule, Any, Any], Mapping[str, Frames]] = {}

    def _read(self, rule: AtRule) -> tuple[tuple[KeyframeBlock, ...] | Unknown, bool]:
        """The blocks, and whether any declaration in them depends on the element."""
        known = self._blocks.get(rule)
        if known is None:
            blocks = keyframe_blocks((item for item in rule.rules if hasattr(item, "prelude")), _accepts)
            depends = not isinstance(blocks, Unknown) and any(
                needs_substitution(tokens) or css_wide(tokens) is not None
                for block in blocks
                for _, tokens in block.declarations
            )
            known = self._blocks[rule] = (blocks, depends)
        return known

    def animations(self, style: ComputedStyle, styled: StyledDocument) -> Mapping[str, Animations] | Unknown:
        """For each animated property its animations, lowest first; without the properties that ``!important`` holds."""
        if not style.declares("animation-name"):
            return {}
        specs = animation_specs({name: style.value(name) for name in LONGHANDS})
        found: dict[str, Animations] = {}
        for spec in specs:
            rule = styled.keyframes(spec.name)
            if rule is None:
                continue
            blocks, depends = self._read(rule)
            if isinstance(blocks, Unknown):
                return blocks
            if depends:
                frames = property_keyframes(blocks, spec, _Resolver(style), _expand)
            else:
                key = (rule, spec.easing, spec.composition)
                if key not in self._common:
                    self._common[key] = property_keyframes(blocks, spec, expand=_expand)
                frames = self._common[key]
            for name, sequence in frames.items():
                winner = style.cascade.winner(name)
                if winner is None or not winner.important:
                    found.setdefault(name, []).append((spec, sequence))
        return found


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
