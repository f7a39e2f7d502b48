"""The reference with its states reached in other ways."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scripts.variants.edits import edited

if TYPE_CHECKING:
    from scripts.variants.edits import Files

_STILL = """\
@media (prefers-reduced-motion: reduce) {
  body:not(.moving) #scene * { animation: none; }
  body:not(.moving).pace-hop .runaway { display: none; }
}
"""
_IS_STILL = 'const isStill = () => stillness.matches && !body.classList.contains("moving");'
_BY_CLASS = """\
.still #scene * { animation: none !important; }
.still.pace-hop .runaway { display: none; }
"""


def still_by_script(files: Files) -> Files:
    """No media query: script asks what the visitor prefers, and whenever that changes, and makes the body still."""
    files = edited(files, "styles.css", (_STILL, _BY_CLASS))
    return edited(
        files,
        "app.js",
        (_IS_STILL, 'const isStill = () => body.classList.contains("still");'),
        ("if (stillness.matches) {\n", 'if (stillness.matches) {\n  body.classList.add("still");\n'),
        ('    body.classList.add("moving");\n', '    body.classList.remove("still");\n'),
        ("// ---- sky -", _CHANGES + "\n// ---- sky -"),
    )


_CHANGES = """\
stillness.addEventListener("change", (event) => body.classList.toggle("still", event.matches));
"""


_AT_FIRST = 'body.classList.toggle("live", !stillness.matches);'


def motion_on_request(files: Files) -> Files:
    """Nothing moves unless the body is ``live``, which it is from the start where less motion is not asked for."""
    files = edited(
        files,
        "styles.css",
        (
            _STILL,
            "body:not(.live) #scene * { animation: none; }\nbody:not(.live).pace-hop .runaway { display: none; }\n",
        ),
    )
    files = edited(
        files,
        "app.js",
        (_IS_STILL, 'const isStill = () => !body.classList.contains("live");\n' + _AT_FIRST),
        ('body.classList.add("moving");', 'body.classList.add("live");'),
    )
    walks = 'after[1].trim() === "pace-walk"'
    return edited(files, "tools/audit.js", (walks, 'after[1].split(" ").includes("pace-walk")'))
