"""The ordered list of the paces, and what the page's controls make of it: buttons and arrow keys, worked in the model.

What follows from a list is found out by asking what would be if its items stood in the other order. A name typed
anywhere else stays where it is then.
"""

from __future__ import annotations

import itertools
import re
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from husky_lint.rule import Reason, Undecided
from husky_lint.script.journal import Journal, SetAttribute, SetText
from husky_lint.script.scope import children
from husky_lint.style.spellings import reading

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lxml.etree import _Element

    from husky_lint.evidence import Evidence
    from husky_lint.parse.js import Script
    from husky_lint.script.effects import Effect
    from husky_lint.script.model import ScriptModel
    from husky_lint.source import Span
    from husky_lint.style.computed import ComputedStyle

KEYS: Final = ("ArrowRight", "ArrowLeft")
_KEY_CODES: Final = {"ArrowRight": 39.0, "ArrowLeft": 37.0}
_CONTROLS: Final = frozenset({"button", "a", "summary"})
_ROLES: Final = frozenset({"button", "radio", "tab", "switch", "option", "menuitem", "menuitemradio"})
_INPUTS: Final = frozenset({"button", "submit", "radio", "image"})
_MAX_CONTROLS: Final = 48
_MAX_NODES: Final = 200_000
_MAX_LITERALS: Final = 8
_WORDS: Final = re.compile(r"[a-z]+")
_TELLING_KEYS: Final = ("id", "key", "name", "pace", "slug", "value", "gait", "speed", "mode")


@dataclass(frozen=True, slots=True, eq=False)
class PaceLiteral:
    """A literal of the page's scripts that names several paces. ``order`` are the paces as it names them."""

    node: Any
    span: Span
    order: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class PaceButton:
    """A control that puts the page into a pace; ``label`` is the pace that its text names, if any."""

    element: _Element
    pace: str
    label: str | None
    made_by_script: bool


@dataclass(frozen=True, slots=True, eq=False)
class PaceControls:
    """What the controls of a page do: the buttons in the order of the page, and the paces that arrow keys lead to.

    ``sequences`` holds for each key the pace at first and after every press; ``listener`` is where keys are listened
    to. ``written`` are the controls that stand in the page before script adds any.
    """

    loaded: str | None
    buttons: tuple[PaceButton, ...]
    sequences: Mapping[str, tuple[str, ...]]
    listener: Span | None
    written: frozenset[_Element]

    @property
    def paces(self) -> tuple[str, ...]:
        """The paces of the buttons in the order of the page."""
        return tuple(button.pace for button in self.buttons)

    @property
    def keys_work(self) -> bool:
        """Whether an arrow key changes the pace at all."""
        return any(len(set(sequence)) > 1 for sequence in self.sequences.values())


@dataclass(frozen=True, slots=True, eq=False)
class Derivation:
    """What would follow if one literal (None: the buttons as written in the page) stood in the other order."""

    literal: PaceLiteral | None
    buttons: bool
    keys: bool


@dataclass(frozen=True, slots=True, eq=False)
class PaceSources:
    """The controls, the literals that name the paces, and what derives from which."""

    controls: PaceControls
    literals: tuple[PaceLiteral, ...]
    derivations: tuple[Derivation, ...]


def pace_sources(evidence: Evidence) -> PaceSources:
    """Where buttons and keys take the paces from, worked out once. Raises Undecided."""
    return evidence.derived(_find_sources)


def _find_sources(evidence: Evidence) -> PaceSources:
    if not evidence.states.tells("pace"):
        raise Undecided(Reason.STATE_NOT_FOUND, "how the page spells its paces could not be told")
    names = _Names(evidence)
    evidence.style(evidence.states.initial)  # worked out before the page is at work
    with evidence.at_work() as model:
        controls = _observe(evidence, model, names)
    literals = tuple(_find_literals(evidence, names))[:_MAX_LITERALS]
    derivations: list[Derivation] = []
    for literal in literals:
        derivations.append(_derivation(evidence, names, controls, literal))
        if derivations[-1].buttons and derivations[-1].keys:
            break
    written = [button for button in controls.buttons if not button.made_by_script]
    if controls.keys_work and len(written) > 1 and not any(one.keys for one in derivations):
        derivations.append(_from_markup(evidence, names, controls))
    return PaceSources(controls, literals, tuple(derivations))


