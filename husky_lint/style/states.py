"""The states a page is judged in."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from husky_lint.style.media import MediaContext

if TYPE_CHECKING:
    from collections.abc import Mapping

    from husky_lint.parse.css import Stylesheet
    from husky_lint.script.journal import Mutation

__all__ = ["MediaContext", "PageState"]


@dataclass(frozen=True, eq=False)
class PageState:
    """A page in a view, with mutations applied to its tree and further style sheets after its own.

    ``axes`` says in the pack's words what the state is, such as ``pace`` = ``hop``.
    """

    label: str
    media: MediaContext = field(default_factory=MediaContext)
    mutations: tuple[Mutation, ...] = ()
    sheets: tuple[Stylesheet, ...] = ()
    axes: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
