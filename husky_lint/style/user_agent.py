"""What Chromium's own style sheets say about the elements of a page, as far as anything here reads it.

Measured with ``getComputedStyle`` in Chromium 156.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from husky_lint.parse.css import Stylesheet

_HTML = """
@namespace "http://www.w3.org/1999/xhtml";
html, body, address, article, aside, blockquote, center, dd, details, dir, div, dl, dt, fieldset, figcaption, figure,
footer, form, h1, h2, h3, h4, h5, h6, header, hgroup, hr, legend, listing, main, menu, nav, ol, p, plaintext, pre,
search, section, summary, ul, xmp, optgroup, option, frameset, frame { display: block }
area, base, basefont, command, datalist, head, link, meta, noembed, noframes, param, rp, script, source, style,
template, track, title, input[type="hidden" i], audio:not([controls]), dialog:not([open]), [hidden] { display: none }
li { display: list-item }
table { display: table }
thead { display: table-header-group }
tbody { display: table-row-group }
tfoot { display: table-footer-group }
tr { display: table-row }
td, th { display: table-cell }
col { display: table-column }
colgroup { display: table-column-group }
caption { display: table-caption }
ruby { display: ruby }
button, input, select, textarea, meter, progress, marquee { display: inline-block }
input[type="hidden" i] { display: none }
body { margin: 8px }
p, blockquote, dl, ul, ol, menu, figure, pre { margin-top: 1em; margin-bottom: 1em }
blockquote, figure { margin-left: 40px; margin-right: 40px }
dd { margin-left: 40px }
ul, ol, menu { padding-left: 40px }
h1 { font-size: 2em; margin-top: .67em; margin-bottom: .67em; font-weight: bold }
h2 { font-size: 1.5em; margin-top: .83em; margin-bottom: .83em; font-weight: bold }
h3 { font-size: 1.17em; margin-top: 1em; margin-bottom: 1em; font-weight: bold }
h4 { margin-top: 1.33em; margin-bottom: 1.33em; font-weight: bold }
h5 { font-size: .83em; margin-top: 1.67em; margin-bottom: 1.67em; font-weight: bold }
h6 { font-size: .67em; margin-top: 2.33em; margin-bottom: 2.33em; font-weight: bold }
strong, b, th { font-weight: bold }
em, i, cite, var, dfn, address { font-style: italic }
small, sub, sup { font-size: smaller }
button, input, select, textarea { font-size: 13.3333px; font-weight: normal; font-style: normal; line-height: normal;
  letter-spacing: normal; color: fieldtext; cursor: default; margin: 0 }
button { color: buttontext; background-color: buttonface; text-align: center }
select { background-color: field }
input, textarea { background-color: field; cursor: text }
label { cursor: default }
fieldset { margin-left: 2px; margin-right: 2px }
mark { background-color: mark; color: marktext }
hr { color: gray; overflow: hidden; margin-top: .5em; margin-bottom: .5em }
a:any-link { color: -webkit-link; cursor: pointer }
img, video, canvas, iframe, embed, object, input, select { overflow: clip }
textarea { overflow: auto }
dialog { position: absolute; background-color: canvas; color: canvastext }
"""

_SVG = """
@namespace "http://www.w3.org/2000/svg";
svg:not(:root), symbol, image, marker, pattern, foreignObject { overflow: hidden }
*:not(svg), *:not(foreignObject) > svg { transform-origin: 0 0 }
text, foreignObject { display: block }
"""


@functools.cache
def user_agent_sheets() -> tuple[Stylesheet, ...]:
    """The style sheets of the user-agent origin."""
    from husky_lint.parse.css import parse_stylesheet
    from husky_lint.source import SourceText

    return (
        parse_stylesheet(SourceText("user agent: html", _HTML)),
        parse_stylesheet(SourceText("user agent: svg", _SVG)),
    )
