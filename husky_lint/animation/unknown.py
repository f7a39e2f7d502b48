"""The answer for what is not evaluated: a reason key and a few words for people."""

from __future__ import annotations

from dataclasses import dataclass

UNSUPPORTED = "unsupported-css"
LIMIT = "limit"


@dataclass(frozen=True, slots=True)
class Unknown:
    """Why a value cannot be told: ``reason`` is one of the reason keys of the verdicts."""

    reason: str
    detail: str


UNSUPPORTED_3D = Unknown(UNSUPPORTED, "3D transforms are not evaluated")
TOO_MANY_FUNCTIONS = Unknown(LIMIT, "a transform with very many functions")
