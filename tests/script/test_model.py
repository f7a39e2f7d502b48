# ruff: noqa: E501 - pieces of programs read best on one line
"""Loading order, events, timers, storage, and the survey of what controls do."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

import pytest

from husky_lint.script.effects import StorageModel
from husky_lint.script.markup import serialize
from husky_lint.script.values import Unknown
from husky_lint.style.media import MediaContext

from .page import by_id, page_model

if TYPE_CHECKING:
    from husky_lint.script.effects import Effect
    from husky_lint.script.model import ScriptModel


def kinds(model: ScriptModel, *wanted: str) -> list[Effect]:
    return [effect for effect in model.effects if effect.kind in wanted]


def texts(model: ScriptModel, effects: list[Effect]) -> list[str]:
    source = model.document.source
    return [
        source.slice(effect.span) for effect in effects if effect.span is not None and effect.span.file == source.path
    ]


def test_a_script_sees_only_what_stands_before_it() -> None:
    html = """<head><script>var early = document.getElementById('late'), body = document.body;</script></head>
    <body><p id="one"></p><script>document.getElementById('late').textContent = 'x'; var reached = true</script>
    <p id="late"></p><script>var now = document.getElementById('late').id</script>"""
    model = page_model(html)
    assert (model.global_value("early"), model.global_value("body"), model.global_value("now")) == (None, None, "late")
    assert model.global_value("reached") is None
    thrown = kinds(model, "throw")
    assert [(e.name, e.certain, e.trigger) for e in thrown] == [("TypeError", True, "load")]
    assert texts(model, thrown) == ["document.getElementById('late').textContent = 'x'"]


def test_what_a_head_script_appends_stands_before_what_is_parsed_later() -> None:
    html = "<!doctype html><head><script>document.head.append(document.createElement('style'))</script><link rel='x'></head><body>b"
    model = page_model(html)
    assert [str(child.tag).rpartition("}")[2] for child in model.document.root[0]] == ["script", "style", "link"]
    model.journal.undo_to(0)
    assert [str(child.tag).rpartition("}")[2] for child in model.document.root[0]] == ["script", "link"]


def test_deferred_scripts_and_ready_listeners_run_after_parsing() -> None:
    html = """<head><script>var log = []; document.addEventListener('DOMContentLoaded', () => log.push('ready'));
      window.onload = () => log.push('load'); setTimeout(() => log.push('timer'), 0); setTimeout(() => log.push('no'), 5000);
      Promise.resolve().then(() => log.push('micro'));</script>
      <script defer src="d.js"></script></head><body><p id="late"></p><script>log.push('body')</script>"""
    model = page_model(html, {"d.js": "log.push('defer ' + document.getElementById('late').id)"})
    assert model.global_value("log") == ("micro", "body", "defer late", "ready", "load", "timer")


def test_events_bubble_capture_and_stop() -> None:
    html = """<div id="outer"><button id="inner" onclick="log.push('attribute ' + event.type)">x</button></div><script>
      var log = []; const inner = document.getElementById('inner'), outer = document.getElementById('outer');
      document.addEventListener('click', () => log.push('document'));
      outer.addEventListener('click', e => { log.push('outer ' + e.target.id); e.stopPropagation(); });
      outer.addEventListener('click', e => log.push('capture ' + e.currentTarget.id), true);
      inner.addEventListener('click', function () { log.push('once ' + this.id) }, { once: true });
    </script>"""
    model = page_model(html)
    model.dispatch(by_id(model, "inner"), "click")
    assert model.global_value("log") == ("capture outer", "attribute click", "once inner", "outer inner")
    model.dispatch(by_id(model, "inner"), "click")
    assert model.global_value("log")[4:] == ("capture outer", "attribute click", "outer inner")


PACES = """<html data-pace="walk"><body><div id="box"></div><button id="night">Night</button><script>
  const paces = ['stroll', 'walk', 'hop']; let current = 1;
  const set = i => { current = (i + 3) % 3; document.documentElement.dataset.pace = paces[current]; };
  paces.forEach((p, i) => { const b = document.createElement('button'); b.textContent = p; b.onclick = () => set(i); box.append(b); });
  document.addEventListener('keydown', e => { if (e.key === 'ArrowRight') set(current + 1); if (e.key === 'q') set(0); });
  document.getElementById('night').addEventListener('click', () => { document.documentElement.classList.toggle('night'); });
