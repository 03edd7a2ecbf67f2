// What the kernel and the C libraries ask for the same work, and nothing on top: the floor of the benchmark.
//
//     floor STRAPS HERTZ SECONDS [PORT]
//
// One thread waits for STRAPS sockets with epoll, takes each packet and, with a PORT, publishes 300 bytes to the
// broker there at QoS 1 and takes its acknowledgement. A child sends: the packets come as bluetoothd's do, one by
// one and evenly spread. Prints nanoseconds of processor time, task switches and packets of SECONDS in the middle.
#define _GNU_SOURCE
#include <mosquitto.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { most = 64, settle_seconds = 2 };

static long long now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static long switches(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_nvcsw + usage.ru_nivcsw;
}

static void send_all(int *sockets, int straps, int hertz) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const unsigned char heart_rate[] = {0x06, 72};
    long long next = now(CLOCK_MONOTONIC);
    for (int strap = 0;; strap = (strap + 1) % straps) {
        next += 1000000000LL / straps / hertz;
        struct timespec until = {next / 1000000000LL, next % 1000000000LL};
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
        send(sockets[strap], heart_rate, sizeof heart_rate, 0);
    }
}

int main(int count, char **words) {
    if (count < 4 || atoi(words[1]) > most) return 2;
    int straps = atoi(words[1]), ours[most], theirs[most];
    for (int i = 0; i < straps; i++) {
        int pair[2];
        if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, pair) != 0) return 1;
        ours[i] = pair[0], theirs[i] = pair[1];
    }
    pid_t child = fork();
    if (child == 0) send_all(theirs, straps, atoi(words[2]));

    int epoll = epoll_create1(0), broker = -1;
    struct mosquitto *client = NULL;
    for (int i = 0; i < straps; i++) {
        struct epoll_event event = {.events = EPOLLIN, .data.fd = ours[i]};
        epoll_ctl(epoll, EPOLL_CTL_ADD, ours[i], &event);
    }
    if (count > 4) {
        mosquitto_lib_init();
        client = mosquitto_new("floor", true, NULL);
        if (mosquitto_connect(client, "127.0.0.1", atoi(words[4]), 60) != MOSQ_ERR_SUCCESS) return 1;
        broker = mosquitto_socket(client);
        struct epoll_event event = {.events = EPOLLIN, .data.fd = broker};
        epoll_ctl(epoll, EPOLL_CTL_ADD, broker, &event);
    }

    char payload[300];
    memset(payload, 'x', sizeof payload);
    long long start = now(CLOCK_MONOTONIC) + settle_seconds * 1000000000LL, end = start + atoll(words[3]) * 1000000000LL;
    long long cpu = 0, packets = 0;
    long switched = 0;
    for (long long time = 0; time < end; time = now(CLOCK_MONOTONIC)) {
        if (!cpu && time >= start) cpu = now(CLOCK_PROCESS_CPUTIME_ID), switched = switches(), packets = 0;
        struct epoll_event events[most];
        int ready = epoll_wait(epoll, events, most, 1000);
        for (int i = 0; i < ready; i++) {
            char value[512];
            if (events[i].data.fd == broker) {
                mosquitto_loop_read(client, 1);
            } else if (recv(events[i].data.fd, value, sizeof value, 0) > 0) {
                packets++;
                if (client) mosquitto_publish(client, NULL, "floor", sizeof payload, payload, 1, false);
            }
        }
    }
    printf("%lld %ld %lld\n", now(CLOCK_PROCESS_CPUTIME_ID) - cpu, switches() - switched, packets);
    kill(child, SIGKILL);
    return 0;
}
