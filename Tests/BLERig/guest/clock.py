"""The clock that the gateway's feed tells too, and what the kernel says of the wall clock's worth."""
import ctypes
import os
import time

# adjtimex(2): which fields are set, and no STA_UNSYNC among the status bits.
ADJ_MAXERROR, ADJ_ESTERROR, ADJ_STATUS = 0x0004, 0x0008, 0x0010
SIZE_OF_TIMEX = 208


def boot_ns():
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME)


def call_synchronised(error_us=2_000):
    """As chrony does where it has a time server: from here on the kernel says that its wall clock is right, to
    within `error_us` and what it lets that grow by, 0.5 ms a second."""
    buffer = ctypes.create_string_buffer(SIZE_OF_TIMEX)
    ctypes.c_uint.from_buffer(buffer, 0).value = ADJ_STATUS | ADJ_MAXERROR | ADJ_ESTERROR
    # modes and padding, offset, freq; then maxerror, esterror, status.
    ctypes.c_long.from_buffer(buffer, 24).value = error_us
    ctypes.c_long.from_buffer(buffer, 32).value = error_us
    ctypes.c_int.from_buffer(buffer, 40).value = 0
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.adjtimex(buffer) < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
