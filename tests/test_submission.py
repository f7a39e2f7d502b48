"""Submissions: every way in gives the same files, and nothing hostile gets further than a problem."""

from __future__ import annotations

import io
import os
import socket
import stat
import struct
import zipfile
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from husky_lint import submission as module
from husky_lint.submission import Submission, SubmissionError, load

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

FILES: dict[str, str | bytes] = {
    "index.html": "<!DOCTYPE html>😀",
    "styles.css": "a{}\r\n",
    "tools/audit.js": "1",
    "favicon.ico": b"\0\xff",
}


def raw(content: str | bytes) -> bytes:
    return content.encode() if isinstance(content, str) else content


def write(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(raw(content))
    return folder


def pack(path: Path, entries: Mapping[Any, bytes], compression: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return path


def problems(submission: Submission) -> list[tuple[str, str | None]]:
    return [(problem.key, problem.path) for problem in submission.problems]


def contents(submission: Submission) -> dict[str, bytes]:
    return {path: file.raw for path, file in submission.files.items()}


def test_all_ways_in_agree(tmp_path: Path) -> None:
    folder = write(tmp_path / "aurora", FILES)
    packed = pack(tmp_path / "aurora.zip", {name: raw(content) for name, content in FILES.items()})
    wrapped = pack(tmp_path / "wrapped.zip", {f"x/{name}": raw(content) for name, content in FILES.items()})
    memory = Submission.from_files(FILES, name="aurora")
    expected = {name: raw(FILES[name]) for name in sorted(FILES)}
    for submission in (memory, load(folder), load(packed), load(wrapped), load(str(folder))):
        assert list(contents(submission).items()) == list(expected.items())
        assert submission.problems == ()
        assert submission.page == "index.html"
    assert (load(folder).name, load(packed).name, load(wrapped).name) == ("aurora", "aurora", "wrapped")
    assert (load(folder).path, memory.path) == (str(folder), None)


def test_text(tmp_path: Path) -> None:
    submission = Submission.from_files(FILES)
    source = submission.text("index.html")
    assert source is not None
    assert source is submission.text("index.html")
    assert (source.text, source.path) == ("<!DOCTYPE html>😀", "index.html")
    assert submission.text("absent.html") is None
    assert submission.files["favicon.ico"].text.lossy


@pytest.mark.parametrize(
    ("name", "content", "text"),
    [
        ("index.html", b"<meta charset=latin1>\xe9", "<meta charset=latin1>é"),
        ("index.html", b'<meta http-equiv=Content-Type content="text/html; charset=shift_jis">\x82\xa0', None),
        ("index.html", b"<!-- <meta charset=latin1> -->\xc3\xa9", "<!-- <meta charset=latin1> -->é"),
        ("index.html", b"<meta charset=utf-16>\xc3\xa9", "<meta charset=utf-16>é"),
        ("index.html", b"<meta charset=rot13>\xc3\xa9", "<meta charset=rot13>é"),
        ("index.html", b"\xef\xbb\xbf<meta charset=latin1>\xc3\xa9", "<meta charset=latin1>é"),
        ("styles.css", b'@charset "latin1";\xe9', '@charset "latin1";é'),
        ("styles.css", b'@charset "base64";\xc3\xa9', '@charset "base64";é'),
        ("a.svg", b'<?xml version="1.0" encoding="ISO-8859-1"?>\xe9', '<?xml version="1.0" encoding="ISO-8859-1"?>é'),
        ("app.js", b"// <meta charset=latin1>\xc3\xa9", "// <meta charset=latin1>é"),
    ],
)
def test_declared_encodings(name: str, content: bytes, text: str | None) -> None:
    source = Submission.from_files({name: content}).files[name].text
    assert source.text == text if text is not None else source.text.endswith("あ")


def test_a_binary_page_is_decoded_with_losses() -> None:
    assert Submission.from_files({"index.html": bytes(range(256))}).files["index.html"].text.lossy


def test_lone_surrogates_in_memory_are_lost() -> None:
    source = Submission.from_files({"a.js": "'\ud800'"}).files["a.js"].text
    assert source.lossy
    assert "\ud800" not in source.text


@pytest.mark.parametrize("make", ["missing", "empty", "fifo", "plain", "broken-zip", "empty-zip", "nul"])
def test_what_cannot_be_read_is_one_line(tmp_path: Path, make: str) -> None:
    path = tmp_path / make
    if make in ("empty", "empty-zip"):
        path.mkdir()
    if make == "fifo":
        os.mkfifo(path)
    if make == "plain":
        path.write_text("x")
    if make == "broken-zip":
        path = tmp_path / "x.zip"
        path.write_bytes(b"PK\3\4 nonsense")
    if make == "empty-zip":
        path = pack(tmp_path / "y.zip", {})
    with pytest.raises(SubmissionError) as error:
        load(f"{path}\0" if make == "nul" else path)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) > 10


def test_empty_memory() -> None:
    with pytest.raises(SubmissionError):
        Submission.from_files({})
    with pytest.raises(SubmissionError, match="Not a relative path"):
        Submission.from_files({"../x": ""})


@pytest.mark.parametrize("name", ["../x.html", "/x.html", "a/../../x", "a\\b.html", "C:/x.html", "c:x", "..", "a/.."])
def test_names_that_lead_out_of_an_archive(tmp_path: Path, name: str) -> None:
    entry = zipfile.ZipInfo("placeholder")
    entry.filename = name
    submission = load(pack(tmp_path / "a.zip", {"index.html": b"x", entry: b"bad"}))
    assert list(submission.files) == ["index.html"]
    assert problems(submission) == [("bad-zip-name", name)]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.zip"]


def test_a_name_cut_by_nul(tmp_path: Path) -> None:
    path = pack(tmp_path / "a.zip", {"index.html": b"x", "a.htmlX../b": b"bad"})
    path.write_bytes(path.read_bytes().replace(b"a.htmlX../b", b"a.html\0../b"))
    submission = load(path)
    assert list(submission.files) == ["index.html"]
    assert submission.problems[0].key == "bad-zip-name"


def test_bombs(tmp_path: Path) -> None:
    submission = load(pack(tmp_path / "a.zip", {"index.html": b"x", "big.css": bytes(3_900_000)}))
    assert problems(submission) == [("zip-bomb", "big.css")]
    file = submission.files["big.css"]
    assert (file.omitted, file.raw, file.size) == (True, b"", 3_900_000)


def test_a_bomb_that_lies_about_its_size(tmp_path: Path) -> None:
    path = pack(tmp_path / "a.zip", {"index.html": b"x", "big.css": os.urandom(1000) + bytes(8_000_000)})
    data = path.read_bytes()
    # The size in the central directory says 100 bytes.
    data = data.replace(struct.pack("<I", 8_001_000), struct.pack("<I", 100))
    path.write_bytes(data)
    submission = load(path)
    assert len(submission.files["big.css"].raw) <= 100
    assert problems(submission) in ([], [("unreadable", "big.css")])


def test_encrypted_and_corrupt_entries(tmp_path: Path) -> None:
    path = pack(tmp_path / "a.zip", {"index.html": b"x" * 50, "b.css": b"y" * 50}, zipfile.ZIP_STORED)
    path.write_bytes(path.read_bytes().replace(b"y" * 50, b"z" * 50))
    assert problems(load(path)) == [("unreadable", "b.css")]
    data = bytearray(path.read_bytes())
    at = data.index(b"PK\1\2")
    data[at + 8] |= 1  # encrypted, says the directory
    path.write_bytes(data)
    assert ("unreadable", "index.html") in problems(load(path))


def test_an_archive_with_endless_entries_is_refused(tmp_path: Path) -> None:
    path = pack(tmp_path / "a.zip", {f"{index:040}": b"" for index in range(12_000)}, zipfile.ZIP_STORED)
    with pytest.raises(SubmissionError, match="too many entries"):
        load(path)


def test_links_in_archives_are_not_followed(tmp_path: Path) -> None:
    link = zipfile.ZipInfo("link.css")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    submission = load(pack(tmp_path / "a.zip", {"index.html": b"x", link: b"/etc/passwd"}))
    assert list(submission.files) == ["index.html"]
    assert problems(submission) == [("symlink-outside", "link.css")]


def test_duplicates_and_case(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("a.css", b"1")
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("a.css", b"2")
        archive.writestr("A.css", b"3")
    path = tmp_path / "a.zip"
    path.write_bytes(buffer.getvalue())
    submission = load(path)
    assert contents(submission) == {"a.css": b"1", "A.css": b"3"}
    assert problems(submission) == [("duplicate-name", "a.css"), ("case-collision", "A.css")]


def test_foreign_folders_and_debris(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        **FILES,
        "node_modules/a/b.js": "",
        "tools/node_modules/c.js": "",
        ".git/config": "",
        "__MACOSX/._index.html": "",
        ".DS_Store": "",
    }
    packed = pack(tmp_path / "a.zip", {name: raw(content) for name, content in files.items()})
    for submission in (load(write(tmp_path / "a", files)), load(packed)):
        assert set(submission.files) == set(FILES)
        assert sorted(problems(submission)) == [
            ("skipped-folder", "node_modules"),
            ("skipped-folder", "tools/node_modules"),
        ]


def test_links_in_folders(tmp_path: Path) -> None:
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "s.css").write_text("secret")
    folder = write(tmp_path / "a", {"index.html": "x", "real/b.css": "y"})
    (folder / "inside.css").symlink_to("real/b.css")
    (folder / "again").symlink_to("real")
    (folder / "loop").symlink_to(".")
    (folder / "out.css").symlink_to(tmp_path / "secret" / "s.css")
    (folder / "out").symlink_to(tmp_path / "secret")
    (folder / "gone.css").symlink_to("nowhere")
    (folder / "self.css").symlink_to("self.css")
    submission = load(folder)
    assert b"secret" not in contents(submission).values()
    assert {"index.html", "inside.css"} <= set(submission.files)
    assert sum(path.endswith("/b.css") for path in submission.files) == 1
    assert sorted(problems(submission)) == [
        *(("broken-symlink", "gone.css"), ("broken-symlink", "self.css")),
        *(("symlink-outside", "out"), ("symlink-outside", "out.css")),
    ]
    # The submission itself may be a link.
    (tmp_path / "link").symlink_to(folder)
    assert set(load(tmp_path / "link").files) == set(submission.files)


def test_what_is_no_file_is_never_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write(tmp_path / "a", {"index.html": "x", "styles.css/inner.txt": "y"})
    os.mkfifo(folder / "pipe.css")
    with socket.socket(socket.AF_UNIX) as server:
        monkeypatch.chdir(folder)  # the name of a socket has to be short
        server.bind("s.js")
    submission = load(folder)
    assert set(submission.files) == {"index.html", "styles.css/inner.txt"}
    assert sorted(problems(submission)) == [("not-a-file", name) for name in ("pipe.css", "s.js", "styles.css")]


def test_unreadable_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write(tmp_path / "a", {"index.html": "x", "b.css": "y"})
    real = os.open

    def refuse(path: str | os.PathLike[str], *arguments: int) -> int:
        if os.fspath(path).endswith("b.css"):
            raise PermissionError(13, "Permission denied")
        return real(path, *arguments)

    monkeypatch.setattr(os, "open", refuse)
    submission = load(folder)
    assert problems(submission) == [("unreadable", "b.css")]
    assert submission.files["b.css"].omitted


def test_names_that_are_not_utf_8(tmp_path: Path) -> None:
    folder = write(tmp_path / "a", {"index.html": "x"})
    with open(os.fsencode(folder) + b"/b\xff.css", "wb") as file:
        file.write(b"y")
    submission = load(folder)
    assert contents(submission) == {"b\ufffd.css": b"y", "index.html": b"x"}
    assert problems(submission) == [("bad-name", "b\ufffd.css")]


def test_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_FILES", 5)
    monkeypatch.setattr(module, "MAX_FILE_BYTES", 10)
    monkeypatch.setattr(module, "MAX_TOTAL_BYTES", 25)
    monkeypatch.setattr(module, "MAX_DEPTH", 2)
    files: dict[str, str | bytes] = dict.fromkeys("abc", "x" * 10)
    for submission in (
        load(write(tmp_path / "total", files)),
        load(pack(tmp_path / "total.zip", {name: raw(content) for name, content in files.items()})),
        Submission.from_files(files),
    ):
        assert problems(submission) == [("too-large", "c")]
        assert submission.files["c"].size == 10
    assert problems(Submission.from_files({"a": "x" * 11})) == [("too-large", "a")]
    many: dict[str, str | bytes] = dict.fromkeys("abcdefgh", "")
    for submission in (
        load(write(tmp_path / "many", many)),
        load(pack(tmp_path / "many.zip", dict.fromkeys(many, b""))),
        Submission.from_files(many),
    ):
        assert list(submission.files) == list("abcde")
        assert problems(submission) == [("too-many-files", None)]
    deep = load(write(tmp_path / "deep", {"a": "", "1/2/b": "", "1/2/3/4/c": ""}))
    assert list(deep.files) == ["1/2/b", "a"]
    assert problems(deep) == [("too-deep", "1/2")]


def test_one_page(tmp_path: Path) -> None:
    folder = write(
        tmp_path / "site",
        {
            "page.html": (
                "<link href='css/a.css?v=1'><script src=./app.js></script><link href=../out.css><img src=big.png>"
            ),
            "css/a.css": "@import 'b.css'; @import url(../c.css)",
            "css/b.css": "",
            "c.css": "",
            "app.js": "import './lib.mjs'; fetch('other.html')",
            "lib.mjs": "",
            "other.html": "",
            "big.png": "",
            "unmentioned.css": "",
        },
    )
    (tmp_path / "out.css").write_text("secret")
    (folder / "link.js").symlink_to(tmp_path / "out.css")
    submission = load(folder / "page.html")
    assert list(submission.files) == ["app.js", "c.css", "css/a.css", "css/b.css", "lib.mjs", "page.html"]
    assert (submission.name, submission.page) == ("page.html", "page.html")
    assert submission.problems == ()
    (folder / "icon.svg").write_text("<svg/>")
    assert list(load(folder / "icon.svg").files) == ["icon.svg"]


def test_corpus(corpus_submission: Path) -> None:
    submission = load(corpus_submission)
    assert {"index.html", "styles.css", "app.js", "favicon.ico"} <= set(submission.files)
    assert submission.problems == ()
    assert set(load(corpus_submission / "index.html").files) <= set(submission.files)


_NAMES = st.lists(st.sampled_from(["a", "b", "index.html", "é", "x y", "A"]), min_size=1, max_size=3).map("/".join)


@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(_NAMES, st.binary(max_size=30), min_size=1, max_size=6))
def test_random_files_come_back_from_everywhere(
    tmp_path_factory: pytest.TempPathFactory, files: dict[str, bytes]
) -> None:
    taken = {name: content for name, content in files.items() if not any(o.startswith(f"{name}/") for o in files)}
    place = tmp_path_factory.mktemp("any")
    write(place / "folder", dict(taken))
    packed = pack(place / "packed.zip", {"keep": b"", **taken})
    memory, folder, archive = Submission.from_files(taken), load(place / "folder"), load(packed)
    assert contents(memory) == contents(folder) == taken
    assert contents(archive) == {"keep": b"", **taken}


@given(st.binary(max_size=300), st.sampled_from(["index.html", "a.css", "a.svg", "a.js"]))
def test_any_bytes_are_text(content: bytes, name: str) -> None:
    assert Submission.from_files({name: content}).files[name].text.path == name


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_damaged_archives(tmp_path: Path, data: st.DataObject) -> None:
    path = pack(tmp_path / "a.zip", {"index.html": b"<p>" * 40, "b/c.css": b"a{}"})
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 6))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(content[: data.draw(st.integers(0, len(content)))] if data.draw(st.booleans()) else content)
    with suppress(SubmissionError):
        load(path)