# ---------------------------------------------------------------- what a text says


class _Names:
    """The paces and the words for them."""

    def __init__(self, evidence: Evidence) -> None:
        axis = evidence.rubric.vocabulary.axis("pace")
        self.paces = tuple(value.name for value in axis.values) if axis is not None else ()
        values = axis.values if axis is not None else ()
        self._meant = {word: value.name for value in values for word in (*value.weak, *value.words, value.name)}

    def of(self, text: str) -> str | None:
        """The pace that a text is the name of."""
        return self._meant.get(text.strip().lower())

    def among(self, text: str) -> tuple[str, ...]:
        """The paces that the words of a text name, in order."""
        found = (self._meant.get(word) for word in _WORDS.findall(text.lower()))
        return tuple(pace for pace in found if pace is not None)


# ---------------------------------------------------------------- literals


def _find_literals(evidence: Evidence, names: _Names) -> Iterator[PaceLiteral]:
    for page_script in evidence.scripts:
        script = page_script.script
        if script.program is None:
            if script.error is not None:
                raise Undecided(Reason.PARSE_ERROR, script.error.message, script.error.span)
            continue
        if len(set(names.among(script.source.text))) >= 3:
            yield from _literals_of(script, names)


def _literals_of(script: Script, names: _Names) -> Iterator[PaceLiteral]:
    found: list[Any] = []
    constants: dict[str, Any] = {}
    stack: list[Any] = [script.program]
    for _ in range(_MAX_NODES):
        if not stack:
            break
        node = stack.pop()
        kind = node.type
        if kind in {"ArrayExpression", "ObjectExpression", "Literal", "TemplateLiteral"}:
            found.append(node)
        elif kind == "VariableDeclarator" and node.id.type == "Identifier" and node.init is not None:
            constants.setdefault(node.id.name, node.init)
        stack.extend(children(node))
    for node in sorted(found, key=lambda one: one.range[0]):
        order = _order(node, names, constants)
        if len(set(order)) >= 3:
            yield PaceLiteral(node, script.span(node), order)


def _order(node: Any, names: _Names, constants: Mapping[str, Any]) -> tuple[str, ...]:
    if node.type == "ArrayExpression":
        if not 3 <= len(node.elements) <= 12:
            return ()
        said = [_said(element, names, constants) for element in node.elements if element is not None]
    elif node.type == "ObjectExpression":
        if not 3 <= len(node.properties) <= 12:
            return ()
        said = [_key(member, names) for member in node.properties]
    else:
        text = _text(node)
        return names.among(text) if text is not None and 12 < len(text) < 200 else ()
    order = tuple(pace for pace in said if pace is not None)
    return order if len(set(order)) == len(order) else ()


def _text(node: Any) -> str | None:
    if node.type == "Literal":
        return node.value if isinstance(node.value, str) else None
    if node.type == "TemplateLiteral" and not node.expressions:
        return "".join(str(part.value.cooked) for part in node.quasis)
    return None


def _key(member: Any, names: _Names) -> str | None:
    if member.type != "Property":
        return None
    if member.key.type == "Identifier" and not member.computed:
        return names.of(member.key.name)
    text = _text(member.key)
    return names.of(text) if text is not None else None


