"""What script asks the browser to load: by an interface of its own, by an element, or by style text.

The table of effects holds all of it, but in the terms of what was written; here it is in terms of URLs.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from lxml import etree

from husky_lint.references import XLINK_HREF, Kind, element_urls, stylesheet_references, token_urls
from husky_lint.script.query import local_name
from husky_lint.script.values import Unknown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from lxml.etree import _Element

    from husky_lint.parse.js import Script
    from husky_lint.script.effects import Effect
    from husky_lint.source import Span

MAX_REQUESTS = 1_000
_INTERFACES = frozenset({"fetch", "WebSocket", "EventSource", "Worker", "SharedWorker", "Audio", "import"})
_URL_ATTRIBUTES = frozenset({"src", "href", XLINK_HREF, "data", "srcset", "poster", "background", "content", "rel"})
#: These load as soon as they have a source; all others when they are in the document.
_EAGER = frozenset({"img", "video", "audio", "source"})
_MAX_NODES = 5_000


@dataclass(frozen=True, slots=True, eq=False)
class ScriptRequest:
    """One thing that script makes the browser load.

    ``how`` is the interface (``fetch``, ``XMLHttpRequest``, ``WebSocket``, ``EventSource``, ``sendBeacon``,
    ``serviceWorker``, ``Worker``, ``SharedWorker``, ``Audio``, ``FontFace``, ``import``, ``location``), the tag of an
    element with its ``attributes``, or ``style``. ``kind`` says what is loaded, where an element or style says it.
    """

    how: str
    kind: Kind
    url: str | Unknown
    trigger: str
    certain: bool
    span: Span | None
    element: _Element | None = None
    attributes: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def prefix(self) -> str:
        """What is known of how the URL begins; all of it where it is known."""
        if isinstance(self.url, str):
            return self.url
        if self.url.choices and all(isinstance(choice, str) for choice in self.url.choices):
            return str(self.url.choices[0])
        known = ""
        for part in self.url.parts or ():
            if not isinstance(part, str):
                break
            known += part
        return known


def script_requests(effects: Iterable[Effect], root: _Element) -> tuple[ScriptRequest, ...]:
    """What the effects load, each URL of a place in the script once. ``root`` is that of the page's document."""
    seen: set[tuple[Any, ...]] = set()
    found: list[ScriptRequest] = []
    for request in _Reader(root).read(effects):
        key = (request.how, request.kind, request.prefix, request.span, request.certain)
        if key not in seen and len(found) < MAX_REQUESTS:
            seen.add(key)
            found.append(request)
    return tuple(found)


