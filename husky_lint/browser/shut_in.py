"""Runs one command shut in: no network but its own loopback, bounded files, nothing of it left behind.

Run as a script: ``python -I shut_in.py STATUS_FD COMMAND…``. On STATUS_FD it says ``namespace`` where the system gave
it a network of its own, else ``open`` and why. It stays the parent of all that the command starts, whatever that does
to get away, ends what is left of it with the command, and dies with its own parent. Exits as the command does.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import struct
import sys
from contextlib import suppress

MOST_FILE_BYTES = 200_000_000
_CLONE_NEWUSER, _CLONE_NEWNET = 0x10000000, 0x40000000
_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36
_SIOCGIFFLAGS, _SIOCSIFFLAGS, _IFF_UP = 0x8913, 0x8914, 0x1


def leave_network() -> None:
    """Move into a network of this process alone, with nothing but a loopback. Raises OSError where that is refused."""
    libc = ctypes.CDLL(None, use_errno=True)
    uid, gid = os.geteuid(), os.getegid()
    if uid != 0 or libc.unshare(_CLONE_NEWNET) != 0:
        if libc.unshare(_CLONE_NEWUSER | _CLONE_NEWNET) != 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
            with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
                file.write(text)
    _raise_loopback()


def _raise_loopback() -> None:
    import fcntl
    import socket

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        asked = struct.pack("16sh14x", b"lo", 0)
        flags = struct.unpack("16sh14x", fcntl.ioctl(any_socket, _SIOCGIFFLAGS, asked))[1]
        fcntl.ioctl(any_socket, _SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", flags | _IFF_UP))


def _adopt() -> None:
    """Stay the parent of every orphan below, and go when the own parent goes."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)


def _children() -> list[int]:
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            with suppress(OSError, ValueError, IndexError), open(f"/proc/{name}/stat", errors="replace") as file:
                if int(file.read().rpartition(")")[2].split()[1]) == os.getpid():
                    found.append(int(name))
    return found


def _end_the_rest() -> None:
    """Kill what the command left; whoever loses its parent by that comes here, and is killed in turn."""
    while children := _children():
        for pid in children:
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
            with suppress(OSError):
                os.waitpid(pid, 0)


def _give_up(*_: object) -> None:
    _end_the_rest()
    os._exit(128 + signal.SIGTERM)


def main(arguments: list[str]) -> int:
    """Run the command; gives its exit status, or 128 and the number of the signal that ended it."""
    status_fd, command = int(arguments[0]), arguments[1:]
    said = "namespace"
    try:
        if sys.platform == "linux":
            leave_network()
            _adopt()
        else:
            said = f"open: {sys.platform} has no network namespaces"
    except OSError as error:
        said = f"open: {error.strerror}"
        _adopt()
    os.write(status_fd, said.encode())
    os.close(status_fd)
    resource.setrlimit(resource.RLIMIT_FSIZE, (MOST_FILE_BYTES, MOST_FILE_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGTERM, _give_up)
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        try:
            os.execv(command[0], command)
        finally:
            os._exit(127)
    _, ended = os.waitpid(child, 0)
    _end_the_rest()
    return os.waitstatus_to_exitcode(ended) if os.WIFEXITED(ended) else 128 + os.WTERMSIG(ended)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
