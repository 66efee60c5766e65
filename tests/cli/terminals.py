"""A program on a pseudo-terminal: what it shows there, and when."""
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time

import pytest

ESCAPE = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


def without_escapes(text):
    return ESCAPE.sub("", text)


class Terminal:
    """`streams`: what of the program is the terminal; the rest is a pipe. `environment`: None removes a variable."""

    def __init__(self, program, arguments, folder, streams=("stdout", "stderr"), columns=80, environment=None):
        try:
            self.ours, theirs = pty.openpty()
        except OSError:
            pytest.skip("this machine has no pseudo-terminals")
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        variables = {**os.environ, "TERM": "xterm", "NO_COLOR": None, **(environment or {})}
        ends = {name: theirs if name in streams else subprocess.PIPE for name in ("stdout", "stderr")}
        self.process = subprocess.Popen([program, *map(str, arguments)], cwd=folder, stdin=subprocess.DEVNULL, **ends,
                                        env={name: value for name, value in variables.items() if value is not None})
        os.close(theirs)
        self.start = time.monotonic()
        self.pieces = []  # when, and what

    @property
    def text(self):
        return b"".join(piece for _, piece in self.pieces).decode(errors="replace")

    def read(self, seconds=None, until=None):
        """All there is until the end, or for so long, or until something is shown."""
        deadline = time.monotonic() + (120 if seconds is None else seconds)
        while time.monotonic() < deadline and not (until and until in self.text):
            if not select.select([self.ours], [], [], 0.02)[0]:
                continue
            try:
                piece = os.read(self.ours, 65536)
            except OSError:  # the program has ended
                break
            if not piece:
                break
            self.pieces.append((time.monotonic() - self.start, piece))
        return self.text

    def interrupt(self):
        """Seconds until it has ended."""
        sent = time.monotonic()
        self.process.send_signal(signal.SIGINT)
        self.read()
        assert self.process.wait(timeout=60) == 130
        return time.monotonic() - sent

    def end(self, code=0):
        """The text, once it has ended as it should."""
        self.read()
        assert self.process.wait(timeout=120) == code, self.text
        return self.text.replace("\r\n", "\n")

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(timeout=60)
        for pipe in (self.process.stdout, self.process.stderr):
            if pipe:
                pipe.close()
        os.close(self.ours)
