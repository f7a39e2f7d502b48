"""What the scripts of a page do, found out without running them: the token map.

:class:`ScriptModel` loads a page as a browser would, on the lxml tree of its document, and then answers what an event
does. No code of the page is handed to a JavaScript engine; see :mod:`husky_lint.script.machine` for how it is followed.
"""

from __future__ import annotations

import math
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

from lxml import etree

from husky_lint.script.browser import Browser
from husky_lint.script.compiler import compile_script
from husky_lint.script.effects import Effect, Listener, Response, StorageModel, Timer
from husky_lint.script.journal import apply_all, undo_all
from husky_lint.script.machine import Machine
from husky_lint.script.nodes import ElementObject, NodeObject
from husky_lint.script.query import local_name
from husky_lint.script.settling import Present, settle, trigger_of
from husky_lint.script.values import NULL, UNDEFINED, Closure, JSValue, LimitReached, Unknown
from husky_lint.style.words import words

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence

    from lxml.etree import _Element

    from husky_lint.parse.html import HtmlDocument
    from husky_lint.parse.js import Script
    from husky_lint.script.browser import AnimationsHook
    from husky_lint.script.hosts import MediaQueryObject
    from husky_lint.script.journal import Journal, TreeMutation
    from husky_lint.script.machine import State
    from husky_lint.source import Span
    from husky_lint.style.media import MediaContext

T = TypeVar("T")

LOAD_STEPS = 600_000
EVENT_STEPS = 200_000
SURVEY_STEPS = 1_500_000
MODEL_STEPS = 2_500_000
"""What one model may cost in all, however often the page is worked; what comes after that is limited at once."""
_RECURSION = 12_000
_MAX_TARGETS = 64
_MAX_REMEMBERED = 5_000
_MAX_LATER = 12
_MAX_OCCASIONS = 400
_HANDLING = etree.XPath("descendant-or-self::*[@*[starts-with(name(), 'on')]]")
"""The elements with an attribute that may be an event handler."""
_KEYS = ("ArrowRight", "ArrowLeft", " ")


class PageScript(Protocol):
    """A script of the page: ``element`` is its ``<script>``; ``deferred`` ones run after parsing."""

    @property
    def script(self) -> Script: ...
    @property
    def element(self) -> _Element: ...
    @property
    def deferred(self) -> bool: ...


@dataclass(frozen=True, slots=True, eq=False)
class ScriptDriven:
    """An element that script moves by itself: ``part`` is an attribute or ``style/PROPERTY``."""

    element: _Element
    part: str
    effect: Effect


@dataclass(frozen=True, slots=True)
class _Loaded:
    """A page that has just loaded, with what is not in its journal."""

    mutations: tuple[TreeMutation, ...]
    present: Present
    left: int
    limit: bool


@dataclass(frozen=True, slots=True)
class _Event:
    """What an event has done to the page as loading left it, so that it can be done again without the script."""

    state: State
    effects: tuple[Effect, ...]
    doubtful: tuple[_Element, ...]
    observers: tuple[JSValue, ...]
    queries: tuple[MediaQueryObject, ...]
    steps: int
    at: Span | None


