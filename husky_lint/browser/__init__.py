"""Submissions in a real browser, each shut off from everything but its own files. Needs the extra ``browser``."""
