/* Calls on files that are open: reading, writing, flushing, locking. */
#include "faults.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static off_t size_of(int file) {
    struct stat about;
    return syscall(SYS_fstat, file, &about) == 0 ? about.st_size : 0;
}

static ssize_t read_some(int file, void *bytes, size_t length, off_t offset, int placed) {
    const char *name = faults_name(file);
    if (name) {
        enum verdict verdict = faults_judge(READ, STAYS, name);
        if (verdict == REFUSE) return -1;
        if (verdict == DO_HALF && length > 1) length /= 2;
    }
    return placed ? syscall(SYS_pread64, file, bytes, length, offset) : syscall(SYS_read, file, bytes, length);
}

ssize_t read(int file, void *bytes, size_t length) { return read_some(file, bytes, length, 0, 0); }
ssize_t pread(int file, void *bytes, size_t length, off_t offset) { return read_some(file, bytes, length, offset, 1); }
ssize_t pread64(int file, void *bytes, size_t length, off64_t offset) {
    return read_some(file, bytes, length, offset, 1);
}

/* Writes and records what was written and where. */
static ssize_t put(int file, const void *bytes, size_t length, off_t offset, int placed) {
    record_begin();
    ssize_t written = placed ? syscall(SYS_pwrite64, file, bytes, length, offset)
                             : syscall(SYS_write, file, bytes, length);
    int error = errno;
    if (written > 0 && record_is_on()) {
        off_t at = placed ? offset : (off_t)syscall(SYS_lseek, file, 0, SEEK_CUR) - written;
        record_write(file, bytes, (uint64_t)at, (uint64_t)written);
    }
    record_end();
    errno = error;
    return written;
}

static ssize_t write_some(int file, const void *bytes, size_t length, off_t offset, int placed) {
    const char *name = faults_name(file);
    if (!name) {
        return placed ? syscall(SYS_pwrite64, file, bytes, length, offset) : syscall(SYS_write, file, bytes, length);
    }
    off_t at = placed ? offset : (off_t)syscall(SYS_lseek, file, 0, SEEK_CUR);
    int appends = (int)(syscall(SYS_fcntl, file, F_GETFL) & O_APPEND);
    int grows = appends || at + (off_t)length > size_of(file);
    enum verdict verdict = faults_judge(WRITE, grows ? GROWS : CHANGES, name);
    if (verdict == REFUSE) return -1;
    if (verdict != GO_ON && length > 1) length /= 2;
    ssize_t written = put(file, bytes, length, offset, placed);
    if (verdict == DO_HALF_AND_DIE) faults_die();
    return written;
}

ssize_t write(int file, const void *bytes, size_t length) { return write_some(file, bytes, length, 0, 0); }
ssize_t pwrite(int file, const void *bytes, size_t length, off_t offset) {
    return write_some(file, bytes, length, offset, 1);
}
ssize_t pwrite64(int file, const void *bytes, size_t length, off64_t offset) {
    return write_some(file, bytes, length, offset, 1);
}

ssize_t writev(int file, const struct iovec *parts, int count) {
    if (!faults_name(file)) return syscall(SYS_writev, file, parts, count);
    size_t length = 0;
    for (int i = 0; i < count; i++) length += parts[i].iov_len;
    char *whole = malloc(length ? length : 1), *end = whole;
    for (int i = 0; i < count; i++) end = (char *)memcpy(end, parts[i].iov_base, parts[i].iov_len) + parts[i].iov_len;
    ssize_t written = write_some(file, whole, length, 0, 0);
    int error = errno;
    free(whole);
    errno = error;
    return written;
}

