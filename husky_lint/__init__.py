"""husky-lint judges LLM-made animated web pages from their source.

>>> from husky_lint import check
>>> card = check("submissions/aurora")  # doctest: +SKIP
>>> card.score.low, card.score.high  # doctest: +SKIP
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from husky_lint.judging import Options, check, load
    from husky_lint.scorecard import Scorecard
    from husky_lint.submission import Submission, SubmissionError

__version__ = "0.1.0"
__all__ = ["Options", "Scorecard", "Submission", "SubmissionError", "__version__", "check", "load"]

_HOMES = {
    "Options": "husky_lint.judging",
    "check": "husky_lint.judging",
    "load": "husky_lint.judging",
    "Scorecard": "husky_lint.scorecard",
    "Submission": "husky_lint.submission",
    "SubmissionError": "husky_lint.submission",
}


def __getattr__(name: str) -> Any:
    # The names above load what they need when they are first used: `husky-lint --help` needs none of it.
    if name in _HOMES:
        import importlib

        return getattr(importlib.import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
