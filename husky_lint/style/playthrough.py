"""One loading of the page in a view, whose controls are worked to see what they change.

The tree is the page's own; it carries the effects of loading only while something is looked at, and is left as it was.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol

from husky_lint.script.journal import (
    InsertNode,
    Journal,
    MarkUnknown,
    RemoveNode,
    SetAnimation,
    SetAttribute,
    SetText,
    apply_all,
    undo_all,
)
from husky_lint.script.values import text_with_numbers_for
from husky_lint.style.learned import carriers_of, inline_forms, learned_forms, marks_of, written_forms
from husky_lint.style.linked import is_sheet_link
from husky_lint.style.page_state import PageState, StateEvidence
from husky_lint.style.spellings import Form, find_forms, parts_of, reading
from husky_lint.style.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from lxml.etree import _Element

    from husky_lint.parse.css import Stylesheet
    from husky_lint.parse.html import HtmlDocument
    from husky_lint.script.journal import Mutation
    from husky_lint.source import Span
    from husky_lint.style.learned import Mark
    from husky_lint.style.media import MediaContext
    from husky_lint.style.vocabulary import Axis, AxisValue, StateVocabulary

#: How often one key is pressed in search of a value.
_KEY_PRESSES = 8
#: Controls tried for one value of an axis, the likeliest first.
_CONTROLS_TRIED = 6
#: Values that no selector spells of which one at least is not what is left of the others.
_TOLD_APART = 2
_NOT_FOUND = "state-not-found"
_DYNAMIC = "dynamic-value"
_UNSUPPORTED = "unsupported-css"


class Model(Protocol):
    """What is asked of a script model. What loading does is in its journal and on the tree when it is handed over."""

    @property
    def journal(self) -> Journal:
        """What script did."""

    @property
    def listeners(self) -> Sequence[Any]:
        """The event listeners; each has ``target`` (an element, or a name) and ``type``."""

    def dispatch(self, target: Any, event_type: str, **fields: Any) -> Any:
        """Let an event happen; what it does is applied to the tree and journalled."""


class SourceStyles:
    """The page's own ``<style>`` elements as the source has them, and the ones that script adds."""

    def __init__(self, document: HtmlDocument) -> None:
        self._document = document
        self._own = {block.element: _text(block.element) for block in document.style_blocks}
        self._parsed: dict[tuple[str, Span | None], Stylesheet] = {}

    def written(self, mutations: Iterable[Mutation]) -> tuple[tuple[Stylesheet, ...], bool]:
        """The sheets of the tree as it is now that the source does not have; whether it lost one that it has."""
        from husky_lint.parse.css import parse_stylesheet
        from husky_lint.source import SourceText

        found: list[Stylesheet] = []
        kept = 0
        lost = _has_unknown_text(mutations)
        for element in self._document.root.iter("{*}style"):
            text = _text(element)
            if element in self._own:
                kept += self._own[element] == text
                continue
            span = _written_at(element, mutations)
            key = (text, span)  # the same sheet whenever the page is loaded
            if key not in self._parsed:
                source = SourceText(span.file if span is not None else self._document.source.path, text)
                self._parsed[key] = parse_stylesheet(source, inline=True, at=span)
            found.append(self._parsed[key])
        return tuple(found), lost or kept < len(self._own)


def _text(element: _Element) -> str:
    return "".join(map(str, element.itertext()))


def _has_unknown_text(mutations: Iterable[Mutation]) -> bool:
    """Whether the text of a ``<style>`` is unknown after some mutations, or whether one stands in the tree at all."""
    unknown: dict[tuple[_Element, str], bool] = {}
    waiting = False
    for mutation in mutations:
        if isinstance(mutation, MarkUnknown) and mutation.part in ("#text", "#children"):
            told = mutation.value is None or text_with_numbers_for(mutation.value, "") is not None
            unknown[mutation.element, mutation.part] = not told
        elif isinstance(mutation, SetText) and _is_style(mutation.element):
            waiting = waiting or (bool(mutation.text) and mutation.element.getparent() is None)
    return any(
        is_unknown and (_is_style(element) or (waiting and part == "#children"))
        for (element, part), is_unknown in unknown.items()
    )


def _is_style(element: _Element) -> bool:
    return str(element.tag).rpartition("}")[2] == "style"


