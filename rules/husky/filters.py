"""Filter functions on colours (Filter Effects 1, section 6): what ``filter: brightness(.7)`` makes of a white."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from husky_lint.style.values import parse_angle, parse_length_percentage, parse_number_or_percentage, split_spaces

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    FloatArray = NDArray[np.float64]

MAX_BLUR: Final = 3.0
"""Pixels up to which a blur leaves the colour in the middle of a shape as it is."""
_LUMA: Final = np.array([0.2126, 0.7152, 0.0722])
_CAPPED: Final = frozenset({"grayscale", "sepia", "invert", "opacity"})


def apply_filters(tokens: Sequence[Any], pixels: FloatArray) -> FloatArray | None:
    """(P, 4) premultiplied sRGB through a ``filter`` value; None for what is not followed, such as ``url()``.

    The shorthand functions work on unpremultiplied sRGB and clamp after each step. What they add outside of the shape,
    as a drop shadow, is not there.
    """
    for function in split_spaces(tokens):
        if getattr(function, "type", "") == "ident" and function.lower_value == "none":
            continue
        if getattr(function, "type", "") != "function":
            return None
        filtered = _apply(function.lower_name, list(function.arguments), pixels)
        if filtered is None:
            return None
        pixels = filtered
    return pixels


def _apply(name: str, arguments: list[Any], pixels: FloatArray) -> FloatArray | None:
    if name == "drop-shadow":
        return pixels
    if name == "blur":
        radius = parse_length_percentage(arguments, unitless=True) if arguments else None
        return pixels if radius is None or float(radius.resolve(0.0)) <= MAX_BLUR else None
    if name == "hue-rotate":
        angle = parse_angle(arguments) if arguments else 0.0
        return None if angle is None else _through(_hue_matrix(math.radians(angle)), pixels)
    amount = parse_number_or_percentage(arguments) if arguments else 1.0
    if amount is None or amount < 0:
        return None
    amount = min(amount, 1.0) if name in _CAPPED else amount
    if name == "opacity":
        return pixels * amount
    if name == "brightness":
        return _mapped(pixels, amount, 0.0)
    if name == "contrast":
        return _mapped(pixels, amount, 0.5 - 0.5 * amount)
    if name == "invert":
        return _mapped(pixels, 1.0 - 2.0 * amount, amount)
    if name == "saturate":
        return _through(_saturation_matrix(amount), pixels)
    if name == "grayscale":
        return _through(_grey_matrix(1.0 - amount), pixels)
    if name == "sepia":
        return _through(_sepia_matrix(1.0 - amount), pixels)
    return None


def _mapped(pixels: FloatArray, slope: float, intercept: float) -> FloatArray:
    alpha = pixels[:, 3:]
    with np.errstate(all="ignore"):
        color = np.where(alpha > 0, pixels[:, :3] / alpha, 0.0)
    return np.hstack([np.clip(slope * color + intercept, 0.0, 1.0) * alpha, alpha])


def _through(matrix: FloatArray, pixels: FloatArray) -> FloatArray:
    alpha = pixels[:, 3:]
    with np.errstate(all="ignore"):
        color = np.where(alpha > 0, pixels[:, :3] / alpha, 0.0)
    return np.hstack([np.clip(color @ matrix.T, 0.0, 1.0) * alpha, alpha])


def _saturation_matrix(amount: float) -> FloatArray:
    weights = np.array([0.213, 0.715, 0.072])
    return amount * np.eye(3) + (1.0 - amount) * np.tile(weights, (3, 1))


def _grey_matrix(kept: float) -> FloatArray:
    return kept * np.eye(3) + (1.0 - kept) * np.tile(_LUMA, (3, 1))


def _sepia_matrix(kept: float) -> FloatArray:
    sepia = np.array([[0.393, 0.769, 0.189], [0.349, 0.686, 0.168], [0.272, 0.534, 0.131]])
    return kept * np.eye(3) + (1.0 - kept) * sepia


def _hue_matrix(angle: float) -> FloatArray:
    base = np.tile(np.array([0.213, 0.715, 0.072]), (3, 1))
    cosine = np.array([[0.787, -0.715, -0.072], [-0.213, 0.285, -0.072], [-0.213, -0.715, 0.928]])
    sine = np.array([[-0.213, -0.715, 0.928], [0.143, 0.140, -0.283], [-0.787, 0.715, 0.072]])
    return base + math.cos(angle) * cosine + math.sin(angle) * sine
