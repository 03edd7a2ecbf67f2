"""A real gpsd that reads a walk through Milan from a pseudo-terminal."""
import os
import pathlib
import pwd
import subprocess

from workbench.parts.child import Child
from workbench.parts.part import Part
from workbench.parts.port import answers, free_port
from workbench.paths import program

PROGRAM = '/usr/sbin/gpsd'   # the path in Debian; not on the PATH of every user


def lesser_user() -> pwd.struct_passwd | None:
    """Returns the user to which gpsd drops as root. tie_to() gives the reason to start it as that user."""
    if os.geteuid() != 0:
        return None
    for name in ('gpsd', 'nobody'):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    return None


class Gpsd(Part):
    name = 'gpsd'

    def __init__(self, directory: pathlib.Path, as_now: bool = True) -> None:
        """`as_now`: fixes carry the present time; otherwise the time of the recording."""
        super().__init__(directory)
        self.port = free_port()
        self.as_now = as_now
        self.receiver: Child | None = None
        self.terminal = ''

    def start(self) -> None:
        if self.receiver is None:
            self.start_receiver()
        # -b: only reads, so it does not search for a speed that a pseudo-terminal does not have.
        # -n: reads before any client asks, so a fix is there at once.
        command = [PROGRAM, '-b', '-N', '-n', '-S', str(self.port), self.terminal]
        with self.log_file() as log:
            self.child = Child(command, stdout=log, stderr=log, user=lesser_user())
        self.wait_until(lambda: answers(self.port, banner=True))

    def start_receiver(self) -> None:
        command = program('parts.gps_feeder') + (['--as-now'] if self.as_now else [])
        with self.log_file() as log:
            self.receiver = Child(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log)
        self.terminal = self.first_line(self.receiver.stdout)

    def mute(self) -> None:
        """Silences the receiver, as a roof does; gpsd goes on."""
        if self.receiver:
            self.receiver.freeze()

    def unmute(self) -> None:
        if self.receiver:
            self.receiver.thaw()

    def __exit__(self, *_: object) -> None:
        self.stop()
        if self.receiver:
            self.receiver.stop()
