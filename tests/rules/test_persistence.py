"""What the page remembers, written and read in many ways."""

from __future__ import annotations

import pytest

from tests.rules.scenery import judged, page, told

BUTTON = '<button id="moon">Night</button>'
HEAD = """\
(function () {
  var sky = null, match;
  try { match = /husky-sky=(day|night)/.exec(document.cookie); if (match) sky = match[1]; } catch (e) {}
  if (!sky) { try { sky = localStorage.getItem("husky-sky"); } catch (e) {} }
  document.documentElement.setAttribute("data-theme", sky === "night" ? "night" : "day");
})();"""


def with_toggle(js: str, head: str = HEAD) -> dict[str, str]:
    """A night button that ``js`` serves: it may use ``moon``, ``html`` and ``next()``."""
    start = """
    var moon = document.getElementById("moon"), html = document.documentElement;
    function next() { return html.dataset.theme === "night" ? "day" : "night"; }
    """
    return page(edits={"<footer>": f"{BUTTON}<footer>", HEAD: head}, js=start + js)


KEPT = {
    "through a function that catches": """
    const safely = (work) => { try { return work(); } catch { return null; } };
    moon.addEventListener("click", () => {
      const sky = html.dataset.theme = next();
      safely(() => { document.cookie = "husky-sky=" + sky; });
      [() => localStorage.setItem("husky-sky", sky)].forEach((work) => safely(work));
    });""",
    "in one function": """
    moon.addEventListener("click", function () {
      var sky = next(); html.dataset.theme = sky;
      try { document.cookie = "husky-sky=" + sky + ";path=/;max-age=31536000"; } catch (e) {}
      try { localStorage.setItem("husky-sky", sky); } catch (e) {}
    });""",
    "in helpers": """
    function attempt(work) { try { work(); } catch (e) {} }
    const save = sky => { try { document.cookie = `husky-sky=${sky}; max-age=${3600 * 24}`; } catch {}
      try { localStorage["husky-sky"] = sky; } catch {} };
    moon.onclick = () => { html.setAttribute("data-theme", next()); save(html.dataset.theme); };""",
    "guarded where it is called": """
    function cookie(sky) { document.cookie = "husky-sky=" + sky; }
    function mirror(sky) { localStorage.setItem("husky-sky", sky); }
    moon.onclick = function () {
      html.dataset.theme = next();
      try { cookie(html.dataset.theme); } catch (e) {}
      try { mirror(html.dataset.theme); } catch (e) {}
    };""",
    "in one try": """
    moon.onclick = function () {
      html.dataset.theme = next();
      try {
        localStorage.setItem("husky-sky", html.dataset.theme);
        document.cookie = "husky-sky=" + html.dataset.theme;
      } catch (e) {}
    };""",
    "by a key": """
    addEventListener("keydown", function (event) {
      if (event.key !== "n") return;
      html.dataset.theme = next();
      try { document.cookie = "husky-sky=" + html.dataset.theme; } catch (e) {}
      try { localStorage.setItem("husky-sky", html.dataset.theme); } catch (e) {}
    });""",
    "by delegation": """
    document.addEventListener("click", function (event) {
      if (!event.target.closest("#moon")) return;
      html.dataset.theme = next();
      try { document.cookie = "husky-sky=" + html.dataset.theme; } catch (e) {}
      try { localStorage.setItem("husky-sky", html.dataset.theme); } catch (e) {}
    });""",
}


@pytest.mark.parametrize("way", KEPT)
def test_a_theme_that_is_kept(way: str) -> None:
    made = with_toggle(KEPT[way])
    assert judged("HB2606", made) == "pass", told("HB2606", made)


GOOD = KEPT["in one function"]
SET = 'localStorage.setItem("husky-sky", sky);'
LOST = {
    "no cookie": GOOD.replace("document.cookie =", "var c ="),
    "no mirror": GOOD.replace("localStorage.setItem", "String"),
    "another cookie": GOOD.replace("husky-sky=", "sky="),
    "session storage": GOOD.replace("localStorage", "sessionStorage"),
    "an unguarded mirror": GOOD.replace('try { localStorage.setItem("husky-sky", sky); } catch (e) {}', SET),
    "a try around the making of a listener alone": """
    try { moon.addEventListener("click", function () {
      var sky = next(); html.dataset.theme = sky;
      document.cookie = "husky-sky=" + sky; localStorage.setItem("husky-sky", sky);
    }); } catch (e) {}""",
    "an unguarded cookie": GOOD.replace("try { document", "{ document").replace('000"; } catch (e) {}', '000"; }'),
    "only finally": GOOD.replace("catch (e) {}", "finally {}"),
    "a handler of nothing": GOOD.replace("moon.addEventListener", "document.createElement('b').addEventListener"),
    "never called": f"function serve() {{ {GOOD} }}",
    "undone at load": GOOD + 'html.dataset.theme = "day";',
    "a handler behind an exception": "null.x;" + GOOD,
}


@pytest.mark.parametrize("fault", LOST)
def test_a_theme_that_is_lost(fault: str) -> None:
    made = with_toggle(LOST[fault])
    assert judged("HB2606", made) == "fail", told("HB2606", made)


def test_a_button_that_is_a_gradient() -> None:
    made = with_toggle(GOOD)
    made["index.html"] = made["index.html"].replace("<head>", '<head><link id="moon">')
    assert judged("HB2606", made) == "fail"
    svg = with_toggle(GOOD)
    gradient = '<linearGradient id="moon"><stop/></linearGradient><rect class="sky"'
    svg["index.html"] = svg["index.html"].replace('<rect class="sky"', gradient)
    assert judged("HB2606", svg) == "fail"


