"""The one interface that rules read, and its static provider.

A rule never touches a parser or a browser. :class:`Evidence` is the union of narrow groups: what the files are
(:class:`FileEvidence`), what is painted in a state (:class:`SceneEvidence`), what script does
(:class:`ScriptEvidence`). :class:`StaticEvidence` computes each answer from the source, once; a browser provider
measures them. Where a provider cannot answer, it raises :class:`~husky_lint.rule.Undecided` and the clause is
``unknown``; where there is no page at all it raises :class:`~husky_lint.rule.PageMissing` and the clause fails.
"""

from __future__ import annotations

import posixpath
import re
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

from husky_lint.references import Kind, Place, Reference, document_references, place_of, resolve, stylesheet_references
from husky_lint.rule import PageMissing, Reason, Undecided
from husky_lint.style.words import words

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager

    from lxml.etree import _Element

    from husky_lint.parse.css import Stylesheet
    from husky_lint.parse.html import Comment, HtmlDocument
    from husky_lint.parse.icons import IconFile
    from husky_lint.parse.js import Script
    from husky_lint.rubric import Rubric
    from husky_lint.scene.graph import SceneGraph
    from husky_lint.scene.motion import Motion
    from husky_lint.script.animations import ScriptAnimation, StyledAnimation
    from husky_lint.script.effects import Effect, Listener, Response
    from husky_lint.script.journal import TreeMutation
    from husky_lint.script.model import ScriptDriven, ScriptModel
    from husky_lint.source import SourceText, Span
    from husky_lint.style.computed import StyledDocument, StyleEngine
    from husky_lint.style.media import MediaContext
    from husky_lint.style.states import PageState, PageStates
    from husky_lint.submission import Submission

T = TypeVar("T")

UNREAD = frozenset({"too-large", "zip-bomb", "unreadable", "too-many-files", "too-deep", "symlink-outside"})
"""Keys of input problems that leave a part of the submission unread."""

_MAX_IMPORTS = 50
_MAX_ASKED_FOR = 60
"""In how many looks of the page its script may ask for the animations that run."""
_MOVING_PARTS = words(
    """
    animation smil style d points x y cx cy r rx ry x1 y1 x2 y2 width height viewBox href left top transform translate
    rotate scale transform-origin transform-box offset offset-path offset-distance offset-rotate offset-position
    offset-anchor all cssText animation-name animation-duration animation-delay animation-play-state
    animation-timing-function animation-direction animation-iteration-count animation-fill-mode animation-composition
    """
)
_PLAYING = words(
    """
    playbackRate updatePlaybackRate currentTime startTime reverse cancel finish pause play effect timeline setKeyframes
    updateTiming
    """
)
"""What script may do to an animation of the page that it got from ``getAnimations()``."""
_IMAGE_SUFFIXES = frozenset(
    {
        ".png",
        ".jpg",
        ".jpeg",
        ".gif",
        ".webp",
        ".avif",
        ".bmp",
        ".ico",
        ".svg",
        ".svgz",
        ".tif",
        ".tiff",
        ".apng",
        ".jxl",
    }
)


@dataclass(frozen=True, slots=True)
class PageStylesheet:
    """A stylesheet that the page applies: of a ``<style>`` element, a ``<link>``, or imported by one of them.

    ``media`` is the media attribute (or the import's condition) as written, ``""`` for none. Imported sheets come
    before the sheet that imports them.
    """

    sheet: Stylesheet
    media: str
    element: _Element | None
    imported: bool = False


@dataclass(frozen=True, slots=True)
class PageScript:
    """A script of the page in document order. ``deferred`` ones (``defer``, modules) run after parsing.

    ``inline`` scripts lie in the page's own file. ``in_head`` says that the element stands in ``<head>``.
    """

    script: Script
    element: _Element
    inline: bool
    module: bool
    deferred: bool
    in_head: bool