def _said(node: Any, names: _Names, constants: Mapping[str, Any], depth: int = 0) -> str | None:
    """The pace that an item of a list is about."""
    if depth > 3:
        return None
    text = _text(node)
    if text is not None:
        return names.of(text)
    kind = node.type
    if kind == "Identifier":
        known = constants.get(node.name)
        told = _said(known, names, constants, depth + 1) if known is not None else None
        return told or names.of(node.name)
    if kind == "MemberExpression":
        return names.of(node.property.name) if node.property.type == "Identifier" and not node.computed else None
    if kind == "ObjectExpression":
        members = [m for m in node.properties if m.type == "Property" and not m.computed]
        members.sort(key=lambda m: getattr(m.key, "name", "") not in _TELLING_KEYS)
        inner: Sequence[Any] = [member.value for member in members]
    elif kind == "ArrayExpression":
        inner = [element for element in node.elements[:2] if element is not None]
    elif kind in {"CallExpression", "NewExpression"}:
        inner = node.arguments
    else:
        return None
    return next((pace for one in inner if (pace := _said(one, names, constants, depth + 1)) is not None), None)


# ---------------------------------------------------------------- controls at work


def _observe(evidence: Evidence, model: ScriptModel, names: _Names) -> PaceControls:
    """Work every control of the loaded page."""
    if model.limit:
        raise Undecided(Reason.LIMIT, "the scripts are too much to follow")
    work = _Work(evidence, model)
    loaded = work.pace()
    inserted = {m.node for m in model.mutations() if hasattr(m, "node")}
    buttons = tuple(_find_buttons(evidence, model, work, names, inserted))
    targets: list[Any] = [_body(evidence), *[button.element for button in buttons[:1]]]
    sequences = {
        key: _sequence(model, work, targets, key, presses)
        for key, presses in zip(KEYS, (len(names.paces) - 1, 2), strict=True)
    }
    listener = next((one.span for one in model.listeners if one.type.startswith("key")), None)
    written = frozenset(
        one for one in _controls(evidence.page.root) if not any(a in inserted for a in (one, *one.iterancestors()))
    )
    return PaceControls(loaded, buttons, sequences, listener, written)


def _sequence(model: ScriptModel, work: _Work, targets: Sequence[Any], key: str, presses: int) -> tuple[str, ...]:
    """The pace at first and after each press of a key, on the first target where it does anything."""
    mark = model.journal.mark()
    sequence: list[str] = []
    for target in targets:
        sequence = [work.pace() or ""]
        for _ in range(presses):
            effects = model.dispatch(target, "keydown", key=key, keyCode=_KEY_CODES[key], which=_KEY_CODES[key])
            if not effects and "keyup" in {listener.type for listener in model.listeners}:
                effects = model.dispatch(target, "keyup", key=key, keyCode=_KEY_CODES[key])
            work.refuse_uncertain(effects)
            sequence.append(work.pace() or "")
        model.journal.undo_to(mark)
        if len(set(sequence)) > 1:
            break
    return tuple(sequence)


class _Work:
    """The model with an eye on the pace."""

    def __init__(self, evidence: Evidence, model: ScriptModel) -> None:
        self.model = model
        self._forms = evidence.states.tells("pace")
        self._vocabulary = evidence.rubric.vocabulary
        self._places = {
            (carrier, "class" if form.is_class else form.name) for form in self._forms for carrier in form.carriers
        }

    def pace(self) -> str | None:
        """The pace that the page is in now; the default one where only the others are spelled."""
        found = reading(self._forms, self._vocabulary).get("pace")
        axis = self._vocabulary.axis("pace")
        return found if found is not None or axis is None else axis.default

    def refuse_uncertain(self, effects: Sequence[Effect]) -> None:
        """Raise Undecided where the pace hangs on what is not known, or is too much to follow."""
        if self.model.limit:
            raise Undecided(Reason.LIMIT, "what the controls do is too much to follow")
        for effect in effects:
            telling = effect.kind in {"attribute", "class"} and (effect.element, effect.name) in self._places
            if (telling and not effect.certain) or any(place in self.model.unknown for place in self._places):
                raise Undecided(Reason.DYNAMIC_VALUE, "which pace a control leads to", effect.span)


def _body(evidence: Evidence) -> _Element:
    return next(iter(evidence.page.root.iter("{*}body")), evidence.page.root)


