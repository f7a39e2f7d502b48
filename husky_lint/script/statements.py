"""Statements of the source as closures that say how they ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from husky_lint.script.effects import ENDLESS
from husky_lint.script.expressions import constant, make_closure
from husky_lint.script.machine import BREAK, CONTINUE, MAX_LOOP, Completion
from husky_lint.script.operators import strictly_equal, truth
from husky_lint.script.scope import Frame, Scope, captures, children, lexical_names, pattern_names
from husky_lint.script.values import UNDEFINED, JSObject, JSThrow, JSValue, Unknown

if TYPE_CHECKING:
    from collections.abc import Callable

    from husky_lint.script.code import Code, Env, Evaluate, Execute, Store
    from husky_lint.script.compiler import Compiler
    from husky_lint.script.machine import Machine

Node = Any
Labels = frozenset[str]
STATEMENTS: dict[str, Callable[[Compiler, Node, Scope, Labels], Execute]] = {}


def _statement(*kinds: str) -> Callable[[Callable[[Compiler, Node, Scope, Labels], Execute]], Any]:
    def register(rule: Callable[[Compiler, Node, Scope, Labels], Execute]) -> Any:
        for kind in kinds:
            STATEMENTS[kind] = rule
        return rule

    return register


def _nothing(m: Machine, env: Env) -> None:
    return None


@_statement("EmptyStatement", "DebuggerStatement", "ExportAllDeclaration")
def _empty(c: Compiler, node: Node, scope: Scope, labels: Labels) -> Execute:
    return _nothing


@_statement("FunctionDeclaration")
def _function_declaration(c: Compiler, node: Node, scope: Scope, labels: Labels) -> Execute:
    return _nothing  # hoisted


@_statement("ExpressionStatement", "Directive")
def _expression_statement(c: Compiler, node: Node, scope: Scope, labels: Labels) -> Execute:
    expression = c.expression(node.expression, scope)

    def run(m: Machine, env: Env) -> None:
        expression(m, env)

    return run


@_statement("VariableDeclaration")
def _variables(c: Compiler, node: Node, scope: Scope, labels: Labels) -> Execute:
    steps: list[tuple[Store, Evaluate]] = []
    for declarator in node.declarations:
        if declarator.init is None:
            if node.kind == "var":
                continue
            value: Evaluate = constant(UNDEFINED)
        else:
            name = declarator.id.name if declarator.id.type == "Identifier" else ""
            value = c.named(declarator.init, scope, name)
        steps.append((c.store(declarator.id, scope, declare=node.kind), value))
    if len(steps) == 1:
        store, init = steps[0]

        def run_one(m: Machine, env: Env) -> None:
            store(m, env, init(m, env))

        return run_one

    def run(m: Machine, env: Env) -> None:
        for store, init in steps:
            store(m, env, init(m, env))

    return run


@_statement("ClassDeclaration")
def _class_declaration(c: Compiler, node: Node, scope: Scope, labels: Labels) -> Execute:
    value = c.class_(node, scope, node.id.name)
    store = c.store(node.id, scope, declare="let")

    def run(m: Machine, env: Env) -> None:
        store(m, env, value(m, env))

    return run


@_statement("ReturnStatement")
def _return(c: Compiler, node: Node, scope: Scope, labels: Labels) -> Execute:
    if node.argument is None:
        done = Completion("return")
        return lambda m, env: done
    value = c.expression(node.argument, scope)
    return lambda m, env: Completion("return", None, value(m, env))


@_statement("ThrowStatement")
def _throw(c: Compiler, node: Node, scope: Scope, labels: Labels) -> Execute:
    value = c.expression(node.argument, scope)
    span = c.span(node)

    def run(m: Machine, env: Env) -> None:
        raise JSThrow(value(m, env), span)

    return run


@_statement("BreakStatement")
def _break(c: Compiler, node: Node, scope: Scope, labels: Labels) -> Execute:
    done = BREAK if node.label is None else Completion("break", node.label.name)
    return lambda m, env: done


@_statement("ContinueStatement")
def _continue(c: Compiler, node: Node, scope: Scope, labels: Labels) -> Execute:
    done = CONTINUE if node.label is None else Completion("continue", node.label.name)
    return lambda m, env: done


@_statement("IfStatement")
def _if(c: Compiler, node: Node, scope: Scope, labels: Labels) -> Execute:
    test = c.expression(node.test, scope)
    yes = c.statement(node.consequent, scope)
    no = _nothing if node.alternate is None else c.statement(node.alternate, scope)

    def run(m: Machine, env: Env) -> Completion | None:
        value = test(m, env)
        known = value if value is True or value is False else truth(value)
        if known is None:
            return m.fork_statements(lambda: yes(m, env), lambda: no(m, env))
        return yes(m, env) if known else no(m, env)

    return run


# --- blocks


def sequence(c: Compiler, nodes: list[Node], scope: Scope) -> Execute:
    """Statements one after the other; their names are declared by the caller."""
    steps = [c.statement(node, scope) for node in nodes if node.type not in ("FunctionDeclaration", "EmptyStatement")]
    if not steps:
        return _nothing
    if len(steps) == 1:
        return steps[0]

    def run(m: Machine, env: Env) -> Completion | None:
        for step in steps:
            done = step(m, env)
            if done is not None:
                return done
        return None

    return run


def hoist(c: Compiler, nodes: list[Node], scope: Scope) -> list[tuple[Store, Code]]:
    """The functions declared directly in a block, to be made on entry."""
    made: list[tuple[Store, Code]] = []
    for statement in nodes:
        node = statement
        if node.type in ("ExportNamedDeclaration", "ExportDefaultDeclaration") and node.declaration is not None:
            node = node.declaration
        if node.type != "FunctionDeclaration" or node.id is None:
            continue
        code = c.function(node, scope, node.id.name, "function")
        made.append((c.store(node.id, scope, declare="function"), code))
        outer = scope.var_scope()
        if not scope.strict and outer is not scope:
            made.append((c.store(node.id, outer_view(scope, outer), declare="var"), code))
    return made


def outer_view(scope: Scope, outer: Scope) -> Scope:
    """A scope that resolves in ``outer``, seen from the environment of ``scope``."""
    view = Scope(None, scope.frame)
    parent: Scope | None = scope
    while parent is not None and parent is not outer and parent.frame is scope.frame:
        parent = parent.parent
    view.parent = _Past(parent, outer) if parent is not None else outer
    return view


class _Past(Scope):
    """Skips the names of the blocks between a block and its function, not their environments."""

    __slots__ = ()

    def __init__(self, start: Scope, outer: Scope) -> None:
        super().__init__(None, start.frame, strict=start.strict)
        scope: Scope | None = start
        if start is outer:
            self.names = outer.names
            self.parent = outer.parent
            self.constants = outer.constants
            self.function = True
            return
        while scope is not None and scope is not outer and scope.frame is start.frame:
            scope = scope.parent
        self.parent = _Past(scope, outer) if scope is not None else outer


def run_hoisted(made: list[tuple[Store, Code]], m: Machine, env: Env) -> None:
    """Make the functions of a block."""
    function = None
    last: Code | None = None
    for store, code in made:
        if code is not last:
            function = make_closure(m, code, env)
            last = code
        store(m, env, function)


def block_scope(scope: Scope, nodes: list[Node], holder: Node) -> tuple[Scope, bool]:
    """The scope of a block, and whether it needs an environment of its own."""
    names = lexical_names(nodes)
    if not names:
        return scope, False
    own = captures(holder)
    inner = Scope(scope, Frame() if own else scope.frame)
    for name, kind in names:
        inner.declare(name)
        if kind == "const":
            inner.constants.add(name)
    return inner, own


def block(c: Compiler, nodes: list[Node], scope: Scope, holder: Node) -> Execute:
    """``{ … }``."""
    inner, own = block_scope(scope, nodes, holder)
    made = hoist(c, nodes, inner)
    body = sequence(c, nodes, inner)
    if not own:
        if not made:
            return body

        def run_shared(m: Machine, env: Env) -> Completion | None:
            run_hoisted(made, m, env)
            return body(m, env)

        return run_shared
    frame = inner.frame

    def run(m: Machine, env: Env) -> Completion | None:
        env = [env] + [UNDEFINED] * (frame.size - 1)
        if made:
            run_hoisted(made, m, env)
        return body(m, env)

    return run


@_statement("BlockStatement")
def _block(c: Compiler, node: Node, scope: Scope, labels: Labels) -> Execute:
    return block(c, node.body, scope, node)


@_statement("LabeledStatement")
def _labeled(c: Compiler, node: Node, scope: Scope, labels: Labels) -> Execute:
    name = node.label.name
    body = c.statement(node.body, scope, labels | {name})

    def run(m: Machine, env: Env) -> Completion | None:
        outstanding = len(m.pending)
        done = body(m, env)
        if len(m.pending) > outstanding:
            join_paths(m, outstanding, lambda path: path.kind == "break" and path.label == name)
        if done is not None and done.kind == "break" and done.label == name:
            return None
        return done

    return run


def join_paths(m: Machine, outstanding: int, wanted: Callable[[Completion], bool]) -> None:
    """Join the paths that wait for the statement that is done."""
    for path in m.take_pending(outstanding, wanted):
        m.join(path.mark, path.state)


# --- loops


def _loop(
    labels: Labels,
    test: Callable[[Machine, Env], JSValue] | None,
    body: Execute,
    update: Callable[[Machine, Env], JSValue] | None,
    next_env: Callable[[Env], Env] | None = None,
    *,
    test_first: bool = True,
    endless: bool = False,
    waits: bool = False,
) -> Execute:
    """``endless``: the test cannot fail, so only the body can end the loop; ``waits``: it is a generator's, whose turns
    wait for whoever asks for more."""

    def continues(path: Completion) -> bool:
        return path.kind == "continue" and (path.label is None or path.label in labels)

    def breaks(path: Completion) -> bool:
        return path.kind == "break" and path.label is None

    def run(m: Machine, env: Env) -> Completion | None:
        outstanding = len(m.pending)
        turns = 0
        checked = test_first
        done: Completion | None = None
        if waits:
            done = _unknown_turns(m, env, m.unknown("unsupported"))
        while not waits:
            if checked and test is not None:
                value = test(m, env)
                known = value if value is True or value is False else truth(value)
                if known is None:
                    done = _unknown_turns(m, env, value)
                    break
                if not known:
                    break
            checked = True
            turns += 1
            m.steps -= 1
            if m.steps < 0 or turns > MAX_LOOP:
                m.spend(0)
                if endless and len(m.pending) == outstanding:
                    m.emit("limit", "script", ENDLESS)
                done = _unknown_turns(m, env, m.unknown("limit"))
                break
            done = body(m, env)
            if len(m.pending) > outstanding:
                join_paths(m, outstanding, continues)
            if done is not None:
                if breaks(done):
                    done = None
                    break
                if not continues(done):
                    break
                done = None
            if next_env is not None:
                env = next_env(env)
            if update is not None:
                update(m, env)
        if len(m.pending) > outstanding:
            join_paths(m, outstanding, breaks)
        return done

    def _unknown_turns(m: Machine, env: Env, why: Unknown) -> Completion | None:
        def turn() -> Completion | None:
            inner = next_env(env) if next_env is not None else env
            done = body(m, inner)
            if done is not None and not continues(done):
                return done
            if update is not None:
                update(m, inner)
            if test is not None:
                test(m, inner)
            return None

        return m.unknown_loop(turn, why)

    return run


def _is_true(test: Node | None) -> bool:
    return test is None or (test.type == "Literal" and bool(test.value))


def _waits(loop: Node) -> bool:
    """Whether a loop without an end hands something out: in itself, not in a function inside."""
    stack = [loop.body] if _is_true(loop.test) else []
    while stack:
        node = stack.pop()
        if node.type == "YieldExpression":
            return True
        if "Function" not in node.type:
            stack.extend(children(node))
    return False


@_statement("WhileStatement")
def _while(c: Compiler, node: Node, scope: Scope, labels: Labels) -> Execute:
    test, body = c.expression(node.test, scope), c.statement(node.body, scope)
    return _loop(labels, test, body, None, endless=_is_true(node.test), waits=_waits(node))


@_statement("DoWhileStatement")
def _do_while(c: Compiler, node: Node, scope: Scope, labels: Labels) -> Execute:
    return _loop(
        labels,
        c.expression(node.test, scope),
        c.statement(node.body, scope),
        None,
        test_first=False,
        endless=_is_true(node.test),
        waits=_waits(node),
    )


@_statement("ForStatement")
def _for(c: Compiler, node: Node, scope: Scope, labels: Labels) -> Execute:
    declares = node.init is not None and node.init.type == "VariableDeclaration"
    own = False
    inner = scope
    if declares and node.init.kind != "var":
        own = captures(node)
        inner = Scope(scope, Frame() if own else scope.frame)
        for declarator in node.init.declarations:
            for name in pattern_names(declarator.id):
                inner.declare(name)
    if node.init is None:
        init: Callable[[Machine, Env], Any] = _nothing
    elif declares:
        init = c.statement(node.init, inner)
    else:
        init = c.expression(node.init, inner)
    test = None if node.test is None else c.expression(node.test, inner)
    update = None if node.update is None else c.expression(node.update, inner)
    body = c.statement(node.body, inner)
    loop = _loop(
        labels,
        test,
        body,
        update,
        list.copy if own else None,
        endless=_is_true(node.test),
        waits=_waits(node),
    )
    if not own:

        def run_shared(m: Machine, env: Env) -> Completion | None:
            init(m, env)
            return loop(m, env)

        return run_shared
    frame = inner.frame

    def run(m: Machine, env: Env) -> Completion | None:
        env = [env] + [UNDEFINED] * (frame.size - 1)
        init(m, env)
        return loop(m, env)

    return run


@_statement("ForOfStatement", "ForInStatement")
def _for_each(c: Compiler, node: Node, scope: Scope, labels: Labels) -> Execute:
    span = c.span(node.right)
    items_of = _keys_of if node.type == "ForInStatement" else _values_of
    inner, own = scope, False
    if node.left.type == "VariableDeclaration":
        target = node.left.declarations[0].id
        kind = node.left.kind
        if kind != "var":
            own = captures(node)
            inner = Scope(scope, Frame() if own else scope.frame)
            for name in pattern_names(target):
                inner.declare(name)
        store = c.store(target, inner, declare=kind)
    else:
        store = c.store(node.left, scope)
    right = c.expression(node.right, scope)
    body = c.statement(node.body, inner)
    frame = inner.frame

    def turn(m: Machine, env: Env, item: JSValue) -> Completion | None:
        if own:
            env = [env] + [UNDEFINED] * (frame.size - 1)
        store(m, env, item)
        return body(m, env)

    def continues(path: Completion) -> bool:
        return path.kind == "continue" and (path.label is None or path.label in labels)

    def breaks(path: Completion) -> bool:
        return path.kind == "break" and path.label is None

    def run(m: Machine, env: Env) -> Completion | None:
        value = right(m, env)
        m.at = span
        items = items_of(m, value)
        if type(items) is Unknown:
            return m.unknown_loop(lambda: turn(m, env, items.of_kind(None)), items)
        outstanding = len(m.pending)
        done: Completion | None = None
        for item in items:
            m.spend(1)
            done = turn(m, env, item)
            if len(m.pending) > outstanding:
                join_paths(m, outstanding, continues)
            if done is not None:
                if breaks(done):
                    done = None
                    break
                if not continues(done):
                    break
                done = None
        if len(m.pending) > outstanding:
            join_paths(m, outstanding, breaks)
        return done

    return run


def _values_of(m: Machine, value: JSValue) -> list[JSValue] | Unknown:
    return m.iterate(value)


def _keys_of(m: Machine, value: JSValue) -> list[JSValue] | Unknown:
    if type(value) is Unknown:
        return value
    if type(value) is str:
        return [str(i) for i in range(len(value))]
    keys: dict[str, None] = {}
    holder = value if isinstance(value, JSObject) else None
    if holder is not None and holder.unknown is not None:
        return holder.unknown
    while holder is not None:
        keys.update(dict.fromkeys(holder.own_keys()))
        holder = holder.proto
    return list(keys)


# --- switch, try


@_statement("SwitchStatement")
def _switch(c: Compiler, node: Node, scope: Scope, labels: Labels) -> Execute:
    discriminant = c.expression(node.discriminant, scope)
    statements = [statement for case in node.cases for statement in case.consequent]
    inner, own = block_scope(scope, statements, node)
    made = hoist(c, statements, inner)
    cases = [
        (None if case.test is None else c.expression(case.test, inner), sequence(c, case.consequent, inner))
        for case in node.cases
    ]
    frame = inner.frame
    default = next((i for i, (test, _) in enumerate(cases) if test is None), None)

    def fall_through(m: Machine, env: Env, start: int | None) -> Completion | None:
        if start is None:
            return None
        for _, body in cases[start:]:
            done = body(m, env)
            if done is not None:
                return done
        return None

    def either(m: Machine, env: Env, value: JSValue, place: int) -> Completion | None:
        test = cases[place][0]

        def other() -> Completion | None:
            return choose(m, env, value if test is None else _without(value, m, env, test), place + 1)

        return m.fork_statements(lambda: fall_through(m, env, place), other)

    def choose(m: Machine, env: Env, value: JSValue, start: int) -> Completion | None:
        for i in range(start, len(cases)):
            test = cases[i][0]
            if test is None:
                continue
            equal = strictly_equal(value, test(m, env))
            if type(equal) is Unknown:
                return either(m, env, value, i)
            if equal:
                return fall_through(m, env, i)
        return fall_through(m, env, default)

    def run(m: Machine, env: Env) -> Completion | None:
        value = discriminant(m, env)
        if own:
            env = [env] + [UNDEFINED] * (frame.size - 1)
        if made:
            run_hoisted(made, m, env)
        outstanding = len(m.pending)
        done = choose(m, env, value, 0)
        if len(m.pending) > outstanding:
            join_paths(m, outstanding, lambda path: path.kind == "break" and path.label is None)
        return None if done is not None and done.kind == "break" and done.label is None else done

    return run


def _without(value: JSValue, m: Machine, env: Env, test: Evaluate) -> JSValue:
    """A value with a choice less, once it is known not to be that."""
    if type(value) is not Unknown or value.choices is None:
        return value
    excluded = test(m, env)
    left = tuple(choice for choice in value.choices if strictly_equal(choice, excluded) is not True)
    if len(left) == 1:
        return left[0]
    return Unknown(value.reason, value.span, value.kind, choices=left)


@_statement("TryStatement")
def _try(c: Compiler, node: Node, scope: Scope, labels: Labels) -> Execute:
    body = c.statement(node.block, scope)
    handler = None if node.handler is None else _handler(c, node.handler, scope)
    finalizer = None if node.finalizer is None else c.statement(node.finalizer, scope)

    def caught(m: Machine, env: Env) -> Completion | None:
        if handler is None:
            return body(m, env)
        outstanding = len(m.pending)
        depth = m.depth
        try:
            m.tries += 1
            try:
                done = body(m, env)
            finally:
                m.tries -= 1
        except JSThrow as thrown:
            m.depth = depth
            value = thrown.value
            for path in m.take_pending(outstanding, lambda completion: completion.kind == "throw"):
                m.join(path.mark, path.state)
                value = m.join_values(path.completion.value, value)
            return handler(m, env, value)
        if len(m.pending) == outstanding:
            return done
        return may_catch(m, env, done, outstanding)

    def may_catch(m: Machine, env: Env, done: Completion | None, outstanding: int) -> Completion | None:
        for path in m.take_pending(outstanding, lambda completion: completion.kind == "throw"):
            m.join(path.mark, path.state)
            done = maybe_handle(m, env, path.completion.value, done)
        return done

    def maybe_handle(m: Machine, env: Env, value: JSValue, done: Completion | None) -> Completion | None:
        return m.fork_statements(lambda: handler(m, env, value) if handler else None, lambda: done)

    if finalizer is None:
        return caught

    def run(m: Machine, env: Env) -> Completion | None:
        depth = m.depth
        try:
            done = caught(m, env)
        except JSThrow:
            m.depth = depth
            over = finalizer(m, env)
            if over is not None:
                return over
            raise
        over = finalizer(m, env)
        return done if over is None else over

    return run


def _handler(c: Compiler, node: Node, scope: Scope) -> Callable[[Machine, Env, JSValue], Completion | None]:
    if node.param is None:
        body = c.statement(node.body, scope)
        return lambda m, env, value: body(m, env)
    own = captures(node)
    inner = Scope(scope, Frame() if own else scope.frame)
    for name in pattern_names(node.param):
        inner.declare(name)
    store = c.store(node.param, inner, declare="let")
    statements = c.statement(node.body, inner)
    frame = inner.frame

    def run(m: Machine, env: Env, value: JSValue) -> Completion | None:
        if own:
            env = [env] + [UNDEFINED] * (frame.size - 1)
        store(m, env, value)
        return statements(m, env)

    return run


@_statement("WithStatement")
def _with(c: Compiler, node: Node, scope: Scope, labels: Labels) -> Execute:
    span = c.span(node)

    def run(m: Machine, env: Env) -> None:
        m.at = span
        m.emit("unknown", "window", "with")

    return run


# --- modules


@_statement("ImportDeclaration")
def _import(c: Compiler, node: Node, scope: Scope, labels: Labels) -> Execute:
    span = c.span(node)
    address = node.source.value
    stores = [c.store(specifier.local, scope, declare="let") for specifier in node.specifiers]

    def run(m: Machine, env: Env) -> None:
        m.at = span
        m.emit("network", "window", "import", address)
        for store in stores:
            store(m, env, Unknown("network", span))

    return run


@_statement("ExportNamedDeclaration")
def _export(c: Compiler, node: Node, scope: Scope, labels: Labels) -> Execute:
    return _nothing if node.declaration is None else c.statement(node.declaration, scope)


@_statement("ExportDefaultDeclaration")
def _export_default(c: Compiler, node: Node, scope: Scope, labels: Labels) -> Execute:
    inner = node.declaration
    if inner.type in STATEMENTS:
        return c.statement(inner, scope) if getattr(inner, "id", None) is not None else _nothing
    value = c.expression(inner, scope)

    def run(m: Machine, env: Env) -> None:
        value(m, env)

    return run
