"""Plays an NMEA recording on a pseudo-terminal, as a GPS receiver would on a serial line.

    python3 -m workbench.parts.gps_feeder [RECORDING] [--every-ms 1000] [--once] [--as-now]

The first line printed is the terminal's path, for gpsd to open. A new epoch begins at each RMC. It
plays until the end of standard input, in a loop unless --once is given.
"""
import argparse
import contextlib
import errno
import os
import pathlib
import re
import select
import sys
import termios
import time
import tty
from datetime import UTC, datetime

RECORDING = pathlib.Path(__file__).resolve().parent / 'recordings' / 'milan-walk.nmea'


def epochs(path):
    """Returns the epochs of the recording, each from an RMC on: lists of sentences without line ends."""
    found: list[list[str]] = []
    for line in path.read_text(encoding='ascii').splitlines():
        if line[3:6] == 'RMC' or not found:
            found.append([])
        if line:
            found[-1].append(line)
    return found


def with_checksum(body):
    checksum = 0
    for character in body.encode('ascii'):
        checksum ^= character
    return f'${body}*{checksum:02X}'


def stamped(sentence, now):
    """Returns the sentence with its time, and in RMC its date, set to `now`; other sentences unchanged.

    A receiver sends the present time; the time of an old recording would look like a wrong clock.
    """
    fields = re.sub(r'^\$|\*..$', '', sentence).split(',')
    if fields[0][2:] in ('RMC', 'GGA'):
        fields[1] = f'{now:%H%M%S}.{now.microsecond // 10_000:02d}'
    if fields[0][2:] == 'RMC':
        fields[9] = f'{now:%d%m%y}'
    return with_checksum(','.join(fields))


class Line:
    """The receiver's end of a serial line."""

    def __init__(self):
        # The far end stays open here too: otherwise the line hangs up when gpsd closes it.
        self.master, self.slave = os.openpty()
        tty.setraw(self.slave)
        os.set_blocking(self.master, False)
        self.path = os.ttyname(self.slave)
        os.chmod(self.path, 0o666)   # gpsd opens it as its lesser user

    def write(self, data):
        try:
            os.write(self.master, data)
        except OSError as problem:
            if problem.errno != errno.EAGAIN:
                raise
            # The line has no reader. A serial line loses the bytes then.
            termios.tcflush(self.slave, termios.TCIFLUSH)

    def discard_commands(self):
        """Drops the commands by which gpsd probes the receiver."""
        with contextlib.suppress(OSError):
            os.read(self.master, 4096)


def wait(line, until):
    """Waits until the instant `until`. Returns false at the end of standard input."""
    while (left := until - time.monotonic()) > 0:
        ready, _, _ = select.select([sys.stdin.fileno(), line.master], [], [], left)
        if line.master in ready:
            line.discard_commands()
        if sys.stdin.fileno() in ready and not os.read(sys.stdin.fileno(), 4096):
            return False
    return True


def play(line, recording, every_s, once, as_now):
    due = time.monotonic()
    while True:
        for epoch in recording:
            now = datetime.now(UTC)
            sentences = [stamped(s, now) for s in epoch] if as_now else epoch
            line.write(''.join(s + '\r\n' for s in sentences).encode('ascii'))
            # After a pause the recording continues at its rate; it does not catch up.
            due = max(due + every_s, time.monotonic())
            if not wait(line, due):
                return
        if once:
            return


def main():
    parser = argparse.ArgumentParser(
        prog='python3 -m workbench.parts.gps_feeder', description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('recording', nargs='?', type=pathlib.Path, default=RECORDING)
    parser.add_argument('--every-ms', type=int, default=1000, help='from epoch to epoch')
    parser.add_argument('--once', action='store_true')
    parser.add_argument('--as-now', action='store_true', help='the present date and time, not the recorded')
    arguments = parser.parse_args()
    recording = epochs(arguments.recording)
    if not recording or arguments.every_ms < 1:
        parser.error('nothing to play: the recording needs a sentence, --every-ms at least 1')
    line = Line()
    print(line.path, flush=True)
    with contextlib.suppress(KeyboardInterrupt):
        play(line, recording, arguments.every_ms / 1000, arguments.once, arguments.as_now)


if __name__ == '__main__':
    main()
