"""The dog is judged alike in the writing of many hands: every verdict of the rows about it, several idioms at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from husky_lint.rule import Judgement

from . import idioms
from .idioms import Page
from .test_renaming import judged

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from husky_lint.scorecard import Scorecard

ALIKE: Mapping[str, tuple[Callable[[Page], None], ...]] = {
    "hock, lines beneath, probes": (
        idioms.a_hock_as_fourth_joint,
        idioms.lines_beneath_limbs,
        idioms.probes_in_the_paws,
    ),
    "rects, toes, plain features": (idioms.limbs_of_rects, idioms.paws_of_toes, idioms.plain_features),
    "leg beside, line collar, used dots": (
        idioms.a_near_leg_beside_the_dog,
        idioms.a_collar_as_line,
        idioms.dots_of_one_ellipse,
    ),
    "own leg flies, delays by importance": (idioms.its_own_leg_flies, idioms.delays_by_importance),
    "source order, smil, muzzle": (
        idioms.delays_by_source_order,
        idioms.smil_for_ear_and_tail,
        idioms.a_muzzle_apart,
    ),
    "delays by script, held tail": (idioms.delays_by_script, idioms.a_tail_held_by_a_transition),
    "translate wrappers, another scale": (idioms.translate_wrappers, idioms.another_scale),
    "attribute pivots, delays ahead, no neck": (
        idioms.pivots_as_attributes,
        idioms.delays_ahead,
        idioms.no_neck,
    ),
    "script clones, clipped collar, rotate": (
        idioms.script_clones_the_leg,
        idioms.a_collar_as_clipped_band,
        idioms.individual_rotate,
    ),
    "script takes out, blade turns, matrices": (
        idioms.script_takes_the_leg_out,
        idioms.a_blade_that_turns,
        idioms.matrices,
    ),
    "legs by script, scaled dots, long tail": (
        idioms.legs_made_by_script,
        idioms.dots_by_scale,
        idioms.a_tail_of_four_joints,
    ),
    "lying joints, inherited delays, hidden ear": (
        idioms.names_of_joints_that_lie,
        idioms.inherited_delays,
        idioms.a_far_ear_out_of_sight,
    ),
    "lying features, invisible leg, fill box": (
        idioms.names_of_features_that_lie,
        idioms.the_leg_is_only_invisible,
        idioms.pivots_in_the_fill_box,
    ),
}


SMALLER = "translate(426 340) scale(.9) translate(-426 -340)"


def verdicts(card: Scorecard) -> dict[str, list[Judgement]]:
    return {code: [result.verdict.judgement for result in results] for code, results in card.clauses.items()}


def judged_page(*changes: Callable[[Page], None]) -> Scorecard:
    page = Page()
    for change in changes:
        change(page)
    return judged({path: text for path, text in page.files.items() if isinstance(text, str)})


@pytest.fixture(scope="module")
def plain() -> dict[str, list[Judgement]]:
    found = verdicts(judged_page())
    assert {one for several in found.values() for one in several} == {Judgement.PASS}
    return found


@pytest.mark.parametrize("changes", ALIKE.values(), ids=ALIKE)
def test_the_same_dog_is_judged_alike(
    plain: dict[str, list[Judgement]], changes: tuple[Callable[[Page], None], ...]
) -> None:
    card = judged_page(*changes)
    other = {code: found for code, found in verdicts(card).items() if found != plain[code]}
    why = [finding.message for finding in card.findings if finding.code in other]
    details = [(code, card.clauses[code][0].verdict.detail) for code in other]
    assert other == {}, (why, details)


def test_a_second_ear_counts_though_nothing_calls_it_so(plain: dict[str, list[Judgement]]) -> None:
    card = judged_page(idioms.a_far_ear)
    assert {code for code, found in verdicts(card).items() if found != plain[code]} == {"HB2302"}
    assert card.verdict("HB2302") is Judgement.FAIL


def test_a_dog_at_another_scale_has_a_tail_of_one_length(plain: dict[str, list[Judgement]]) -> None:
    """Smaller all along is no squash; the joints are out of place then, which is told."""
    smaller = judged_page(
        lambda page: page.html('<g class="dog">', f'<g transform="{SMALLER}"><g class="dog">'),
        lambda page: page.html('<g class="runaway">', '</g><g class="runaway">'),
    )
    assert {code for code, found in verdicts(smaller).items() if found != plain[code]} == {"HB2307", "HB2308", "HB2310"}
    squashed = judged_page(lambda page: page.style('#scene[data-speed="zoomies"] .tail-tip { scale: 1 .85; }'))
    assert {code for code, found in verdicts(squashed).items() if found != plain[code]} == {"HB2413"}


def test_welded_paws_are_told_and_the_rest_is_judged(plain: dict[str, list[Judgement]]) -> None:
    """Cannon and paw are part of the shin; that the paw never unrolls shows in its contact too."""
    card = judged_page(lambda page: page.html('<g class="pawgrp">', '<g class="end">'))
    other = {code for code, found in verdicts(card).items() if found != plain[code]}
    assert {"HB2306", "HB2409"} <= other <= {"HB2306", "HB2409", "HB2315", "HB2403", "HB2406", "HB2408", "HB2416"}
    unknown = [code for code, found in verdicts(card).items() if Judgement.UNKNOWN in found]
    assert not unknown


@pytest.mark.parametrize("lie", ["tag", "collar", "blade", "tail"])
def test_a_brow_of_another_name_is_not_missing(plain: dict[str, list[Judgement]], lie: str) -> None:
    """What lies where the brow belongs may be it, whatever it is called: unknown at worst."""
    card = judged_page(
        lambda page: page.html('<path class="brow"', f'<path class="{lie}-fur brow-less"'),
        lambda page: page.css(".brow {", ".brow-less {"),
    )
    failed = {code for code, found in verdicts(card).items() if found != plain[code] and Judgement.FAIL in found}
    assert not failed


def test_a_dark_patch_called_chest_is_no_bib(plain: dict[str, list[Judgement]]) -> None:
    patch = '<path class="chest" d="M470 206 C490 200 512 208 520 222 C512 240 490 246 474 236 Z"/>'
    card = judged_page(
        lambda page: page.html('<path class="bib bib-belly"', f'{patch}<path class="belly-fur bib-belly"'),
        lambda page: page.css(".bib, .throat,", ".bib, .belly-fur, .throat,"),
        lambda page: page.style(".chest { fill: var(--coat-dark); }"),
    )
    assert {code for code, found in verdicts(card).items() if found != plain[code]} == set()
