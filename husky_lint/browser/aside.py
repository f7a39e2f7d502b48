"""Work that goes on while other work waits for the browser, in one thread.

Playwright's sync API waits by handing over to a greenlet that runs an event loop. Whatever else is to go on meanwhile
is another greenlet, which that loop resumes when what it waits for has come.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Generic, TypeVar
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from collections.abc import Callable

    from greenlet import greenlet  # type: ignore[import-untyped]

T = TypeVar("T")
_loops: WeakKeyDictionary[asyncio.AbstractEventLoop, greenlet] = WeakKeyDictionary()
"""The greenlet in which each loop runs."""


class DriverLost(Exception):  # noqa: N818
    """Playwright's driver ended while work went on aside."""


class Aside(Generic[T]):
    """Some work, begun when the present one first waits. Its own waits hand back. Playwright must have been started."""

    def __init__(self, work: Callable[[], T]) -> None:
        self._work = work
        self._value: T | None = None
        self._error: BaseException | None = None
        self._is_done = False
        self._waiting: greenlet | None = None
        self._own: greenlet | None = None
        self._loop = asyncio.get_running_loop()  # Playwright says of its loop that it runs, between calls too
        self._loop.call_soon(self._begin)

    def _begin(self) -> None:
        from greenlet import getcurrent, greenlet

        _loops[self._loop] = getcurrent()
        if self._own is None and not self._is_done:
            self._own = greenlet(self._run)  # its parent is the greenlet of the loop: there it ends
            self._own.switch()

    def _run(self) -> None:
        try:
            self._value = self._work()
        except BaseException as error:  # whoever asks for the result gets it
            self._error = error
        self._is_done = True
        if self._waiting is not None:
            self._loop.call_soon(self._waiting.switch)

    def result(self) -> T:
        """What the work came to, waited for; what it raised is raised here. Raises DriverLost."""
        from greenlet import getcurrent

        if self._own is None and not self._is_done:
            self._own = getcurrent()  # nothing has waited yet: it is done here and now
            self._run()
        while not self._is_done:
            loop = _loops[self._loop]
            if loop.dead:
                raise DriverLost("the browser's driver ended")
            self._waiting = getcurrent()
            loop.switch()
        if self._error is not None:
            raise self._error
        return self._value  # type: ignore[return-value]

    def drop(self) -> None:
        """End the work where it is, if it has not come to its end."""
        from greenlet import GreenletExit, getcurrent

        own, self._is_done = self._own, True
        if own is not None and not own.dead and own is not getcurrent():
            own.parent = getcurrent()
            own.throw(GreenletExit)


def give_way() -> None:
    """Let what is aside go on as far as it can without waiting, where Playwright runs."""
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        return
    from greenlet import getcurrent

    runner = _loops.get(loop)
    if runner is not None and not runner.dead:
        loop.call_soon(getcurrent().switch)
        runner.switch()
