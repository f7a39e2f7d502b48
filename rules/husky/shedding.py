"""Shedding (spec §2.6): clumps of undercoat come loose in the fast gaits, and only there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from lxml.etree import iselement

from husky_lint.rule import Finding, Reason, Undecided, rule
from husky_lint.script.values import Unknown

from .clocked import SECONDS, clocked, pace_runs
from .heart_shape import is_heart_shaped
from .pause_control import press_pause
from .rig import rig_of
from .words import PARTS, names_of, read_name, says

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from husky_lint.evidence import Evidence
    from husky_lint.script.effects import Effect
    from husky_lint.source import Span

_SHEDS: Final = ("hop", "zoomies")
_SECONDS: Final = 3.0
_FRAME: Final = 0.24
_LONG: Final = 18.0
_SETTLED: Final = 0.5
_PLAINLY: Final = 0.5
#: How deep keyframes hold values: (keyframes, timing), a list of keyframes, a keyframe, a list of values.
_KEYFRAMES: Final = 4
_SVG: Final = "{http://www.w3.org/2000/svg}"


@rule("HB2601")
def shedding(evidence: Evidence, paces: Sequence[str], most: int, least_random: int) -> Iterator[Finding]:
    """Clumps of undercoat are missing, come loose at the wrong pace or while he stands, or are all alike.

    ## What it checks
    The page's clock is let run. At hop and at zoomies script puts shapes into the scene, whose place, size, spin and
    flight are drawn at random; at stroll and walk, while paused and in the still it puts none. It stops at a number.

    ## Why it matters
    A husky sheds when he runs. Clumps that fall from a dog that stands, or without end, are a fault of the page.

    ## Example that fails
    ```js
    table.walk.sheds = true;
    ```

    ```js
    moving = function () { return true; };
    ```

    ## Example that passes
    ```js
    table.hop.sheds = 1;
    ```
    """
    runs = pace_runs(evidence)
    done = {pace: (*run.opening, *run.effects) for pace, run in runs.items() if pace in paces}
    shed = {pace: _clumps(evidence, effects) for pace, effects in done.items()}
    fast = next((pace for pace in _SHEDS if shed.get(pace)), None)
    kept: tuple[Effect, ...] = ()
    many, unsure = 0, False
    if fast is not None:
        with clocked(evidence, paces) as page:
            page.enter(fast)
            mark = page.model.journal.mark()
            effects = page.run(_LONG, 1.0)
            crowd = _clumps(evidence, effects)
            unsure = any(map(_is_perhaps_a_clump, effects)) or (
                len(crowd) > most and not all(effect.certain for effect in crowd)
            )
            many = sum(effect.value.getparent() is not None for effect in crowd)
            page.model.journal.undo_to(mark)
            if press_pause(evidence, page.model).effects:
                page.run(_SETTLED, _FRAME)  # what was under way comes to its end
                kept = _clumps(evidence, page.run(_SECONDS, _FRAME))
    if any(run.limit for run in runs.values()):
        raise Undecided(Reason.LIMIT, "what falls is too much to follow")
    for pace in _SHEDS:
        if pace in shed and not shed[pace] and any(map(_is_perhaps_a_clump, done[pace])):
            raise Undecided(Reason.DYNAMIC_VALUE, f"whether a clump comes loose at {pace} hangs on chance")
    if fast is None and _may_shed(evidence):
        raise Undecided(Reason.DYNAMIC_VALUE, "whether clumps come loose hangs on what is not known")
    for pace in _SHEDS:
        if pace in shed and not shed[pace]:
            yield Finding(
                f"no clump comes loose within {SECONDS:g} s at {pace}",
                _timer_span(evidence),
                data={"pace": pace},
            )
    for pace in (one for one in shed if one not in _SHEDS and shed[one]):
        yield Finding(
            f"clumps come loose at {pace}; they do at {' and '.join(_SHEDS)} only",
            shed[pace][0].span,
            data={"pace": pace, "clumps": len(shed[pace])},
        )
    if kept:
        yield Finding("clumps come loose while paused", kept[0].span, data={"clumps": len(kept)})
    if fast is not None:
        yield from _in_still(evidence, paces, fast)
    if fast is not None:
        yield from _alike(shed[fast], done[fast], least_random)
        if many > most:
            yield Finding(
                f"{many} clumps lie in the scene after {_LONG:g} s at {fast}: nothing stops them",
                shed[fast][0].span,
                data={"clumps": many, "most": most},
            )
    if unsure and many <= most:
        raise Undecided(
            Reason.DYNAMIC_VALUE, "how many clumps lie in the scene hangs on chance", shed[fast or ""][0].span
        )


def _may_shed(evidence: Evidence) -> bool:
    """Whether something that waits may put shapes into the scene all the same."""
    survey = evidence.script
    return survey.limit or any(
        effect.kind in ("unknown", "animation") or (effect.kind == "insert" and not effect.certain)
        for response in survey.responses
        if response.type in ("timer", "frame")
        for effect in response.effects
    )


def _clumps(evidence: Evidence, effects: Sequence[Effect]) -> tuple[Effect, ...]:
    """The shapes that script puts into the scene, hearts left out."""
    part = rig_of(evidence).parts.get("hearts")
    hearts = {node.element for node in part.nodes} if part is not None else set()
    return tuple(
        effect
        for effect in effects
        if effect.kind == "insert"
        and effect.element is not None
        and str(effect.element.tag).startswith(_SVG)
        and effect.element not in hearts
        and not _is_heart(effect.element)
        and not _is_heart(effect.value)
    )


def _is_perhaps_a_clump(effect: Effect) -> bool:
    """Whether a shape may be put into the scene, where what else stands there hangs on what is not known."""
    given = effect.value if effect.kind == "unknown" and isinstance(effect.value, tuple) else ()
    return any(iselement(one) and str(one.tag).startswith(_SVG) and not _is_heart(one) for one in given)


def _is_heart(node: Any) -> bool:
    if not iselement(node):
        return False
    shown = [str(value).lstrip("#") for name, value in node.attrib.items() if str(name).endswith("href")]
    named = says((*names_of(node), *map(read_name, shown)), PARTS["hearts"]) >= _PLAINLY
    return named or any(is_heart_shaped(one.get("d") or "") for one in node.iter("{*}path"))


def _in_still(evidence: Evidence, paces: Sequence[str], pace: str) -> Iterator[Finding]:
    """Clumps for visitors who prefer reduced motion."""
    still = evidence.states.state(motion="reduced")
    with clocked(evidence, paces, still.media) as page:
        page.enter(pace)
        page.run(_SETTLED, _FRAME)
        found = _clumps(evidence, page.run(_SECONDS, _FRAME))
    if found:
        yield Finding(f"clumps come loose in the still at {pace}", found[0].span, data={"pace": pace})


def _alike(shed: Sequence[Effect], effects: Sequence[Effect], least_random: int) -> Iterator[Finding]:
    """Clumps that are drawn without enough chance."""
    clumps = {id(effect.value) for effect in shed}
    random = {
        drawn
        for effect in effects
        if id(effect.target) in clumps and effect.kind != "insert"
        for drawn in _chances(effect.name, effect.value)
    }
    if len(random) < least_random:
        yield Finding(
            f"{len(random)} properties of a clump are drawn at random; place, size, spin and time of flight are",
            shed[0].span,
            data={"random": sorted(random), "expected": least_random},
        )


def _chances(name: str, value: Any, depth: int = 0) -> Iterator[str]:
    """What is drawn at random in what is written; keyframes and their timing hold properties of their own."""
    if isinstance(value, Unknown):
        yield from _draws(name, value)
    elif depth < _KEYFRAMES and isinstance(value, Mapping):
        for inner, held in value.items():
            yield from _chances(str(inner), held, depth + 1)
    elif depth < _KEYFRAMES and isinstance(value, tuple | list):
        for held in value:
            yield from _chances(name, held, depth + 1)


def _draws(name: str, value: Unknown) -> Iterator[str]:
    """What is drawn at random in one property; a ``style`` or ``transform`` may hold several numbers."""
    unknown = [place for place, part in enumerate(value.parts or ()) if isinstance(part, Unknown)]
    yield name
    yield from (f"{name} {count}" for count in range(2, len(unknown) + 1))


def _timer_span(evidence: Evidence) -> Span:
    timers = [timer.span for timer in evidence.script.model.timers if timer.span is not None]
    return timers[0] if timers else evidence.element_span(evidence.scene.root.element)
