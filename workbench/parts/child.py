"""A child process that surely ends: with its part, with its parent, even when that one is killed."""
import contextlib
import ctypes
import os
import signal
import subprocess

PR_SET_PDEATHSIG = 1   # <linux/prctl.h>
LIBC = ctypes.CDLL(None)
# Well above what any part takes to end in good order, well below a test's patience.
STOP_SECONDS = 3


def tie_to(parent):
    """For a new child, before it becomes its program: the kernel kills it when `parent` ends.

    The kernel forgets this when a process changes its user, so a part that would drop root by
    itself is started as the lesser user in the first place. The tie is to the parent's thread:
    start children from the main one.
    """
    def prepare():
        LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:   # it ended before the tie was made
            os._exit(1)
    return prepare


class Child:
    def __init__(self, command, stdin=subprocess.DEVNULL, stdout=None, stderr=None, user=None):
        """`user` is a pwd entry, or None for our own."""
        as_user = {}
        if user:
            as_user = {'user': user.pw_uid, 'group': user.pw_gid, 'extra_groups': []}
        # A session of its own: a Ctrl-C in the terminal reaches us alone, and we stop the parts in order.
        self.process = subprocess.Popen(
            [str(word) for word in command], stdin=stdin, stdout=stdout, stderr=stderr,
            start_new_session=True, preexec_fn=tie_to(os.getpid()), **as_user)

    @property
    def running(self):
        return self.process.poll() is None

    def signal(self, number):
        if self.running:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, number)

    def freeze(self):
        self.signal(signal.SIGSTOP)

    def thaw(self):
        self.signal(signal.SIGCONT)

    def stop(self):
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
