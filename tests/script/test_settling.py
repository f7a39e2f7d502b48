"""What a page does once by itself is done a second later; what goes on is not."""

from __future__ import annotations

import pytest

from tests.script.page import by_id, page_model

READY = "scene.classList.add('ready')"
COUNT = "scene.setAttribute('data-n', n++)"


@pytest.mark.parametrize(
    "script",
    [
        f"setTimeout(() => {READY}, 50)",
        f"requestAnimationFrame(() => requestAnimationFrame(() => {READY}))",
        f"addEventListener('load', () => setTimeout(() => {READY}, 300))",
        f"requestIdleCallback(() => {READY})",
        f"new Promise(done => setTimeout(done, 400)).then(() => {READY})",
        f"const late = setTimeout(() => scene.remove(), 400); setTimeout(() => {{ clearTimeout(late); {READY} }}, 99)",
        f"setTimeout(() => scene.removeAttribute('class'), 99); setTimeout(() => setTimeout(() => {READY}, 900), 50)",
        f"scene.animate({{ opacity: [0, 1] }}, 600).onfinish = () => {READY}",
        f"scene.animate({{ opacity: [0, 1] }}, 600).finished.then(() => {READY})",
    ],
)
def test_what_happens_once_has_happened(script: str) -> None:
    model = page_model(f"<svg id='scene'></svg><script>{script}</script>")
    assert by_id(model, "scene").get("class") == "ready"
    assert not model.script_driven()


@pytest.mark.parametrize(
    "script",
    [
        f"let n = 0; (function tick() {{ {COUNT}; requestAnimationFrame(tick); }})()",
        f"let n = 0; (function tick() {{ {COUNT}; setTimeout(tick, 100); }})()",
        f"let n = 0; (function tick() {{ {COUNT}; if (n < 20) requestAnimationFrame(tick); }})()",
        f"let n = 0; (function tick() {{ {COUNT}; setTimeout(tick, 600 + 9 * Math.random()); }})()",
        f"let n = 0; {COUNT}; setInterval(() => {COUNT}, 100)",
        f"let n = 0; {COUNT}; requestAnimationFrame(function f(t) {{ {COUNT}; t < 300 && requestAnimationFrame(f) }})",
        f"let n = 0; {COUNT}; setTimeout(() => {COUNT}, 5000)",
        f"let n = 0; {COUNT}; if (Math.random() < .5) setTimeout(() => {COUNT}, 50)",
    ],
)
def test_what_goes_on_or_is_not_known_waits(script: str) -> None:
    model = page_model(f"<svg id='scene'></svg><script>{script}; setTimeout(() => {READY}, 50)</script>")
    assert by_id(model, "scene").get("data-n") == "0"
    assert by_id(model, "scene").get("class") == "ready"
    assert [effect.value for effect in model.effects if effect.name == "data-n"] == ["0"]
    assert len(model.timers) == 1


def test_what_takes_too_long_is_left_waiting() -> None:
    script = "const f = k => k ? f(k - 1) + f(k - 1) : 1; setTimeout(() => { scene.id = 'other'; f(30); }, 20)"
    model = page_model(f"<svg id='scene'></svg><script>{script}</script>")
    assert by_id(model, "scene") is not None
    assert not model.limit
