"""The output of a scenario: a line for each rule, its figures, and a closing line."""
import contextlib
import sys
import textwrap
import time
import traceback

from workbench.quantiles import quantile


class Report:
    """A rule has no number: its name is the sentence that is proved."""

    def __init__(self):
        self.passed = self.failed = 0

    @contextlib.asynccontextmanager
    async def rule(self, sentence):
        """PASS at the end of the block, FAIL when it raises; a failed rule ends the scenario."""
        began = time.monotonic()
        try:
            yield
        except BaseException as problem:
            self.failed += 1
            self.say('FAIL', sentence, began)
            print(f'      {type(problem).__name__}: {problem}', flush=True)
            if not isinstance(problem, (AssertionError, TimeoutError)):
                traceback.print_exc(file=sys.stdout)
            raise Failed from problem
        self.passed += 1
        self.say('PASS', sentence, began)

    def say(self, verdict, sentence, began):
        print(f'{verdict}  {sentence}  ({time.monotonic() - began:.1f} s)', flush=True)

    def figure(self, name, text):
        """Prints a measured value: `run` repeats these lines in its table."""
        print(f'   =  {name}: {text}', flush=True)

    def remark(self, text):
        """Prints an observation for the reader that is no measurement."""
        print(textwrap.indent(text, '      '), flush=True)

    def close(self):
        """Prints the counts and returns the exit status."""
        print(f'{self.passed} passed, {self.failed} failed', flush=True)
        return 1 if self.failed or not self.passed else 0


class Failed(Exception):
    """A rule has failed. The report has printed it already."""


def milliseconds(nanoseconds):
    return f'{nanoseconds / 1e6:.1f} ms'


def spread(nanoseconds):
    """Returns median, 99th percentile and maximum of durations as text."""
    if not nanoseconds:
        return 'none'
    median, late = (milliseconds(quantile(nanoseconds, share)) for share in (0.5, 0.99))
    return f'median {median}, p99 {late}, longest {milliseconds(max(nanoseconds))}, of {len(nanoseconds)}'
