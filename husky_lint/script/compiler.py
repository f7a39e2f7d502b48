"""Scripts as closures: names resolved, functions and classes put together.

A script is compiled once, however often it is run; a function body when it is first called.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from husky_lint.script.code import Code, run_async, this_of
from husky_lint.script.expressions import (
    EXPRESSIONS,
    assign_pattern,
    constant,
    define_member,
    property_key,
    reference,
)
from husky_lint.script.scope import Frame, Scope, lexical_names, pattern_names, var_names
from husky_lint.script.statements import STATEMENTS, hoist, run_hoisted, sequence
from husky_lint.script.values import (
    NULL,
    UNDEFINED,
    ArrayObject,
    Closure,
    FunctionObject,
    JSObject,
    JSValue,
    Symbol,
    Unknown,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from husky_lint.parse.js import Script
    from husky_lint.script.code import Env, Evaluate, Execute, Store
    from husky_lint.script.machine import Completion, Machine
    from husky_lint.source import Span

Node = Any
_FUNCTION_SLOTS = ("this", "new.target", "%function", "%args")


class Program:
    """A compiled script; run it with :meth:`run`."""

    def __init__(self, execute: Callable[[Machine], Completion | None]) -> None:
        self.run = execute


class Compiler:
    """Compiles one script.

    ``reversed_literal`` is an array, object or string literal of it that is to give its items in the other order: what
    follows that order is made from the literal.
    """

    def __init__(self, script: Script, reversed_literal: Node | None = None) -> None:
        self.span: Callable[[Node], Span] = script.span
        self._reversed_literal = reversed_literal
        self.coded: list[Node] = []

    def program(self, node: Node, *, module: bool) -> Program:
        """The whole script."""
        frame = Frame()
        scope = Scope(None, frame, function=True, strict=module or _is_strict(node.body))
        if module:
            scope.declare("this")
            self._declare(scope, node.body)
        made = hoist(self, node.body, scope)
        body = sequence(self, node.body, scope)
        names = [] if module else [*var_names(node.body), *(name for name, _ in lexical_names(node.body))]

        def execute(machine: Machine) -> Completion | None:
            for name in names:
                if name not in machine.globals and not machine.realm.has_builtin(name):
                    machine.write(machine.globals, name, UNDEFINED)
            env: Env = [None] + [UNDEFINED] * (frame.size - 1)
            run_hoisted(made, machine, env)
            return body(machine, env)

        return Program(execute)

    def handler(self, node: Node) -> Code:
        """The function of an ``on…`` attribute, from a program node."""
        scope = Scope(None, Frame(), function=True)
        function = _Handler(node.body)
        return Code(function, "handler", "function", scope, self.span(node), self._prepare)

    def function_of(self, node: Node) -> Code:
        """A function that stands alone."""
        return Code(node, "handler", "function", Scope(None, Frame(), function=True), self.span(node), self._prepare)

    def expression(self, node: Node, scope: Scope) -> Evaluate:
        """Compile an expression."""
        rule = EXPRESSIONS.get(node.type)
        if rule is None:
            span = self.span(node)
            return constant(Unknown("unsupported", span))
        if node is self._reversed_literal:
            return _reversing(rule(self, node, scope))
        return rule(self, node, scope)

    def named(self, node: Node, scope: Scope, name: str) -> Evaluate:
        """Compile an expression; a function without a name takes ``name``."""
        kind = node.type
        if name and getattr(node, "id", None) is None:
            if kind in ("FunctionExpression", "ArrowFunctionExpression"):
                code = self.function(node, scope, name, "arrow" if kind[0] == "A" else "function")
                return lambda m, env: Closure(m.realm.function_prototype, code, env)
            if kind == "ClassExpression":
                return self.class_(node, scope, name)
        return self.expression(node, scope)

    def statement(self, node: Node, scope: Scope, labels: frozenset[str] = frozenset()) -> Execute:
        """Compile a statement."""
        rule = STATEMENTS.get(node.type)
        if rule is None:
            span = self.span(node)

            def unsupported(m: Machine, env: Env) -> None:
                m.at = span
                m.emit("unknown", "window", node.type)

            return unsupported
        return rule(self, node, scope, labels)

    def store(self, node: Node, scope: Scope, declare: str = "") -> Store:
        """Compile something to assign to; ``declare`` is the kind of declaration, if it is one."""
        kind = node.type
        if kind == "Identifier":
            return self._store_name(node, scope, declare)
        if kind in ("ArrayPattern", "ObjectPattern", "AssignmentPattern"):
            return assign_pattern(_Declaring(self, declare) if declare else self, node, scope)
        _, write = reference(self, node, scope)
        if kind != "MemberExpression":
            return lambda m, env, value: None
        target = self.expression(_this_or(node.object), scope)
        key = self.expression(node.property, scope) if node.computed else None
        name = None if node.computed else node.property.name
        if key is None and node.property.type == "PrivateIdentifier":
            name = scope.resolve_private(node.property.name)
        span = self.span(node)

        def store(m: Machine, env: Env, value: JSValue) -> None:
            place = target(m, env), (name if key is None else key(m, env))
            m.at = span
            write(m, env, place, value)

        return store

    def _store_name(self, node: Node, scope: Scope, declare: str) -> Store:
        name = node.name
        place = scope.resolve(name)
        if place is None:
            return _store_global(name)
        if not declare and scope.is_constant(name):
            span = self.span(node)

            def refuse(m: Machine, env: Env, value: JSValue) -> None:
                m.at = span
                raise m.type_error("Assignment to constant variable.")

            return refuse
        hops, slot = place
        if declare and declare != "var" and hops == 0:

            def initialise(m: Machine, env: Env, value: JSValue) -> None:
                # Not journaled: nobody has seen the variable before, nor will on another path.
                env[slot] = value

            return initialise
        if hops == 0:

            def store_here(m: Machine, env: Env, value: JSValue) -> None:
                m.log.append((env, slot, env[slot]))
                env[slot] = value

            return store_here

        def store(m: Machine, env: Env, value: JSValue) -> None:
            for _ in range(hops):
                env = env[0]
            m.log.append((env, slot, env[slot]))
            env[slot] = value

        return store

    def function(self, node: Node, scope: Scope, name: str, kind: str) -> Code:
        """Compile a function; its body waits for the first call.

        Where a literal is reversed, a function that does not hold it is the same as without.
        """
        literal = self._reversed_literal
        if literal is not None:
            known = node.__dict__.get(_CODES)
            within = node.range[0] <= literal.range[0] and literal.range[1] <= node.range[1]
            if known is not None and not within:
                return known  # type: ignore[no-any-return]
        made = Code(node, name, kind, scope, self.span(node), self._prepare)
        if literal is None:
            node.__dict__[_CODES] = made
            self.coded.append(node)
        return made

    def _declare(self, scope: Scope, statements: list[Node]) -> None:
        for name in var_names(statements):
            scope.declare(name)
        for name, kind in lexical_names(statements):
            scope.declare(name)
            if kind == "const":
                scope.constants.add(name)

    def _prepare(self, code: Code) -> Any:
        node = code.node
        arrow = code.kind == "arrow"
        has_block = node.body.type == "BlockStatement"
        statements = node.body.body if has_block else []
        frame = Frame()
        outer = code.scope
        own_name = code.kind == "function" and node.type == "FunctionExpression" and node.id is not None
        scope = Scope(outer, frame, function=True, strict=_is_strict(statements))
        code.strict = scope.strict
        if not arrow:
            for name in _FUNCTION_SLOTS:
                scope.declare(name)
        name_slot = scope.declare(node.id.name) if own_name else 0
        simple = all(param.type == "Identifier" for param in node.params)
        for param in node.params:
            for name in pattern_names(param):
                scope.declare(name)
        slots = [scope.names[param.name] for param in node.params] if simple else []
        bind = None if simple else self._parameters(node.params, scope)
        self._declare(scope, statements)
        made = hoist(self, statements, scope)
        last = statements[-1] if statements else None
        result: Evaluate | None = None
        if not has_block:
            body = None
            result = self.expression(node.body, scope)
        elif last is not None and last.type == "ReturnStatement" and last.argument is not None:
            # The value at the end is that of the call as it is, and needs no Completion to carry it.
            body = sequence(self, statements[:-1], scope) if len(statements) > 1 else None
            result = self.expression(last.argument, scope)
        else:
            body = sequence(self, statements, scope)
        strict = scope.strict
        generator = node.generator
        count = len(slots)
        derived = code.kind == "derived"

        blank = [UNDEFINED] * (frame.size - (1 if arrow else 5))

        def run(m: Machine, function: Closure, this: JSValue, args: list[JSValue], new_target: JSValue) -> JSValue:
            if arrow:
                env: Env = [function.env, *blank]
            else:
                env = [function.env, this_of(m, this, strict=strict), new_target, function, args, *blank]
                if own_name:
                    env[name_slot] = function
            if bind is not None:
                bind(m, env, args)
            elif count:
                for slot, arg in zip(slots, args, strict=False):
                    env[slot] = arg
            if made:
                run_hoisted(made, m, env)
            value_of = UNDEFINED
            done = None if body is None else body(m, env)
            if done is not None:
                value_of = done.value
            elif result is not None:
                value_of = result(m, env)
            return env[1] if derived and value_of is UNDEFINED else value_of

        if derived:
            return lambda m, function, this, args, new_target: run(m, function, UNDEFINED, args, new_target)
        if generator:

            def run_generator(
                m: Machine, function: Closure, this: JSValue, args: list[JSValue], new_target: JSValue
            ) -> JSValue:
                why = m.unknown("unsupported")
                m.emit("unknown", "window", "generator", code.name)
                m.unknown_loop(lambda: _discard(run(m, function, this, args, new_target)), why)
                return why

            return run_generator
        if node.isAsync:

            def run_later(
                m: Machine, function: Closure, this: JSValue, args: list[JSValue], new_target: JSValue
            ) -> JSValue:
                outstanding = len(m.pending)

                def body_of() -> JSValue:
                    result = run(m, function, this, args, new_target)
                    return m.join_returns(outstanding, result) if len(m.pending) > outstanding else result

                return run_async(m, body_of)

            return run_later
        return run

    def _parameters(self, params: list[Node], scope: Scope) -> Callable[[Machine, Env, list[JSValue]], None]:
        stores = [
            (self.store(p.argument if p.type == "RestElement" else p, scope, declare="let"), p.type == "RestElement")
            for p in params
        ]

        def bind(m: Machine, env: Env, args: list[JSValue]) -> None:
            for i, (store, rest) in enumerate(stores):
                if rest:
                    store(m, env, m.array(args[i:]))
                else:
                    store(m, env, args[i] if i < len(args) else UNDEFINED)

        return bind

    # --- classes

    def class_(self, node: Node, scope: Scope, name: str) -> Evaluate:
        """Compile a class."""
        parent = None if node.superClass is None else self.expression(node.superClass, scope)
        inner = Scope(scope, Frame(), strict=True)
        slot = inner.declare(node.id.name) if node.id is not None else inner.declare("%class")
        for member in node.body.body:
            if getattr(member, "key", None) is not None and member.key.type == "PrivateIdentifier":
                inner.private.setdefault(member.key.name, _private_name(member.key))
        constructor = next((m for m in node.body.body if getattr(m, "kind", "") == "constructor"), None)
        kind = "constructor" if parent is None else "derived"
        if constructor is None:
            code = Code(None, name, kind, inner, self.span(node), _default_constructor)
        else:
            code = self.function(constructor.value, inner, name, kind)
        steps = [self._member(m, inner, slot) for m in node.body.body if m is not constructor]
        frame = inner.frame

        def make(m: Machine, env: Env) -> JSValue:
            proto_parent: JSObject | None = m.realm.object_prototype
            base: JSValue = None
            if parent is not None:
                base = parent(m, env)
                if base is NULL:
                    proto_parent = None
                elif isinstance(base, FunctionObject):
                    above = base.get(m, "prototype")
                    proto_parent = above if isinstance(above, JSObject) else None
                elif type(base) is not Unknown:
                    raise m.type_error("Class extends value is not a constructor or null")
            env = [env] + [UNDEFINED] * (frame.size - 1)
            function = Closure(base if isinstance(base, JSObject) else m.realm.function_prototype, code, env)
            function.is_class = True
            function.parent = base
            prototype = JSObject(proto_parent, {"constructor": function})
            prototype.hidden = frozenset({"constructor"})
            function.props["prototype"] = prototype
            function.hidden |= {"prototype"}
            function.home = prototype
            env[slot] = function
            later = [then for step in steps if (then := step(m, env, function, prototype)) is not None]
            for then in later:
                then()
            return function

        return make

    def _member(
        self, node: Node, scope: Scope, slot: int
    ) -> Callable[[Machine, Env, Closure, JSObject], Callable[[], None] | None]:
        if node.type == "StaticBlock":
            body_scope, frame = self._initialiser_scope(scope)
            self._declare(body_scope, node.body)
            made = hoist(self, node.body, body_scope)
            block = sequence(self, node.body, body_scope)

            def static_block(m: Machine, env: Env, function: Closure, prototype: JSObject) -> Callable[[], None]:
                def then() -> None:
                    inner = _initialiser_env(env, function, function, frame)
                    run_hoisted(made, m, inner)
                    block(m, inner)

                return then

            return static_block
        key = property_key(self, node, scope)
        if node.type == "MethodDefinition":
            name = "" if node.computed else str(getattr(node.key, "name", getattr(node.key, "value", "")))
            code = self.function(node.value, scope, name, "method")
            static, kind = node.static, node.kind

            def method(m: Machine, env: Env, function: Closure, prototype: JSObject) -> None:
                target: JSObject = function if static else prototype
                member = Closure(m.realm.function_prototype, code, env)
                member.home = target
                define_member(m, target, key(m, env), member, kind, hidden=True)

            return method
        value_scope, value_frame = self._initialiser_scope(scope)
        name = "" if node.computed or node.key.type == "Literal" else node.key.name
        value = constant(UNDEFINED) if node.value is None else self.named(node.value, value_scope, name)

        def field(m: Machine, env: Env, function: Closure, prototype: JSObject) -> Callable[[], None] | None:
            index = key(m, env)

            def initialise(machine: Machine, this: JSObject) -> None:
                content = value(machine, _initialiser_env(env, this, function, value_frame))
                if type(index) is Unknown:
                    machine.havoc(this, index)
                else:
                    this.define(machine, index, content)

            if node.static:
                return lambda: initialise(m, function)
            function.fields += (initialise,)
            return None

        return field

    def _initialiser_scope(self, scope: Scope) -> tuple[Scope, Frame]:
        frame = Frame()
        inner = Scope(scope, frame, function=True, strict=True)
        for name in _FUNCTION_SLOTS:
            inner.declare(name)
        return inner, frame


class _Declaring(Compiler):
    """A compiler whose patterns declare the names that they store into."""

    def __init__(self, compiler: Compiler, kind: str) -> None:
        self.span = compiler.span
        self._reversed_literal = compiler._reversed_literal
        self.coded = compiler.coded
        self.kind = kind

    def store(self, node: Node, scope: Scope, declare: str = "") -> Store:
        return super().store(node, scope, declare or self.kind)


class _Handler:
    """A function around the statements of an ``on…`` attribute."""

    type = "FunctionDeclaration"
    isAsync = False  # noqa: N815 - the name is esprima's
    generator = False
    id = None

    def __init__(self, statements: list[Node]) -> None:
        self.params = [_Parameter("event")]
        self.body = _Body(statements)


class _Parameter:
    type = "Identifier"

    def __init__(self, name: str) -> None:
        self.name = name


class _Body:
    type = "BlockStatement"

    def __init__(self, body: list[Node]) -> None:
        self.body = body


class _ThisNode:
    type = "ThisExpression"


def _this_or(node: Node) -> Node:
    return _ThisNode if node.type == "Super" else node


def _store_global(name: str) -> Store:
    def store(m: Machine, env: Env, value: JSValue) -> None:
        m.realm.set_global(name, value)

    return store


def _discard(value: JSValue) -> None:
    return None


def _initialiser_env(env: Env, this: JSValue, function: Closure, frame: Frame) -> Env:
    return [env, this, UNDEFINED, function, [], *([UNDEFINED] * (frame.size - 5))]


def _default_constructor(code: Code) -> Any:
    if code.kind == "constructor":
        return lambda m, function, this, args, new_target: this

    def construct_parent(
        m: Machine, function: Closure, this: JSValue, args: list[JSValue], new_target: JSValue
    ) -> JSValue:
        made = m.construct(function.parent, args, new_target)
        if isinstance(made, JSObject):
            m.initialise_fields(function, made)
        return made

    return construct_parent


def _is_strict(statements: list[Node]) -> bool:
    for statement in statements:
        if statement.type not in ("ExpressionStatement", "Directive") or statement.expression.type != "Literal":
            return False
        if statement.expression.value == "use strict":
            return True
    return False


_PROGRAMS = "husky_lint.script program"
_CODES = "husky_lint.script code"
_CODED = "_husky_lint.script coded"  # an underscore, as what walks the tree has to pass it by
_PRIVATE = "husky_lint.script private name"


def _private_name(node: Node) -> Symbol:
    """The private name that a class declares: the same whenever the class is compiled, as its methods may be older."""
    known = node.__dict__.get(_PRIVATE)
    if known is None:
        known = node.__dict__[_PRIVATE] = Symbol(f"#{node.name}")
    return known  # type: ignore[no-any-return]


def compile_script(script: Script, reversed_literal: Node | None = None) -> Program | None:
    """The compiled script, made once (but for each reversed literal); None if it does not parse."""
    program = script.program
    if program is None:
        return None
    if reversed_literal is not None:
        return Compiler(script, reversed_literal).program(program, module=script.module)
    compiled = program.__dict__.get(_PROGRAMS)
    if compiled is None:
        compiler = Compiler(script)
        compiled = compiler.program(program, module=script.module)
        program.__dict__[_PROGRAMS], program.__dict__[_CODED] = compiled, compiler.coded
    return compiled  # type: ignore[no-any-return]


def forget_compiled(script: Script) -> None:
    """Let a script that nobody runs any more lose what it was compiled to."""
    if script.program is not None:
        script.program.__dict__.pop(_PROGRAMS, None)
        for node in script.program.__dict__.pop(_CODED, ()):
            node.__dict__.pop(_CODES, None)


_WORD = re.compile(r"(\w+)")


def _reversing(literal: Evaluate) -> Evaluate:
    """A literal with its items, its keys or its words in the other order."""

    def evaluate(machine: Machine, env: Env) -> JSValue:
        value = literal(machine, env)
        if isinstance(value, ArrayObject):
            value.items.reverse()
        elif type(value) is JSObject:
            value.props = dict(reversed(value.props.items()))
        elif type(value) is str:
            pieces = _WORD.split(value)
            pieces[1::2] = pieces[1::2][::-1]
            return "".join(pieces)
        return value

    return evaluate
