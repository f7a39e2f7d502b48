"""Guards tree construction against pages that make it open formatting elements anew without end.

``<b a1><b a2>…`` left open is opened again in every paragraph that follows (WHATWG HTML §13.2.4.3, "reconstruct the
active formatting elements"), so that a few kilobytes of tags become millions of elements.
"""

from __future__ import annotations

import re

# Elements that may be opened anew in one page, at the most. Pages that close what they open stay near none.
MAX_REOPENED = 500_000

_FORMATTING = frozenset(
    {"a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u"}
)
# An end tag does not reach an element that was opened outside one of these.
_BOUNDARIES = frozenset(
    {
        *("applet", "caption", "html", "marquee", "object", "table", "td", "template", "th"),
        *("annotation-xml", "desc", "foreignobject", "mi", "mn", "mo", "ms", "mtext", "title"),
    }
)
# How far back an end tag is looked for; the parser keeps no more open.
_REACH = 512
_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/>]*)")


def exploding_from(text: str) -> int | None:
    """The offset of the tag at which too many elements have been opened anew; None if that never happens.

    Counts too many rather than too few: an element counts as open until an end tag certainly closes it.
    """
    if text.count("<") * _REACH < MAX_REOPENED:
        return None
    opened: list[str] = []  # formatting elements, and boundaries that are open
    open_count = cost = 0
    for match in _TAG.finditer(text):
        name = match[2].lower()
        if name in _FORMATTING:
            if match[1]:
                for index in range(len(opened) - 1, max(len(opened) - _REACH, 0) - 1, -1):
                    if opened[index] == name:
                        del opened[index]
                        open_count -= 1
                        break
                    if opened[index] in _BOUNDARIES:
                        break
            else:
                opened.append(name)
                open_count += 1
        elif name in _BOUNDARIES:
            if not match[1]:
                opened.append(name)
            elif opened and opened[-1] == name:
                opened.pop()
            else:
                # What was opened inside stays in the list: the tag may be one that the parser ignores.
                recent = opened[-_REACH:]
                if name in recent:
                    del opened[len(opened) - 1 - recent[::-1].index(name)]
        cost += min(open_count, _REACH)
        if cost > MAX_REOPENED:
            return match.start()
    return None
