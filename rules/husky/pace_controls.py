"""The paces and what selects them (spec §2.2): one ordered list, buttons and arrow keys made from it, walk at first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from husky_lint.rule import Finding, Reason, Related, Severity, Undecided, rule
from husky_lint.script.values import Unknown

from .pace_list import KEYS, follows, pace_sources

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from husky_lint.evidence import Evidence
    from husky_lint.source import Span

    from .pace_list import Derivation, PaceButton, PaceSources


@rule("HB2201")
def pace_list(evidence: Evidence, paces: Sequence[str]) -> Iterator[Finding]:
    """The four paces do not stand in one ordered list.

    ## What it checks
    A list that controls really follow (an array of names or of records, the keys of an object, a string that is split,
    or the buttons as they stand in the page when script reads them) holds stroll, walk, hop and zoomies, in that order.
    A list that nothing follows proves nothing. What follows it is found out by turning it round.

    ## Why it matters
    What is typed in several places drifts apart: a pace is added to the buttons, and the keys jump over it.

    ## Example that fails
    ```js
    // The buttons are made; only the keys read the list from here on.
    paces.sort();
    ```

    ## Example that passes
    ```js
    var middle = paces.slice(1, 3);
    ```
    """
    sources = pace_sources(evidence)
    expected = tuple(paces)
    live = [one for one in sources.derivations if one.keys or (one.buttons and one.literal is not None)]
    reached = sources.controls.paces
    for one in live:
        order = one.literal.order if one.literal is not None else reached
        if order == expected:
            if reached == expected or not sources.controls.buttons:
                yield from _disorder_of_keys(sources, expected)
            else:
                yield Finding(
                    f"the buttons stand in the order {', '.join(reached)}; the paces are {', '.join(expected)}",
                    _span(evidence, sources, one),
                    data={"measured": reached, "expected": expected},
                )
            return
    if live:
        wrong = live[0]
        order = wrong.literal.order if wrong.literal is not None else reached
        yield Finding(
            f"the list of paces is {', '.join(order)}; it is {', '.join(expected)}, in this order",
            _span(evidence, sources, wrong),
            data={"measured": order, "expected": expected},
        )
        return
    if len(set(reached)) == len(expected) and reached != expected:
        yield Finding(
            f"the buttons stand in the order {', '.join(reached)}; the paces are {', '.join(expected)}",
            _controls_span(evidence, sources),
            data={"measured": reached, "expected": expected},
        )
        return
    if len(set(reached)) < 2 and not sources.controls.keys_work:
        raise Undecided(Reason.STATE_NOT_FOUND, "no button or key could be told to change the pace")
    if not _is_typed_out(sources):
        raise Undecided(Reason.DYNAMIC_VALUE, "where the order of the paces comes from could not be told")
    dead = sources.literals[:1]
    yield Finding(
        "no button and no arrow key follows a list of the paces: each name is typed where it is used",
        _controls_span(evidence, sources),
        related=tuple(Related(one.span, "this list changes nothing") for one in dead),
    )


@rule("HB2202")
def pace_controls(evidence: Evidence, paces: Sequence[str]) -> Iterator[Finding]:
    """Buttons or arrow keys do not come from the one list of the paces.

    ## What it checks
    There is a button for each pace, and right and left arrow go through the paces, around the ends or up to them. If
    the list were turned round, both would follow: the buttons with what they say and do, and the keys. So buttons that
    are written in the page fail beside a list in script, unless script takes the paces from them.

    ## Why it matters
    Buttons and keys that are typed twice drift apart with the first pace that is added or moved.

    ## Example that fails
    ```js
    document.addEventListener("keydown", function (event) {
      var after = { stroll: "walk", walk: "hop", hop: "zoomies", zoomies: "stroll" };
      if (event.key === "ArrowRight") setPace(["stroll", "walk", "hop", "zoomies"].indexOf(after[scene.dataset.speed]));
    });
    ```

    ```html
    <button onclick="setPace(3)">Zoomies</button>
    ```

    ```js
    Object.keys = null; keys.enabled = false;
    ```

    ## Example that passes
    ```js
    document.querySelector(".paces").title = "Choose a pace, or use the arrow keys";
    ```
    """
    sources = pace_sources(evidence)
    controls = sources.controls
    expected = tuple(paces)
    for button in controls.buttons:
        if button.label is not None and button.label != button.pace:
            yield Finding(
                f"the button that says {button.label} leads to {button.pace}",
                _button_span(evidence, sources, button),
                data={"label": button.label, "pace": button.pace},
            )
    if any(one.buttons and one.keys for one in sources.derivations):
        missing = [pace for pace in expected if pace not in controls.paces]
        if missing and controls.paces:
            yield Finding(
                f"no button selects {', '.join(missing)}",
                _controls_span(evidence, sources),
                data={"missing": missing},
            )
        return
    if not controls.paces and not controls.keys_work:
        raise Undecided(Reason.STATE_NOT_FOUND, "no button or key could be told to change the pace")
    if not controls.paces:
        doubtful = next((e for e in evidence.script.effects if e.kind == "insert" and not e.certain), None)
        if doubtful is not None:
            raise Undecided(Reason.DYNAMIC_VALUE, "which buttons script makes could not be told", doubtful.span)
        yield Finding("no button selects a pace", _controls_span(evidence, sources))
        return
    if not controls.keys_work:
        if _native_radios(sources):
            raise Undecided(Reason.NEEDS_BROWSER, "arrow keys move between radio buttons by themselves")
        yield Finding(
            "neither → nor ← changes the pace",
            controls.listener or _controls_span(evidence, sources),
            data={"keys": dict(controls.sequences)},
        )
        return
    yield from _apart(evidence, sources)


@rule("HB2203")
def default_pace(evidence: Evidence, default_pace: str) -> Iterator[Finding]:
    """The page does not start at walk.

    ## What it checks
    After loading, the page is in the walk.

    ## Why it matters
    The pace is not remembered: every visit starts with the reference gait.

    ## Example that fails
    ```js
    setPace(2);
    ```

    ## Example that passes
    ```js
    setPace(2);
    setPace(paces.indexOf("walk"));
    ```
    """
    states = evidence.states
    loaded = [
        pace for pace in states.values("pace") if any(told.source == "load" for told in states.evidence("pace", pace))
    ]
    if not loaded:
        raise Undecided(Reason.STATE_NOT_FOUND, "at which pace the page starts could not be told")
    if evidence.script.model.limit:
        raise Undecided(Reason.LIMIT, "the scripts are too much to follow")
    places = {(carrier, form.name) for form in states.tells("pace") for carrier in form.carriers}
    for effect in evidence.script.effects:
        doubtful = not effect.certain or isinstance(effect.value, Unknown)
        if effect.kind in {"attribute", "class"} and doubtful and (effect.element, effect.name) in places:
            raise Undecided(Reason.DYNAMIC_VALUE, "the pace at first hangs on what is not known", effect.span)
    if default_pace not in loaded:
        written = [e.span for e in evidence.script.effects if (e.element, e.name) in places and e.span is not None]
        yield Finding(
            f"the page starts at {loaded[0]}; it starts at {default_pace}",
            written[-1] if written else evidence.element_span(evidence.scene.root.element),
            data={"measured": loaded[0], "expected": default_pace},
        )


# ---------------------------------------------------------------- what the rules share


def _apart(evidence: Evidence, sources: PaceSources) -> Iterator[Finding]:
    """What does not follow the list that the rest follows."""
    of_buttons = next((one for one in sources.derivations if one.buttons), None)
    of_keys = next((one for one in sources.derivations if one.keys), None)
    written = [button for button in sources.controls.buttons if not button.made_by_script]
    if of_keys is not None and of_keys.literal is not None and of_buttons is None:
        if written:
            yield Finding(
                "the buttons are written in the page beside the list that the arrow keys follow; make them from it",
                evidence.element_span(written[0].element),
                related=(Related(of_keys.literal.span, "the keys follow this list"),),
            )
            return
        yield Finding(
            "the buttons do not follow the list that the arrow keys follow",
            of_keys.literal.span,
            data={"buttons": sources.controls.paces},
        )
        return
    if of_buttons is not None and of_keys is not None and of_keys.literal is not None:
        related = (Related(of_buttons.literal.span, "the buttons follow this one"),) if of_buttons.literal else ()
        yield Finding(
            "the arrow keys follow another list than the buttons",
            of_keys.literal.span,
            related=related,
        )
        return
    if of_buttons is None and not written and not _is_typed_out(sources):
        raise Undecided(Reason.DYNAMIC_VALUE, "where the order of the paces comes from could not be told")
    related = (
        (Related(of_buttons.literal.span, "the buttons follow this list"),)
        if (of_buttons is not None and of_buttons.literal is not None)
        else ()
    )
    yield Finding(
        "the arrow keys do not follow the list of the buttons; the names are typed again for them",
        sources.controls.listener or _controls_span(evidence, sources),
        related=related,
        data={"keys": dict(sources.controls.sequences)},
    )


def _disorder_of_keys(sources: PaceSources, expected: Sequence[str]) -> Iterator[Finding]:
    controls = sources.controls
    if controls.keys_work and not follows(controls.sequences, expected):
        swapped = {KEYS[0]: controls.sequences[KEYS[1]], KEYS[1]: controls.sequences[KEYS[0]]}
        level = Severity.WARNING if follows(swapped, expected) else Severity.ERROR
        yield Finding(
            f"→ goes {' → '.join(controls.sequences[KEYS[0]])}; the order is {', '.join(expected)}",
            controls.listener,
            severity=level,
            data={"keys": dict(controls.sequences)},
        )


def _is_typed_out(sources: PaceSources) -> bool:
    """Whether the controls are surely made of names typed one by one: no list could be behind them unseen."""
    return all(not button.made_by_script for button in sources.controls.buttons)


def _native_radios(sources: PaceSources) -> bool:
    return any(
        (button.element.get("type") or "").lower() == "radio" or str(button.element.tag).endswith("option")
        for button in sources.controls.buttons
    )


def _span(evidence: Evidence, sources: PaceSources, one: Derivation) -> Span:
    return one.literal.span if one.literal is not None else _controls_span(evidence, sources)


def _button_span(evidence: Evidence, sources: PaceSources, button: PaceButton) -> Span:
    return _controls_span(evidence, sources) if button.made_by_script else evidence.element_span(button.element)


def _controls_span(evidence: Evidence, sources: PaceSources) -> Span:
    for button in sources.controls.buttons:
        if not button.made_by_script:
            return evidence.element_span(button.element)
    if sources.controls.listener is not None:
        return sources.controls.listener
    return evidence.element_span(evidence.scene.root.element)
