"""What an expression of a tool speaks of: facts told from API names, words, selectors and numbers.

A fact says that something occurs in all that a value was made from. API facts (``isPointInFill``, ``animationDelay``)
say what is measured; words (``paw``, ``bib``) say of what. Neither proves anything alone.
"""

from __future__ import annotations

import re
from enum import IntFlag, auto
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from husky_lint.style.words import words

from .words import PARTS

if TYPE_CHECKING:
    from collections.abc import Mapping


class Fact(IntFlag):
    """One thing that may be found in what a value was made from."""

    MEASURED = auto()
    PAGE_ERROR = auto()
    BOX = auto()
    FILL = auto()
    OUTLINE = auto()
    MATRIX = auto()
    ANIMATIONS = auto()
    PLAY_STATE = auto()
    CLOCK = auto()
    DELAY = auto()
    STYLE = auto()
    ORIGIN = auto()
    STROKE = auto()
    ATTRIBUTE = auto()
    COOKIE = auto()
    STORAGE = auto()
    DECODE = auto()
    FETCH = auto()
    REDUCED_MOTION = auto()
    REDUCE = auto()
    CONTEXT = auto()
    EMULATED = auto()
    COUNT = auto()
    RUNNING = auto()
    PAUSED = auto()
    DISTANCE = auto()
    VIEW_BOX = auto()
    SUM = auto()
    DIFFERENCE = auto()
    ORDER = auto()
    SPREAD = auto()
    PAW = auto()
    GROUND = auto()
    TAIL = auto()
    LENGTH = auto()
    DROP = auto()
    DOT = auto()
    LEG = auto()
    FORELEG = auto()
    PIVOT = auto()
    BLADE = auto()
    BAND = auto()
    TAPER = auto()
    BIB = auto()
    ELBOW = auto()
    HEART = auto()
    HEAD = auto()
    PAUSE = auto()
    PACE = auto()
    SKY = auto()
    ICON = auto()
    PIN_NUMBER = auto()
    TAPER_NUMBER = auto()
    BAND_NUMBER = auto()
    FRAME_NUMBER = auto()
    MANY = auto()
    CYCLE = auto()
    DURATION = auto()
    TEMPORARY = auto()
    HERE = auto()
    GIVEN = auto()
    REPLACED = auto()
    LIFT = auto()
    TRAVEL = auto()


_NAMES: Final[Mapping[Fact, str]] = {
    Fact.PAGE_ERROR: "pageerror weberror",
    Fact.BOX: "getBoundingClientRect getClientRects boundingBox getBBox boundingClientRect",
    Fact.BOX | Fact.MATRIX: "getScreenCTM getCTM",
    Fact.FILL: "isPointInFill",
    Fact.OUTLINE: "getPointAtLength getTotalLength",
    Fact.MATRIX: "DOMMatrix DOMMatrixReadOnly WebKitCSSMatrix atan2 transform rotate transformPoint matrixTransform",
    Fact.ANIMATIONS: "getAnimations",
    Fact.PLAY_STATE: "playState animationPlayState animation-play-state",
    Fact.CLOCK: "currentTime startTime",
    Fact.DELAY: "animationDelay animation-delay delay delays",
    Fact.STYLE: "getComputedStyle computedStyleMap getPropertyValue",
    Fact.ORIGIN: "transformOrigin transform-origin",
    Fact.STROKE: "strokeWidth stroke-width",
    Fact.ATTRIBUTE: "dataset getAttribute hasAttribute className classList toHaveAttribute toHaveClass",
    Fact.COOKIE: "cookie cookies",
    Fact.STORAGE: "localStorage",
    Fact.COOKIE | Fact.STORAGE: "storageState",
    Fact.DECODE: "naturalWidth naturalHeight decode createImageBitmap ImageDecoder onload",
    Fact.FETCH: "fetch request XMLHttpRequest",
    Fact.REDUCED_MOTION: "reducedMotion prefers-reduced-motion",
    Fact.REDUCE: "reduce",
    Fact.CONTEXT: "newContext newPage createBrowserContext createIncognitoBrowserContext launchPersistentContext",
    Fact.EMULATED: "emulateMedia emulateMediaFeatures",
    Fact.COUNT: "length size count toHaveCount",
    Fact.RUNNING: "running",
    Fact.PAUSED: "paused",
    Fact.DISTANCE: "hypot sqrt distance dist",
    Fact.VIEW_BOX: "viewBox baseVal",
    Fact.SPREAD: "min max",
    Fact.DURATION: "animationDuration animation-duration getTiming getComputedTiming activeDuration endTime duration",
    Fact.TEMPORARY: "tmpdir mkdtemp mkdtempSync TMPDIR TEMP tmp RUNNER_TEMP tempy tempfile",
    Fact.HERE: "__dirname __filename cwd dirname",
    Fact.GIVEN: "argv env",
    Fact.REPLACED: "replace replaceAll",
}
"""Whole names of platform APIs, properties and values."""

