"""The values that the abstract interpreter computes with.

===============  =====================================================================
JavaScript       here
===============  =====================================================================
undefined, null  :data:`UNDEFINED`, :data:`NULL`
boolean          ``bool``
number           ``float``, always
bigint           ``int``
string           ``str``; astral characters count as two where JavaScript counts units
symbol           :class:`Symbol`
object           :class:`JSObject` and its subclasses
cannot be told   :class:`Unknown`
===============  =====================================================================
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

if TYPE_CHECKING:
    from collections.abc import Callable

    from husky_lint.script.machine import Machine
    from husky_lint.source import Span

# One of the rows above. A union would have to be narrowed at each of the thousand places where an operator has just
# looked at the type; the interpreter dispatches on type() instead.
JSValue = Any


class Undefined:
    """The type of :data:`UNDEFINED`."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "undefined"

    def __bool__(self) -> bool:
        return False


class Null:
    """The type of :data:`NULL`."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "null"

    def __bool__(self) -> bool:
        return False


UNDEFINED = Undefined()
NULL = Null()


@final
@dataclass(slots=True, eq=False)
class Unknown:
    """A value that the source does not tell. Never changed; thousands are made, and frozen each would take longer.

    ``reason`` is a key (``random``, ``clock``, ``layout``, ``network``, ``environment``, ``branch``, ``limit``,
    ``unsupported``); ``span`` is the expression it comes from. What is known all the same: ``kind`` (a ``typeof``
    result), for numbers the range ``low`` to ``high`` (``high`` itself excluded where ``open``) and whether they are
    whole, for strings the ``parts`` they are joined from, and a few ``choices`` where the value is one of those.
    """

    reason: str
    span: Span | None = None
    kind: str | None = None
    low: float = -math.inf
    high: float = math.inf
    open: bool = False
    whole: bool = False
    parts: tuple[JSValue, ...] | None = None
    choices: tuple[JSValue, ...] | None = None

    def number(
        self, low: float = -math.inf, high: float = math.inf, *, open_: bool = False, whole: bool = False
    ) -> Unknown:
        """An unknown number for the same reason; a range that makes no sense is no range."""
        if not low <= high:
            low, high = -math.inf, math.inf
        return Unknown(self.reason, self.span, "number", low, high, open=open_, whole=whole)

    def of_kind(self, kind: str | None) -> Unknown:
        """An unknown value of a type, for the same reason."""
        return Unknown(self.reason, self.span, kind)

    def text(self, parts: tuple[JSValue, ...]) -> Unknown:
        """An unknown string made of known and unknown parts, in order."""
        return Unknown(self.reason, self.span, "string", parts=parts if len(parts) <= 32 else None)

    def __repr__(self) -> str:
        if self.parts is not None:
            return "".join(part if isinstance(part, str) else f"{{{part!r}}}" for part in self.parts)
        if self.choices is not None:
            return " | ".join(map(repr, self.choices))
        if self.kind == "number" and (self.low > -math.inf or self.high < math.inf):
            return f"{self.low:g}…{self.high:g}"
        return f"unknown({self.reason})"


UNKNOWN_NUMBER = "--unknown()"
"""Stands in a style sheet for a number that is not known: a function of the author's, whose value nobody tells."""


def text_with_numbers_for(value: JSValue, stand_in: str) -> str | None:
    """A string in which only numbers are unknown, with a stand-in for each of them; None for any other value."""
    if type(value) is str:
        return value
    if type(value) is not Unknown:
        return None
    if value.kind == "number":
        return stand_in
    found = [text_with_numbers_for(part, stand_in) for part in value.parts or ()]
    texts = [text for text in found if text is not None]
    return "".join(texts) if texts and len(texts) == len(found) else None


class Symbol:
    """A symbol; only identity matters."""

    __slots__ = ("description",)

    def __init__(self, description: str = "") -> None:
        self.description = description


ITERATOR = Symbol("Symbol.iterator")
TO_PRIMITIVE = Symbol("Symbol.toPrimitive")
TO_STRING_TAG = Symbol("Symbol.toStringTag")
HAS_INSTANCE = Symbol("Symbol.hasInstance")
ASYNC_ITERATOR = Symbol("Symbol.asyncIterator")
WELL_KNOWN = {
    "iterator": ITERATOR,
    "toPrimitive": TO_PRIMITIVE,
    "toStringTag": TO_STRING_TAG,
    "hasInstance": HAS_INSTANCE,
    "asyncIterator": ASYNC_ITERATOR,
}