class ScriptModel:
    """The scripts of a page, in one view of it.

    ``scripts`` are those that the page runs, in document order. ``computed_style(element, property)`` answers
    ``getComputedStyle`` from the tree as it is at that moment (None: unknown), ``animations_of(media, mutations)`` what
    style sheets animate on the tree that has these mutations. ``storage`` is what the browser
    remembers from earlier visits. ``reversed_literal`` is the node of a literal that is to give its items in the other
    order, to see what follows it. After :meth:`load` the tree shows the loaded page, as it stands a second later or
    (``settles`` false, or with a ``virtual_clock``, on which time passes when it is told to) before anything that waits
    has happened; undo :attr:`journal` to get the source's back.
    """

    def __init__(
        self,
        document: HtmlDocument,
        scripts: Sequence[PageScript],
        media: MediaContext,
        *,
        storage: StorageModel | None = None,
        computed_style: Callable[[_Element, str], str | None] | None = None,
        animations_of: AnimationsHook | None = None,
        virtual_clock: bool = False,
        settles: bool = True,
        reversed_literal: Any = None,
    ) -> None:
        self.document = document
        self.scripts = tuple(scripts)
        self.media = media
        self._reversed_literal = reversed_literal
        self._left = MODEL_STEPS
        kept = storage or StorageModel()
        self._machine = Machine(
            lambda machine: Browser(machine, document, media, kept, computed_style, animations_of), steps=LOAD_STEPS
        )
        self._browser: Browser = self._machine.realm  # type: ignore[assignment]
        self._browser.clock = 0.0 if virtual_clock else None
        self._settles = settles and not virtual_clock
        self.limit = False
        self.loaded = 0
        self._put_away: _Loaded | None = None
        self._events: dict[Hashable, _Event] = {}

    # --- what is there to see

    @property
    def journal(self) -> Journal:
        """Everything that has happened; :attr:`loaded` is the mark behind loading."""
        return self._machine.journal

    @property
    def effects(self) -> tuple[Effect, ...]:
        """What script has done so far, in order, also where it was undone since."""
        return tuple(self._machine.effects)

    @property
    def unknown(self) -> Mapping[tuple[_Element, str], Unknown]:
        """What cannot be told of the present tree: (element, part); the parts are those of ``MarkUnknown``."""
        return self.journal.unknown

    @property
    def properties(self) -> Mapping[tuple[_Element, str], object]:
        """State of elements that is no attribute: (element, ``checked`` or ``value``)."""
        return self.journal.properties

    @property
    def listeners(self) -> tuple[Listener, ...]:
        """The event listeners there are now, in the order of their targets in the document; window and queries last."""
        browser = self._browser
        nodes: list[NodeObject] = [*browser.wrappers.values(), browser.document_object, browser.window]
        found = [listener for node in nodes for listener in node.listeners]
        found.extend(listener for query in browser.media_queries for listener in query.listeners)
        return tuple(found)

    @property
    def timers(self) -> tuple[Timer, ...]:
        """Timers and frames that wait."""
        return tuple(self._browser.timers.values())

    @property
    def cookies(self) -> Mapping[str, JSValue]:
        """The cookies there are now."""
        return dict(self._browser.cookies)

    def global_value(self, name: str) -> Any:
        """A global variable of the page, in plain Python where it is known; None if there is none."""
        return self._browser.export(self._machine.globals.get(name, UNDEFINED))

    # --- loading

    def load(self) -> None:
        """Load the page: run its scripts where a browser would, each seeing only what has been parsed by then."""
        machine, browser = self._machine, self._browser
        with self._budget(LOAD_STEPS):
            self._inline_handlers()
            for script in self.scripts:
                if not script.deferred:
                    with self._parsed_up_to(script.element):
                        self._run(script)
            for script in self.scripts:
                if script.deferred:
                    self._run(script)
            machine.write(browser, "ready_state", "interactive")
            self._fire(browser.document_object, "DOMContentLoaded", {})
            machine.write(browser, "ready_state", "complete")
            self._fire(browser.window, "load", {})
            self._fire(browser.window, "pageshow", {})
            for _ in range(20):
                due = [t for t in browser.timers.values() if t.kind == "timeout" and t.delay == 0.0 and t.certain]
                for timer in due:
                    if timer.handle in browser.timers:
                        browser.run_timer(timer)
                if not due:
                    break
        if self.limit:
            machine.pending.clear()
            machine.forks = 0
        elif self._settles and browser.timers:
            self._settle()
        self.loaded = self.journal.mark()

    def _settle(self) -> None:
        """Let the page stand as it does a second later, if that is not too much to follow."""
        machine, browser = self._machine, self._browser
        before = Present.of(machine, browser)
        with self._budget(EVENT_STEPS):
            settle(machine, browser)
        if self.limit:
            before.restore(machine, browser)
            self.limit = False
        machine.trigger = "load"

    def put_away(self) -> None:
        """Give the tree back as it was before loading; the model's own variables stay as loading left them."""
        machine, browser = self._machine, self._browser
        self._put_away = _Loaded(
            self.journal.since(0),
            Present.of(machine, browser),
            self._left,
            self.limit,
        )
        undo_all(self._put_away.mutations)

    def show(self) -> None:
        """Let the tree show the loaded page, of a model that was put away; its mutations take that back."""
        apply_all(self._idle().mutations)

    @contextmanager
    def at_work(self) -> Iterator[ScriptModel]:
        """The page freshly loaded, for the time of the block, of a model that was put away.

        The tree shows it, nothing that was done to it in earlier blocks is left, and its whole budget is there again.
        Raises RuntimeError where the page is at work already.
        """
        loaded = self._idle()
        self._put_away = None
        left, self._left = self._left, loaded.left
        self._forget(loaded)
        apply_all(loaded.mutations)
        try:
            yield self
        finally:
            self.journal.undo_to(self.loaded)
            undo_all(loaded.mutations)
            self._forget(loaded)
            self._left, self._put_away = left, loaded

    def let_go(self) -> None:
        """Open the circles that its objects hang together in; it cannot be used after that."""
        for one in (self._browser, self._machine, self):
            vars(one).clear()

    def _idle(self) -> _Loaded:
        if self._put_away is None:
            msg = "the page is at work"
            raise RuntimeError(msg)
        return self._put_away

    def _forget(self, loaded: _Loaded) -> None:
        loaded.present.forget_later(self._machine, self._browser)
        self.limit = loaded.limit

    def _run(self, page_script: PageScript) -> None:
        browser = self._browser
        program = compile_script(page_script.script, self._reversed_literal)
        if program is None:
            return
        browser.current_script = NULL if page_script.script.module else browser.wrap(page_script.element)
        try:
            browser.guarded(lambda: program.run(self._machine))
            browser.drain()
        finally:
            browser.current_script = NULL

    def _inline_handlers(self) -> None:
        for element in cast("list[_Element]", _HANDLING(self.document.root)):
            for name, value in element.attrib.items():
                if str(name).startswith("on"):
                    wrapper = self._browser.wrap(element)
                    self._browser.inline_handler(wrapper, str(name), str(value))

    @contextmanager
    def _parsed_up_to(self, element: _Element) -> Iterator[None]:
        """What the parser has not reached yet is not in the tree; it comes back behind what script has added."""
        waiting: list[tuple[_Element, str, list[_Element]]] = []
        inner: _Element | None = element
        while inner is not None:
            parent = inner.getparent()
            if parent is None:
                break
            later = list(inner.itersiblings(etree.Element))
            for node in later:
                parent.remove(node)
            waiting.append((parent, inner.tail or "", later))
            inner.tail = None
            inner = parent
        self._browser.forget_answers()
        try:
            yield
        finally:
            self._browser.forget_answers()
            for parent, text, later in waiting:
                if len(parent):
                    parent[-1].tail = ((parent[-1].tail or "") + text) or None
                else:
                    parent.text = ((parent.text or "") + text) or None
                for node in later:
                    parent.append(node)
                known = self._browser.wrappers.get(parent)
                if known is not None:
                    known.kids = None

    @contextmanager
    def _budget(self, steps: int) -> Iterator[None]:
        """Steps and recursion for one task. Beyond them the state is what it is then, and :attr:`limit` is set."""
        machine = self._machine
        machine.steps = allowed = min(steps, self._left)
        machine.depth = 0
        recursion = sys.getrecursionlimit()
        if recursion < _RECURSION:
            sys.setrecursionlimit(_RECURSION)
        try:
            yield
        except (LimitReached, RecursionError, MemoryError):
            self.limit = True
            self._left -= 1_000
            machine.forks = 0
            machine.pending.clear()
            machine.steps = 1_000
            machine.emit("limit", "window", machine.trigger)
        finally:
            self._left = max(0, self._left - max(0, allowed - max(0, machine.steps)))
            machine.depth = 0
            if recursion < _RECURSION:
                sys.setrecursionlimit(recursion)

    # --- events

    def _fire(self, target: NodeObject, kind: str, fields: dict[str, Any]) -> None:
        browser = self._browser
        event = browser.event(kind, fields)
        if kind == "click" and isinstance(target, ElementObject):
            browser.guarded(lambda: browser.click(target, event))
        else:
            browser.guarded(lambda: browser.fire(target, event))
        browser.drain()

    def _target(self, target: Any) -> NodeObject | None:
        browser = self._browser
        if target == "document":
            return browser.document_object
        if target == "window":
            return browser.window
        if isinstance(target, str):
            return next((query for query in browser.media_queries if query.query == target), None)
        return browser.wrap(target) if etree.iselement(target) else None

    def dispatch(self, target: Any, event_type: str, **fields: Any) -> tuple[Effect, ...]:
        """Let an event happen and keep what comes of it.

        ``target`` is an element, ``document``, ``window`` or a media query's text. ``fields`` are properties of the
        event (``key="ArrowRight"``); ``value`` and ``checked`` are what a person enters before ``input`` and
        ``change``.
        """
        if len(self.journal.entries) != self.loaded:
            return self._dispatch(target, event_type, fields)
        # The page is as loading left it: there an event does the same each time.
        key = (target, event_type, *sorted(fields.items()))
        known = self._events.get(key)
        if known is not None and known.steps < self._left:
            return self._again(known)
        machine, browser = self._machine, self._browser
        maybe, observers, queries = len(machine.maybe), len(browser.observers), len(browser.media_queries)
        limit, left = self.limit, self._left
        effects = self._dispatch(target, event_type, fields)
        if self.limit == limit and len(self.journal.entries) - self.loaded < _MAX_REMEMBERED:
            steps, machine.steps = machine.steps, EVENT_STEPS
            state = machine.capture(self.loaded)
            machine.steps = steps
            self._events[key] = _Event(
                state,
                effects,
                tuple(machine.maybe[maybe:]),
                tuple(browser.observers[observers:]),
                tuple(browser.media_queries[queries:]),
                left - self._left,
                machine.at,
            )
        return effects

    def _again(self, event: _Event) -> tuple[Effect, ...]:
        machine, browser = self._machine, self._browser
        machine.steps = EVENT_STEPS
        machine.replay(event.state)
        machine.effects.extend(event.effects)
        _add(machine.maybe, event.doubtful)
        _add(browser.observers, event.observers)
        _add(browser.media_queries, event.queries)
        machine.steps = EVENT_STEPS - event.steps
        machine.at = event.at
        self._left -= event.steps
        return event.effects

    def _dispatch(self, target: Any, event_type: str, fields: dict[str, Any]) -> tuple[Effect, ...]:
        machine, browser = self._machine, self._browser
        node = self._target(target)
        start = len(machine.effects)
        if node is None:
            return ()
        machine.trigger = event_type
        with self._budget(EVENT_STEPS):
            if isinstance(node, ElementObject) and event_type in ("input", "change"):
                browser.apply_input(node.element, {k: fields.pop(k) for k in ("value", "checked") if k in fields})
            if event_type.startswith("key"):
                fields.setdefault("code", _code_of(fields.get("key")))
            if event_type == "change" and isinstance(target, str):
                fields.setdefault("matches", browser.evaluate_media(target))
                fields.setdefault("media", target)
            plain = {k: float(v) if type(v) is int else v for k, v in fields.items()}
            self._fire(node, event_type, plain)
        machine.trigger = "idle"
        return tuple(machine.effects[start:])

    def run_callback(self, timer: Timer, *, now: float | None = None) -> tuple[Effect, ...]:
        """Let a timer or frame happen and keep what comes of it; ``now`` in milliseconds is what a frame is given."""
        machine = self._machine
        start = len(machine.effects)
        machine.trigger = trigger_of(timer)
        with self._budget(EVENT_STEPS):
            self._browser.run_timer(timer, now)
        machine.trigger = "idle"
        return tuple(machine.effects[start:])

    def advance(self, milliseconds: float, *, frames: float = 1000 / 60) -> tuple[Effect, ...]:
        """Let time pass on the virtual clock: timers when they are due, a frame every ``frames`` milliseconds.

        Of a delay that is drawn at random the longest is taken; a timer whose delay has no bound waits.
        """
        browser, machine = self._browser, self._machine
        start = len(machine.effects)
        clock = browser.clock
        if clock is None:
            return ()
        due: dict[float, float] = {}
        end, frame = clock + milliseconds, clock
        while True:
            for timer in browser.timers.values():
                delay = _latest(timer)
                if timer.handle not in due and delay is not None:
                    due[timer.handle] = clock + delay
            waiting = [
                (due[t.handle], t)
                for t in browser.timers.values()
                if t.kind in ("timeout", "interval") and t.handle in due
            ]
            next_timer = min(waiting, key=lambda pair: pair[0], default=None)
            animating = [t for t in browser.timers.values() if t.kind == "frame"]
            moment = min(next_timer[0] if next_timer else end + 1, frame + frames if animating else end + 1)
            if moment > end or self.limit:
                break
            clock = max(moment, clock)
            machine.write(browser, "clock", clock)
            if animating and moment == frame + frames:
                frame = moment
                for timer in animating:
                    self.run_callback(timer, now=clock)
            elif next_timer is not None:
                timer = next_timer[1]
                due[timer.handle] = clock + max(_latest(timer) or 0.0, 1.0)
                self.run_callback(timer)
        machine.write(browser, "clock", end)
        return tuple(machine.effects[start:])

    # --- what everything does

    def survey(self) -> tuple[Response, ...]:
        """What each listener and each waiting callback does to the page as it is now. Everything is undone again."""
        occasions = [
            (listener, target, fields) for listener in self.listeners for target, fields in self._occasions(listener)
        ]
        responses: list[Response] = []
        left = SURVEY_STEPS
        for listener, target, fields in occasions[:_MAX_OCCASIONS]:
            if left < 0:
                responses.append(Response(listener, target, listener.type, fields, (), (), limit=True))
                continue
            responses.append(self._probe(listener, target, listener.type, fields))
            left -= EVENT_STEPS - self._machine.steps
        for timer in self.timers[:_MAX_OCCASIONS]:
            if left < 0:
                responses.append(Response(timer, "window", trigger_of(timer), {}, (), (), limit=True))
                continue
            responses.append(self._probe_timer(timer))
            left -= EVENT_STEPS - self._machine.steps
        return tuple(responses)

    def _probe(self, listener: Listener, target: Any, kind: str, fields: dict[str, Any]) -> Response:
        mark = self.journal.mark()
        before, self.limit = self.limit, False
        waiting = {timer.handle for timer in self.timers}
        effects = self.dispatch(target, kind, **fields)
        mutations = self.journal.since(mark)
        later = self._later(waiting)
        limit, self.limit = self.limit, before
        self.journal.undo_to(mark)
        return Response(listener, target, kind, fields, effects, mutations, limit, later)

    def _later(self, known: set[float]) -> tuple[Effect, ...]:
        """Run the timers and frames that are not among the known ones, and what they set in turn, each once."""
        effects: tuple[Effect, ...] = ()
        left = _MAX_LATER
        while left and (new := [timer for timer in self.timers if timer.handle not in known]):
            for timer in new[:left]:
                known.add(timer.handle)
                effects += self.run_callback(timer)
            left -= len(new[:left])
        return effects

    def _probe_timer(self, timer: Timer) -> Response:
        mark = self.journal.mark()
        before, self.limit = self.limit, False
        effects = self.run_callback(timer)
        if timer.kind == "frame":
            # The first frame often only takes the time.
            for again in [t for t in self.timers if t.kind == "frame" and t.handle > timer.handle][:4]:
                effects += self.run_callback(again)
        mutations = self.journal.since(mark)
        limit, self.limit = self.limit, before
        self.journal.undo_to(mark)
        return Response(timer, "window", trigger_of(timer), {}, effects, mutations, limit)

    def _occasions(self, listener: Listener) -> Iterator[tuple[Any, dict[str, Any]]]:
        """On what, and how, an event may reach a listener."""
        target = listener.target
        if type(target) is Unknown:
            return
        if listener.type.startswith("key"):
            for key in self.keys_of(listener):
                yield target, {"key": key}
        elif listener.type in ("click", "pointerdown", "pointerup", "mousedown", "mouseup") and self._delegates(target):
            yield from ((element, {}) for element in self._controls_in(target))
        elif listener.type in ("input", "change") and etree.iselement(target):
            yield from self._inputs_of(target)
        else:
            yield target, {}

    def _delegates(self, target: Any) -> bool:
        return isinstance(target, str) or local_name(target) not in ("button", "a", "input", "label", "summary")

    def _controls_in(self, target: Any) -> list[_Element]:
        root = self.document.root if isinstance(target, str) else target
        controls = [
            e for e in root.iter(etree.Element) if local_name(e) in ("button", "a", "input", "label", "summary")
        ]
        own = [] if isinstance(target, str) else [target]
        return [*own, *controls][:_MAX_TARGETS] or [root]

    def _inputs_of(self, target: _Element) -> Iterator[tuple[Any, dict[str, Any]]]:
        for element in list(target.iter(etree.Element))[:2000]:
            name, kind = local_name(element), (element.get("type") or "").lower()
            if name == "select":
                for option in element.iter(etree.Element):
                    if local_name(option) == "option":
                        yield element, {"value": option.get("value", "".join(map(str, option.itertext())).strip())}
            elif name == "input" and kind in ("checkbox", "radio"):
                yield element, {"checked": True}
                if kind == "checkbox":
                    yield element, {"checked": False}
            elif name == "input" and kind == "range":
                for value in (element.get("min") or "0", element.get("max") or "100"):
                    yield element, {"value": value}
            elif name in ("input", "textarea"):
                yield element, {}

    def keys_of(self, listener: Listener) -> tuple[str, ...]:
        """The keys a listener may ask for: the usual ones, and the strings in its source that name keys."""
        keys = dict.fromkeys(_KEYS)
        handler = listener.handler
        if isinstance(handler, Closure) and handler.code.node is not None:
            for text in _strings_in(handler.code.node):
                key = _KEY_OF_CODE.get(text, text)
                if len(key) == 1 or key in _NAMED_KEYS:
                    keys[key] = None
                elif key.startswith("Key") and len(key) == 4:
                    keys[key[3].lower()] = None
        return tuple(keys)[:40]

    def script_driven(self) -> tuple[ScriptDriven, ...]:
        """What script moves by itself, on frames and timers, by attributes and inline style, and by ``animate()``.

        The animations that it makes while the page loads are no part of this: they belong to the states.
        """
        found: dict[tuple[Any, str], ScriptDriven] = {}
        loading = [effect for effect in self.effects if effect.kind == "smil"]
        waiting = [effect for timer in self.timers[:100] for effect in self._probe_timer(timer).effects]
        for effect in (*loading, *waiting):
            element = effect.element
            if element is None:
                continue
            if effect.kind in ("animation", "smil"):
                part = effect.kind
            elif effect.trigger in ("frame", "timer") and effect.kind == "style-property":
                part = f"style/{effect.name}"
            elif effect.trigger in ("frame", "timer") and effect.kind == "attribute":
                part = effect.name
            else:
                continue
            found.setdefault((element, part), ScriptDriven(element, part, effect))
        return tuple(found.values())

    def mutations(self) -> tuple[TreeMutation, ...]:
        """What the present tree differs in from the source, oldest first."""
        return self.journal.since(0)


