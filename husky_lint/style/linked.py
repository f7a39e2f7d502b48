"""Style sheets that script switches on, switches off or exchanges by attributes of their ``<link>``."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from husky_lint.script.journal import MarkUnknown, SetAttribute

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from lxml.etree import _Element

    from husky_lint.script.journal import Mutation
    from husky_lint.style.computed import SheetOfPage

_TELLING: Final = frozenset({"href", "media", "disabled", "rel"})


def is_sheet_link(element: _Element) -> bool:
    """Whether an element is a ``<link rel=stylesheet>``."""
    tag = str(element.tag).rpartition("}")[2]
    return tag == "link" and "stylesheet" in (element.get("rel") or "").lower().split()


def linked_sheets(
    mutations: Iterable[Mutation],
    find: Callable[[_Element, str, str], SheetOfPage | None],
) -> tuple[Mapping[_Element, SheetOfPage | None], bool]:
    """What the links give that mutations have written to, and whether that cannot be told of one of them.

    ``find(link, href, media)`` is the sheet at an address that is written there; None where the page has no such file.
    A link that gives nothing, as it is disabled, maps to None. Links that are as the source has them are left out.
    """
    written: dict[_Element, dict[str, str | None]] = {}
    before: dict[tuple[_Element, str], str | None] = {}
    lost = False
    for mutation in mutations:
        if isinstance(mutation, SetAttribute) and mutation.name in _TELLING and is_sheet_link(mutation.element):
            before.setdefault((mutation.element, mutation.name), mutation.before)
            written.setdefault(mutation.element, {})[mutation.name] = mutation.value
        elif isinstance(mutation, MarkUnknown) and mutation.part in _TELLING and is_sheet_link(mutation.element):
            lost = lost or mutation.value is not None
    given: dict[_Element, SheetOfPage | None] = {}
    for link, changes in written.items():
        if all(before[link, name] == value for name, value in changes.items()):
            continue
        now = {name: changes.get(name, link.get(name)) for name in _TELLING}
        rel = (now["rel"] or "").lower().split()
        if "rel" in changes or "alternate" in rel:
            lost = True
        elif now["disabled"] is not None or not now["href"]:
            given[link] = None
        else:
            given[link] = find(link, now["href"], now["media"] or "")
    return MappingProxyType(given), lost
