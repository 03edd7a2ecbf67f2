// Linux calls that Swift's Glibc module does not show. One wrapper a call, no logic: each returns
// what the kernel returned, with errno as the kernel left it.
#pragma once

#include <stdint.h>

/// eventfd(2), non-blocking and close-on-exec.
int clinux_eventfd(void);

/// timerfd_create(2) on CLOCK_BOOTTIME, non-blocking and close-on-exec.
int clinux_timerfd(void);

/// timerfd_settime(2) to an absolute CLOCK_BOOTTIME instant in nanoseconds; 0 disarms.
int clinux_timerfd_set(int descriptor, uint64_t boot_nanoseconds);

/// pthread_setname_np(3) on the calling thread; at most 15 characters are kept.
void clinux_name_thread(const char *name);

/// SCHED_FIFO at `priority` for the calling thread. 0, or the error number.
int clinux_set_realtime(int priority);
