"""The output of the demo: a line for each event, with the time, the speaker, and plain words."""
import os
import signal
import sys
import time

from workbench.demo.wearables import MEASUREMENTS
from workbench.parts.interruption import Interrupted

# ANSI colours, one for each speaker, so that the eye can follow a speaker down the screen.
COLOURS = {
    **dict.fromkeys(MEASUREMENTS, '36'), 'bluez': '36', 'gateway': '33', 'witness': '34', 'service': '35',
    'ambulance': '35', 'Maria': '32', 'demo': '2'}
ALERT = '1;31'
GOOD = '1;32'
HEADING = '1'


class Timeline:
    def __init__(self, out=sys.stdout):
        self.out, self.start, self.sticky = out, time.monotonic(), ''
        self.is_terminal = out.isatty()
        # https://no-color.org: set and not empty means no.
        self.has_colour = self.is_terminal and not os.environ.get('NO_COLOR')

    def paint(self, text, code):
        return f'\x1b[{code}m{text}\x1b[0m' if self.has_colour else text

    @property
    def elapsed(self):
        return time.monotonic() - self.start

    def plain(self, text=''):
        self.write(f'{text}\n')

    def chapter(self, title):
        self.plain('\n' + self.paint(title, HEADING))

    def say(self, speaker, text, colour=None):
        name = self.paint(f'{speaker:<11}', COLOURS.get(speaker, '0'))
        words = self.paint(text, colour) if colour else text
        self.write(f'{self.elapsed:6.1f} s  {name} {words}\n')

    def write(self, text):
        """Prints a line above the countdown, if there is one."""
        if self.sticky:
            text = f'\r\x1b[K{text}{self.sticky}'
        try:
            self.out.write(text)
            self.out.flush()
        except BrokenPipeError:   # the output has no reader any more
            self.out = open(os.devnull, 'w', encoding='utf-8')   # noqa: SIM115 (open until the process ends)
            os.dup2(self.out.fileno(), sys.stdout.fileno())   # Python flushes it once more at the end
            raise Interrupted(128 + signal.SIGPIPE) from None

    def countdown(self, text):
        """Redraws the line that changes in place. Does nothing without a terminal."""
        if self.is_terminal:
            self.sticky = ''
            line = self.paint(f'{self.elapsed:6.1f} s  {"gateway":<11} {text}', ALERT)
            self.write(f'\r\x1b[K{line}')
            self.sticky = line

    def end_countdown(self):
        if self.sticky:
            self.sticky = ''
            self.write('\r\x1b[K')