def _add(there: list[T], added: Iterable[T]) -> None:
    """What is not there yet."""
    there.extend(one for one in added if not any(one is other for other in there))


_NAMED_KEYS = words(
    """
    ArrowRight ArrowLeft ArrowUp ArrowDown Enter Escape Home End PageUp PageDown Tab Backspace Delete Spacebar Right
    Left
    """
)  # fmt: skip
_KEY_OF_CODE = {"Space": " "}


def _latest(timer: Timer) -> float | None:
    """Milliseconds that a timer waits at most; None where they are not bounded."""
    delay = timer.delay
    if type(delay) is Unknown:
        return delay.high if math.isfinite(delay.high) else None
    return float(delay)


def _code_of(key: Any) -> str:
    if not isinstance(key, str):
        return ""
    if len(key) == 1 and key.isalpha():
        return f"Key{key.upper()}"
    if len(key) == 1 and key.isdigit():
        return f"Digit{key}"
    return "Space" if key == " " else key


def _strings_in(node: Any) -> list[str]:
    from husky_lint.script.scope import children

    found: list[str] = []
    stack = [node]
    while stack and len(found) < 200:
        inner = stack.pop()
        if inner.type == "Literal":
            if isinstance(inner.value, str):
                found.append(inner.value)
        else:
            if inner.type == "Property" and not inner.computed and inner.key.type == "Identifier":
                found.append(inner.key.name)
            stack.extend(children(inner))
    return found
