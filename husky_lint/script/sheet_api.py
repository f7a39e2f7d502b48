"""Style sheets and storage areas as script sees them (CSSOM 6, HTML 12)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from husky_lint.script.hosts import (
    SHEET,
    STORAGE,
    SheetObject,
    StorageObject,
)
from husky_lint.script.natives import arg, native
from husky_lint.script.operators import to_string
from husky_lint.script.values import (
    NULL,
    UNDEFINED,
    JSValue,
)

if TYPE_CHECKING:
    from husky_lint.script.browser import Browser
    from husky_lint.script.machine import Machine

# --- style sheets


@native(SHEET.methods, "insertRule", "addRule")
def _insert_rule(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    if isinstance(this, SheetObject):
        rule = to_string(m, arg(args))
        where = "document" if this.element is None else this.element
        m.emit("insert-rule", where, "insertRule", rule)
        m.write(this, "text", f"{this.text}{rule}\n" if type(rule) is str and type(this.text) is str else rule)
    return 0.0


@native(SHEET.methods, "deleteRule", "removeRule")
def _delete_rule(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    if isinstance(this, SheetObject):
        m.emit(
            "insert-rule",
            this.element if this.element is not None else "document",
            "deleteRule",
            m.realm.export(arg(args)),
        )
    return UNDEFINED


@native(SHEET.methods, "replaceSync", "replace")
def _replace_sync(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    if isinstance(this, SheetObject):
        text = to_string(m, arg(args))
        m.emit("stylesheet-text", "document", "replaceSync", text)
        m.write(this, "text", text)
    return m.call(m.get(m.realm.global_value("Promise"), "resolve"), UNDEFINED, [this])


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
