"""The contact dots (spec §2.4): one a paw, on the path, on the clock of its leg and never on the dog's bob."""

from __future__ import annotations

from typing import TYPE_CHECKING

from husky_lint.rule import Finding, Reason, Related, Undecided, rule

from .rig import LEGS, rig_of
from .seen import counterpart
from .strides import GONE_AT, joints_in_motion, strides, timing
from .visibility import is_visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from husky_lint.evidence import Evidence
    from husky_lint.source import Span
    from husky_lint.style.computed import ComputedStyle

    from .rig import Rig


@rule("HB2411")
def contact_dots(evidence: Evidence, dots: int, delay: float) -> Iterator[Finding]:
    """A contact dot runs on another clock than its leg, or is missing.

    ## What it checks
    There are four contact dots, one a paw, and at every pace where it is seen each has exactly the computed delay and
    duration of its own leg.

    ## Why it matters
    A dot that darkens while its paw is in the air says that the dog floats. The dots are copies of the phase table, and
    copies drift apart.

    ## Example that fails
    ```css
    #scene[data-speed="zoomies"] .dot[data-leg="far-hind"] { --phase: -.04; }
    ```

    ```css
    .dots { display: none; }
    ```

    ```css
    .dot[data-leg="far-hind"] { display: none; }
    ```

    ## Example that passes
    ```css
    .dot { animation-timing-function: linear; }
    ```
    """
    rig = rig_of(evidence)
    found = [leg for leg in LEGS if f"dots.{leg}" in rig.parts]
    if len(found) < dots:
        yield from _missing(evidence, rig, len(found), dots)
    for stride in strides(evidence).values():
        for name in found:
            if name in GONE_AT.get(stride.pace, ()):
                continue
            dot = counterpart(stride.motion, rig.part(f"dots.{name}").node)
            if dot is None or not is_visible(stride.motion, dot):
                continue
            parts = joints_in_motion(stride, rig.leg(name))
            if not parts:
                continue
            leg_style, style = parts[0][1], stride.motion.style(dot)
            (wanted, lag), (duration, own) = timing(leg_style), timing(style)
            apart = abs((own - lag + wanted / 2) % wanted - wanted / 2) if duration > 0 else wanted
            if abs(duration - wanted) > delay or apart > delay:
                yield Finding(
                    f"the dot of the {name.replace('_', ' ')} paw at {stride.pace} has delay {own:.3f} s and duration "
                    f"{duration:.3f} s; its leg has {lag:.3f} s and {wanted:.3f} s",
                    _delay_span(evidence, style),
                    related=(Related(_delay_span(evidence, leg_style), "the delay of the leg"),),
                    data={"pace": stride.pace, "leg": name, "delay": own, "expected": lag, "duration": duration},
                )


@rule("HB2412")
def dots_outside_dog(evidence: Evidence) -> Iterator[Finding]:
    """A contact dot is inside the dog group.

    ## What it checks
    No contact dot is declared inside the group of the dog, nor inside anything else that bobs with him.

    ## Why it matters
    A shadow on the path that rises with the body is no shadow on the path.

    ## Example that fails
    ```css
    .dots { animation: bob calc(var(--cycle) * .5) infinite; }
    ```

    ## Example that passes
    ```css
    .dots { opacity: .8; }
    ```
    """
    rig = rig_of(evidence)
    found = [leg for leg in LEGS if f"dots.{leg}" in rig.parts]
    if not found:
        raise Undecided(Reason.ROLE_NOT_FOUND, "there are no contact dots to judge")
    dog = rig.part("dog").nodes
    walk = next(iter(strides(evidence).values()))
    for name in found:
        node = rig.part(f"dots.{name}").node
        around = [one for one in node.ancestors() if one.parent is not None]
        bobbing = [one for one in around if one in dog or timing(walk.motion.style(one))[0] > 0]
        if bobbing:
            what = "the dog's group" if any(one in dog for one in bobbing) else "a group that moves"
            yield Finding(
                f"the dot of the {name.replace('_', ' ')} paw is inside {what}; dots lie outside, or they inherit it",
                evidence.element_span(node.element),
                related=(Related(evidence.element_span(bobbing[-1].element), "this group"),),
                data={"leg": name},
            )


def _missing(evidence: Evidence, rig: Rig, count: int, dots: int) -> Iterator[Finding]:
    """A finding when the missing dots are surely not drawn; raises Undecided when they only could not be told."""
    lost = [leg for leg in LEGS if f"dots.{leg}" not in rig.parts]
    if not all(rig.is_absent(f"dots.{leg}") for leg in lost):
        rig.part(f"dots.{next(leg for leg in lost if not rig.is_absent(f'dots.{leg}'))}")
    yield Finding(
        f"{count} contact dots; expected {dots}, one a paw",
        evidence.element_span(evidence.scene.root.element),
        data={"measured": count, "expected": dots},
    )


def _delay_span(evidence: Evidence, style: ComputedStyle) -> Span:
    declaration = style.declaration("animation-delay")
    return declaration.span if declaration is not None else evidence.element_span(style.element)
