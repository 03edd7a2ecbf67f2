#define _GNU_SOURCE
#include "clinux.h"

#include <errno.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/magic.h>
#include <linux/sock_diag.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

int clinux_eventfd(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

int clinux_timerfd(void) { return timerfd_create(CLOCK_BOOTTIME, TFD_NONBLOCK | TFD_CLOEXEC); }

int clinux_timerfd_set(int descriptor, uint64_t boot_nanoseconds) {
    struct itimerspec when;
    memset(&when, 0, sizeof when);
    when.it_value.tv_sec = (time_t)(boot_nanoseconds / 1000000000u);
    when.it_value.tv_nsec = (long)(boot_nanoseconds % 1000000000u);
    return timerfd_settime(descriptor, TFD_TIMER_ABSTIME, &when, 0);
}

int clinux_epoll(void) { return epoll_create1(EPOLL_CLOEXEC); }

int clinux_epoll_watch(int epoll, int descriptor, uint32_t events) {
    struct epoll_event event = {.events = events, .data.fd = descriptor};
    int result = epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event);
    return result < 0 && errno == EEXIST ? epoll_ctl(epoll, EPOLL_CTL_MOD, descriptor, &event) : result;
}

int clinux_epoll_forget(int epoll, int descriptor) {
    return epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, NULL);
}

enum { ready_limit = 64 };

int clinux_epoll_wait(int epoll, int *descriptors, int room, int milliseconds) {
    struct epoll_event events[ready_limit];
    int count = epoll_wait(epoll, events, room < ready_limit ? room : ready_limit, milliseconds);
    for (int i = 0; i < count; i++) descriptors[i] = events[i].data.fd;
    return count;
}

void clinux_name_thread(const char *name) {
    char kept[16];
    strncpy(kept, name, sizeof kept - 1);
    kept[sizeof kept - 1] = 0;
    pthread_setname_np(pthread_self(), kept);
}

int clinux_set_realtime(int priority) {
    struct sched_param parameter;
    memset(&parameter, 0, sizeof parameter);
    parameter.sched_priority = priority;
    return pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameter);
}

enum { batch_limit = 64 };

int clinux_receive_batch(int descriptor, uint8_t *bytes, size_t slot, unsigned slots, uint32_t *lengths) {
    struct mmsghdr messages[batch_limit];
    struct iovec parts[batch_limit];
    if (slots > batch_limit) slots = batch_limit;
    memset(messages, 0, slots * sizeof *messages);
    for (unsigned i = 0; i < slots; i++) {
        parts[i].iov_base = bytes + i * slot;
        parts[i].iov_len = slot;
        messages[i].msg_hdr.msg_iov = &parts[i];
        messages[i].msg_hdr.msg_iovlen = 1;
    }
    int count = recvmmsg(descriptor, messages, slots, MSG_DONTWAIT, NULL);
    for (int i = 0; i < count; i++) lengths[i] = messages[i].msg_len;
    return count;
}

_Static_assert(sizeof(struct clinux_filter_step) == sizeof(struct sock_filter), "laid out like the kernel's");

int clinux_attach_filter(int descriptor, const struct clinux_filter_step *steps, unsigned short count) {
    struct sock_fprog program = {count, (struct sock_filter *)steps};
    return setsockopt(descriptor, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program);
}

uint32_t clinux_socket_drops(int descriptor) {
    uint32_t figures[SK_MEMINFO_VARS] = {0};
    socklen_t size = sizeof figures;
    if (getsockopt(descriptor, SOL_SOCKET, SO_MEMINFO, figures, &size) != 0) return 0;
    return figures[SK_MEMINFO_DROPS];
}

int clinux_clock_is_synchronised(void) {
    struct clinux_clock_state state;
    clinux_clock_state_read(&state);
    return state.is_synchronised;
}

void clinux_clock_state_read(struct clinux_clock_state *state) {
    const int good = STA_PPSTIME | STA_PPSSIGNAL, bad = STA_PPSJITTER | STA_PPSWANDER | STA_PPSERROR;
    struct timex kernel;
    memset(state, 0, sizeof *state);
    memset(&kernel, 0, sizeof kernel);
    int result = adjtimex(&kernel);
    if (result == -1) return;
    state->is_synchronised = result != TIME_ERROR && !(kernel.status & STA_UNSYNC);
    state->is_by_pulse = (kernel.status & (good | bad)) == good;
    state->maximum_error = kernel.maxerror;
    state->estimated_error = kernel.esterror;
}

int64_t clinux_build_day(void) {
    // "Mmm dd yyyy", the day with a space in front where it has one digit.
    static const char date[] = __DATE__;
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    int month = 0;
    while (month < 12 && strncmp(months + 3 * month, date, 3) != 0) month++;
    struct tm day = {
        .tm_year = atoi(date + 7) - 1900, .tm_mon = month, .tm_mday = atoi(date + 4)};
    return (int64_t)timegm(&day) - 86400;
}

int clinux_end_with_parent(void) { return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0); }

int clinux_drop_capabilities(void) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
    struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3];
    memset(none, 0, sizeof none);
    return (int)syscall(SYS_capset, &header, none);
}

int clinux_limit_memory(uint64_t core, uint64_t data) {
    struct rlimit core_limit = {.rlim_cur = core, .rlim_max = core};
    struct rlimit data_limit = {.rlim_cur = data, .rlim_max = data};
    if (setrlimit(RLIMIT_CORE, &core_limit) != 0) return -1;
    return setrlimit(RLIMIT_DATA, &data_limit);
}

int clinux_spawn_close_from(void *file_actions, int descriptor) {
    return posix_spawn_file_actions_addclosefrom_np(file_actions, descriptor);
}

void clinux_store_release(uint32_t *place, uint32_t value) {
    __atomic_store_n(place, value, __ATOMIC_RELEASE);
}

int clinux_is_in_memory(int descriptor) {
    struct statfs status;
    if (fstatfs(descriptor, &status) != 0) return -1;
    return status.f_type == TMPFS_MAGIC || status.f_type == RAMFS_MAGIC;
}
