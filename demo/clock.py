"""Two clocks brought together: the kernel's, which wearables and gateway use, and the witness's."""
import time


def boot_ns():
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME)


def wall_to_boot_ns(wall_ns):
    """A moment of the near past, from CLOCK_REALTIME to CLOCK_BOOTTIME.

    Both are read here, one right after the other, so that a step of the wall clock between start and
    now does no harm; one between `wall_ns` and now would.
    """
    return wall_ns - (time.clock_gettime_ns(time.CLOCK_REALTIME) - boot_ns())