/* What the kernel copies by itself nobody could record; callers copy by hand then. */
ssize_t copy_file_range(int from, off64_t *at, int to, off64_t *there, size_t length, unsigned flags) {
    if (faults_name(from) || faults_name(to)) {
        errno = EINVAL;
        return -1;
    }
    return syscall(SYS_copy_file_range, from, at, to, there, length, flags);
}
ssize_t sendfile(int to, int from, off_t *at, size_t length) {
    if (faults_name(from) || faults_name(to)) {
        errno = EINVAL;
        return -1;
    }
    return syscall(SYS_sendfile, to, from, at, length);
}
ssize_t sendfile64(int to, int from, off64_t *at, size_t length) { return sendfile(to, from, at, length); }

static int flush(int file, long call) {
    const char *name = faults_name(file);
    if (!name) return (int)syscall(call, file);
    struct stat about;
    int is_folder = syscall(SYS_fstat, file, &about) == 0 && S_ISDIR(about.st_mode);
    int refused = faults_judge(SYNC, STAYS, name) == REFUSE;
    int error = errno;
    record_begin();
    /* Nothing is really flushed: what a power cut leaves is made from the record. */
    record_sync(file, is_folder ? (name[0] ? name : ".") : NULL, !refused);
    record_end();
    errno = error;
    return refused ? -1 : 0;
}
int fsync(int file) { return flush(file, SYS_fsync); }
int fdatasync(int file) { return flush(file, SYS_fdatasync); }

int ftruncate(int file, off_t size) {
    const char *name = faults_name(file);
    if (!name) return (int)syscall(SYS_ftruncate, file, size);
    if (faults_judge(RESIZE, size > size_of(file) ? GROWS : CHANGES, name) == REFUSE) return -1;
    record_begin();
    int outcome = (int)syscall(SYS_ftruncate, file, size);
    int error = errno;
    if (outcome == 0) record_size(file, (uint64_t)size);
    record_end();
    errno = error;
    return outcome;
}
int ftruncate64(int file, off64_t size) { return ftruncate(file, size); }

int fallocate(int file, int mode, off_t offset, off_t length) {
    const char *name = faults_name(file);
    if (!name) return (int)syscall(SYS_fallocate, file, mode, offset, length);
    if (mode == 0 && offset + length > size_of(file)) return ftruncate(file, offset + length);
    return 0;
}
int fallocate64(int file, int mode, off64_t offset, off64_t length) { return fallocate(file, mode, offset, length); }
int posix_fallocate(int file, off_t offset, off_t length) { return fallocate(file, 0, offset, length) ? errno : 0; }
int posix_fallocate64(int file, off64_t offset, off64_t length) { return posix_fallocate(file, offset, length); }

int flock(int file, int operation) {
    const char *name = faults_name(file);
    if (name && faults_judge(operation & 8 ? UNLOCK : LOCK, STAYS, name) == REFUSE) return -1;
    return (int)syscall(SYS_flock, file, operation);
}

int fcntl(int file, int command, ...) {
    va_list list;
    va_start(list, command);
    void *argument = va_arg(list, void *);
    va_end(list);
    const char *name = faults_name(file);
    int locks = command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK || command == F_OFD_SETLKW;
    if (name && locks) {
        int opens = ((struct flock *)argument)->l_type == F_UNLCK;
        if (faults_judge(opens ? UNLOCK : LOCK, STAYS, name) == REFUSE) return -1;
    }
    int outcome = (int)syscall(SYS_fcntl, file, command, argument);
    if (name && outcome >= 0 && (command == F_DUPFD || command == F_DUPFD_CLOEXEC)) faults_keep_name(outcome, name);
    return outcome;
}
int fcntl64(int file, int command, ...) {
    va_list list;
    va_start(list, command);
    void *argument = va_arg(list, void *);
    va_end(list);
    return fcntl(file, command, argument);
}

/* The file is closed whatever is said, as on Linux. */
int close(int file) {
    const char *name = faults_name(file);
    if (!name) return (int)syscall(SYS_close, file);
    int refused = faults_judge(CLOSE, STAYS, name) == REFUSE;
    int error = errno;
    faults_keep_name(file, NULL);
    int outcome = (int)syscall(SYS_close, file);
    if (refused) {
        errno = error;
        return -1;
    }
    return outcome;
}
