"""A bare timer at ordinary priority, beside every fault: it shows the delays of the machine itself.

Prints a line with CLOCK_BOOTTIME and its lateness in milliseconds for each wake-up that was over 20 ms late.
"""
import sys
import time

from workbench.clock import boot_ns

PERIOD_NS = 5_000_000
WORTH_TELLING_NS = 20_000_000


def main():
    due = boot_ns()
    while True:
        due += PERIOD_NS
        time.sleep(max(0, (due - boot_ns()) / 1e9))
        now = boot_ns()
        if now - due > WORTH_TELLING_NS:
            print(due, now - due, flush=True)
        due = max(due, now - PERIOD_NS)


if __name__ == '__main__':
    try:
        main()
    except (KeyboardInterrupt, BrokenPipeError):
        sys.exit(0)