@dataclass(frozen=True, eq=False)
class ScriptSurvey:
    """What the page's scripts do, in one view: while it loads, and at every event and timer that they wait for.

    The tree of the page is as written again; ``model`` is as it was after loading. ``limit`` says that some of it was
    too much to follow, so that what is not here may still happen.
    """

    model: ScriptModel
    effects: tuple[Effect, ...]
    listeners: tuple[Listener, ...]
    responses: tuple[Response, ...]
    driven: tuple[ScriptDriven, ...]
    limit: bool

    def everything(self) -> Iterator[tuple[Effect, Response | None]]:
        """The effects of loading, with None, and of all that comes after it, each with the response that it is of."""
        for effect in self.effects:
            yield effect, None
        for response in self.responses:
            for effect in (*response.effects, *response.later):
                yield effect, response

    @property
    def all_effects(self) -> tuple[Effect, ...]:
        """The effects of loading and of everything after it."""
        return tuple(effect for effect, _ in self.everything())

    @property
    def on_their_own(self) -> Iterator[Effect]:
        """The effects of loading, and of the timers and frames that it sets: nobody has to do anything for them."""
        for effect, response in self.everything():
            if response is None or response.type in ("timer", "frame"):
                yield effect


def _plays_animations(effect: Effect) -> bool:
    """Whether script takes an animation of the stylesheet into its own hands; which one is not known."""
    return effect.kind == "unknown" and effect.name in _PLAYING and getattr(effect.target, "reason", "") == "layout"


def _touches_a_sheet(mutation: TreeMutation) -> bool:
    """Whether a mutation is of a ``<link>`` that brings a style sheet."""
    element = getattr(mutation, "node", None)
    element = getattr(mutation, "element", None) if element is None else element
    is_link = element is not None and str(element.tag).endswith("}link")
    return is_link and "stylesheet" in (element.get("rel") or "").lower()  # type: ignore[union-attr]


class FileEvidence(Protocol):
    """What the files of the submission say."""

    @property
    def submission(self) -> Submission:
        """The files."""

    @property
    def page(self) -> HtmlDocument:
        """index.html (or the only page). Raises PageMissing, or Undecided when it was too large to read."""

    @property
    def pages(self) -> Mapping[str, HtmlDocument]:
        """Every HTML file by path."""

    @property
    def stylesheets(self) -> tuple[PageStylesheet, ...]:
        """The stylesheets that the page applies, in cascade order. Raises Undecided when one was too large to read."""

    @property
    def scripts(self) -> tuple[PageScript, ...]:
        """The scripts that the page runs, in document order. Raises Undecided when one was too large to read."""

    @property
    def tools(self) -> Mapping[str, Script]:
        """Every other script file by path, such as tools/audit.js."""

    @property
    def svg_files(self) -> Mapping[str, HtmlDocument]:
        """Every .svg file by path."""

    @property
    def icons(self) -> Mapping[str, IconFile]:
        """Every .ico and .svg file that the page uses as an icon or that is named favicon, by path."""

    @property
    def image_files(self) -> tuple[str, ...]:
        """Paths of every raster or vector image file."""

    @property
    def references(self) -> tuple[Reference, ...]:
        """Every URL in the page, its stylesheets and SVG files (not those of script)."""

    @property
    def comments(self) -> tuple[Comment, ...]:
        """The comments of the page."""

    def element_span(self, element: _Element) -> Span:
        """The start tag of an element of the page."""

    def attribute_span(self, element: _Element, attribute: str) -> Span:
        """The value of an attribute, else its name, else the start tag."""


class SceneEvidence(Protocol):
    """What is painted where, in a state."""

    @property
    def states(self) -> PageStates:
        """The states of the page and how it spells them."""

    def states_in(self, media: MediaContext) -> PageStates:
        """The same in another view, such as a phone's."""

    @property
    def scene(self) -> SceneGraph:
        """The scene's graph as the page loads. Raises Undecided(scene-not-found)."""

    def scene_in(self, state: PageState) -> SceneGraph:
        """The scene's graph in a state, with what script adds and removes. Raises Undecided(scene-not-found)."""

    @property
    def style_engine(self) -> StyleEngine:
        """What the styles of all states share: the rules that a browser drops, every selector."""

    def style(self, state: PageState) -> StyledDocument:
        """The cascade in a state."""

    def motion(self, state: PageState) -> Motion:
        """Where everything is at any time, in a state."""

    def motion_of(self, state: PageState, elements: Sequence[_Element]) -> Motion:
        """Where some elements are, in a state that is looked at for them alone: the rest of the scene is left out."""

    def rest(self, state: PageState) -> Motion:
        """The rest pose of a state: every animation removed, at any time the same."""


