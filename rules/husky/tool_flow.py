"""Where a value of a tool comes from: everything that went into it, told as facts.

The slice of an expression is followed backwards: through variables and all that is ever written to them, the parts of
objects, returns of functions, callbacks, what a function evaluated in the page gives back, and the conditions under
which something is written. The order of statements is not looked at. A function is followed for the call at hand, so
that one probe asked for the paw and for the tail is not both at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from husky_lint.style.words import words

from .tool_facts import IN_PAGE, MEASURING, Fact, facts_of_name, facts_of_number, facts_of_operator, facts_of_text
from .tool_program import bare, dotted, is_function, key_name, key_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from husky_lint.parse.js import JsNode

    from .tool_program import Definition, Function, Path, ToolProgram, Variable

ANY: Final = "*"
"""The step of a path to an element, whichever."""
_MAX_PATH: Final = 6
_MAX_CONTEXT: Final = 6
_MAX_STEPS: Final = 150_000
_OPENING: Final = words("newContext newPage launchPersistentContext launch")
_LENGTHS: Final = words("length size")
_SAME: Final = words(
    """
    slice sort reverse concat flat at pop shift splice find findLast filter toSorted toReversed with fill trim values
    """
)
_ASKING: Final = words("some every includes indexOf findIndex lastIndexOf join has")
_WRAPPING: Final = words(
    """
    Object.values Array.from Promise.all Promise.resolve Promise.allSettled JSON.parse JSON.stringify structuredClone
    Object.fromEntries Object.freeze Number String Boolean parseFloat parseInt Set Map Array.of
    """
)
_CALLING: Final = words("map flatMap filter forEach some every find findIndex findLast reduce reduceRight sort")


@dataclass(eq=False, frozen=True, slots=True)
class Context:
    """For which call a function is followed. ``outer`` is the context of the place of the call."""

    call: JsNode
    function: Function
    outer: Context | None
    depth: int


Key = tuple[str, object, "Path", "Context | None"]
"""A value to be told: ``expression``, ``variable``, ``result`` or ``control``; what; which part; in which context."""


class Flow:
    """Slices over one program. Facts of a key are worked out once."""

    def __init__(self, program: ToolProgram) -> None:
        self.program = program
        self.limit = False
        self._facts: dict[Key, int] = {}
        self._kinds: dict[Variable, tuple[bool, bool]] = {}
        self._contexts: dict[tuple[int, int, int], Context] = {}
        self._handed: dict[int, dict[int, int | None]] = {}
        self._steps = 0

    def facts(self, node: JsNode, path: Path = (), context: Context | None = None) -> int:
        """All facts of what an expression's value (or a part of it) is made from."""
        return self._solve(("expression", node, path, context))

    def context(self, call: JsNode, function: Function, outer: Context | None) -> Context | None:
        """The context of a call, the outer one dropped when calls are nested too deeply."""
        if not function.node.params and function.outer is not None:
            return context_of(function.outer, outer)  # nothing of it depends on the call
        if outer is not None and outer.depth >= _MAX_CONTEXT:
            outer = None
        key = (id(call), id(function), id(outer))
        if key not in self._contexts:
            self._contexts[key] = Context(call, function, outer, 1 if outer is None else outer.depth + 1)
        return self._contexts[key]

    # ------------------------------------------------------------------ strongly connected parts share their facts

    def _solve(self, start: Key) -> int:
        facts = self._facts
        if start in facts:
            return facts[start]
        root: Key = ("root", None, (), None)
        index, low, bits = {root: 0}, {root: 0}, {root: 0}
        open_: list[Key] = []
        work: list[tuple[Key, Iterator[Key]]] = [(root, iter((start,)))]
        while True:
            key, following = work[-1]
            for other in following:
                known = facts.get(other)
                if known is not None:
                    bits[key] |= known
                    continue
                place = index.get(other)
                if place is not None:
                    low[key] = min(low[key], place)
                    bits[key] |= bits[other]
                    continue
                self._steps += 1
                told, parts = self._follow(other) if self._steps < _MAX_STEPS else (0, ())
                if not parts:
                    facts[other] = told
                    bits[key] |= told
                    continue
                self._steps += len(parts) // 8
                index[other] = low[other] = len(index)
                bits[other] = told
                open_.append(other)
                work.append((other, iter(parts)))
                break
            else:
                work.pop()
                if not work:
                    break
                if low[key] == index[key]:
                    member = None
                    while member is not key:
                        member = open_.pop()
                        facts[member] = bits[key]
                above = work[-1][0]
                bits[above] |= bits[key]
                low[above] = min(low[above], low[key])
        self.limit = self.limit or self._steps >= _MAX_STEPS
        return facts[start]

    def _follow(self, key: Key) -> tuple[int, list[Key]]:
        kind, what, path, context = key
        if kind == "expression":
            return self.step(what, path, context)
        if kind == "variable":
            return self._variable(what, path, context)  # type: ignore[arg-type]
        if kind == "result":
            return 0, list(self._result(what, path, context))  # type: ignore[arg-type]
        return 0, list(self._control(what, context))

    def following(self, key: Key) -> list[Key]:
        """What else went into a value, one step back."""
        return self._follow(key)[1]

    # ------------------------------------------------------------------ expressions

    def step(self, node: JsNode, path: Path, context: Context | None) -> tuple[int, list[Key]]:
        """The facts of an expression itself and what else went into it."""
        follow = _EXPRESSIONS.get(node.type)
        if follow is not None:
            return follow(self, node, path[:_MAX_PATH], context)
        function = self.program.function(node)
        return 0, [] if function is None else [("result", function, path[:_MAX_PATH], None)]

    def _identifier(self, node: JsNode, path: Path, context: Context | None) -> tuple[int, list[Key]]:
        variable = self.program.variable(node)
        told = facts_of_name(node.name)
        return told, [] if variable is None else [("variable", variable, path, context_of(variable.home, context))]

    def _literal(self, node: JsNode, path: Path, context: Context | None) -> tuple[int, list[Key]]:
        return _facts_of_literal(node), []

    def _member(self, node: JsNode, path: Path, context: Context | None) -> tuple[int, list[Key]]:
        name = key_of(node)
        if name is None:
            return 0, [_expression(node.object, (ANY, *path), context), _expression(node.property, (), context)]
        told = facts_of_name(name)
        if node.object.type == "ThisExpression":
            this = node.home.file.globals.get("this")
            return told, [("variable", this, (name, *path), None)] if this is not None else []
        return told, [_expression(node.object, (name, *path), context)]

    def _argument(self, node: JsNode, path: Path, context: Context | None) -> tuple[int, list[Key]]:
        return 0, [_expression(node.argument, path, context)] if node.argument is not None else []

    def _chain(self, node: JsNode, path: Path, context: Context | None) -> tuple[int, list[Key]]:
        return 0, [_expression(node.expression, path, context)]

    def _unary(self, node: JsNode, path: Path, context: Context | None) -> tuple[int, list[Key]]:
        return 0, [_expression(node.argument, (), context)]

    def _update(self, node: JsNode, path: Path, context: Context | None) -> tuple[int, list[Key]]:
        return Fact.SUM.value, [_expression(node.argument, (), context)]

    def _binary(self, node: JsNode, path: Path, context: Context | None) -> tuple[int, list[Key]]:
        told = facts_of_operator(node.operator)
        return told, [_expression(node.left, (), context), _expression(node.right, (), context)]

    def _logical(self, node: JsNode, path: Path, context: Context | None) -> tuple[int, list[Key]]:
        return 0, [_expression(node.left, path, context), _expression(node.right, path, context)]

    def _conditional(self, node: JsNode, path: Path, context: Context | None) -> tuple[int, list[Key]]:
        branches = [_expression(one, path, context) for one in (node.consequent, node.alternate)]
        return 0, [_expression(node.test, (), context), *branches]

    def _assignment(self, node: JsNode, path: Path, context: Context | None) -> tuple[int, list[Key]]:
        told = Fact.SUM.value if node.operator == "+=" else 0
        return told, [_expression(node.right, path, context)]

    def _sequence(self, node: JsNode, path: Path, context: Context | None) -> tuple[int, list[Key]]:
        return 0, [_expression(node.expressions[-1], path, context)]

    def _template(self, node: JsNode, path: Path, context: Context | None) -> tuple[int, list[Key]]:
        told = 0
        for quasi in node.quasis:
            told |= facts_of_text(str(quasi.value.cooked or ""))
        return told, [_expression(one, (), context) for one in node.expressions]

    def _tagged(self, node: JsNode, path: Path, context: Context | None) -> tuple[int, list[Key]]:
        return 0, [_expression(node.tag, (), context), _expression(node.quasi, (), context)]

    def _object(self, node: JsNode, path: Path, context: Context | None) -> tuple[int, list[Key]]:
        entries = [p for p in node.properties if p.type == "Property"]
        if path and is_index(path[0]):
            keys = 0
            for entry in entries:
                keys |= facts_of_name(key_name(entry) or "")
            return keys, [
                _expression(p.value, path[1:], context)
                if p.type == "Property"
                else _expression(p.argument, path, context)
                for p in node.properties
            ]
        others = [p for p in node.properties if p.type != "Property"]
        if path and not entries and not others:
            return 0, []
        for skip in range(len(path)):
            named = [p for p in entries if key_name(p) == path[skip]]
            if named:
                return facts_of_name(path[skip]), [_expression(p.value, path[skip + 1 :], context) for p in named]
            if others or any(p.computed for p in entries):
                break
        told = 0
        for entry in entries:
            told |= facts_of_name(key_name(entry) or "")
        computed = [p for p in entries if key_name(p) is None]
        chosen = computed + others if path else node.properties
        following = [_expression(p.value if p.type == "Property" else p.argument, path, context) for p in chosen]
        return told if not path else 0, following

    def _array(self, node: JsNode, path: Path, context: Context | None) -> tuple[int, list[Key]]:
        elements = [one for one in node.elements if one is not None]
        spread = [one for one in elements if one.type == "SpreadElement"]
        if path and path[0] in _LENGTHS:
            return 0, [_expression(one.argument, path, context) for one in spread]
        if path and path[0].isdigit() and not spread and int(path[0][:6]) < len(elements):
            return 0, [_expression(elements[int(path[0])], path[1:], context)]
        return 0, [_expression(one, path if one.type == "SpreadElement" else inner(path), context) for one in elements]

    # ------------------------------------------------------------------ calls

    def _call(self, node: JsNode, path: Path, context: Context | None) -> tuple[int, list[Key]]:
        callee = bare(node.callee)
        arguments = node.arguments
        local = self.program.callees(node)
        name = key_of(callee) if callee.type == "MemberExpression" else getattr(callee, "name", None)
        told = facts_of_name(name or "")
        if local:
            following: list[Key] = [("result", f, path, self.call_context(node, f, context)) for f in local]
            if callee.type == "MemberExpression" and callee.object.type != "ThisExpression":
                told |= facts_of_name(dotted(callee.object))
            return told, following
        whole = dotted(callee)
        if whole in _WRAPPING or name in _WRAPPING:
            rest = () if path and path[0] in _LENGTHS and name in ("Set", "Map") else path
            if whole == "Array.from" and len(arguments) > 1:
                return told, self._callback(node, arguments[1], path, context)
            return told, [_expression(one, rest, context) for one in arguments]
        if whole == "Object.entries" and arguments:
            rest = inner(path)
            if rest[:1] == ("0",):
                return told, [_expression(arguments[0], ("length",), context)]
            return told, [_expression(arguments[0], (ANY, *inner(rest)), context)]
        if whole == "Object.keys" and arguments:
            return told, [_expression(arguments[0], ("length",), context)]
        if node.type == "NewExpression" and name == "Promise" and arguments:
            return told, self._promise(arguments[0], path, context)
        if callee.type != "MemberExpression":
            return told, self._plain(node, arguments, context)
        receiver = callee.object
        if name in _OPENING:
            asked = [_expression(one, ("reducedMotion",), context) for one in arguments]
            return told, [_expression(receiver, (), context), *asked]
        if name in MEASURING:
            return self._measured(node, str(name), path, context)
        if name in _SAME:
            following = self._callbacks(node, (), context)
            if path[:1] != ("length",):
                one = name in ("find", "findLast", "at", "pop", "shift", "flat")
                following.append(_expression(receiver, (ANY, *path) if one else path, context))
            following.append(_expression(receiver, ("length",), context))
            if name in ("concat", "with", "fill"):
                following += [_expression(one, path, context) for one in arguments]
            return told, following
        if name in ("map", "flatMap"):
            if path[:1] == ("length",):
                return told, [_expression(receiver, path, context)]
            following = self._callbacks(node, inner(path), context)
            return told, following or [_expression(receiver, path, context)]
        if name in ("reduce", "reduceRight"):
            following = self._callbacks(node, path, context)
            return Fact.SUM.value, [*following, *[_expression(one, path, context) for one in arguments[1:]]]
        if name in _ASKING:
            following = self._callbacks(node, (), context)
            if not following:
                following.append(_expression(receiver, (), context))
            following.append(_expression(receiver, ("length",), context))
            plain = [one for one in arguments if not is_function(one)]
            return told, [*following, *[_expression(one, (), context) for one in plain]]
        if name in ("then", "finally", "catch"):
            followed = self._callbacks(node, path, context) if name == "then" else []
            return told, [*followed, _expression(receiver, path, context)]
        if name in ("get", "entries", "keys") and not arguments[1:]:
            key = _text_of(arguments[0]) if arguments else None
            return told, [_expression(receiver, (key, *path) if key else path, context)]
        return told, [_expression(receiver, (), context), *self._plain(node, arguments, context)]

    def _plain(self, node: JsNode, arguments: list[JsNode], context: Context | None) -> list[Key]:
        """Of a function that is not known: everything that it is given."""
        following: list[Key] = []
        for one in arguments:
            if is_function(one):
                following += self._callback(node, one, (), context)
            else:
                following.append(_expression(one, (), context))
        callee = bare(node.callee)
        if callee.type == "Identifier":
            following.append(_expression(callee, (), context))
        return following

    def _measured(self, node: JsNode, name: str, path: Path, context: Context | None) -> tuple[int, list[Key]]:
        callee = bare(node.callee)
        told = facts_of_name(name) | Fact.MEASURED.value
        following: list[Key] = [_expression(callee.object, (), context)]
        run = False
        for position, argument in enumerate(node.arguments):
            functions = self.program.functions_of(argument) if name in IN_PAGE else []
            if functions and not run:
                run = True
                following += [("result", f, path, self.call_context(node, f, context)) for f in functions]
            elif not run or name not in IN_PAGE:
                following.append(_expression(argument, (), context))
            if position > 8:
                break
        return told, following

    def _callbacks(self, node: JsNode, path: Path, context: Context | None) -> list[Key]:
        return self._callback(node, node.arguments[0], path, context) if node.arguments else []

    def _callback(self, call: JsNode, argument: JsNode, path: Path, context: Context | None) -> list[Key]:
        return [
            ("result", function, path, self.call_context(call, function, context))
            for function in self.program.functions_of(argument)
        ]

    def call_context(self, call: JsNode, function: Function, context: Context | None) -> Context | None:
        """The context in which a call runs a function.

        A method that a function returns (``expect(x).toBe(y)``) keeps the call that made it.
        """
        callee = bare(call.callee)
        outer = context
        if callee.type == "MemberExpression" and function.outer is not None:
            maker = bare(callee.object)
            if maker.type == "CallExpression" and function.outer in self.program.callees(maker):
                outer = self.context(maker, function.outer, context)
        return self.context(call, function, outer)

    def _promise(self, executor: JsNode, path: Path, context: Context | None) -> list[Key]:
        """What ``new Promise((resolve) => …)`` comes to: all that resolve is called with, and when."""
        function = self.program.function(executor)
        if function is None or not executor.params or executor.params[0].type != "Identifier":
            return []
        following: list[Key] = []
        variable = self.program.variable(executor.params[0])
        for reference in variable.references if variable is not None else ():
            holder = reference.up
            if holder is executor:
                continue
            following.append(("control", reference, (), context))
            if holder.type == "CallExpression" and holder.callee is reference:
                following += [_expression(one, path, context) for one in holder.arguments[:1]]
            elif holder.type == "AssignmentExpression":
                following.append(_expression(holder.left, (), context))
            elif holder.type == "CallExpression":
                following += [_expression(one, (), context) for one in holder.arguments if one is not reference]
                following.append(_expression(holder.callee, (), context))
        return following

    # ------------------------------------------------------------------ functions and variables

    def _result(self, function: Function, path: Path, context: Context | None) -> Iterator[Key]:
        for node in function.returns:
            value = node
            if node.type in ("ReturnStatement", "YieldExpression"):
                yield ("control", node, (), context)
                value = node.argument
            if value is not None:
                yield _expression(value, path, context)

    def _variable(self, variable: Variable, path: Path, context: Context | None) -> tuple[int, list[Key]]:
        following: list[Key] = []
        told = 0
        counted = path[:1] == ("length",) or path[:1] == ("size",)
        foreign, plain = self._kind_of(variable)
        if not path and foreign:
            return 0, []  # writing to a part of it makes nothing else
        definitions = self.program.definitions(variable, path)
        for definition in definitions:
            kind = definition.kind
            if kind == "parameter":
                following += self._parameter(variable, definition, path, context)
                continue
            if kind == "import":
                following += [_expression(n, path, None) for n in self.program.imported(variable, definition)]
                continue
            inside = context_of(definition.site.home, context)
            rest = meet(definition.store, path)
            if rest is None and plain:
                continue
            rest = rest or ()  # of a thing of the platform, such as an image, every part may depend on every other
            if kind != "init":
                following.append(("control", definition.site, (), inside))
            if kind == "update":
                told |= Fact.SUM.value
            if definition.value is None:
                continue
            if kind == "element":
                following.append(_expression(definition.value, (ANY, *definition.path, *rest), inside))
            elif kind == "add" and counted:
                if definition.value.type == "SpreadElement":
                    following.append(_expression(definition.value.argument, path, inside))
            elif kind == "key":
                following.append(_expression(definition.value, ("length",), inside))
            else:
                rest = inner(rest) if kind == "add" and definition.value.type != "SpreadElement" else rest
                following.append(_expression(definition.value, (*definition.path, *rest), inside))
        return told, following

    def _kind_of(self, variable: Variable) -> tuple[bool, bool]:
        """Whether a name is one of the platform, such as document; and whether it holds no thing of the platform."""
        known = self._kinds.get(variable)
        if known is None:
            foreign = all(one.store for one in variable.definitions)
            known = self._kinds[variable] = foreign, all(_is_plain(one) for one in variable.definitions)
        return known

    def _parameter(
        self, variable: Variable, definition: Definition, path: Path, context: Context | None
    ) -> Iterator[Key]:
        function = variable.home
        found = definition.site
        owner = self.program.function(found) or function
        inside = context_of(owner, context)
        wanted = (*definition.path, *path)
        if inside is not None and inside.function is owner:
            yield from self.argument(inside.call, owner, definition.index, wanted, inside.outer)
            return
        for site in owner.sites:
            around = context_of(site.node.home, inside)  # of a callback, the call of what it stands in
            yield from self.argument(site.node, owner, definition.index, wanted, around)

    def argument(self, call: JsNode, function: Function, index: int, path: Path, context: Context | None) -> list[Key]:
        """What parameter ``index`` of a function is at a call that runs it."""
        callee = bare(call.callee)
        handed = self._position(call, function)
        if handed is None:
            if index < len(call.arguments):
                argument = call.arguments[index]
                return [_expression(argument, path, context)]
            spread = [one for one in call.arguments if one.type == "SpreadElement"]
            return [_expression(one, path, context) for one in spread]
        name = key_of(callee) if callee.type == "MemberExpression" else None
        others = [one for at, one in enumerate(call.arguments) if at != handed and not is_function(one)]
        if name in IN_PAGE and name is not None:
            first = 1 if name in ("$eval", "$$eval", "evaluateAll") else 0
            if name == "evaluate" and _is_locator(callee.object):
                first = 1
            if index < first:
                return [_expression(callee.object, (), context), *[_expression(o, (), context) for o in others[:1]]]
            at = handed + 1 + index - first
            return [_expression(call.arguments[at], path, context)] if at < len(call.arguments) else []
        if name in _CALLING and callee.type == "MemberExpression":
            wanted = 1 if name in ("reduce", "reduceRight") else 0
            if index == wanted or (name == "sort" and index < 2):
                return [_expression(callee.object, (ANY, *path), context)]
            return [_expression(one, path, context) for one in others[:1]] if index == 0 else []
        if name == "then":
            return [_expression(callee.object, path, context)] if index == 0 else []
        following = [_expression(one, path if name == "from" else (), context) for one in others]
        if callee.type == "MemberExpression":
            following.append(_expression(callee.object, (), context))
        return following

    def _position(self, call: JsNode, function: Function) -> int | None:
        """Which argument of a call the function is; None when it is what is called."""
        if id(function) not in self._handed:
            self._handed[id(function)] = {
                id(site.node): None if site.direct else site.position for site in reversed(function.sites)
            }
        return self._handed[id(function)].get(id(call))

    # ------------------------------------------------------------------ conditions

    def _control(self, node: JsNode, context: Context | None) -> Iterator[Key]:
        for test, where in self.conditions(node, context):
            yield _expression(test.node, test.path, where)

    def conditions(self, node: JsNode, context: Context | None) -> Iterator[tuple[Condition, Context | None]]:
        """What must hold for a place to be reached, up to the function that is called by name."""
        child, parent = node, node.up
        for _ in range(400):
            if parent is None:
                return
            kind = parent.type
            inside = context_of(child.home, context)
            if kind in ("IfStatement", "ConditionalExpression"):
                if child is not parent.test:
                    yield Condition(parent.test, child is parent.consequent), inside
            elif kind == "LogicalExpression":
                if child is parent.right and parent.operator in ("&&", "||"):
                    yield Condition(parent.left, parent.operator == "&&"), inside
            elif kind in ("WhileStatement", "ForStatement"):
                if child is parent.body and parent.test is not None:
                    yield Condition(parent.test, None), inside
            elif kind == "ForOfStatement":
                if child is parent.body:
                    yield Condition(parent.right, None, ("length",)), inside
            elif kind == "SwitchCase":
                yield Condition(parent.up.discriminant, None), inside
                if parent.test is not None:
                    yield Condition(parent.test, None), inside
            elif kind in ("BlockStatement", "Program"):
                for statement in self.program.guards(parent):
                    if statement.range[0] < child.range[0]:
                        yield Condition(statement.test, False), inside
            elif is_function(parent):
                holder = parent.up
                if holder is None or holder.type not in ("CallExpression", "NewExpression"):
                    return
                if holder.callee is parent or parent not in holder.arguments:
                    return  # run where it stands
                inside = context_of(holder.home, context)
                callee = bare(holder.callee)
                if callee.type == "MemberExpression":
                    name = key_of(callee)
                    length = ("length",) if name in _CALLING else ()
                    yield Condition(callee.object, None, length), inside
                    for one in holder.arguments:
                        if not is_function(one):
                            yield Condition(one, None), inside
                child, parent = holder, holder.up
                continue
            child, parent = parent, parent.up


