"""Base class of the parts: start, stop, freeze, thaw, a log, and a stop at the end of the `with` block."""
import pathlib
import select
import time
from collections.abc import Callable
from types import TracebackType
from typing import IO, Any, Self

from workbench.parts.child import Child

START_SECONDS = 10   # any part starts in well under one second on an idle machine


class StartError(Exception):
    """A part did not start. The text has the reason and the end of the log."""


class Part:
    name = 'part'

    def __init__(self, directory: pathlib.Path) -> None:
        """`directory` belongs to the caller and takes sockets, settings and logs."""
        self.directory = directory
        self.log = directory / f'{self.name}.log'
        self.child: Child | None = None

    def start(self) -> None:
        raise NotImplementedError

    @property
    def running(self) -> bool:
        return self.child is not None and self.child.running

    @property
    def started(self) -> Child:
        """The running child. BrokenPipeError when the part is stopped."""
        if self.child is None:
            raise BrokenPipeError(f'{self.name} is not running')
        return self.child

    def stop(self) -> None:
        if self.child:
            self.child.stop()
            self.child = None

    def kill(self) -> None:
        """Kills the process with SIGKILL; `start` starts the part again."""
        self.started.kill()

    def freeze(self) -> None:
        """Stops the process: connections stay open, and nothing answers."""
        if self.child:
            self.child.freeze()

    def thaw(self) -> None:
        if self.child:
            self.child.thaw()

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(
            self, kind: type[BaseException] | None = None, reason: BaseException | None = None,
            trace: TracebackType | None = None) -> None:
        self.stop()

    def log_file(self) -> IO[bytes]:
        return open(self.log, 'ab')

    def failed(self, problem: str) -> StartError:
        """Returns the error for `problem`, with the end of the log."""
        tail = self.log.read_text(errors='replace')[-2000:] if self.log.exists() else ''
        return StartError(f'{self.name}: {problem}. Its log ends:\n{tail or "(empty)"}')

    def first_line(self, pipe: Any) -> str:
        """Returns the first line of output, by which the child announces that it is ready."""
        ready, _, _ = select.select([pipe], [], [], START_SECONDS)
        line = pipe.readline().decode().strip() if ready else ''
        if not line:
            raise self.failed(f'wrote nothing within {START_SECONDS} s')
        return str(line)

    def wait_until(self, is_ready: Callable[[], bool]) -> None:
        deadline = time.monotonic() + START_SECONDS
        while not is_ready():
            if not self.running:
                raise self.failed(f'ended at once with status {self.started.process.returncode}')
            if time.monotonic() > deadline:
                raise self.failed(f'was not ready within {START_SECONDS} s')
            time.sleep(0.02)   # a new listening socket sends no event: poll it
