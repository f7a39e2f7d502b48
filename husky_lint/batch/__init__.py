"""Many submissions: in processes, in order, each one's death its own."""
