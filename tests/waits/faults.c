// Makes one process see another time, or a disk without room: loaded before it (LD_PRELOAD).
//   WAITS_SECONDS   is added to the time of day
//   WAITS_FULL      a file; while it exists, nothing below the folder WAITS_FOLDER can grow
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#define ACTUAL(name) static typeof(&name) actual; if (!actual) actual = dlsym(RTLD_NEXT, #name)

int clock_gettime(clockid_t clock, struct timespec *at) {
    ACTUAL(clock_gettime);
    static long shift = -1;
    if (shift == -1) shift = getenv("WAITS_SECONDS") ? atol(getenv("WAITS_SECONDS")) : 0;
    int outcome = actual(clock, at);
    if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) at->tv_sec += shift;
    return outcome;
}

// Whether writing so far into a file would need room that the disk does not have.
static int is_full(int file, off_t end) {
    const char *full = getenv("WAITS_FULL"), *folder = getenv("WAITS_FOLDER");
    if (!full || !folder || access(full, F_OK) != 0) return 0;
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    struct stat now;
    return strncmp(path, folder, strlen(folder)) == 0 && fstat(file, &now) == 0 && S_ISREG(now.st_mode)
        && (end < 0 || end > now.st_size);
}

#define REFUSE_IF_FULL(file, end) do { if (is_full(file, end)) { errno = ENOSPC; return -1; } } while (0)

ssize_t write(int file, const void *bytes, size_t count) {
    ACTUAL(write);
    REFUSE_IF_FULL(file, -1);
    return actual(file, bytes, count);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t at) {
    ACTUAL(pwrite64);
    REFUSE_IF_FULL(file, at + (off_t)count);
    return actual(file, bytes, count, at);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t at) {
    return pwrite64(file, bytes, count, at);
}

int ftruncate64(int file, off64_t length) {
    ACTUAL(ftruncate64);
    REFUSE_IF_FULL(file, length);
    return actual(file, length);
}

int ftruncate(int file, off_t length) {
    return ftruncate64(file, length);
}
