"""What the fork server loads once, so that every worker starts with it."""

from __future__ import annotations

from husky_lint.packs import default_pack, load_pack

load_pack(default_pack())
