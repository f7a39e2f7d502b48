"""The tools that come with a page (section 3, row 14): what the audit proves, how the poses are timed, what is photographed."""