_EXPRESSIONS: Final = {
    "Identifier": Flow._identifier,
    "Literal": Flow._literal,
    "MemberExpression": Flow._member,
    "CallExpression": Flow._call,
    "NewExpression": Flow._call,
    "AwaitExpression": Flow._argument,
    "SpreadElement": Flow._argument,
    "YieldExpression": Flow._argument,
    "ChainExpression": Flow._chain,
    "UnaryExpression": Flow._unary,
    "UpdateExpression": Flow._update,
    "BinaryExpression": Flow._binary,
    "LogicalExpression": Flow._logical,
    "ConditionalExpression": Flow._conditional,
    "AssignmentExpression": Flow._assignment,
    "SequenceExpression": Flow._sequence,
    "TemplateLiteral": Flow._template,
    "TaggedTemplateExpression": Flow._tagged,
    "ObjectExpression": Flow._object,
    "ArrayExpression": Flow._array,
}


@dataclass(eq=False, frozen=True, slots=True)
class Condition:
    """An expression that decides whether a place is reached; ``holds`` says how it must come out, None for some way.

    ``outcome`` marks a value that is an outcome itself: what it never changes from, decides nothing.
    """

    node: JsNode
    holds: bool | None
    path: Path = ()
    outcome: bool = False


def context_of(function: Function, context: Context | None) -> Context | None:
    """The part of a context that speaks of a function or of one around it."""
    around: Function | None = function
    while around is not None and context is not None:
        found: Context | None = context
        while found is not None:
            if found.function is around:
                return found
            found = found.outer
        around = around.outer
    return None


