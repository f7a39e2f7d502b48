# ruff: noqa: E501 - pieces of programs read best on one line
"""The document as script sees and changes it."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest
from lxml import etree

from husky_lint.script.markup import serialize
from husky_lint.script.query import Query, read_selector
from husky_lint.script.values import Unknown

from .page import by_id, page_model

if TYPE_CHECKING:
    from husky_lint.script.model import ScriptModel

BODY = '<div id="a" class="one two" data-foo-bar="1" style="color: red">text<b>bold</b>tail</div><p id="p"></p>'


def run(code: str, body: str = BODY, **options: Any) -> ScriptModel:
    return page_model(f"<!doctype html><title>t</title><body>{body}<script>{code}</script>", **options)


def inner(model: ScriptModel, name: str = "p") -> str:
    return serialize(by_id(model, name), outer=False)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("p.textContent = 'x<y'", "x&lt;y"),
        ("p.append('a', document.createElement('i'), 'b')", "a<i></i>b"),
        ("p.append('a', 'b'); p.firstChild.remove()", "b"),
        ("p.append('a', 'b'); p.insertBefore(document.createElement('i'), p.lastChild)", "a<i></i>b"),
        ("p.innerHTML = '<b>x</b>y<i>z</i>'; p.querySelector('b').remove()", "y<i>z</i>"),
        ("p.innerHTML = '<b>x</b>y'; p.prepend('z'); p.lastChild.data = 'w'", "z<b>x</b>w"),
        ("p.insertAdjacentHTML('beforeend', '<u>1</u>'); p.insertAdjacentHTML('afterbegin', '<u>0</u>')", "<u>0</u><u>1</u>"),
        ("p.replaceChildren(...a.childNodes)", "text<b>bold</b>tail"),
        ("p.append(a.children[0].cloneNode(true)); p.append(a.children[0].cloneNode())", "<b>bold</b><b></b>"),
        ("const f = document.createDocumentFragment(); f.append('1', document.createElement('hr')); p.append(f)", "1<hr>"),
        ("p.innerHTML = '<i></i><u></u>'; p.firstElementChild.replaceWith('s', p.lastElementChild)", "s<u></u>"),
        ("p.innerHTML = '<i></i><u></u>'; p.children[1].after(p.children[0])", "<u></u><i></i>"),
        ("p.innerHTML = '<i></i><u></u>'; p.children[0].before(p.children[1])", "<u></u><i></i>"),
        ("try { p.append(document.body) } catch (e) { p.textContent = e.name }", "HierarchyRequestError"),
        ("p.textContent = [...a.classList].join() + a.dataset.fooBar + a.style.color", "one,two1red"),
        ("p.textContent = a.textContent + a.childNodes.length + a.children.length", "textboldtail31"),
        ("p.textContent = [a.tagName, a.firstChild.nodeType, a.b, typeof a.foo_, a.matches('.one')].join()", None),
        ("p.textContent = document.querySelectorAll('div, p').length + document.title", "2t"),
        ("p.textContent = String(a.closest('body') === document.body)", "true"),
        ("p.textContent = [...document.querySelectorAll('div > b:first-child')].map(e => e.localName)", "b"),
        ("p.textContent = a.outerHTML.length", "89"),
        ("p.hidden = true; p.textContent = p.outerHTML", "&lt;p id=\"p\" hidden=\"\"&gt;&lt;/p&gt;"),
        ("p.textContent = p.firstChild", ""),
        ("let n = document.createTextNode('q'); p.append(n); n.nodeValue += 'r'", "qr"),
        ("p.setAttribute('aria-pressed', true); p.ariaPressed = 'false'; p.textContent = p.getAttribute('aria-pressed')", "false"),
        ("p.textContent = document.getElementById('none')?.id ?? 'no'", "no"),
        ("for (const c of [...a.children]) p.appendChild(c); p.textContent += a.childNodes.length", "bold2"),
        ("p.textContent = 'a' in window ? window.a.id : 0", "a"),
        ("p.style.cssText = 'top: 1px; bogus: 2; left: 1px'; p.textContent = p.style.length", "2"),
        ("p.onclick = () => { p.textContent = 'clicked' }; p.click()", "clicked"),
        ("p.addEventListener('x', e => { p.textContent = e.detail.n }); p.dispatchEvent(new CustomEvent('x', {detail: {n: 4}}))", "4"),
    ],
)  # fmt: skip
def test_content(code: str, expected: str | None) -> None:
    model = run(code)
    if expected is not None:
        assert inner(model) == expected
    assert not [effect for effect in model.effects if effect.kind in ("throw", "limit")]


@pytest.mark.parametrize(
    ("code", "name", "value"),
    [
        ("a.className = 'x'", "class", "x"),
        ("a.classList.add('three'); a.classList.remove('one')", "class", "two three"),
        ("a.classList.toggle('one'); a.classList.toggle('z', true)", "class", "two z"),
        ("a.classList.replace('one', 'q')", "class", "q two"),
        ("a.dataset.paceName = 'hop'", "data-pace-name", "hop"),
        ("delete a.dataset.fooBar", "data-foo-bar", None),
        ("a.style.transformOrigin = '1px 2px'", "style", "color: red; transform-origin: 1px 2px;"),
        ("a.style.setProperty('--x', ' 4px ')", "style", "color: red; --x: 4px;"),
        ("a.style.color = 'not a colour'", "style", "color: red"),
        ("a.style.removeProperty('color')", "style", ""),
        ("a.style.color = 'blue'; a.style.top = '0'", "style", "color: blue; top: 0;"),
        ("a.style.setProperty('color', 'blue', 'important')", "style", "color: blue !important;"),
        ("a.toggleAttribute('hidden')", "hidden", ""),
        ("a.title = 5", "title", "5"),
        ("a.setAttribute('DATA-X', null)", "data-x", "null"),
        ("a.tabIndex = 0", "tabindex", "0"),
        ("a.removeAttribute('class')", "class", None),
        ("a.lang ||= 'en'", "lang", "en"),
    ],
)
def test_attributes(code: str, name: str, value: str | None) -> None:
    model = run(code)
    assert by_id(model, "a").get(name) == value
    assert not [effect for effect in model.effects if effect.kind in ("throw", "limit")]


def test_undoing_everything_gives_the_source_back() -> None:
    code = """
        a.textContent = 'gone'; a.append('x', document.createElement('i')); p.innerHTML = '<b>1</b>2<b>3</b>4';
        p.children[0].remove(); document.body.prepend(p); a.remove(); document.head.append(a); a.style.top = '1px';
        document.title = 'new'; p.replaceChildren('z', a, 'y');
    """
    model = run(code)
    loaded = serialize(model.document.root, outer=True)
    mutations = model.journal.since(0)
    model.journal.undo_to(0)
    source = f"<html><head><title>t</title></head><body>{BODY}<script>{code}</script></body></html>"
    assert serialize(model.document.root, outer=True) == source
    for mutation in mutations:
        mutation.apply()
    assert serialize(model.document.root, outer=True) == loaded


def test_duplicate_ids_give_the_first_of_the_document() -> None:
    body = '<svg><linearGradient id="sky"><stop/></linearGradient></svg><button id="sky">x</button>'
    model = run("document.getElementById('sky').textContent = 'Night'", body)
    gradient, button = [element for element in model.document.root.iter() if element.get("id") == "sky"]
    assert (gradient.text, len(gradient)) == ("Night", 0)
    assert button.text == "x"


def test_class_name_of_svg_cannot_be_assigned() -> None:
    model = run("'use strict'; document.querySelector('g').className = 'x'", "<svg><g class='y'/></svg>")
    assert [effect.name for effect in model.effects if effect.kind == "throw"] == ["TypeError"]


def test_elements_that_may_have_been_added_make_queries_unknown() -> None:
    code = "if (Math.random() < .5) p.append(document.createElement('i')); var n = p.childElementCount, i = document.querySelector('i'), b = document.querySelector('b').localName"
    model = run(code)
    assert isinstance(model.global_value("n"), Unknown)
    assert isinstance(model.global_value("i"), Unknown)
    assert model.global_value("b") == "b"
    assert (by_id(model, "p"), "#children") in model.unknown


def test_what_a_branch_writes_is_unknown_behind_it() -> None:
    code = "if (Math.random() < .5) { a.dataset.x = '1'; p.textContent = 'u' } else { a.dataset.y = '2'; p.textContent = 'u' } var x = a.dataset.x"
    model = run(code)
    a, p = by_id(model, "a"), by_id(model, "p")
    assert {part for element, part in model.unknown if element is a} == {"data-x", "data-y"}
    assert p.text == "u"
    assert (p, "#text") not in model.unknown
    assert isinstance(model.global_value("x"), Unknown)
    assert not any(effect.certain for effect in model.effects if effect.kind == "attribute")


def test_unknown_values_keep_their_range_and_parts() -> None:
    model = run(
        "a.style.setProperty('--x', (530 + Math.random() * 100).toFixed(1) + 'px'); var k = ['u', 'v'][Math.floor(Math.random() * 2)]"
    )
    value = model.unknown[by_id(model, "a"), "style/--x"]
    number, unit = value.parts or ()
    assert (number.low, number.high, unit) == (530, 630, "px")
    assert model.global_value("k").choices == ("u", "v")


def test_styles_that_script_writes() -> None:
    code = """
        const s = document.createElement('style'); s.textContent = 'a{}'; document.head.append(s);
        s.append('b{}'); s.sheet.insertRule('c{}');
        const c = new CSSStyleSheet(); c.replaceSync('d{}'); document.adoptedStyleSheets = [c];
    """
    model = run(code)
    found = [(e.kind, e.name, e.value) for e in model.effects if e.kind in ("stylesheet-text", "insert-rule")]
    assert ("stylesheet-text", "textContent", "a{}b{}") in found
    assert ("insert-rule", "insertRule", "c{}") in found
    assert ("stylesheet-text", "adoptedStyleSheets", ("d{}",)) in found


def test_names_of_the_platform_are_no_reference_errors() -> None:
    code = """
      var kinds = [typeof SVGGElement, typeof Response, typeof createImageBitmap, typeof WheelEvent, onclick, SVGGElement === window.SVGGElement];
      var is = [q instanceof SVGGElement, r instanceof SVGGElement, r instanceof SVGGeometryElement, h instanceof HTMLHeadingElement, p instanceof HTMLDivElement,
        a instanceof window.HTMLDivElement, new CustomEvent('x') instanceof Event, new KeyboardEvent('x') instanceof MouseEvent, new WheelEvent('x') instanceof UIEvent];
      var of = []; addEventListener('keydown', e => of.push(e instanceof KeyboardEvent, e instanceof MouseEvent, e instanceof Event));
      a.onclick = e => of.push(e instanceof PointerEvent, e instanceof MouseEvent, e instanceof TouchEvent); a.addEventListener('mine', e => of.push(e instanceof MouseEvent));
      try { noSuchName } catch (e) { var thrown = e.name }
    """
    model = run(code, BODY + "<h2 id=h></h2><svg><g id=q></g><rect id=r /></svg>")
    assert model.global_value("kinds") == ("function", "function", "function", "function", None, True)
    assert model.global_value("is") == (True, False, True, True, False, True, True, False, True)
    assert model.global_value("thrown") == "ReferenceError"
    assert not [effect for effect in model.effects if effect.kind == "throw"]
    model.dispatch("document", "keydown", key="a")
    model.dispatch(by_id(model, "a"), "click")
    model.dispatch(by_id(model, "a"), "mine")
    *known, mine = model.global_value("of")
    assert known == [True, False, True, True, True, False]
    assert isinstance(mine, Unknown)


def test_options_are_made_as_by_markup() -> None:
    model = run("p.append(new Option('Walk', 'walk', true), new Option('Hop'), new Option())")
    assert inner(model) == '<option value="walk" selected="">Walk</option><option>Hop</option><option></option>'


_QUERIES = ("#a", "#b", ".x", "i.x", "[data-n]", "i:first-child", "div > .x", "u", ":checked", "p:empty", ":scope > i")
_CHANGES = (
    "q(1).id = 'a'",
    "q(2).id = 'b'",
    "q(0).removeAttribute('id')",
    "q(3).className = 'x'",
    "q(4).classList.toggle('x')",
    "q(5).dataset.n = 1",
    "delete q(5).dataset.n",
    "q(6).remove()",
    "q(7).append(document.createElement('i'))",
    "q(8).innerHTML = '<i class=x id=b></i><input type=checkbox>'",
    "q(9).before(q(2))",
    "document.body.children[0].textContent = 'text'",
    "document.querySelectorAll('input').forEach(box => { box.checked = !box.checked })",
)


@pytest.mark.parametrize("seed", range(6))
def test_queries_see_every_change_and_its_undoing(seed: int) -> None:
    chance = random.Random(seed)
    body = "<div class=x><i id=a></i><i class=x data-n=2></i><p></p></div><div><u></u><p><i></i></p><input type=checkbox></div>"
    changes = [chance.choice(_CHANGES) for _ in range(8)]
    code = f"""
        const q = n => {{ const all = document.body.querySelectorAll('*'); return all[n % all.length] }};
        const say = e => e.tagName + '.' + e.className + '#' + e.id + e.parentNode.children.length;
        const look = () => {list(_QUERIES)}.map(s => [...document.querySelectorAll(s)].map(say).join() + '/' + say(document.querySelector(s) || q(0))
          + '/' + [...document.body.children[0].querySelectorAll(s)].length).join('; ');
        look();
        document.addEventListener('keydown', e => {{ {"".join(f"if (e.key === '{i}') {{ {change} }}" for i, change in enumerate(changes))}; document.title = look() }});
    """
    model = run(code, body)
    marks = [model.journal.mark()]
    for _ in range(24):
        if chance.random() < 0.3:
            model.journal.undo_to(marks[chance.randrange(len(marks))])
            marks = [mark for mark in marks if mark <= model.journal.mark()]
        assert not [e for e in model.dispatch("document", "keydown", key=str(chance.randrange(8))) if e.kind == "throw"]
        remembered = document_title(model)
        assert remembered.count("; ") == len(_QUERIES) - 1
        model.dispatch("document", "keydown", key="none")
        assert document_title(model) == remembered  # by what is remembered
        model._browser.forget_answers()
        model.dispatch("document", "keydown", key="none")
        assert document_title(model) == remembered  # by looking again
        marks.append(model.journal.mark())


def document_title(model: ScriptModel) -> str:
    found = model.document.root.xpath("//*[local-name()='title']")
    assert isinstance(found, list)
    return str(found[0].text)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "selector",
    [
        *_QUERIES,
        "i#a.x",
        "u ~ p",
        "[data-n='2']",
        "[data-n^='2' i]",
        "[DATA-N]",
        ".x, u",
        "i:not(.x)",
        "div :nth-child(2)",
        "[class~=x]",
        "*",
        "p > *",
        ":is(i, u)[data-n]",
    ],
)
def test_what_a_selector_needs_leaves_out_nothing_that_it_matches(selector: str) -> None:
    model = run(
        "",
        "<div class='x y'><i id=a class=X></i><i class=x data-n=2></i><p></p></div><div><u></u><p><i id=b></i></p><b data-n=1></b></div>",
    )
    compiled = read_selector(selector)
    assert compiled is not None
    root, query = model.document.root, Query(model.journal, None)
    found = [element for element in compiled.candidates(root) if compiled.test(element, query)]
    assert found == [element for element in root.iter(etree.Element) if compiled.test(element, query)]
