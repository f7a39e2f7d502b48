"""What only a browser can see, judged as a person would find it out: by opening the page and using it.

A *look* does something to a live page and reports what came of it; looks of one visit share a page, one after another.
A *live check* judges one clause from the reports of its looks, in the words of rules: findings, a verdict,
:class:`~husky_lint.rule.Undecided`. A pack keeps its looks and checks in its subpackage ``live``. Nothing here sleeps:
time is a clock that is set, animations are taken to the times that are asked for.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import pkgutil
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Concatenate, Final, Generic, ParamSpec, TypeVar

from husky_lint.browser.session import Visit, VisitLost, clock_script
from husky_lint.packs import default_pack, load_pack
from husky_lint.rule import Finding, Judgement, PageMissing, Reason, Rule, Ruling, Undecided, Verdict, run_rule
from husky_lint.scorecard import plain

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from husky_lint.browser.serving import Origin
    from husky_lint.browser.session import BrowserSession
    from husky_lint.evidence import Evidence
    from husky_lint.style.media import MediaContext
    from husky_lint.submission import Submission

T = TypeVar("T")
P = ParamSpec("P")

_WORLD: Final = "sight"
_SECONDS: Final = 60.0
"""How long all looks may take; at a page of the benchmark they take a few."""
_WORD: Final = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Measured:
    """A fact that a check yields beside its findings: what was measured, in words, and the number, text or list."""

    what: str
    value: object


@dataclass(frozen=True, slots=True)
class LiveRuling:
    """What one live check said: findings and verdicts as of a rule, and the facts that they rest on.

    The facts are in the ``data`` of each verdict too, as ``measured``.
    """

    code: str
    ruling: Ruling
    facts: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Setting:
    """A visit: where the page comes from and how it is seen. Visits are made in the order of ``place``.

    ``held`` says that the page's clock stands from the start.
    """

    name: str
    place: int
    origin: Origin
    view: MediaContext
    held: bool = False


@dataclass(frozen=True, eq=False)
class Look(Generic[T]):
    """Something done to a live page, and its report. Looks of one setting share a page, in the order of ``place``.

    ``asks`` are inferences from the source that it goes by; they are made before the page is opened.
    """

    setting: Setting
    place: int
    act: Callable[[LivePage], T]
    asks: tuple[Callable[[Evidence], object], ...] = ()


def look(
    setting: Setting, place: int, *asks: Callable[[Evidence], object]
) -> Callable[[Callable[[LivePage], T]], Look[T]]:
    """Make a function a look of a setting; ``asks`` are the inferences that it asks of ``evidence.derived``."""

    def decorate(act: Callable[[LivePage], T]) -> Look[T]:
        return Look(setting, place, act, asks)

    return decorate


Judge = Callable[Concatenate["Reports", P], Iterable["Finding | Verdict | Measured"]]


@dataclass(frozen=True, eq=False)
class LiveCheck:
    """A judging function under the code of its clause, with the looks that it judges by.

    Its further parameters are tolerances of the rubric, by name, as those of a rule are.
    """

    code: str
    looks: tuple[Look[Any], ...]
    judge: Callable[..., Iterable[Finding | Verdict | Measured]]

    @functools.cached_property
    def rule(self) -> Rule:
        """The check as a rule, for its parameters and documentation."""
        return Rule(self.code, self.judge)  # type: ignore[arg-type]


def live(code: str, *looks: Look[Any]) -> Callable[[Callable[..., Iterable[Finding | Verdict | Measured]]], LiveCheck]:
    """Make a function the live check of clause ``code``."""

    def decorate(judge: Callable[..., Iterable[Finding | Verdict | Measured]]) -> LiveCheck:
        return LiveCheck(code, looks, judge)

    return decorate


class Reports:
    """What the looks reported. ``evidence`` is what the source says, for the roles of elements."""

    def __init__(self, evidence: Evidence, told: Mapping[Look[Any], object]) -> None:
        self.evidence = evidence
        self._told = told

    def of(self, look: Look[T]) -> T:
        """The report of a look. Raises Undecided where it could not be made."""
        told = self._told[look]
        if isinstance(told, Exception):
            raise told.with_traceback(None)
        return told  # type: ignore[return-value]


@functools.cache
def live_checks(pack: str = "") -> Mapping[str, LiveCheck]:
    """The live checks of a pack, by code."""
    root = f"husky_lint.rules.{pack or default_pack()}.live"
    try:
        package = importlib.import_module(root)
    except ModuleNotFoundError as error:
        if error.name != root:
            raise
        return MappingProxyType({})
    found: dict[str, LiveCheck] = {}
    for module in sorted(pkgutil.iter_modules(package.__path__), key=lambda one: one.name):
        for item in vars(importlib.import_module(f"{root}.{module.name}")).values():
            if isinstance(item, LiveCheck):
                found[item.code] = item
    return MappingProxyType(dict(sorted(found.items())))


def infer_ahead(evidence: Evidence, codes: Iterable[str], *, pack: str = "") -> None:
    """Infer from the source what the looks of some clauses go by: no other evidence of it may be at work meanwhile."""
    checks = live_checks(pack)
    asks = {ask: None for code in codes if code in checks for one in checks[code].looks for ask in one.asks}
    for ask in asks:
        with suppress(Exception):  # the look that asks is told
            evidence.derived(ask)


def judge_live(
    evidence: Evidence, browser: BrowserSession, codes: Iterable[str] | None = None, *, pack: str = ""
) -> Mapping[str, LiveRuling]:
    """Judge clauses of a submission in its live page; those without a live check are left out.

    ``evidence`` is the static one: it says which element is which. Visits are made only for looks that the clauses
    need. Raises ChromiumMissing, and nothing else: a page that hangs or dies leaves its clauses ``unknown(no-answer)``.
    """
    checks = live_checks(pack)
    infer_ahead(evidence, checks if codes is None else codes, pack=pack)
    wanted = [checks[code] for code in (checks if codes is None else dict.fromkeys(codes)) if code in checks]
    needed = sorted({look for check in wanted for look in check.looks}, key=lambda one: (one.setting.place, one.place))
    settings = [(setting, list(looks)) for setting, looks in groupby(needed, key=lambda one: one.setting)]
    reports = Reports(evidence, _visit(evidence, browser, settings))
    return {check.code: _ruling(check, reports, pack) for check in wanted}


@dataclass(frozen=True, slots=True)
class Using:
    """What using the page, as a person would, says of clauses of a pack, as ``confirm`` asks it."""

    pack: str = ""

    @property
    def codes(self) -> frozenset[str]:
        """The clauses that something is said of."""
        return frozenset(live_checks(self.pack))

    def ahead(self, evidence: Evidence, codes: Iterable[str]) -> None:
        """See :func:`infer_ahead`."""
        infer_ahead(evidence, codes, pack=self.pack)

    def __call__(self, evidence: Evidence, browser: BrowserSession, codes: Iterable[str]) -> dict[str, Ruling]:
        """The rulings that decide something, and those that say that the page did not answer."""
        told = judge_live(evidence, browser, sorted(codes), pack=self.pack)
        return {code: one.ruling for code, one in told.items() if any(map(_says, one.ruling.verdicts.values()))}


def _says(verdict: Verdict) -> bool:
    return verdict.judgement is not Judgement.UNKNOWN or verdict.reason is Reason.NO_ANSWER


def judge_tools(evidence: Evidence, *, pack: str = "") -> Mapping[str, Ruling]:
    """Run the tools that a submission brings along, and judge clauses by that, if the pack knows how.

    They are code of the submission, and run on this machine: see :mod:`~husky_lint.browser.tools_run`.
    """
    root = f"husky_lint.rules.{pack or default_pack()}.live.tools"
    try:
        judge = importlib.import_module(root).judge_tools
    except ModuleNotFoundError as error:
        if not root.startswith(str(error.name)):
            raise
        return {}
    found: Mapping[str, Ruling] = judge(evidence)
    return found


def _visit(
    evidence: Evidence, browser: BrowserSession, settings: Sequence[tuple[Setting, Sequence[Look[Any]]]]
) -> dict[Look[Any], object]:
    """Make all looks in one page, one setting after another; what one could not tell is the exception that says so.

    A page that is lost costs the setting that it was in; the others get a new one.
    """
    told: dict[Look[Any], object] = {}
    waiting = deque(settings)
    while waiting:
        looks: Sequence[Look[Any]] = ()
        lost = Undecided(Reason.NO_ANSWER, "the page could not be looked at")
        try:
            with browser.visit(evidence.submission, seconds=_SECONDS, before="") as visit:
                while waiting:
                    setting, looks = waiting.popleft()
                    _look_at(visit, evidence, setting, looks, told)
        except VisitLost as error:
            lost = Undecided(Reason.NO_ANSWER, str(error))
            if not looks:
                looks = [look for _, others in waiting for look in others]
                waiting.clear()
        for look in looks:
            told.setdefault(look, lost)
    return told


def _look_at(
    visit: Visit, evidence: Evidence, setting: Setting, looks: Sequence[Look[Any]], told: dict[Look[Any], object]
) -> None:
    visit.move(setting.origin, setting.view)
    page = LivePage(visit, evidence)
    if setting.held:
        page.hold_time()
    else:
        page.open()
    for look in looks:
        told[look] = _report(look, page)
    page.release_time()


def _report(look: Look[Any], page: LivePage) -> object:
    from playwright.sync_api import Error

    try:
        return look.act(page)
    except (Undecided, PageMissing) as said:
        return said
    except VisitLost:
        raise
    except Error as error:
        return Undecided(Reason.NO_ANSWER, f"the page did not answer: {str(error).splitlines()[0][:200]}")
    except Exception as crash:  # a fault in one look costs the clauses that need it
        return crash


def _ruling(check: LiveCheck, reports: Reports, pack: str) -> LiveRuling:
    loaded = load_pack(pack or default_pack())
    facts: dict[str, object] = {}

    def judge(reports: Reports, **parameters: object) -> Iterator[Finding | Verdict]:
        for said in check.judge(reports, **parameters):
            if isinstance(said, Measured):
                facts[said.what] = said.value
            else:
                yield said

    clause = loaded.rubric.clauses[check.code]
    parameters = {
        name: loaded.rubric.tolerance(check.code, name).value
        for name in tuple(inspect.signature(check.judge).parameters)[1:]
    }
    ruling = run_rule(Rule(check.code, judge), reports, parameters, clause.rows or (None,))
    measured = plain(facts)
    verdicts = {
        row: replace(verdict, data={**verdict.data, "measured": measured}) for row, verdict in ruling.verdicts.items()
    }
    return LiveRuling(check.code, Ruling(ruling.findings, verdicts), measured)


# ---------------------------------------------------------------- a page as a person has it


KEY: Final = "key"


@dataclass(frozen=True, slots=True)
class Control:
    """Something on the page to press, or a key (of tag :data:`KEY`). ``id`` holds until the page is left.

    ``text`` is what it says, ``label`` its accessible label, title and value, ``names`` its attributes. ``holders``
    are classes and ids of what it stands in, innermost first.
    """

    id: int
    tag: str
    text: str
    label: str
    names: str
    in_scene: bool
    holders: tuple[str, ...]

    def says(self, words: Iterable[str]) -> int:
        """How plainly it says one of some words: 3 says nothing else, 2 among others, 1 in its attributes, 0 not."""
        wanted = frozenset(words)
        shown = [word.lower() for word in _WORD.findall(self.text)]
        if len(set(shown)) == 1 and shown[0] in wanted:
            return 3
        spoken = {*shown, *(word.lower() for word in _WORD.findall(self.label))}
        if spoken & wanted:
            return 2
        return 1 if {word.lower() for word in _WORD.findall(self.names)} & wanted else 0


class LivePage:
    """A page at work. Nothing that its scripts do to built-in objects reaches what is asked here.

    Its animations stand, in whatever state they are, but within :meth:`playing` and as :meth:`pass_time` takes them on.
    What is left for the page to do after a press is asked of it together with the next question.
    """

    def __init__(self, visit: Visit, evidence: Evidence) -> None:
        self.visit = visit
        self.evidence = evidence
        self._world: int | None = None
        self._paths: dict[str, str] = {}
        self._kept: dict[str, Any] = {}
        self._due: list[Sequence[object]] = []
        self._prepared = ""
        visit.play(0)  # what nobody looks at is not drawn sixty times a second

    @property
    def submission(self) -> Submission:
        """Its files."""
        return self.evidence.submission

    def see(self, name: str, *arguments: object) -> Any:
        """Ask ``sight.js`` in a world of its own; elements that were marked stay so until the page is left."""
        return self.see_all([name, *arguments])[0]

    def see_all(self, *questions: Sequence[object]) -> list[Any]:
        """Ask several things at once, one after another: each is a name and arguments."""
        asked = [*self._due, *questions]
        count = len(self._due)
        self._due = []
        if self._world is None:
            self._enter()
        answer = self.visit.devtools.send(
            "Runtime.callFunctionOn",
            {
                "functionDeclaration": "function (asked) { return sight.all(asked); }",
                "executionContextId": self._world,
                "arguments": [{"value": asked}],
                "returnByValue": True,
                "awaitPromise": True,
            },
        )
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            said = details.get("exception", {}).get("description") or details.get("text", "")
            raise RuntimeError(f"sight: {said[:300]}")
        found: list[Any] = answer["result"]["value"]
        return found[count:]

    def catch_up(self) -> None:
        """Let the page do what is left of its answer to a press."""
        if self._due:
            self.see_all()

    def _enter(self) -> None:
        devtools = self.visit.devtools
        frame = devtools.send("Page.getFrameTree")["frameTree"]["frame"]["id"]
        world = devtools.send("Page.createIsolatedWorld", {"frameId": frame, "worldName": _WORLD})
        self._world = world["executionContextId"]
        devtools.send("Runtime.evaluate", {"expression": _sight(), "contextId": self._world})
        if self._paths:
            self.see("mark", self._paths)

    def left(self) -> None:
        """The page was left for another load: what is asked next is asked of the new one."""
        self._world = None
        self._due = []
        self._kept.clear()

    def once(self, name: str, find: Callable[[], T]) -> T:
        """What ``find`` gives, worked out once until the page is left."""
        if name not in self._kept:
            self._kept[name] = find()
        found: T = self._kept[name]
        return found

    def open(self) -> None:
        """Load the page by its address."""
        self.left()
        self.visit.open()

    def reload(self) -> None:
        """Load the page again in the same tab."""
        self.catch_up()
        self.left()
        self.visit.reload()

    def run(self, script: str, argument: object = None) -> Any:
        """Run a script in the page's own world."""
        self.catch_up()
        return self.visit.page.evaluate(script, argument)

    @contextmanager
    def sized(self, width: int, height: int) -> Iterator[None]:
        """The window at another size (CSS pixels), for the time of the block."""
        view = self.visit.view
        self.catch_up()
        self.visit.show(replace(view, width=width, height=height))
        try:
            yield
        finally:
            self.catch_up()
            self.visit.show(view)

    def mark(self, paths: Mapping[str, str]) -> tuple[str, ...]:
        """Keep elements of the scene under names, here and after every reload; the names that are not there.

        Paths are those of :attr:`~husky_lint.scene.graph.SceneNode.css_path`.
        """
        self._paths = dict(paths)
        return tuple(self.see("mark", self._paths))

    # -------------------------------------------------------------- using it

    def controls(self) -> tuple[Control, ...]:
        """What a person can press, in the order of the page."""
        return tuple(
            Control(c["id"], c["tag"], c["text"], c["label"], c["names"], c["inScene"], tuple(c["holders"]))
            for c in self.see("look")
        )

    def saying(self, *words: str, without: Sequence[str] = (), among: Sequence[Control] | None = None) -> list[Control]:
        """The controls that say one of some words, the plainest first; none that shows a word of ``without``.

        ``among`` are the controls, where they are known already.
        """
        found = [(control.says(words), control) for control in (self.controls() if among is None else among)]
        kept = [(how, c) for how, c in found if how and not (without and c.says(without) >= 2)]
        return [control for _, control in sorted(kept, key=lambda one: -one[0])]

    def press(self, control: Control) -> bool:
        """Click the middle of a control with the mouse; False where it cannot be reached there.

        What the page does at once is done, and transitions are at their end, when this returns.
        """
        if control.tag == KEY:
            self.key(control.text)
            return True
        return control.tag != "select" and self._click(self.see("aim", control.id))

    def pick(self, control: Control, words: Sequence[str]) -> bool:
        """Choose the option of a list that says one of some words; False where none does."""
        _, picked, _ = self.see_all(["brace"], ["pick", control.id, list(words)], ["answer"])
        return bool(picked)

    def click_marked(self, name: str) -> bool:
        """Click the middle of a marked element."""
        return self._click(self.see("middle", name))

    def _click(self, place: Mapping[str, Any] | None) -> bool:
        if place is None or not place["reached"]:
            return False
        self.visit.page.mouse.click(place["x"], place["y"])
        self._due.append(["answer"])
        return True

    def key(self, name: str) -> None:
        """Press a key, with the focus where the last click left it."""
        self.see("brace")
        self.visit.page.keyboard.press(name)
        self._due.append(["answer"])

    def keys(self, axis: str) -> list[Control]:
        """The keys of one character that the pack says may change an axis, as controls."""
        found = self.evidence.rubric.vocabulary.axis(axis)
        named = found.keys if found is not None else ()
        return [Control(-1, KEY, key, "", "", False, ()) for key in named if len(key) == 1]

    def settle(self) -> None:
        """End the transitions under way."""
        self.see("settle")

    def words(self, axis: str, value: str) -> tuple[str, ...]:
        """The words on controls that lead to a value of one of the pack's axes."""
        found = self.evidence.rubric.vocabulary.axis(axis)
        named = found.value(value) if found is not None else None
        return tuple(sorted({*named.words, *named.weak, *named.labels, named.name})) if named is not None else ()

    def picture(self, box: tuple[float, float, float, float]) -> NDArray[np.uint8]:
        """What the window shows of a rectangle of the scene (x, y, width, height in units): (rows, columns, 4) RGBA."""
        x, y, width, height = self.see("onPage", list(box))
        return self.shot(x, y, width, height)

    def shot(self, x: float, y: float, width: float, height: float) -> NDArray[np.uint8]:
        """What the window shows of a rectangle (CSS pixels): (rows, columns, 4) RGBA."""
        import base64

        import numpy as np

        self.catch_up()
        png = self.visit.page.screenshot(
            clip={"x": x, "y": y, "width": width, "height": height}, animations="allow", caret="initial"
        )
        found = self.see("pixels", base64.b64encode(png).decode("ascii"))
        flat = np.frombuffer(base64.b64decode(found["data"]), dtype=np.uint8)
        return flat.reshape(found["height"], found["width"], 4)

    # -------------------------------------------------------------- time

    @contextmanager
    def playing(self) -> Iterator[None]:
        """Animations run by themselves, which they do not else: each state is as it is, and time stands."""
        self.catch_up()
        self.visit.play(1)
        try:
            yield
        finally:
            self.visit.play(0)

    def hold_time(self) -> None:
        """Load the page (anew) on a clock that stands; :meth:`pass_time` lets it run."""
        if not self._prepared:
            self._prepared = self.visit.prepare(clock_script())
        self.open()

    def release_time(self) -> None:
        """From the next load on time goes by itself again."""
        if self._prepared:
            self.visit.unprepare(self._prepared)
            self._prepared = ""

    def pass_time(self, seconds: float, step: float = 0.5) -> None:
        """Let seconds pass: timers, frames and animations, with what hangs on their ends, every ``step`` seconds."""
        self.run("([ms, step]) => __clock.run(ms, step)", [seconds * 1000, step * 1000])


@functools.cache
def _sight() -> str:
    return Path(__file__).with_name("sight.js").read_text(encoding="utf-8")