@dataclass(frozen=True, slots=True, eq=False)
class Accessor:
    """A property with a getter, a setter, or both."""

    getter: JSValue = UNDEFINED
    setter: JSValue = UNDEFINED


class Missing:
    """What a container holds at a key it does not have."""

    __slots__ = ()


MISSING = Missing()
# The key under which a dictionary is journaled as a whole, so that the order of its keys comes back too.
WHOLE = Missing()


class Hole:
    """A missing element of an array."""

    __slots__ = ()


HOLE = Hole()


def array_index(key: JSValue) -> int:
    """The index that a property key spells, or -1."""
    if type(key) is str and key.isdigit() and key.isascii() and (key[0] != "0" or key == "0") and len(key) < 11:
        return int(key)
    return -1


class JSObject:
    """An ordinary object.

    ``unknown`` is set when the object as a whole went out of sight (given to code that is not followed, or changed on
    one side of a branch that is not decided): every property of it is unknown then.
    """

    __slots__ = ("frozen", "hidden", "props", "proto", "unknown")
    class_name = "Object"

    def __init__(self, proto: JSObject | None = None, props: dict[Any, JSValue] | None = None) -> None:
        self.props: dict[Any, JSValue] = {} if props is None else props
        self.proto = proto
        self.hidden: frozenset[Any] = frozenset()
        self.frozen = False
        self.unknown: Unknown | None = None

    def own(self, machine: Machine, key: Any) -> JSValue:
        """The own property as stored, an :class:`Accessor` included, or :data:`MISSING`."""
        return self.props.get(key, MISSING)

    def get(self, machine: Machine, key: Any) -> JSValue:
        """[[Get]]."""
        if self.unknown is not None:
            return self.unknown
        holder: JSObject | None = self
        while holder is not None:
            found = holder.own(machine, key)
            if found is not MISSING:
                if type(found) is Accessor:
                    return UNDEFINED if found.getter is UNDEFINED else machine.call(found.getter, self, [])
                return found
            holder = holder.proto
        return UNDEFINED

    def set(self, machine: Machine, key: Any, value: JSValue) -> bool:
        """[[Set]]; False where JavaScript refuses (a frozen object, a getter alone)."""
        props = self.props
        found = props.get(key, MISSING)
        if found is MISSING:
            holder = self.proto
            while holder is not None:
                inherited = holder.own(machine, key)
                if inherited is not MISSING:
                    found = inherited if type(inherited) is Accessor else MISSING
                    break
                holder = holder.proto
        if type(found) is Accessor:
            if found.setter is UNDEFINED:
                return False
            machine.call(found.setter, self, [value])
            return True
        if self.frozen:
            return False
        machine.log.append((props, key, props.get(key, MISSING)))
        props[key] = value
        return True

    def define(self, machine: Machine, key: Any, value: JSValue, *, hidden: bool = False) -> None:
        """CreateDataProperty, whatever setters the prototypes have."""
        machine.log.append((self.props, key, self.props.get(key, MISSING)))
        self.props[key] = value
        if hidden:
            self.hidden |= {key}

    def delete(self, machine: Machine, key: Any) -> bool:
        """[[Delete]]."""
        if self.frozen:
            return key not in self.props
        if key in self.props:
            machine.spend(len(self.props) >> 4)
            machine.log.append((self.props, WHOLE, dict(self.props)))
            del self.props[key]
        return True

    def own_keys(self) -> list[str]:
        """Own enumerable string keys in order: indices ascending, then the rest as they were added."""
        names = [key for key in self.props if type(key) is str and key not in self.hidden]
        if any(name[:1].isdigit() for name in names):
            indices = sorted((name for name in names if array_index(name) >= 0), key=int)
            return indices + [name for name in names if array_index(name) < 0]
        return names


