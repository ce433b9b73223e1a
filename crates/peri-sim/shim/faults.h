/* What the parts of the shim share. Loaded with LD_PRELOAD into a real process, it stands between that process and
 * the files of one folder: it counts calls, lets one of them fail, stops or kills the process there, moves its clock,
 * and keeps a record of what was written and flushed, from which a power cut is made. For tests on Linux alone. */
#ifndef PERI_FAULTS_H
#define PERI_FAULTS_H

#define _GNU_SOURCE
#include <stdint.h>
#include <sys/types.h>

/* Kinds of calls, as bits of the mask that says which of them count. The driver has the same list. */
enum kind {
    OPEN = 1 << 0,
    READ = 1 << 1,
    WRITE = 1 << 2,
    SYNC = 1 << 3,
    RESIZE = 1 << 4,
    RENAME = 1 << 5,
    UNLINK = 1 << 6,
    MAKE_FOLDER = 1 << 7,
    LOCK = 1 << 8,
    LOOK = 1 << 9,
    CLOSE = 1 << 10,
    UNLOCK = 1 << 11,
};

/* What happens at the call whose turn it is. */
enum action {
    NOTHING = 0,
    FAIL_ONCE = 1,
    FAIL_ON = 2,   /* from then on */
    HALF = 3,      /* half of the bytes, then all is well */
    KILL = 4,      /* the process dies before the call */
    TEAR = 5,      /* half of the bytes, and the process dies */
    STOP = 6,      /* the process sleeps until it is woken */
};

/* States of the disk, as bits. */
enum state { FULL = 1, READ_ONLY = 2 };

/* The control file, mapped. The driver writes it with ordinary writes; fields stay where they are. */
struct control {
    uint64_t calls;         /* how many counted calls there were */
    uint64_t strike_at;     /* at which of them something happens; 0: at none */
    uint64_t action;
    uint64_t error;         /* what a failing call says */
    uint64_t mask;          /* which kinds count */
    uint64_t struck;        /* how often something happened */
    int64_t clock_ms;       /* how far this process's clock is ahead */
    uint64_t state;
    uint64_t struck_kind;
    char struck_path[184];
};

/* What a call is to do: go on, fail with errno set, or do half of it. */
enum verdict { GO_ON, REFUSE, DO_HALF, DO_HALF_AND_DIE };

/* Whether the call grows a file or makes a name, which a full disk refuses. */
enum growth { STAYS, GROWS, CHANGES };

enum verdict faults_judge(enum kind kind, enum growth growth, const char *path);
int64_t faults_clock_ms(void);
void faults_die(void);

/* The part of a path below the folder, or null if it lies elsewhere. `buffer` holds what has to be put together. */
const char *faults_below(int folder, const char *path, char *buffer, size_t size);
const char *faults_name(int file);
void faults_keep_name(int file, const char *name);

/* The record of what reached the files. Nothing else happens to them between `begin` and `end`. */
void record_begin(void);
void record_end(void);
void record_write(int file, const void *bytes, uint64_t offset, uint64_t length);
void record_size(int file, uint64_t size);
void record_sync(int file, const char *name, int succeeded);
void record_name(char what, int file, const char *name, const char *other);
int record_is_on(void);

#endif
