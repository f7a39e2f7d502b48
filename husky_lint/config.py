"""Configuration: ``husky-lint.toml``, or ``[tool.husky-lint]`` in pyproject.toml, of the folder one works in.

The nearest one upward from the working folder counts; a submission's own files never configure how it is judged.
"""

from __future__ import annotations

import math
import tomllib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

FILE = "husky-lint.toml"


class ConfigError(Exception):
    """The configuration, or the call, is wrong; the message is one line."""


@dataclass(frozen=True, slots=True)
class Config:
    """What a configuration file may say. ``rig`` pins roles to selectors. None: not said."""

    path: Path | None = None
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    min_score: float | None = None
    pack: str | None = None
    jobs: int | None = None
    time_limit: float | None = None
    rig: Mapping[str, str] = field(default_factory=dict)


def find_config(folder: Path) -> Config:
    """The configuration that counts in ``folder``; an empty one when there is none. Raises ConfigError."""
    for place in (folder, *folder.parents):
        own, project = place / FILE, place / "pyproject.toml"
        if own.is_file():
            return read_config(own)
        if project.is_file():
            table = _read(project).get("tool", {})
            if isinstance(table, dict) and "husky-lint" in table:
                return _parse(project, table["husky-lint"])
    return Config()


def read_config(path: Path) -> Config:
    """The configuration in a file: a pyproject.toml's table, or all of any other file. Raises ConfigError."""
    table = _read(path)
    if path.name == "pyproject.toml":
        tool = table.get("tool", {})
        table = tool.get("husky-lint", {}) if isinstance(tool, dict) else {}
    return _parse(path, table)


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror or error}") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigError(f"{path}: {error}") from error


def _parse(path: Path, table: Any) -> Config:
    if not isinstance(table, dict):
        raise ConfigError(f"{path}: husky-lint must be a table")
    known = {"select", "ignore", "min-score", "pack", "jobs", "time-limit", "rig"}
    for key in table:
        if key not in known:
            raise ConfigError(f"{path}: unknown key {key!r} (known: {', '.join(sorted(known))})")
    rig = table.get("rig", {})
    if not isinstance(rig, dict) or not all(isinstance(selector, str) for selector in rig.values()):
        raise ConfigError(f"{path}: rig must map roles to selectors")
    jobs = _number(path, table, "jobs")
    if jobs is not None and (jobs != int(jobs) or jobs < 1):
        raise ConfigError(f"{path}: jobs must be a whole number from 1")
    limit = _number(path, table, "time-limit")
    if limit is not None and limit <= 0:
        raise ConfigError(f"{path}: time-limit must be above 0 seconds")
    pack = table.get("pack")
    if pack is not None and not isinstance(pack, str):
        raise ConfigError(f"{path}: pack must be a name")
    return Config(
        path,
        _codes(path, table, "select"),
        _codes(path, table, "ignore"),
        _number(path, table, "min-score"),
        pack,
        int(jobs) if jobs is not None else None,
        limit,
        rig,
    )


def _codes(path: Path, table: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = table.get(key, [])
    if not isinstance(value, list) or not all(isinstance(code, str) for code in value):
        raise ConfigError(f"{path}: {key} must be a list of codes")
    return tuple(value)


def _number(path: Path, table: Mapping[str, Any], key: str) -> float | None:
    value = table.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise ConfigError(f"{path}: {key} must be a number")
    return float(value)
