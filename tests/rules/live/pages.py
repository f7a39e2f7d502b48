"""A small whole page that keeps every clause a live check judges, and the same page broken in chosen places."""

from __future__ import annotations

from husky_lint.rules.husky.skeleton import files

from husky_lint.submission import Submission

_CONTROLS = '<button id="pause-walk">Pause</button>'
_MORE_CONTROLS = f'{_CONTROLS}\n  <button id="sky">Night</button>\n  <button id="pet">Good dog</button>'

THEME = """
var root = document.documentElement;
document.getElementById("sky").addEventListener("click", function () {
  var night = root.dataset.theme !== "night";
  root.dataset.theme = night ? "night" : "day";
  document.getElementById("favicon").href = night ? "favicon-night.svg" : "favicon.svg";
  try { document.cookie = "husky-sky=" + root.dataset.theme + "; max-age=31536000"; } catch (e) {}
  try { localStorage.setItem("husky-sky", root.dataset.theme); } catch (e) {}
});
"""

HEARTS = """
document.getElementById("pet").addEventListener("click", function () {
  for (var count = 0; count < 4; count += 1) {
    var heart = document.createElementNS("http://www.w3.org/2000/svg", "path");
    heart.setAttribute("class", "heart");
    heart.setAttribute("d", "M0 6C-12-2-8-12 0-6C8-12 12-2 0 6Z");
    heart.style.setProperty("--x", 540 + Math.random() * 60 + "px");
    heart.style.setProperty("--y", "120px");
    heart.style.setProperty("--s", .8 + Math.random() / 2);
    document.getElementById("hearts").appendChild(heart);
  }
});
"""

FLIGHT = """
.heart { transform: translate(var(--x), var(--y)) scale(var(--s)); animation: rise 1.6s ease-out both; }
@keyframes rise {
  from { transform: translate(var(--x), var(--y)) scale(0); }
  to { transform: translate(var(--x), calc(var(--y) - 50px)) scale(var(--s)); opacity: 0; }
}
"""


def page(
    css: str = "",
    js: str = "",
    *,
    theme: str = THEME,
    hearts: str = HEARTS,
    flight: str = FLIGHT,
    replaced: tuple[tuple[str, str], ...] = (),
    **more: str | bytes,
) -> Submission:
    """The page with its parts exchanged, with ``css`` and ``js`` at the end; ``replaced`` are edits of index.html."""
    made = files()
    html = str(made["index.html"]).replace(_CONTROLS, _MORE_CONTROLS)
    assert 'id="sky"' in html
    for old, new in replaced:
        assert html.count(old) == 1, old
        html = html.replace(old, new)
    made["index.html"] = html
    made["styles.css"] = f"{made['styles.css']!s}{flight}{css}"
    made["app.js"] = f"{made['app.js']!s}{theme}{hearts}{js}"
    return Submission.from_files({**made, **more})
