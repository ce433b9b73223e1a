/* The record of what reached the files, in the order in which it did, whichever process it came from. */
#include "faults.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

struct entry {
    uint32_t what;
    uint32_t name_length;
    uint32_t other_length;
    uint32_t succeeded;
    uint64_t inode;
    uint64_t offset;
    uint64_t length;
};

static int record = -1;
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("PERI_FAULTS_RECORD");
    if (path) record = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_APPEND | O_CLOEXEC, 0);
}

int record_is_on(void) { return record >= 0; }

/* One process and one thread at a time; a process that dies gives its turn back. */
void record_begin(void) {
    if (record < 0) return;
    pthread_mutex_lock(&turn);
    while (syscall(SYS_flock, record, LOCK_EX) != 0) {
    }
}

void record_end(void) {
    if (record < 0) return;
    syscall(SYS_flock, record, LOCK_UN);
    pthread_mutex_unlock(&turn);
}

static uint64_t inode_of(int file) {
    struct stat about;
    return file >= 0 && syscall(SYS_fstat, file, &about) == 0 ? about.st_ino : 0;
}

static void append(struct entry *entry, const char *name, const char *other, const void *bytes) {
    if (record < 0) return;
    entry->name_length = name ? (uint32_t)strlen(name) : 0;
    entry->other_length = other ? (uint32_t)strlen(other) : 0;
    struct iovec parts[4] = {
        {entry, sizeof *entry},
        {(void *)name, entry->name_length},
        {(void *)other, entry->other_length},
        {(void *)bytes, bytes ? entry->length : 0},
    };
    syscall(SYS_writev, record, parts, 4);
}

void record_write(int file, const void *bytes, uint64_t offset, uint64_t length) {
    struct entry entry = {.what = 'W', .inode = inode_of(file), .offset = offset, .length = length};
    append(&entry, NULL, NULL, bytes);
}

void record_size(int file, uint64_t size) {
    struct entry entry = {.what = 'T', .inode = inode_of(file), .offset = size};
    append(&entry, NULL, NULL, NULL);
}

void record_sync(int file, const char *name, int succeeded) {
    struct entry entry = {.what = 'S', .inode = inode_of(file), .succeeded = (uint32_t)succeeded};
    append(&entry, name, NULL, NULL);
}

void record_name(char what, int file, const char *name, const char *other) {
    struct entry entry = {.what = (uint32_t)what, .inode = inode_of(file)};
    append(&entry, name, other, NULL);
}