class ScriptEvidence(Protocol):
    """What script does."""

    @property
    def script(self) -> ScriptSurvey:
        """What the page's scripts do on a desktop without preferences."""

    def script_in(self, media: MediaContext) -> ScriptSurvey:
        """What they do in another view, such as one that prefers reduced motion."""

    def at_work(self, media: MediaContext | None = None) -> AbstractContextManager[ScriptModel]:
        """The page freshly loaded in a view, to be worked for the time of a ``with``; the tree comes back as it was.

        Not to be entered twice, nor while a state is worked out.
        """

    def load_page(self, media: MediaContext | None = None, **options: Any) -> ScriptModel:
        """The page loaded anew, from the tree as it is now, and put away (see ``ScriptModel.at_work``).

        ``options`` are those of :class:`~husky_lint.script.model.ScriptModel`.
        """


class Evidence(FileEvidence, SceneEvidence, ScriptEvidence, Protocol):
    """Everything a rule may ask."""

    @property
    def rubric(self) -> Rubric:
        """The rubric that is being judged."""

    @property
    def pins(self) -> Mapping[str, str]:
        """Selectors that the configuration pins roles to, by role."""

    @property
    def doubt(self) -> str | None:
        """Why the page may not be what is answered here, so that nothing passes by it; None where it is."""

    def derived(self, infer: Callable[[Evidence], T]) -> T:
        """``infer(self)``, worked out once, an Undecided that it raised included. For a pack's own inferences."""