def _written_at(element: _Element, mutations: Iterable[Mutation]) -> Span | None:
    """Where script gives a ``<style>`` its text, else where it puts it into the page."""
    inserted: Span | None = None
    for mutation in mutations:
        if isinstance(mutation, SetText) and mutation.element is element and mutation.span is not None:
            return mutation.span
        if isinstance(mutation, InsertNode) and mutation.node is element:
            inserted = mutation.span
    return inserted


@dataclass(frozen=True, slots=True)
class Way:
    """How the loaded page gets into a value of an axis.

    An event dispatched ``repeat`` times, or forms to set on their carriers, or nothing at all (``load``, ``media``).
    """

    source: str
    text: str
    span: Span | None = None
    target: Any = None
    event_type: str = ""
    fields: Mapping[str, Any] = field(default_factory=dict)
    repeat: int = 1


class Playthrough:
    """See the module."""

    def __init__(
        self,
        document: HtmlDocument,
        sheets: Sequence[Stylesheet],
        source_styles: SourceStyles,
        vocabulary: StateVocabulary,
        media: MediaContext,
        model: Model | None,
    ) -> None:
        self.vocabulary = vocabulary
        self.media = media
        self._document = document
        self._sheets = tuple(sheets)
        self._source_styles = source_styles
        self._model = model
        self._journal = model.journal if model is not None else Journal()
        self._load = self._journal.since(0)
        self._ways: dict[tuple[str, str], Way | None] = {}
        self._controls: tuple[tuple[_Element, str], ...] | None = None
        try:
            written, _ = source_styles.written(self._load)
            tree = Tree.of(document.root)
            self.forms = find_forms((*self._sheets, *written), tree, vocabulary)
            tree.let_go()
            self.telling = self.forms
            """What tells the values: the forms, and places that controls write and no selector looks at."""
            self.loaded: Mapping[str, str] = reading(self.telling, vocabulary)
        finally:
            undo_all(self._load)
        for axis in vocabulary.axes:
            if model is not None and not axis.media_decides:
                if not self.tells(axis):
                    self._learn(axis, (*self._sheets, *written))
                else:
                    self._learn_inline(axis)

    @contextmanager
    def _as_loaded(self) -> Iterator[int]:
        """The tree as the page loads it, for the time of the block; gives the mark to return to.

        Not to be entered twice: ways are found before a state is made.
        """
        apply_all(self._load)
        mark = self._journal.mark()
        try:
            yield mark
        finally:
            self._journal.undo_to(mark)
            undo_all(self._load)

    @property
    def loading(self) -> tuple[Mutation, ...]:
        """What script does to the tree while the page loads."""
        return self._load

    def tells(self, axis: Axis) -> bool:
        """Whether anything in the page tells in which value of an axis it is."""
        return any(form.axis == axis.name for form in self.telling)

    def _learn(self, axis: Axis, sheets: Sequence[Stylesheet]) -> None:
        """Find out what the axis's controls write, where no word of a selector tells its values."""
        with self._as_loaded() as mark:
            watched = carriers_of(self._document.root)
            trials, spans = self._try_controls(axis, mark, watched)
            forms = learned_forms(axis, trials, sheets, fold=False)
            self.forms = (*self.forms, *forms)
            self.telling = (*self.telling, *(forms or written_forms(axis, trials, spans, watched)))
            self.loaded = self._read()

    def _try_controls(
        self, axis: Axis, mark: int, watched: Sequence[_Element], *, untold: bool = False
    ) -> tuple[dict[str, frozenset[Mark]], dict[str, Span | None]]:
        """By value of an axis: what the watched elements bear after a press of its control, and what wrote that.

        With ``untold`` nothing of a value that what is known tells already.
        """
        trials: dict[str, frozenset[Mark]] = {}
        spans: dict[str, Span | None] = {}
        for value in axis.values:
            for element, event_type in self._likely_controls(axis, value)[:1]:
                if self._model is not None:
                    self._model.dispatch(element, event_type)
                    told = untold and self._read().get(axis.name) is not None
                    trials[value.name] = frozenset() if told else marks_of(watched)
                    spans[value.name] = self._span_of(mark)
                    self._journal.undo_to(mark)
        return trials, spans

    def _learn_inline(self, axis: Axis) -> None:
        """Find out which inline style means which value, where selectors spell only the other values."""
        spelled = {form.value for form in self.forms if form.axis == axis.name}
        if len(axis.values) - len(spelled) < _TOLD_APART:
            return
        with self._as_loaded() as mark:
            watched = carriers_of(self._document.root)
            trials, spans = self._try_controls(axis, mark, watched, untold=True)
            forms = inline_forms(axis, trials, spans)
            self.forms, self.telling = (*self.forms, *forms), (*self.telling, *forms)
            self.loaded = self._read()

    def written(self, mutations: Iterable[Mutation]) -> tuple[tuple[Stylesheet, ...], bool]:
        """The sheets that script has added to the tree as it is now, and whether one cannot be followed."""
        applied = tuple(mutations)
        sheets, lost = self._source_styles.written(applied)
        return sheets, lost or any(_replaces_sheet(mutation) for mutation in applied)

    # ---- ways

    def way_to(self, axis: Axis, value: AxisValue) -> Way | None:
        """How the page gets into a value; None when nothing shows that it can."""
        key = (axis.name, value.name)
        if key not in self._ways:
            self._ways[key] = None  # what is asked on the way down finds no way
            self._ways[key] = self._find_way(axis, value)
        return self._ways[key]

    def _find_way(self, axis: Axis, value: AxisValue) -> Way | None:
        if self.loaded.get(axis.name) == value.name:
            return Way("load", f"the page loads with {self._spelled(axis, value)}")
        if self._model is not None:
            way = self._by_control(axis, value) or self._by_key(axis, value)
            if way is not None and self._is_toggled(axis, value, way):
                return Way("load", "the page loads without any other value")
            if way is not None:
                return way
        form = next((f for f in self.forms if f.axis == axis.name and f.value == value.name), None)
        if form is not None:
            return Way("style", f"a selector spells it {form.spelling}", form.span)
        others = [other for other in axis.values if other is not value]
        if value.name == axis.default and axis.name not in self.loaded:
            if any(self.way_to(axis, other) is not None for other in others):
                return Way("load", "the page loads without any other value")
        elif value.name == axis.default or axis.opposite(value.name) is not None:
            form = next((form for form in self.forms if form.axis == axis.name), None)
            if form is not None:
                return Way("style", f"what is left when {form.spelling} does not hold", form.span)
        if value.name in axis.media and not axis.media_decides and self._asks(axis.media[value.name]):
            return Way("media", f"only a media query tells {value.name} apart")
        return None

    def _is_toggled(self, axis: Axis, value: AxisValue, way: Way) -> bool:
        """Whether the control that is taken for the way to the default is the way to another value.

        Where no selector tells the values apart, one control changes the page all the same, whatever it is sought for.
        """
        if self.tells(axis) or value.name != axis.default:
            return False
        worked = (way.target, way.event_type, way.fields)
        others = (self.way_to(axis, other) for other in axis.values if other is not value)
        return any(other is not None and (other.target, other.event_type, other.fields) == worked for other in others)

    def _spelled(self, axis: Axis, value: AxisValue) -> str:
        for form in self.telling:
            if form.axis == axis.name:
                for carrier in form.carriers:
                    if form.value == value.name and form.holds(carrier):
                        return form.spelling
        return value.name

    def _asks(self, fields: Mapping[str, Any]) -> bool:
        """Whether some media query of the page asks for one of the media features."""
        features = {name.replace("_", "-") for name in fields}
        stack = [rule for sheet in self._sheets for rule in sheet.rules]
        while stack:
            rule = stack.pop()
            if getattr(rule, "keyword", None) == "media" and any(f in rule.prelude_text for f in features):  # type: ignore[union-attr]
                return True
            stack.extend(rule.rules)
        return False

    def _by_control(self, axis: Axis, value: AxisValue) -> Way | None:
        with self._as_loaded() as mark:
            for element, event_type in self._likely_controls(axis, value):
                label = label_of(element)
                if not self.tells(axis) and self._fits_another(element, axis, value):
                    continue
                if self._leads_to(axis, value, mark, element, event_type, {}):
                    return Way(
                        "control",
                        f"{event_type} on {_named(element)}{f' “{label}”' if label else ''}",
                        self._span_of(mark),
                        element,
                        event_type,
                    )
                self._journal.undo_to(mark)
        return None

    def _by_key(self, axis: Axis, value: AxisValue) -> Way | None:
        if self._model is None:
            return None
        heard = {listener.type for listener in self._model.listeners}
        event_types = [name for name in ("keydown", "keyup", "keypress") if name in heard]
        body = next(iter(self._document.root.iter("{*}body")), self._document.root)
        for event_type in event_types:
            for key in axis.keys:
                with self._as_loaded() as mark:
                    for presses in range(1, _KEY_PRESSES + 1):
                        before = self._journal.mark()
                        fields = {"key": key}
                        if self._leads_to(axis, value, before, body, event_type, fields):
                            text = f"{event_type} of {key!r}" + (f", {presses} times" if presses > 1 else "")
                            return Way("key", text, self._span_of(before), body, event_type, fields, presses)
                        if self._journal.mark() == before:
                            break
                    self._journal.undo_to(mark)
        return None

    def _leads_to(
        self, axis: Axis, value: AxisValue, mark: int, target: Any, event_type: str, fields: Mapping[str, Any]
    ) -> bool:
        """Dispatch an event, and look whether the page is in the value then."""
        if self._model is None:
            return False
        self._model.dispatch(target, event_type, **fields)
        changes = self._journal.since(mark)
        if self.tells(axis):
            return self._read().get(axis.name) == value.name
        # Nothing that selectors look at tells: then a change of the picture's own elements has to do.
        return bool(fields == {} and any(self._is_visible_change(mutation) for mutation in changes))

    def _read(self) -> dict[str, str]:
        return reading(self.telling, self.vocabulary)

    def _is_visible_change(self, mutation: Mutation) -> bool:
        if not isinstance(mutation, SetAttribute) or mutation.name.startswith("aria-"):
            return isinstance(mutation, InsertNode | RemoveNode | SetAnimation)
        return mutation.element.tag.rpartition("}")[2] not in _CONTROL_NAMES

    def _span_of(self, mark: int) -> Span | None:
        """Where script makes the change that counts: the first one that is no label of a control."""
        changes = [mutation for mutation in self._journal.since(mark) if mutation.span is not None]
        telling = [mutation for mutation in changes if self._is_visible_change(mutation)]
        return (telling or changes)[0].span if changes else None

    def _likely_controls(self, axis: Axis, value: AxisValue) -> list[tuple[_Element, str]]:
        if self._controls is None:
            self._controls = tuple(self._find_controls())
        opposite = axis.opposite(value.name)
        scored: list[tuple[int, int, _Element, str]] = []
        for place, (element, event_type) in enumerate(self._controls):
            score = fit_of(element, axis, value, opposite)
            if score:
                scored.append((-score, place, element, event_type))
        scored.sort(key=lambda entry: entry[:2])
        return [(element, event_type) for _, _, element, event_type in scored[:_CONTROLS_TRIED]]

    def _fits_another(self, element: _Element, axis: Axis, value: AxisValue) -> bool:
        """Whether a control says another axis as clearly: "Start the walk" starts, and is no way to a walk."""
        fit = fit_of(element, axis, value, axis.opposite(value.name))
        return any(
            fit_of(element, other, one, other.opposite(one.name)) >= fit
            for other in self.vocabulary.axes
            if other is not axis
            for one in other.values
        )

    def _find_controls(self) -> Iterator[tuple[_Element, str]]:
        """What a person can work on the loaded page, with the event that does it, in document order."""
        if self._model is None:
            return
        heard: dict[Any, list[str]] = {}
        for listener in self._model.listeners:
            heard.setdefault(listener.target, []).append(listener.type)
        for element in self._document.root.iter("*"):
            if not can_be_pointed_at(element):
                continue
            reached = [element, *element.iterancestors(), "document", "window"]
            types = {event_type for target in reached for event_type in heard.get(target, ())}
            if (
                not is_control(element)
                and element not in heard
                and not any(str(name).startswith("on") for name in element.attrib)
            ):
                continue
            types.update(str(name)[2:] for name in element.attrib if str(name).startswith("on"))
            for event_type in _WORKING_EVENTS:
                if event_type in types:
                    yield element, event_type
                    break

    # ---- states

    def evidence(self, axis: Axis, value: AxisValue) -> tuple[StateEvidence, ...]:
        """The way into a value, and every selector that spells it."""
        found: list[StateEvidence] = []
        way = self.way_to(axis, value) if not axis.media_decides else None
        if way is not None:
            found.append(StateEvidence(axis.name, value.name, way.source, way.text, way.span))
        elif axis.media_decides and self.loaded.get(axis.name) == value.name:
            found.append(StateEvidence(axis.name, value.name, "load", f"it loads with {self._spelled(axis, value)}"))
        seen: set[Span] = set()
        for form in self.forms:
            if form.axis == axis.name and form.value == value.name and form.span not in seen:
                seen.add(form.span)
                found.append(StateEvidence(axis.name, value.name, "style", form.selector, form.span))
        return tuple(found)

    def state(self, wanted: Mapping[str, str], act: Callable[[Model], None] | None = None) -> PageState:
        """The page in some values of the axes, and then as ``act`` works it."""
        unknown: dict[str, str] = {}
        values = [(axis, value) for axis in self.vocabulary.axes if (value := axis.value(wanted.get(axis.name, "")))]
        # Looking for a way loads the page, which it must not be already.
        ways = {axis.name: self.way_to(axis, value) for axis, value in values if not axis.media_decides}
        with self._as_loaded() as mark:
            for axis, value in values:
                if axis.media_decides:
                    reason = self._decided_by_media(axis, value)
                else:
                    reason = self._enter(axis, value, ways[axis.name])
                if reason is not None:
                    unknown[axis.name] = reason
            now = self._read()
            for name, expected in wanted.items():
                axis_of = self.vocabulary.axis(name)
                if axis_of is not None and axis_of.media_decides and self._model is not None:
                    continue  # a page that does not look at the preference has the state all the same
                if name in now and now[name] != expected and name not in unknown:
                    unknown[name] = _NOT_FOUND
            if act is not None and self._model is not None:
                act(self._model)
                now = self._read()
            mutations = (*self._load, *self._journal.since(mark))
            sheets, lost = self.written(mutations)
            if lost:
                unknown["sheets"] = _UNSUPPORTED
        axes = {axis.name: axis.default for axis in self.vocabulary.axes} | dict(self.loaded) | now | dict(wanted)
        label = " ".join(
            f"{name}={value}" for name, value in axes.items() if name in wanted or value != self._default(name)
        )
        return PageState(
            label or "page",
            self.media,
            mutations,
            sheets,
            MappingProxyType(axes),
            MappingProxyType(unknown),
        )

    def _default(self, name: str) -> str | None:
        axis = self.vocabulary.axis(name)
        return None if axis is None else axis.default

    def _decided_by_media(self, axis: Axis, value: AxisValue) -> str | None:
        """A page that never looks at the preference still has the state: it is what it shows then."""
        differs = self.loaded.get(axis.name, axis.default) != value.name
        spelled = any(form.axis == axis.name and form.value == value.name for form in self.forms)
        if self._model is None and differs and spelled:
            # Without the script, selectors say what it would write.
            return self._set_forms(axis, value)
        return None

    def _enter(self, axis: Axis, value: AxisValue, way: Way | None) -> str | None:
        """Get into a value from where the page is; the reason when that cannot be shown."""
        before = self._read()
        if before.get(axis.name) == value.name:
            return None
        if way is None:
            return None if value.name == axis.default and axis.name not in before else _NOT_FOUND
        if way.source in {"load", "media"}:
            return None
        mark = self._journal.mark()
        if way.source in {"control", "key"} and self._model is not None:
            result: Any = None
            for _ in range(way.repeat):
                result = self._model.dispatch(way.target, way.event_type, **way.fields)
            after = self._read()
            if axis.name not in after or after[axis.name] == value.name:
                return _DYNAMIC if _is_uncertain(result) else None
            self._journal.undo_to(mark)
        return self._set_forms(axis, value)

    def _set_forms(self, axis: Axis, value: AxisValue) -> str | None:
        """Set what the selectors spell; of a value that none spells, take away what the others do."""
        own = [form for form in self.forms if form.axis == axis.name and form.value == value.name and form.carriers]
        spelled = {(form.is_class, form.name) for form in own}
        for form in self.forms:
            if (
                form.axis == axis.name
                and form.value != value.name
                and (form.is_class or (False, form.name) not in spelled)
            ):
                for carrier in form.carriers:
                    if form.holds(carrier):
                        self._unset(form, carrier, value)
        settled: set[tuple[bool, str]] = set()
        for form in own:
            if (form.is_class, form.name) not in settled:
                settled.add((form.is_class, form.name))
                self._set(form, form.carriers[0])
        now = self._read().get(axis.name)
        return None if now == value.name or (now is None and value.name == axis.default) else _NOT_FOUND

    def spelled_out(self, axis: Axis, value: AxisValue) -> tuple[SetAttribute, ...]:
        """What has to be written to the tree, as it is now, for selectors to see the value; empty where none does."""
        mark = self._journal.mark()
        reason = self._set_forms(axis, value)
        changes = self._journal.since(mark)
        self._journal.undo_to(mark)
        return tuple(change for change in changes if isinstance(change, SetAttribute)) if reason is None else ()

    def _set(self, form: Form, carrier: _Element) -> None:
        if form.holds(carrier):
            return
        if form.is_class:
            classes = [*(carrier.get("class") or "").split(), form.name]
            self._journal.apply(SetAttribute.of(carrier, "class", " ".join(classes), form.span))
        else:
            self._journal.apply(SetAttribute.of(carrier, form.name, form.text or "", form.span))

    def _unset(self, form: Form, carrier: _Element, value: AxisValue) -> None:
        if form.is_class:
            classes = [name for name in (carrier.get("class") or "").split() if name != form.name]
            self._journal.apply(SetAttribute.of(carrier, "class", " ".join(classes), form.span))
            return
        text: str | None = None
        if form.text is not None:
            text = {"true": "false", "false": "true", "yes": "no", "no": "yes", "1": "0", "0": "1"}.get(form.text)
            text = text if text is not None else value.name
        self._journal.apply(SetAttribute.of(carrier, form.name, text, form.span))


