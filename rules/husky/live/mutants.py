"""Broken copies of a submission: an audit that measures what it should turns red on each of them.

A copy differs by a few declarations at the end of a style sheet, which win whatever the submission's idiom is, since
they name elements by their place and are important. None counts before the rules find its clause broken by it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from husky_lint.evidence import StaticEvidence
from husky_lint.judging import rulings_of
from husky_lint.packs import load_pack
from husky_lint.rule import Judgement, PageMissing, Undecided
from husky_lint.script.journal import applied
from husky_lint.submission import Submission

from ..controls import page_path
from ..rig import LEGS, rig_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from lxml.etree import _Element

    from husky_lint.evidence import Evidence

ENOUGH: Final = 3


@dataclass(frozen=True, slots=True)
class Mutant:
    """A broken copy: what is wrong with it, in words, and the clause that its source is found to break."""

    title: str
    code: str
    submission: Submission


def mutants(evidence: Evidence, most: int = ENOUGH) -> Iterator[Mutant]:
    """The first of the broken copies that can be made of a submission, each found broken by the rules."""
    pack = load_pack("husky")
    made = 0
    for title, code, break_it in _KINDS:
        if made == most:
            return
        try:
            if _judgement(evidence, code) is Judgement.FAIL:
                continue  # it is broken as it is
            copy = _with_styles(evidence, break_it(evidence))
        except (Undecided, PageMissing):
            continue
        if copy is not None and _judgement(StaticEvidence(copy, pack.rubric), code) is Judgement.FAIL:
            made += 1
            yield Mutant(title, code, copy)


def _judgement(evidence: Evidence, code: str) -> Judgement:
    (ruling,) = rulings_of(evidence, load_pack("husky"), (code,)).values()
    return next(iter(ruling.verdicts.values())).judgement


def _moonwalk(evidence: Evidence) -> str:
    """Every joint of the legs played backwards: paws on the ground go forward."""
    return _rule(evidence, _joints(evidence), "animation-direction: reverse !important")


def _restless(evidence: Evidence) -> str:
    """Legs that no pause stops."""
    return _rule(evidence, _joints(evidence), "animation-play-state: running !important")


def _late_dot(evidence: Evidence) -> str:
    """Contact dots on a phase of their own."""
    rig = rig_of(evidence)
    dots = [node.element for leg in LEGS if (part := rig.parts.get(f"dots.{leg}")) for node in part.nodes]
    return _rule(evidence, dots, "animation-delay: .17s !important")


def _stiff(evidence: Evidence) -> str:
    """Forelegs that do not fold."""
    rig = rig_of(evidence)
    fore = [rig.leg(name).joints for name in ("near_fore", "far_fore")]
    elbows = [joint.node.element for joints in fore for joint in joints[1:2]]
    return _rule(evidence, elbows, "animation: none !important")


_KINDS: Final[tuple[tuple[str, str, Callable[[Evidence], str]], ...]] = (
    ("a moonwalk: the legs played backwards", "HB2401", _moonwalk),
    ("legs that no pause stops", "HB2204", _restless),
    ("contact dots out of phase with their legs", "HB2411", _late_dot),
    ("forelegs that do not fold", "HB2407", _stiff),
)


def _joints(evidence: Evidence) -> list[_Element]:
    rig = rig_of(evidence)
    return [joint.node.element for leg in LEGS for joint in rig.leg(leg).joints]


def _rule(evidence: Evidence, elements: Iterable[_Element], declarations: str) -> str:
    """A style rule for elements by their place in the loaded page; "" for none."""
    with applied(evidence.states.initial.mutations):
        selectors = [page_path(element) for element in dict.fromkeys(elements)]
    return f"\n{', '.join(selectors)} {{ {declarations}; }}\n" if selectors else ""


def _with_styles(evidence: Evidence, css: str) -> Submission | None:
    """A copy with ``css`` after all its own styles: at the end of its last style sheet file, else of its page."""
    submission = evidence.submission
    if not css:
        return None
    own = [one.sheet.source.path for one in evidence.stylesheets if not one.imported and not one.media.strip()]
    path = next((one for one in reversed(own) if one.endswith(".css") and one in submission.files), None)
    added = css if path is not None else f"<style>{css}</style>"
    path = path or submission.page
    files: dict[str, str | bytes] = {name: file.raw for name, file in submission.files.items() if not file.omitted}
    files[path] = submission.files[path].raw + added.encode()
    return Submission.from_files(files, submission.name)
