"""Array.prototype and Array (ECMA-262, 23.1)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from husky_lint.script.machine import same
from husky_lint.script.natives import Table, arg, clamp, integer, native, unsupported
from husky_lint.script.operators import strictly_equal, to_number, to_string, truth
from husky_lint.script.values import (
    HOLE,
    NULL,
    UNDEFINED,
    ArrayObject,
    FunctionObject,
    JSObject,
    JSValue,
    Unknown,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from husky_lint.script.machine import Machine

ARRAY: Table = {}
ARRAY_STATIC: Table = {}


def _items(m: Machine, this: JSValue) -> list[JSValue] | Unknown:
    """The elements of an array or of anything like one."""
    if type(this) is ArrayObject:
        return this.items if this.unknown is None else this.unknown
    if type(this) is Unknown:
        return this
    if type(this) is str:
        return list(this)
    if not isinstance(this, JSObject):
        raise m.type_error("Array.prototype method called on null or undefined")
    if this.unknown is not None:
        return this.unknown
    found = m.realm.items_of(this)
    if found is not None:
        return found
    length = integer(m, m.get(this, "length"))
    if type(length) is Unknown:
        return length
    m.check_size(int(min(max(length, 0), 1e9)))
    return [this.get(m, str(i)) for i in range(int(max(length, 0)))]


def _function(m: Machine, args: list[JSValue]) -> JSValue:
    function = arg(args)
    if not isinstance(function, FunctionObject) and type(function) is not Unknown:
        raise m.type_error(f"{m.describe(function)} is not a function")
    return function


def _each(
    m: Machine,
    this: JSValue,
    args: list[JSValue],
    visit: Callable[[int, JSValue, JSValue], bool],
    *,
    holes: bool = False,
    backwards: bool = False,
) -> Unknown | None:
    """Call the callback with each element; ``visit(index, element, result)`` says whether to go on.

    Unknown if the elements are: then the callback has been called as often as may be.
    """
    function, receiver = _function(m, args), arg(args, 1)
    items = _items(m, this)
    if type(items) is Unknown:
        m.may_call(function, items, [items.of_kind(None), items.number(0, whole=True), this], receiver)
        return items
    size = len(items)
    m.spend(size >> 3)
    plain = type(this) is ArrayObject
    for index in range(size - 1, -1, -1) if backwards else range(size):
        items = this.items if plain and this.unknown is None else _items(m, this)
        if type(items) is Unknown:
            return items
        if index >= len(items):
            continue
        item = items[index]
        if item is HOLE:
            if not holes:
                continue
            item = UNDEFINED
        result = m.call(function, receiver, [item, float(index), this])
        if not visit(index, item, result):
            break
    return None


def _unknown_array(m: Machine, why: Unknown) -> ArrayObject:
    result = m.array([])
    result.unknown = why
    return result


@native(ARRAY, "forEach")
def _for_each(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    _each(m, this, args, lambda index, item, result: True)
    return UNDEFINED


@native(ARRAY, "map")
def _map(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    mapped: dict[int, JSValue] = {}

    def visit(index: int, item: JSValue, result: JSValue) -> bool:
        mapped[index] = result
        return True

    items = _items(m, this)
    size = 0 if type(items) is Unknown else len(items)
    why = _each(m, this, args, visit)
    return m.array(mapped.get(i, HOLE) for i in range(size)) if why is None else _unknown_array(m, why)


@native(ARRAY, "filter")
def _filter(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    kept: list[JSValue] = []
    doubt: list[Unknown] = []

    def visit(index: int, item: JSValue, result: JSValue) -> bool:
        known = truth(result)
        if known is None:
            doubt.append(result)
        elif known:
            kept.append(item)
        return True

    why = _each(m, this, args, visit) or (doubt[0] if doubt else None)
    return m.array(kept) if why is None else _unknown_array(m, why)


def _search(
    m: Machine, this: JSValue, args: list[JSValue], *, backwards: bool = False
) -> tuple[int, JSValue] | Unknown | None:
    found: list[tuple[int, JSValue]] = []
    doubt: list[Unknown] = []

    def visit(index: int, item: JSValue, result: JSValue) -> bool:
        known = truth(result)
        if known is None:
            doubt.append(result)
        elif known and not doubt:
            found.append((index, item))
        return not found

    why = _each(m, this, args, visit, holes=True, backwards=backwards)
    if why is not None or doubt:
        return why or doubt[0]
    return found[0] if found else None


@native(ARRAY, "find")
def _find(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    found = _search(m, this, args)
    if type(found) is Unknown:
        return found.of_kind(None)
    return UNDEFINED if found is None else found[1]


@native(ARRAY, "findLast")
def _find_last(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    found = _search(m, this, args, backwards=True)
    if type(found) is Unknown:
        return found.of_kind(None)
    return UNDEFINED if found is None else found[1]


@native(ARRAY, "findIndex")
def _find_index(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    found = _search(m, this, args)
    if type(found) is Unknown:
        return _index_in(m, found, this)
    return -1.0 if found is None else float(found[0])


@native(ARRAY, "findLastIndex")
def _find_last_index(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    found = _search(m, this, args, backwards=True)
    if type(found) is Unknown:
        return _index_in(m, found, this)
    return -1.0 if found is None else float(found[0])


def _index_in(m: Machine, why: Unknown, this: JSValue) -> Unknown:
    items = _items(m, this)
    return why.number(-1, math.inf if type(items) is Unknown else len(items) - 1, whole=True)


def _quantify(m: Machine, this: JSValue, args: list[JSValue], *, stop: bool) -> JSValue:
    decided: list[bool] = []
    doubt: list[Unknown] = []

    def visit(index: int, item: JSValue, result: JSValue) -> bool:
        known = truth(result)
        if known is None:
            doubt.append(result)
        elif known is stop:
            decided.append(stop)
        return not decided

    why = _each(m, this, args, visit)
    if decided:
        return stop
    if why is not None or doubt:
        return (why or doubt[0]).of_kind("boolean")
    return not stop


@native(ARRAY, "some")
def _some(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return _quantify(m, this, args, stop=True)


@native(ARRAY, "every")
def _every(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return _quantify(m, this, args, stop=False)


def _fold(m: Machine, this: JSValue, args: list[JSValue], *, backwards: bool) -> JSValue:
    function = _function(m, args)
    items = _items(m, this)
    if type(items) is Unknown:
        m.may_call(function, items)
        return items.of_kind(None)
    entries = [(float(i), item) for i, item in enumerate(items) if item is not HOLE]
    if backwards:
        entries.reverse()
    if len(args) > 1:
        total = args[1]
    elif entries:
        total = entries.pop(0)[1]
    else:
        raise m.type_error("Reduce of empty array with no initial value")
    for index, item in entries:
        total = m.call(function, UNDEFINED, [total, item, index, this])
    return total


@native(ARRAY, "reduce")
def _reduce(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return _fold(m, this, args, backwards=False)


@native(ARRAY, "reduceRight")
def _reduce_right(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return _fold(m, this, args, backwards=True)


@native(ARRAY, "indexOf")
def _index_of(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    items = _items(m, this)
    if type(items) is Unknown:
        return items.number(-1, whole=True)
    m.spend(len(items) >> 3)
    start = integer(m, arg(args, 1))
    for index in range(0 if type(start) is Unknown else clamp(start, len(items)), len(items)):
        if items[index] is HOLE:
            continue
        equal = strictly_equal(items[index], arg(args))
        if type(equal) is Unknown:
            return equal.number(-1, len(items) - 1, whole=True)
        if equal:
            return float(index)
    return -1.0


@native(ARRAY, "lastIndexOf")
def _last_index_of(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    items = _items(m, this)
    if type(items) is Unknown:
        return items.number(-1, whole=True)
    for index in range(len(items) - 1, -1, -1):
        equal = items[index] is not HOLE and strictly_equal(items[index], arg(args))
        if type(equal) is Unknown:
            return equal.number(-1, len(items) - 1, whole=True)
        if equal:
            return float(index)
    return -1.0


@native(ARRAY, "includes")
def _includes(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    items = _items(m, this)
    if type(items) is Unknown:
        return items.of_kind("boolean")
    m.spend(len(items) >> 3)
    wanted = arg(args)
    doubt: Unknown | None = None
    for item in items:
        value = UNDEFINED if item is HOLE else item
        equal = strictly_equal(value, wanted)
        if equal is True or (type(value) is float and same(value, wanted)):
            return True
        if type(equal) is Unknown:
            doubt = equal
    return False if doubt is None else doubt.of_kind("boolean")


@native(ARRAY, "join")
def _join(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    separator = "," if arg(args) is UNDEFINED else to_string(m, arg(args))
    if type(this) is ArrayObject:
        m.depth += 1
        try:
            m.spend(1)
            if m.depth > 140:
                return m.unknown("limit", "string")
            return m.join_items(this, separator)
        finally:
            m.depth -= 1
    items = _items(m, this)
    return items.of_kind("string") if type(items) is Unknown else m.join_items(m.array(items), separator)


@native(ARRAY, "toString")
def _to_string(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return _join(m, this, [])


@native(ARRAY, "slice")
def _slice(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    items = _items(m, this)
    if type(items) is Unknown:
        return _unknown_array(m, items)
    start, end = integer(m, arg(args)), integer(m, arg(args, 1), float(len(items)))
    for bound in (start, end):
        if type(bound) is Unknown:
            return _unknown_array(m, bound)
    m.spend(len(items) >> 4)
    return m.array(items[clamp(start, len(items)) : clamp(end, len(items))])


def _change(m: Machine, this: JSValue) -> list[JSValue] | None:
    """The elements, to be changed in place; None: the array is out of sight (or no array)."""
    if type(this) is ArrayObject and this.unknown is None:
        if this.frozen:
            raise m.type_error("Cannot add property, object is not extensible")
        return this.touch(m)
    if this is UNDEFINED or this is NULL:
        raise m.type_error("Array.prototype method called on null or undefined")
    if isinstance(this, JSObject) and type(this) is not ArrayObject:
        m.havoc(this, m.unknown("unsupported"))
    return None


@native(ARRAY, "push")
def _push(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    items = _change(m, this)
    if items is None:
        return m.unknown("branch").number(0, whole=True)
    items.extend(args)
    if len(items) > 1000:
        m.check_size(len(items) >> 6)
        if len(items) > 100_000:
            m.check_size(len(items))
    return float(len(items))


@native(ARRAY, "unshift")
def _unshift(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    items = _change(m, this)
    if items is None:
        return m.unknown("branch").number(0, whole=True)
    items[:0] = args
    m.check_size(len(items))
    return float(len(items))


@native(ARRAY, "pop")
def _pop(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    items = _change(m, this)
    if items is None:
        return m.unknown("branch")
    value = items.pop() if items else UNDEFINED
    return UNDEFINED if value is HOLE else value


@native(ARRAY, "shift")
def _shift(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    items = _change(m, this)
    if items is None:
        return m.unknown("branch")
    m.spend(len(items) >> 6)
    value = items.pop(0) if items else UNDEFINED
    return UNDEFINED if value is HOLE else value


@native(ARRAY, "splice")
def _splice(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    items = _change(m, this)
    bounds = [integer(m, value) for value in args[:2]]
    doubt = next((bound for bound in bounds if type(bound) is Unknown), None)
    if items is None or doubt is not None:
        why = doubt or m.unknown("branch")
        if isinstance(this, JSObject):
            m.havoc(this, why)
        return _unknown_array(m, why)
    m.spend(len(items) >> 4)
    start = clamp(bounds[0], len(items)) if bounds else 0
    if not args:
        count = 0
    elif len(args) == 1:
        count = len(items) - start
    else:
        count = int(min(max(bounds[1], 0), len(items) - start))
    removed = items[start : start + count]
    items[start : start + count] = args[2:]
    return m.array(removed)


@native(ARRAY, "concat")
def _concat(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    result: list[JSValue] = []
    for value in (this, *args):
        if type(value) is Unknown:
            return _unknown_array(m, value)
        if isinstance(value, ArrayObject):
            if value.unknown is not None:
                return _unknown_array(m, value.unknown)
            result.extend(value.items)
        else:
            result.append(value)
    m.check_size(len(result))
    return m.array(result)


@native(ARRAY, "reverse")
def _reverse(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    items = _change(m, this)
    if items is not None:
        m.spend(len(items) >> 4)
        items.reverse()
    return this


@native(ARRAY, "fill")
def _fill(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    items = _change(m, this)
    if items is None:
        return this
    start, end = integer(m, arg(args, 1)), integer(m, arg(args, 2), float(len(items)))
    if type(start) is Unknown or type(end) is Unknown:
        m.havoc(this, start if type(start) is Unknown else end)
        return this
    m.spend(len(items) >> 4)
    for index in range(clamp(start, len(items)), clamp(end, len(items))):
        items[index] = arg(args)
    return this


def _flatten(m: Machine, items: list[JSValue], depth: float, into: list[JSValue]) -> Unknown | None:
    m.depth += 1
    m.spend(1)
    try:
        if m.depth > 140:
            return m.unknown("limit")
        for item in items:
            if item is HOLE:
                continue
            if isinstance(item, ArrayObject) and depth >= 1:
                if item.unknown is not None:
                    return item.unknown
                why = _flatten(m, item.items, depth - 1, into)
                if why is not None:
                    return why
            elif type(item) is Unknown and depth >= 1 and item.kind in (None, "object"):
                return item
            else:
                into.append(item)
        m.check_size(len(into))
    finally:
        m.depth -= 1
    return None


@native(ARRAY, "flat")
def _flat(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    items = _items(m, this)
    depth = integer(m, arg(args), 1.0)
    if type(items) is Unknown or type(depth) is Unknown:
        return _unknown_array(m, items if type(items) is Unknown else depth)
    result: list[JSValue] = []
    why = _flatten(m, items, depth, result)
    return m.array(result) if why is None else _unknown_array(m, why)


@native(ARRAY, "flatMap")
def _flat_map(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return _flat(m, _map(m, this, args), [])


def _sorted(m: Machine, items: list[JSValue], compare: JSValue) -> list[JSValue] | Unknown:
    values = [item for item in items if item is not UNDEFINED and item is not HOLE]
    tail = [UNDEFINED] * sum(item is UNDEFINED for item in items) + [HOLE] * sum(item is HOLE for item in items)
    m.spend(len(values))
    if compare is UNDEFINED:
        keyed = [(to_string(m, value), value) for value in values]
        for key, _ in keyed:
            if type(key) is Unknown:
                return key
        keyed.sort(key=lambda pair: pair[0].encode("utf-16-be", "surrogatepass"))
        return [value for _, value in keyed] + tail
    doubt: list[Unknown] = []

    def order(left: JSValue, right: JSValue) -> int:
        if doubt:
            return 0
        result = to_number(m, m.call(compare, UNDEFINED, [left, right]))
        if type(result) is Unknown:
            if result.low > 0 or result.high < 0:
                return 1 if result.low > 0 else -1
            doubt.append(result)
            return 0
        return 0 if math.isnan(result) else (result > 0) - (result < 0)

    values = _merge_sort(values, order)
    return doubt[0] if doubt else values + tail


def _merge_sort(values: list[JSValue], order: Callable[[JSValue, JSValue], int]) -> list[JSValue]:
    """A stable sort that calls ``order`` from Python code, where the interpreter's recursion is not the C stack's."""
    if len(values) <= 32:
        return _insertion_sort(list(values), order)
    middle = len(values) // 2
    left, right = _merge_sort(values[:middle], order), _merge_sort(values[middle:], order)
    merged: list[JSValue] = []
    i = j = 0
    while i < len(left) and j < len(right):
        if order(left[i], right[j]) <= 0:
            merged.append(left[i])
            i += 1
        else:
            merged.append(right[j])
            j += 1
    return merged + left[i:] + right[j:]


def _insertion_sort(values: list[JSValue], order: Callable[[JSValue, JSValue], int]) -> list[JSValue]:
    """As V8 sorts short arrays, so that even a comparison that is none gives the same: a run, then binary insertion."""
    run = 1
    if len(values) > 1:
        run = 2
        descending = order(values[1], values[0]) < 0
        while run < len(values) and (order(values[run], values[run - 1]) < 0) is descending:
            run += 1
        if descending:
            values[:run] = values[:run][::-1]
    for start in range(run, len(values)):
        pivot = values.pop(start)
        low, high = 0, start
        while low < high:
            middle = (low + high) >> 1
            if order(pivot, values[middle]) < 0:
                high = middle
            else:
                low = middle + 1
        values.insert(low, pivot)
    return values


@native(ARRAY, "sort")
def _sort(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    items = _change(m, this)
    if items is None:
        return this
    result = _sorted(m, list(items), arg(args))
    if type(result) is Unknown:
        m.havoc(this, result)
    else:
        this.touch(m)[:] = result
    return this


@native(ARRAY, "toSorted")
def _to_sorted(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return _sort(m, _slice(m, this, []), args)


@native(ARRAY, "toReversed")
def _to_reversed(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return _reverse(m, _slice(m, this, []), [])


@native(ARRAY, "toSpliced")
def _to_spliced(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    copy = _slice(m, this, [])
    _splice(m, copy, args)
    return copy


@native(ARRAY, "with")
def _with(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    copy = _slice(m, this, [])
    index = integer(m, arg(args))
    if type(index) is Unknown or copy.unknown is not None:
        return _unknown_array(m, index if type(index) is Unknown else copy.unknown)
    index = index + len(copy.items) if index < 0 else index
    if not 0 <= index < len(copy.items):
        raise m.range_error("Invalid index")
    copy.items[int(index)] = arg(args, 1)
    return copy


@native(ARRAY, "at")
def _at(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    items, index = _items(m, this), integer(m, arg(args))
    if type(items) is Unknown:
        return items.of_kind(None)
    if type(index) is Unknown:
        return m.realm.element_at_unknown(this, index) if index.low >= 0 else index.of_kind(None)
    index = index + len(items) if index < 0 else index
    if not 0 <= index < len(items):
        return UNDEFINED
    return UNDEFINED if items[int(index)] is HOLE else items[int(index)]


def _listing(m: Machine, this: JSValue, make: Callable[[int, JSValue], JSValue]) -> JSValue:
    items = _items(m, this)
    if type(items) is Unknown:
        return _unknown_array(m, items)
    m.spend(len(items) >> 3)
    return m.realm.iterator([make(i, UNDEFINED if item is HOLE else item) for i, item in enumerate(items)])


@native(ARRAY, "keys")
def _keys(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return _listing(m, this, lambda index, item: float(index))


@native(ARRAY, "values")
def _values(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return _listing(m, this, lambda index, item: item)


@native(ARRAY, "entries")
def _entries(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return _listing(m, this, lambda index, item: m.array([float(index), item]))


unsupported(ARRAY, "copyWithin toLocaleString")


@native(ARRAY_STATIC, "isArray")
def _is_array(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    value = arg(args)
    return value.of_kind("boolean") if type(value) is Unknown else isinstance(value, ArrayObject)


@native(ARRAY_STATIC, "of")
def _of(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return m.array(args)


@native(ARRAY_STATIC, "from")
def _from(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    source, function = arg(args), arg(args, 1)
    if source is UNDEFINED or source is NULL:
        raise m.type_error("object is not iterable")
    if isinstance(source, JSObject) and m.realm.is_iterable(source):
        items = m.iterate(source)
    elif type(source) is float or type(source) is bool:
        items = []
    else:
        items = _items(m, source)
    if type(items) is Unknown:
        if isinstance(function, FunctionObject):
            m.may_call(function, items)
        return _unknown_array(m, items)
    values = [UNDEFINED if item is HOLE else item for item in items]
    if function is UNDEFINED:
        return m.array(values)
    return m.array([m.call(function, arg(args, 2), [item, float(i)]) for i, item in enumerate(values)])


def construct_array(m: Machine, args: list[JSValue], new_target: JSValue) -> JSValue:
    """``new Array(…)``."""
    if len(args) != 1 or type(args[0]) is not float:
        if len(args) == 1 and type(args[0]) is Unknown and args[0].kind in (None, "number"):
            return _unknown_array(m, args[0])
        return m.array(args)
    size = args[0]
    if not size.is_integer() or not 0 <= size < 2**32:
        raise m.range_error("Invalid array length")
    m.check_size(int(size))
    return m.array([HOLE] * int(size))
