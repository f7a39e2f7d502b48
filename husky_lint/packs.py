"""The packs: every subpackage of ``husky_lint.rules`` with a ``rubric.toml`` is one. None is imported by name here."""

from __future__ import annotations

import functools
import importlib
import pkgutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from husky_lint.rubric import Rubric, RubricError, load_rubric
from husky_lint.rule import Rule

if TYPE_CHECKING:
    from husky_lint.documentation import Example
    from husky_lint.evidence import Evidence
    from husky_lint.parts import Bone, Figure
    from husky_lint.pictures import Picture

_ROOT = "husky_lint.rules"

ExampleFiles = Callable[["Example"], Mapping[str, "str | bytes"]]
RunMetadata = Callable[["Evidence"], Mapping[str, str]]
InferParts = Callable[["Evidence"], "Figure"]
DrawPictures = Callable[["Evidence"], "Iterable[Picture]"]
InferLimbs = Callable[["Evidence", str, "Sequence[float]"], "Sequence[Sequence[Bone]]"]


class PackError(Exception):
    """A pack that does not exist, or that contradicts its rubric."""


@dataclass(frozen=True, slots=True)
class Pack:
    """A rubric and the rules that judge it, by code.

    ``example_files`` turns an example of a rule's docstring into a whole submission. ``run_metadata`` reads what a
    submission says of its own run. ``infer_parts`` says which element is which part of what is drawn, and
    ``draw_pictures`` draws it, without a browser; ``infer_limbs`` gives its bones in scene units at phases of a pace's
    settled stride. A pack offers them as functions of these names in its ``__init__``; all may be missing there.
    """

    name: str
    rubric: Rubric
    rules: Mapping[str, Rule]
    example_files: ExampleFiles | None = None
    run_metadata: RunMetadata | None = None
    infer_parts: InferParts | None = None
    draw_pictures: DrawPictures | None = None
    infer_limbs: InferLimbs | None = None

    def parameters(self, rule: Rule) -> dict[str, Any]:
        """The tolerances that a rule asks for by the names of its parameters. Raises RubricError."""
        return {name: self.rubric.tolerance(rule.code, name).value for name in rule.parameters}


@functools.cache
def _folders() -> Mapping[str, Path]:
    rules = importlib.import_module(_ROOT)
    found = {}
    for module in pkgutil.iter_modules(rules.__path__):
        folder = next((Path(p) / module.name for p in rules.__path__ if (Path(p) / module.name).is_dir()), None)
        if module.ispkg and folder is not None and (folder / "rubric.toml").is_file():
            found[module.name] = folder
    return MappingProxyType(found)


def pack_names() -> tuple[str, ...]:
    """The packs there are, in alphabetical order."""
    return tuple(sorted(_folders()))


def default_pack() -> str:
    """The only pack, or the one whose rubric says ``default = true``. Raises PackError when there is none."""
    names = pack_names()
    chosen = [name for name in names if pack_rubric(name).default] if len(names) > 1 else list(names)
    if len(chosen) != 1:
        raise PackError("no pack is the default; name one with --pack")
    return chosen[0]


@functools.cache
def pack_rubric(name: str) -> Rubric:
    """The rubric of a pack, without importing its rules. Raises PackError."""
    if name not in _folders():
        raise PackError(f"there is no pack {name!r} (there is {', '.join(pack_names()) or 'none'})")
    try:
        return load_rubric(_folders()[name] / "rubric.toml")
    except RubricError as error:
        raise PackError(f"pack {name}: {error}") from error


@functools.cache
def load_pack(name: str) -> Pack:
    """A pack with its rules imported and checked against the rubric. Raises PackError."""
    rubric = pack_rubric(name)
    package = importlib.import_module(f"{_ROOT}.{name}")
    rules: dict[str, Rule] = {}
    for module in sorted(pkgutil.iter_modules(package.__path__), key=lambda m: m.name):
        contents = vars(importlib.import_module(f"{_ROOT}.{name}.{module.name}"))
        for item in contents.values():
            if isinstance(item, Rule) and item.judge.__module__ == contents["__name__"]:
                if item.code in rules:
                    raise PackError(f"pack {name}: two rules for {item.code}")
                rules[item.code] = item
    pack = Pack(
        name,
        rubric,
        MappingProxyType(dict(sorted(rules.items()))),
        getattr(package, "example_files", None),
        getattr(package, "run_metadata", None),
        getattr(package, "infer_parts", None),
        getattr(package, "draw_pictures", None),
        getattr(package, "infer_limbs", None),
    )
    _validate(pack)
    return pack


def _validate(pack: Pack) -> None:
    for code, rule in pack.rules.items():
        if code not in pack.rubric.clauses:
            raise PackError(f"pack {pack.name}: {code} has a rule and no clause")
        try:
            pack.parameters(rule)
        except RubricError as error:
            raise PackError(f"pack {pack.name}: {error}") from error
