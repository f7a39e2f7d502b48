"""How far the verdicts can be trusted: small edits of a good submission, each with what it must change."""
