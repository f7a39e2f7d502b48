"""fixtures/broken: the reference with faults sown into it, each of them one edit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scripts.variants.edits import cut, edited

if TYPE_CHECKING:
    from scripts.variants.edits import Files

_FONT = '  <link rel="stylesheet" href="https://fonts.example.com/css?family=Paws">\n'


def broken(files: Files) -> Files:
    """What a careless author might hand in: fixtures/README.md lists the faults."""
    files, _ = cut(files, "index.html", "  <script>\n    // Before first paint", "  </script>\n")
    files, ear = cut(files, "index.html", '            <g class="ear">\n', "            </g>\n")
    skull = '            <path class="skull"'
    files = edited(
        files,
        "index.html",
        ('  <link rel="icon" href="favicon.ico"', f'{_FONT}  <link rel="icon" href="favicon.ico"'),
        ('viewBox="0 0 900 460"', 'viewBox="0 0 920 460"'),
        ('<use href="#trees"', '<use href="#forest"'),
        (skull, ear + skull),
        ("<span>Tokens Used:</span> unreported", "<span>Tokens Used:</span>"),
    )
    files = edited(
        files,
        "styles.css",
        ("--near-hind: -.5; --far-hind: -.6; }", "--near-hind: -.5; --far-hind: -.6; --glide-near: 9s; }"),
        ("html { background:", 'html[data-theme="night"] footer { display: none; }\nhtml { background:'),
        (".saddle, .crest, .hood {", ".saddle, .hood {"),
        (".arm { stroke-width: 21; }", ".arm { stroke-width: 14; }"),
        (
            ".dot { animation-name: press; }\n",
            ".dot { animation-name: press; }\n.pace-walk .leg.hind.far * { animation-direction: reverse; }\n",
        ),
        (
            ".tail { animation: wag calc(var(--cycle) * 2) ",
            ".tail { animation: wag 1.56s ",
        ),
        (
            "& .hind .pawgrp { animation-name: run-hind-paw; }",
            "& .hind .pawgrp { animation: run-hind-paw var(--cycle) linear infinite; }",
        ),
        ("  & .tail, & .tail-tip, & .tag,", "  & .head, & .ear, & .eye, & .tail, & .tail-tip, & .tag,"),
        ("  & p { margin: 0; }", "  & p { margin: 0; colour: inherit; }"),
    )
    choice = '    paceButtons[at].setAttribute("aria-pressed", String(at === current));\n  });\n'
    files = edited(files, "app.js", (choice, f'{choice}  localStorage.setItem("husky-pace", PACES[current].name);\n'))
    return edited(files, "favicon.svg", (' width="64" height="64" viewBox', " viewBox"))
