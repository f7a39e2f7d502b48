"""Content security policies in a page's markup (CSP 3): whether one may keep the page's own styles and scripts away.

Which one does is for a browser to show; here it is enough to know that one may. On ``file://`` too ``'self'`` is the
page's own files (checked: Chromium 150).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from husky_lint.style.words import words

if TYPE_CHECKING:
    from husky_lint.parse.html import HtmlDocument

_FALLBACK: Final = "default-src"
_LOADED: Final = {
    "script-src": True,
    "script-src-elem": True,
    "script-src-attr": True,
    "style-src": True,
    "style-src-elem": True,
    "style-src-attr": True,
    "img-src": False,
}
"""Directives about what a page is made of; whether they are about what stands in the markup as well."""
_HARMLESS: Final = words(
    """
    base-uri block-all-mixed-content child-src connect-src font-src form-action frame-ancestors frame-src manifest-src
    media-src object-src prefetch-src report-to report-uri sandbox worker-src
    """
)
"""Directives that a page of its own files does not feel, or that no browser heeds in markup."""


def blocking_policy(page: HtmlDocument) -> str | None:
    """A policy of the page that may block its own files or inline code, as written; None where there is none."""
    for element in page.root.iter("{*}meta"):
        if (element.get("http-equiv") or "").strip().lower() == "content-security-policy":
            for policy in (element.get("content") or "").split(","):
                if _may_block(policy):
                    return policy.strip()
    return None


def _may_block(policy: str) -> bool:
    directives: dict[str, frozenset[str]] = {}
    for part in policy.split(";"):
        name, *sources = part.lower().split() or [""]
        if name:
            directives.setdefault(name, frozenset(sources))  # the first of a name counts
    if not directives.keys() <= _LOADED.keys() | _HARMLESS | {_FALLBACK}:
        return True
    for name, inline in _LOADED.items():
        sources_of = directives.get(name, directives.get(name.rpartition("-")[0], directives.get(_FALLBACK)))
        if sources_of is not None and not _lets_all(sources_of, inline):
            return True
    return False


def _lets_all(sources: frozenset[str], inline: bool) -> bool:
    if "'self'" not in sources and "*" not in sources:
        return False
    # A nonce or a hash takes the permission of everything inline away again.
    certain = not any(source.startswith(("'nonce-", "'sha", "'strict-dynamic")) for source in sources)
    return not inline or ("'unsafe-inline'" in sources and certain)
