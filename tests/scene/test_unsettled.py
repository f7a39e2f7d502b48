"""Nodes whose place script draws at random."""

from __future__ import annotations

from husky_lint.evidence import StaticEvidence
from husky_lint.packs import pack_rubric
from husky_lint.scene.unsettled import unsettled_nodes
from husky_lint.submission import Submission

PAGE = """<!doctype html><svg viewBox="0 0 900 460"><g id="sky"><circle id="star" r="2"/><circle id="moon" r="9"/></g>
<g id="cloud"><path d="M0 0h9v9"/></g><rect id="sun" width="9" height="9"/></svg><script>
const el = id => document.getElementById(id);
el('star').setAttribute('cx', Math.random() * 900);
el('moon').setAttribute('cx', Math.random()); el('moon').setAttribute('cx', 40);
el('cloud').style.setProperty('--drift', Math.random() + 's');
el('sun').setAttribute('data-seed', Math.random());
document.documentElement.style.setProperty('--seed', Math.random());
</script>"""


def test_what_is_drawn_at_random_unsettles_a_node_with_what_is_in_and_around_it() -> None:
    evidence = StaticEvidence(Submission.from_files({"index.html": PAGE}), pack_rubric("husky"))
    found = unsettled_nodes(evidence.scene, evidence.states.initial.mutations)
    assert {node.element.get("id") or node.name for node in found} == {"svg", "sky", "star", "cloud", "path"}
