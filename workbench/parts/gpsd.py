"""A real gpsd that reads a walk through Milan from a pseudo-terminal."""
import os
import pwd
import subprocess

from workbench.parts.child import Child
from workbench.parts.part import Part
from workbench.parts.port import answers, free_port
from workbench.paths import program

PROGRAM = '/usr/sbin/gpsd'   # Debian's place, which is not on everyone's PATH


def lesser_user():
    """Whom gpsd would become by itself when started as root; see tie_to() for why that is done here."""
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

    def __init__(self, directory, as_now=True):
        """`as_now`: fixes carry the present time; otherwise that of the recording."""
        super().__init__(directory)
        self.port = free_port()
        self.as_now = as_now
        self.receiver, self.terminal = None, None

    def start(self):
        if self.receiver is None:
            self.start_receiver()
        # -b: only reads, so it does not hunt for a speed that a pseudo-terminal has not got.
        # -n: reads before any client asks, so a fix is there at once.
        command = [PROGRAM, '-b', '-N', '-n', '-S', str(self.port), self.terminal]
        with self.log_file() as log:
            self.child = Child(command, stdout=log, stderr=log, user=lesser_user())
        self.wait_until(lambda: answers(self.port, banner=True))

    def start_receiver(self):
        command = program('parts.gps_feeder') + (['--as-now'] if self.as_now else [])
        with self.log_file() as log:
            self.receiver = Child(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log)
        self.terminal = self.first_line(self.receiver.process.stdout)

    def mute(self):
        """The receiver falls silent, as under a roof; gpsd goes on."""
        self.receiver.freeze()

    def unmute(self):
        self.receiver.thaw()

    def __exit__(self, *_):
        self.stop()
        if self.receiver:
            self.receiver.stop()