_CONTROL_NAMES = frozenset({"button", "input", "select", "option", "label", "a", "summary", "textarea"})
_CONTROL_ROLES = frozenset({"button", "radio", "checkbox", "switch", "tab", "menuitem", "menuitemradio", "option"})
_WORKING_EVENTS = ("click", "pointerdown", "mousedown", "pointerup", "mouseup", "touchstart", "change", "input")


_NEVER_SHOWN = frozenset(
    {
        *("defs", "linearGradient", "radialGradient", "stop", "clipPath", "mask", "pattern", "marker", "symbol"),
        *("filter", "title", "desc", "metadata", "style", "script", "head", "template", "meta", "link"),
    }
)


def can_be_pointed_at(element: _Element) -> bool:
    """Whether the element can be on the screen at all: a gradient that a script mistakes for a button is not."""
    return not any(above.tag.rpartition("}")[2] in _NEVER_SHOWN for above in (element, *element.iterancestors()))


def is_control(element: _Element) -> bool:
    """Whether an element is a control by its name or role."""
    return element.tag.rpartition("}")[2] in _CONTROL_NAMES or element.get("role") in _CONTROL_ROLES


def label_of(element: _Element) -> str:
    """The text that a person reads on a control."""
    text = " ".join(_text(element).split())
    return text or (element.get("aria-label") or element.get("title") or element.get("value") or "").strip()