def _find_buttons(
    evidence: Evidence, model: ScriptModel, work: _Work, names: _Names, inserted: set[Any]
) -> Iterator[PaceButton]:
    loaded = work.pace()
    shown = [one for one in _controls(evidence.page.root) if is_shown(evidence, one)]
    chosen = [one for one in shown if _names_pace(one, names)]
    if len(chosen) < len(names.paces):
        chosen = shown
    chosen = chosen[:_MAX_CONTROLS]
    found: dict[_Element, str] = {}
    mark = model.journal.mark()

    def lead(element: _Element, before: _Element | None = None) -> str | None:
        if before is not None:
            _press(model, before)
        work.refuse_uncertain(_press(model, element))
        pace = work.pace()
        model.journal.undo_to(mark)
        return pace

    for element in chosen:
        pace = lead(element)
        if pace is not None and pace != loaded:
            found[element] = pace
    away = next(iter(found), None)
    for element in chosen:
        if element not in found and away is not None and lead(element, away) == loaded and loaded is not None:
            found[element] = loaded
    if len(found) > len(names.paces):  # what merely leads on, such as a button for the next pace, is no pace's button
        found = {element: pace for element, pace in found.items() if _names_pace(element, names)}
    for element in chosen:
        if element in found:
            made = any(above in inserted for above in (element, *element.iterancestors()))
            yield PaceButton(element, found[element], _label(element, names), made)


def _press(model: ScriptModel, element: _Element) -> tuple[Effect, ...]:
    """Work a control as a person does."""
    name = _local(element)
    if name == "option":
        select = next((one for one in element.iterancestors() if _local(one) == "select"), None)
        if select is None:
            return ()
        value = element.get("value", "".join(map(str, element.itertext())).strip())
        return (*model.dispatch(select, "input", value=value), *model.dispatch(select, "change", value=value))
    for kind in ("pointerdown", "mousedown", "pointerup", "mouseup"):
        if any(listener.type == kind for listener in model.listeners):
            effects = model.dispatch(element, kind)
            if effects:
                return (*effects, *model.dispatch(element, "click"))
    return model.dispatch(element, "click")


def _controls(root: _Element) -> Iterator[_Element]:
    for element in root.iter("*"):
        name = _local(element)
        if (
            name in _CONTROLS
            or name == "option"
            or (name == "input" and (element.get("type") or "").lower() in _INPUTS)
            or (element.get("role") or "") in _ROLES
            or element.get("tabindex") is not None
            or element.get("onclick") is not None
        ):
            yield element


def is_shown(evidence: Evidence, element: _Element) -> bool:
    """Whether a control is displayed as the page loads; of one that script made, whether what it stands in is.

    A radio button may well be hidden behind its label. The style of the page as it loads must have been worked out.
    """
    styled = evidence.style(evidence.states.initial)
    around = next((one for one in (element, *element.iterancestors()) if one in styled), None)
    if around is None or (element.get("type") or "").lower() in {"radio", "checkbox"}:
        return True
    style: ComputedStyle | None = styled.computed(around)
    if style is not None and style.keyword("visibility") in {"hidden", "collapse"}:
        return False
    while style is not None:
        if style.keyword("display") == "none":
            return False
        style = style.parent
    return True


def _local(element: _Element) -> str:
    return str(element.tag).rpartition("}")[2]


def _names_pace(element: _Element, names: _Names) -> bool:
    return bool(_paces_named(element, names))


def _paces_named(element: _Element, names: _Names) -> set[str]:
    texts = ["".join(map(str, element.itertext()))[:200], *map(str, element.attrib.values())]
    return {pace for text in texts for pace in names.among(text)}


def _label_texts(element: _Element) -> Iterator[str]:
    """What the ``<label>`` of an input says."""
    if _local(element) != "input":
        return
    identifier = element.get("id")
    around = next((one for one in element.iterancestors() if _local(one) == "label"), None)
    if around is not None:
        yield "".join(map(str, around.itertext()))[:200]
    if identifier:
        root = element.getroottree().getroot()
        for label in root.iter("{*}label"):
            if label.get("for") == identifier:
                yield "".join(map(str, label.itertext()))[:200]


