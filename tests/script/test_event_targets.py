# ruff: noqa: E501 - pieces of programs read best on one line
"""Stores and buses that are event targets of their own, nodes that ``new`` makes, and view transitions."""

from __future__ import annotations

import pytest

from .page import by_id, page_model

PAGE = '<button id="go">Go</button><p id="out"></p><script>const out = document.getElementById("out"), go = '
STORE = """
class Store extends EventTarget {
  #held = { pace: 'walk' };
  set(key, value) {
    this.#held[key] = value;
    this.dispatchEvent(new CustomEvent('change', { detail: { key, value } }));
  }
}
const store = new Store();
store.addEventListener('change', ({ detail: { key, value } }) => { out.dataset[key] = value; });
go.onclick = () => store.set('pace', 'hop');
"""


def after(script: str, *, click: bool = True) -> dict[str, str]:
    model = page_model(f'{PAGE}document.getElementById("go");\n{script}</script>')
    assert not [effect for effect in model.effects if effect.kind == "unknown"]
    if click:
        model.dispatch(by_id(model, "go"), "click")
    out = by_id(model, "out")
    return {str(name).removeprefix("data-"): str(value) for name, value in out.attrib.items() if name != "id"}


def test_a_store_that_extends_event_target() -> None:
    assert after(STORE, click=False) == {}
    assert after(STORE) == {"pace": "hop"}


def test_what_an_event_target_hears() -> None:
    script = """
    const bus = new EventTarget(); let n = 0; const one = () => { n += 1; };
    bus.addEventListener('a', one, { once: true }); bus.addEventListener('b', one); bus.addEventListener('b', one);
    bus.addEventListener('b', { handleEvent(event) { n += 10; event.preventDefault(); } });
    bus.addEventListener('c', () => { null.x; }); bus.addEventListener('c', (e) => { e.stopImmediatePropagation(); n += 100; });
    bus.addEventListener('c', one);
    for (const kind of ['a', 'a', 'c']) bus.dispatchEvent(new Event(kind));
    const kept = bus.dispatchEvent(new Event('b', { cancelable: true }));
    bus.removeEventListener('b', one); bus.dispatchEvent(new Event('b'));
    out.dataset.n = n; out.dataset.kept = kept;
    out.dataset.is = [out, document, bus, {}].map((x) => x instanceof EventTarget).join();
    """
    assert after(script, click=False) == {"n": "122", "kept": "false", "is": "true,true,true,false"}


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        (
            """go.onclick = () => {
              if (!document.startViewTransition) { out.dataset.sky = 'old'; return; }
              document.startViewTransition(() => { out.dataset.sky = 'night'; }).finished.then(() => { out.dataset.done = 1; });
            };""",
            {"sky": "night", "done": "1"},
        ),
        (
            "go.onclick = () => document.startViewTransition?.({ update() { out.dataset.sky = 'night'; }, types: ['fade'] });",
            {"sky": "night"},
        ),
        (
            "const f = new DocumentFragment(); f.append(new Text('a'), 'b'); out.append(f); out.dataset.t = out.textContent;",
            {"t": "ab"},
        ),
    ],
)
def test_transitions_and_nodes(script: str, expected: dict[str, str]) -> None:
    assert after(script) == expected