def _expression(node: JsNode, path: Path, context: Context | None) -> Key:
    return ("expression", node, path, context)


def is_index(step: str) -> bool:
    """Whether a step of a path goes to an element rather than to a property."""
    return step == ANY or step.isdigit()


def inner(path: Path) -> Path:
    """The path within an element."""
    return path[1:] if path and is_index(path[0]) else path


def meet(store: Path, path: Path) -> Path | None:
    """What is left of a path in a part that was stored under another, None when the two are different parts."""
    for here, there in zip(store, path, strict=False):
        if here != there and not (is_index(here) or is_index(there)):
            return None
    return path[len(store) :]


def _is_plain(definition: Definition) -> bool:
    """Whether a definition makes no thing of the platform."""
    value = bare(definition.value)
    return definition.kind != "init" or value is None or value.type != "NewExpression"


def _facts_of_literal(node: JsNode) -> int:
    value = node.value
    if isinstance(value, str):
        return facts_of_text(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return facts_of_number(value)
    regex = node.regex
    return facts_of_text(str(regex.pattern)) if regex is not None else 0


def _text_of(node: JsNode) -> str | None:
    return str(node.value) if node.type == "Literal" and isinstance(node.value, str) else None


def _is_locator(node: JsNode) -> bool:
    """Whether an expression gives a locator or an element handle rather than a page."""
    node = bare(node)
    return bool(
        node.type == "CallExpression"
        and node.callee.type == "MemberExpression"
        and (key_of(node.callee) or "") in ("locator", "first", "last", "nth", "$", "getByRole", "getByText")
    )
