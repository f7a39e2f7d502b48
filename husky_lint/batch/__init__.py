"""Many submissions in one call."""
