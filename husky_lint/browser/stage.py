"""The page of a submission in Chromium, held still: every state of it can be entered, and measured at any time.

Time passes for the page when it is told to: scripts get a clock of their own (``stage.js``), the timeline of animations
stands, and an animation is put where it is wanted by its ``currentTime``. Nothing here sleeps, so two runs measure the
same. Lengths are user units of the scene.
"""

from __future__ import annotations

import base64
import json
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from husky_lint.browser.session import VisitLost, clock_script
from husky_lint.rule import Reason, Undecided

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from husky_lint.browser.session import BrowserSession, Visit
    from husky_lint.style.media import MediaContext
    from husky_lint.submission import Submission

    FloatArray = NDArray[np.float64]

LOAD_MS: Final = 1000.0
"""How long the page runs by its own clock after it has loaded."""
LATE_MS: Final = 10_000.0
"""How long it runs where it has put something off for once."""
SETTLE_MS: Final = 50.0
"""How long it runs after each press, and after each of all these under watch."""
MOST_VALUES: Final = 4_000_000
"""Numbers that one measurement may have."""
_KEYS: Final[dict[str, str]] = {
    " ": "Space",
    "Spacebar": "Space",
    "Esc": "Escape",
    **{f"{before}{name}": f"Arrow{name}" for before in ("", "Arrow") for name in ("Left", "Right", "Up", "Down")},
    **{name: name for name in ("Enter", "Escape", "Tab", "Home", "End", "PageUp", "PageDown", "Backspace", "Delete")},
}
"""Names of keys that are no characters, old ones too, as Playwright has them."""
_NONSENSE: Final = (TypeError, ValueError, LookupError, AttributeError, OverflowError, RecursionError)
"""What reading the answer of a page raises that exchanged what the browser's own scripts answer with."""
_XHTML: Final = "http://www.w3.org/1999/xhtml"
_SVG: Final = "http://www.w3.org/2000/svg"
_NAMESPACES: Final = (_XHTML, _SVG)


@cache
def stage_script() -> str:
    """What runs in the page before any script of its own."""
    return clock_script() + files("husky_lint.browser").joinpath("stage.js").read_text("utf-8")


@dataclass(frozen=True, slots=True)
class LiveElement:
    """An element of the page as it is now: ``number`` addresses it as long as the page is not loaded anew.

    ``parent`` is a place in the list of all elements, in document order, -1 for the root. ``texts`` are the texts in
    front of each child and behind the last; empty where there is none at all.
    """

    number: int
    parent: int
    tag: str
    attributes: dict[str, str]
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LivePage:
    """What is there after an action, and which attributes of which elements script goes on writing by itself."""

    elements: tuple[LiveElement, ...]
    pending: int
    driven: tuple[tuple[int, str], ...]

    @property
    def looks(self) -> list[tuple[int, str, dict[str, str]]]:
        """The elements without their texts, in which time alone counts on."""
        return [(element.number, element.tag, element.attributes) for element in self.elements]


@dataclass(frozen=True, slots=True)
class Styles:
    """Texts of ``getComputedStyle`` without animations: ``values[number][property]``, and own custom properties."""

    values: dict[int, dict[str, str]]
    customs: dict[int, dict[str, str]]
    asked: frozenset[str]
    """The custom properties that were looked for."""


