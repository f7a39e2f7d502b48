"""The interface objects of the platform, as far as ``instanceof`` asks for them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from husky_lint.parse.html import SVG as SVG_NAMESPACE
from husky_lint.parse.html import XHTML
from husky_lint.script.hosts import EventObject
from husky_lint.script.nodes import ElementObject, NodeList, NodeObject, TextObject
from husky_lint.script.query import local_name
from husky_lint.style.words import words

if TYPE_CHECKING:
    from collections.abc import Callable

    from husky_lint.script.values import (
        JSValue,
    )


def _is_element(value: JSValue) -> bool:
    return isinstance(value, ElementObject) and not value.is_fragment


def _is_html(value: JSValue) -> bool:
    return isinstance(value, ElementObject) and str(value.element.tag).startswith(f"{{{XHTML}}}")


def _is_svg(value: JSValue) -> bool:
    return isinstance(value, ElementObject) and str(value.element.tag).startswith(f"{{{SVG_NAMESPACE}}}")


def _named(*names: str) -> Callable[[JSValue], bool]:
    return lambda value: isinstance(value, ElementObject) and local_name(value.element) in names


INTERFACES: dict[str, Callable[[JSValue], bool]] = {
    "Node": lambda value: isinstance(value, NodeObject),
    "Element": _is_element,
    "HTMLElement": _is_html,
    "SVGElement": _is_svg,
    "SVGGraphicsElement": _is_svg,
    "HTMLButtonElement": _named("button"),
    "HTMLInputElement": _named("input"),
    "HTMLSelectElement": _named("select"),
    "HTMLTextAreaElement": _named("textarea"),
    "HTMLAnchorElement": lambda value: _is_html(value) and local_name(value.element) == "a",
    "SVGSVGElement": lambda value: _is_svg(value) and local_name(value.element) == "svg",
    "SVGPathElement": lambda value: _is_svg(value) and local_name(value.element) == "path",
    "Text": lambda value: isinstance(value, TextObject),
    "DocumentFragment": lambda value: isinstance(value, ElementObject) and value.is_fragment,
    "NodeList": lambda value: isinstance(value, NodeList),
}
_ELEMENT = re.compile("(HTML|SVG)([A-Za-z]+)Element")
_TAGS = {
    "HTMLDListElement": words("dl"),
    "HTMLHeadingElement": words("h1 h2 h3 h4 h5 h6"),
    "HTMLImageElement": words("img"),
    "HTMLMediaElement": words("audio video"),
    "HTMLModElement": words("ins del"),
    "HTMLOListElement": words("ol"),
    "HTMLParagraphElement": words("p"),
    "HTMLQuoteElement": words("blockquote q"),
    "HTMLTableCaptionElement": words("caption"),
    "HTMLTableCellElement": words("td th"),
    "HTMLTableColElement": words("col colgroup"),
    "HTMLTableRowElement": words("tr"),
    "HTMLTableSectionElement": words("thead tbody tfoot"),
    "HTMLUListElement": words("ul"),
    "SVGAnimationElement": words("animate animatemotion animatetransform set"),
    "SVGGeometryElement": words("circle ellipse line path polygon polyline rect"),
    "SVGGradientElement": words("lineargradient radialgradient"),
    "SVGTextContentElement": words("text textpath tspan"),
    "SVGTextPositioningElement": words("text tspan"),
}
"""The elements of interfaces that are not called as their one element is, in small letters."""


def element_interface(name: str) -> Callable[[JSValue], bool] | None:
    """The test for ``instanceof`` of an element's interface; None for any other name."""
    called = _ELEMENT.fullmatch(name)
    if called is None or name == "HTMLUnknownElement":
        return None
    tags = _TAGS.get(name) or {called[2].lower()}
    of_kind = _is_html if called[1] == "HTML" else _is_svg
    return lambda value: of_kind(value) and local_name(value.element).lower() in tags


_ABOVE = {
    "PointerEvent": "MouseEvent",
    "WheelEvent": "MouseEvent",
    "DragEvent": "MouseEvent",
    **dict.fromkeys(
        ("MouseEvent", "KeyboardEvent", "TouchEvent", "FocusEvent", "InputEvent", "CompositionEvent"), "UIEvent"
    ),
}
_FIRED = {
    "PointerEvent": """click auxclick contextmenu pointerdown pointerup pointermove pointerover pointerout pointerenter
        pointerleave pointercancel gotpointercapture lostpointercapture""",
    "MouseEvent": "dblclick mousedown mouseup mousemove mouseover mouseout mouseenter mouseleave",
    "WheelEvent": "wheel",
    "DragEvent": "drag dragstart dragend dragenter dragleave dragover drop",
    "KeyboardEvent": "keydown keyup keypress",
    "TouchEvent": "touchstart touchend touchmove touchcancel",
    "FocusEvent": "focus blur focusin focusout",
    "AnimationEvent": "animationstart animationend animationiteration animationcancel",
    "TransitionEvent": "transitionrun transitionstart transitionend transitioncancel",
    "SubmitEvent": "submit",
    "StorageEvent": "storage",
    "HashChangeEvent": "hashchange",
    "PopStateEvent": "popstate",
    "PageTransitionEvent": "pageshow pagehide",
    "UIEvent": "resize",
    "Event": "load DOMContentLoaded readystatechange visibilitychange scroll reset select online offline",
}
_INTERFACE_OF = {kind: name for name, kinds in _FIRED.items() for kind in kinds.split()}


def event_interface(name: str) -> Callable[[JSValue], bool | None]:
    """The test for ``instanceof`` of an event's interface; None where the kind of event does not tell."""

    def test(value: JSValue) -> bool | None:
        if not isinstance(value, EventObject):
            return False
        interface: str | None = value.interface or _INTERFACE_OF.get(value.kind)
        if interface is None:
            return True if name == "Event" else None
        while interface is not None and interface != name:
            interface = _ABOVE.get(interface, None if interface == "Event" else "Event")
        return interface is not None

    return test


UNKNOWN_INTERFACES = words(
    """
    Window Document HTMLCollection DOMTokenList CSSStyleDeclaration ShadowRoot DocumentTimeline
    OffscreenCanvas Notification SpeechSynthesisUtterance DOMRect MediaQueryList ReadableStream
    """
)
