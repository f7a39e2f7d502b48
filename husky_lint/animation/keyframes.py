"""``@keyframes`` rules to keyframes per property (CSS Animations 1, section 3, and 2, section 5.2).

Two steps: :func:`keyframe_blocks` reads a rule once, whatever elements use it; :func:`property_keyframes` works out
one element's view of it, with ``var()`` substituted and missing ends filled in.
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar

import tinycss2

from husky_lint.animation.easing import EASE, parse_easing
from husky_lint.animation.timeline import Composition, parse_composition
from husky_lint.animation.tracks import Keyframe
from husky_lint.animation.unknown import LIMIT, Unknown
from husky_lint.style.values import split_commas, strip_whitespace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from husky_lint.animation.easing import Easing
    from husky_lint.animation.timeline import AnimationSpec
    from husky_lint.style.values import Node

Tokens: TypeAlias = "tuple[Any, ...]"

MAX_BLOCKS = 4096
"""A rule with more keyframe blocks than this is not evaluated."""

UNSET: Tokens = tuple(tinycss2.parse_component_value_list("unset"))


class DeclarationLike(Protocol):
    """What is read of a declaration (parse/css.py's fits)."""

    @property
    def name(self) -> str: ...
    @property
    def tokens(self) -> Sequence[Node]: ...
    @property
    def important(self) -> bool: ...


class BlockLike(Protocol):
    """What is read of a qualified rule inside ``@keyframes`` (parse/css.py's ``StyleRule`` fits)."""

    @property
    def prelude(self) -> Sequence[Node]: ...
    @property
    def declarations(self) -> Sequence[DeclarationLike]: ...


class Resolver(Protocol):
    """Computes a declared value on the animated element: ``var()`` and CSS-wide keywords replaced.

    ``None`` says that the value is invalid at computed-value time; it then counts as ``unset``.
    """

    def __call__(self, name: str, tokens: Tokens) -> Tokens | None: ...


@dataclass(frozen=True, slots=True)
class KeyframeBlock:
    """One block: its offsets (0..1), its longhand declarations, and its own timing function and composition, if any."""

    offsets: tuple[float, ...]
    declarations: tuple[tuple[str, Tokens], ...]
    easing: Easing | None
    composition: Composition | None


def parse_selector(prelude: Iterable[Node]) -> tuple[float, ...] | None:
    """The offsets of a keyframe selector; ``None`` if a part is invalid or outside 0..100 %, which drops the block."""
    offsets = []
    for part in split_commas(prelude):
        if len(part) != 1:
            return None
        node = part[0]
        if node.type == "ident" and node.lower_value in {"from", "to"}:
            offsets.append(0.0 if node.lower_value == "from" else 1.0)
        elif node.type == "percentage" and 0 <= node.value <= 100:
            offsets.append(node.value / 100)
        else:
            return None
    return tuple(offsets) or None


def _accept_all(name: str, tokens: Tokens) -> bool:
    del name, tokens
    return True


def keyframe_blocks(
    rules: Iterable[BlockLike], accepts: Callable[[str, Tokens], bool] = _accept_all
) -> tuple[KeyframeBlock, ...] | Unknown:
    """The blocks of a ``@keyframes`` rule in order, from its nested rules.

    ``accepts(name, tokens)`` says whether a declaration is valid: an invalid one leaves an earlier one in force.
    Ignored are declarations with ``!important``, ``animation-*`` properties but for the two that a block may set, and,
    as browsers do, a timing function with ``var()`` in it.
    """
    blocks: list[KeyframeBlock] = []
    for rule in rules:
        if hasattr(rule, "keyword") or (offsets := parse_selector(rule.prelude)) is None:
            continue
        if len(blocks) == MAX_BLOCKS:
            return Unknown(LIMIT, f"more than {MAX_BLOCKS} keyframes")
        easing: Easing | None = None
        composition: Composition | None = None
        declarations = []
        for declaration in rule.declarations:
            if declaration.important:
                continue
            tokens = tuple(strip_whitespace(declaration.tokens))
            if declaration.name == "animation-timing-function":
                easing = _first(tokens, parse_easing, easing, EASE)
            elif declaration.name == "animation-composition":
                composition = _first(tokens, parse_composition, composition, Composition.REPLACE)
            elif not declaration.name.startswith("animation") and accepts(declaration.name, tokens):
                declarations.append((declaration.name, tokens))
        blocks.append(KeyframeBlock(offsets, tuple(declarations), easing, composition))
    return tuple(blocks)


_T = TypeVar("_T")


def _first(tokens: Tokens, parse: Callable[[list[Node]], _T | None], earlier: _T | None, initial: _T) -> _T | None:
    """The first entry of a list; ``earlier`` if it is invalid, ``None`` (the element's) if it holds ``var()``."""
    if any(token.type == "function" and token.lower_name in {"var", "env", "attr", "if"} for token in tokens):
        return None
    parts = [parse(part) for part in split_commas(tokens)]
    if parts and all(part is not None for part in parts):
        return parts[0]
    is_wide = len(tokens) == 1 and tokens[0].type == "ident" and tokens[0].lower_value in _CSS_WIDE
    return initial if is_wide else earlier


_CSS_WIDE = frozenset({"initial", "inherit", "unset", "revert", "revert-layer"})


def _expand_nothing(name: str, tokens: Tokens) -> Iterable[tuple[str, Tokens]]:
    return ((name, tokens),)


def _resolve_nothing(name: str, tokens: Tokens) -> Tokens | None:
    del name
    return tokens


def property_keyframes(
    blocks: Sequence[KeyframeBlock],
    spec: AnimationSpec,
    resolve: Resolver = _resolve_nothing,
    expand: Callable[[str, Tokens], Iterable[tuple[str, Tokens]]] = _expand_nothing,
) -> Mapping[str, tuple[Keyframe[Tokens], ...]]:
    """The keyframes of every property that an animation sets on one element, each list sorted and complete from 0 to 1.

    ``resolve`` substitutes, ``expand`` splits a shorthand into longhands (after substitution). Blocks with one offset,
    timing function and composition as written are one keyframe, in which the last value of a property wins. Blocks that
    differ in these stay apart, as in browsers, and so do all of a scripted animation: an interval that ends at their
    offset ends at the first of them, and the next one starts from the last.
    """
    last_block: dict[_Place, int] = {}
    found: dict[str, dict[_Place, Tokens]] = {}
    for number, block in enumerate(blocks):
        easing = block.easing or spec.easing
        own = number if spec.scripted else 0
        places = [(offset, easing, block.composition, own) for offset in block.offsets]
        last_block.update(dict.fromkeys(places, number))
        for name, tokens in block.declarations:
            resolved = resolve(name, tokens)
            for longhand, value in expand(name, UNSET if resolved is None else resolved):
                found.setdefault(longhand, {}).update(dict.fromkeys(places, value))
    # A start that is filled in should have the default timing function (CSS Animations 2, section 4.3); in Chromium 156
    # it has the one of the last block at 0 %, whatever that block sets.
    first = next((block.easing for block in reversed(blocks) if 0.0 in block.offsets), None) or spec.easing
    keyframes = {}
    for name, values in found.items():
        frames = [
            (place[0], last_block[place], Keyframe(place[0], value, place[1], place[2] or spec.composition))
            for place, value in values.items()
        ]
        frames.sort(key=itemgetter(0, 1))
        keyframes[name] = _complete([frame for _, _, frame in frames], first, spec.easing)
    return keyframes


_Place: TypeAlias = "tuple[float, Easing, Composition | None, int]"


def _complete(frames: list[Keyframe[Tokens]], first: Easing, last: Easing) -> tuple[Keyframe[Tokens], ...]:
    """At most two keyframes at an offset, one at 0; an end that is missing is the underlying value."""
    if frames[0].offset > 0:
        frames.insert(0, Keyframe(0.0, None, first))
    if frames[-1].offset < 1:
        frames.append(Keyframe(1.0, None, last))
    kept = []
    for index, frame in enumerate(frames):
        follows = index > 0 and frames[index - 1].offset == frame.offset
        precedes = index + 1 < len(frames) and frames[index + 1].offset == frame.offset
        if not (precedes and (follows or frame.offset == 0)):
            kept.append(frame)
    if kept[-2].offset == 1:
        # What holds at 1 exactly is the last one, whatever the timing functions: an interval between equals.
        kept.append(kept[-1])
    return tuple(kept)
