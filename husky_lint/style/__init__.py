"""The cascade: from declarations to computed values, for a state of the page."""
