"""The tools of a submission run with what they need, and get away with nothing."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from husky_lint.browser.tools_run import MOST_OUTPUT, ToolRun, find_node, workshop
from husky_lint.submission import Submission

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("chromium")]


def ran(source: str, seconds: float = 20.0, **more: str) -> ToolRun:
    name = "tools/audit.js"
    files = {"index.html": "<!doctype html><title>A page</title><p>Hello", name: source} | more
    with workshop(Submission.from_files(files)) as place:
        return place.run(name, seconds=seconds)


SLEEPER = (
    "left = require('child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], "
    "{ detached: true, stdio: 'ignore' })"
)
LOOK = """
  const browser = await chromium.launch({ channel: "chrome", executablePath: "/nowhere", args: ["--no-sandbox"] });
  const page = await browser.newPage();
  await page.goto("file://" + path.resolve(here, "..", "index.html"));
  console.log(await page.title(), await page.innerText("p"));
  await browser.close();
"""


def test_a_tool_finds_playwright_and_the_browser() -> None:
    said = ran(
        f"""const path = require("path"), here = __dirname, {{ chromium }} = require("@playwright/test");
        for (const name of ["playwright", "playwright-core"]) {{
          if (require(name).chromium !== chromium) throw new Error(name);
        }}
        (async () => {{ {LOOK} }})();"""
    )
    assert (said.ending, said.exit_code, said.output.strip()) == ("clean", 0, "A page Hello"), said


def test_a_tool_that_is_a_module_does_too() -> None:
    said = ran(
        f'import playwright, {{ chromium }} from "playwright"; import path from "node:path";\n'
        f'const here = import.meta.dirname; if (playwright.chromium !== chromium) throw new Error("two");\n{LOOK}',
        20.0,
        **{"tools/package.json": '{"type": "module"}'},
    )
    assert (said.ending, said.output.strip()) == ("clean", "A page Hello"), said


def test_how_a_tool_ended_is_told() -> None:
    said = ran("process.exitCode = 3; console.log('one'); console.error('two')")
    assert (said.ending, said.exit_code, said.output) == ("failed", 3, "one\ntwo\n")
    said = ran("throw new TypeError('at once')")
    assert said.ending == "failed"
    assert "TypeError: at once" in said.output
    with workshop(Submission.from_files({"index.html": "<p>"})) as place:
        said = place.run("tools/audit.js")
    assert said == ToolRun("tools/audit.js", "not run", None, "there is no tools/audit.js", 0.0, "")


def test_a_tool_that_never_ends_is_ended_with_all_that_it_started(tmp_path: Path) -> None:
    noted = tmp_path / "pids"
    noted.touch()
    said = ran(
        f"const fs = require('fs'), {SLEEPER}; "
        f"fs.writeFileSync({str(noted)!r}, `${{process.pid}} ${{left.pid}}`); for (;;);",
        seconds=6.0,
    )
    assert (said.ending, said.exit_code) == ("too long", None)
    assert said.seconds < 15
    pids = [int(pid) for pid in noted.read_text().split()]
    assert len(pids) == 2
    assert not [pid for pid in pids if _is_alive(pid)]


def test_what_a_tool_leaves_behind_ends_with_it(tmp_path: Path) -> None:
    noted = tmp_path / "pid"
    said = ran(f"const {SLEEPER}; require('fs').writeFileSync({str(noted)!r}, String(left.pid)); left.unref();")
    assert said.ending == "clean"
    assert not _is_alive(int(noted.read_text()))


def _is_alive(pid: int) -> bool:
    for _ in range(50):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
        if " Z " in Path(f"/proc/{pid}/stat").read_text():
            return False
        time.sleep(0.02)
    return True


def test_a_tool_that_takes_too_much_memory_is_ended() -> None:
    with workshop(
        Submission.from_files({"tools/audit.js": "const a = []; for (;;) a.push(Buffer.alloc(1e7, 1));"})
    ) as place:
        assert place.run("tools/audit.js", seconds=20.0, most_bytes=300_000_000).ending == "too large"


def test_what_a_tool_prints_is_bounded() -> None:
    said = ran("for (let i = 0; i < 60000; i += 1) console.log('line ' + i); console.log('the end')")
    assert said.ending == "clean"
    assert len(said.output) < MOST_OUTPUT + 10
    assert said.output.startswith("line 0\n")
    assert said.last_line == "the end"


def test_there_is_no_network_but_the_tools_own() -> None:
    said = ran("""
      const net = require("net"), http = require("http"), os = require("os");
      const tried = (options) => new Promise((done) => {
        const socket = net.connect(options, () => done("connected"));
        socket.on("error", (error) => done(error.code)).setTimeout(1500, () => done("silence"));
      });
      http.createServer((_, answer) => answer.end("served")).listen(0, "127.0.0.1", async function () {
        const { port } = this.address();
        console.log(await tried({ host: "192.0.2.1", port: 80 }), await tried({ host: "example.com", port: 80 }));
        console.log(await (await fetch(`http://127.0.0.1:${port}/`)).text());
        console.log(Object.keys(os.networkInterfaces()).join());
        process.exit();
      });
    """)
    assert said.ending == "clean", said
    refused, served, interfaces = said.output.strip().splitlines()
    assert re.fullmatch(r"(ENETUNREACH|silence) (ENETUNREACH|ENOTFOUND|EAI_AGAIN|silence)", refused)
    assert served == "served"
    if said.network == "namespace":
        assert interfaces == "lo"
    else:
        assert said.network.startswith("open: ")


def test_the_environment_is_bare(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "hunter2")
    said = ran("console.log(Object.keys(process.env).join(), process.env.HOME === require('os').tmpdir())")
    assert "SECRET_TOKEN" not in said.output
    assert said.output.strip().endswith("true")


def test_node_comes_with_playwright(chromium: Browser) -> None:
    node, package = find_node()
    assert Path(node).is_file()
    assert (package / "index.js").is_file()
    assert chromium.version
