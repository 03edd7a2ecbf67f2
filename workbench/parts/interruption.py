"""Ends on SIGINT, SIGTERM and SIGHUP, by way of every `with` block that is open."""
import signal

NUMBERS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Interrupted(SystemExit):
    """asyncio lets this kind of exception through, unlike an ordinary one."""


def unwind_on_signals():
    """The first signal raises Interrupted, with a shell's status; further ones disturb nothing."""
    def unwind(number, _frame):
        for each in NUMBERS:
            # A function, not SIG_IGN: children would inherit that, and a signal already on its way
            # would make Python complain.
            signal.signal(each, lambda *_: None)
        raise Interrupted(128 + number)
    for number in NUMBERS:
        signal.signal(number, unwind)
