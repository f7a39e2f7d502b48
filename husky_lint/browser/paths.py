"""Where presses lead on a page: an address is a view and the presses after loading, and shows the same each time."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from husky_lint.browser.pressing import Press, press
from husky_lint.browser.stage import Measures
from husky_lint.rule import Reason, Undecided

if TYPE_CHECKING:
    from collections.abc import Callable

    from husky_lint.browser.stage import LivePage, Stage, Styles
    from husky_lint.style.media import MediaContext


@dataclass(frozen=True, slots=True)
class Address:
    """How the page gets where it is."""

    media: MediaContext
    presses: tuple[Press, ...] = ()

    def after(self, one: Press) -> Address:
        """Where one more press leads."""
        return Address(self.media, (*self.presses, one))


@dataclass(slots=True, eq=False)
class Held:
    """What is known of the page at an address: what it shows there, and what was measured of it."""

    page: LivePage
    styles: Styles | None = None
    measures: Measures = field(default_factory=Measures)


@dataclass(frozen=True, slots=True)
class Beside:
    """From where a page need not be loaded anew: after one of these presses instead of the last one.

    ``is_clean(page)`` says whether nothing is left of that press on the page.
    """

    presses: frozenset[Press]
    is_clean: Callable[[LivePage], bool]


class Paths:
    """The addresses that a page was at. It is brought to one only where that is needed."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self._held: dict[Address, Held | None] = {}
        self._on_stage: Address | None = None

    def held(self, address: Address, beside: Beside | None = None) -> Held | None:
        """What is at an address; None where one of the presses cannot be made.

        The first time the page is loaded for it, or pressed on from where it is ``beside``.
        """
        if address not in self._held:
            self._held[address] = self._from_beside(address, beside) or self._first(address)
        return self._held[address]

    def _from_beside(self, address: Address, beside: Beside | None) -> Held | None:
        here = self._on_stage
        if beside is None or here is None or here.media != address.media or not here.presses or not address.presses:
            return None
        if here.presses[:-1] != address.presses[:-1] or here.presses[-1] not in beside.presses:
            return None
        self._on_stage = None
        page = press(self.stage, address.presses[-1])
        if page is None or not beside.is_clean(page):
            return None
        self._on_stage = address
        return Held(page)

    def _first(self, address: Address) -> Held | None:
        if not address.presses:
            self._on_stage = None
            page = self.stage.load(address.media)
        else:
            before = Address(address.media, address.presses[:-1])
            if self.held(before) is None:
                return None
            self.bring(before)
            self._on_stage = None
            pressed = press(self.stage, address.presses[-1])
            if pressed is None:
                return None
            page = pressed
        self._on_stage = address
        return Held(page)

    def bring(self, address: Address, *, anew: bool = False) -> None:
        """Put the page there, freshly loaded with ``anew``. It has been there before.

        Raises Undecided where it does not show the same as the first time.
        """
        if self._on_stage == address and not anew:
            return
        self._on_stage = None
        page: LivePage | None = self.stage.load(address.media)
        for one in address.presses:
            page = press(self.stage, one)
            if page is None:
                break
        held = self._held[address]
        if page is None or held is None or page.looks != held.page.looks:
            raise Undecided(Reason.DYNAMIC_VALUE, "the page is not the same each time it is loaded")
        self._on_stage = address

    def leave(self) -> None:
        """Time has passed on stage: the page is at no address any more."""
        self._on_stage = None
