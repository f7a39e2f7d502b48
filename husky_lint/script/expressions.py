"""Expressions of the source as closures."""

from __future__ import annotations

import math
import operator as python_operator
from typing import TYPE_CHECKING, Any

from husky_lint.script.operators import (
    add,
    bitwise,
    compare,
    concatenate,
    divide_values,
    instance_of,
    loosely_equal,
    multiply,
    power_values,
    remainder_values,
    strictly_equal,
    subtract,
    to_number,
    to_primitive,
    to_property_key,
    to_string,
    truth,
    type_of,
)
from husky_lint.script.scope import pattern_names
from husky_lint.script.values import (
    HOLE,
    MISSING,
    NULL,
    UNDEFINED,
    Accessor,
    ArrayObject,
    Closure,
    FunctionObject,
    JSObject,
    JSValue,
    NativeFunction,
    Symbol,
    Unknown,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from husky_lint.script.code import Code, Env, Evaluate, Store
    from husky_lint.script.compiler import Compiler
    from husky_lint.script.machine import Machine
    from husky_lint.script.scope import Scope
    from husky_lint.source import Span

    Rule = Callable[[Compiler, Any, Scope], Evaluate]

Node = Any
EXPRESSIONS: dict[str, Rule] = {}
_SHORT = Symbol("short circuit of an optional chain")


def _expression(*kinds: str) -> Callable[[Rule], Rule]:
    def register(rule: Rule) -> Rule:
        for kind in kinds:
            EXPRESSIONS[kind] = rule
        return rule

    return register


def constant(value: JSValue) -> Evaluate:
    """An expression that is always the same."""
    return lambda m, env: value


# --- literals


@_expression("Literal")
def _literal(c: Compiler, node: Node, scope: Scope) -> Evaluate:
    regex = getattr(node, "regex", None)
    if regex is not None:
        pattern, flags = regex.pattern, regex.flags
        return lambda m, env: m.realm.regexp(pattern, flags)
    return constant(literal_value(node))


def literal_value(node: Node) -> JSValue:
    """The value of a literal that is no regular expression."""
    bigint = getattr(node, "bigint", None)
    if bigint is not None:
        try:
            return int(bigint, 0)
        except ValueError:
            return Unknown("limit", None, "bigint")
    value = node.value
    if value is None:
        return NULL
    if isinstance(value, bool | str):
        return value
    try:
        return float(value)
    except OverflowError:
        return math.inf


@_expression("TemplateLiteral")
def _template(c: Compiler, node: Node, scope: Scope) -> Evaluate:
    texts = [quasi.value.cooked or "" for quasi in node.quasis]
    parts = [c.expression(part, scope) for part in node.expressions]
    first = texts[0]
    rest = list(zip(parts, texts[1:], strict=True))

    def run(m: Machine, env: Env) -> JSValue:
        result: JSValue = first
        for part, text in rest:
            value = to_string(m, part(m, env))
            if type(result) is str and type(value) is str:
                result = concatenate(m, result, value + text)
            else:
                result = add(m, add(m, result, value), text)
        return result

    return run


@_expression("TaggedTemplateExpression")
def _tagged(c: Compiler, node: Node, scope: Scope) -> Evaluate:
    span = c.span(node)
    cooked = [quasi.value.cooked for quasi in node.quasi.quasis]
    raw = [quasi.value.raw for quasi in node.quasi.quasis]
    parts = [c.expression(part, scope) for part in node.quasi.expressions]
    callee = _callee(c, node.tag, scope)

    def run(m: Machine, env: Env) -> JSValue:
        function, this = callee(m, env)
        strings = m.array([UNDEFINED if text is None else text for text in cooked])
        strings.define(m, "raw", m.array(raw), hidden=True)
        args = [strings, *(part(m, env) for part in parts)]
        m.at = span
        return m.call(function, this, args)

    return run


@_expression("ArrayExpression")
def _array(c: Compiler, node: Node, scope: Scope) -> Evaluate:
    elements = node.elements
    if all(e is not None and e.type == "Literal" and getattr(e, "regex", None) is None for e in elements):
        values = [literal_value(e) for e in elements]
        return lambda m, env: ArrayObject(m.realm.array_prototype, values.copy())
    if not any(e is not None and e.type == "SpreadElement" for e in elements):
        plain = [constant(HOLE) if e is None else c.expression(e, scope) for e in elements]
        return lambda m, env: ArrayObject(m.realm.array_prototype, [item(m, env) for item in plain])
    items = _arguments(c, [_Hole if e is None else e for e in elements], scope)

    def run(m: Machine, env: Env) -> JSValue:
        result = m.array([])
        values = items(m, env)
        if type(values) is Unknown:
            result.unknown = values
        else:
            result.items = values
        return result

    return run


class _Hole:
    """An elided element, where nodes are expected."""

    type = "Hole"


@_expression("Hole")
def _hole(c: Compiler, node: Node, scope: Scope) -> Evaluate:
    return constant(HOLE)


def _arguments(c: Compiler, nodes: list[Node], scope: Scope) -> Callable[[Machine, Env], list[JSValue] | Unknown]:
    """Arguments or array elements; unknown when an unknown number of them is spread."""
    parts = [
        (c.expression(node.argument, scope), True)
        if node.type == "SpreadElement"
        else (c.expression(node, scope), False)
        for node in nodes
    ]

    def run(m: Machine, env: Env) -> list[JSValue] | Unknown:
        values: list[JSValue] = []
        unknown: Unknown | None = None
        for part, spread in parts:
            value = part(m, env)
            if not spread:
                values.append(value)
                continue
            items = m.iterate(value)
            if type(items) is Unknown:
                unknown = items
            else:
                values.extend(items)
        m.check_size(len(values))
        return values if unknown is None else unknown

    return run


@_expression("ObjectExpression")
def _object(c: Compiler, node: Node, scope: Scope) -> Evaluate:
    simple: list[tuple[str, Evaluate]] | None = []
    for prop in node.properties:
        if prop.type != "Property" or prop.kind != "init" or prop.computed or simple is None:
            simple = None
            break
        name = _static_key(prop.key)
        if name == "__proto__" or prop.method:
            simple = None
            break
        simple.append((name, c.named(prop.value, scope, name)))
    if simple is not None:
        pairs = simple
        return lambda m, env: JSObject(m.realm.object_prototype, {name: value(m, env) for name, value in pairs})
    steps = [_property_step(c, prop, scope) for prop in node.properties]

    def run(m: Machine, env: Env) -> JSValue:
        result = m.object()
        for step in steps:
            step(m, env, result)
        return result

    return run


def _static_key(key: Node) -> str:
    if key.type == "Identifier":
        return str(key.name)
    value = literal_value(key)
    if type(value) is float:
        from husky_lint.script.numbers import number_to_string

        return number_to_string(value)
    return str(value)


def property_key(c: Compiler, node: Node, scope: Scope) -> Evaluate:
    """The key of a property of an object or class."""
    if node.key.type == "PrivateIdentifier":
        return constant(scope.resolve_private(node.key.name))
    if not node.computed:
        return constant(_static_key(node.key))
    inner = c.expression(node.key, scope)
    return lambda m, env: to_property_key(m, inner(m, env))


def _property_step(c: Compiler, prop: Node, scope: Scope) -> Callable[[Machine, Env, JSObject], None]:
    if prop.type == "SpreadElement":
        spread = c.expression(prop.argument, scope)
        return lambda m, env, target: copy_properties(m, spread(m, env), target)
    key = property_key(c, prop, scope)
    if prop.method or prop.kind in ("get", "set"):
        name = "" if prop.computed else _static_key(prop.key)
        code = c.function(prop.value, scope, name, "method")
        kind = prop.kind

        def define_method(m: Machine, env: Env, target: JSObject) -> None:
            function = make_closure(m, code, env)
            function.home = target
            define_member(m, target, key(m, env), function, kind, hidden=False)

        return define_method
    value = c.named(prop.value, scope, "" if prop.computed else _static_key(prop.key))
    if not prop.computed and not prop.shorthand and _static_key(prop.key) == "__proto__":

        def set_proto(m: Machine, env: Env, target: JSObject) -> None:
            proto = value(m, env)
            if isinstance(proto, JSObject):
                target.proto = proto
            elif proto is NULL:
                target.proto = None

        return set_proto

    def define(m: Machine, env: Env, target: JSObject) -> None:
        name = key(m, env)
        content = value(m, env)
        if type(name) is Unknown:
            target.unknown = name
        else:
            target.define(m, name, content)

    return define


def define_member(m: Machine, target: JSObject, key: JSValue, function: Closure, kind: str, *, hidden: bool) -> None:
    """Define a method, getter or setter."""
    if type(key) is Unknown:
        m.havoc(target, key)
        return
    if kind in ("get", "set"):
        old = target.props.get(key)
        getter, setter = (old.getter, old.setter) if type(old) is Accessor else (UNDEFINED, UNDEFINED)
        accessor = Accessor(function, setter) if kind == "get" else Accessor(getter, function)
        target.define(m, key, accessor, hidden=hidden)
    else:
        target.define(m, key, function, hidden=hidden)


def copy_properties(m: Machine, source: JSValue, target: JSObject, excluded: frozenset[Any] = frozenset()) -> None:
    """CopyDataProperties."""
    if type(source) is Unknown:
        m.havoc(target, source)
    elif isinstance(source, JSObject):
        if source.unknown is not None:
            m.havoc(target, source.unknown)
            return
        for key in source.own_keys():
            if key not in excluded:
                target.define(m, key, source.get(m, key))
    elif type(source) is str:
        for i, char in enumerate(source):
            target.define(m, str(i), char)


# --- names


@_expression("Identifier")
def _identifier(c: Compiler, node: Node, scope: Scope) -> Evaluate:
    name = node.name
    place = scope.resolve(name)
    if place is None and name == "arguments" and scope.resolve("%args") is not None:
        args = _identifier(c, _Name("%args"), scope)
        return lambda m, env: m.array(args(m, env))
    if place is None:
        if name == "undefined":
            return constant(UNDEFINED)
        return _global(name, c.span(node))
    hops, slot = place
    if hops == 0:
        return python_getter_0(slot)
    if hops == 1:
        return lambda m, env: env[0][slot]
    if hops == 2:
        return lambda m, env: env[0][0][slot]
    if hops == 3:
        return lambda m, env: env[0][0][0][slot]

    def load(m: Machine, env: Env) -> JSValue:
        for _ in range(hops):
            env = env[0]
        return env[slot]

    return load


def python_getter_0(slot: int) -> Evaluate:
    """Load from the innermost environment."""
    return lambda m, env: env[slot]


def _global(name: str, span: Span) -> Evaluate:
    def load(m: Machine, env: Env) -> JSValue:
        value = m.globals.get(name, MISSING)
        if value is not MISSING:
            return value
        value = m.realm.builtins.get(name, MISSING)
        if value is not MISSING:
            return value
        value = m.realm.global_value(name)
        if value is MISSING:
            m.at = span
            raise m.realm.reference_error(name, span)
        return value

    return load


@_expression("ThisExpression")
def _this(c: Compiler, node: Node, scope: Scope) -> Evaluate:
    place = scope.resolve("this")
    if place is None:
        return lambda m, env: m.realm.global_object
    node_like = _Name("this")
    return _identifier(c, node_like, scope)


class _Name:
    """An identifier that does not stand in the source."""

    type = "Identifier"

    def __init__(self, name: str) -> None:
        self.name = name


@_expression("MetaProperty")
def _meta(c: Compiler, node: Node, scope: Scope) -> Evaluate:
    if node.meta.name == "new" and scope.resolve("new.target") is not None:
        return _identifier(c, _Name("new.target"), scope)
    span = c.span(node)
    return lambda m, env: Unknown("environment", span)


@_expression("Super")
def _super(c: Compiler, node: Node, scope: Scope) -> Evaluate:
    known = scope.resolve("%function") is not None
    function = _identifier(c, _Name("%function"), scope) if known else constant(UNDEFINED)

    def run(m: Machine, env: Env) -> JSValue:
        holder = getattr(function(m, env), "home", None)
        return holder.proto if isinstance(holder, JSObject) and holder.proto is not None else UNDEFINED

    return run


# --- members


def _key(c: Compiler, node: Node, scope: Scope) -> tuple[str | Symbol | None, Evaluate | None]:
    """A member's key: known now, or an expression."""
    if not node.computed:
        if node.property.type == "PrivateIdentifier":
            return scope.resolve_private(node.property.name) or Symbol(node.property.name), None
        return node.property.name, None
    if node.property.type == "Literal" and isinstance(node.property.value, str):
        return node.property.value, None
    return None, c.expression(node.property, scope)


@_expression("MemberExpression")
def _member(c: Compiler, node: Node, scope: Scope) -> Evaluate:
    span = c.span(node)
    if node.object.type == "Super":
        reference = _super_reference(c, node, scope)

        def read_super(m: Machine, env: Env) -> JSValue:
            m.at = span
            return reference(m, env)[0]

        return read_super
    target = c.expression(node.object, scope)
    name, key = _key(c, node, scope)
    if key is None:

        def read(m: Machine, env: Env) -> JSValue:
            value = target(m, env)
            if type(value) is JSObject and value.unknown is None:
                found = value.props.get(name, MISSING)
                if found is not MISSING and type(found) is not Accessor:
                    return found
            m.at = span
            if isinstance(value, JSObject):
                return value.get(m, name)
            return m.get(value, name)

        return read

    def read_computed(m: Machine, env: Env) -> JSValue:
        value = target(m, env)
        index = key(m, env)
        m.at = span
        return get_element(m, value, index)

    return read_computed


def get_element(m: Machine, value: JSValue, index: JSValue) -> JSValue:
    """``value[index]``."""
    if type(index) is float and type(value) is ArrayObject and value.unknown is None:
        place = int(index) if 0 <= index < len(value.items) else -1
        if place >= 0 and place == index:
            item = value.items[place]
            return UNDEFINED if item is HOLE else item
    if value is UNDEFINED or value is NULL:
        return m.get(value, index if type(index) is str else "property")
    index = to_property_key_of(m, index)
    if type(index) is Unknown:
        return m.realm.element_at_unknown(value, index)
    return m.get(value, index)


def to_property_key_of(m: Machine, index: JSValue) -> JSValue:
    """ToPropertyKey that keeps what is known of an unknown index."""
    return index if type(index) is Unknown else to_property_key(m, index)


def _super_reference(c: Compiler, node: Node, scope: Scope) -> Callable[[Machine, Env], tuple[JSValue, JSValue]]:
    """``super.name``: the member of the parent's prototype, and ``this``."""
    parent = c.expression(node.object, scope)
    this = c.expression(_This, scope)
    name, key = _key(c, node, scope)

    def run(m: Machine, env: Env) -> tuple[JSValue, JSValue]:
        holder = parent(m, env)
        receiver = this(m, env)
        index = name if key is None else to_property_key(m, key(m, env))
        if not isinstance(holder, JSObject) or type(index) is Unknown:
            return m.unknown("unsupported"), receiver
        scan: JSObject | None = holder
        while scan is not None:
            found = scan.own(m, index)
            if found is not MISSING:
                if type(found) is Accessor:
                    found = UNDEFINED if found.getter is UNDEFINED else m.call(found.getter, receiver, [])
                return found, receiver
            scan = scan.proto
        return UNDEFINED, receiver

    return run


class _This:
    type = "ThisExpression"


@_expression("ChainExpression")
def _chain(c: Compiler, node: Node, scope: Scope) -> Evaluate:
    inner = _chain_part(c, node.expression, scope)

    def run(m: Machine, env: Env) -> JSValue:
        value = inner(m, env)[0]
        return UNDEFINED if value is _SHORT else value

    return run


def _chain_part(c: Compiler, node: Node, scope: Scope) -> Callable[[Machine, Env], tuple[JSValue, JSValue]]:
    """Part of an optional chain: the value, and the object it was found on."""
    span = c.span(node)
    if node.type == "MemberExpression" and node.object.type != "Super":
        target = _chain_part(c, node.object, scope)
        name, key = _key(c, node, scope)
        optional = node.optional

        def member(m: Machine, env: Env) -> tuple[JSValue, JSValue]:
            value, _ = target(m, env)
            if value is _SHORT or (optional and (value is UNDEFINED or value is NULL)):
                return _SHORT, UNDEFINED
            m.at = span
            return (m.get(value, name) if key is None else get_element(m, value, key(m, env))), value

        return member
    if node.type == "CallExpression" and node.callee.type != "Super":
        callee = _chain_part(c, node.callee, scope)
        arguments = _arguments(c, node.arguments, scope)
        optional_call = node.optional
        method = _method_name(node.callee)

        def call(m: Machine, env: Env) -> tuple[JSValue, JSValue]:
            function, this = callee(m, env)
            if function is _SHORT or (optional_call and (function is UNDEFINED or function is NULL)):
                return _SHORT, UNDEFINED
            args = arguments(m, env)
            m.at = span
            return call_value(m, function, this, args, method), UNDEFINED

        return call
    whole = c.expression(node, scope)
    return lambda m, env: (whole(m, env), UNDEFINED)


# --- calls


def _method_name(callee: Node) -> str:
    if callee.type == "MemberExpression" and not callee.computed:
        return str(callee.property.name)
    return ""


def call_value(m: Machine, function: JSValue, this: JSValue, args: list[JSValue] | Unknown, name: str) -> JSValue:
    """Call a value; unknown arguments (spread) make a call with nothing known of them."""
    if type(args) is Unknown:
        if type(function) is Closure:
            args = [args.of_kind(None)] * max(function.code.arity, 1)
        else:
            if isinstance(this, ArrayObject):
                m.havoc(this, args)
            return args.of_kind("number" if name in ("max", "min") else None)
    if type(function) is Unknown:
        return m.call_unknown(this if type(this) is Unknown else function, args, name)
    if not isinstance(function, FunctionObject):
        raise m.type_error(f"{name or m.describe(function)} is not a function")
    return m.call(function, this, args)


def _callee(c: Compiler, node: Node, scope: Scope) -> Callable[[Machine, Env], tuple[JSValue, JSValue]]:
    if node.type == "MemberExpression":
        span = c.span(node)
        if node.object.type == "Super":
            return _super_reference(c, node, scope)
        target = c.expression(node.object, scope)
        name, key = _key(c, node, scope)

        if key is None:

            def method(m: Machine, env: Env) -> tuple[JSValue, JSValue]:
                value = target(m, env)
                m.at = span
                if isinstance(value, JSObject):
                    return value.get(m, name), value
                return m.get(value, name), value

            return method

        def member(m: Machine, env: Env) -> tuple[JSValue, JSValue]:
            value = target(m, env)
            index = key(m, env)
            m.at = span
            return get_element(m, value, index), value

        return member
    if node.type == "ChainExpression":
        inner = _chain_part(c, node.expression, scope)

        def chained(m: Machine, env: Env) -> tuple[JSValue, JSValue]:
            function, this = inner(m, env)
            return (UNDEFINED if function is _SHORT else function), this

        return chained
    function = c.expression(node, scope)
    return lambda m, env: (function(m, env), UNDEFINED)


@_expression("CallExpression")
def _call(c: Compiler, node: Node, scope: Scope) -> Evaluate:
    span = c.span(node)
    callee_node = node.callee
    if callee_node.type == "Super":
        return _super_call(c, node, scope)
    if callee_node.type == "Import":
        return _import(c, node, scope)
    name = _method_name(callee_node)
    spread = any(arg.type == "SpreadElement" for arg in node.arguments)
    if spread or callee_node.type in ("MemberExpression", "ChainExpression"):
        callee = _callee(c, callee_node, scope)
        if spread:
            arguments = _arguments(c, node.arguments, scope)

            def run_spread(m: Machine, env: Env) -> JSValue:
                function, this = callee(m, env)
                args = arguments(m, env)
                m.at = span
                return call_value(m, function, this, args, name)

            return run_spread
        parts = [c.expression(arg, scope) for arg in node.arguments]

        def run_method(m: Machine, env: Env) -> JSValue:
            function, this = callee(m, env)
            args = [part(m, env) for part in parts]
            m.at = span
            if type(function) is NativeFunction:
                m.spend(1)
                return function.body(m, this, args)
            return call_value(m, function, this, args, name)

        return run_method
    function_of = c.expression(callee_node, scope)
    plain = [c.expression(arg, scope) for arg in node.arguments]
    shown = callee_node.name if callee_node.type == "Identifier" else ""

    def run(m: Machine, env: Env) -> JSValue:
        function = function_of(m, env)
        args = [part(m, env) for part in plain]
        m.at = span
        if type(function) is Closure:
            return m.call_closure(function, UNDEFINED, args, UNDEFINED)
        return call_value(m, function, UNDEFINED, args, shown)

    return run


@_expression("ImportExpression")
def _import(c: Compiler, node: Node, scope: Scope) -> Evaluate:
    span = c.span(node)
    source = getattr(node, "source", None)
    address = c.expression(node.arguments[0] if source is None else source, scope)

    def run(m: Machine, env: Env) -> JSValue:
        where = address(m, env)
        m.at = span
        m.emit("network", "window", "import", m.realm.export(where))
        return Unknown("network", span)

    return run


def _super_call(c: Compiler, node: Node, scope: Scope) -> Evaluate:
    span = c.span(node)
    arguments = _arguments(c, node.arguments, scope)
    current = c.expression(_Name("%function"), scope)
    target = c.expression(_Name("new.target"), scope)
    bind = c.store(_Name("this"), scope)

    def run(m: Machine, env: Env) -> JSValue:
        function, new_target = current(m, env), target(m, env)
        args = arguments(m, env)
        m.at = span
        parent = function.parent if isinstance(function, Closure) else UNDEFINED
        if type(args) is Unknown:
            args = []
        this = m.construct(parent, args, new_target)
        if isinstance(this, JSObject) and isinstance(function, Closure):
            m.initialise_fields(function, this)
        bind(m, env, this)
        return this

    return run


@_expression("NewExpression")
def _new(c: Compiler, node: Node, scope: Scope) -> Evaluate:
    span = c.span(node)
    callee = c.expression(node.callee, scope)
    arguments = _arguments(c, node.arguments, scope)

    def run(m: Machine, env: Env) -> JSValue:
        function = callee(m, env)
        args = arguments(m, env)
        m.at = span
        return m.construct(function, [args] if type(args) is Unknown else args)

    return run


# --- functions and classes


def make_closure(m: Machine, code: Code, env: Env) -> Closure:
    """A function value."""
    return Closure(m.realm.function_prototype, code, env)


@_expression("FunctionExpression", "ArrowFunctionExpression")
def _function(c: Compiler, node: Node, scope: Scope) -> Evaluate:
    kind = "arrow" if node.type == "ArrowFunctionExpression" else "function"
    name = node.id.name if node.id is not None else ""
    code = c.function(node, scope, name, kind)
    return lambda m, env: Closure(m.realm.function_prototype, code, env)


@_expression("ClassExpression")
def _class(c: Compiler, node: Node, scope: Scope) -> Evaluate:
    return c.class_(node, scope, node.id.name if node.id is not None else "")


@_expression("SequenceExpression")
def _sequence(c: Compiler, node: Node, scope: Scope) -> Evaluate:
    parts = [c.expression(part, scope) for part in node.expressions]

    def run(m: Machine, env: Env) -> JSValue:
        value: JSValue = UNDEFINED
        for part in parts:
            value = part(m, env)
        return value

    return run


# --- operators


def _number_constant(node: Node) -> bool:
    return bool(node.type == "Literal" and type(node.value) in (int, float))


@_expression("UnaryExpression")
def _unary(c: Compiler, node: Node, scope: Scope) -> Evaluate:
    operator = node.operator
    if operator == "-" and _number_constant(node.argument):
        return constant(-literal_value(node.argument))
    if operator == "typeof" and node.argument.type == "Identifier" and scope.resolve(node.argument.name) is None:
        name = node.argument.name
        span = c.span(node)

        def type_of_global(m: Machine, env: Env) -> JSValue:
            value = m.globals.get(name, MISSING)
            if value is MISSING:
                m.at = span
                value = m.realm.global_value(name)
            return "undefined" if value is MISSING else type_of(value)

        return type_of_global
    if operator == "delete":
        return _delete(c, node, scope)
    argument = c.expression(node.argument, scope)
    if operator == "!":

        def negate(m: Machine, env: Env) -> JSValue:
            value = argument(m, env)
            if value is True or value is False:
                return not value
            known = truth(value)
            return value.of_kind("boolean") if known is None else not known

        return negate
    if operator == "typeof":
        return lambda m, env: type_of(argument(m, env))
    if operator == "void":

        def void(m: Machine, env: Env) -> JSValue:
            argument(m, env)
            return UNDEFINED

        return void
    if operator == "+":
        return lambda m, env: to_number(m, argument(m, env))
    if operator == "-":

        def minus(m: Machine, env: Env) -> JSValue:
            value = to_primitive(m, argument(m, env), "number")
            if type(value) is int:
                return -value
            value = to_number(m, value)
            return value.number(-value.high, -value.low, whole=value.whole) if type(value) is Unknown else -value

        return minus
    span = c.span(node)

    def complement(m: Machine, env: Env) -> JSValue:
        m.at = span
        value = to_primitive(m, argument(m, env), "number")
        return ~value if type(value) is int else bitwise(m, "^", value, -1.0)

    return complement


def _delete(c: Compiler, node: Node, scope: Scope) -> Evaluate:
    span = c.span(node)
    target_node = node.argument
    if target_node.type == "ChainExpression":
        target_node = target_node.expression
    if target_node.type != "MemberExpression" or target_node.object.type == "Super":
        inner = c.expression(target_node, scope)

        def evaluate(m: Machine, env: Env) -> JSValue:
            inner(m, env)
            return True

        return evaluate
    target = c.expression(target_node.object, scope)
    optional = target_node.optional
    name, key = _key(c, target_node, scope)

    def run(m: Machine, env: Env) -> JSValue:
        value = target(m, env)
        index = name if key is None else to_property_key(m, key(m, env))
        m.at = span
        if isinstance(value, JSObject):
            if type(index) is Unknown:
                m.havoc(value, index)
                return True
            return value.delete(m, index)
        if (value is UNDEFINED or value is NULL) and not optional:
            raise m.type_error("Cannot convert undefined or null to object")
        return True

    return run


def _equals(m: Machine, left: JSValue, right: JSValue) -> JSValue:
    return strictly_equal(left, right)


def _not(value: JSValue) -> JSValue:
    return value.of_kind("boolean") if type(value) is Unknown else not value


def _in(m: Machine, left: JSValue, right: JSValue) -> JSValue:
    if type(right) is Unknown or type(left) is Unknown:
        return (right if type(right) is Unknown else left).of_kind("boolean")
    if not isinstance(right, JSObject):
        raise m.type_error("Cannot use 'in' operator on a primitive")
    if right.unknown is not None:
        return right.unknown.of_kind("boolean")
    key = to_property_key(m, left)
    if type(key) is Unknown:
        return key.of_kind("boolean")
    return m.realm.has_property(right, key)


_BINARY: dict[str, Callable[[Machine, JSValue, JSValue], JSValue]] = {
    "+": add,
    "-": subtract,
    "*": multiply,
    "/": divide_values,
    "%": remainder_values,
    "**": power_values,
    "===": _equals,
    "!==": lambda m, a, b: _not(strictly_equal(a, b)),
    "==": loosely_equal,
    "!=": lambda m, a, b: _not(loosely_equal(m, a, b)),
    "<": lambda m, a, b: compare(m, "<", a, b),
    "<=": lambda m, a, b: compare(m, "<=", a, b),
    ">": lambda m, a, b: compare(m, ">", a, b),
    ">=": lambda m, a, b: compare(m, ">=", a, b),
    "|": lambda m, a, b: bitwise(m, "|", a, b),
    "&": lambda m, a, b: bitwise(m, "&", a, b),
    "^": lambda m, a, b: bitwise(m, "^", a, b),
    "<<": lambda m, a, b: bitwise(m, "<<", a, b),
    ">>": lambda m, a, b: bitwise(m, ">>", a, b),
    ">>>": lambda m, a, b: bitwise(m, ">>>", a, b),
    "in": _in,
    "instanceof": instance_of,
}
_OF_NUMBERS = {"+": python_operator.add, "-": python_operator.sub, "*": python_operator.mul}
_FAST = {"<": python_operator.lt, ">": python_operator.gt, "<=": python_operator.le, ">=": python_operator.ge}


@_expression("BinaryExpression")
def _binary(c: Compiler, node: Node, scope: Scope) -> Evaluate:
    # A long sum nests to the left as deep as it has terms: it is folded here, not by recursion.
    chain: list[Node] = []
    while node.type == "BinaryExpression":
        chain.append(node)
        node = node.left
    if node.type == "PrivateIdentifier":
        value: Evaluate = constant(scope.resolve_private(node.name))
    else:
        value = c.expression(node, scope)
    if len(chain) > 3 and all(link.operator == "+" for link in chain):
        return _sum(c, value, chain, scope)
    for link in reversed(chain):
        value = _operation(c, link, value, c.expression(link.right, scope))
    return value


def _sum(c: Compiler, first: Evaluate, chain: list[Node], scope: Scope) -> Evaluate:
    terms = [(c.expression(link.right, scope), c.span(link)) for link in reversed(chain)]

    def run(m: Machine, env: Env) -> JSValue:
        value = first(m, env)
        for term, span in terms:
            right = term(m, env)
            m.at = span
            value = add(m, value, right)
        return value

    return run


def _operation(c: Compiler, node: Node, left: Evaluate, right: Evaluate) -> Evaluate:
    operator = node.operator
    span = c.span(node)
    if operator in ("===", "!=="):
        negated = operator == "!=="

        def equal(m: Machine, env: Env) -> JSValue:
            result = strictly_equal(left(m, env), right(m, env))
            return _not(result) if negated else result

        return equal
    if operator in _FAST:
        fast = _FAST[operator]

        def ordered(m: Machine, env: Env) -> JSValue:
            a, b = left(m, env), right(m, env)
            if type(a) is float and type(b) is float:
                return fast(a, b)
            m.at = span
            return compare(m, operator, a, b)

        return ordered
    apply = _BINARY[operator]
    of_numbers = _OF_NUMBERS.get(operator)
    if of_numbers is not None:

        def calculate(m: Machine, env: Env) -> JSValue:
            a = left(m, env)
            b = right(m, env)
            m.at = span
            if type(a) is float and type(b) is float:
                return of_numbers(a, b)
            return apply(m, a, b)

        return calculate

    def run(m: Machine, env: Env) -> JSValue:
        a = left(m, env)
        b = right(m, env)
        m.at = span
        return apply(m, a, b)

    return run


@_expression("LogicalExpression")
def _logical(c: Compiler, node: Node, scope: Scope) -> Evaluate:
    operator = node.operator
    left, right = c.expression(node.left, scope), c.expression(node.right, scope)
    decide = _SHORT_CIRCUITS[operator]

    def run(m: Machine, env: Env) -> JSValue:
        value = left(m, env)
        done = decide(value)
        if done is None:
            return m.fork(lambda: right(m, env), lambda: value)
        return value if done else right(m, env)

    return run


def _or_done(value: JSValue) -> bool | None:
    return truth(value)


def _and_done(value: JSValue) -> bool | None:
    known = truth(value)
    return None if known is None else not known


def _coalesce_done(value: JSValue) -> bool | None:
    if type(value) is Unknown:
        return True if value.kind not in (None, "object") else None
    return not (value is UNDEFINED or value is NULL)


_SHORT_CIRCUITS = {"||": _or_done, "&&": _and_done, "??": _coalesce_done}


@_expression("ConditionalExpression")
def _conditional(c: Compiler, node: Node, scope: Scope) -> Evaluate:
    test = c.expression(node.test, scope)
    yes, no = c.expression(node.consequent, scope), c.expression(node.alternate, scope)

    def run(m: Machine, env: Env) -> JSValue:
        known = truth(test(m, env))
        if known is None:
            return m.fork(lambda: yes(m, env), lambda: no(m, env))
        return yes(m, env) if known else no(m, env)

    return run


# --- assignment


@_expression("AssignmentExpression")
def _assignment(c: Compiler, node: Node, scope: Scope) -> Evaluate:
    operator = node.operator
    if operator == "=":
        names = pattern_names(node.left)
        right = c.named(node.right, scope, names[0] if node.left.type == "Identifier" and names else "")
        if node.left.type == "MemberExpression":
            return _assign_member(c, node, scope, right)
        store = c.store(node.left, scope)

        def assign(m: Machine, env: Env) -> JSValue:
            value = right(m, env)
            store(m, env, value)
            return value

        return assign
    read, write = reference(c, node.left, scope)
    right = c.expression(node.right, scope)
    span = c.span(node)
    if operator in ("||=", "&&=", "??="):
        decide = _SHORT_CIRCUITS[operator[:-1]]

        def assign_logically(m: Machine, env: Env) -> JSValue:
            place, old = read(m, env)
            done = decide(old)

            def assign_now() -> JSValue:
                value = right(m, env)
                m.at = span
                write(m, env, place, value)
                return value

            if done is None:
                return m.fork(assign_now, lambda: old)
            return old if done else assign_now()

        return assign_logically
    apply = _BINARY[operator[:-1]]

    def assign_computed(m: Machine, env: Env) -> JSValue:
        place, old = read(m, env)
        b = right(m, env)
        m.at = span
        value = apply(m, old, b)
        write(m, env, place, value)
        return value

    return assign_computed


def _assign_member(c: Compiler, node: Node, scope: Scope, right: Evaluate) -> Evaluate:
    span = c.span(node)
    strict = scope.strict
    target_node = node.left
    if target_node.object.type == "Super":
        target_node = _Name("this")
        target: Evaluate = c.expression(_This, scope)
    else:
        target = c.expression(target_node.object, scope)
    name, key = _key(c, node.left, scope)

    def assign(m: Machine, env: Env) -> JSValue:
        place = target(m, env)
        index = name if key is None else key(m, env)
        value = right(m, env)
        m.at = span
        set_element(m, place, index, value, strict=strict)
        return value

    return assign


def set_element(m: Machine, target: JSValue, index: JSValue, value: JSValue, *, strict: bool) -> None:
    """``target[index] = value``."""
    if type(index) is float and type(target) is ArrayObject and index.is_integer() and 0 <= index < 2**32:
        if target.unknown is None and not target.set_item(m, int(index), value) and strict:
            raise m.type_error("Cannot assign to read only property of array")
        return
    if target is UNDEFINED or target is NULL:
        m.set(target, index if type(index) is str else "property", value)
    m.set(target, to_property_key_of(m, index), value, strict=strict)


def reference(
    c: Compiler, node: Node, scope: Scope
) -> tuple[Callable[[Machine, Env], tuple[Any, JSValue]], Callable[[Machine, Env, Any, JSValue], None]]:
    """How to read a place, and to write it afterwards without evaluating its parts again."""
    if node.type == "Identifier":
        load, store = c.expression(node, scope), c.store(node, scope)
        return (lambda m, env: (None, load(m, env))), (lambda m, env, place, value: store(m, env, value))
    if node.type != "MemberExpression":
        inner = c.expression(node, scope)
        return (lambda m, env: (None, inner(m, env))), (lambda m, env, place, value: None)
    span = c.span(node)
    strict = scope.strict
    target = c.expression(_This if node.object.type == "Super" else node.object, scope)
    name, key = _key(c, node, scope)

    def read(m: Machine, env: Env) -> tuple[Any, JSValue]:
        value = target(m, env)
        if key is None:
            m.at = span
            return (value, name), m.get(value, name)
        index = key(m, env)
        m.at = span
        if type(index) is not float:
            index = to_property_key_of(m, index)
        return (value, index), get_element(m, value, index)

    def write(m: Machine, env: Env, place: Any, value: JSValue) -> None:
        set_element(m, place[0], place[1], value, strict=strict)

    return read, write


@_expression("UpdateExpression")
def _update(c: Compiler, node: Node, scope: Scope) -> Evaluate:
    read, write = reference(c, node.argument, scope)
    delta = 1.0 if node.operator == "++" else -1.0
    prefix = node.prefix
    span = c.span(node)

    def run(m: Machine, env: Env) -> JSValue:
        place, value = read(m, env)
        if type(value) is not float:
            value = to_primitive(m, value, "number")
            value = value if type(value) is int else to_number(m, value)
        new = value + int(delta) if type(value) is int else add(m, value, delta)
        m.at = span
        write(m, env, place, new)
        return new if prefix else value

    return run


def assign_pattern(c: Compiler, node: Node, scope: Scope) -> Store:
    """A destructuring pattern as something to store into."""
    kind = node.type
    if kind == "AssignmentPattern":
        store = c.store(node.left, scope)
        names = pattern_names(node.left)
        default = c.named(node.right, scope, names[0] if len(names) == 1 else "")

        def with_default(m: Machine, env: Env, value: JSValue) -> None:
            if value is UNDEFINED:
                value = default(m, env)
            elif type(value) is Unknown and (value.kind is None or value.choices is not None):
                given = value
                value = m.fork(lambda: default(m, env), lambda: given) if _may_be_undefined(value) else value
            store(m, env, value)

        return with_default
    if kind == "ArrayPattern":
        return _array_pattern(c, node, scope)
    return _object_pattern(c, node, scope)


def _may_be_undefined(value: Unknown) -> bool:
    return value.choices is None or any(choice is UNDEFINED for choice in value.choices)


def _array_pattern(c: Compiler, node: Node, scope: Scope) -> Store:
    span = c.span(node)
    parts: list[tuple[Store, bool] | None] = []
    for element in node.elements:
        if element is None:
            parts.append(None)
        elif element.type == "RestElement":
            parts.append((c.store(element.argument, scope), True))
        else:
            parts.append((c.store(element, scope), False))

    def run(m: Machine, env: Env, value: JSValue) -> None:
        m.at = span
        items = m.iterate(value)
        for i, part in enumerate(parts):
            if part is None:
                continue
            store, rest = part
            if type(items) is Unknown:
                content: JSValue = items.of_kind(None)
                if rest:
                    content = m.array([])
                    content.unknown = items
            elif rest:
                content = m.array(items[i:])
            else:
                content = items[i] if i < len(items) else UNDEFINED
            store(m, env, content)

    return run


def _object_pattern(c: Compiler, node: Node, scope: Scope) -> Store:
    span = c.span(node)
    parts: list[tuple[Evaluate | None, Store]] = []
    for prop in node.properties:
        if prop.type == "RestElement":
            parts.append((None, c.store(prop.argument, scope)))
        else:
            parts.append((property_key(c, prop, scope), c.store(prop.value, scope)))

    def run(m: Machine, env: Env, value: JSValue) -> None:
        if value is UNDEFINED or value is NULL:
            m.at = span
            raise m.type_error(f"Cannot destructure {value!r}")
        taken: list[Any] = []
        for key, store in parts:
            if key is None:
                rest = m.object()
                copy_properties(m, value, rest, frozenset(taken))
                store(m, env, rest)
                continue
            name = key(m, env)
            taken.append(name)
            m.at = span
            store(m, env, m.realm.element_at_unknown(value, name) if type(name) is Unknown else m.get(value, name))

    return run


@_expression("AwaitExpression")
def _await(c: Compiler, node: Node, scope: Scope) -> Evaluate:
    argument = c.expression(node.argument, scope)
    span = c.span(node)

    def run(m: Machine, env: Env) -> JSValue:
        value = argument(m, env)
        m.at = span
        return m.realm.await_value(value)

    return run


@_expression("YieldExpression")
def _yield(c: Compiler, node: Node, scope: Scope) -> Evaluate:
    argument = constant(UNDEFINED) if node.argument is None else c.expression(node.argument, scope)
    span = c.span(node)

    def run(m: Machine, env: Env) -> JSValue:
        argument(m, env)
        return Unknown("unsupported", span)

    return run
