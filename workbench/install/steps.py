"""The output of the trial: a line for each step, and its observations."""
import contextlib
import time
import traceback
from collections.abc import AsyncIterator, Callable

OK, FAILED = 'ok', 'FAIL'


class Steps:
    """Prints each step as soon as it is over. A failed one does not end the trial unless it is `essential`."""

    @contextlib.asynccontextmanager
    async def step(
            self, number: int, sentence: str, essential: bool = False) -> AsyncIterator[Callable[[str], None]]:
        """`ok` at the end of the block, `FAIL` when it raises. The block reports by the yielded function."""
        began, seen = time.monotonic(), list[str]()
        try:
            yield seen.append
        except Exception as problem:
            self.say(FAILED, number, sentence, began, [*seen, f'{type(problem).__name__}: {problem}'])
            if not isinstance(problem, (AssertionError, TimeoutError)):
                print(traceback.format_exc(), flush=True)
            if essential:
                raise Ended from problem
        else:
            self.say(OK, number, sentence, began, seen)

    def say(self, verdict: str, number: int, sentence: str, began: float, seen: list[str]) -> None:
        print(f'{verdict:4}  {number:2}  {sentence}  ({time.monotonic() - began:.1f} s)', flush=True)
        for line in '\n'.join(seen).splitlines():
            print(f'          {line}', flush=True)


class Ended(Exception):
    """A step failed without which the later ones make no sense. It has been printed already."""