</script>"""


def test_events_compose_and_are_undone_with_the_variables() -> None:
    model = page_model(PACES)
    root = model.document.root
    loaded = serialize(root, outer=True)
    buttons = {
        "".join(map(str, listener.element.itertext())): listener.element
        for listener in model.listeners
        if listener.element is not None
    }
    mark = model.journal.mark()
    model.dispatch(buttons["hop"], "click")
    model.dispatch(buttons["Night"], "click")
    assert (root.get("data-pace"), root.get("class")) == ("hop", "night")
    model.dispatch("document", "keydown", key="ArrowRight")
    assert root.get("data-pace") == "stroll"
    model.journal.undo_to(mark)
    assert serialize(root, outer=True) == loaded
    model.dispatch("document", "keydown", key="ArrowRight")
    assert root.get("data-pace") == "hop"


def test_a_page_put_away_is_worked_as_if_for_the_first_time_each_time() -> None:
    html = """<body><button id="b">0</button><script>var n = 0; const box = document.createElement('i'); document.body.append(box);
      new MutationObserver(() => {}); b.onclick = () => { n++; b.textContent = n; box.className = 'c' + n; if (Math.random() < .5) box.append(document.createElement('u'));
      matchMedia('(width < 9px)').onchange = () => {}; setTimeout(() => {}, 50); };</script></body>"""
    model = page_model(html)
    after_loading = len(model.effects)
    model.put_away()
    assert not model.document.root.xpath("//*[local-name()='i']")
    for _ in range(2):
        with model.at_work():
            assert (model.global_value("n"), len(model.effects), model.timers) == (0.0, after_loading, ())
            model.dispatch(by_id(model, "b"), "click")
            assert (by_id(model, "b").text, model.global_value("n"), len(model.timers)) == ("1", 1.0, 1)
            assert model.dispatch("document", "click") == ()
            with pytest.raises(RuntimeError), model.at_work():
                pass
        assert by_id(model, "b").text == "0"
        assert not model.document.root.xpath("//*[local-name()='i']")
    model.show()
    assert model.document.root.xpath("//*[local-name()='i']")


def test_an_event_done_again_from_memory_leaves_what_it_left_the_first_time() -> None:
    html = """<body><button id="b">0</button><ul id="u"><li id="l">x</li></ul><input id="c" type="checkbox"><script>
      var n = 0, log = [], seen = new Map([['a', 1]]), o = {x: 1, y: {z: 1}};
      function note(what) { log.push(what + n); seen.set('k' + n, what); seen.delete('a'); delete o.x; o.y.z += n; o['n' + n] = [n]; }
      b.onclick = () => { n++; note('click'); b.textContent = n; const i = document.createElement('i'); i.className = 'c' + n; u.append(i, 't'); l.remove();
        if (Math.random() < .5) { u.append(document.createElement('u')); n += 10; }
        matchMedia('(width < 9px)').addEventListener('change', () => note('media')); setTimeout(() => note('later'), 50);
        u.addEventListener('click', () => note('list'), {once: true}); localStorage.setItem('n', n); Promise.resolve().then(() => note('then')); };
      document.addEventListener('keydown', e => { note(e.key); if (e.key === 'x') throw new Error('no'); }); c.onchange = () => { b.title = c.checked; };
    </script></body>"""
    model = page_model(html)
    model.put_away()

    def look() -> tuple[Any, ...]:
        names = ("n", "log", "o")
        timers = [(timer.kind, timer.delay) for timer in model.timers]
        listeners = [(listener.type, repr(listener.target)) for listener in model.listeners]
        unknown = sorted((str(element.tag), part, repr(value)) for (element, part), value in model.unknown.items())
        return (
            serialize(model.document.root, outer=True),
            [repr(model.global_value(name)) for name in names],
            timers,
            listeners,
            unknown,
        )

    events: list[tuple[str, str, dict[str, Any]]] = [
        ("b", "click", {}),
        ("u", "click", {}),
        ("l", "keydown", {"key": "x"}),
        ("c", "click", {}),
    ]
    for first in events:
        for second in events:
            runs = []
            for remembered in (False, True, True):
                if not remembered:
                    model._events.clear()
                with model.at_work():
                    fired = []
                    for name, kind, fields in (first, second):
                        found = model.document.root.xpath(f"//*[@id='{name}']")
                        target: Any = found[0] if isinstance(found, list) and found else "document"
                        effects = model.dispatch(target, kind, **fields)
                        fired.append([(e.kind, e.name, repr(e.value), e.certain, e.span) for e in effects])
                    runs.append(re.sub(" at 0x[0-9a-f]+", "", repr((fired, look(), model._left, model._machine.at))))
            assert runs[0] == runs[1] == runs[2]


def test_a_page_that_cost_its_whole_budget_once_has_it_again_the_next_time() -> None:
    html = "<body><button id='b'>0</button><script>b.onclick = () => { for (let i = 0; i < 9000; i++) b.title = i; };</script></body>"
    model = page_model(html)
    model.put_away()
    for _ in range(2):
        with model.at_work():
            presses = 0
            while not model.limit and presses < 200:
                model.dispatch(by_id(model, "b"), "click")
                presses += 1
            assert 2 < presses < 200
    with model.at_work():
        assert not model.limit


def test_survey_tells_what_each_control_does_and_leaves_the_page_alone() -> None:
    model = page_model(PACES)
    loaded = serialize(model.document.root, outer=True)
    found = {}
    for response in model.survey():
        element = response.element
        what = response.fields.get("key") or "".join(map(str, element.itertext()) if element is not None else ())
        found[what] = [(effect.name, effect.value) for effect in response.effects]
    assert found["hop"] == [("data-pace", "hop")]
    assert found["Night"] == [("night", True)]
    assert found["ArrowRight"] == [("data-pace", "hop")]
    assert found["q"] == [("data-pace", "stroll")]
    assert found["ArrowLeft"] == []
    assert serialize(model.document.root, outer=True) == loaded


def test_delegated_clicks_are_tried_on_every_control() -> None:
    html = """<div id="bar"><button data-p="hop">Hop</button><button data-p="walk">Walk</button></div><script>
      bar.addEventListener('click', e => { const b = e.target.closest('[data-p]'); if (b) document.body.dataset.pace = b.dataset.p; });
    </script>"""
    model = page_model(html)
    written = [effect.value for response in model.survey() for effect in response.effects]
    assert written == ["hop", "walk"]


def test_radio_buttons_select_and_checkbox() -> None:
    html = """<input type="radio" name="pace" id="r1" value="walk" checked><input type="radio" name="pace" id="r2" value="hop">
      <select id="s"><option>a</option><option value="bee">b</option></select><input type="checkbox" id="c">
      <script>var log = [];
      for (const id of ['r1', 'r2', 's', 'c']) { const e = document.getElementById(id); e.addEventListener('change', () => log.push(e.value, e.checked)); }</script>"""
    model = page_model(html)
    model.dispatch(by_id(model, "r2"), "click")
    assert model.properties[by_id(model, "r2"), "checked"] is True
    assert model.properties[by_id(model, "r1"), "checked"] is False
    model.dispatch(by_id(model, "s"), "change", value="bee")
    model.dispatch(by_id(model, "c"), "click")
    assert [value for value in model.global_value("log") if value is not None][:4] == ["hop", True, "bee", False]
    assert model.global_value("log")[-2:] == ("on", True)


def test_storage_and_cookies() -> None:
    html = """<script>
      try { document.cookie = 'husky-sky=night; path=/; max-age=31536000' } catch (e) {}
      localStorage.setItem('husky-sky', 'night'); localStorage.other = 1; sessionStorage.removeItem('x');
      var m = /(?:^|;\\s*)husky-sky=(day|night)/.exec(document.cookie), seen = localStorage.getItem('seen'), sky = m && m[1];
    </script>"""
    model = page_model(html, storage=StorageModel(cookies={"a": "1"}, local={"seen": "yes"}))
    written = [(e.kind, e.target, e.name, e.value) for e in kinds(model, "cookie", "storage")]
    assert written == [
        ("cookie", "document", "husky-sky", "husky-sky=night; path=/; max-age=31536000"),
        ("storage", "localStorage", "husky-sky", "night"),
        ("storage", "localStorage", "other", "1"),
        ("storage", "sessionStorage", "x", None),
    ]
    assert (model.global_value("sky"), model.global_value("seen")) == ("night", "yes")
    assert model.cookies == {"a": "1", "husky-sky": "night"}


@pytest.mark.parametrize("reduced", [False, True])
def test_media_queries_are_those_of_the_view(reduced: bool) -> None:
    html = """<script>const q = matchMedia('(prefers-reduced-motion: reduce)'); var still = q.matches;
      q.addEventListener('change', e => { document.documentElement.dataset.still = e.matches })</script>"""
    model = page_model(html, media=MediaContext(reduced_motion=reduced))
    assert model.global_value("still") is reduced
    model.dispatch("(prefers-reduced-motion: reduce)", "change", matches=True)
    assert model.document.root.get("data-still") == "true"


def test_network_and_the_like_are_effects() -> None:
    html = """<script>fetch('https://x.example/a.json').then(r => { document.title = r }); new WebSocket('wss://x'); import('./m.js');
      const i = document.createElement('img'); i.src = 'https://x/i.png'; history.pushState({}, '', '#a'); new Image().src = 'b.png';</script>"""
    model = page_model(html)
    network = [(e.name, e.value) for e in kinds(model, "network")]
    assert ("fetch", "https://x.example/a.json") in network
    assert ("WebSocket", "wss://x") in network
    assert ("import", "./m.js") in network
    assert ("img", "https://x/i.png") in network
    assert [e.name for e in kinds(model, "history")] == ["pushState"]
    assert [e.certain for e in kinds(model, "text")] == [False]


def test_elements_that_frames_and_timers_move() -> None:
    html = """<svg><g id="a"/><g id="b"/><g id="c"/><g id="d"/></svg><script>
      let last = null; const g = id => document.getElementById(id);
      function tick(now) { if (last !== null) { g('a').setAttribute('transform', `rotate(${now})`); g('b').style.transform = `rotate(${now - last}deg)`; } last = now; requestAnimationFrame(tick); }
      requestAnimationFrame(tick); setInterval(() => { g('c').style.setProperty('--x', Math.random()) }, 50);
      g('d').animate([{ transform: 'none' }, { transform: 'rotate(9deg)' }], { duration: 500, iterations: Infinity });
    </script>"""
    model = page_model(html)
    found = {(driven.element.get("id"), driven.part) for driven in model.script_driven()}
    assert found == {("a", "transform"), ("b", "style/transform"), ("c", "style/--x")}  # d is told by its state
    animation = kinds(model, "animation")[0]
    assert animation.value == (
        ({"transform": "none"}, {"transform": "rotate(9deg)"}),
        {"duration": 500.0, "iterations": float("inf")},
    )


def test_the_virtual_clock_counts() -> None:
    html = """<p id="out"></p><script>let last = performance.now(), total = 0; var beats = 0;
      function tick(now) { total += (now - last) / 1000; last = now; out.textContent = total.toFixed(1); requestAnimationFrame(tick); }
      requestAnimationFrame(tick); setInterval(() => beats++, 250);</script>"""
    model = page_model(html, virtual_clock=True)
    model.advance(2000)
    assert by_id(model, "out").text == "2.0"
    assert model.global_value("beats") == 8.0


def test_computed_style_comes_from_the_engine() -> None:
    def computed(element: Any, name: str) -> str | None:
        return " 0.78s" if name == "--cycle" else None

    html = "<script>var c = parseFloat(getComputedStyle(document.body || document.documentElement).getPropertyValue('--cycle')), w = getComputedStyle(document.documentElement).width</script>"
    model = page_model(html, computed_style=computed)
    assert model.global_value("c") == 0.78
    assert isinstance(model.global_value("w"), Unknown)


def test_a_throw_on_one_side_of_a_branch_leaves_the_rest_uncertain() -> None:
    html = "<script>if (Math.random() < .5) null.x; document.body.id = 'x'</script><script>document.body.title = 'y'</script>"
    model = page_model(f"<body>{html}")
    assert [(e.name, e.certain) for e in kinds(model, "throw")] == [("TypeError", False)]
    assert [(e.name, e.certain) for e in kinds(model, "attribute")] == [("id", False), ("title", True)]


def test_asynchronous_functions() -> None:
    html = """<script>var log = [];
      (async () => { log.push(1); const v = await Promise.resolve(5); log.push(v); await new Promise(r => setTimeout(r, 100)); document.title = 'later'; })();
      log.push(2);</script>"""
    model = page_model(html)
    assert set(model.global_value("log")) == {1.0, 2.0, 5.0}
    assert [(e.value, e.certain) for e in kinds(model, "text")] == [("later", False)]


def test_numbers_keep_their_range_through_the_text_that_rounds_them() -> None:
    script = """
      var x = 5 + Math.random() * 2, fixed = Number(x.toFixed(2)), whole = +x.toFixed(0), near = Number(x.toPrecision(1));
      var long = parseFloat(`${x}px`), joined = Number(`${x}${x}`), digits = parseFloat(`${x}5`), same = Number(String(x));
    """
    model = page_model(f"<body><script>{script}</script>")
    found = {name: model.global_value(name) for name in ("fixed", "whole", "near", "long", "same", "joined", "digits")}
    ranges = {name: (value.low, value.high) for name, value in found.items() if isinstance(value, Unknown)}
    assert ranges.pop("joined") == ranges.pop("digits") == (-math.inf, math.inf)
    assert set(ranges.values()) == {(5.0, 7.0)}
    assert [found["whole"].whole, found["fixed"].whole, found["fixed"].open] == [True, False, False]
