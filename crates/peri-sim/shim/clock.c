/* A clock that is ahead or behind. Only the time of day moves; nobody's monotonic clock jumps. */
#include "faults.h"

#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static void move(struct timespec *now) {
    int64_t ahead = faults_clock_ms();
    int64_t nanoseconds = now->tv_nsec + (ahead % 1000) * 1000000;
    now->tv_sec += ahead / 1000;
    if (nanoseconds < 0) {
        nanoseconds += 1000000000;
        now->tv_sec -= 1;
    } else if (nanoseconds >= 1000000000) {
        nanoseconds -= 1000000000;
        now->tv_sec += 1;
    }
    now->tv_nsec = nanoseconds;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    int outcome = (int)syscall(SYS_clock_gettime, clock, now);
    if (outcome == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) move(now);
    return outcome;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    (void)zone;
    struct timespec exact;
    if (clock_gettime(CLOCK_REALTIME, &exact) != 0) return -1;
    now->tv_sec = exact.tv_sec;
    now->tv_usec = exact.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *there) {
    struct timespec exact;
    clock_gettime(CLOCK_REALTIME, &exact);
    if (there) *there = exact.tv_sec;
    return exact.tv_sec;
}