class _Reader:
    """Follows what elements script makes and changes, as the tree is no longer as it was at each effect."""

    def __init__(self, root: _Element) -> None:
        self.root = root
        self.written: dict[_Element, dict[str, str | None]] = {}
        self.inserted: set[_Element] = set()

    def read(self, effects: Iterable[Effect]) -> Iterator[ScriptRequest]:
        for effect in effects:
            kind = effect.kind
            if kind == "network":
                yield from self._interface(effect)
            elif kind == "unknown":
                yield from self._call(effect)
            elif kind == "attribute":
                yield from self._attribute(effect)
            elif kind == "insert":
                yield from self._insertion(effect)
            elif kind in ("style-property", "stylesheet-text", "insert-rule"):
                yield from self._style(effect)
            elif kind == "history" and effect.name == "location" and effect.trigger == "load":
                yield from _request(effect, "location", Kind.REFRESH, effect.value)

    def _interface(self, effect: Effect) -> Iterator[ScriptRequest]:
        if effect.name in _INTERFACES and effect.element is None:
            yield from _request(effect, effect.name, Kind.OTHER, "null" if effect.value is None else effect.value)

    def _call(self, effect: Effect) -> Iterator[ScriptRequest]:
        """Methods of objects that are not followed, told by what they are called on."""
        arguments = effect.value if isinstance(effect.value, tuple) else ()
        reason = effect.target.reason if isinstance(effect.target, Unknown) else ""
        if effect.name == "open" and reason == "network" and len(arguments) > 1:
            yield from _request(effect, "XMLHttpRequest", Kind.OTHER, arguments[1])
        elif effect.name == "sendBeacon" and arguments:
            yield from _request(effect, "sendBeacon", Kind.OTHER, arguments[0])
        elif effect.name == "register" and reason == "environment" and arguments:
            yield from _request(effect, "serviceWorker", Kind.OTHER, arguments[0])
        elif effect.name == "FontFace" and len(arguments) > 1 and isinstance(arguments[1], str):
            for url in _value_urls(arguments[1]):
                yield from _request(effect, "FontFace", Kind.FONT, url)
        elif effect.name == "write" and effect.target == "document" and isinstance(effect.value, str):
            yield from self._markup(effect, effect.value)

    def _markup(self, effect: Effect, text: str) -> Iterator[ScriptRequest]:
        from husky_lint.script.markup import TooLarge, parse_fragment

        body = next((child for child in self.root if local_name(child) == "body"), self.root)
        try:
            holder = parse_fragment(text, body)
        except TooLarge:
            return
        for element in holder.iter(etree.Element):
            yield from _element_requests(effect, element, element)

    def _attribute(self, effect: Effect) -> Iterator[ScriptRequest]:
        element = effect.element
        if element is None:
            return
        value = effect.value
        if effect.name == "style":
            if isinstance(value, str):
                yield from _style_requests(effect, value)
            return
        if isinstance(value, Unknown):
            if effect.name in ("src", "href", XLINK_HREF, "data") and self._loads(element):
                yield from _unknown_source(effect, element, value)
            return
        self.written.setdefault(element, {})[effect.name] = None if value is None else str(value)
        if effect.name in _URL_ATTRIBUTES and self._loads(element):
            for request in _element_requests(effect, element, self._now(element)):
                if request.kind is not Kind.ICON or effect.name == "href":
                    yield request

    def _loads(self, element: _Element) -> bool:
        return local_name(element) in _EAGER or self._connected(element)

    def _connected(self, element: _Element) -> bool:
        above: _Element | None = element
        while above is not None:
            if above is self.root or above in self.inserted:
                return True
            above = above.getparent()
        return False

    def _now(self, element: _Element) -> _Element:
        """A stand-in with the attributes that the element had at this moment."""
        copy = etree.Element(element.tag)
        for name, value in {
            **{str(k): str(v) for k, v in element.attrib.items()},
            **self.written.get(element, {}),
        }.items():
            if value is not None:
                try:
                    copy.set(name, value)
                except ValueError:
                    continue
        return copy

    def _insertion(self, effect: Effect) -> Iterator[ScriptRequest]:
        node = effect.value
        if not etree.iselement(node):
            return
        self.inserted.add(node)
        for number, element in enumerate(node.iter(etree.Element)):
            if number > _MAX_NODES:
                return
            yield from _element_requests(effect, element, self._now(element))

    def _style(self, effect: Effect) -> Iterator[ScriptRequest]:
        texts = effect.value if isinstance(effect.value, tuple) else (effect.value,)
        for text in texts:
            if not isinstance(text, str) or ("url(" not in text.lower() and "@import" not in text.lower()):
                continue
            if effect.kind == "style-property":
                yield from _style_requests(effect, text)
            else:
                from husky_lint.parse.css import parse_stylesheet
                from husky_lint.source import SourceText

                for reference in stylesheet_references(parse_stylesheet(SourceText("", text))):
                    yield from _request(effect, "style", reference.kind, reference.url)


def _request(
    effect: Effect, how: str, kind: Kind, url: Any, element: _Element | None = None, now: _Element | None = None
) -> Iterator[ScriptRequest]:
    if isinstance(url, (str, Unknown)):
        attributes = {} if now is None else {str(name): str(value) for name, value in now.attrib.items()}
        yield ScriptRequest(
            how, kind, url, effect.trigger, effect.certain, effect.span, element, MappingProxyType(attributes)
        )


def _element_requests(effect: Effect, element: _Element, now: _Element) -> Iterator[ScriptRequest]:
    tag = local_name(element)
    for kind, _, url, loaded in element_urls(now):
        if loaded:
            yield from _request(effect, tag, kind, url, element, now)
    if "url(" in (now.get("style") or "").lower():
        yield from _style_requests(effect, now.get("style") or "")


