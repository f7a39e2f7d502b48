"""What the fork server loads once, so that every worker starts with it."""

from __future__ import annotations

from importlib import import_module

from husky_lint.packs import default_pack, load_pack

for module in ("submission", "parse.css", "parse.html", "parse.js", "parse.svg"):
    import_module(f"husky_lint.{module}")
load_pack(default_pack())
