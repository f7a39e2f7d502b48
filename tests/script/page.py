"""A submission's page as a script model, for tests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from husky_lint.parse.html import XHTML, parse_html
from husky_lint.parse.js import parse_script
from husky_lint.script.model import ScriptModel
from husky_lint.source import SourceText
from husky_lint.style.media import MediaContext

if TYPE_CHECKING:
    from pathlib import Path

    from lxml.etree import _Element

    from husky_lint.parse.html import HtmlDocument
    from husky_lint.parse.js import Script


@dataclass(frozen=True)
class LoadedScript:
    script: Script
    element: _Element
    deferred: bool


def scripts_of(document: HtmlDocument, files: dict[str, str]) -> list[LoadedScript]:
    """The scripts that a page runs; those with a ``src`` come from ``files``."""
    inline = {block.element: script for block, script in document.scripts}
    found = []
    for element in document.root.iter(f"{{{XHTML}}}script"):
        module = element.get("type") == "module"
        if element in inline:
            found.append(LoadedScript(inline[element], element, module))
        elif (source := element.get("src")) in files:
            script = parse_script(SourceText(str(source), files[str(source)]), module=module)
            found.append(LoadedScript(script, element, module or element.get("defer") is not None))
    return found


def page_model(html: str, files: dict[str, str] | None = None, **options: Any) -> ScriptModel:
    """A loaded model of a page."""
    document = parse_html(SourceText("index.html", html))
    media = options.pop("media", None) or MediaContext()
    model = ScriptModel(document, scripts_of(document, files or {}), media, **options)
    model.load()
    return model


def folder_model(folder: Path, **options: Any) -> ScriptModel:
    """A loaded model of a submission's page."""
    files = {path.name: path.read_text() for path in folder.glob("*.js")}
    return page_model((folder / "index.html").read_text(), files, **options)


def by_id(model: ScriptModel, name: str) -> _Element:
    """The first element with an id."""
    found = model.document.root.xpath("//*[@id=$name]", name=name)
    assert isinstance(found, list)
    return found[0]  # type: ignore[return-value]
