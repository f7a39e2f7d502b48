"""Which declarations a browser keeps: property names, value syntax, initial values, inheritance.

The facts are in ``css_grammar.json``, made by ``scripts/build_css_grammar.py`` from Chromium and MDN's data, and are
read when first asked for. Two questions are answered here:

* :func:`check_declaration` — is it kept, and if not, why?
* :func:`property_info` — inherited? which initial value? which longhands does the shorthand set? It covers every
  longhand, shorthand and alias that Chromium knows, SVG presentation attributes included.

Where this module and Chromium could differ, it accepts: a wrong "dropped" would be a wrong finding.
"""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from husky_lint.style.value_syntax import CSS_WIDE_KEYWORDS, Grammar, describe
from husky_lint.style.values import Node, serialize, split_spaces, strip_whitespace

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MAX_REMEMBERED = 16_384

_NOT_IN_ALL = frozenset({"direction", "unicode-bidi"})  # CSS Cascade 4, section 3.2


@dataclass(frozen=True, slots=True)
class PropertyInfo:
    """What Chromium knows of a property.

    ``initial`` is CSS text, empty for a shorthand; ``shorthand_of`` are the longhands that a shorthand sets or resets,
    in Chromium's order, empty for a longhand. ``alias_of`` names the property that a legacy name stands for
    (``-webkit-transform``: ``transform``), empty for a property in its own right; an alias has the ``shorthand_of`` of
    its target.
    """

    inherited: bool
    initial: str
    shorthand_of: tuple[str, ...] = ()
    alias_of: str = ""


@dataclass(frozen=True, slots=True)
class _Database:
    aliases: Mapping[str, str]
    alias_syntax: Mapping[str, str]
    longhands: Mapping[str, Sequence[Any]]
    shorthands: Mapping[str, Sequence[Any]]
    descriptors: Mapping[str, Mapping[str, str]]
    grammar: Grammar

    def syntax(self, name: str) -> str | None:
        """The value definition of a property; a few aliases take values of their own."""
        if (own := self.alias_syntax.get(name)) is not None:
            return own
        name = self.aliases.get(name, name)
        entry = self.longhands.get(name) or self.shorthands.get(name)
        text: str | None = None if entry is None else entry[0]
        return text

    def knows(self, name: str) -> bool:
        return name in self.longhands or name in self.shorthands or name in self.aliases


@functools.cache
def _database() -> _Database:
    raw = json.loads(Path(__file__).with_name("css_grammar.json").read_text(encoding="utf-8"))
    types: dict[str, str] = raw["types"]
    descriptors: dict[str, dict[str, str]] = raw["descriptors"]

    def lookup(name: str) -> str | None:
        if name.startswith("'"):
            return database.syntax(name[1:-1])
        if name.startswith("@"):
            rule, _, descriptor = name.partition("/")
            return descriptors[rule][descriptor]
        return types.get(name)

    database = _Database(
        raw["aliases"], raw["alias_syntax"], raw["longhands"], raw["shorthands"], descriptors, Grammar(lookup)
    )
    return database


@functools.lru_cache(maxsize=2048)
def property_info(name: str) -> PropertyInfo | None:
    """Facts about a property by its name (any case); ``None`` if Chromium does not know it."""
    if name.startswith("--"):
        return PropertyInfo(inherited=True, initial="")
    name = name.lower()
    database = _database()
    target = database.aliases.get(name)
    if target is not None:
        info = property_info(target)
        return None if info is None else PropertyInfo(info.inherited, info.initial, info.shorthand_of, target)
    if (longhand := database.longhands.get(name)) is not None:
        return PropertyInfo(bool(longhand[2]), longhand[1])
    if (shorthand := database.shorthands.get(name)) is not None:
        longhands = tuple(shorthand[1])
        if name == "all":
            longhands = tuple(part for part in database.longhands if part not in _NOT_IN_ALL)
        return PropertyInfo(all(database.longhands[part][2] for part in longhands), "", longhands)
    return None


def property_names() -> frozenset[str]:
    """Every longhand, shorthand and alias."""
    database = _database()
    return frozenset({*database.longhands, *database.shorthands, *database.aliases})


def value_grammar() -> Grammar:
    """The value definitions; a property is called ``'name'`` with its quotes."""
    return _database().grammar


_remembered: dict[tuple[str, str], str | None] = {}


