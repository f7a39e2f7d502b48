"""Judges animated web pages from their source."""

__version__ = "0.1.0"
