"""The window: media queries, timers, computed style, the network, the address (HTML 7, CSSOM View)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from husky_lint.script.element_api import NODE
from husky_lint.script.hosts import (
    COMPUTED,
    DOCUMENT,
    LOCATION,
    MEDIA_QUERY,
    WINDOW,
    ComputedStyle,
    MediaQueryObject,
    StorageObject,
    browser_of,
    discard,
    nothing,
)
from husky_lint.script.natives import arg, native
from husky_lint.script.nodes import ElementObject
from husky_lint.script.operators import to_string
from husky_lint.script.values import (
    NULL,
    UNDEFINED,
    JSValue,
    PromiseObject,
    Unknown,
)
from husky_lint.style.words import words

if TYPE_CHECKING:
    from husky_lint.script.browser import Browser
    from husky_lint.script.machine import Machine


@WINDOW.getter("window", "self", "top", "parent", "frames")
def _window(b: Browser, this: JSValue) -> JSValue:
    return b.window


@WINDOW.getter("innerWidth", "outerWidth")
def _inner_width(b: Browser, this: JSValue) -> JSValue:
    return float(b.media.width)


@WINDOW.getter("innerHeight", "outerHeight")
def _inner_height(b: Browser, this: JSValue) -> JSValue:
    return float(b.media.height)


@WINDOW.getter("devicePixelRatio")
def _pixel_ratio(b: Browser, this: JSValue) -> JSValue:
    return float(b.media.resolution)


@WINDOW.getter("localStorage")
def _local_storage(b: Browser, this: JSValue) -> JSValue:
    return b.companions.setdefault((None, "localStorage"), StorageObject(b, "localStorage"))


@WINDOW.getter("sessionStorage")
def _session_storage(b: Browser, this: JSValue) -> JSValue:
    return b.companions.setdefault((None, "sessionStorage"), StorageObject(b, "sessionStorage"))


@WINDOW.getter("scrollX", "scrollY", "pageXOffset", "pageYOffset", "screenX", "screenY")
def _scroll(b: Browser, this: JSValue) -> JSValue:
    return b.machine.unknown("layout", "number")


@WINDOW.getter("name", "status", "origin")
def _window_text(b: Browser, this: JSValue) -> JSValue:
    return b.machine.unknown("environment", "string")


@WINDOW.getter("opener", "frameElement")
def _no_opener(b: Browser, this: JSValue) -> JSValue:
    return NULL


@WINDOW.getter("event")
def _current_event(b: Browser, this: JSValue) -> JSValue:
    return b.machine.unknown("unsupported")


@WINDOW.setter("location")
def _set_location(b: Browser, this: JSValue, value: JSValue) -> None:
    b.machine.emit("history", "window", "location", b.export(value))


@native(WINDOW.methods, "matchMedia")
def _match_media(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    query = to_string(m, arg(args))
    if type(query) is Unknown:
        return query.of_kind("element")
    m.emit("media-query", "window", query)
    made = MediaQueryObject(browser_of(m), query)
    browser_of(m).media_queries.append(made)
    return made


@MEDIA_QUERY.getter("matches")
def _matches(b: Browser, query: MediaQueryObject) -> JSValue:
    return b.evaluate_media(query.query)


@MEDIA_QUERY.getter("media")
def _media(b: Browser, query: MediaQueryObject) -> JSValue:
    return query.query


@native(MEDIA_QUERY.methods, "addListener")
def _add_media_listener(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    browser_of(m).add_listener(this, "change", arg(args), UNDEFINED)
    return UNDEFINED


for _name in ("addEventListener", "removeEventListener", "dispatchEvent"):
    for _table in (MEDIA_QUERY, DOCUMENT):
        _table.methods[_name] = NODE.methods[_name]


def _of_window(name: str) -> None:
    """A bare ``addEventListener(…)`` has no ``this``: it is the window's."""
    method = NODE.methods[name]

    def run(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
        return method(m, browser_of(m).window if this is UNDEFINED or this is NULL else this, args)

    WINDOW.methods[name] = run


for _name in ("addEventListener", "removeEventListener", "dispatchEvent"):
    _of_window(_name)
MEDIA_QUERY.methods["removeListener"] = nothing


def _timer(name: str, kind: str) -> None:
    def run(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
        delay = UNDEFINED if kind in ("frame", "idle") else arg(args, 1)
        return browser_of(m).schedule(kind, arg(args), delay, args[2:])

    WINDOW.methods[name] = run


for _name, _kind in (
    ("setTimeout", "timeout"),
    ("setInterval", "interval"),
    ("requestAnimationFrame", "frame"),
    ("requestIdleCallback", "idle"),
):
    _timer(_name, _kind)


@native(WINDOW.methods, "clearTimeout", "clearInterval", "cancelAnimationFrame", "cancelIdleCallback")
def _clear_timer(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    browser_of(m).cancel(arg(args))
    return UNDEFINED


@native(WINDOW.methods, "queueMicrotask")
def _queue_microtask(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    function = arg(args)
    m.realm.microtasks.append(lambda: discard(m.call(function, UNDEFINED, [])))
    return UNDEFINED


@native(WINDOW.methods, "getComputedStyle")
def _get_computed_style(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    target = arg(args)
    if isinstance(target, ElementObject):
        return ComputedStyle(browser_of(m), target.element)
    if type(target) is Unknown:
        return m.unknown("layout", "element")
    raise m.type_error("Failed to execute 'getComputedStyle' on 'Window': parameter 1 is not of type 'Element'.")


@native(WINDOW.methods, "fetch")
def _fetch(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    m.emit("network", "window", "fetch", m.realm.export(arg(args)))
    promise = PromiseObject(m.realm.promise_prototype)
    promise.state, promise.value = "unknown", m.unknown("network")
    return promise


@native(WINDOW.methods, "open")
def _open(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    m.emit("network", "window", "open", m.realm.export(arg(args)))
    return m.unknown("environment")


for _name in words(
    """
    alert scrollTo scrollBy scroll focus blur print stop moveTo resizeTo
    """
):
    WINDOW.methods[_name] = nothing
for _name in ("confirm", "prompt", "getSelection", "btoa", "atob", "postMessage", "requestFullscreen", "reportError"):
    WINDOW.methods[_name] = lambda m, this, args: m.unknown("environment")


# --- location


@LOCATION.getter("href", "origin", "host", "hostname", "port", "pathname", "protocol")
def _location_part(b: Browser, this: JSValue) -> JSValue:
    return b.machine.unknown("environment", "string")


@LOCATION.getter("search", "hash")
def _location_query(b: Browser, this: JSValue) -> JSValue:
    return ""


@LOCATION.setter("href", "hash", "search")
def _navigate(b: Browser, this: JSValue, value: JSValue) -> None:
    b.machine.emit("history", "window", "location", b.export(value))


for _name in ("reload", "assign", "replace"):

    def _go(m: Machine, this: JSValue, args: list[JSValue], name: str = _name) -> JSValue:
        m.emit("history", "window", name, m.realm.export(arg(args)))
        return UNDEFINED

    LOCATION.methods[_name] = _go


@native(COMPUTED.methods, "getPropertyValue")
def _computed_value(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    name = to_string(m, arg(args))
    if not isinstance(this, ComputedStyle) or type(name) is Unknown:
        return m.unknown("layout", "string")
    return this.browser.computed(this.element, name)