Sets = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""The elements, by number, whose boxes, matrices and local boxes are wanted."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be measured of the state that the page is in.

    ``styles`` are properties and custom properties; ``rest`` elements whose box, matrix and local box without any
    animation are wanted; ``plan`` says at which seconds which of the ``sets``, in order of time.
    """

    scene: int
    styles: tuple[Sequence[str], Sequence[str]] | None = None
    rest: Sequence[int] | None = None
    sets: Sequence[Sets] = ()
    plan: Sequence[tuple[float, int]] = ()

    @property
    def size(self) -> int:
        """How many numbers the plan comes to."""
        sizes = [4 * len(boxes) + 6 * len(matrices) + 4 * len(locals_) for boxes, matrices, locals_ in self.sets]
        return sum(sizes[chosen] for _, chosen in self.plan)


@dataclass(slots=True)
class Measures:
    """Measured rows: boxes x y width height in scene units, matrices into the scene's space, boxes in own space.

    ``rest`` has the three in one row, by element; the others are by element and seconds.
    """

    rest: dict[int, FloatArray] = field(default_factory=dict)
    boxes: dict[tuple[int, float], FloatArray] = field(default_factory=dict)
    matrices: dict[tuple[int, float], FloatArray] = field(default_factory=dict)
    locals: dict[tuple[int, float], FloatArray] = field(default_factory=dict)


class Stage:
    """One visit of a submission. Everything raises Undecided(needs-browser) where the page does not answer."""

    def __init__(self, visit: Visit) -> None:
        self._visit = visit
        self.failures = 0
        """How often the page did not answer."""

    # ---- what a person does

    def load(self, media: MediaContext) -> LivePage:
        """The page freshly loaded in a view, nothing kept from before."""
        with self._answering():
            self._show(media)
            self._visit.open()
            return self._settle(LOAD_MS, late=LATE_MS)

    def click(self, number: int) -> LivePage | None:
        """A press with the mouse where the element is to be seen; None where it cannot be pressed."""
        with self._answering():
            page = self._visit.page
            place = page.evaluate("n => __stage.aim(n)", number)
            if place is None:
                return None
            page.mouse.click(place[0], place[1])
            page.mouse.move(0, 0)
            return self._settle()

    def key(self, key: str, number: int = -1) -> LivePage:
        """A press of a key, with the focus on an element (-1: where it is); of one that no keyboard has, nothing."""
        with self._answering():
            page = self._visit.page
            if number >= 0:
                page.evaluate("n => __stage.focus(n)", number)
            if len(key) == 1 or key in _KEYS:
                page.keyboard.press(_KEYS.get(key, key))
            return self._settle()

    def fire(self, number: int, event_type: str, fields: dict[str, Any]) -> LivePage:
        """An event that neither mouse nor key makes, after setting properties (``checked`` …) of its target."""
        with self._answering():
            self._visit.page.evaluate(
                "([n, type, fields]) => void __stage.fire(n, type, fields)", [number, event_type, fields]
            )
            return self._settle()

    def write(self, number: int, name: str, value: str | None) -> LivePage:
        """An attribute of an element, set or (None) taken away."""
        with self._answering():
            self._visit.page.evaluate("([n, name, value]) => void __stage.write(n, name, value)", [number, name, value])
            return self._settle()

    def wait(self, seconds: float) -> LivePage:
        """Let time pass for the page's scripts."""
        with self._answering():
            return self._settle(seconds * 1000, watch=seconds * 1000)

    # ---- what is measured

    def survey(self, request: Request, measures: Measures, *, play: bool = False) -> Styles | None:
        """Measure into ``measures``. With ``play`` time passes for scripts too, and the state is spent."""
        if request.size > MOST_VALUES:
            raise Undecided(Reason.LIMIT, "too much to measure at once")
        names, customs = request.styles or ((), ())
        asked = {
            "scene": request.scene,
            "names": list(names) if request.styles is not None else None,
            "customs": list(customs),
            "rest": None if request.rest is None else list(request.rest),
            "sets": [[list(part) for part in chosen] for chosen in request.sets],
            "plan": [[time, chosen] for time, chosen in request.plan] or None,
            "play": play,
        }
        with self._answering():
            answer = json.loads(self._visit.page.evaluate("text => __stage.survey(text)", json.dumps(asked)))
            if request.rest is not None:
                measures.rest.update(zip(request.rest, _numbers(answer["rest"]).reshape(-1, 14), strict=True))
            if request.plan:
                _sort_in(_numbers(answer["values"]), request, measures)
            return None if request.styles is None else _styles(answer["styles"], names, customs)

    # ---- how

    @contextmanager
    def _answering(self) -> Iterator[None]:
        try:
            with answering():
                yield
        except Undecided:
            self.failures += 1
            raise

    def _show(self, media: MediaContext) -> None:
        if media.resolution != 1 or media.medium != "screen" or media.contrast != "no-preference":
            raise Undecided(Reason.NEEDS_BROWSER, "a view that is not measured")
        self._visit.play(0)
        self._visit.show(media)

    def _settle(self, time: float = SETTLE_MS, *, watch: float = SETTLE_MS, late: float = 0.0) -> LivePage:
        """Times in milliseconds."""
        found = json.loads(self._visit.page.evaluate("times => __stage.settle(...times)", [time, watch, late]))
        return LivePage(
            tuple(_live(entry) for entry in found["tree"]),
            found["pending"],
            tuple((number, name) for number, name in found["driven"]),
        )


def _live(entry: list[Any]) -> LiveElement:
    number, parent, namespace, name, attributes, texts = entry
    if not all(isinstance(text, str) for text in (name, *attributes, *texts)) or not number + parent >= -1:
        raise TypeError("an element of other things than texts and numbers")
    space = _NAMESPACES[namespace] if isinstance(namespace, int) else namespace
    tag = f"{{{space}}}{name}" if space else name
    return LiveElement(number, parent, tag, dict(zip(attributes[::2], attributes[1::2], strict=True)), tuple(texts))


def _numbers(answer: str) -> FloatArray:
    return np.frombuffer(base64.b64decode(answer))


def _sort_in(values: FloatArray, request: Request, measures: Measures) -> None:
    at = 0
    for time, chosen in request.plan:
        for part, width, kept in zip(
            request.sets[chosen], (4, 6, 4), (measures.boxes, measures.matrices, measures.locals), strict=True
        ):
            rows = values[at : at + width * len(part)].reshape(-1, width)
            kept.update(((number, time), row) for number, row in zip(part, rows, strict=True))
            at += width * len(part)


def _styles(found: dict[str, Any], names: Sequence[str], customs: Sequence[str]) -> Styles:
    table = found["table"]
    values = {row[0]: {name: table[code] for name, code in zip(names, row[1:], strict=True)} for row in found["rows"]}
    own: dict[int, dict[str, str]] = {}
    for number, name, value in found["own"]:
        own.setdefault(number, {})[name] = value
    return Styles(values, own, frozenset(customs))


@contextmanager
def answering() -> Iterator[None]:
    """A page that does not answer, or has gone, leaves what was asked undecided; so does one that answers nonsense."""
    from playwright.sync_api import Error

    try:
        yield
    except (Error, VisitLost) as error:
        said = next(iter(str(error).splitlines()), "")
        raise Undecided(Reason.NO_ANSWER, f"the page does not answer: {said}"[:300]) from error
    except _NONSENSE as error:
        raise Undecided(Reason.NO_ANSWER, "what the page answers cannot be read") from error


@contextmanager
def staged(session: BrowserSession, submission: Submission, *, seconds: float | None = None) -> Iterator[Stage]:
    """A stage with the submission on it, for so many seconds. Raises VisitLost and ChromiumMissing as the session."""
    with session.visit(submission, before=stage_script(), seconds=seconds) as visit:
        yield Stage(visit)