class StaticEvidence:
    """Evidence computed from the source alone. Every answer is worked out once, and not before it is asked for."""

    def __init__(
        self, submission: Submission, rubric: Rubric, *, pins: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        self.submission = submission
        self.rubric = rubric
        self.pins = pins
        self._kept: dict[Hashable, tuple[object, Exception | None]] = {}
        self._kept_of_scenes: dict[str, Any] = {}
        self._pages_loaded: list[ScriptModel] = []
        self._asked_for: dict[Hashable, tuple[Sequence[StyledAnimation], PageState]] = {}

    def _once(self, key: Hashable, work: Callable[[], T]) -> T:
        if key not in self._kept:
            try:
                self._kept[key] = (work(), None)
            except (Undecided, PageMissing) as said:
                self._kept[key] = (None, said)
        value, said_before = self._kept[key]
        if said_before is not None:
            raise said_before.with_traceback(None)
        return cast("T", value)

    def let_go(self) -> None:
        """Forget everything; nothing can be asked after that.

        Much of it hangs together in circles, in which Python would leave it until its collector has looked through all
        that there is. What has a ``let_go`` of its own, of the answers and of the pages that were loaded, opens its.
        """
        held = (*self._pages_loaded, *(answer for answer, _ in self._kept.values()))
        for answer in {id(answer): answer for answer in held if hasattr(answer, "let_go")}.values():
            cast("Any", answer).let_go()
        if self._pages_loaded:
            from husky_lint.script.compiler import forget_compiled

            for page_script in self.scripts:
                forget_compiled(page_script.script)
        vars(self).clear()

    def derived(self, infer: Callable[[Evidence], T]) -> T:
        """See :meth:`Evidence.derived`."""
        return self._once(("derived", infer), lambda: infer(self))

    @property
    def doubt(self) -> str | None:
        """See :attr:`Evidence.doubt`."""
        return self._once("doubt", self._find_doubt)

    def _find_doubt(self) -> str | None:
        from husky_lint.departures import departure
        from husky_lint.policy import blocking_policy

        try:
            policy = blocking_policy(self.page)
            if policy is not None:
                return f"a content security policy may keep styles or scripts away: {policy}"[:300]
            return departure(self.script)
        except (Undecided, PageMissing):
            return None

    # ------------------------------------------------------------------ files

    @property
    def page(self) -> HtmlDocument:
        """See :attr:`FileEvidence.page`."""
        return self._once("page", self._find_page)

    def _find_page(self) -> HtmlDocument:
        path = self.submission.page
        self._text(path)
        document = self.pages.get(path) or self.svg_files.get(path)
        if document is None:
            raise PageMissing(f"there is no {path}")
        return document

    @cached_property
    def pages(self) -> Mapping[str, HtmlDocument]:
        """See :attr:`FileEvidence.pages`."""
        from husky_lint.parse.html import parse_html

        return {
            path: parse_html(file.text)
            for path, file in self.submission.files.items()
            if path.lower().endswith((".html", ".htm", ".xhtml"))
        }

    @cached_property
    def svg_files(self) -> Mapping[str, HtmlDocument]:
        """See :attr:`FileEvidence.svg_files`."""
        from husky_lint.parse.svg import parse_svg

        return {
            path: parse_svg(file.text) for path, file in self.submission.files.items() if path.lower().endswith(".svg")
        }

    @property
    def stylesheets(self) -> tuple[PageStylesheet, ...]:
        """See :attr:`FileEvidence.stylesheets`."""
        return self._once("stylesheets", lambda: tuple(self._find_stylesheets()))

    def _find_stylesheets(self) -> Iterator[PageStylesheet]:
        blocks = {block.element: sheet for block, sheet in self.page.stylesheets}
        linked = {r.element: r for r in self._page_references if r.kind is Kind.STYLESHEET and r.element is not None}
        for element in self.page.elements:
            media = element.get("media") or ""
            if element in blocks:
                yield from self._with_imports(blocks[element], media, element)
            elif element in linked and element.get("disabled") is None:
                rel = (element.get("rel") or "").lower().split()
                path = linked[element].path
                sheet = self.file_stylesheet(path) if path is not None and "alternate" not in rel else None
                if sheet is not None:
                    yield from self._with_imports(sheet, media, element)

    def file_stylesheet(self, path: str) -> Stylesheet | None:
        """The stylesheet of a file, ``None`` when it is not there. Raises Undecided when it was too large to read."""
        return self._once(("sheet", path), lambda: self._parse_sheet(path))

    def _parse_sheet(self, path: str) -> Stylesheet | None:
        from husky_lint.parse.css import parse_stylesheet

        text = self._text(path)
        return parse_stylesheet(text) if text is not None else None

    def _with_imports(
        self,
        sheet: Stylesheet,
        media: str,
        element: _Element | None,
        imported: bool = False,
        above: tuple[str, ...] = (),
    ) -> Iterator[PageStylesheet]:
        if len(above) < _MAX_IMPORTS:
            for reference in stylesheet_references(sheet):
                if reference.kind is Kind.IMPORT and reference.path is not None and reference.path not in above:
                    target = self.file_stylesheet(reference.path)
                    if target is not None:
                        condition = _import_condition(sheet.source.slice(reference.span))
                        joined = " and ".join(part for part in (media, condition) if part)
                        yield from self._with_imports(target, joined, element, True, (*above, reference.path))
        yield PageStylesheet(sheet, media, element, imported)

    @property
    def scripts(self) -> tuple[PageScript, ...]:
        """See :attr:`FileEvidence.scripts`."""
        return self._once("scripts", lambda: tuple(self._find_scripts()))

    def _find_scripts(self) -> Iterator[PageScript]:
        from husky_lint.parse.js import parse_script

        blocks = {block.element: (block.kind == "module", script) for block, script in self.page.scripts}
        linked = {r.element: r for r in self._page_references if r.kind is Kind.SCRIPT and r.element is not None}
        for element in self.page.elements:
            if element not in blocks and element not in linked:
                continue
            in_head = any(str(ancestor.tag).endswith("}head") for ancestor in element.iterancestors())
            if element in blocks:
                module, script = blocks[element]
                yield PageScript(script, element, True, module, module, in_head)
                continue
            path = linked[element].path
            kind = (element.get("type") or "").strip().lower()
            if not linked[element].loaded or path is None or kind == "importmap":
                continue
            text = self._text(path)
            if text is None:
                continue
            module = kind == "module"
            deferred = module or element.get("defer") is not None
            yield PageScript(parse_script(text, module=module), element, False, module, deferred, in_head)

    @cached_property
    def tools(self) -> Mapping[str, Script]:
        """See :attr:`FileEvidence.tools`."""
        from husky_lint.parse.js import parse_script

        run = {r.path for r in self._page_references if r.kind is Kind.SCRIPT} if self._has_page else set()
        return {
            path: parse_script(file.text, module=path.endswith(".mjs"))
            for path, file in self.submission.files.items()
            if path.lower().endswith((".js", ".mjs", ".cjs")) and path not in run and "node_modules/" not in path
        }

    @cached_property
    def icons(self) -> Mapping[str, IconFile]:
        """See :attr:`FileEvidence.icons`."""
        from husky_lint.parse.icons import parse_icon

        used = {r.path for r in self._page_references if r.kind is Kind.ICON} if self._has_page else set()
        return {
            path: parse_icon(path, file.raw)
            for path, file in self.submission.files.items()
            if path.lower().endswith((".ico", ".svg"))
            and (path in used or "favicon" in posixpath.basename(path).lower())
        }

    @cached_property
    def image_files(self) -> tuple[str, ...]:
        """Paths of every raster or vector image file."""
        return tuple(p for p in self.submission.files if posixpath.splitext(p)[1].lower() in _IMAGE_SUFFIXES)

    @cached_property
    def _has_page(self) -> bool:
        try:
            return self.page is not None
        except (Undecided, PageMissing):
            return False

    @cached_property
    def _page_references(self) -> tuple[Reference, ...]:
        return tuple(document_references(self.page))

    @property
    def references(self) -> tuple[Reference, ...]:
        """See :attr:`FileEvidence.references`."""
        return self._once("references", lambda: tuple(self._find_references()))

    def _find_references(self) -> Iterator[Reference]:
        yield from self._page_references
        seen: set[int] = set()
        for page_sheet in self.stylesheets:
            if id(page_sheet.sheet) not in seen:
                seen.add(id(page_sheet.sheet))
                yield from stylesheet_references(page_sheet.sheet)
        for document in self.svg_files.values():
            yield from document_references(document)

    @property
    def comments(self) -> tuple[Comment, ...]:
        """See :attr:`FileEvidence.comments`."""
        return self._once("comments", lambda: self.page.comments)

    def element_span(self, element: _Element) -> Span:
        """See :meth:`FileEvidence.element_span`."""
        return self.page.spans(element).start_tag

    def attribute_span(self, element: _Element, attribute: str) -> Span:
        """See :meth:`FileEvidence.attribute_span`."""
        return self.page.attribute_span(element, attribute)

    def _text(self, path: str) -> SourceText | None:
        """The text of a file, None when it is not there; one that is there and unread leaves its clauses undecided."""
        file = self.submission.files.get(path)
        unread = file is not None and file.omitted
        for problem in self.submission.problems:
            if problem.path == path and (unread or (file is None and problem.key in UNREAD)):
                raise Undecided(Reason.LIMIT, f"{path}: {problem.message}")
        return None if file is None else file.text

    # ------------------------------------------------------------------ scene, script

    @property
    def states(self) -> PageStates:
        """See :attr:`SceneEvidence.states`."""
        return self._once("states", self._infer_states)

    def states_in(self, media: MediaContext) -> PageStates:
        """See :meth:`SceneEvidence.states_in`."""
        return self._once(("states", media), lambda: self._infer_states(media))

    def _infer_states(self, media: MediaContext | None = None) -> PageStates:
        from husky_lint.style.states import infer_states

        sheets = [page_sheet.sheet for page_sheet in (*self.stylesheets, *self._switched_off)]
        return infer_states(self.page, sheets, self.rubric.vocabulary, self._applied_page, media, self._finished)

    @cached_property
    def _switched_off(self) -> tuple[PageStylesheet, ...]:
        """The sheets of links that are disabled in the source: script may switch them on."""
        from husky_lint.style.linked import is_sheet_link

        links = [one for one in self.page.elements if is_sheet_link(one) and one.get("disabled") is not None]
        found = (self._linked_sheet(link, link.get("href") or "", link.get("media") or "") for link in links)
        return tuple(sheet for sheet in found if sheet is not None)

    def _linked_sheet(self, link: _Element, href: str, media: str) -> PageStylesheet | None:
        """What a link gives with this address: the same object each time."""
        path = resolve(href, self.page.source.path) if place_of(href) is Place.LOCAL else None
        sheet = self.file_stylesheet(path) if path is not None else None
        if sheet is None:
            return None
        return self._once(("sheet of link", link, path, media), lambda: PageStylesheet(sheet, media, link))

    def _finished(self, state: PageState) -> PageState:
        from husky_lint.style.linked import linked_sheets

        links, lost = linked_sheets(state.mutations, self._linked_sheet)
        if links or lost:
            doubt = {"sheets": Reason.UNSUPPORTED_CSS.value} if lost else {}
            state = replace(state, links=links, unknown=MappingProxyType({**state.unknown, **doubt}))
        return state if "sheets" in state.unknown else self._with_animations(state)

    def _with_animations(self, state: PageState) -> PageState:
        from husky_lint.animation.scripted import with_animations
        from husky_lint.parse.css import parse_stylesheet
        from husky_lint.source import SourceText

        def sheet_of(animation: ScriptAnimation, text: str) -> Stylesheet:
            """The same sheet in every state that has the animation."""
            file = animation.span.file if animation.span is not None else self.page.source.path
            key = ("sheet of animation", text, animation.span)
            return self._once(key, lambda: parse_stylesheet(SourceText(file, text), inline=True, at=animation.span))

        return with_animations(state, self.style, sheet_of)

    @property
    def scene(self) -> SceneGraph:
        """See :attr:`SceneEvidence.scene`."""
        return self.scene_in(self.states.initial)

    def scene_in(self, state: PageState) -> SceneGraph:
        """See :meth:`SceneEvidence.scene_in`."""
        from husky_lint.scene.changes import scene_changes
        from husky_lint.script.journal import apply_all, undo_all

        changes = scene_changes(state.mutations, self._shown_ids)

        def build() -> SceneGraph:
            if not changes:
                return self._find_scene()
            apply_all(state.mutations)
            try:
                return self._find_scene()
            finally:
                undo_all(state.mutations)

        return self._once(("scene", changes), build)

    @cached_property
    def _shown_ids(self) -> frozenset[str]:
        from husky_lint.scene.changes import shown_ids

        return shown_ids(self.page.root)

    def _find_scene(self) -> SceneGraph:
        from husky_lint.scene.graph import build_scene, find_scene

        root = find_scene(self.page)
        if root is None:
            raise Undecided(Reason.SCENE_NOT_FOUND, "the page has no inline svg")
        return build_scene(self.page, root, kept=self._kept_of_scenes)

    def style(self, state: PageState) -> StyledDocument:
        """See :meth:`SceneEvidence.style`. Raises Undecided where it is not known which sheets the state has."""
        if state.unknown.get("sheets") is not None:
            raise Undecided(Reason(state.unknown["sheets"]), f"a style sheet could not be told: {state.label}")
        return self.style_engine.style(state)

    @property
    def style_engine(self) -> StyleEngine:
        """What the styles of all states share."""
        return self._once("style engine", self._make_style_engine)

    def _make_style_engine(self) -> StyleEngine:
        from husky_lint.style.computed import StyleEngine

        def imported(sheet: Stylesheet, url: str) -> Stylesheet | None:
            path = resolve(url, sheet.source.path)
            return self.file_stylesheet(path) if path is not None else None

        own = [page_sheet for page_sheet in self.stylesheets if not page_sheet.imported]
        return StyleEngine(self.page, own, import_sheet=imported)

    def motion(self, state: PageState) -> Motion:
        """See :meth:`SceneEvidence.motion`."""
        return self._once(("motion", state), lambda: self._make_motion(state, animated=True))

    def rest(self, state: PageState) -> Motion:
        """See :meth:`SceneEvidence.rest`."""
        return self._once(("rest", state), lambda: self._make_motion(state, animated=False))

    def motion_of(self, state: PageState, elements: Sequence[_Element]) -> Motion:
        """See :meth:`SceneEvidence.motion_of`."""
        return self.motion(state)  # which looks at no more of the scene than it is asked about

    def _make_motion(self, state: PageState, *, animated: bool) -> Motion:
        from husky_lint.scene.motion import Motion

        moved = self._moved_by_script(state)
        return Motion(self.style(state), self.scene_in(state), script_driven=moved, animated=animated)

    def _moved_by_script(self, state: PageState) -> list[_Element]:
        survey = self.script_in(state.media)
        if any(map(_plays_animations, survey.on_their_own)):
            from husky_lint.scene.graph import local_name

            return [child for one in self.page.elements if local_name(one) == "svg" for child in one.iterchildren("*")]
        return [*state.scripted.driven, *(driven.element for driven in survey.driven if self._moves(driven.part))]

    def _moves(self, part: str) -> bool:
        """Whether writing an attribute or ``style/PROPERTY`` again and again can move something."""
        name = part.removeprefix("style/")
        if name.startswith("--"):  # only where some style asks for it
            return any(f"var({name}" in s.sheet.source.text.replace(" ", "") for s in self.stylesheets)
        return name in _MOVING_PARTS

    @property
    def script(self) -> ScriptSurvey:
        """See :attr:`ScriptEvidence.script`."""
        from husky_lint.style.media import MediaContext

        return self.script_in(MediaContext())

    def script_in(self, media: MediaContext) -> ScriptSurvey:
        """See :meth:`ScriptEvidence.script_in`."""
        return self._once(("script", media), lambda: self._survey(media))

    @contextmanager
    def at_work(self, media: MediaContext | None = None) -> Iterator[ScriptModel]:
        """See :meth:`ScriptEvidence.at_work`."""
        from husky_lint.style.media import MediaContext

        with self._page_in(media or MediaContext()).at_work() as model:
            yield model

    def load_page(self, media: MediaContext | None = None, **options: Any) -> ScriptModel:
        """See :meth:`ScriptEvidence.load_page`."""
        from husky_lint.animation.scripted import styled_animations, what_animates
        from husky_lint.script.journal import apply_all, undo_all
        from husky_lint.script.model import ScriptModel
        from husky_lint.style.media import MediaContext
        from husky_lint.style.page_state import PageState
        from husky_lint.style.playthrough import SourceStyles

        written, own = self._once("source styles", lambda: (SourceStyles(self.page), frozenset(self.page.elements)))

        def animations_of(view: MediaContext, mutations: Sequence[TreeMutation]) -> Sequence[StyledAnimation] | None:
            sheets, lost = written.written(mutations)
            if lost or any(map(_touches_a_sheet, mutations)):
                return None
            key = (view, *map(id, sheets), *what_animates(mutations, own))
            if key not in self._asked_for:  # what the key identifies is held beside the answer
                if len(self._asked_for) >= _MAX_ASKED_FOR:
                    return None
                undo_all(mutations)
                try:
                    state = PageState("asked for", view, tuple(mutations), sheets)
                    self._asked_for[key] = (styled_animations(self.style_engine.style(state)), state)
                finally:
                    apply_all(mutations)
            return self._asked_for[key][0]

        options.setdefault("animations_of", animations_of)
        model = ScriptModel(self.page, self.scripts, media or MediaContext(), **options)
        self._pages_loaded.append(model)
        model.load()
        model.put_away()
        return model

    def _page_in(self, media: MediaContext) -> ScriptModel:
        """The page loaded in a view and put away, the same each time."""
        return self._once(("page", media), lambda: self.load_page(media))

    def _survey(self, media: MediaContext) -> ScriptSurvey:
        with self._page_in(media).at_work() as model:
            effects, listeners = model.effects, model.listeners
            responses, driven = model.survey(), model.script_driven()
            limit = model.limit or any(response.limit for response in responses)
        return ScriptSurvey(model, effects, listeners, responses, driven, limit)

    def _applied_page(self, media: MediaContext) -> ScriptModel:
        """A loaded page whose tree shows it, for the states, which give the tree back and keep the model."""
        model = self._page_in(media)
        model.show()
        return model


def _import_condition(prelude: str) -> str:
    """The media condition of an ``@import`` prelude: what follows its URL, layer and supports parts."""
    text = re.sub(r"""^\s*(?:url\([^)]*\)|"[^"]*"|'[^']*')\s*""", "", prelude, flags=re.IGNORECASE)
    text = re.sub(r"^layer(?:\([^)]*\))?\s*", "", text, flags=re.IGNORECASE)
    return re.sub(r"^supports\((?:[^()]|\([^)]*\))*\)\s*", "", text, flags=re.IGNORECASE).strip()


__all__ = [
    "Evidence",
    "FileEvidence",
    "Kind",
    "PageScript",
    "PageStylesheet",
    "Place",
    "Reference",
    "SceneEvidence",
    "ScriptEvidence",
    "ScriptSurvey",
    "StaticEvidence",
    "place_of",
    "resolve",
]