READ = {
    "the mirror first": (
        HEAD.replace("match = /husky-sky", "sky = localStorage.getItem('husky-sky'); match = /husky-sky").replace(
            "if (match) sky", "if (match && !sky) sky"
        ),
        "fail",
    ),
    "no cookie": (HEAD.replace("document.cookie", '""'), "fail"),
    "no mirror": (HEAD.replace('localStorage.getItem("husky-sky")', "null"), "fail"),
    "split by hand": (
        """
        var sky = "";
        try {
          document.cookie.split(";").forEach(function (pair) {
            var kept = pair.trim().split("=");
            if (kept[0] === "husky-sky") sky = kept[1];
          });
        } catch (e) {}
        try { sky = sky || localStorage.getItem("husky-sky"); } catch (e) {}
        document.documentElement.dataset.theme = sky || "day";
        """,
        "pass",
    ),
    "by includes": (
        """
        let night = false;
        try { night = document.cookie.includes("husky-sky=night"); } catch {}
        try {
          if (!document.cookie.includes("husky-sky")) night = localStorage.getItem("husky-sky") === "night";
        } catch {}
        document.documentElement.setAttribute("data-theme", night ? "night" : "day");
        """,
        "pass",
    ),
    "unguarded": (HEAD.replace("try {", "{").replace("catch (e) {}", ""), "fail"),
}


@pytest.mark.parametrize("way", READ)
def test_a_theme_that_is_read(way: str) -> None:
    head, expected = READ[way]
    made = with_toggle(GOOD, head)
    assert judged("HB2606", made) == expected, told("HB2606", made)


def placed(script: str, *, head: str = "", body: str = "") -> dict[str, str]:
    """The page with its script of the head replaced by markup elsewhere."""
    made = with_toggle(GOOD)
    whole = f"<script>\n{HEAD}\n</script>"
    assert whole in made["index.html"]
    text = made["index.html"].replace(whole, head).replace("<body>", f"<body>{body}")
    return {**made, "index.html": text, "theme.js": script}


EARLY = {
    "inline in head": (placed(HEAD, head=f"<script>{HEAD}</script>"), "pass"),
    "behind the style sheet": (
        placed(HEAD, head=f'<link rel="stylesheet" href="styles.css"><script>{HEAD}</script>'),
        "pass",
    ),
    "with a type": (placed(HEAD, head=f'<script type="text/javascript">{HEAD}</script>'), "pass"),
    "a module": (placed(HEAD, head=f'<script type="module">{HEAD}</script>'), "fail"),
    "a file": (placed(HEAD, head='<script src="theme.js"></script>'), "fail"),
    "a deferred file": (placed(HEAD, head='<script defer src="theme.js"></script>'), "fail"),
    "in the body": (placed(HEAD, body=f"<script>{HEAD}</script>"), "fail"),
    "another type": (placed(HEAD, head=f'<script type="text/plain">{HEAD}</script>'), "fail"),
    "on an event": (placed(HEAD, head=f"<script>addEventListener('load', function () {{ {HEAD} }});</script>"), "fail"),
    "later": (placed(HEAD, head=f"<script>setTimeout(() => {{ {HEAD} }}, 0);</script>"), "fail"),
    "never": (placed(HEAD, head=f"<script>function early() {{ {HEAD} }}</script>"), "fail"),
    "on the body": (placed(HEAD, head=f"<script>{HEAD.replace('documentElement', 'body')}</script>"), "fail"),
    "not at all": (placed(HEAD), "fail"),
    "in a comment": (placed(HEAD, head=f"<script>/* {HEAD} */</script>"), "fail"),
    "undone": (
        placed(
            HEAD,
            head=f"<script>{HEAD}</script>",
            body="<script>document.documentElement.dataset.theme = 'day';</script>",
        ),
        "fail",
    ),
    "written again": (
        placed(
            HEAD, head=f"<script>{HEAD}</script>", body="<script>document.documentElement.dataset.theme += '';</script>"
        ),
        "pass",
    ),
    "in noscript": (placed(HEAD, head=f"<noscript><script>{HEAD}</script></noscript>"), "fail"),
}


@pytest.mark.parametrize("where", EARLY)
def test_when_the_theme_is_set(where: str) -> None:
    made, expected = EARLY[where]
    assert judged("HB2607", made) == expected, told("HB2607", made)


PACES = {
    "its own key": ('try { localStorage.setItem("husky-pace", "hop"); } catch (e) {}', "fail"),
    "another key": ('try { localStorage.setItem("last", "hop"); } catch (e) {}', "fail"),
    "a cookie": ('document.cookie = "pace=hop";', "fail"),
    "one object": ('localStorage.setItem("state", JSON.stringify({ theme: "day", pace: "hop" }));', "fail"),
    "the session": ('sessionStorage.setItem("gait", "2");', "fail"),
    "the theme": ('localStorage.setItem("husky-sky", "day");', "pass"),
    "the project's name": ('localStorage.setItem("husky-walk-visits", "3");', "pass"),
    "nothing": ('scene.dataset.speed = "hop";', "pass"),
    "the address": ('history.replaceState(null, "", "#hop");', "pass"),
}


@pytest.mark.parametrize("way", PACES)
def test_a_pace_that_is_kept(way: str) -> None:
    js, expected = PACES[way]
    made = page(edits={"<footer>": '<button id="faster">Hop</button><footer>'})
    made["app.js"] += f'document.getElementById("faster").onclick = function () {{ {js} }};'
    assert judged("HB2608", made) == expected, told("HB2608", made)


def test_a_theme_that_a_generator_hands_out_is_undecided() -> None:
    js = """
    function* skies() { while (true) { yield next(); } }
    const sky = skies();
    moon.onclick = () => { html.dataset.theme = sky.next().value; };"""
    assert judged("HB2606", with_toggle(js)) == "unknown(dynamic-value)"
