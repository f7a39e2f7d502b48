"""Speed and memory of husky-lint, beside other linters and the browser: ``python -m bench`` (``make bench``).

Every number of a comparison is measured in the same run on the same files. BENCH_COUNT (500) sets how many
submissions the batch comparison takes.
"""