def _unknown_source(effect: Effect, element: _Element, value: Unknown) -> Iterator[ScriptRequest]:
    tag = local_name(element)
    probe = etree.Element(element.tag, {str(k): str(v) for k, v in element.attrib.items()})
    probe.set(effect.name, "unknown")
    for kind, attribute, _, loaded in element_urls(probe):
        if loaded and attribute == effect.name:
            yield from _request(effect, tag, kind, value, element, probe)


def _style_requests(effect: Effect, text: str) -> Iterator[ScriptRequest]:
    for url in _value_urls(text):
        yield from _request(effect, "style", Kind.CSS_IMAGE, url)


def _value_urls(text: str) -> Iterator[str]:
    from tinycss2 import parse_component_value_list

    yield from token_urls(parse_component_value_list(text))


# ---------------------------------------------------------------- code that was not seen to run


@dataclass(frozen=True, slots=True)
class Mention:
    """A network interface in code that no event was seen to reach.

    ``url`` is the literal it is given. ``dead`` says that a function around it is mentioned nowhere, so never called.
    """

    api: str
    url: str | None
    span: Span
    dead: bool


_CALLS = frozenset({"fetch", "sendBeacon", "importScripts", "register"})
_CONSTRUCTORS = frozenset({"XMLHttpRequest", "WebSocket", "EventSource", "Worker", "SharedWorker"})
_MENTIONED = re.compile("|".join(sorted(_CALLS | _CONSTRUCTORS)) + r"|import\s*\(")
_FUNCTIONS = frozenset({"FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"})


def unreached_requests(
    scripts: Iterable[Script], requests: Iterable[ScriptRequest], markup: str = ""
) -> tuple[Mention, ...]:
    """Network interfaces in the scripts that none of the requests comes from. ``markup`` may call functions too."""
    looked = [script for script in scripts if script.at is None and _MENTIONED.search(script.text)]
    if not looked:
        return ()
    reached = [request.span for request in requests if request.span is not None]
    names = Counter(re.findall(r"[\w$]+", markup))
    calls: list[tuple[Script, Any, str, tuple[str, ...]]] = []
    for script in scripts:
        if script.program is not None:
            for node, around in _walk(script.program):
                if node.type == "Identifier":
                    names[node.name] += 1
                elif script in looked and (api := _api_of(node)) is not None:
                    calls.append((script, node, api, around))
    found = []
    for script, node, api, around in calls:
        span = script.span(node)
        if not any(r.file == span.file and r.start < span.end and span.start < r.end for r in reached):
            dead = any(name and names[name] <= 1 for name in around)
            found.append(Mention(api, _literal_url(node, api), span, dead))
    return tuple(found)


def _walk(program: Any) -> Iterator[tuple[Any, tuple[str, ...]]]:
    """Every node with the names of the functions around it, "" for one without."""
    from husky_lint.script.scope import children

    stack: list[tuple[Any, tuple[str, ...], str]] = [(program, (), "")]
    while stack:
        node, around, given = stack.pop()
        yield node, around
        if node.type in _FUNCTIONS:
            own = getattr(node, "id", None)
            around = (*around, own.name if own is not None else given)
        for child in children(node):
            name = ""
            if node.type == "VariableDeclarator" and child is node.init and node.id.type == "Identifier":
                name = node.id.name
            stack.append((child, around, name))


def _api_of(node: Any) -> str | None:
    if node.type == "ImportExpression":
        return "import"
    if node.type not in ("CallExpression", "NewExpression"):
        return None
    callee = node.callee
    if callee.type == "Import":
        return "import"
    name = callee.name if callee.type == "Identifier" else None
    if callee.type == "MemberExpression" and not callee.computed:
        name = callee.property.name if callee.property.type == "Identifier" else None
        if name == "register":
            owner = callee.object
            worker = owner.type == "MemberExpression" and getattr(owner.property, "name", "") == "serviceWorker"
            return "serviceWorker" if worker else None
    if node.type == "NewExpression":
        return name if name in _CONSTRUCTORS else None
    return name if name in _CALLS and name != "register" else None


def _literal_url(node: Any, api: str) -> str | None:
    arguments = list(getattr(node, "arguments", None) or ())
    source = getattr(node, "source", None)
    first = source if source is not None else (arguments[0] if arguments else None)
    if api == "XMLHttpRequest" or first is None or first.type != "Literal" or not isinstance(first.value, str):
        return None
    return str(first.value)