def _label(element: _Element, names: _Names) -> str | None:
    texts = ["".join(map(str, element.itertext()))[:200], *_label_texts(element)]
    texts += [element.get(name) or "" for name in ("aria-label", "value", "title")]
    return next((said[0] for text in texts if (said := names.among(text))), None)


def enter_pace(evidence: Evidence, model: ScriptModel, pace: str) -> bool:
    """Put the page at work into a pace by its button, else by the keys; False where nothing leads there."""
    names, work = _Names(evidence), _Work(evidence, model)
    if work.pace() == pace:
        return True
    mark = model.journal.mark()
    for element in [one for one in _controls(evidence.page.root) if pace in _paces_named(one, names)]:
        _press(model, element)
        if work.pace() == pace:
            return True
        model.journal.undo_to(mark)
    for key in KEYS:
        for _ in names.paces:
            model.dispatch(_body(evidence), "keydown", key=key, keyCode=_KEY_CODES[key], which=_KEY_CODES[key])
            if work.pace() == pace:
                return True
        model.journal.undo_to(mark)
    return False


# ---------------------------------------------------------------- what if


def _derivation(evidence: Evidence, names: _Names, controls: PaceControls, literal: PaceLiteral) -> Derivation:
    """What follows a literal: the buttons, with what they say and what the first does, and a press of either key."""
    labels = [button.label for button in controls.buttons]
    with evidence.load_page(reversed_literal=literal.node).at_work() as model:
        work = _Work(evidence, model)
        own = {button.element for button in controls.buttons}
        before = [
            element
            for element in _controls(evidence.page.root)
            if _names_pace(element, names) and (element in own or element not in controls.written)
        ]
        told = [_label(element, names) for element in before]
        if told == labels[::-1] and len(told) > 1:
            mark = model.journal.mark()
            work.refuse_uncertain(_press(model, before[0]))
            buttons = work.pace() == controls.paces[-1]
            model.journal.undo_to(mark)
        else:
            buttons = False
        body = [_body(evidence), *before[:1]]
        sequences = {key: _sequence(model, work, body, key, 1) for key in KEYS}
    keys = controls.keys_work and follows(sequences, literal.order[::-1])
    return Derivation(literal, buttons, keys)


def _from_markup(evidence: Evidence, names: _Names, controls: PaceControls) -> Derivation:
    """Whether the keys go through the buttons as they stand in the page."""
    with _other_order(controls.buttons), evidence.load_page().at_work() as model:
        other = _observe(evidence, model, names)
    return Derivation(None, True, other.keys_work and follows(other.sequences, controls.paces[::-1]))


@contextmanager
def _other_order(buttons: Sequence[PaceButton]) -> Iterator[None]:
    """The buttons that are written in the page, as if they stood in the other order: each is as another is."""
    written = [button.element for button in buttons if not button.made_by_script]
    looks = [(dict(element.attrib), element.text or "", len(element)) for element in written]
    journal = Journal()
    for element, (attributes, text, count) in zip(written, reversed(looks), strict=True):
        for name in {*map(str, element.attrib), *map(str, attributes)}:
            journal.apply(SetAttribute.of(element, name, attributes.get(name)))
        if not count and not len(element):
            journal.apply(SetText.of(element, text))
    try:
        yield
    finally:
        journal.undo_to(0)


def follows(sequences: Mapping[str, tuple[str, ...]], order: Sequence[str]) -> bool:
    """Whether right goes forward and left backward through an order, around its ends or up to them."""
    return all(_steps(sequences.get(key, ()), order, step) for key, step in zip(KEYS, (1, -1), strict=True))


def _steps(sequence: Sequence[str], order: Sequence[str], step: int) -> bool:
    if len(set(sequence)) < 2 or any(pace not in order for pace in sequence):
        return False
    places = [order.index(pace) for pace in sequence]
    last = len(order) - 1
    for here, there in itertools.pairwise(places):
        onward = here + step
        clamped = there == here and onward not in range(last + 1)
        if there != onward % len(order) and not clamped:
            return False
    return True
