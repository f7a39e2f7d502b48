"""The husky-bench rule pack: the dog, its rubric and its tolerances."""