def _named(element: _Element) -> str:
    name = element.tag.rpartition("}")[2]
    identifier = element.get("id")
    return f"<{name} id={identifier}>" if identifier else f"<{name}>"


def fit_of(element: _Element, axis: Axis, value: AxisValue, opposite: AxisValue | None) -> int:
    """How well a control's label and names fit a value of an axis; 0 when not at all."""
    wanted = value.words | value.labels
    texts = [label_of(element).lower(), (element.get("aria-label") or "").lower(), (element.get("title") or "").lower()]
    data = [text.strip().lower() for name, text in element.attrib.items() if str(name).startswith("data-")]
    data.append((element.get("value") or "").strip().lower())
    names = [part for name in ("id", "class", "name") for part in parts_of(element.get(name) or "")]
    if any(text in wanted for text in texts) or any(text in wanted for text in data):
        return 5
    spoken = [part for text in texts for part in parts_of(text)]
    if any(part in wanted for part in names):
        return 4
    if any(part in wanted for part in spoken):
        return 3
    # A toggle may be called after what it leaves, or after the axis.
    related = axis.hints | {axis.name}
    if opposite is not None:
        related = related | opposite.words | opposite.labels | value.weak
    if any(part in related for part in names):
        return 2
    return 1 if any(part in related for part in spoken) else 0


def _is_uncertain(result: Any) -> bool:
    """Whether some effect of an event is decided by what is not known."""
    effects = result if isinstance(result, tuple | list) else getattr(result, "effects", ())
    telling = {"attribute", "class", "style-property", "stylesheet-text"}
    return any(not effect.certain and effect.kind in telling for effect in effects)


def _replaces_sheet(mutation: Mutation) -> bool:
    """Whether script inserts or takes away a linked sheet, which the cascade here does not follow."""
    node = getattr(mutation, "node", None)
    return isinstance(getattr(node, "tag", None), str) and is_sheet_link(node)  # type: ignore[arg-type]
