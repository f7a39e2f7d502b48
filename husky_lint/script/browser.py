"""The browser around the page: window, document, events, storage, timers and the rest of the platform.

What depends on the clock, the layout, the network or the person in front of the page is unknown, and what script does
to any of these is an effect.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from husky_lint.parse.html import SVG as SVG_NAMESPACE
from husky_lint.parse.html import XHTML
from husky_lint.script.effects import Listener, StorageModel, Timer
from husky_lint.script.element_api import HTML, NODE, PARENT, SVG, TEXT, set_checked, set_property
from husky_lint.script.natives import arg, native
from husky_lint.script.nodes import ElementObject, HostObject, NodeList, NodeObject, Tables, TextObject
from husky_lint.script.operators import to_number, to_string, truth
from husky_lint.script.query import local_name
from husky_lint.script.realm import Realm
from husky_lint.script.tree import DocumentTree
from husky_lint.script.values import (
    MISSING,
    NULL,
    UNDEFINED,
    ErrorObject,
    FunctionObject,
    JSObject,
    JSThrow,
    JSValue,
    NativeFunction,
    NativeObject,
    PromiseObject,
    Unknown,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from lxml.etree import _Element

    from husky_lint.parse.html import HtmlDocument
    from husky_lint.script.machine import Machine
    from husky_lint.style.media import MediaContext

    ComputedStyle = Callable[[_Element, str], str | None]

DOCUMENT = Tables(PARENT)
WINDOW = Tables()
MEDIA_QUERY = Tables()
STORAGE = Tables()
EVENT = Tables()
SHEET = Tables()

_BUBBLES = frozenset(
    {
        "click", "dblclick", "mousedown", "mouseup", "mousemove", "mouseover", "mouseout", "pointerdown", "pointerup",
        "pointermove", "pointerover", "pointerout", "pointercancel", "keydown", "keyup", "keypress", "input", "change",
        "submit", "touchstart", "touchend", "touchmove", "touchcancel", "wheel", "contextmenu", "focusin", "focusout",
        "animationstart", "animationend", "animationiteration", "transitionend", "transitionstart", "DOMContentLoaded",
        "visibilitychange", "scroll", "beforeinput", "dragstart", "drop", "copy", "paste",
    }
)  # fmt: skip


class Browser(Realm, DocumentTree):
    """The realm of a page."""

    def __init__(
        self,
        machine: Machine,
        page: HtmlDocument,
        media: MediaContext,
        storage: StorageModel,
        computed_style: ComputedStyle | None,
    ) -> None:
        super().__init__(machine)
        self.page = page
        self.media = media
        self.journal = machine.journal
        self.root = page.root
        self.null = NULL
        self.computed_style = computed_style
        self.wrappers = {}
        self.created = []
        self.html_tables, self.svg_tables, self.text_tables = HTML, SVG, TEXT
        self.element_prototype = self._bare_prototype()
        self.style_prototype = self._style_prototype()
        self.list_prototype = self._list_prototype()
        self.methods: dict[tuple[int, str], NativeFunction] = {}
        self.companions: dict[tuple[Any, str], JSValue] = {}
        self.document_object = NodeObject(self, self.element_prototype, DOCUMENT)
        self.window = WindowObject(self, self.object_prototype, WINDOW)
        self.global_object = self.window
        self.cookies: dict[str, str] = dict(storage.cookies)
        self.stores = {"localStorage": dict(storage.local), "sessionStorage": dict(storage.session)}
        self.ready_state = "loading"
        self.current_script: JSValue = NULL
        self.focused: JSValue = None
        self.timers: dict[float, Timer] = {}
        self.next_handle = 1.0
        self.clock: float | None = None
        self.sheets: dict[Any, JSValue] = {}
        self.observers: list[JSValue] = []
        self.media_queries: list[MediaQueryObject] = []
        self._makers.update(self._platform())

    # --- the pieces

    def _bare_prototype(self) -> JSObject:
        return NativeObject(self.object_prototype, {})

    def _style_prototype(self) -> JSObject:
        from husky_lint.script.inline_style import STYLE_METHODS

        return NativeObject(self.object_prototype, STYLE_METHODS)

    def _list_prototype(self) -> JSObject:
        from husky_lint.script.arrays import ARRAY

        table = {name: ARRAY[name] for name in ("forEach", "entries", "keys", "values")}
        table["item"] = lambda m, this, args: m.get(this, to_string(m, arg(args)))
        return NativeObject(self.object_prototype, table)

    def method(self, tables: Tables, name: str) -> NativeFunction:
        """A method of a kind of host object, the same function each time."""
        key = (id(tables), name)
        made = self.methods.get(key)
        if made is None:
            made = self.methods[key] = self.function(tables.methods[name], name)
        return made

    def companion(self, node: ElementObject, name: str, make: Callable[[Browser, Any], JSValue]) -> JSValue:
        """An object that belongs to an element, the same each time."""
        key = (node.element, name)
        found = self.companions.get(key)
        if found is None:
            found = self.companions[key] = make(self, node.element)
        return found

    def template_content(self, content: _Element) -> ElementObject:
        """The fragment of a ``<template>``."""
        import copy

        holder = self.fragment()
        holder.element.text = content.text
        for child in content:
            holder.element.append(copy.deepcopy(child))
        self.keep(holder.element)
        return holder

    def host_list(self, items: list[JSValue]) -> JSValue:
        return NodeList(self.list_prototype, items)

    def dom_error(self, name: str, message: str) -> JSThrow:
        error = ErrorObject(self.error_prototypes["Error"], {"name": name, "message": message})
        error.hidden = frozenset({"name", "message"})
        return JSThrow(error, self.machine.at)

    def export(self, value: JSValue, depth: int = 0) -> Any:
        if isinstance(value, ElementObject):
            return value.element
        if isinstance(value, TextObject):
            return value.data
        if value is self.document_object:
            return "document"
        if value is self.window:
            return "window"
        if isinstance(value, HostObject):
            return f"[object {value.class_name}]"
        return super().export(value, depth)

    def items_of(self, value: JSObject) -> list[JSValue] | None:
        found = super().items_of(value)
        if found is None and value.unknown is None and value.class_name == "DOMTokenList":
            text = self.attribute(value.element, "class", "")  # type: ignore[attr-defined]
            return None if type(text) is Unknown else list(dict.fromkeys(text.split()))
        return found

    def has_property(self, value: JSObject, key: Any) -> JSValue:
        found = super().has_property(value, key)
        if found is False and isinstance(value, HostObject) and value is not self.window:
            missing = value.missing(self.machine, key)
            return missing.of_kind("boolean") if type(missing) is Unknown else missing is NULL
        if found is False and value is self.window:
            if key in self.machine.globals or self.global_value(key) is not MISSING:
                return True
            return self.machine.unknown("unsupported", "boolean")
        return found

    def join_host(self, container: Any, key: Any, value: Any, elsewhere: Any, why: Unknown) -> None:
        if isinstance(container, NodeObject):
            if key == "listeners":
                both = (*value, *(listener for listener in elsewhere if listener not in value))
                self.machine.write(container, "listeners", both)
            elif key == "data":
                self.machine.write(container, "data", why.of_kind("string"))
            return
        if isinstance(container, Browser):
            if key == "timers":
                self.machine.write(container, "timers", {**elsewhere, **value})
            elif key == "focused":
                self.machine.write(container, "focused", why)
            return
        super().join_host(container, key, value, elsewhere, why)

    # --- globals

    def global_value(self, name: str) -> JSValue:
        found = super().global_value(name)
        if found is not MISSING:
            return found
        found = self.window.props.get(name, MISSING)
        if found is not MISSING:
            return found
        getter = WINDOW.getters.get(name)
        if getter is not None:
            return getter(self, self.window)
        if name in WINDOW.methods:
            return self.method(WINDOW, name)
        named = self.by_id(self.root, name) if name else None
        if named is not None:
            return named if type(named) is Unknown else self.wrap(named)  # type: ignore[arg-type]
        return MISSING

    def has_builtin(self, name: str) -> bool:
        return super().has_builtin(name) or name in WINDOW.getters or name in WINDOW.methods

    def set_global(self, name: str, value: JSValue) -> None:
        if name in WINDOW.setters or (
            name.startswith("on") and name[2:].isalpha() and name not in self.machine.globals
        ):
            self.window.set(self.machine, name, value)
        else:
            self.machine.write(self.machine.globals, name, value)

    def _platform(self) -> dict[str, Callable[[], JSValue]]:
        makers: dict[str, Callable[[], JSValue]] = {
            "document": lambda: self.document_object,
            "console": lambda: self._inert("log warn error info debug table group groupEnd time timeEnd assert trace"),
            "navigator": lambda: Unknown("environment", self.machine.at, "element"),
            "screen": lambda: Unknown("environment", self.machine.at, "element"),
            "visualViewport": lambda: Unknown("environment", self.machine.at, "element"),
            "performance": lambda: self._performance(),
            "crypto": lambda: Unknown("random", self.machine.at, "element"),
            "location": lambda: self._location(),
            "history": lambda: self._recorder("history", "pushState replaceState back forward go"),
            "CSS": lambda: self._css(),
            "customElements": lambda: Unknown("unsupported", self.machine.at, "element"),
            "indexedDB": lambda: Unknown("unsupported", self.machine.at, "element"),
            "caches": lambda: Unknown("network", self.machine.at, "element"),
            "Event": lambda: self._constructor("Event", _construct_event),
            "XMLHttpRequest": lambda: self._network_constructor("XMLHttpRequest"),
            "WebSocket": lambda: self._network_constructor("WebSocket"),
            "EventSource": lambda: self._network_constructor("EventSource"),
            "Worker": lambda: self._network_constructor("Worker"),
            "SharedWorker": lambda: self._network_constructor("SharedWorker"),
            "Audio": lambda: self._network_constructor("Audio"),
            "Image": lambda: self._constructor("Image", lambda m, a, t: self.create(XHTML, "img")),
            "CSSStyleSheet": lambda: self._constructor("CSSStyleSheet", lambda m, a, t: SheetObject(self, None)),
            "DOMParser": lambda: self._opaque("DOMParser"),
            "XMLSerializer": lambda: self._opaque("XMLSerializer"),
            "DOMMatrix": lambda: self._opaque("DOMMatrix"),
            "DOMPoint": lambda: self._opaque("DOMPoint"),
            "Path2D": lambda: self._opaque("Path2D"),
            "KeyframeEffect": lambda: self._constructor("KeyframeEffect", _construct_keyframe_effect),
            "Animation": lambda: self._opaque("Animation"),
            "AudioContext": lambda: self._opaque("AudioContext"),
            "Blob": lambda: self._opaque("Blob"),
            "FileReader": lambda: self._opaque("FileReader"),
            "FormData": lambda: self._opaque("FormData"),
            "Headers": lambda: self._opaque("Headers"),
            "Request": lambda: self._network_constructor("Request"),
            "AbortController": lambda: self._opaque("AbortController"),
            "BroadcastChannel": lambda: self._opaque("BroadcastChannel"),
            "MessageChannel": lambda: self._opaque("MessageChannel"),
            "TextEncoder": lambda: self._opaque("TextEncoder"),
            "TextDecoder": lambda: self._opaque("TextDecoder"),
            "URL": lambda: self._opaque("URL", reason="environment"),
            "URLSearchParams": lambda: self._constructor("URLSearchParams", _construct_search_params),
        }
        for name in (
            "CustomEvent",
            "MouseEvent",
            "KeyboardEvent",
            "PointerEvent",
            "UIEvent",
            "InputEvent",
            "TouchEvent",
            "FocusEvent",
        ):
            makers[name] = lambda: self._constructor("Event", _construct_event)
        for name in ("MutationObserver", "IntersectionObserver", "ResizeObserver", "PerformanceObserver"):
            makers[name] = self._observer(name)
        for name, test in _INTERFACES.items():
            makers[name] = self._interface(name, test)
        for name in _UNKNOWN_INTERFACES:
            makers[name] = lambda: Unknown("unsupported", self.machine.at, "function")
        return makers

    def _constructor(self, name: str, construct: Callable[[Any, list[JSValue], JSValue], JSValue]) -> JSValue:
        return self.constructor(
            name, JSObject(self.object_prototype), {}, lambda m, t, a: construct(m, a, t), construct
        )

    def _opaque(self, name: str, reason: str = "unsupported") -> JSValue:
        return self._constructor(name, lambda m, args, target: m.unknown(reason, "element"))

    def _network_constructor(self, name: str) -> JSValue:
        def construct(m: Machine, args: list[JSValue], target: JSValue) -> JSValue:
            m.emit("network", "window", name, self.export(arg(args)))
            return m.unknown("network", "element")

        return self._constructor(name, construct)

    def _observer(self, name: str) -> Callable[[], JSValue]:
        def construct(m: Machine, args: list[JSValue], target: JSValue) -> JSValue:
            m.emit("observer", "window", name, self.export(arg(args)))
            if isinstance(arg(args), FunctionObject):
                self.observers.append(arg(args))
            return m.unknown("layout", "element")

        return lambda: self._constructor(name, construct)

    def _interface(self, name: str, test: Callable[[JSValue], bool]) -> Callable[[], JSValue]:
        def make() -> JSValue:
            made = InterfaceFunction(self.function_prototype, name, _illegal, None)
            made.test = test
            made.props["prototype"] = self.element_prototype
            return made

        return make

    def _inert(self, names: str) -> JSValue:
        return NativeObject(self.object_prototype, dict.fromkeys(names.split(), _nothing))

    def _recorder(self, kind: str, names: str) -> JSValue:
        def record(name: str) -> Callable[[Machine, JSValue, list[JSValue]], JSValue]:
            def run(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
                m.emit(kind, "window", name, tuple(self.export(value) for value in args))
                return UNDEFINED

            return run

        made = NativeObject(self.object_prototype, {name: record(name) for name in names.split()})
        made.props["state"] = NULL
        made.props["scrollRestoration"] = "auto"
        return made

    def _performance(self) -> JSValue:
        made = NativeObject(
            self.object_prototype,
            {"now": _performance_now, "mark": _nothing, "measure": _nothing, "getEntriesByType": _unknown_layout},
        )
        made.props["timeOrigin"] = Unknown("clock", None, "number")
        return made

    def _css(self) -> JSValue:
        def supports(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
            from husky_lint.script.inline_style import accepts

            if len(args) < 2 or type(args[0]) is not str or type(args[1]) is not str:
                return m.unknown("unsupported", "boolean")
            return accepts(args[0], args[1])

        def escape(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
            text = to_string(m, arg(args))
            plain = type(text) is str and text.replace("-", "").replace("_", "").isalnum() and not text[0].isdigit()
            return text if plain else m.unknown("unsupported", "string")

        def register(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
            m.emit("stylesheet-text", "document", "registerProperty", self.export(arg(args)))
            return UNDEFINED

        return NativeObject(
            self.object_prototype, {"supports": supports, "escape": escape, "registerProperty": register}
        )

    def _location(self) -> JSValue:
        made = HostObject(self, self.object_prototype, LOCATION)
        return made

    # --- events

    def target_name(self, target: JSValue) -> Any:
        """How an event target stands in the tables: an element, or a name."""
        if isinstance(target, ElementObject):
            return target.element
        if target is self.document_object:
            return "document"
        if isinstance(target, MediaQueryObject):
            return target.query
        return target if type(target) is Unknown else "window"

    def add_listener(self, target: JSValue, kind: JSValue, handler: JSValue, options: JSValue) -> None:
        """``addEventListener``."""
        machine = self.machine
        name = to_string(machine, kind)
        if handler is NULL or handler is UNDEFINED:
            return
        capture, once = self._listener_options(options)
        where = self.target_name(target)
        machine.emit("listener", where, name if type(name) is str else "", self.export(handler))
        if type(name) is not str or not isinstance(target, NodeObject):
            return
        made = Listener(where, name, handler, capture, once, machine.certain, machine.at)
        if any(l.type == name and l.handler is handler and l.capture == capture for l in target.listeners):
            return
        machine.write(target, "listeners", (*target.listeners, made))

    def _listener_options(self, options: JSValue) -> tuple[bool, bool]:
        if isinstance(options, JSObject):
            return (
                truth(options.get(self.machine, "capture")) is True,
                truth(options.get(self.machine, "once")) is True,
            )
        return truth(options) is True, False

    def remove_listener(self, target: JSValue, kind: JSValue, handler: JSValue, options: JSValue) -> None:
        """``removeEventListener``."""
        if isinstance(target, NodeObject):
            capture, _ = self._listener_options(options)
            kept = tuple(
                l for l in target.listeners if not (l.type == kind and l.handler is handler and l.capture == capture)
            )
            self.machine.write(target, "listeners", kept)

    def set_handler(self, target: JSValue, kind: str, handler: JSValue) -> None:
        """``target.onclick = handler``."""
        machine = self.machine
        if not isinstance(target, NodeObject):
            machine.emit("unknown", self.target_name(target), f"on{kind}", self.export(handler))
            return
        old = target.handlers.get(kind)
        kept = tuple(l for l in target.listeners if not (l.type == kind and l.handler is old and old is not None))
        machine.write(target.handlers, kind, handler)
        machine.write(target.props, f"on{kind}", handler)
        if isinstance(handler, FunctionObject):
            where = self.target_name(target)
            machine.emit("listener", where, kind, handler)
            made = Listener(where, kind, handler, False, False, machine.certain, machine.at)
            kept = (*kept, made)
        machine.write(target, "listeners", kept)

    def inline_handler(self, target: ElementObject, name: str, text: JSValue) -> None:
        """An ``on…`` attribute."""
        if type(text) is not str:
            self.machine.emit("unknown", target.element, name, text)
            return
        code = self.compile_handler(target.element, name, text)
        if code is not None:
            self.set_handler(target, name[2:], code)

    def compile_handler(self, element: _Element, name: str, text: str) -> JSValue | None:
        """The function of an ``on…`` attribute; None if it does not parse."""
        from husky_lint.parse.js import parse_script
        from husky_lint.script.compiler import Compiler
        from husky_lint.script.expressions import make_closure
        from husky_lint.source import SourceText

        spans = self.page.spans(element).attributes.get(name)
        place = spans.value if spans is not None else None
        source = self.page.source
        if place is not None and source.slice(place) == text:
            script = parse_script(source, place.start, place.end)
        else:
            script = parse_script(
                SourceText(source.path, text), at=place or self.machine.at or self.page.spans(element).start_tag
            )
        if script.program is None:
            # A handler may say `return false`, which is no script.
            whole = parse_script(
                SourceText(source.path, f"function handler(event){{{text}\n}}"), at=place or self.machine.at
            )
            if whole.program is None:
                return None
            return make_closure(self.machine, Compiler(whole).function_of(whole.program.body[0]), [None])
        return make_closure(self.machine, Compiler(script).handler(script.program), [None])

    def event(self, kind: str, fields: dict[str, Any]) -> EventObject:
        """A new event. Fields that are not given have what a plain user event has."""
        made = EventObject(self, kind)
        made.fields = {**_EVENT_FIELDS, **fields}
        return made

    def path_of(self, target: JSValue) -> list[NodeObject]:
        """The targets an event passes, innermost first."""
        path: list[NodeObject] = []
        node = target if isinstance(target, NodeObject) else None
        while node is not None and isinstance(node, ElementObject | TextObject):
            path.append(node)
            node = self.parent_of(node)
        inside = not path or (isinstance(path[-1], ElementObject) and path[-1].element is self.root)
        if target is self.window:
            return [self.window]
        if inside and (path or target is self.document_object):
            path += [self.document_object, self.window]
        elif not path and isinstance(target, NodeObject):
            path.append(target)
        return path

    def fire(self, target: JSValue, event: JSObject) -> JSValue:
        """Dispatch an event; true unless its default was prevented."""
        machine = self.machine
        made = event if isinstance(event, EventObject) else self.event("", {})
        made.target = target
        path = self.path_of(target)
        bubbles = made.bubbles
        machine.depth += 1
        machine.spend(1 + len(path))
        if machine.depth > 100:
            machine.spend(10**9)
        try:
            for node in reversed(path):
                if not made.stopped:
                    self._invoke(node, made, capture=True)
            for node in path if bubbles else path[:1]:
                if not made.stopped:
                    self._invoke(node, made, capture=False)
        finally:
            machine.depth -= 1
        return made.prevented.of_kind("boolean") if type(made.prevented) is Unknown else not made.prevented

    def _invoke(self, node: NodeObject, event: EventObject, *, capture: bool) -> None:
        for listener in node.listeners:
            if listener.type != event.kind or listener.capture is not capture or listener not in node.listeners:
                continue
            if event.stopped_now:
                return
            if listener.once:
                self.machine.write(node, "listeners", tuple(l for l in node.listeners if l is not listener))
            event.current = node
            self.run_handler(listener, node, event)

    def run_handler(self, listener: Listener, this: JSValue, event: JSValue) -> None:
        """Call a listener; what it throws ends there."""
        machine = self.machine
        function = listener.handler
        if isinstance(function, JSObject) and not isinstance(function, FunctionObject):
            this, function = function, machine.get(function, "handleEvent")
        if listener.certain:
            self.guarded(lambda: machine.call(function, this, [event]))
        else:
            machine.fork_statements(lambda: self._void(machine.call(function, this, [event])), lambda: None)

    def _void(self, value: JSValue) -> None:
        return None

    def guarded(self, run: Callable[[], JSValue]) -> JSValue:
        """Run a task to its end: an exception that nothing catches is an effect, and then the queue is emptied."""
        machine = self.machine
        outstanding = len(machine.pending)
        depth = machine.depth
        result: JSValue = UNDEFINED
        try:
            result = run()
        except JSThrow as thrown:
            machine.depth = depth
            self._report(thrown.value, thrown.span)
        for path in machine.take_pending(outstanding, lambda completion: True):
            machine.join(path.mark, path.state)
            if path.completion.kind == "throw":
                machine.forks += 1
                self._report(path.completion.value, path.completion.span)
                machine.forks -= 1
        return result

    def _report(self, value: JSValue, span: Any) -> None:
        machine = self.machine
        machine.at = span
        text: Any = None
        name = "throw"
        if isinstance(value, JSObject):
            found = value.get(machine, "message")
            text = found if type(found) is str else None
            kind = value.get(machine, "name")
            name = kind if type(kind) is str else name
        machine.emit("throw", "window", name, text if text is not None else self.export(value))

    def drain(self) -> None:
        """Run the microtasks, and report promises that were rejected and never handled."""
        while self.microtasks:
            self.machine.spend(1)
            task = self.microtasks.pop(0)
            self.guarded(lambda: self._void(task()))  # noqa: B023 - called at once
        for promise, span in self.rejections:
            if id(promise) not in self.handled:
                self._report(promise.value, span)
        self.rejections.clear()

    def click(self, target: ElementObject, event: EventObject) -> None:
        """A click with what the browser does for it: boxes are ticked, labels pass it on."""
        element = target.element
        control = next((e for e in (element, *element.iterancestors()) if local_name(e) in _CONTROLS), element)
        if control.get("disabled") is not None:
            return
        kind = (control.get("type") or "").lower() if local_name(control) == "input" else ""
        toggles = kind in ("checkbox", "radio")
        if toggles:
            state = self.journal.properties.get((control, "checked"))
            on = control.get("checked") is not None if state is None else state
            before = on
            set_checked(self, control, True if kind == "radio" else not on)
        allowed = self.fire(target, event)
        if toggles and allowed is False:
            set_checked(self, control, before)
        elif toggles and (kind == "checkbox" or before is not True):
            for follow_up in ("input", "change"):
                self.fire(self.wrap(control), self.event(follow_up, {}))
        if local_name(control) == "label" and allowed is not False:
            labelled = self._labelled(control)
            if labelled is not None:
                self.click(self.wrap(labelled), self.event("click", {}))
        elif local_name(control) == "summary" and allowed is not False:
            parent = control.getparent()
            if parent is not None:
                self.set_attribute(parent, "open", None if parent.get("open") is not None else "")
        elif local_name(control) == "a" and allowed is not False and control.get("href"):
            self.machine.emit("history", control, "navigate", control.get("href"))

    def _labelled(self, label: _Element) -> _Element | None:
        wanted = label.get("for")
        if wanted:
            found = self.by_id(self.root, wanted)
            return None if type(found) is Unknown else found  # type: ignore[return-value]
        return next((e for e in label.iterdescendants() if local_name(e) in ("input", "select", "button")), None)

    def apply_input(self, element: _Element, fields: dict[str, Any]) -> None:
        """What a person does to a control before its input or change event."""
        if "checked" in fields:
            set_checked(self, element, bool(fields["checked"]))
        if "value" in fields:
            set_property(self, element, "value", str(fields["value"]))

    # --- timers

    def schedule(self, kind: str, handler: JSValue, delay: JSValue, args: list[JSValue]) -> JSValue:
        """``setTimeout`` and its kin; the handle."""
        machine = self.machine
        handle = self.next_handle
        machine.write(self, "next_handle", handle + 1)
        wait = to_number(machine, delay) if delay is not UNDEFINED else 0.0
        if type(wait) is float and (math.isnan(wait) or wait < 0):
            wait = 0.0
        effect = "frame" if kind == "frame" else "timer"
        machine.emit(effect, "window", kind, wait)
        made = Timer(handle, kind, wait, handler, tuple(args), machine.certain, machine.at)
        if len(self.timers) >= 500:
            machine.spend(1000)
        machine.write(self, "timers", {**self.timers, handle: made})
        return handle

    def cancel(self, handle: JSValue) -> None:
        """``clearTimeout`` and its kin."""
        if type(handle) is float and handle in self.timers:
            self.machine.write(self, "timers", {h: t for h, t in self.timers.items() if h != handle})
        elif type(handle) is Unknown:
            self.machine.emit("timer", "window", "clear", handle)

    def run_timer(self, timer: Timer, now: JSValue = None) -> None:
        """Call back a timer or frame."""
        machine = self.machine
        if timer.kind != "interval":
            self.cancel(timer.handle)
        machine.at = timer.span
        if not isinstance(timer.handler, FunctionObject):
            machine.emit("unknown", "window", "setTimeout", self.export(timer.handler))
            return
        args = list(timer.args)
        if timer.kind in ("frame", "idle"):
            args = [self.now() if now is None else now]
        self.guarded(lambda: machine.call(timer.handler, UNDEFINED, args))
        self.drain()

    def now(self) -> JSValue:
        """Milliseconds since the page began to load."""
        if self.clock is not None:
            return self.clock
        return Unknown("clock", self.machine.at, "number", low=0.0)

    # --- style sheets

    def evaluate_media(self, query: str) -> JSValue:
        """Whether a media query matches."""
        import tinycss2

        from husky_lint.style.media import evaluate_media

        if len(query) > 2000:
            return self.machine.unknown("limit", "boolean")
        return evaluate_media(tinycss2.parse_component_value_list(query), self.media)

    def sheet_of(self, element: _Element) -> JSValue:
        """The CSSStyleSheet of a ``<style>`` or ``<link>``."""
        found = self.sheets.get(element)
        if found is None:
            found = self.sheets[element] = SheetObject(self, element)
        return found

    def computed(self, element: _Element, name: str) -> JSValue:
        """``getComputedStyle(element).getPropertyValue(name)``."""
        value = None if self.computed_style is None else self.computed_style(element, name)
        return self.machine.unknown("layout", "string") if value is None else value


class WindowObject(NodeObject):
    """The window, whose properties are the global names."""

    __slots__ = ()
    class_name = "Window"

    def own(self, machine: Machine, key: Any) -> JSValue:
        found = machine.globals.get(key, MISSING)
        if found is MISSING:
            found = super().own(machine, key)
        if found is MISSING and type(key) is str:
            found = self.browser.global_value(key)
        return found

    def missing(self, machine: Machine, key: Any) -> JSValue:
        # Globals of the browser that are not modelled begin in lower case or in upper case alike; those of the script
        # have been set before they are read.
        return self.browser.null if type(key) is str and key.startswith("on") else UNDEFINED

    def set(self, machine: Machine, key: Any, value: JSValue) -> bool:
        if type(key) is str and key not in self.tables.setters and not (key.startswith("on") and key[2:].isalpha()):
            machine.write(machine.globals, key, value)
            return True
        return super().set(machine, key, value)

    def delete(self, machine: Machine, key: Any) -> bool:
        if key in machine.globals:
            machine.write(machine.globals, key, UNDEFINED)
        return True


class InterfaceFunction(NativeFunction):
    """``HTMLElement`` and the like: good for ``instanceof``."""

    __slots__ = ("test",)

    test: Callable[[JSValue], bool]

    @property
    def instance_test(self) -> Callable[[JSValue], bool]:
        return self.test


class EventObject(HostObject):
    """An event."""

    __slots__ = ("current", "fields", "kind", "prevented", "stopped", "stopped_now", "target")
    class_name = "Event"

    def __init__(self, browser: Browser, kind: str) -> None:
        super().__init__(browser, browser.object_prototype, EVENT)
        self.kind = kind
        self.target: JSValue = NULL
        self.current: JSValue = NULL
        self.fields: dict[str, Any] = {}
        self.prevented: Any = False
        self.stopped = False
        self.stopped_now = False

    @property
    def bubbles(self) -> bool:
        given = self.fields.get("bubbles")
        return self.kind in _BUBBLES if given is None else given is True

    def own(self, machine: Machine, key: Any) -> JSValue:
        if key in self.fields and key not in self.props and key != "bubbles":
            return self.fields[key]
        return super().own(machine, key)


class MediaQueryObject(NodeObject):
    """What ``matchMedia`` gives."""

    __slots__ = ("query",)
    class_name = "MediaQueryList"

    def __init__(self, browser: Browser, query: str) -> None:
        super().__init__(browser, browser.object_prototype, MEDIA_QUERY)
        self.query = query


class StorageObject(HostObject):
    """localStorage or sessionStorage."""

    __slots__ = ("name",)
    class_name = "Storage"

    def __init__(self, browser: Browser, name: str) -> None:
        super().__init__(browser, browser.object_prototype, STORAGE)
        self.name = name

    @property
    def store(self) -> dict[str, JSValue]:
        return self.browser.stores[self.name]  # type: ignore[return-value]

    def read(self, machine: Machine, key: JSValue) -> JSValue:
        name = to_string(machine, key)
        machine.emit("storage-read", self.name, name if type(name) is str else "", None)
        if type(name) is Unknown:
            return name.of_kind(None)
        return self.store.get(name, NULL)

    def write(self, machine: Machine, key: JSValue, value: JSValue) -> None:
        name, content = to_string(machine, key), to_string(machine, value)
        machine.emit("storage", self.name, name if type(name) is str else "", content)
        if type(name) is str:
            machine.write(self.store, name, content)

    def own(self, machine: Machine, key: Any) -> JSValue:
        found = super().own(machine, key)
        if found is MISSING and type(key) is str and key in self.store:
            return self.read(machine, key)
        return found

    def missing(self, machine: Machine, key: Any) -> JSValue:
        if type(key) is str:
            machine.emit("storage-read", self.name, key, None)
        return UNDEFINED

    def set(self, machine: Machine, key: Any, value: JSValue) -> bool:
        self.write(machine, key, value)
        return True

    def delete(self, machine: Machine, key: Any) -> bool:
        machine.emit("storage", self.name, str(key), None)
        if key in self.store:
            machine.write(self.store, key, NULL)
        return True

    def own_keys(self) -> list[str]:
        return list(self.store)


class SheetObject(HostObject):
    """A style sheet. What script makes of it is in the effects; ``text`` is what a constructed one holds."""

    __slots__ = ("element", "text")
    class_name = "CSSStyleSheet"

    def __init__(self, browser: Browser, element: _Element | None) -> None:
        super().__init__(browser, browser.object_prototype, SHEET)
        self.element = element
        self.text: JSValue = ""


class ComputedStyle(HostObject):
    """What ``getComputedStyle`` gives."""

    __slots__ = ("element",)
    class_name = "CSSStyleDeclaration"

    def __init__(self, browser: Browser, element: _Element) -> None:
        super().__init__(browser, browser.object_prototype, COMPUTED)
        self.element = element

    def own(self, machine: Machine, key: Any) -> JSValue:
        found = super().own(machine, key)
        if (
            found is MISSING
            and type(key) is str
            and key[:1].isalpha()
            and key not in ("constructor", "toString", "valueOf")
        ):
            from husky_lint.script.inline_style import css_name

            return self.browser.computed(self.element, css_name(key))
        return found


COMPUTED = Tables()
LOCATION = Tables()


@native(COMPUTED.methods, "getPropertyValue")
def _computed_value(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    name = to_string(m, arg(args))
    if not isinstance(this, ComputedStyle) or type(name) is Unknown:
        return m.unknown("layout", "string")
    return this.browser.computed(this.element, name)


def _browser(m: Machine) -> Browser:
    return m.realm  # type: ignore[return-value]


def _nothing(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return UNDEFINED


def _illegal(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    raise m.type_error("Illegal constructor")


def _unknown_layout(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return m.unknown("layout")


def _performance_now(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return _browser(m).now()


def _is_element(value: JSValue) -> bool:
    return isinstance(value, ElementObject) and not value.is_fragment


def _is_html(value: JSValue) -> bool:
    return isinstance(value, ElementObject) and str(value.element.tag).startswith(f"{{{XHTML}}}")


def _is_svg(value: JSValue) -> bool:
    return isinstance(value, ElementObject) and str(value.element.tag).startswith(f"{{{SVG_NAMESPACE}}}")


def _named(*names: str) -> Callable[[JSValue], bool]:
    return lambda value: isinstance(value, ElementObject) and local_name(value.element) in names


_INTERFACES: dict[str, Callable[[JSValue], bool]] = {
    "Node": lambda value: isinstance(value, NodeObject),
    "EventTarget": lambda value: isinstance(value, NodeObject),
    "Element": _is_element,
    "HTMLElement": _is_html,
    "SVGElement": _is_svg,
    "SVGGraphicsElement": _is_svg,
    "HTMLButtonElement": _named("button"),
    "HTMLInputElement": _named("input"),
    "HTMLSelectElement": _named("select"),
    "HTMLTextAreaElement": _named("textarea"),
    "HTMLAnchorElement": lambda value: _is_html(value) and local_name(value.element) == "a",
    "SVGSVGElement": lambda value: _is_svg(value) and local_name(value.element) == "svg",
    "SVGPathElement": lambda value: _is_svg(value) and local_name(value.element) == "path",
    "Text": lambda value: isinstance(value, TextObject),
    "DocumentFragment": lambda value: isinstance(value, ElementObject) and value.is_fragment,
    "NodeList": lambda value: isinstance(value, NodeList),
}
_UNKNOWN_INTERFACES = (
    "Window",
    "Document",
    "HTMLCollection",
    "DOMTokenList",
    "CSSStyleDeclaration",
    "ShadowRoot",
    "DocumentTimeline",
    "CSSAnimation",
    "OffscreenCanvas",
    "Notification",
    "SpeechSynthesisUtterance",
    "DOMRect",
    "MediaQueryList",
    "ReadableStream",
)
_CONTROLS = frozenset({"button", "input", "select", "textarea", "label", "a", "summary", "option"})
_EVENT_FIELDS: dict[str, Any] = {
    "altKey": False,
    "ctrlKey": False,
    "metaKey": False,
    "shiftKey": False,
    "repeat": False,
    "isComposing": False,
    "isTrusted": True,
    "cancelable": True,
    "defaultPrevented": False,
    "button": 0.0,
    "detail": 1.0,
    "isPrimary": True,
}


# --- event objects


@EVENT.getter("type")
def _event_type(b: Browser, event: EventObject) -> JSValue:
    return event.kind


@EVENT.getter("target", "srcElement")
def _event_target(b: Browser, event: EventObject) -> JSValue:
    return event.target


@EVENT.getter("currentTarget")
def _event_current(b: Browser, event: EventObject) -> JSValue:
    return event.current


@EVENT.getter("bubbles")
def _event_bubbles(b: Browser, event: EventObject) -> JSValue:
    return event.bubbles


@EVENT.getter("timeStamp")
def _event_time(b: Browser, event: EventObject) -> JSValue:
    return b.now()


@native(EVENT.methods, "preventDefault")
def _prevent_default(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    if isinstance(this, EventObject):
        m.write(this, "prevented", True if m.certain else m.unknown("branch", "boolean"))
        m.write(this.fields, "defaultPrevented", True)
    return UNDEFINED


@native(EVENT.methods, "stopPropagation")
def _stop_propagation(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    if isinstance(this, EventObject):
        m.write(this, "stopped", True)
    return UNDEFINED


@native(EVENT.methods, "stopImmediatePropagation")
def _stop_immediately(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    if isinstance(this, EventObject):
        m.write(this, "stopped", True)
        m.write(this, "stopped_now", True)
    return UNDEFINED


@native(EVENT.methods, "composedPath")
def _composed_path(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return m.array(_browser(m).path_of(this.target) if isinstance(this, EventObject) else [])


@native(EVENT.methods, "getModifierState")
def _modifier_state(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return False


def _construct_event(m: Machine, args: list[JSValue], target: JSValue) -> JSValue:
    kind = to_string(m, arg(args))
    if type(kind) is not str:
        return m.unknown("unsupported")
    made = EventObject(_browser(m), kind)
    fields: dict[str, Any] = {"bubbles": False, "isTrusted": False}
    options = arg(args, 1)
    if isinstance(options, JSObject):
        fields |= {key: options.get(m, key) for key in options.own_keys()}
    made.fields = {**_EVENT_FIELDS, **fields}
    return made


def _construct_keyframe_effect(m: Machine, args: list[JSValue], target: JSValue) -> JSValue:
    element = arg(args)
    if isinstance(element, ElementObject):
        value = (m.realm.export(arg(args, 1)), m.realm.export(arg(args, 2)))
        m.emit("animation", element.element, "KeyframeEffect", value)
    return m.unknown("clock", "element")


def _construct_search_params(m: Machine, args: list[JSValue], target: JSValue) -> JSValue:
    from urllib.parse import parse_qsl

    text = arg(args)
    if type(text) is not str:
        return text.of_kind("element") if type(text) is Unknown else m.unknown("environment", "element")
    pairs = dict(reversed(parse_qsl(text.removeprefix("?"), keep_blank_values=True)[:100]))

    def get(machine: Machine, this: JSValue, given: list[JSValue]) -> JSValue:
        return pairs.get(arg(given), NULL) if type(arg(given)) is str else machine.unknown("environment")

    def has(machine: Machine, this: JSValue, given: list[JSValue]) -> JSValue:
        return arg(given) in pairs if type(arg(given)) is str else machine.unknown("environment", "boolean")

    return NativeObject(m.realm.object_prototype, {"get": get, "has": has})


# --- window


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
    made = MediaQueryObject(_browser(m), query)
    _browser(m).media_queries.append(made)
    return made


@MEDIA_QUERY.getter("matches")
def _matches(b: Browser, query: MediaQueryObject) -> JSValue:
    return b.evaluate_media(query.query)


@MEDIA_QUERY.getter("media")
def _media(b: Browser, query: MediaQueryObject) -> JSValue:
    return query.query


@native(MEDIA_QUERY.methods, "addListener")
def _add_media_listener(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    _browser(m).add_listener(this, "change", arg(args), UNDEFINED)
    return UNDEFINED


for _name in ("addEventListener", "removeEventListener", "dispatchEvent"):
    for _table in (MEDIA_QUERY, DOCUMENT):
        _table.methods[_name] = NODE.methods[_name]


def _of_window(name: str) -> None:
    """A bare ``addEventListener(…)`` has no ``this``: it is the window's."""
    method = NODE.methods[name]

    def run(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
        return method(m, _browser(m).window if this is UNDEFINED or this is NULL else this, args)

    WINDOW.methods[name] = run


for _name in ("addEventListener", "removeEventListener", "dispatchEvent"):
    _of_window(_name)
MEDIA_QUERY.methods["removeListener"] = _nothing


def _timer(name: str, kind: str) -> None:
    def run(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
        delay = UNDEFINED if kind in ("frame", "idle") else arg(args, 1)
        return _browser(m).schedule(kind, arg(args), delay, args[2:])

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
    _browser(m).cancel(arg(args))
    return UNDEFINED


@native(WINDOW.methods, "queueMicrotask")
def _queue_microtask(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    function = arg(args)
    m.realm.microtasks.append(lambda: _discard(m.call(function, UNDEFINED, [])))
    return UNDEFINED


def _discard(value: JSValue) -> None:
    return None


@native(WINDOW.methods, "getComputedStyle")
def _get_computed_style(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    target = arg(args)
    if isinstance(target, ElementObject):
        return ComputedStyle(_browser(m), target.element)
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


for _name in ("alert", "scrollTo", "scrollBy", "scroll", "focus", "blur", "print", "stop", "moveTo", "resizeTo"):
    WINDOW.methods[_name] = _nothing
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


# --- document


@DOCUMENT.getter("documentElement", "scrollingElement", "firstElementChild")
def _document_element(b: Browser, this: JSValue) -> JSValue:
    return b.wrap(b.root)


def _section(b: Browser, name: str) -> JSValue:
    return next((b.wrap(child) for child in b.root if local_name(child) == name), NULL)


@DOCUMENT.getter("body")
def _body(b: Browser, this: JSValue) -> JSValue:
    return _section(b, "body")


@DOCUMENT.getter("head")
def _head(b: Browser, this: JSValue) -> JSValue:
    return _section(b, "head")


def _title_element(b: Browser) -> _Element | None:
    return next((e for e in b.root.iter(f"{{{XHTML}}}title")), None)


@DOCUMENT.getter("title")
def _title(b: Browser, this: JSValue) -> JSValue:
    element = _title_element(b)
    text = "" if element is None else b.text_of(element)
    return " ".join(text.split()) if type(text) is str else text


@DOCUMENT.setter("title")
def _set_title(b: Browser, this: JSValue, value: JSValue) -> None:
    element = _title_element(b)
    head = _section(b, "head")
    if element is None and isinstance(head, ElementObject):
        made = b.create(XHTML, "title")
        b.insert(head, made, None)
        element = made.element
    if element is not None:
        b.set_text(b.wrap(element), to_string(b.machine, value))


@DOCUMENT.getter("cookie")
def _cookie(b: Browser, this: JSValue) -> JSValue:
    b.machine.emit("storage-read", "cookie", "", None)
    unknown = next((value for value in b.cookies.values() if type(value) is Unknown), None)
    if unknown is not None:
        return unknown.of_kind("string")
    return "; ".join(f"{name}={value}" if name else value for name, value in b.cookies.items())


@DOCUMENT.setter("cookie")
def _set_cookie(b: Browser, this: JSValue, value: JSValue) -> None:
    text = to_string(b.machine, value)
    b.machine.emit(
        "cookie", "document", text.partition("=")[0].strip() if type(text) is str else _cookie_name(text), text
    )
    if type(text) is Unknown:
        b.machine.write(b.cookies, _cookie_name(text), text)
        return
    pair, _, attributes = text.partition(";")
    name, equals, content = pair.partition("=")
    if not equals:
        name, content = "", pair
    expired = "max-age=0" in attributes.replace(" ", "").lower() or "1970" in attributes
    b.machine.write(b.cookies, name.strip(), content.strip() if not expired else "")


def _cookie_name(text: Unknown) -> str:
    first = text.parts[0] if text.parts else ""
    return first.partition("=")[0].strip() if type(first) is str else ""


@DOCUMENT.getter("readyState")
def _ready_state(b: Browser, this: JSValue) -> JSValue:
    return b.ready_state


@DOCUMENT.getter("currentScript")
def _current_script(b: Browser, this: JSValue) -> JSValue:
    return b.current_script


@DOCUMENT.getter("hidden")
def _hidden(b: Browser, this: JSValue) -> JSValue:
    return False


@DOCUMENT.getter("visibilityState")
def _visibility(b: Browser, this: JSValue) -> JSValue:
    return "visible"


@DOCUMENT.getter("compatMode")
def _compat_mode(b: Browser, this: JSValue) -> JSValue:
    return "CSS1Compat"


@DOCUMENT.getter("nodeType")
def _document_type(b: Browser, this: JSValue) -> JSValue:
    return 9.0


@DOCUMENT.getter("nodeName")
def _document_name(b: Browser, this: JSValue) -> JSValue:
    return "#document"


@DOCUMENT.getter("defaultView")
def _default_view(b: Browser, this: JSValue) -> JSValue:
    return b.window


@DOCUMENT.getter(
    "parentNode", "parentElement", "ownerDocument", "textContent", "fullscreenElement", "pointerLockElement"
)
def _no_parent(b: Browser, this: JSValue) -> JSValue:
    return NULL


@DOCUMENT.getter("isConnected")
def _document_connected(b: Browser, this: JSValue) -> JSValue:
    return True


@DOCUMENT.getter("activeElement")
def _active_element(b: Browser, this: JSValue) -> JSValue:
    return _section(b, "body") if b.focused is None else b.focused


@DOCUMENT.getter("URL", "baseURI", "referrer", "domain", "documentURI", "lastModified", "characterSet")
def _document_text(b: Browser, this: JSValue) -> JSValue:
    return b.machine.unknown("environment", "string")


@DOCUMENT.getter("children", "childNodes")
def _document_children(b: Browser, this: JSValue) -> JSValue:
    return b.host_list([b.wrap(b.root)])


@DOCUMENT.getter("childElementCount")
def _document_count(b: Browser, this: JSValue) -> JSValue:
    return 1.0


@DOCUMENT.getter("fonts", "timeline", "implementation", "doctype", "location")
def _document_other(b: Browser, this: JSValue) -> JSValue:
    return b.machine.unknown("environment", "element")


def _collection(*names: str) -> Callable[[Any, Any], JSValue]:
    return lambda b, this: b.host_list([b.wrap(e) for e in b.root.iter() if local_name(e) in names])


DOCUMENT.getters["forms"] = _collection("form")
DOCUMENT.getters["images"] = _collection("img")
DOCUMENT.getters["links"] = _collection("a")
DOCUMENT.getters["scripts"] = _collection("script")


@DOCUMENT.getter("styleSheets")
def _style_sheets(b: Browser, this: JSValue) -> JSValue:
    found = [
        e
        for e in b.root.iter()
        if local_name(e) == "style"
        or (local_name(e) == "link" and "stylesheet" in (e.get("rel") or "").lower().split())
    ]
    return b.host_list([b.sheet_of(e) for e in found])


@DOCUMENT.getter("adoptedStyleSheets")
def _adopted(b: Browser, this: JSValue) -> JSValue:
    found = b.companions.get((None, "adopted"))
    if found is None:
        found = b.companions[None, "adopted"] = b.machine.array([])
    return found


@DOCUMENT.setter("adoptedStyleSheets")
def _set_adopted(b: Browser, this: JSValue, value: JSValue) -> None:
    items = b.machine.iterate(value)
    texts = items if type(items) is Unknown else tuple(getattr(sheet, "text", sheet) for sheet in items)
    b.machine.emit("stylesheet-text", "document", "adoptedStyleSheets", texts)
    b.machine.write(b.companions, (None, "adopted"), value)


@native(DOCUMENT.methods, "createElement")
def _create_element(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    name = to_string(m, arg(args))
    return m.unknown("unsupported", "element") if type(name) is Unknown else _create(m, XHTML, name.lower())


@native(DOCUMENT.methods, "createElementNS")
def _create_element_ns(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    namespace, name = arg(args), to_string(m, arg(args, 1))
    if type(name) is Unknown or type(namespace) is Unknown:
        return m.unknown("unsupported", "element")
    return _create(m, namespace if type(namespace) is str else "", name.rpartition(":")[2])


def _create(m: Machine, namespace: str, name: str) -> JSValue:
    if not name or not (name[0].isalpha() or name[0] == "_") or any(c in name for c in " <>/&\"'"):
        raise _browser(m).dom_error("InvalidCharacterError", f"'{name[:40]}' is not a valid tag name.")
    if any(c in namespace for c in "{} \x00") or not namespace.isprintable():
        return m.unknown("unsupported", "element")
    return _browser(m).create(namespace, name)


@native(DOCUMENT.methods, "createTextNode")
def _create_text_node(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return _browser(m).text_node(to_string(m, arg(args)))


@native(DOCUMENT.methods, "createComment")
def _create_comment(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return _browser(m).text_node(to_string(m, arg(args)), comment=True)


@native(DOCUMENT.methods, "createDocumentFragment")
def _create_fragment(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return _browser(m).fragment()


@native(DOCUMENT.methods, "importNode", "adoptNode")
def _import_node(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    node = arg(args)
    if not isinstance(node, NodeObject):
        return m.unknown("unsupported", "element")
    return _browser(m).clone(node, deep=truth(arg(args, 1)) is True)


@native(DOCUMENT.methods, "createEvent")
def _create_event(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return m.unknown("unsupported", "element")


@native(DOCUMENT.methods, "write", "writeln")
def _document_write(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    m.emit("unknown", "document", "write", m.realm.export(arg(args)))
    return UNDEFINED


@native(DOCUMENT.methods, "hasFocus")
def _has_focus(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return True


for _name in ("elementFromPoint elementsFromPoint getAnimations createRange createTreeWalker createNodeIterator execCommand "
              "exitFullscreen getSelection startViewTransition evaluate caretRangeFromPoint").split():  # fmt: skip
    DOCUMENT.methods[_name] = _unknown_layout


def _no_insertion(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    raise _browser(m).dom_error("HierarchyRequestError", "Only one element on document allowed.")


for _name in ("append", "prepend", "appendChild", "insertBefore", "removeChild", "replaceChild", "replaceChildren"):
    DOCUMENT.methods[_name] = _no_insertion
for _name in ("remove", "before", "after", "replaceWith"):
    DOCUMENT.methods.pop(_name, None)


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
