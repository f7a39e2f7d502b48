"""Style sheets as nested blocks, enough to respell the reference's own: no strings, no braces in values."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator


@dataclass(frozen=True, slots=True)
class Declaration:
    """``name: value``."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Block:
    """A rule: what stands before its brace, and what stands inside, in order."""

    prelude: str
    items: tuple[Block | Declaration, ...]

    @property
    def declarations(self) -> tuple[Declaration, ...]:
        """Those of the block itself, nested rules left out."""
        return tuple(item for item in self.items if isinstance(item, Declaration))


def parse(text: str) -> tuple[Block | Declaration, ...]:
    """The items of a style sheet or of a block; comments are dropped."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    items, rest = _items(text)
    assert not rest.strip(), rest
    return items


def _items(text: str) -> tuple[tuple[Block | Declaration, ...], str]:
    items: list[Block | Declaration] = []
    while text := text.lstrip():
        if text[0] == "}":
            return tuple(items), text[1:]
        found = re.search(r"[;{}]", text)
        assert found, text
        head = " ".join(text[: found.start()].split())
        text = text[found.end() :] if found[0] != "}" else text[found.start() :]
        if found[0] == "{":
            inner, text = _items(text)
            items.append(Block(head, inner))
        else:
            name, _, value = head.partition(":")
            items.append(Declaration(name.strip(), value.strip()))
    return tuple(items), ""


def write(items: Iterable[Block | Declaration], indent: str = "") -> str:
    """The style sheet as text: blocks of at most two short declarations on one line."""
    return "".join(_written(item, indent) for item in items)


def _written(item: Block | Declaration, indent: str) -> str:
    if isinstance(item, Declaration):
        return f"{indent}{item.name}: {item.value};\n" if item.value else f"{indent}{item.name};\n"
    inline = " ".join(f"{one.name}: {one.value};" for one in item.declarations)
    if len(item.declarations) == len(item.items) and len(item.prelude) + len(inline) < 100:
        return f"{indent}{item.prelude} {{ {inline} }}\n"
    return f"{indent}{item.prelude} {{\n{write(item.items, indent + '  ')}{indent}}}\n"


def flatten(items: Iterable[Block | Declaration]) -> Iterator[Block]:
    """The same rules without nesting, in the order in which they apply."""
    for item in items:
        assert isinstance(item, Block), item
        if item.prelude.startswith("@keyframes"):
            yield item
        elif item.prelude.startswith("@"):
            yield replace(item, items=tuple(flatten(item.items)))
        else:
            yield from _unnested(item)


def _unnested(block: Block) -> Iterator[Block]:
    if own := block.declarations:
        yield Block(block.prelude, own)
    for item in block.items:
        if isinstance(item, Block):
            pairs = itertools.product(item.prelude.split(", "), block.prelude.split(", "))
            yield from _unnested(replace(item, prelude=", ".join(part.replace("&", outer) for part, outer in pairs)))


def each(items: Iterable[Block | Declaration], change: Callable[[Block], Block]) -> tuple[Block | Declaration, ...]:
    """Every block changed, the innermost first."""
    return tuple(
        change(replace(item, items=each(item.items, change))) if isinstance(item, Block) else item for item in items
    )