class ArrayObject(JSObject):
    """An array; ``items`` may hold :data:`HOLE`. ``epoch``: when ``items`` was last written to the journal."""

    __slots__ = ("epoch", "items")
    class_name = "Array"

    def __init__(self, proto: JSObject | None, items: list[JSValue]) -> None:
        super().__init__(proto)
        self.items = items
        self.epoch = -1

    def touch(self, machine: Machine) -> list[JSValue]:
        """The items, about to be changed."""
        if self.epoch != machine.journal.epoch:
            self.epoch = machine.journal.epoch
            machine.spend(len(self.items) >> 4)
            machine.log.append((self, "items", list(self.items)))
        return self.items

    def own(self, machine: Machine, key: Any) -> JSValue:
        index = array_index(key)
        if index >= 0:
            if index < len(self.items):
                item = self.items[index]
                return MISSING if item is HOLE else item
            return MISSING
        if key == "length":
            return float(len(self.items))
        return self.props.get(key, MISSING)

    def set(self, machine: Machine, key: Any, value: JSValue) -> bool:
        if self.unknown is not None:
            return True
        index = array_index(key)
        if index >= 0:
            return self.set_item(machine, index, value)
        if key == "length":
            return self._set_length(machine, value)
        return super().set(machine, key, value)

    def set_item(self, machine: Machine, index: int, value: JSValue) -> bool:
        """``array[index] = value``."""
        if self.frozen:
            return False
        items = self.touch(machine)
        if index < len(items):
            items[index] = value
        else:
            self._grow(machine, index)
            items.append(value)
        return True

    def _grow(self, machine: Machine, size: int) -> None:
        missing = size - len(self.items)
        if missing > 0:
            machine.check_size(size)
            self.items.extend([HOLE] * missing)

    def _set_length(self, machine: Machine, value: JSValue) -> bool:
        if self.frozen:
            return False
        if type(value) is not float or value < 0 or not value.is_integer():
            machine.write(self, "unknown", machine.unknown("unsupported"))
            return True
        items = self.touch(machine)
        size = int(value)
        if size < len(items):
            del items[size:]
        self._grow(machine, size)
        return True

    def define(self, machine: Machine, key: Any, value: JSValue, *, hidden: bool = False) -> None:
        index = array_index(key)
        if index >= 0:
            self.set_item(machine, index, value)
        else:
            super().define(machine, key, value, hidden=hidden)

    def delete(self, machine: Machine, key: Any) -> bool:
        index = array_index(key)
        if 0 <= index < len(self.items):
            self.touch(machine)[index] = HOLE
            return True
        return super().delete(machine, key)

    def own_keys(self) -> list[str]:
        return [str(i) for i, item in enumerate(self.items) if item is not HOLE] + super().own_keys()


class MapObject(JSObject):
    """A Map or (``is_set``) a Set: ``table`` goes from a hashable key to (key, value)."""

    __slots__ = ("epoch", "is_set", "table", "weak")
    class_name = "Map"

    def __init__(self, proto: JSObject | None, *, is_set: bool, weak: bool = False) -> None:
        super().__init__(proto)
        self.table: dict[Any, tuple[JSValue, JSValue]] = {}
        self.is_set = is_set
        self.weak = weak
        self.epoch = -1

    def own(self, machine: Machine, key: Any) -> JSValue:
        if key == "size" and not self.weak:
            return float(len(self.table))
        return super().own(machine, key)


class BoxedObject(JSObject):
    """``new Number(1)`` and the like, and a Date: an object around one value."""

    __slots__ = ("value",)
    class_name = "Boxed"

    def __init__(self, proto: JSObject | None, value: JSValue) -> None:
        super().__init__(proto)
        self.value = value


class ErrorObject(JSObject):
    """An Error."""

    __slots__ = ()
    class_name = "Error"


class PromiseObject(JSObject):
    """A promise: ``state`` is ``pending``, ``fulfilled``, ``rejected`` or ``unknown``; reactions wait while pending."""

    __slots__ = ("reactions", "state", "value")
    class_name = "Promise"

    def __init__(self, proto: JSObject | None) -> None:
        super().__init__(proto)
        self.state = "pending"
        self.value: JSValue = UNDEFINED
        self.reactions: tuple[tuple[JSValue, JSValue, PromiseObject], ...] = ()


_FLAGS = {"global": "g", "ignoreCase": "i", "multiline": "m", "sticky": "y", "unicode": "u", "dotAll": "s"}


class RegExpObject(JSObject):
    """A regular expression: ``matcher`` is None where Python's ``re`` cannot be trusted to say the same."""

    __slots__ = ("flags", "last_index", "matcher", "source")
    class_name = "RegExp"

    def __init__(self, proto: JSObject | None, source: str, flags: str, matcher: Any) -> None:
        super().__init__(proto)
        self.source = source
        self.flags = flags
        self.matcher = matcher
        self.last_index: JSValue = 0.0

    def own(self, machine: Machine, key: Any) -> JSValue:
        if key == "lastIndex":
            return self.last_index
        if key == "source":
            return self.source
        if key == "flags":
            return "".join(sorted(self.flags))
        flag = _FLAGS.get(key)
        return self.props.get(key, MISSING) if flag is None else flag in self.flags

    def set(self, machine: Machine, key: Any, value: JSValue) -> bool:
        if key == "lastIndex":
            machine.write(self, "last_index", value)
            return True
        return super().set(machine, key, value)