def check_declaration(name: str, tokens: Sequence[Node], text: str | None = None) -> str | None:
    """Why a browser drops the declaration ``name: tokens``; ``None`` if it keeps it.

    ``tokens`` are the component values without ``!important``; ``text`` is their source text if the caller has it,
    which saves work. Values with ``var()``, ``env()`` or ``attr()`` are kept, whatever comes of them when they are
    computed.
    """
    lowered = name if name.startswith("--") else name.lower()
    database = _database()
    if not lowered.startswith("--") and not database.knows(lowered):
        return _unknown_name(name, "property", property_names())
    return _check(lowered, f"'{lowered}'", database.syntax(lowered), tokens, text)


def check_descriptor(at_rule: str, name: str, tokens: Sequence[Node], text: str | None = None) -> str | None:
    """:func:`check_declaration` for a descriptor, as in ``@property`` or ``@font-face`` (``at_rule`` with its ``@``).

    Descriptors of other at-rules are not checked: ``None``.
    """
    descriptors = _database().descriptors.get(at_rule.lower())
    if descriptors is None:
        return None
    syntax = descriptors.get(name.lower())
    if syntax is None:
        return _unknown_name(name, f"descriptor of {at_rule}", frozenset(descriptors))
    reference = f"{at_rule.lower()}/{name.lower()}"
    return _check(reference, reference, syntax, tokens, text)


def _check(name: str, reference: str, syntax: str | None, tokens: Sequence[Node], text: str | None) -> str | None:
    if len(tokens) == 1 and tokens[0].type == "ident" and tokens[0].lower_value in CSS_WIDE_KEYWORDS:
        return None
    key = (name, serialize(tokens) if text is None else text)
    if key in _remembered:
        return _remembered[key]
    reason = _reason(name, reference, syntax, strip_whitespace(tokens))
    if len(_remembered) >= MAX_REMEMBERED:
        _remembered.clear()
    _remembered[key] = reason
    return reason


def _reason(name: str, reference: str, syntax: str | None, tokens: Sequence[Node]) -> str | None:
    if len(tokens) == 1 and tokens[0].type == "ident" and tokens[0].lower_value in CSS_WIDE_KEYWORDS:
        return None
    substitutes, problem = _scan(tokens)
    if problem is not None:
        return f"invalid value for {name}: {problem}"
    if name.startswith("--") or substitutes:
        return None
    if not tokens:
        return f"{name} has no value"
    if syntax is None:
        return None
    mismatch = _database().grammar.mismatch(reference, [token for token in tokens if token.type != "error"])
    if mismatch is None:
        return None
    return f"invalid value for {name}: {describe(mismatch, tokens)}; its syntax is {syntax}"


_SUBSTITUTIONS = frozenset({"var", "env", "attr", "if"})


def _scan(tokens: Sequence[Node]) -> tuple[bool, str | None]:
    """Whether functions are substituted at computed time, and what no declaration may hold."""
    substitutes = False
    pending: list[tuple[Sequence[Node], bool]] = [(tokens, True)]
    while pending:
        nodes, top = pending.pop()
        for node in nodes:
            kind = node.type
            if kind == "function":
                name = node.lower_name
                if name in _SUBSTITUTIONS or name.startswith("--"):
                    substitutes = True
                    if (problem := _substitution_problem(name, node)) is not None:
                        return substitutes, problem
                pending.append((node.arguments, False))
            elif kind == "error":
                # The end of the file closes a string or url(); any other bad token invalidates the declaration.
                if node.kind not in {"eof-in-string", "eof-in-url"}:
                    return substitutes, node.message
            elif kind.endswith(" block"):
                pending.append((node.content, False))
            elif top and kind == "literal" and node.value in {"!", ";"}:
                return substitutes, f"“{node.value}” is not allowed"
    return substitutes, None


def _substitution_problem(name: str, node: Node) -> str | None:
    """What is wrong with the arguments of a substitution function themselves."""
    if name not in {"var", "env", "attr"}:
        return None
    arguments = split_spaces(node.arguments)
    named = bool(arguments) and arguments[0].type == "ident"
    if name != "var":
        return None if named else f"{name}() needs a name"
    if not named or not arguments[0].value.startswith("--"):
        return "var() needs the name of a custom property, as in var(--name)"
    if len(arguments) > 1 and not (arguments[1].type == "literal" and arguments[1].value == ","):
        return "the fallback of var() stands behind a comma, as in var(--name, 1px)"
    return None


def _unknown_name(name: str, what: str, known: frozenset[str]) -> str:
    import difflib

    close = difflib.get_close_matches(name[:80].lower(), sorted(known), n=1, cutoff=0.8)
    hint = f"; did you mean {close[0]}?" if close else ""
    return f"unknown {what} “{name[:80]}”{hint}"
