"""Style sheets and storage areas as script sees them (CSSOM 6, HTML 12)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from husky_lint.script.hosts import (
    SHEET,
    STORAGE,
    SheetObject,
    StorageObject,
    browser_of,
)
from husky_lint.script.natives import arg, native
from husky_lint.script.operators import to_number, to_string
from husky_lint.script.values import (
    NULL,
    UNDEFINED,
    JSValue,
)
from husky_lint.script.written_rules import forget_rules, insert_rule, replace_text

if TYPE_CHECKING:
    from husky_lint.script.browser import Browser
    from husky_lint.script.machine import Machine

# --- style sheets


@native(SHEET.methods, "insertRule")
def _insert_rule(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    if isinstance(this, SheetObject):
        rule, index = to_string(m, arg(args)), to_number(m, arg(args, 1)) if len(args) > 1 else 0.0
        m.emit("insert-rule", _owner(this), "insertRule", rule)
        insert_rule(browser_of(m), this, rule, index)
        return index if type(index) is float else 0.0
    return 0.0


@native(SHEET.methods, "addRule")
def _add_rule(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    if isinstance(this, SheetObject):
        selector, block = to_string(m, arg(args)), to_string(m, arg(args, 1))
        known = type(selector) is str and type(block) is str
        rule: JSValue = f"{selector} {{ {block} }}" if known else m.unknown("unsupported", "string")
        m.emit("insert-rule", _owner(this), "addRule", rule)
        insert_rule(browser_of(m), this, rule, -1.0)
    return -1.0


@native(SHEET.methods, "deleteRule", "removeRule")
def _delete_rule(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    if isinstance(this, SheetObject):
        m.emit("insert-rule", _owner(this), "deleteRule", m.realm.export(arg(args)))
        forget_rules(browser_of(m), this)
    return UNDEFINED


@native(SHEET.methods, "replaceSync", "replace")
def _replace_sync(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    if isinstance(this, SheetObject):
        text = to_string(m, arg(args))
        m.emit("stylesheet-text", "document", "replaceSync", text)
        replace_text(browser_of(m), this, text)
    return m.call(m.get(m.realm.global_value("Promise"), "resolve"), UNDEFINED, [this])


def _owner(sheet: SheetObject) -> Any:
    return "document" if sheet.element is None else sheet.element


@SHEET.getter("cssRules", "rules")
def _css_rules(b: Browser, sheet: SheetObject) -> JSValue:
    return b.machine.unknown("unsupported", "element")


@SHEET.getter("ownerNode")
def _owner_node(b: Browser, sheet: SheetObject) -> JSValue:
    return b.wrap(sheet.element)


# --- storage


@native(STORAGE.methods, "getItem")
def _get_item(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return this.read(m, arg(args)) if isinstance(this, StorageObject) else m.unknown("environment")


@native(STORAGE.methods, "setItem")
def _set_item(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    if isinstance(this, StorageObject):
        this.write(m, arg(args), arg(args, 1))
    return UNDEFINED


@native(STORAGE.methods, "removeItem")
def _remove_item(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    if isinstance(this, StorageObject):
        this.delete(m, to_string(m, arg(args)))
    return UNDEFINED


@native(STORAGE.methods, "clear")
def _clear(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    if isinstance(this, StorageObject):
        m.emit("storage", this.name, "*", None)
        for name in list(this.store):
            m.write(this.store, name, NULL)
    return UNDEFINED


@native(STORAGE.methods, "key")
def _storage_key(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return m.unknown("environment")


@STORAGE.getter("length")
def _storage_length(b: Browser, storage: StorageObject) -> JSValue:
    return float(len(storage.store))
