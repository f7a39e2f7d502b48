"""The wheel carries the rule packs as husky_lint.rules, and claims no other top-level name."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel built from a copy of the packaged files (a build writes into its source tree)."""
    source = tmp_path_factory.mktemp("source")
    for folder in ("husky_lint", "rules"):
        shutil.copytree(REPOSITORY / folder, source / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(REPOSITORY / name, source)
    target = tmp_path_factory.mktemp("wheel")
    command = [
        "wheel",
        "--no-deps",
        "--no-build-isolation",
        "--no-index",
        "--quiet",
        "--wheel-dir",
        str(target),
        str(source),
    ]
    built = subprocess.run([sys.executable, "-m", "pip", *command], capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    (path,) = target.glob("husky_lint-*.whl")
    return path


def test_wheel_claims_one_top_level_name(wheel: Path) -> None:
    tops = {name.split("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"husky_lint"}


def test_wheel_carries_every_module_and_data_file(wheel: Path) -> None:
    packed = set(zipfile.ZipFile(wheel).namelist())
    expected = {"husky_lint/py.typed"}
    for folder, package in (("husky_lint", "husky_lint"), ("rules", "husky_lint/rules")):
        for path in (REPOSITORY / folder).rglob("*"):
            if path.suffix in {".py", ".toml", ".json", ".jinja"}:
                expected.add(f"{package}/{path.relative_to(REPOSITORY / folder).as_posix()}")
    assert "husky_lint/rules/husky/rubric.toml" in expected
    assert not expected - packed, "not in the wheel: list the package or its data in pyproject.toml"


def test_installed_wheel_imports_without_the_repository(wheel: Path, tmp_path: Path) -> None:
    target = tmp_path / "site"
    command = ["install", "--no-deps", "--no-index", "--quiet", "--target", str(target), str(wheel)]
    subprocess.run([sys.executable, "-m", "pip", *command], check=True, capture_output=True)
    program = (
        f"import sys; sys.path.insert(0, {str(target)!r})\n"
        "import importlib.resources, importlib.util\n"
        "import husky_lint, husky_lint.rules.husky as pack\n"
        "assert importlib.util.find_spec('rules') is None, 'a top-level rules is importable'\n"
        "print(husky_lint.__file__, pack.__file__)\n"
        "print(importlib.resources.files(pack).joinpath('rubric.toml').is_file())\n"
    )
    # -P and another folder: nothing of the working tree may be found by accident.
    run = subprocess.run(
        [sys.executable, "-P", "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    files, has_rubric = run.stdout.splitlines()
    assert all(name.startswith(str(target)) for name in files.split())
    assert has_rubric == "True"
