"""What script writes into style sheets beside their text (CSSOM 6): inserted rules, constructed and adopted sheets.

Such rules stand in ``<style>`` elements of their own: beside the sheet's owner, at the end of the document for an
adopted sheet. No script gets to see these elements in the list of sheets. The cascade takes them to come after the
source's own sheets; that a rule inserted at 0 loses to one that is as specific is not followed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from husky_lint.parse.html import XHTML
from husky_lint.script.hosts import SheetObject
from husky_lint.script.journal import SetText
from husky_lint.script.nodes import ElementObject
from husky_lint.script.values import UNKNOWN_NUMBER, ArrayObject, Unknown, text_with_numbers_for

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lxml.etree import _Element

    from husky_lint.script.browser import Browser
    from husky_lint.script.values import JSValue

Place = Literal["front", "behind", "adopted"]
_RULES: Final = "rules "
_MAX_RULES: Final = 2_000_000
"""Characters of rules in one sheet; real ones have thousands."""


def insert_rule(browser: Browser, sheet: SheetObject, rule: JSValue, index: JSValue) -> None:
    """``sheet.insertRule(rule, index)``: at 0 in front of all other rules; elsewhere counts as behind them."""
    first = type(index) is not Unknown and index == 0.0
    if sheet.element is None:
        if type(rule) is str and type(sheet.text) is str:
            replace_text(browser, sheet, f"{rule}\n{sheet.text}" if first else f"{sheet.text}\n{rule}")
        else:
            replace_text(browser, sheet, rule if type(rule) is Unknown else sheet.text)
        return
    holder = _holder(browser, sheet, "front" if first else "behind")
    if holder is None:
        return
    before, told = holder.text or "", text_with_numbers_for(rule, UNKNOWN_NUMBER)
    if told is not None and len(before) + len(told) < _MAX_RULES:
        _write(browser, holder, f"{told}\n{before}" if first else f"{before}{told}\n")
    else:
        _write(browser, holder, rule if type(rule) is Unknown else browser.machine.unknown("limit", "string"))


def forget_rules(browser: Browser, sheet: SheetObject) -> None:
    """A rule is deleted, and which one is not followed: what the sheet holds is unknown from now on."""
    unknown = browser.machine.unknown("unsupported", "string")
    if sheet.element is None:
        replace_text(browser, sheet, unknown)
        return
    holder = _holder(browser, sheet, "behind")
    if holder is not None:
        _write(browser, holder, unknown)


def replace_text(browser: Browser, sheet: SheetObject, text: JSValue) -> None:
    """A constructed sheet has other rules."""
    browser.machine.write(sheet, "text", text)
    holder = _known(browser, sheet, "adopted")
    if holder is not None:
        _write(browser, holder, text)


def take_up_adopted(browser: Browser) -> None:
    """Bring the document into line with ``document.adoptedStyleSheets``, which script may push to."""
    listed = browser.companions.get((None, "adopted"))
    if listed is None:
        return
    items: Sequence[JSValue] = listed.items if isinstance(listed, ArrayObject) else (listed,)
    for item in items:
        if isinstance(item, SheetObject) and item.element is None:
            holder = _holder(browser, item, "adopted")
            if holder is not None:
                _write(browser, holder, item.text)
        elif type(item) is Unknown:
            holder = _holder(browser, None, "adopted")
            if holder is not None:
                _write(browser, holder, item.of_kind("string"))
    for owner, name in list(browser.companions):
        if name == f"{_RULES}adopted" and owner is not None and not any(owner is item for item in items):
            holder = _known(browser, owner, "adopted")
            if holder is not None:
                _write(browser, holder, "")


def is_of_script(browser: Browser, element: _Element) -> bool:
    """Whether a ``<style>`` only stands for rules that script has inserted."""
    return any(
        name.startswith(_RULES) and isinstance(made, ElementObject) and made.element is element
        for (_, name), made in browser.companions.items()
    )


def _known(browser: Browser, sheet: SheetObject | None, place: Place) -> _Element | None:
    made = browser.companions.get((sheet, f"{_RULES}{place}"))
    return made.element if isinstance(made, ElementObject) else None


def _holder(browser: Browser, sheet: SheetObject | None, place: Place) -> _Element | None:
    """The ``<style>`` for the rules of a sheet; None where its owner is not in the document."""
    known = _known(browser, sheet, place)
    if known is not None:
        return known
    owner = sheet.element if sheet is not None else None
    parent = browser.root if owner is None else owner.getparent()
    if parent is None or not browser.connected(parent):
        return None
    around = browser.wrap(parent)
    made = browser.create(XHTML, "style")
    assert isinstance(around, ElementObject)
    before = None
    if owner is not None:
        kids = browser.kids(around)
        at = kids.index(browser.wrap(owner))
        at += place == "behind"
        before = kids[at] if at < len(kids) else None
    browser.insert(around, made, before)
    browser.machine.write(browser.companions, (sheet, f"{_RULES}{place}"), made)
    return made.element


def _write(browser: Browser, holder: _Element, text: JSValue) -> None:
    at = browser.machine.at
    written = text_with_numbers_for(text, UNKNOWN_NUMBER)
    browser.journal.mark_unknown(holder, "#text", text if type(text) is Unknown and written is None else None, at)
    if written is not None and written != (holder.text or ""):
        browser.journal.apply(SetText.of(holder, written, at))
