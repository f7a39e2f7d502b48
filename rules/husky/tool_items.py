"""The list of section 3: what an audit has to assert, and by which facts a check of each item is known."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from husky_lint.style.words import words

from .tool_facts import MEASURING, Fact
from .tool_program import key_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from husky_lint.parse.js import JsNode

    from .tool_failure import Assertion, Checks
    from .tool_flow import Flow
    from .tool_program import ToolFile, ToolProgram

_SHAPE: Final = Fact.BOX | Fact.MATRIX | Fact.OUTLINE
_JOINTED: Final = Fact.LEG | Fact.PAW | Fact.FORELEG | Fact.ELBOW
_ELSEWHERE: Final = Fact.TAIL | Fact.HEAD | Fact.GROUND | Fact.BAND | Fact.BLADE | Fact.BIB | Fact.HEART
_PARTS: Final = _JOINTED | Fact.TAIL | Fact.DOT | Fact.BLADE | Fact.BIB | Fact.HEART | Fact.HEAD | Fact.ICON
_SERVERS: Final = words(
    "http node:http https node:https express serve-handler http-server sirv serve-static connect koa fastify vite"
)


class Status(StrEnum):
    """What an audit does about an item, from best to worst."""

    CAN_FAIL = "can fail"
    """Measured in the page, and the outcome can fail the audit."""
    UNCLEAR = "unclear"
    """A check of the right kind is there; of what could not be told."""
    MEASURED = "measured"
    """Measured in the page, and nothing comes of it."""
    VACUOUS = "vacuous"
    """A check by that name cannot fail on it."""
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class ItemStatus:
    """The sub-verdict on one item; ``at`` is the check, or the nearest thing to one."""

    key: str
    title: str
    status: Status
    at: JsNode | None = None
    file: ToolFile | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class _Item:
    """``checks``: facts of the value and of the label → whether a check is of this item; ``kind``: by API alone.

    ``about``: the parts that a check of it may name.
    """

    key: str
    title: str
    named: Callable[[Fact], bool]
    checks: Callable[[Fact, Fact], bool]
    kind: Callable[[Fact], bool] | None = None
    about: Fact = _JOINTED

    def is_elsewhere(self, facts: Fact, label: Fact) -> bool:
        """Whether a check says that it is of another part, and reads that part."""
        if self.key == "paw-drift" and label & Fact.LIFT and not (facts | label) & Fact.TRAVEL:
            return True
        return bool(facts & label & _PARTS and not (facts | label) & self.about)


def _running(facts: Fact, _: Fact) -> bool:
    counted = has(facts, Fact.ANIMATIONS, Fact.COUNT)
    return counted and not facts & (Fact.REDUCED_MOTION | Fact.PAUSED | Fact.DELAY | Fact.MATRIX | Fact.BOX)


def _hearts(facts: Fact, label: Fact) -> bool:
    return bool(facts & Fact.BOX and facts & Fact.ORDER and (facts | label) & Fact.HEART)


def _icons(facts: Fact, label: Fact) -> bool:
    return bool(facts & Fact.DECODE and (facts | label) & Fact.ICON)


def _dots(facts: Fact, label: Fact) -> bool:
    return bool(facts & Fact.DELAY and (facts | label) & Fact.DOT and facts & _JOINTED)


def _pins(facts: Fact, label: Fact) -> bool:
    both = facts | label
    read = facts & Fact.ORIGIN and both & (_JOINTED | Fact.PIVOT | Fact.PIN_NUMBER)
    return bool(read or (facts & _SHAPE and facts & Fact.PIN_NUMBER and label & Fact.PIVOT))


def _blade(facts: Fact, label: Fact) -> bool:
    return bool((facts | label) & Fact.BLADE and facts & (Fact.FILL | Fact.OUTLINE | Fact.BOX))


def _envelope(facts: Fact, label: Fact) -> bool:
    both = facts | label
    if facts & (Fact.ORIGIN | Fact.DELAY | Fact.FILL | Fact.REDUCED_MOTION) or label & Fact.TAIL:
        return False
    if not (facts & _SHAPE and both & (Fact.PAW | Fact.LEG) and facts & (Fact.ORDER | Fact.DIFFERENCE)):
        return False
    if facts & Fact.GROUND and facts & Fact.SUM and not label & Fact.BAND:
        return False
    bounded = facts & Fact.BAND_NUMBER and facts & (Fact.SPREAD | Fact.BAND)
    return not label & Fact.GROUND and bool(label & Fact.BAND or bounded)


def _taper(facts: Fact, label: Fact) -> bool:
    if facts & Fact.STROKE:
        return bool((facts | label) & (_JOINTED | Fact.TAPER | Fact.TAPER_NUMBER))
    # A limb without a stroke is measured across its outline.
    return bool(label & Fact.TAPER and facts & (Fact.FILL | _SHAPE) and has(facts, Fact.FORELEG, Fact.ELBOW))


def _bib(facts: Fact, label: Fact) -> bool:
    return bool(facts & Fact.FILL and (facts | label) & Fact.BIB)


def _elbow(facts: Fact, label: Fact) -> bool:
    turned = facts & _SHAPE and not facts & (Fact.DELAY | Fact.ORIGIN | Fact.STROKE | Fact.FILL)
    if not turned or facts & Fact.REDUCED_MOTION or not facts & Fact.ORDER:
        return False
    if label & Fact.ELBOW:
        return bool(facts & (Fact.SPREAD | Fact.DIFFERENCE))
    return bool(facts & Fact.ELBOW and facts & Fact.SPREAD and not label & _ELSEWHERE)


def _drift(facts: Fact, label: Fact) -> bool:
    both = facts | label
    if facts & Fact.REDUCED_MOTION or label & Fact.LIFT:  # that a paw leaves the ground says nothing of its way on it
        return False
    summed = facts & _SHAPE and facts & Fact.SUM and facts & Fact.ORDER
    return bool(summed and both & Fact.GROUND and both & (Fact.PAW | Fact.LEG))


def _still(facts: Fact, _: Fact) -> bool:
    return has(facts, Fact.REDUCED_MOTION, Fact.REDUCE, Fact.CONTEXT, Fact.MEASURED)


def has(facts: Fact, *wanted: Fact) -> bool:
    """Whether all of the facts are there."""
    return all(facts & one for one in wanted)


_ITEMS: Final = (
    _Item("page-errors", "no page errors", lambda f: bool(f & Fact.PAGE_ERROR), lambda f, _: bool(f & Fact.PAGE_ERROR)),
    _Item("running-animations", "running-animation count", lambda f: bool(f & Fact.RUNNING), _running),
    _Item(
        "hearts",
        "hearts inside the viewBox",
        lambda f: bool(f & Fact.HEART),
        _hearts,
        lambda f: has(f, Fact.BOX, Fact.ORDER),
        Fact.HEART,
    ),
    _Item(
        "favicons",
        "favicon files fetch and decode",
        lambda f: bool(f & Fact.ICON),
        _icons,
        lambda f: bool(f & Fact.DECODE),
        Fact.ICON,
    ),
    _Item(
        "dot-delays",
        "contact-dot delays equal their leg's in every pace",
        lambda f: bool(f & Fact.DOT),
        _dots,
        lambda f: bool(f & Fact.DELAY),
        Fact.DOT | _JOINTED,
    ),
    _Item(
        "foreleg-pins",
        "foreleg pivot pins have not drifted",
        lambda f: bool(f & Fact.PIVOT),
        _pins,
        lambda f: bool(f & Fact.ORIGIN),
    ),
    _Item(
        "blade",
        "blade under the topline and on the body",
        lambda f: bool(f & Fact.BLADE),
        _blade,
        lambda f: bool(f & (Fact.FILL | Fact.OUTLINE)),
        Fact.BLADE | Fact.FORELEG | Fact.LEG,
    ),
    _Item(
        "paw-envelope",
        "paw envelope within the path band",
        lambda f: has(f, Fact.PAW, Fact.BAND),
        _envelope,
        lambda f: has(f, Fact.BOX, Fact.ORDER),
    ),
    _Item("leg-taper", "leg taper ratio", lambda f: bool(f & Fact.TAPER), _taper, lambda f: bool(f & Fact.STROKE)),
    _Item(
        "bib-area",
        "white-bib area by isPointInFill",
        lambda f: bool(f & Fact.BIB),
        _bib,
        lambda f: bool(f & Fact.FILL),
        Fact.BIB,
    ),
    _Item(
        "elbow-sweep",
        "elbow sweep per pace",
        lambda f: bool(f & Fact.ELBOW),
        _elbow,
        lambda f: bool(f & _SHAPE and f & Fact.SPREAD),
    ),
    _Item(
        "paw-drift",
        "grounded-paw drift",
        lambda f: bool(f & Fact.GROUND),
        _drift,
        lambda f: bool(f & _SHAPE and f & Fact.SUM and f & Fact.ORDER),
    ),
    _Item(
        "reduced-motion",
        "a second context with reducedMotion 'reduce'",
        lambda f: bool(f & Fact.REDUCED_MOTION),
        _still,
    ),
)


def judge_items(program: ToolProgram, flow: Flow, file: ToolFile, checks: Checks) -> tuple[ItemStatus, ...]:
    """The sub-verdict on every item of the list, in the order of the spec."""
    return _Items(program, flow, file, checks).run()


class _Items:
    def __init__(self, program: ToolProgram, flow: Flow, file: ToolFile, checks: Checks) -> None:
        self.program = program
        self.flow = flow
        self.files = program.closure(file)
        self.all = checks.assertions
        self.good = [one for one in checks.assertions if one.measured and not one.constant]
        self.claimed: set[int] = set()
        self._loose: list[tuple[JsNode, Fact]] | None = None

    def run(self) -> tuple[ItemStatus, ...]:
        asserted = {item.key: self._claim(item) for item in _ITEMS}
        tail = self._tail()
        alive = self._alive()
        attributes = self._attributes()
        kept = self._persistence()
        found: dict[str, ItemStatus] = {}
        for item in _ITEMS:
            found[item.key] = self._settle(item, asserted[item.key])
        found["attributes"] = attributes
        found["alive"] = alive
        found["tail"] = tail
        found["persistence"] = kept
        order = (
            "page-errors running-animations attributes hearts favicons dot-delays alive tail foreleg-pins blade "
            "paw-envelope leg-taper bib-area elbow-sweep paw-drift persistence reduced-motion"
        )
        return tuple(found[key] for key in order.split())

    def _claim(self, item: _Item) -> Assertion | None:
        return self._first(lambda one: item.checks(Fact(one.facts), Fact(one.label)))

    def _first(self, wanted: Callable[[Assertion], bool]) -> Assertion | None:
        first: Assertion | None = None
        for one in self.good:
            if wanted(one):
                self.claimed.add(id(one))
                first = first or one
        return first

    def _settle(self, item: _Item, check: Assertion | None) -> ItemStatus:
        if check is not None:
            return self._status(item.key, item.title, Status.CAN_FAIL, check.site)
        empty = next((o for o in self.all if item.named(Fact(o.label)) and (o.constant or not o.measured)), None)
        if empty is not None:
            why = "its outcome is constant" if empty.constant else "nothing measured in the page goes into it"
            return self._status(item.key, item.title, Status.VACUOUS, empty.site, why)
        if item.kind is not None:
            near = next(
                (
                    o
                    for o in self.good
                    if id(o) not in self.claimed
                    and item.kind(Fact(o.facts))
                    and not item.is_elsewhere(Fact(o.facts), Fact(o.label))
                ),
                None,
            )
            if near is not None:
                return self._status(item.key, item.title, Status.UNCLEAR, near.site, "a check that may be of it")
        for call, facts in self._measurements():
            if item.checks(facts | Fact.ORDER | Fact.SUM | Fact.SPREAD, Fact(0)):
                return self._status(item.key, item.title, Status.MEASURED, call, "no failure comes of what is measured")
        note = ""
        if item.key == "reduced-motion" and self._names({"emulateMedia", "emulateMediaFeatures"}):
            note = "emulateMedia on the page at hand is no second context"
        return self._status(item.key, item.title, Status.MISSING, None, note)

    def _status(self, key: str, title: str, status: Status, at: JsNode | None, note: str = "") -> ItemStatus:
        return ItemStatus(key, title, status, at, at.home.file if at is not None else None, note)

    def _measurements(self) -> Iterable[tuple[JsNode, Fact]]:
        """Everything that the audit reads from the page, whatever becomes of it."""
        if self._loose is None:
            self._loose = []
            for file in self.files:
                for call in file.calls:
                    callee = call.callee
                    if callee.type == "MemberExpression" and key_of(callee) in MEASURING and self.program.runs(call):
                        self._loose.append((call, Fact(self.flow.facts(call))))
        return self._loose

    # ------------------------------------------------------------------ items of several parts

    def _attributes(self) -> ItemStatus:
        title = "pace, sky and paused attributes"
        pace = self._first(lambda o: bool(o.facts & Fact.ATTRIBUTE and o.facts & Fact.PACE))
        sky = self._first(lambda o: bool(o.facts & Fact.ATTRIBUTE and o.facts & Fact.SKY))
        held = self._first(
            lambda o: bool(o.facts & (Fact.ATTRIBUTE | Fact.PLAY_STATE) and o.facts & (Fact.PAUSE | Fact.PAUSED))
        )
        absent = [name for name, one in (("pace", pace), ("sky", sky), ("paused", held)) if one is None]
        check = pace or sky or held
        if check is not None and len(absent) <= 1 and pace is not None:
            note = f"{absent[0]} is not checked" if absent else ""
            return self._status("attributes", title, Status.CAN_FAIL, check.site, note)
        status = (
            Status.VACUOUS
            if self._named(lambda f: bool(f & (Fact.PACE | Fact.SKY))) and check is None
            else Status.MISSING
        )
        return self._status(
            "attributes", title, status, check.site if check else None, f"{' and '.join(absent)} not checked"
        )

    def _alive(self) -> ItemStatus:
        title = "paused but alive: the gait stands, the head still moves"
        playing = Fact.PLAY_STATE | Fact.ANIMATIONS
        stands = self._first(
            lambda o: bool(
                (o.facts & playing and o.facts & Fact.PAUSED)
                or (o.label & Fact.PAUSE and o.facts & _SHAPE and o.facts & (_JOINTED | Fact.DIFFERENCE))
            )
        )
        lives = self._first(
            lambda o: bool(
                (o.facts & Fact.HEAD or (o.label & Fact.HEAD and o.label & Fact.PAUSE))
                and (
                    (o.facts & playing and o.facts & Fact.RUNNING)
                    or (o.facts & (_SHAPE | Fact.STYLE) and (o.label | o.facts) & Fact.PAUSE)
                )
            )
        )
        if stands is not None and lives is not None:
            return self._status("alive", title, Status.CAN_FAIL, lives.site)
        empty = next((o for o in self.all if o.label & Fact.PAUSE and (o.constant or not o.measured)), None)
        if stands is None and lives is None and empty is not None:
            return self._status("alive", title, Status.VACUOUS, empty.site)
        near = stands or lives
        if stands is None and lives is None:
            return self._status("alive", title, Status.MISSING, None)
        note = "that the head still moves is not checked" if lives is None else "that the gait stands is not checked"
        return self._status("alive", title, Status.MISSING, near.site if near else None, note)

    def _tail(self) -> ItemStatus:
        title = "tail drop and tail length across gaits"
        tail = [o for o in self.good if (o.facts | o.label) & Fact.TAIL and o.facts & _SHAPE]
        long = [
            o
            for o in tail
            if o.facts & Fact.DISTANCE or ((o.facts | o.label) & Fact.LENGTH and o.facts & Fact.DIFFERENCE)
        ]
        low = [o for o in tail if (o.facts | o.label) & Fact.DROP]
        self.claimed.update(id(o) for o in (*long, *low))
        if long and low:
            return self._status("tail", title, Status.CAN_FAIL, long[0].site)
        empty = next((o for o in self.all if o.label & Fact.TAIL and (o.constant or not o.measured)), None)
        if empty is not None:
            return self._status("tail", title, Status.VACUOUS, empty.site)
        if long or low:
            note = "the drop is not checked" if long else "the length is not checked"
            return self._status("tail", title, Status.MISSING, (long or low)[0].site, note)
        near = next((o for o in self.good if id(o) not in self.claimed and o.facts & Fact.DISTANCE), None)
        if near is not None:
            return self._status("tail", title, Status.UNCLEAR, near.site, "a distance of something is checked")
        for call, facts in self._measurements():
            if facts & Fact.TAIL and facts & _SHAPE:
                return self._status("tail", title, Status.MEASURED, call, "no failure comes of what is measured")
        return self._status("tail", title, Status.MISSING, None)

    def _persistence(self) -> ItemStatus:
        title = "cookie and localStorage persistence after a reload over HTTP"
        reloads = self._calls({"reload"})
        remembered = [
            o
            for o in self.good
            if o.facts & (Fact.COOKIE | Fact.STORAGE) or has(Fact(o.facts), Fact.ATTRIBUTE, Fact.SKY)
        ]
        after = [o for o in remembered if any(_follows(o.site, place) for place in reloads)]
        if not reloads:
            visits = self._calls({"goto"})
            after = [o for o in remembered if o.facts & (Fact.COOKIE | Fact.STORAGE) and len(visits) > 1]
        served = self._is_served()
        if after and served:
            self.claimed.update(id(o) for o in after)
            return self._status("persistence", title, Status.CAN_FAIL, after[0].site)
        if after:
            note = "no page is served over HTTP, and file: has no cookies"
            return self._status("persistence", title, Status.MISSING, after[0].site, note)
        kept = Fact.COOKIE | Fact.STORAGE
        empty = next((o for o in self.all if o.label & kept and (o.constant or not o.measured)), None)
        if empty is not None:
            return self._status("persistence", title, Status.VACUOUS, empty.site)
        return self._status("persistence", title, Status.MISSING, remembered[0].site if remembered else None)

    def _named(self, named: Callable[[Fact], bool]) -> bool:
        return any(named(Fact(o.label)) and (o.constant or not o.measured) for o in self.all)

    def _calls(self, names: set[str]) -> list[JsNode]:
        """Calls of these methods, and the calls of the functions that make them."""
        found = [
            call
            for file in self.files
            for call in file.calls
            if call.callee.type == "MemberExpression" and key_of(call.callee) in names and self.program.runs(call)
        ]
        for call in list(found):
            found += [one.node for one in call.home.sites if one.direct and one.node.callee is not call.home.node]
        return found

    def _names(self, names: set[str]) -> bool:
        return any(names & file.members for file in self.files)

    def _is_served(self) -> bool:
        """Whether pages come over HTTP: a server, or answers put in for one, and an address of it."""
        server = any(_SERVERS & set(file.imports) for file in self.files) or self._names({"createServer", "fulfill"})
        return server and any("http://" in file.script.text or "https://" in file.script.text for file in self.files)


def _follows(site: JsNode, place: JsNode) -> bool:
    """Whether a check comes after a place of the same function, or of one around it."""
    home = site.home
    while home is not None:
        if home is place.home:
            return bool(site.range[0] > place.range[0])
        home = home.outer
    return False


def as_data(items: Iterable[ItemStatus]) -> Mapping[str, str]:
    """The sub-verdicts by title, for the report."""
    return {item.title: item.status.value + (f" ({item.note})" if item.note else "") for item in items}
