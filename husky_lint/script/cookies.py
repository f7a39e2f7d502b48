"""Cookies as script writes them."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime


def is_gone(text: str) -> bool:
    """Whether a cookie written as ``name=value; attributes`` is gone at once: no age, or a date in the past.

    As RFC 6265 has it: ``Max-Age`` wins over ``Expires``, and what does not parse is ignored.
    """
    attributes = {}
    for part in text.split(";")[1:]:
        name, _, value = part.partition("=")
        attributes[name.strip().lower()] = value.strip()
    age = _seconds(attributes.get("max-age", ""))
    if age is not None:
        return age <= 0
    try:
        date = parsedate_to_datetime(attributes.get("expires", ""))
    except (TypeError, ValueError, IndexError, OverflowError):
        return False
    return date.replace(tzinfo=date.tzinfo or UTC) <= datetime.now(UTC)


def _seconds(text: str) -> float | None:
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()):
        return None
    return -math.inf if text.startswith("-") else float(digits[:18])
