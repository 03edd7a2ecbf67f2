"""The clock that the gateway's feed tells too."""
import time


def boot_ns():
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME)
