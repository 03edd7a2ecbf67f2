"""`CLOCK_BOOTTIME`, on which the gateway and the wearables report, and the state of the wall clock."""
import ctypes
import os
import time

# adjtimex(2): which fields are set, and no STA_UNSYNC among the status bits.
ADJ_MAXERROR, ADJ_ESTERROR, ADJ_STATUS = 0x0004, 0x0008, 0x0010
SIZE_OF_TIMEX = 208


def boot_ns() -> int:
    """Returns CLOCK_BOOTTIME in nanoseconds."""
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME)


def wall_to_boot_ns(wall_ns: int) -> int:
    """Converts an instant of the last few seconds from CLOCK_REALTIME to CLOCK_BOOTTIME.

    Both clocks are read here, one after the other. A step of the wall clock before `wall_ns` does no harm; a step
    between `wall_ns` and this call gives a wrong result.
    """
    return wall_ns - (time.clock_gettime_ns(time.CLOCK_REALTIME) - boot_ns())


def call_synchronised(error_us: int = 2_000) -> None:
    """Tells the kernel that its wall clock is synchronised, as chrony does with a time server.

    The kernel then reports a maximum error of `error_us`, which grows by 0.5 ms a second.
    """
    buffer = ctypes.create_string_buffer(SIZE_OF_TIMEX)
    ctypes.c_uint.from_buffer(buffer, 0).value = ADJ_STATUS | ADJ_MAXERROR | ADJ_ESTERROR
    # modes and padding, offset, freq; then maxerror, esterror, status.
    ctypes.c_long.from_buffer(buffer, 24).value = error_us
    ctypes.c_long.from_buffer(buffer, 32).value = error_us
    ctypes.c_int.from_buffer(buffer, 40).value = 0
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.adjtimex(buffer) < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
