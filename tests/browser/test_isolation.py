"""Hostile pages: no way out of a visit, and none takes the next visit, the browser or the machine with it."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, get_args

import pytest

from husky_lint.browser.serving import Origin
from husky_lint.browser.session import Dialog, Refused, VisitLost, open_browser
from husky_lint.browser.watchdog import descendants, resident_bytes
from husky_lint.submission import Submission

if TYPE_CHECKING:
    from collections.abc import Iterator

    from husky_lint.browser.session import BrowserSession, Visit

pytestmark = pytest.mark.browser
ORIGINS = get_args(Origin)


def submission(body: str = "", **files: str | bytes) -> Submission:
    return Submission.from_files({"index.html": f"<!doctype html><title>A page</title>{body}", **files})


def script(code: str) -> Submission:
    return submission(f"<script>{code}</script>")


def still_well(visits: BrowserSession) -> bool:
    with visits.visit(submission()) as visit:
        return visit.page.title() == "A page"


@contextmanager
def listening() -> Iterator[tuple[int, list[str]]]:
    """A port of this machine, TCP and UDP, and who came to it."""
    came: list[str] = []
    with socket.create_server(("127.0.0.1", 0)) as tcp, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
        port = tcp.getsockname()[1]
        udp.bind(("127.0.0.1", port))
        udp.settimeout(0.1)
        tcp.settimeout(0.1)
        ended = threading.Event()

        def take() -> None:
            while not ended.is_set():
                try:
                    connection, _ = tcp.accept()
                    came.append("tcp")
                    connection.close()
                except TimeoutError:
                    pass
                try:
                    udp.recv(100)
                    came.append("udp")
                except TimeoutError:
                    pass

        thread = threading.Thread(target=take)
        thread.start()
        try:
            yield port, came
        finally:
            ended.set()
            thread.join()


WAYS_OUT = """
<link rel="preconnect" href="http://127.0.0.1:PORT"><link rel="dns-prefetch" href="//127.0.0.1:PORT">
<link rel="prefetch" href="http://127.0.0.1:PORT/prefetch"><link rel="stylesheet" href="http://127.0.0.1:PORT/s.css">
<style>@font-face { font-family: f; src: url(http://127.0.0.1:PORT/font) } p { font-family: f }</style><p>text</p>
<style>p { background: url(http://127.0.0.1:PORT/background) }</style>
<img src="http://127.0.0.1:PORT/img"><iframe src="http://127.0.0.1:PORT/frame"></iframe>
<iframe srcdoc="<img src='http://127.0.0.1:PORT/nested'>"></iframe>
<iframe sandbox="allow-scripts" src="data:text/html,<script>fetch('http://127.0.0.1:PORT/opaque')</script>"></iframe>
<a ping="http://127.0.0.1:PORT/ping" href="#x">link</a>
<form action="http://127.0.0.1:PORT/form" target="other"></form>
<video src="http://127.0.0.1:PORT/video" autoplay></video>
<script src="http://127.0.0.1:PORT/script.js"></script>
<script>
  const to = "http://127.0.0.1:PORT/";
  const quietly = (act) => { try { Promise.resolve(act()).catch(() => {}); } catch (refused) { /* as it should */ } };
  quietly(() => fetch(to + "fetch", { mode: "no-cors" }));
  quietly(() => navigator.sendBeacon(to + "beacon", "x"));
  quietly(() => new EventSource(to + "events"));
  quietly(() => new WebSocket("ws://127.0.0.1:PORT/socket"));
  quietly(() => new WebTransport("https://127.0.0.1:PORT/transport"));
  quietly(() => new Worker(URL.createObjectURL(new Blob([`fetch("${to}worker"); importScripts("${to}import")`]))));
  quietly(() => new SharedWorker(URL.createObjectURL(new Blob([`fetch("${to}shared")`]))));
  quietly(() => {
    const peer = new RTCPeerConnection({ iceServers: [{ urls: "stun:127.0.0.1:PORT" }] });
    peer.createDataChannel("x");
    return peer.createOffer().then((offer) => peer.setLocalDescription(offer));
  });
  document.forms[0].submit();
  document.links[0].click();
  const image = new Image(); image.src = to + "late";
</script>
"""


@pytest.mark.parametrize("origin", ORIGINS)
def test_nothing_of_a_page_gets_out(visits: BrowserSession, origin: Origin) -> None:
    with listening() as (port, came):
        made = submission(WAYS_OUT.replace("PORT", str(port)))
        with visits.visit(made, origin=origin) as visit:
            visit.page.wait_for_timeout(700)
            refused = {item.url.rpartition("/")[2] for item in visit.refused}
        time.sleep(0.2)
    assert came == []
    assert refused >= {
        "s.css", "font", "background", "img", "frame", "nested", "opaque", "video", "script.js", "fetch", "beacon",
        "events", "socket", "worker", "import", "late",
    }  # fmt: skip
    assert still_well(visits)


@pytest.mark.parametrize("origin", ORIGINS)
@pytest.mark.parametrize(
    "leaving",
    [
        "<script>location = 'http://example.com/'</script>",
        "<meta http-equiv=refresh content='0; url=file:///etc/hostname'>",
        "<a href='http://example.com/' target=_top>x</a><script>document.links[0].click()</script>",
        "<iframe srcdoc=\"<script>top.location = 'http://example.com/'</script>\"></iframe>",
    ],
)
def test_a_page_cannot_be_left(visits: BrowserSession, origin: Origin, leaving: str) -> None:
    with visits.visit(submission(leaving), origin=origin) as visit:
        visit.page.wait_for_timeout(200)
        assert visit.page.title() == "A page"
        assert visit.page.url.startswith(visit.site.page)


def test_files_of_the_machine_are_not_the_pages(visits: BrowserSession, tmp_path: Path) -> None:
    (tmp_path / "secret.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>", "utf-8")
    outside = (tmp_path / "secret.svg").as_uri()
    made = submission(f"<img src='{outside}'><iframe src='file:///etc/hostname'></iframe><img src='../../etc/motd'>")
    with visits.visit(made, origin="file") as visit:
        assert visit.page.evaluate("document.images[0].naturalWidth") == 0
        assert Refused(outside, "image") in visit.refused
        assert Refused("file:///etc/hostname", "document") in visit.refused
        assert len(visit.refused) == 3


def test_service_workers_are_not_there(visits: BrowserSession) -> None:
    made = submission("", **{"sw.js": "self.addEventListener('fetch', () => {})"})
    with visits.visit(made) as visit:
        said = visit.page.evaluate(
            "navigator.serviceWorker ? Promise.race([navigator.serviceWorker.register('sw.js').then(() => 'there',"
            " () => 'refused'), new Promise(after => setTimeout(after, 500, 'nothing'))]) : 'refused'"
        )
        assert said != "there"
        assert visit.context.service_workers == []


def test_nothing_is_downloaded(visits: BrowserSession) -> None:
    made = submission("<a download=x.bin href='data:application/octet-stream,x'>x</a>", **{"x.zip": b"PK"})
    with visits.visit(made) as visit:
        visit.page.click("a")
        visit.page.evaluate("location = 'x.zip'")
        visit.page.wait_for_timeout(300)
        assert [item.kind for item in visit.refused] == ["download", "download"]
        assert visit.page.title() == "A page"


def test_permissions_are_denied(visits: BrowserSession) -> None:
    with visits.visit(submission()) as visit:
        asked = """() => Promise.all([
          Notification.requestPermission(),
          new Promise(end => navigator.geolocation.getCurrentPosition(() => end('there'), () => end('denied'))),
          navigator.permissions.query({name: 'geolocation'}).then(it => it.state),
        ])"""
        assert visit.page.evaluate(asked)[:2] == ["denied", "denied"]
        assert visit.page.evaluate("navigator.mediaDevices") is None


def test_dialogs_are_dismissed_and_listed(visits: BrowserSession) -> None:
    made = script("alert('a'); document.title = [confirm('b'), prompt('c')]; onbeforeunload = (e) => 'stay'")
    with visits.visit(made) as visit:
        assert visit.page.title() == "false,"
        assert visit.dialogs[:3] == [Dialog("alert", "a"), Dialog("confirm", "b"), Dialog("prompt", "c")]
        visit.page.click("html")
        visit.reload()
        assert visit.dialogs[3].kind == "beforeunload"


def test_windows_do_not_stay_open(visits: BrowserSession) -> None:
    made = submission(
        "<button>open</button><script>function storm() { for (let i = 0; i < 50; i++) window.open('?' + i, '_blank',"
        " i % 2 ? 'noopener' : ''); } storm(); document.querySelector('button').onclick = storm</script>"
    )
    with visits.visit(made) as visit:
        for _ in range(3):
            visit.page.click("button")
        visit.page.wait_for_timeout(300)
        assert visit.context.pages == [visit.page]
        assert all(item.kind == "popup" for item in visit.refused)
        assert len(visit.refused) <= 6
    assert still_well(visits)


def test_what_a_page_says_is_bounded(visits: BrowserSession) -> None:
    made = script(
        "for (let i = 0; i < 2000; i++) console.log('x'.repeat(5000)); new Image().src = '//a.test/' + 'x'.repeat(9e5)"
    )
    with visits.visit(made) as visit:
        assert len(visit.console) <= 500
        assert max(len(item.text) for item in visit.console) < 2_100
        assert max(len(item.url) for item in visit.refused) < 2_100


def ask_for_ever(visit: Visit) -> NoReturn:
    while True:
        visit.page.evaluate("new Promise(after => setTimeout(after, 20))")


def kill(visit: Visit, *pids: int) -> None:
    for pid in pids:
        os.kill(pid, signal.SIGKILL)
    visit.page.wait_for_timeout(300)
    visit.page.title()


def renderers(visits: BrowserSession) -> list[int]:
    family = descendants(visits._pid)
    return [pid for pid in family if b"--type=renderer" in Path(f"/proc/{pid}/cmdline").read_bytes()]


FOREVER = {
    "loop": "while (true) {}",
    "alerts": "while (true) alert('again')",
    "a later loop": "setTimeout(() => { while (true) {} }, 0)",
    "a loop of promises": "const again = () => Promise.resolve().then(again); again()",
    "reloads": "location.reload()",
    "a wait for nothing": "const w = new Int32Array(new SharedArrayBuffer(4)); Atomics.wait(w, 0, 0)",
}
HUNGRY = {
    "buffers": "const kept = []; setInterval(() => kept.push(new Uint8Array(5e7).fill(1)), 1)",
    "one array": "const kept = []; while (true) kept.push(new Array(1e6).fill(Math.random()))",
    "elements": "setInterval(() => { for (let i = 0; i < 1e5; i++) document.body.append(new Image()) }, 0)",
}


@pytest.mark.parametrize("code", FOREVER.values(), ids=FOREVER.keys())
def test_a_page_that_never_ends_costs_its_time_and_no_more(visits: BrowserSession, code: str) -> None:
    started = time.monotonic()
    with pytest.raises(VisitLost) as lost, visits.visit(script(code), seconds=0.7) as visit:
        ask_for_ever(visit)
    assert "\n" not in str(lost.value)
    assert time.monotonic() - started < 20
    assert still_well(visits)


@pytest.mark.parametrize("code", HUNGRY.values(), ids=HUNGRY.keys())
def test_a_page_that_takes_all_memory_is_ended(code: str) -> None:
    started = time.monotonic()
    with open_browser(visit_s=60, most_bytes=600_000_000) as visits:
        with pytest.raises(VisitLost), visits.visit(submission(f"<body><script>{code}</script>")) as visit:
            ask_for_ever(visit)
        assert time.monotonic() - started < 40
        assert still_well(visits)


def test_a_crash_costs_one_visit(visits: BrowserSession) -> None:
    with pytest.raises(VisitLost, match="the page crashed"), visits.visit(submission()) as visit:
        kill(visit, *renderers(visits))
    assert still_well(visits)


def test_the_death_of_the_browser_costs_one_visit(visits: BrowserSession) -> None:
    assert still_well(visits)
    starts = visits.starts
    with pytest.raises(VisitLost, match="the browser died"), visits.visit(submission()) as visit:
        kill(visit, visits._pid)
    assert still_well(visits)
    assert visits.starts == starts + 1


def test_a_browser_leaves_no_process_behind() -> None:
    with open_browser() as visits, visits.visit(submission()):
        family = descendants(visits._pid)
        assert len(family) > 1
        assert sum(map(resident_bytes, family)) > 10_000_000
    for _ in range(50):
        if not [pid for pid in family if resident_bytes(pid)]:
            break
        time.sleep(0.1)
    assert [pid for pid in family if resident_bytes(pid)] == []


class Rung(BaseException):
    """What a clock raises; no ``except Exception`` may swallow it."""


@pytest.mark.parametrize("interruption", [Rung, KeyboardInterrupt])
def test_an_interruption_amid_a_question_ends_the_visit_at_once(
    tmp_path: Path, interruption: type[BaseException]
) -> None:
    # In a process of its own: the browser of the other tests shares the driver that goes with it.
    program = tmp_path / "program.py"
    program.write_text(
        f"""
import signal, time
from husky_lint.browser.session import open_browser
from husky_lint.submission import Submission

class Rung(BaseException): pass

def ring(*_): raise {interruption.__name__}

signal.signal(signal.SIGALRM, ring)
page = Submission.from_files({{"index.html": "<title>A page</title>"}})
with open_browser() as visits:
    for _ in range(2):
        signal.setitimer(signal.ITIMER_REAL, 1.0)
        try:
            with visits.visit(page) as visit:
                visit.page.evaluate("new Promise(() => {{}})")
        except {interruption.__name__}:
            print("interrupted")
    with visits.visit(page) as visit:
        print(visit.page.title())
""",
        "utf-8",
    )
    repository = Path(__file__).parents[2]
    said = subprocess.run(
        [sys.executable, program], capture_output=True, text=True, timeout=60, check=False, cwd=repository
    )
    assert (said.returncode, said.stdout.split("\n")) == (0, ["interrupted", "interrupted", "A page", ""])
    assert said.stderr == ""