class IteratorObject(JSObject):
    """An iterator over a list that is known: what ``map.entries()`` gives."""

    __slots__ = ("items", "position")
    class_name = "Iterator"

    def __init__(self, proto: JSObject | None, items: list[JSValue]) -> None:
        super().__init__(proto)
        self.items = items
        self.position = 0


class FunctionObject(JSObject):
    """Anything that can be called."""

    __slots__ = ("name",)
    class_name = "Function"

    def __init__(self, proto: JSObject | None, name: str) -> None:
        super().__init__(proto)
        self.name = name

    def own(self, machine: Machine, key: Any) -> JSValue:
        found = self.props.get(key, MISSING)
        return self.name if found is MISSING and key == "name" else found


class NativeObject(JSObject):
    """A built-in object or prototype: its functions come into being when first looked up."""

    __slots__ = ("natives",)

    def __init__(self, proto: JSObject | None, natives: dict[str, Any]) -> None:
        super().__init__(proto)
        self.natives = natives

    def own(self, machine: Machine, key: Any) -> JSValue:
        found = self.props.get(key, MISSING)
        if found is MISSING and key in self.natives:
            found = NativeFunction(machine.realm.function_prototype, key, self.natives[key])
            self.props[key] = found
            self.hidden |= {key}
        return found


class NativeFunction(FunctionObject):
    """A function of the language or the browser: ``body(machine, this, arguments)``.

    ``construct(machine, arguments, new_target)`` is what ``new`` does; None: it is no constructor.
    """

    __slots__ = ("body", "construct", "natives")

    def __init__(
        self,
        proto: JSObject | None,
        name: str,
        body: Callable[[Any, JSValue, list[JSValue]], JSValue],
        construct: Callable[[Any, list[JSValue], JSValue], JSValue] | None = None,
    ) -> None:
        super().__init__(proto, name)
        self.body = body
        self.construct = construct
        self.natives: dict[str, Any] = {}

    def own(self, machine: Machine, key: Any) -> JSValue:
        found = super().own(machine, key)
        if found is MISSING and key in self.natives:
            found = NativeFunction(machine.realm.function_prototype, key, self.natives[key])
            self.props[key] = found
            self.hidden |= {key}
        return found


class BoundFunction(FunctionObject):
    """``f.bind(this, …)``."""

    __slots__ = ("args", "target", "this")

    def __init__(self, proto: JSObject | None, target: JSValue, this: JSValue, args: list[JSValue]) -> None:
        super().__init__(proto, f"bound {getattr(target, 'name', '')}")
        self.target = target
        self.this = this
        self.args = args


class Closure(FunctionObject):
    """A function of the script: ``code`` is its compiled form, ``env`` the scope it was made in.

    Of classes only: ``fields`` are initialisers run on each new instance, ``home`` is where ``super`` starts.
    """

    __slots__ = ("code", "env", "fields", "home", "is_class", "parent")

    def __init__(self, proto: JSObject | None, code: Any, env: list[Any]) -> None:
        super().__init__(proto, code.name)
        self.code = code
        self.env = env
        self.home: JSObject | None = None
        self.fields: tuple[Any, ...] = ()
        self.is_class = False
        self.parent: JSValue = None

    def own(self, machine: Machine, key: Any) -> JSValue:
        found = self.props.get(key, MISSING)
        if found is MISSING and key == "prototype" and self.code.constructs:
            found = JSObject(machine.realm.object_prototype, {"constructor": self})
            found.hidden = frozenset({"constructor"})
            self.props[key] = found
            self.hidden |= {key}
        elif found is MISSING and key == "name":
            return self.name
        elif found is MISSING and key == "length":
            return float(self.code.arity)
        return found


class JSThrow(Exception):  # noqa: N818 - it is no error of this program
    """A JavaScript exception on its way: the value and the expression that threw."""

    def __init__(self, value: JSValue, span: Span | None) -> None:
        super().__init__("script exception")
        self.value = value
        self.span = span


class LimitReached(Exception):  # noqa: N818 - it is no error of this program
    """The budget of steps, depth or memory is used up."""
