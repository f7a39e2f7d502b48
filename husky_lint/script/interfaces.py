"""The interface objects of the platform, as far as ``instanceof`` asks for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from husky_lint.parse.html import SVG as SVG_NAMESPACE
from husky_lint.parse.html import XHTML
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
    "EventTarget": lambda value: isinstance(value, NodeObject),
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
UNKNOWN_INTERFACES = words(
    """
    Window Document HTMLCollection DOMTokenList CSSStyleDeclaration ShadowRoot DocumentTimeline CSSAnimation
    OffscreenCanvas Notification SpeechSynthesisUtterance DOMRect MediaQueryList ReadableStream
    """
)
