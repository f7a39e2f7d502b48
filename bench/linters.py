"""The linters that web pages are checked with otherwise: eslint, stylelint and html-validate."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from bench.processes import Run, run

_HERE = Path(__file__).resolve().parent
_BIN = _HERE / "node_modules" / ".bin"

#: Each takes all files of its language under the working folder in one process.
COMMANDS = {
    "eslint": [str(_BIN / "eslint"), "--config", str(_HERE / "eslint.config.mjs"), "--format", "json", "."],
    "stylelint": [
        str(_BIN / "stylelint"), "--config", str(_HERE / "stylelint.config.mjs"), "--formatter", "json", "**/*.css",
    ],
    "html-validate": [
        str(_BIN / "html-validate"), "--config", str(_HERE / "html-validate.json"), "--formatter", "json", "**/*.html",
    ],
}  # fmt: skip


def missing() -> str | None:
    """Why the three cannot run, or None."""
    if shutil.which("node") is None:
        return "node is not installed"
    if not all(Path(command[0]).exists() for command in COMMANDS.values()):
        return "bench/node_modules is not installed (npm ci in bench/)"
    return None


def lint_folder(folder: Path) -> dict[str, Run]:
    """Each linter once over everything under the folder. Status 1 or 2 means findings; more means it failed."""
    return {name: run(command, folder) for name, command in COMMANDS.items()}


def warm_milliseconds(folders: list[Path], runs: int) -> dict[Path, float]:
    """Processor milliseconds of the three together on each folder, in one warm process by their own APIs."""
    home = folders[0].parent
    names = [folder.name for folder in folders]
    done = run(["node", str(_HERE / "warm.mjs"), str(runs), *names], home)
    lines = [json.loads(line) for line in done.output.splitlines()]
    return {home / line["folder"]: float(line["cpu_ms"]) for line in lines}
