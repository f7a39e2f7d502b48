"""The command line. Only argparse is loaded here; each command loads what it needs.

Exit status: 0 nothing at error level and the score at or above ``--min-score``; 1 otherwise; 2 the call or the
configuration is wrong; 3 (gate) nothing dropped but some need the browser.
"""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn, TextIO, TypeVar

from husky_lint import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from husky_lint.browser.confirming import Confirmation, Mode
    from husky_lint.browser.pool import Request
    from husky_lint.browser.session import BrowserSession
    from husky_lint.browser.views import Shot
    from husky_lint.config import Config
    from husky_lint.evidence import StaticEvidence
    from husky_lint.judging import Options
    from husky_lint.packs import Pack
    from husky_lint.scorecard import Scorecard

CONFIRM = ("never", "auto", "always")
_CONFIRM_HELP = "measure in a browser too: what the source cannot tell (auto), or everything (default: never)"
FORMATS = ("text", "concise", "json", "jsonl", "html")
_MOST_PICTURED = 20
"""Submissions whose pictures a page of HTML still bears."""
T = TypeVar("T")

_PICTURES_S = 120.0
"""Seconds that taking the screenshots of a submission may take."""
_INTERRUPTED = 130
_PIPE_CLOSED = 141


class _UsageError(Exception):
    """The call is wrong; the message is one line."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise _UsageError(" ".join(message.split()))


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    if hasattr(sys.stdout, "reconfigure"):
        # Names and sources may hold what the terminal's encoding does not; \udc80 is even legal JSON.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        arguments = build_parser().parse_args(argv)
        status: int = arguments.run(arguments)
        sys.stdout.flush()
    except _UsageError as error:
        return _complain(str(error))
    except KeyboardInterrupt:
        sys.stderr.write("husky-lint: interrupted\n")
        return _INTERRUPTED
    except BrokenPipeError:
        # Whoever read has gone. Python would complain again when it flushes at exit: let that go nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _PIPE_CLOSED
    return status


def _complain(message: str) -> int:
    sys.stderr.write(f"husky-lint: error: {message}\n")
    return 2


# ---------------------------------------------------------------------- arguments


def build_parser() -> argparse.ArgumentParser:
    """The parser of all commands."""
    parser = _Parser(
        prog="husky-lint",
        description="Judges LLM-made animated web pages from their source: findings, row verdicts, a score interval.",
        epilog="Exit status: 0 good, 1 errors or below --min-score, 2 wrong call, 3 (gate) some need the browser.",
    )
    parser.add_argument("--version", action="version", version=f"husky-lint {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)

    check = commands.add_parser("check", help="lint and score submissions")
    _add_paths(check)
    check.add_argument("--format", choices=FORMATS, default="text", help="how to report (default: text)")
    check.add_argument("-o", "--output", metavar="FILE", help="write the report to a file instead of stdout")
    check.add_argument(
        "--select", action="append", metavar="CODES", help="report these codes only (beginnings will do)"
    )
    check.add_argument("--ignore", action="append", metavar="CODES", help="do not report these codes")
    check.add_argument("--min-score", type=float, metavar="N", help="exit 1 below this many certain points")
    check.add_argument("--statistics", action="store_true", help="count the findings of each code")
    check.add_argument(
        "--no-pictures",
        action="store_true",
        help=f"html without pictures (none are drawn beyond {_MOST_PICTURED} paths)",
    )
    check.add_argument("--show", action="append", choices=("states",), default=[], help="show what was inferred")
    check.add_argument("--confirm", choices=CONFIRM, default="never", help=_CONFIRM_HELP)
    _add_batch(check)
    check.set_defaults(run=_check)

    gate = commands.add_parser("gate", help="say which submissions to keep, to drop and to render")
    _add_paths(gate)
    gate.add_argument("--min", type=float, required=True, metavar="N", help="the points that a submission must reach")
    gate.add_argument("--contract", action="store_true", help="the clauses that feed no row must hold as well")
    gate.add_argument("--format", choices=("text", "json"), default="text")
    gate.add_argument(
        "--confirm", choices=CONFIRM[:2], default="never", help="auto: let the browser decide about those to render"
    )
    _add_batch(gate)
    gate.set_defaults(run=_gate)

    confirm = commands.add_parser(
        "confirm", help="judge in the browser too, and compare", epilog="Exit status 1 also where the two disagree."
    )
    _add_paths(confirm)
    confirm.add_argument("--format", choices=("text", "json"), default="text")
    confirm.add_argument("-o", "--output", metavar="FILE", help="write the report to a file instead of stdout")
    confirm.add_argument(
        "--rows", metavar="N,N…|unknown", help="measure the clauses of these rows, or what the source cannot tell"
    )
    confirm.add_argument(
        "--run-tools",
        action="store_true",
        help="run the submission's own tools too, on it and on broken copies of it (its code runs on this machine)",
    )
    _add_batch(confirm, limit=120)
    confirm.set_defaults(run=_confirm)

    explain = commands.add_parser("explain", help="the manual page of a code, a clause's name or a reason")
    explain.add_argument("topic", metavar="CODE")
    _add_pack(explain)
    explain.set_defaults(run=_explain)

    rules = commands.add_parser("rules", help="list all clauses and their rules")
    rules.add_argument("--format", choices=("text", "json"), default="text")
    _add_pack(rules)
    rules.set_defaults(run=_rules)

    rig = commands.add_parser("rig", help="which element is which part of what is drawn")
    rig.add_argument("path", metavar="PATH", help="a folder, a .zip, or an .html or .svg file")
    rig.add_argument("--format", choices=("text", "json", "svg"), default="text")
    rig.add_argument("-o", "--output", metavar="FILE", help="write to a file instead of stdout")
    _add_pack(rig)
    rig.set_defaults(run=_rig)

    poses = commands.add_parser("poses", help="draw every pace at eight phases, and the paths of the paws")
    poses.add_argument("path", metavar="PATH", help="a folder, a .zip, or an .html or .svg file")
    poses.add_argument("-o", "--output", metavar="DIR", required=True, help="the folder to write to; it is made")
    poses.add_argument("--browser", action="store_true", help="screenshots, and the skeleton over them (PNG)")
    poses.add_argument("--theme", metavar="T", help="a theme (default: the page's own); with --browser")
    _add_pack(poses)
    poses.set_defaults(run=_poses)

    responsive = commands.add_parser(
        "responsive", help="screenshots of the whole page, in every theme, large and small"
    )
    responsive.add_argument("path", metavar="PATH", help="a folder, a .zip, or an .html or .svg file")
    responsive.add_argument("-o", "--output", metavar="DIR", required=True, help="the folder to write to; it is made")
    _add_pack(responsive)
    responsive.set_defaults(run=_responsive)

    trace = commands.add_parser("trace", help="where every element of the scene is, at given times")
    trace.add_argument("path", metavar="PATH", help="a folder, a .zip, or an .html or .svg file")
    trace.add_argument("--pace", action="append", metavar="P", help="a pace (default: all)")
    trace.add_argument("--theme", metavar="T", help="a theme (default: the page's own)")
    trace.add_argument("--at", metavar="S,S…", help="times in seconds (default: over one cycle)")
    _add_pack(trace)
    trace.set_defaults(run=_trace)
    return parser


def _add_paths(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a folder, a .zip, or an .html or .svg file")


def _add_pack(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--pack", metavar="NAME", help="the rule pack to judge by")
    parser.add_argument("--config", metavar="FILE", help="a configuration file instead of the nearest one")


def _add_batch(parser: argparse.ArgumentParser, limit: int = 60) -> None:
    parser.add_argument("-j", "--jobs", type=int, metavar="N", help="processes (default: one a processor)")
    parser.add_argument(
        "--time-limit", type=float, metavar="S", help=f"seconds a submission may take (default: {limit})"
    )
    _add_pack(parser)


def _config(arguments: argparse.Namespace) -> Config:
    from pathlib import Path

    from husky_lint.config import ConfigError, find_config, read_config

    try:
        return read_config(Path(arguments.config)) if arguments.config else find_config(Path.cwd())
    except ConfigError as error:
        raise _UsageError(str(error)) from error


def _pack(arguments: argparse.Namespace, config: Config) -> Pack:
    from husky_lint.packs import PackError, default_pack, load_pack

    try:
        return load_pack(arguments.pack or config.pack or default_pack())
    except PackError as error:
        raise _UsageError(str(error)) from error


def _codes(given: Sequence[str], pack: Pack) -> tuple[str, ...]:
    """Beginnings of codes from ``HB21,viewbox``; a clause may be given by its name."""
    from husky_lint.judging import NOTICES

    names = {clause.name: clause.code for clause in pack.rubric.clauses.values()}
    names |= {name: code for code, (name, _) in NOTICES.items()}
    codes = []
    for word in (part.strip() for text in given for part in text.split(",")):
        code = names.get(word.lower(), word.upper())
        if not word or not any(known.startswith(code) for known in names.values()):
            raise _UsageError(f"no rule's code begins with {word!r}")
        codes.append(code)
    return tuple(codes)


def _options(arguments: argparse.Namespace, config: Config, pack: Pack) -> Options:
    from husky_lint.judging import Options

    select = getattr(arguments, "select", None)
    ignore = getattr(arguments, "ignore", None)
    return Options(
        pack=pack.name,
        select=_codes(select if select is not None else config.select, pack),
        ignore=_codes(ignore if ignore is not None else config.ignore, pack),
        show_states="states" in getattr(arguments, "show", ()),
        pins=config.rig,
        pictures=getattr(arguments, "format", "") == "html"
        and not getattr(arguments, "no_pictures", True)
        and len(arguments.paths) <= _MOST_PICTURED,
    )


def _judged(arguments: argparse.Namespace, config: Config, pack: Pack, options: Options) -> Iterator[Scorecard]:
    """The cards in the order of the paths; a progress bar where stderr is a terminal."""
    from husky_lint.batch.processes import judge_paths

    jobs, limit = _batch(arguments, config, 60.0)
    return _with_progress(judge_paths(arguments.paths, options, jobs, limit), len(arguments.paths), "judging")


def _batch(arguments: argparse.Namespace, config: Config, limit: float) -> tuple[int, float]:
    """How many processes, and how many seconds a submission may take."""
    from husky_lint.batch.processes import available_jobs

    jobs = arguments.jobs if arguments.jobs is not None else config.jobs or available_jobs()
    limit = arguments.time_limit if arguments.time_limit is not None else config.time_limit or limit
    if jobs < 1:
        raise _UsageError("--jobs must be 1 or more")
    if not 0 < limit < 1e6:
        raise _UsageError("--time-limit must be above 0 seconds")
    return jobs, limit


def _with_progress(results: Iterator[T], total: int, doing: str) -> Iterator[T]:
    if total < 2 or not sys.stderr.isatty():
        yield from results
        return
    from rich.console import Console
    from rich.progress import Progress

    shared = sys.stdout.isatty()  # the bar makes room while a report is written to the same terminal
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(doing, total=total)
        for result in results:
            progress.advance(task)
            if shared:
                progress.stop()
            yield result
            if shared:
                progress.start()


def _confirmed(
    arguments: argparse.Namespace, config: Config, options: Options, request: Request
) -> Iterator[Confirmation]:
    """What the browser makes of the paths, in their order. A missing browser is a wrong call."""
    from dataclasses import replace

    from husky_lint.browser.chromium import ChromiumMissing
    from husky_lint.browser.pool import confirm_paths

    jobs, limit = _batch(arguments, config, 1200.0 if request.run_tools else 120.0)
    found = confirm_paths(arguments.paths, options, replace(request, seconds=limit), jobs)
    try:
        yield from _with_progress(found, len(arguments.paths), "confirming")
    except ChromiumMissing as missing:
        raise _UsageError(str(missing)) from missing


def _cards_of(confirmations: Iterable[Confirmation]) -> Iterator[Scorecard]:
    """The cards that count; what husky-lint was wrong about is told on stderr."""
    from husky_lint.report.confirm import faults

    for confirmation in confirmations:
        for fault in faults(confirmation):
            sys.stderr.write(f"husky-lint: {confirmation.path}: {'; '.join(line.strip() for line in fault)}\n")
        if confirmation.trouble:
            sys.stderr.write(f"husky-lint: {confirmation.path}: not all was measured: {confirmation.trouble}\n")
        yield confirmation.card


@contextmanager
def _destination(path: str | None) -> Iterator[TextIO]:
    """stdout, or a file that appears whole or not at all."""
    if path is None:
        yield sys.stdout
        return
    unfinished = f"{path}.{os.getpid()}.part"
    try:
        with open(unfinished, "w", encoding="utf-8", errors="backslashreplace") as out:
            yield out
        os.replace(unfinished, path)
    except OSError as error:
        raise _UsageError(f"{path}: {error.strerror or error}") from error
    finally:
        if os.path.exists(unfinished):
            os.unlink(unfinished)


# ---------------------------------------------------------------------- commands


def _check(arguments: argparse.Namespace) -> int:
    from husky_lint.report import RenderOptions, count_codes, renderer

    config = _config(arguments)
    pack = _pack(arguments, config)
    options = _options(arguments, config, pack)
    least = arguments.min_score if arguments.min_score is not None else config.min_score
    failed = False
    counted: list[Scorecard] = []

    def watched(cards: Iterable[Scorecard]) -> Iterator[Scorecard]:
        nonlocal failed
        for card in cards:
            failed |= card.has_errors or (least is not None and card.score.points < least)
            if arguments.statistics:
                counted.append(card)
            yield card

    if arguments.confirm == "never":
        cards = _judged(arguments, config, pack, options)
    else:
        from husky_lint.browser.pool import Request

        request = Request("auto" if arguments.confirm == "auto" else "all")
        cards = _cards_of(_confirmed(arguments, config, options, request))
    with _destination(arguments.output) as out:
        renderer(arguments.format).render(watched(cards), out, RenderOptions(statistics=arguments.statistics))
    if arguments.statistics and arguments.format in ("concise", "jsonl"):
        for code, count in count_codes(counted).items():
            sys.stderr.write(f"{count:6} {code}\n")
    return int(failed)


def _gate(arguments: argparse.Namespace) -> int:
    from husky_lint.batch.gate import decide, exit_status
    from husky_lint.report.gate import render_json, render_text

    config = _config(arguments)
    pack = _pack(arguments, config)
    options = _options(arguments, config, pack)
    if arguments.confirm == "never":
        cards = _judged(arguments, config, pack, options)
    else:
        from husky_lint.browser.pool import Request

        request = Request("auto", gate=arguments.min, contract=arguments.contract)
        cards = _cards_of(_confirmed(arguments, config, options, request))
    gated = [decide(card, arguments.min, contract=arguments.contract) for card in cards]
    (render_json if arguments.format == "json" else render_text)(gated, arguments.min, sys.stdout)
    return exit_status(gated)


def _confirm(arguments: argparse.Namespace) -> int:
    from husky_lint.browser.pool import Request
    from husky_lint.report.confirm import render_json, render_text

    config = _config(arguments)
    pack = _pack(arguments, config)
    request = Request(*_rows_asked(arguments.rows, pack), run_tools=arguments.run_tools)
    failed = False

    def watched(confirmations: Iterable[Confirmation]) -> Iterator[Confirmation]:
        nonlocal failed
        for confirmation in confirmations:
            failed |= confirmation.card.has_errors or not confirmation.is_confirmed or bool(confirmation.trouble)
            yield confirmation

    confirmations = _confirmed(arguments, config, _options(arguments, config, pack), request)
    with _destination(arguments.output) as out:
        (render_json if arguments.format == "json" else render_text)(watched(confirmations), out)
    return int(failed)


def _rows_asked(text: str | None, pack: Pack) -> tuple[Mode, tuple[int, ...] | None]:
    if text is None:
        return "all", None
    if text == "unknown":
        return "auto", None
    known = {row.number for row in pack.rubric.rows}
    try:
        rows = tuple(int(part) for part in text.split(","))
    except ValueError:
        rows = ()
    if not rows or not known.issuperset(rows):
        raise _UsageError(f"--rows takes numbers of rows ({min(known)} to {max(known)}) with commas, or 'unknown'")
    return "all", rows


def _explain(arguments: argparse.Namespace) -> int:
    from husky_lint.report.manual import find_page, write_page

    page = find_page(_pack(arguments, _config(arguments)), arguments.topic)
    if page is None:
        raise _UsageError(f"nothing is called {arguments.topic!r}; `husky-lint rules` lists the codes")
    write_page(page, sys.stdout)
    return 0


def _rules(arguments: argparse.Namespace) -> int:
    from husky_lint.report.manual import write_rules

    write_rules(_pack(arguments, _config(arguments)), sys.stdout, as_json=arguments.format == "json")
    return 0


def _rig(arguments: argparse.Namespace) -> int:
    from husky_lint.evidence import StaticEvidence
    from husky_lint.judging import load
    from husky_lint.report.rig import render_json, render_svg, render_text
    from husky_lint.rule import PageMissing, Undecided
    from husky_lint.submission import SubmissionError

    config = _config(arguments)
    pack = _pack(arguments, config)
    if pack.infer_parts is None:
        raise _UsageError(f"the pack {pack.name} tells no parts")
    try:
        figure = pack.infer_parts(StaticEvidence(load(arguments.path), pack.rubric, pins=config.rig))
    except (SubmissionError, PageMissing, Undecided) as error:
        sys.stderr.write(f"husky-lint: {arguments.path}: {error}\n")
        return 1
    with _destination(arguments.output) as out:
        {"json": render_json, "svg": render_svg, "text": render_text}[arguments.format](figure, out)
    return 0


def _poses(arguments: argparse.Namespace) -> int:
    if arguments.browser:
        from husky_lint.browser.views import pose_sheets

        return _shots(arguments, lambda *given: pose_sheets(*given, theme=arguments.theme))
    if arguments.theme is not None:
        raise _UsageError("--theme goes with --browser")
    from pathlib import Path

    from husky_lint.evidence import StaticEvidence
    from husky_lint.judging import draw_pictures, load
    from husky_lint.report.pages import INDEX, write_gallery
    from husky_lint.report.printable import printable
    from husky_lint.submission import SubmissionError

    config = _config(arguments)
    pack = _pack(arguments, config)
    if pack.draw_pictures is None:
        raise _UsageError(f"the pack {pack.name} draws no pictures")
    folder = Path(arguments.output)
    try:
        pictures, notes = draw_pictures(StaticEvidence(load(arguments.path), pack.rubric, pins=config.rig), pack)
    except SubmissionError as error:
        sys.stderr.write(f"husky-lint: {arguments.path}: {error}\n")
        return 1
    for note in notes:
        sys.stderr.write(f"husky-lint: {arguments.path}: {printable(note)}\n")
    if not pictures:
        return 1
    try:
        write_gallery(pictures, f"Poses of {arguments.path}", folder, notes)
    except OSError as error:
        raise _UsageError(f"{folder}: {error.strerror or error}") from error
    sys.stdout.write(f"{folder / INDEX}: {len(pictures)} pictures\n")
    return 0


def _responsive(arguments: argparse.Namespace) -> int:
    from husky_lint.browser.views import page_sheets

    return _shots(arguments, page_sheets)


def _shots(
    arguments: argparse.Namespace, take: Callable[[BrowserSession, StaticEvidence, str, Pack], Iterator[Shot]]
) -> int:
    """Write screenshots as PNG files of the folder asked for."""
    from pathlib import Path

    from husky_lint.browser.session import ChromiumMissing, VisitLost, open_browser
    from husky_lint.evidence import StaticEvidence
    from husky_lint.judging import load
    from husky_lint.rule import PageMissing, Undecided
    from husky_lint.submission import SubmissionError

    config = _config(arguments)
    pack = _pack(arguments, config)
    folder = Path(arguments.output)
    count = 0
    try:
        evidence = StaticEvidence(load(arguments.path), pack.rubric, pins=config.rig)
        with open_browser(visit_s=_PICTURES_S) as browser:
            for shot in take(browser, evidence, arguments.path, pack):
                folder.mkdir(parents=True, exist_ok=True)
                (folder / f"{shot.name}.png").write_bytes(browser.draw(shot.sheet.to_html(), shot.sheet.width))
                count += 1
    except ChromiumMissing as missing:
        raise _UsageError(str(missing)) from missing
    except KeyError as error:
        raise _UsageError(f"{arguments.path}: there is no state {error}") from error
    except OSError as error:
        raise _UsageError(f"{folder}: {error.strerror or error}") from error
    except (SubmissionError, PageMissing, Undecided, VisitLost) as error:
        sys.stderr.write(f"husky-lint: {arguments.path}: {error}\n")
        return 1
    sys.stdout.write(f"{folder}: {count} pictures\n")
    return 0


def _trace(arguments: argparse.Namespace) -> int:
    import json

    from husky_lint.evidence import StaticEvidence
    from husky_lint.judging import load
    from husky_lint.rule import PageMissing, Undecided
    from husky_lint.submission import SubmissionError
    from husky_lint.trace import trace

    config = _config(arguments)
    pack = _pack(arguments, config)
    times = _times(arguments.at) if arguments.at is not None else None
    try:
        evidence = StaticEvidence(load(arguments.path), pack.rubric, pins=config.rig)
        roles = pack.infer_parts(evidence).paths if pack.infer_parts is not None else {}
        document = trace(evidence, paces=arguments.pace, theme=arguments.theme, times=times, roles=roles)
    except KeyError as error:
        raise _UsageError(f"{arguments.path}: there is no state {error}") from error
    except (SubmissionError, PageMissing, Undecided) as error:
        sys.stderr.write(f"husky-lint: {arguments.path}: {error}\n")
        return 1
    json.dump(document, sys.stdout, ensure_ascii=False, allow_nan=False)
    sys.stdout.write("\n")
    return 0


def _times(text: str) -> list[float]:
    import math

    try:
        times = [float(part) for part in text.split(",")]
    except ValueError as error:
        raise _UsageError("--at takes seconds, separated by commas") from error
    if not all(map(math.isfinite, times)):
        raise _UsageError("--at takes seconds, separated by commas")
    return times
