"""String.prototype, String and RegExp.prototype (ECMA-262, 22)."""

from __future__ import annotations

import math
import re
import unicodedata
from typing import TYPE_CHECKING, Any

from husky_lint.script.natives import Table, arg, clamp, integer, native, pure, text, unsupported
from husky_lint.script.numbers import SPACE
from husky_lint.script.operators import join_surrogates, to_string, units
from husky_lint.script.values import (
    NULL,
    UNDEFINED,
    ArrayObject,
    BoxedObject,
    FunctionObject,
    JSObject,
    JSValue,
    RegExpObject,
    Symbol,
    Unknown,
)

if TYPE_CHECKING:
    from husky_lint.script.machine import Machine
    from husky_lint.script.regex import Matcher

STRING: Table = {}
STRING_STATIC: Table = {}
REGEXP: Table = {}


def _this(m: Machine, this: JSValue) -> str:
    if type(this) is str:
        return this
    if this is UNDEFINED or this is NULL:
        raise m.type_error("String.prototype method called on null or undefined")
    result = text(m, this)
    return result if type(result) is str else ""


@pure(STRING, "toString", "string")
@pure(STRING, "valueOf", "string")
def _to_string(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return this.value if isinstance(this, BoxedObject) else this


@pure(STRING, "slice", "string")
def _slice(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    chars = units(_this(m, this))
    size = len(chars)
    start, end = clamp(integer(m, arg(args)), size), clamp(integer(m, arg(args, 1), float(size)), size)
    return join_surrogates(chars[start:end])


@pure(STRING, "substring", "string")
def _substring(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    chars = units(_this(m, this))
    size = len(chars)
    a = int(min(max(integer(m, arg(args)), 0), size))
    b = int(min(max(integer(m, arg(args, 1), float(size)), 0), size))
    return join_surrogates(chars[min(a, b) : max(a, b)])


@pure(STRING, "substr", "string")
def _substr(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    chars = units(_this(m, this))
    start = clamp(integer(m, arg(args)), len(chars))
    length = integer(m, arg(args, 1), math.inf)
    return join_surrogates(chars[start : int(min(start + max(length, 0), len(chars)))])


@pure(STRING, "charAt", "string")
def _char_at(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    chars, index = units(_this(m, this)), integer(m, arg(args))
    return chars[int(index)] if 0 <= index < len(chars) else ""


@pure(STRING, "at", "string")
def _at(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    chars, index = units(_this(m, this)), integer(m, arg(args))
    index = index + len(chars) if index < 0 else index
    return chars[int(index)] if 0 <= index < len(chars) else UNDEFINED


@pure(STRING, "charCodeAt", "number")
def _char_code_at(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    chars, index = units(_this(m, this)), integer(m, arg(args))
    return float(ord(chars[int(index)])) if 0 <= index < len(chars) else math.nan


@pure(STRING, "codePointAt", "number")
def _code_point_at(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    chars, index = units(_this(m, this)), integer(m, arg(args))
    if not 0 <= index < len(chars):
        return UNDEFINED
    return float(ord(join_surrogates(chars[int(index) : int(index) + 2])[0]))


@pure(STRING, "indexOf", "number")
def _index_of(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    chars = units(_this(m, this))
    return float(chars.find(units(text(m, arg(args))), clamp(max(integer(m, arg(args, 1)), 0), len(chars))))


@pure(STRING, "lastIndexOf", "number")
def _last_index_of(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    chars, wanted = units(_this(m, this)), units(text(m, arg(args)))
    limit = integer(m, arg(args, 1), math.inf)
    limit = len(chars) if limit == math.inf else int(max(limit, 0))
    return float(chars.rfind(wanted, 0, limit + len(wanted)))


@pure(STRING, "includes", "boolean")
def _includes(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    chars = units(_this(m, this))
    return chars.find(units(text(m, arg(args))), clamp(max(integer(m, arg(args, 1)), 0), len(chars))) >= 0


@pure(STRING, "startsWith", "boolean")
def _starts_with(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    chars = units(_this(m, this))
    return chars.startswith(units(text(m, arg(args))), clamp(max(integer(m, arg(args, 1)), 0), len(chars)))


@pure(STRING, "endsWith", "boolean")
def _ends_with(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    chars = units(_this(m, this))
    end = clamp(max(integer(m, arg(args, 1), float(len(chars))), 0), len(chars))
    return chars[:end].endswith(units(text(m, arg(args))))


@pure(STRING, "toUpperCase", "string")
@pure(STRING, "toLocaleUpperCase", "string")
def _upper(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return _this(m, this).upper()


@pure(STRING, "toLowerCase", "string")
@pure(STRING, "toLocaleLowerCase", "string")
def _lower(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return _this(m, this).lower()


@pure(STRING, "trim", "string")
def _trim(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return _this(m, this).strip(SPACE)


@pure(STRING, "trimStart", "string")
@pure(STRING, "trimLeft", "string")
def _trim_start(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return _this(m, this).lstrip(SPACE)


@pure(STRING, "trimEnd", "string")
@pure(STRING, "trimRight", "string")
def _trim_end(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return _this(m, this).rstrip(SPACE)


def _padding(m: Machine, this: JSValue, args: list[JSValue]) -> Any:
    chars = units(_this(m, this))
    missing = integer(m, arg(args)) - len(chars)
    filler = " " if arg(args, 1) is UNDEFINED else units(text(m, arg(args, 1)))
    if missing <= 0 or not filler:
        return ""
    if missing > m.longest_string:
        return m.unknown("limit", "string")
    m.spend(int(missing) >> 6)
    return (filler * (int(missing) // len(filler) + 1))[: int(missing)]


@pure(STRING, "padStart", "string")
def _pad_start(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    padding = _padding(m, this, args)
    return join_surrogates(padding + units(_this(m, this))) if type(padding) is str else padding


@pure(STRING, "padEnd", "string")
def _pad_end(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    padding = _padding(m, this, args)
    return join_surrogates(units(_this(m, this)) + padding) if type(padding) is str else padding


@pure(STRING, "repeat", "string")
def _repeat(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    chars, count = _this(m, this), integer(m, arg(args))
    if count < 0 or math.isinf(count):
        raise m.range_error("Invalid count value")
    if len(chars) * count > m.longest_string:
        return m.unknown("limit", "string")
    m.spend(int(len(chars) * count) >> 6)
    return chars * int(count) if chars else ""


@pure(STRING, "concat", "string")
def _concat(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    result = "".join([_this(m, this), *(text(m, value) for value in args)])
    if len(result) > m.longest_string:
        return m.unknown("limit", "string")
    m.spend(len(result) >> 6)
    return result


@pure(STRING, "localeCompare", "number")
def _locale_compare(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    if _this(m, this) == text(m, arg(args)):
        return 0.0
    return m.unknown("environment").number(-1, 1, whole=True)


@pure(STRING, "normalize", "string")
def _normalize(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    form: Any = "NFC" if arg(args) is UNDEFINED else text(m, arg(args))
    if form not in {"NFC", "NFD", "NFKC", "NFKD"}:
        raise m.range_error("The normalization form should be one of NFC, NFD, NFKC, NFKD")
    return unicodedata.normalize(form, _this(m, this))


@pure(STRING, "split", None)
def _split(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    chars = _this(m, this)
    separator, limit = arg(args), arg(args, 1)
    count = 2**32 - 1 if limit is UNDEFINED else max(int(min(integer(m, limit), 2**32 - 1)), 0)
    m.spend(len(chars) >> 4)
    if separator is UNDEFINED:
        return m.array([chars][:count])
    if isinstance(separator, RegExpObject):
        return _split_regexp(m, chars, separator, count)
    mark = text(m, separator)
    pieces = list(units(chars)) if mark == "" else chars.split(mark)
    m.check_size(len(pieces))
    return m.array(pieces[:count])


def _split_regexp(m: Machine, chars: str, separator: RegExpObject, count: int) -> JSValue:
    matcher = _matcher(separator, chars)
    if matcher is None:
        return m.unknown("unsupported")
    chars = units(chars)
    if not chars:
        return m.array([] if matcher.match("") else [""][:count])
    pieces: list[JSValue] = []
    last = at = 0
    while at < len(chars):
        match = matcher.match(chars, at)
        m.spend(1)
        if match is None or match.end() == last:
            at += 1
            continue
        pieces.append(_whole(chars[last:at]))
        pieces.extend(_whole(group) for group in match.groups())
        last = match.end()
        at = max(last, at)
    pieces.append(_whole(chars[last:]))
    return m.array(pieces[:count])


def _replacement(m: Machine, template: JSValue, match: _Found, chars: str) -> Any:
    if isinstance(template, FunctionObject):
        args: list[JSValue] = [_whole(match.text), *match.groups, float(match.start), _whole(chars)]
        return to_string(m, m.call(template, UNDEFINED, args))
    result = ""
    pattern = to_string(m, template)
    if type(pattern) is Unknown:
        return pattern
    i = 0
    while i < len(pattern):
        char = pattern[i]
        following = pattern[i + 1 : i + 2]
        if char != "$" or not following:
            result += char
        elif following == "$":
            result += "$"
            i += 1
        elif following == "&":
            result += match.text
            i += 1
        elif following == "`":
            result += chars[: match.start]
            i += 1
        elif following == "'":
            result += chars[match.start + len(match.text) :]
            i += 1
        else:
            digits = re.match(r"[0-9]{1,2}", pattern[i + 1 : i + 3])
            number = digits.group() if digits else ""
            if len(number) == 2 and not 1 <= int(number) <= len(match.groups):
                number = number[0]
            if number and 1 <= int(number) <= len(match.groups):
                group = match.groups[int(number) - 1]
                result += group if type(group) is str else ""
                i += len(number)
            else:
                result += char
        i += 1
    return result


class _Found:
    """One match: where, what, and its groups."""

    def __init__(self, start: int, found: str, groups: list[JSValue]) -> None:
        self.start = start
        self.text = found
        self.groups = groups


def _replace(m: Machine, this: JSValue, args: list[JSValue], *, every: bool) -> JSValue:
    pattern, template = arg(args), arg(args, 1)
    for value in (this, pattern):
        if type(value) is Unknown:
            if isinstance(template, FunctionObject):
                m.may_call(template, value)
            return value.of_kind("string")
    chars = units(_this(m, this))
    found: list[_Found] = []
    if isinstance(pattern, RegExpObject):
        matcher = _matcher(pattern, chars)
        if matcher is None or "y" in pattern.flags:
            why = m.unknown("unsupported", "string")
            if isinstance(template, FunctionObject):
                m.may_call(template, why)
            return why
        if every and "g" not in pattern.flags:
            raise m.type_error("replaceAll must be called with a global RegExp")
        for match in matcher.finditer(chars):
            m.spend(1)
            found.append(_Found(match.start(), match.group(), [_whole(group) for group in match.groups()]))
            if "g" not in pattern.flags:
                break
    else:
        wanted = units(text(m, pattern))
        at = chars.find(wanted)
        while at >= 0:
            m.spend(1)
            found.append(_Found(at, wanted, []))
            if not every:
                break
            at = chars.find(wanted, at + max(len(wanted), 1)) if at < len(chars) else -1
    pieces: list[JSValue] = []
    last = 0
    for place in found:
        pieces += [chars[last : place.start], _replacement(m, template, place, chars)]
        last = place.start + len(place.text)
    pieces.append(chars[last:])
    joined = m.join_items(m.array(pieces), "")
    return _whole(joined) if type(joined) is str else joined


@native(STRING, "replace")
def _replace_first(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return _replace(m, this, args, every=False)


@native(STRING, "replaceAll")
def _replace_all(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return _replace(m, this, args, every=True)


def _as_regexp(m: Machine, value: JSValue, flags: str = "") -> RegExpObject:
    if isinstance(value, RegExpObject):
        return value
    return m.realm.regexp("(?:)" if value is UNDEFINED else text(m, value), flags)


@pure(STRING, "match", None)
def _match(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    chars, pattern = _this(m, this), _as_regexp(m, arg(args))
    if "g" not in pattern.flags:
        return _exec(m, pattern, chars)
    matcher = _matcher(pattern, chars)
    if matcher is None:
        return m.unknown("unsupported")
    m.spend(len(chars) >> 4)
    found = [_whole(match.group()) for match in matcher.finditer(units(chars))]
    return m.array(found) if found else NULL


@pure(STRING, "matchAll", None)
def _match_all(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    chars, pattern = _this(m, this), _as_regexp(m, arg(args), "g")
    matcher = _matcher(pattern, chars)
    if matcher is None:
        return m.unknown("unsupported")
    if "g" not in pattern.flags:
        raise m.type_error("matchAll must be called with a global RegExp")
    m.spend(len(chars) >> 4)
    return m.array([_match_array(m, match, chars) for match in matcher.finditer(units(chars))])


@pure(STRING, "search", "number")
def _search(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    chars, pattern = _this(m, this), _as_regexp(m, arg(args))
    matcher = _matcher(pattern, chars)
    if matcher is None:
        return m.unknown("unsupported", "number")
    match = matcher.search(units(chars))
    return -1.0 if match is None else float(match.start())


unsupported(STRING, "anchor big isWellFormed toWellFormed", "string")


@native(STRING_STATIC, "fromCharCode")
def _from_char_code(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    codes = [integer(m, value) for value in args]
    if any(type(code) is Unknown for code in codes):
        return m.unknown("unsupported", "string")
    return join_surrogates("".join(chr(int(code) & 0xFFFF if math.isfinite(code) else 0) for code in codes))


@native(STRING_STATIC, "fromCodePoint")
def _from_code_point(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    codes = [integer(m, value) for value in args]
    if any(type(code) is Unknown for code in codes):
        return m.unknown("unsupported", "string")
    if any(not 0 <= code <= 0x10FFFF for code in codes):
        raise m.range_error("Invalid code point")
    return join_surrogates("".join(chr(int(code)) for code in codes))


@native(STRING_STATIC, "raw")
def _raw(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    pieces = m.iterate(m.get(arg(args), "raw"))
    if type(pieces) is Unknown:
        return pieces.of_kind("string")
    mixed: list[JSValue] = []
    for i, piece in enumerate(pieces):
        mixed.append(piece)
        if i + 1 < len(pieces) and i + 1 < len(args):
            mixed.append(args[i + 1])
    return m.join_items(m.array([to_string(m, value) for value in mixed]), "")


# --- regular expressions


def _matcher(pattern: RegExpObject, chars: str) -> re.Pattern[str] | None:
    matcher: Matcher | None = pattern.matcher
    if matcher is None or len(chars) > matcher.longest:
        return None
    if "u" in pattern.flags and not chars.isascii() and max(chars) > "\uffff":
        return None
    return matcher.pattern


def _whole(text: str | None) -> JSValue:
    """A piece of a text that was cut between UTF-16 units."""
    if text is None:
        return UNDEFINED
    return text if text.isascii() else join_surrogates(text)


def _match_array(m: Machine, match: re.Match[str], chars: str) -> ArrayObject:
    result = m.array([_whole(match.group()), *(_whole(group) for group in match.groups())])
    result.props["index"] = float(match.start())
    result.props["input"] = _whole(chars)
    named = match.groupdict()
    groups: JSValue = UNDEFINED
    if named:
        groups = m.object({name: _whole(value) for name, value in named.items()})
    result.props["groups"] = groups
    return result


def _exec(m: Machine, pattern: RegExpObject, chars: str) -> JSValue:
    matcher = _matcher(pattern, chars)
    if matcher is None:
        return m.unknown("unsupported")
    m.spend(1 + (len(chars) >> 4))
    chars = units(chars)
    sticky, everywhere = "y" in pattern.flags, "g" in pattern.flags
    start = 0
    if sticky or everywhere:
        last = integer(m, pattern.last_index)
        if type(last) is Unknown:
            return last.of_kind(None)
        if not 0 <= last <= len(chars):
            m.write(pattern, "last_index", 0.0)
            return NULL
        start = int(last)
    match = matcher.match(chars, start) if sticky else matcher.search(chars, start)
    if sticky or everywhere:
        m.write(pattern, "last_index", 0.0 if match is None else float(match.end()))
    return NULL if match is None else _match_array(m, match, chars)


@pure(REGEXP, "exec", None)
def _regexp_exec(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return _exec(m, this, text(m, arg(args))) if isinstance(this, RegExpObject) else m.unknown("unsupported")


@pure(REGEXP, "test", "boolean")
def _test(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    if not isinstance(this, RegExpObject):
        return m.unknown("unsupported", "boolean")
    found = _exec(m, this, text(m, arg(args)))
    return found.of_kind("boolean") if type(found) is Unknown else found is not NULL


@native(REGEXP, "toString")
def _regexp_text(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return f"/{this.source}/{this.flags}" if isinstance(this, RegExpObject) else "/(?:)/"


def construct_string(m: Machine, args: list[JSValue], new_target: JSValue) -> JSObject:
    """``new String(value)``."""
    return BoxedObject(m.realm.string_prototype, to_string(m, args[0]) if args else "")


def call_string(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    """``String(value)``."""
    value = args[0] if args else ""
    return f"Symbol({value.description})" if type(value) is Symbol else to_string(m, value)
