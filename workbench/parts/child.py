"""A child process that ends with its part and with its parent, even a parent that is killed."""
import contextlib
import ctypes
import os
import pwd
import signal
import subprocess
from collections.abc import Callable, Sequence
from typing import IO, Any

PR_SET_PDEATHSIG = 1   # <linux/prctl.h>
LIBC = ctypes.CDLL(None)
# Well above the time that any part takes to stop, well below the time-out of a test.
STOP_SECONDS = 3


def tie_to(parent: int) -> Callable[[], None]:
    """Returns a function for a new child, before it starts its program: the kernel kills the child with `parent`.

    The kernel forgets the tie when a process changes its user. A part that would drop root by itself is therefore
    started as the lesser user. The tie is to the thread of the parent: start children from the main thread.
    """
    def prepare() -> None:
        LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:   # the parent ended before the tie was made
            os._exit(1)
    return prepare


class Child:
    def __init__(
            self, command: Sequence[Any], stdin: Any = subprocess.DEVNULL, stdout: Any = None, stderr: Any = None,
            user: pwd.struct_passwd | None = None) -> None:
        """Starts `command` as `user`; None is the present user."""
        as_user: dict[str, Any] = {}
        if user:
            as_user = {'user': user.pw_uid, 'group': user.pw_gid, 'extra_groups': []}
        # A session of its own: a Ctrl-C in the terminal reaches this process alone, which stops the parts in order.
        self.process = subprocess.Popen(
            [str(word) for word in command], stdin=stdin, stdout=stdout, stderr=stderr,
            start_new_session=True, preexec_fn=tie_to(os.getpid()), **as_user)

    @property
    def stdin(self) -> IO[bytes]:
        """The pipe to the child. The child was started with one."""
        assert self.process.stdin
        return self.process.stdin

    @property
    def stdout(self) -> IO[bytes]:
        """The pipe from the child. The child was started with one."""
        assert self.process.stdout
        return self.process.stdout

    @property
    def running(self) -> bool:
        return self.process.poll() is None

    def signal(self, number: int) -> None:
        """Sends a signal to the process group of the child."""
        if self.running:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, number)

    def freeze(self) -> None:
        self.signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self.signal(signal.SIGCONT)

    def kill(self) -> None:
        """Kills the process as the kernel does: nothing is finished."""
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        self.signal(signal.SIGTERM)
        self.thaw()   # a frozen process would keep the signal for later
        try:
            self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.signal(signal.SIGKILL)
            self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe:
                with contextlib.suppress(BrokenPipeError):   # buffered input that has no reader any more
                    pipe.close()
