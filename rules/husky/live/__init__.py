"""What only a browser can see of a husky-bench page, clause by clause: looks at the live page, and what they prove."""
