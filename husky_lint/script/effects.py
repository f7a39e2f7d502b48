"""What script does, as a table: one row for each thing written, and when."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lxml.etree import _Element

    from husky_lint.script.journal import TreeMutation
    from husky_lint.script.values import FunctionObject, JSValue, Unknown
    from husky_lint.source import Span

ENDLESS: Final = "endless loop"
"""Name of the ``limit`` effect of a loop whose test cannot fail and whose body has no way out."""


@dataclass(frozen=True, slots=True, eq=False)
class Effect:
    """One thing that script does.

    ``kind``: ``attribute``, ``class``, ``style-property``, ``text``, ``insert``, ``remove``, ``property``,
    ``stylesheet-text``, ``insert-rule``, ``cookie``, ``storage-read``, ``storage``, ``history``, ``network``,
    ``timer``, ``frame``, ``animation``, ``listener``, ``smil``, ``throw``, ``observer``, ``media-query``, ``unknown``
    (something is called or written that cannot be followed) and ``limit``.

    ``target`` is an lxml element, ``window``, ``document``, another name, or :class:`Unknown`. ``value`` holds plain
    Python values where they are known (``str``, ``float``, ``bool``, tuples and dictionaries of these).
    ``trigger`` is when: ``load``, an event type (``click``, ``keydown`` …), ``timer``, ``frame``, ``idle``.
    ``certain`` is false for what happens on one side of a branch that is not decided; ``guarded`` true where a ``try``
    around it, or around a call that led to it, catches what it throws.
    """

    kind: str
    target: Any
    name: str
    value: Any
    trigger: str
    certain: bool
    span: Span | None
    guarded: bool = False

    @property
    def element(self) -> _Element | None:
        """The target, if it is an element."""
        return None if isinstance(self.target, str) or not hasattr(self.target, "attrib") else self.target


@dataclass(frozen=True, slots=True, eq=False)
class Listener:
    """An event listener: ``target`` is an lxml element, ``document``, ``window`` or a media query's text."""

    target: Any
    type: str
    handler: JSValue
    capture: bool
    once: bool
    certain: bool
    span: Span | None

    @property
    def element(self) -> _Element | None:
        """The target, if it is an element."""
        return None if isinstance(self.target, str) or not hasattr(self.target, "attrib") else self.target


@dataclass(frozen=True, slots=True, eq=False)
class Timer:
    """A callback for later: ``kind`` is ``timeout``, ``interval``, ``frame``, ``idle``; ``delay`` in milliseconds."""

    handle: float
    kind: str
    delay: float | Unknown
    handler: FunctionObject | JSValue
    args: tuple[JSValue, ...]
    certain: bool
    span: Span | None


@dataclass(frozen=True, slots=True, eq=False)
class Response:
    """What one event does to the loaded page: on ``target``, with the event's ``fields`` (``key`` …).

    ``later`` are the effects of the timers and frames that it sets, each run once; ``mutations`` are without them.
    """

    listener: Listener | Timer
    target: Any
    type: str
    fields: Mapping[str, Any]
    effects: tuple[Effect, ...]
    mutations: tuple[TreeMutation, ...]
    limit: bool = False
    later: tuple[Effect, ...] = ()

    @property
    def element(self) -> _Element | None:
        """The target, if it is an element."""
        return None if isinstance(self.target, str) or not hasattr(self.target, "attrib") else self.target


@dataclass(frozen=True, slots=True)
class StorageModel:
    """What the browser remembers before the page loads: cookies, localStorage and sessionStorage."""

    cookies: Mapping[str, str] = field(default_factory=dict)
    local: Mapping[str, str] = field(default_factory=dict)
    session: Mapping[str, str] = field(default_factory=dict)