_WORDS: Final[Mapping[Fact, str]] = {
    Fact.PAW: """paw paws pawgrp pes pedis foot feet hoof hooves toe toes sole soles digit digiti digits pad pads carpus
        manus""",
    Fact.GROUND: """drift drifts ground grounded grounding stance planted backward backwards rearward moonwalk skate
        slide slip traction""",
    Fact.LIFT: "leave leaves leaving lift lifts lifted airborne clears clearance",
    Fact.TRAVEL: """drift drifts backward backwards rearward forward forwards moonwalk moonwalks skate skates slide
        slides slip slips traction travel travels net""",
    Fact.TAIL: "tail cauda schwanz plume",
    Fact.LENGTH: "len length lengths long distance hypot span extent",
    Fact.DROP: "drop drops dropped low lower droop angle angles stream streams streamed height rise raised",
    Fact.DOT: "dot dots contact contacts footfall footfalls",
    Fact.LEG: "leg legs limb limbs membrum joint joints bone bones fore hind upper lower hip shoulder",
    Fact.FORELEG: """foreleg forelegs fore front shoulder shoulders humerus humeri arm upper elbow scapular brachium
        forelimb nf ff""",
    Fact.PIVOT: "pivot pivots pin pins pinned origin origins hinge hinges anchor joint joints",
    Fact.BLADE: "blade scapula scapulae shoulderblade scap",
    Fact.BAND: """envelope band path lands landing lowest low lows bottom bottoms floor deepest buried sink sinks
        below float floats floating""",
    Fact.TAPER: "taper tapers tapered ratio thickness widths thick thicker thin thinner",
    Fact.BIB: "bib chest belly underside pectus venter white fur throat brisket",
    Fact.ELBOW: "elbow elbows antebrachium antebrachii forearm fold folds sweep sweeps bend flex flexion lower stifle",
    Fact.HEART: "heart hearts cor corda love",
    Fact.HEAD: "head look ear eye lid caput auris blink nod gaze",
    Fact.PAUSE: "pause paused pausing",
    Fact.PACE: "pace paces speed gait gaits stroll walk hop zoomies",
    Fact.SKY: "sky theme night day dark light",
    Fact.CYCLE: "cycle cycles stride period",
    Fact.ICON: "favicon favicons icon ico icons",
}
_SPLIT: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_NAME: Final = re.compile(r"[A-Za-z$_][\w$-]*")
_PLACE: Final = re.compile(r"(?<![\d.])\d{3}(?!\d)")
_MAX_TEXT: Final = 4000

_FACTS_OF_NAME: dict[str, int] = {}
for _fact, _text in _NAMES.items():
    for _word in _text.split():
        _FACTS_OF_NAME[_word] = _FACTS_OF_NAME.get(_word, 0) | _fact.value
_FACTS_OF_WORD: dict[str, int] = {}
for _fact, _text in _WORDS.items():
    for _word in _text.split():
        _FACTS_OF_WORD[_word] = _FACTS_OF_WORD.get(_word, 0) | _fact.value
for _role, _fact in (
    ("tail", Fact.TAIL),
    ("blade", Fact.BLADE),
    ("bib", Fact.BIB),
    ("hearts", Fact.HEART),
    ("head", Fact.HEAD),
    ("ear", Fact.HEAD),
    ("eye", Fact.HEAD),
):
    for _word in PARTS[_role]:
        _FACTS_OF_WORD[_word] = _FACTS_OF_WORD.get(_word, 0) | _fact.value

_PINS: Final = frozenset({498, 214, 482, 252, 478, 212, 464, 250})

MEASURING: Final = words(
    """
    evaluate evaluateAll evaluateHandle $eval $$eval getAttribute textContent innerText innerHTML inputValue isVisible
    isHidden isEnabled isDisabled isChecked count boundingBox allTextContents allInnerTexts allInnerText waitForFunction
    cookies storageState jsonValue getProperty title content waitForSelector metrics viewportSize
    """
)
"""Methods of a page, a locator or a context that give what the browser sees; all of them give promises."""

IN_PAGE: Final = words("evaluate evaluateAll evaluateHandle $eval $$eval waitForFunction")
"""The ones whose function runs in the page."""


@lru_cache(maxsize=8192)
def facts_of_name(name: str) -> int:
    """The facts that an identifier or a property name tells."""
    told = _FACTS_OF_NAME.get(name, 0)
    for word in _SPLIT.findall(name[:200]):
        told |= _FACTS_OF_WORD.get(word.lower(), 0)
    return told


@lru_cache(maxsize=4096)
def facts_of_text(text: str) -> int:
    """The facts that a string tells: a selector, a property, a word, or the text of a script."""
    told = 0
    for name in _NAME.findall(text[:_MAX_TEXT]):
        told |= facts_of_name(name)
    if len(_PINS & {int(number) for number in _PLACE.findall(text[:_MAX_TEXT])}) >= 2:
        told |= Fact.PIN_NUMBER.value
    return told


def facts_of_number(value: float) -> int:
    """The facts that a number tells: the spec's numbers are rare enough to be known by themselves."""
    told = 0
    if value in _PINS:
        told |= Fact.PIN_NUMBER.value
    if value in (21, 14.5):
        told |= Fact.TAPER_NUMBER.value
    if 330 <= value <= 352:
        told |= Fact.BAND_NUMBER.value
    if value in (900, 460):
        told |= Fact.FRAME_NUMBER.value
    if 5 <= value <= 200:
        told |= Fact.MANY.value
    return told


_OPERATORS: Final[Mapping[str, int]] = {
    "<": Fact.ORDER.value,
    ">": Fact.ORDER.value,
    "<=": Fact.ORDER.value,
    ">=": Fact.ORDER.value,
    "-": Fact.DIFFERENCE.value,
}


def facts_of_operator(operator: str) -> int:
    """The facts that a binary operator tells."""
    return _OPERATORS.get(operator, 0)
