"""The browser around the page: window, document, events, storage, timers and the rest of the platform.

What depends on the clock, the layout, the network or the person in front of the page is unknown, and what script does
to any of these is an effect.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from husky_lint.parse.html import XHTML
from husky_lint.script import animation_api, document_api, event_api, platform_names, sheet_api, window_api
from husky_lint.script.animation_api import (
    AnimationObject,
    EffectObject,
    StyleAnimationObject,
    construct_animation,
    construct_keyframe_effect,
)
from husky_lint.script.effects import Listener, StorageModel, Timer
from husky_lint.script.element_api import HTML, SVG, TEXT, set_checked, set_property
from husky_lint.script.event_api import (
    EVENT_FIELDS,
    construct_event,
    construct_search_params,
)
from husky_lint.script.event_targets import event_target_interface
from husky_lint.script.hosts import (
    DOCUMENT,
    LOCATION,
    WINDOW,
    EventObject,
    InterfaceFunction,
    MediaQueryObject,
    SheetObject,
    WindowObject,
    illegal,
    nothing,
    performance_now,
    unknown_layout,
)
from husky_lint.script.interfaces import INTERFACES, UNKNOWN_INTERFACES, element_interface, event_interface
from husky_lint.script.natives import arg
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
    Unknown,
)
from husky_lint.script.written_rules import take_up_adopted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lxml.etree import _Element

    from husky_lint.parse.html import HtmlDocument
    from husky_lint.script.animations import StyledAnimation
    from husky_lint.script.journal import TreeMutation
    from husky_lint.script.machine import Machine
    from husky_lint.style.media import MediaContext

    StyleHook = Callable[[_Element, str], str | None]
    AnimationsHook = Callable[[MediaContext, Sequence[TreeMutation]], Sequence[StyledAnimation] | None]

# Imported for what they enter into the tables.
_PLATFORM = (animation_api, document_api, event_api, sheet_api, window_api)
_CONTROLS = frozenset({"button", "input", "select", "textarea", "label", "a", "summary", "option"})


class Browser(Realm, DocumentTree):
    """The realm of a page."""

    def __init__(
        self,
        machine: Machine,
        page: HtmlDocument,
        media: MediaContext,
        storage: StorageModel,
        computed_style: StyleHook | None,
        animations_of: AnimationsHook | None = None,
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
        self.answers = {}
        self.ids = {}
        self.html_tables, self.svg_tables, self.text_tables = HTML, SVG, TEXT
        self.element_prototype = self._bare_prototype()
        self.style_prototype = self._style_prototype()
        self.list_prototype = self._list_prototype()
        self.methods: dict[tuple[int, str], NativeFunction] = {}
        self.companions: dict[tuple[Any, str], JSValue] = {}
        self.document_object = NodeObject(self, self.element_prototype, DOCUMENT)
        self.window = WindowObject(self, self.object_prototype, WINDOW)
        self.global_object = self.window
        self.cookies: dict[str, JSValue] = dict(storage.cookies)
        self.stores: dict[str, dict[str, JSValue]] = {
            "localStorage": dict(storage.local),
            "sessionStorage": dict(storage.session),
        }
        self.ready_state = "loading"
        self.current_script: JSValue = NULL
        self.focused: JSValue = None
        self.timers: dict[float, Timer] = {}
        self.next_handle = 1.0
        self.animations_made = 0
        self.animation_objects: dict[tuple[_Element, int | str], AnimationObject] = {}
        self.animations_of = animations_of
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
        if isinstance(container, EffectObject):
            self.machine.write(container, key, value.untold() if key == "made" else value or elsewhere)
            return
        if isinstance(container, Browser):
            if key == "timers":
                self.machine.write(container, "timers", {**elsewhere, **value})
            elif key == "next_handle":
                self.machine.write(container, "next_handle", max(elsewhere, value))
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
        if name in platform_names.FUNCTIONS:
            test = element_interface(name)
            made: JSValue = Unknown("unsupported", self.machine.at, "function")
            if test is not None:
                made = self.builtins[name] = self._interface(name, test)()
            return made
        if name in platform_names.EVENTS:
            event = self.builtins[name] = self._event(name)
            return event
        if name in platform_names.VALUES:
            return Unknown("unsupported", self.machine.at)
        if name[:2] == "on" and name[2:] in platform_names.HANDLERS:
            return NULL
        named = self.by_id(self.root, name) if name else None
        if named is not None:
            return named if type(named) is Unknown else self.wrap(named)
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
            "performance": self._performance,
            "crypto": lambda: Unknown("random", self.machine.at, "element"),
            "location": self._location,
            "history": lambda: self._recorder("history", "pushState replaceState back forward go"),
            "CSS": self._css,
            "customElements": lambda: Unknown("unsupported", self.machine.at, "element"),
            "indexedDB": lambda: Unknown("unsupported", self.machine.at, "element"),
            "caches": lambda: Unknown("network", self.machine.at, "element"),
            "Event": lambda: self._event("Event"),
            "XMLHttpRequest": lambda: self._network_constructor("XMLHttpRequest"),
            "WebSocket": lambda: self._network_constructor("WebSocket"),
            "EventSource": lambda: self._network_constructor("EventSource"),
            "Worker": lambda: self._network_constructor("Worker"),
            "SharedWorker": lambda: self._network_constructor("SharedWorker"),
            "Audio": lambda: self._network_constructor("Audio"),
            "Image": lambda: self._constructor("Image", lambda m, a, t: self.create(XHTML, "img")),
            "Option": lambda: self._constructor("Option", lambda m, a, t: self._option(a)),
            "CSSStyleSheet": lambda: self._constructor("CSSStyleSheet", lambda m, a, t: SheetObject(self, None)),
            "DOMParser": lambda: self._opaque("DOMParser"),
            "XMLSerializer": lambda: self._opaque("XMLSerializer"),
            "DOMMatrix": lambda: self._opaque("DOMMatrix"),
            "DOMPoint": lambda: self._opaque("DOMPoint"),
            "Path2D": lambda: self._opaque("Path2D"),
            "KeyframeEffect": lambda: self._class("KeyframeEffect", EffectObject, construct_keyframe_effect),
            "Animation": lambda: self._class("Animation", AnimationObject, construct_animation),
            "CSSAnimation": lambda: self._class("CSSAnimation", StyleAnimationObject, None),
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
            "URLSearchParams": lambda: self._constructor("URLSearchParams", construct_search_params),
        }
        for name in ("MutationObserver", "IntersectionObserver", "ResizeObserver", "PerformanceObserver"):
            makers[name] = self._observer(name)
        for name, test in INTERFACES.items():
            makers[name] = self._interface(name, test)
        makers["EventTarget"] = lambda: event_target_interface(self)
        for name in UNKNOWN_INTERFACES:
            makers[name] = lambda: Unknown("unsupported", self.machine.at, "function")
        return makers

    def _option(self, args: list[JSValue]) -> JSValue:
        """``new Option(text, value, defaultSelected, selected)``."""
        made = self.create(XHTML, "option")
        text = to_string(self.machine, arg(args)) if arg(args) is not UNDEFINED else ""
        if text != "":
            self.set_text(made, text)
        if arg(args, 1) is not UNDEFINED:
            self.set_attribute(made.element, "value", to_string(self.machine, arg(args, 1)))
        chosen = truth(arg(args, 2))
        if chosen is not False:
            self.set_attribute(made.element, "selected", "" if chosen else self.machine.unknown("branch", "string"))
        return made

    def _constructor(self, name: str, construct: Callable[[Any, list[JSValue], JSValue], JSValue]) -> JSValue:
        return self.constructor(
            name, JSObject(self.object_prototype), {}, lambda m, t, a: construct(m, a, t), construct
        )

    def _class(
        self, name: str, kind: type, construct: Callable[[Any, list[JSValue], JSValue], JSValue] | None
    ) -> JSValue:
        """A constructor whose ``instanceof`` is told by the kind of object."""
        made = InterfaceFunction(self.function_prototype, name, illegal, construct)
        made.test = lambda value: isinstance(value, kind)
        made.props["prototype"] = JSObject(self.object_prototype)
        return made

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

    def _event(self, name: str) -> JSValue:
        def construct(m: Machine, args: list[JSValue], target: JSValue) -> JSValue:
            event = construct_event(m, args, target)
            if isinstance(event, EventObject):
                event.interface = name
            return event

        made = InterfaceFunction(self.function_prototype, name, illegal, construct)
        made.test = event_interface(name)
        made.props["prototype"] = JSObject(self.object_prototype)
        return made

    def _interface(self, name: str, test: Callable[[JSValue], bool]) -> Callable[[], JSValue]:
        def text(m: Machine, args: list[JSValue], target: JSValue) -> JSValue:
            return self.text_node("" if arg(args) is UNDEFINED else to_string(m, arg(args)))

        constructs = {"Text": text, "DocumentFragment": lambda m, args, target: self.fragment()}

        def make() -> JSValue:
            made = InterfaceFunction(self.function_prototype, name, illegal, constructs.get(name))
            made.test = test
            made.props["prototype"] = self.element_prototype
            return made

        return make

    def _inert(self, names: str) -> JSValue:
        return NativeObject(self.object_prototype, dict.fromkeys(names.split(), nothing))

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
            {"now": performance_now, "mark": nothing, "measure": nothing, "getEntriesByType": unknown_layout},
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
        return HostObject(self, self.object_prototype, LOCATION)

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
        if any(
            listener.type == name and listener.handler is handler and listener.capture == capture
            for listener in target.listeners
        ):
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
                listener
                for listener in target.listeners
                if not (listener.type == kind and listener.handler is handler and listener.capture == capture)
            )
            self.machine.write(target, "listeners", kept)

    def set_handler(self, target: JSValue, kind: str, handler: JSValue) -> None:
        """``target.onclick = handler``."""
        machine = self.machine
        if not isinstance(target, NodeObject):
            machine.emit("unknown", self.target_name(target), f"on{kind}", self.export(handler))
            return
        old = target.handlers.get(kind)
        kept = tuple(
            listener
            for listener in target.listeners
            if not (listener.type == kind and listener.handler is old and old is not None)
        )
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
        made.fields = {**EVENT_FIELDS, **fields}
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
                self.machine.write(node, "listeners", tuple(other for other in node.listeners if other is not listener))
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
        depth, tries = machine.depth, machine.tries
        result: JSValue = UNDEFINED
        machine.tries = 0
        try:
            result = run()
        except JSThrow as thrown:
            machine.depth = depth
            self._report(thrown.value, thrown.span)
        finally:
            machine.tries = tries
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
            found = _stored(value, "message")
            text = found if type(found) is str else None
            kind = _stored(value, "name")
            name = kind if type(kind) is str else name
        machine.emit("throw", "window", name, text if text is not None else self.export(value))

    def drain(self) -> None:
        """Run the microtasks, and report promises that were rejected and never handled."""
        while self.microtasks:
            self.machine.spend(10)
            task = self.microtasks.pop(0)
            self.guarded(lambda: self._void(task()))  # noqa: B023 - called at once
        take_up_adopted(self)
        for promise, span in self.rejections:
            if id(promise) not in self.handled:
                self._report(promise.value, span)
        self.rejections.clear()

    def click(self, target: ElementObject, event: EventObject) -> JSValue:
        """A click with what the browser does for it: boxes are ticked, labels pass it on."""
        element = target.element
        control = next((e for e in (element, *element.iterancestors()) if local_name(e) in _CONTROLS), element)
        if control.get("disabled") is not None:
            return False
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
        return allowed

    def _labelled(self, label: _Element) -> _Element | None:
        wanted = label.get("for")
        if wanted:
            found = self.by_id(self.root, wanted)
            return None if type(found) is Unknown else found
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

    def styled_animations(self) -> Sequence[StyledAnimation] | None:
        """The animations that style sheets make on the page as it is; None where they cannot be told."""
        if self.animations_of is None or self.ready_state == "loading":
            return None
        if any(part[0] != "#" and not part.startswith(("aria-", "property/")) for _, part in self.journal.unknown):
            return None
        self.machine.spend(500)
        return self.animations_of(self.media, self.journal.since(0))

    def computed(self, element: _Element, name: str) -> JSValue:
        """``getComputedStyle(element).getPropertyValue(name)``."""
        value = None if self.computed_style is None else self.computed_style(element, name)
        return self.machine.unknown("layout", "string") if value is None else value


def _stored(value: JSObject, key: str) -> JSValue:
    """A property without calling anything."""
    holder: JSObject | None = value
    while holder is not None:
        if key in holder.props:
            return holder.props[key]
        holder = holder.proto
    return UNDEFINED
