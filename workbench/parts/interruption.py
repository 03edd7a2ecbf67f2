"""Ends a program on SIGINT, SIGTERM and SIGHUP through every open `with` block."""
import signal
from types import FrameType

NUMBERS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Interrupted(SystemExit):
    """asyncio lets this kind of exception through, unlike an ordinary one."""


def ignore(_number: int, _frame: FrameType | None) -> None:
    """A handler for later signals.

    SIG_IGN would be inherited by children, and would make Python complain of a signal that is already pending.
    """


def unwind_on_signals() -> None:
    """Lets the first signal raise Interrupted with a shell's status. Further signals have no effect."""
    def unwind(number: int, _frame: FrameType | None) -> None:
        for each in NUMBERS:
            signal.signal(each, ignore)
        raise Interrupted(128 + number)
    for number in NUMBERS:
        signal.signal(number, unwind)
