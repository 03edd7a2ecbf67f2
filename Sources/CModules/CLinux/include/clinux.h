// Linux calls that Swift's Glibc module does not show. One wrapper a call: each returns
// what the kernel returned, with errno as the kernel left it.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// eventfd(2), non-blocking and close-on-exec.
int clinux_eventfd(void);

/// timerfd_create(2) on CLOCK_BOOTTIME, non-blocking and close-on-exec.
int clinux_timerfd(void);

/// timerfd_settime(2) to an absolute CLOCK_BOOTTIME instant in nanoseconds; 0 disarms.
int clinux_timerfd_set(int descriptor, uint64_t boot_nanoseconds);

/// epoll_create1(2), close-on-exec.
int clinux_epoll(void);

/// epoll_ctl(2): watches a descriptor, or changes for what it is watched. `events` as of poll(2), whose bits
/// are the same.
int clinux_epoll_watch(int epoll, int descriptor, uint32_t events);

/// epoll_ctl(2): watches it no more.
int clinux_epoll_forget(int epoll, int descriptor);

/// epoll_wait(2): the numbers of those that are ready go to `descriptors`, at most `room` and at most 64.
/// Returns how many; -1 where a signal ended the wait. -1 milliseconds wait without limit.
int clinux_epoll_wait(int epoll, int *descriptors, int room, int milliseconds);

/// pthread_setname_np(3) on the calling thread; at most 15 characters are kept.
void clinux_name_thread(const char *name);

/// SCHED_FIFO at `priority` for the calling thread. 0, or the error number.
int clinux_set_realtime(int priority);

/// recvmmsg(2), never waiting: packet `i` goes to `bytes + i * slot`, its length to `lengths[i]`; what is
/// longer than a slot is cut to it. At most 64 slots are used.
/// Returns how many packets came; -1 with EAGAIN where none waits.
int clinux_receive_batch(int descriptor, uint8_t *bytes, size_t slot, unsigned slots, uint32_t *lengths);

/// One step of a classic BPF program (struct sock_filter).
struct clinux_filter_step {
    uint16_t code;
    uint8_t if_true;
    uint8_t if_false;
    uint32_t operand;
};

/// setsockopt(2) SO_ATTACH_FILTER: replaces the filter that was there.
int clinux_attach_filter(int descriptor, const struct clinux_filter_step *steps, unsigned short count);

/// How many packets the kernel has dropped for want of room in the socket's buffer, by SO_MEMINFO; 0 where
/// it does not tell.
uint32_t clinux_socket_drops(int descriptor);

/// The day on which this was compiled, in seconds since 1970, 00:00 UTC of the day before: whatever its time zone was.
int64_t clinux_build_day(void);

/// adjtimex(2): 1 where the kernel says that the wall clock is synchronised, 0 where it says that it is not or
/// cannot tell.
int clinux_clock_is_synchronised(void);

/// What adjtimex(2) says of the wall clock. Errors in microseconds.
struct clinux_clock_state {
    int is_synchronised;
    /// By a pulse a second that the kernel sees and finds good.
    int is_by_pulse;
    int64_t maximum_error;
    int64_t estimated_error;
};

/// All zero where the kernel does not tell.
void clinux_clock_state_read(struct clinux_clock_state *state);

/// prctl(2) PR_SET_PDEATHSIG: SIGKILL for this process when the thread that started it ends.
int clinux_end_with_parent(void);

/// capset(2): gives up every capability, the permitted ones too, and with them the ambient ones.
int clinux_drop_capabilities(void);

/// setrlimit(2) RLIMIT_CORE and RLIMIT_DATA, both limits of each. Bytes.
int clinux_limit_memory(uint64_t core, uint64_t data);

/// posix_spawn_file_actions_addclosefrom_np(3). `file_actions` is a posix_spawn_file_actions_t.
int clinux_spawn_close_from(void *file_actions, int descriptor);

/// Stores `value` after every store before this line, for a reader in another process.
void clinux_store_release(uint32_t *place, uint32_t value);

/// fstatfs(2): 1 for a file in memory alone (tmpfs), 0 for one on a disk, -1 with errno.
int clinux_is_in_memory(int descriptor);
