"""Which clauses an audit may assert: told by the items of the list that it checks, and by the words of its checks.

What exactly a check compares is for running it to show. That it speaks of a clause can be read, and where that clause
is broken the audit may well find it, whatever its list of items says.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from husky_lint.style.words import words

from .tool_items import Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from husky_lint.parse.js import JsNode
    from husky_lint.rubric import Clause

    from .tool_failure import Assertion
    from .tool_items import ItemStatus

_OF_ITEMS: Final[Mapping[str, frozenset[str]]] = {
    "page-errors": words("HB1001 HB1005 HB1006 HB1009 HB1010"),
    "running-animations": words("HB1010 HB2204 HB2208 HB2212 HB2414"),
    "attributes": words("HB2201 HB2203 HB2204 HB2206"),
    "hearts": words("HB2602 HB2603"),
    "favicons": words("HB1001 HB2609"),
    "dot-delays": words("HB2410 HB2411"),
    "alive": words("HB2204 HB2205"),
    "tail": words("HB2413 HB2511"),
    "foreleg-pins": words("HB2113 HB2307 HB2308 HB2309 HB2310"),
    "blade": words("HB2306 HB2312"),
    "paw-envelope": words("HB2107 HB2401 HB2416 HB2507"),
    "leg-taper": words("HB2314"),
    "bib-area": words("HB2317 HB2318"),
    "elbow-sweep": words("HB2407 HB2509"),
    "paw-drift": words("HB2107 HB2401 HB2402 HB2403 HB2408 HB2416"),
    "persistence": words("HB2606 HB2607 HB2608"),
    "reduced-motion": words("HB2208 HB2209 HB2505 HB5003"),
}
"""The clauses that a check of an item of section 3 looks at, one way or another."""
_COMMON: Final = words(
    """
    a about after all an and are as at be before by does each every for from in into is it its me no not of off on one
    only or out own over page pages same set so than that the their them then there they this to under up was what when
    where with within without
    """
)
_WORD: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_ENDINGS: Final = ("ing", "ed", "es", "s")
_LEAST_STEM: Final = 3


def spoken_of(
    clauses: Iterable[Clause], items: Iterable[ItemStatus], assertions: Iterable[Assertion]
) -> dict[str, JsNode]:
    """The clauses that checks which can fail speak of, each with such a check."""
    found: dict[str, JsNode] = {}
    for item in items:
        if item.status is Status.CAN_FAIL and item.at is not None:
            found |= dict.fromkeys(_OF_ITEMS.get(item.key, ()), item.at)
    for one in assertions:
        if one.constant or not one.measured:
            continue
        said = _stems(one.text)
        for clause in clauses:
            if clause.code not in found and said & _stems(f"{clause.name} {clause.title}"):
                found[clause.code] = one.site
    return found


@lru_cache(maxsize=4096)
def _stems(text: str) -> frozenset[str]:
    """The words of a text that say something, without their endings."""
    found = {_stem(word.lower()) for word in _WORD.findall(text)}
    return frozenset(word for word in found if len(word) >= _LEAST_STEM and word not in _COMMON)


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _LEAST_STEM:
            return word.removesuffix(ending)
    return word
