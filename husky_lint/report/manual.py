"""The manual: one rule's page, one reason's, and the list of all clauses, from the docstrings and the rubric."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TextIO

from rich.markdown import Markdown
from rich.table import Table
from rich.text import Text

from husky_lint.judging import NOTICES
from husky_lint.report import RenderOptions
from husky_lint.report.text import make_console
from husky_lint.rule import REASONS, Reason
from husky_lint.scorecard import plain

if TYPE_CHECKING:
    from husky_lint.packs import Pack
    from husky_lint.rubric import Clause, Tolerance


def find_page(pack: Pack, topic: str) -> str | None:
    """The page, in Markdown, of a code, a clause's name or a reason; None for an unknown topic."""
    wanted = topic.strip()
    for clause in pack.rubric.clauses.values():
        if wanted.upper() == clause.code or wanted.lower() == clause.name:
            return _clause_page(pack, clause)
    for code, (name, meaning) in NOTICES.items():
        if wanted.upper() == code or wanted.lower() == name:
            return f"# {code} {name}\n\n{meaning}\n"
    if wanted.lower() in {reason.value for reason in Reason}:
        return f"# unknown({wanted.lower()})\n\n{REASONS[Reason(wanted.lower())]}\n"
    return None


def write_page(page: str, out: TextIO) -> None:
    """Write a page: laid out on a terminal, as Markdown elsewhere."""
    console = make_console(out, RenderOptions())
    if console.is_terminal:
        console.print(Markdown(page))
    else:
        out.write(page)


def _clause_page(pack: Pack, clause: Clause) -> str:
    rule = pack.rules.get(clause.code)
    parts = [f"# {clause.code} {clause.name}", f"{clause.title}.", _feeds(pack, clause)]
    if rule is None:
        parts.append(f"*No rule judges it yet: its verdict is* `unknown({Reason.NOT_IMPLEMENTED.value})`.")
    else:
        parts.append(rule.documentation.text)
        numbers = [pack.rubric.tolerance(clause.code, name) for name in rule.parameters]
        if numbers:
            parts.append("## Numbers\n" + "\n".join(_number(number) for number in numbers))
    return "\n\n".join(parts) + "\n"


def _feeds(pack: Pack, clause: Clause) -> str:
    if not clause.rows:
        return "Feeds no row: it is reported, and never scored."
    weight = {True: "core: a failure fails the row", False: "a failure makes the row partial"}
    effect = (
        weight.get(clause.core, "core or not by what fails") if clause.core is not None else "core or not by what fails"
    )
    rows = " and ".join(
        f"row {row.number} ({row.title}, {row.weight} points)" for row in map(pack.rubric.row, clause.rows)
    )
    return f"Feeds {rows}; {effect}."


def _number(tolerance: Tolerance) -> str:
    value = tolerance.value
    if isinstance(value, Mapping):
        shown = ", ".join(f"{key} {_text(item)}" for key, item in value.items())
    else:
        shown = _text(value)
    unit = f" {tolerance.unit}" if tolerance.unit else ""
    return f"- `{tolerance.name}`: {shown}{unit} ({tolerance.source})"


def _text(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(_text(item) for item in value)
    return f"{value:g}" if isinstance(value, (int, float)) else f"`{value}`"


def rule_list(pack: Pack) -> list[dict[str, Any]]:
    """Every clause with its rule's summary and numbers."""
    entries = []
    for clause in pack.rubric.clauses.values():
        rule = pack.rules.get(clause.code)
        entries.append(
            {
                "code": clause.code,
                "name": clause.name,
                "title": clause.title,
                "rows": list(clause.rows),
                "core": clause.core if clause.core is not None else "conditional",
                "implemented": rule is not None,
                "summary": rule.documentation.summary if rule is not None else "",
                "tolerances": {
                    name: plain(pack.rubric.tolerance(clause.code, name).value)
                    for name in (rule.parameters if rule is not None else ())
                },
            }
        )
    return entries


def write_rules(pack: Pack, out: TextIO, *, as_json: bool) -> None:
    """Write the list of all clauses."""
    entries = rule_list(pack)
    if as_json:
        json.dump({"pack": pack.name, "rules": entries}, out, ensure_ascii=False, indent=2)
        out.write("\n")
        return
    table = Table(box=None, padding=(0, 1), header_style="bold")
    for heading in ("code", "name", "row", "core", "title"):
        table.add_column(heading, no_wrap=heading != "title", overflow="fold")
    for entry in entries:
        rows = ", ".join(map(str, entry["rows"])) or "–"
        core = {True: "core", False: ""}.get(entry["core"], "may be")
        title = Text(entry["title"])
        if not entry["implemented"]:
            title.append("  (no rule yet)", style="dim")
        table.add_row(entry["code"], entry["name"], rows, core, title)
    make_console(out, RenderOptions()).print(table)
