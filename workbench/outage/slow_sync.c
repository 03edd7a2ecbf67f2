// Preloaded into the gateway: each sync takes SYNC_MS milliseconds more, as on a worn SD card.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

static int slowly(const char *name, int descriptor) {
    const long ms = atol(getenv("SYNC_MS"));
    const struct timespec delay = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    nanosleep(&delay, NULL);
    return ((int (*)(int))dlsym(RTLD_NEXT, name))(descriptor);
}

int fsync(int descriptor) { return slowly("fsync", descriptor); }

int fdatasync(int descriptor) { return slowly("fdatasync", descriptor); }
