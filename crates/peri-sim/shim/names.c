/* Calls on names: opening, looking, making, renaming and taking away. */
#include "faults.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PATH_BYTES 1200

static int open_at(int folder, const char *path, int flags, mode_t mode) {
    char buffer[PATH_BYTES];
    const char *name = faults_below(folder, path, buffer, sizeof buffer);
    if (!name) {
        int file = (int)syscall(SYS_openat, folder, path, flags, mode);
        if (file >= 0) faults_keep_name(file, NULL);
        return file;
    }
    int is_new = (flags & O_CREAT) && syscall(SYS_faccessat, folder, path, F_OK) != 0;
    int writes = (flags & (O_WRONLY | O_RDWR | O_TRUNC)) != 0 || is_new;
    if (faults_judge(OPEN, is_new ? GROWS : writes ? CHANGES : STAYS, name) == REFUSE) return -1;
    record_begin();
    /* Whether it is new is only sure now. */
    is_new = (flags & O_CREAT) && syscall(SYS_faccessat, folder, path, F_OK) != 0;
    int file = (int)syscall(SYS_openat, folder, path, flags, mode);
    int error = errno;
    if (file >= 0) {
        faults_keep_name(file, name);
        if (is_new) record_name('C', file, name, NULL);
        else if (flags & O_TRUNC) record_size(file, 0);
    }
    record_end();
    errno = error;
    return file;
}

#define MODE_OF(flags)                          \
    mode_t mode = 0;                            \
    if ((flags) & (O_CREAT | __O_TMPFILE)) {    \
        va_list list;                           \
        va_start(list, flags);                  \
        mode = va_arg(list, mode_t);            \
        va_end(list);                           \
    }

int open(const char *path, int flags, ...) {
    MODE_OF(flags)
    return open_at(AT_FDCWD, path, flags, mode);
}
int open64(const char *path, int flags, ...) {
    MODE_OF(flags)
    return open_at(AT_FDCWD, path, flags, mode);
}
int openat(int folder, const char *path, int flags, ...) {
    MODE_OF(flags)
    return open_at(folder, path, flags, mode);
}
int openat64(int folder, const char *path, int flags, ...) {
    MODE_OF(flags)
    return open_at(folder, path, flags, mode);
}
int creat(const char *path, mode_t mode) { return open_at(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }

static int look_refused(int folder, const char *path, enum growth growth) {
    char buffer[PATH_BYTES];
    const char *name = faults_below(folder, path, buffer, sizeof buffer);
    return name && faults_judge(LOOK, growth, name) == REFUSE;
}

int stat(const char *restrict path, struct stat *restrict about) {
    return look_refused(AT_FDCWD, path, STAYS) ? -1 : (int)syscall(SYS_newfstatat, AT_FDCWD, path, about, 0);
}
int stat64(const char *restrict path, struct stat64 *restrict about) { return stat(path, (struct stat *)about); }
int lstat(const char *restrict path, struct stat *restrict about) {
    if (look_refused(AT_FDCWD, path, STAYS)) return -1;
    return (int)syscall(SYS_newfstatat, AT_FDCWD, path, about, AT_SYMLINK_NOFOLLOW);
}
int lstat64(const char *restrict path, struct stat64 *restrict about) { return lstat(path, (struct stat *)about); }
int fstat(int file, struct stat *about) {
    const char *name = faults_name(file);
    if (name && faults_judge(LOOK, STAYS, name) == REFUSE) return -1;
    return (int)syscall(SYS_fstat, file, about);
}
int fstat64(int file, struct stat64 *about) { return fstat(file, (struct stat *)about); }
int statx(int folder, const char *restrict path, int flags, unsigned mask, struct statx *restrict about) {
    /* Rust asks about nothing to find out whether it can ask, although the header says that nobody does. */
    const char *volatile given = path;
    const char *asked = given;
    const char *name = asked && asked[0] ? NULL : faults_name(folder);
    if (name ? faults_judge(LOOK, STAYS, name) == REFUSE : look_refused(folder, asked, STAYS)) return -1;
    return (int)syscall(SYS_statx, folder, path, flags, mask, about);
}
int access(const char *path, int mode) {
    if (look_refused(AT_FDCWD, path, mode & W_OK ? CHANGES : STAYS)) return -1;
    return (int)syscall(SYS_faccessat, AT_FDCWD, path, mode);
}

DIR *opendir(const char *path) {
    static DIR *(*next)(const char *);
    if (!next) next = (DIR * (*)(const char *)) dlsym(RTLD_NEXT, "opendir");
    return look_refused(AT_FDCWD, path, STAYS) ? NULL : next(path);
}

/* Closes a file that may have been opened by number. */
int closedir(DIR *folder) {
    static int (*next)(DIR *);
    if (!next) next = (int (*)(DIR *))dlsym(RTLD_NEXT, "closedir");
    faults_keep_name(dirfd(folder), NULL);
    return next(folder);
}

/* Makes a change to names and records it. */
static int change(enum kind kind, enum growth growth, char what, const char *name, const char *other, long call,
                  int folder, const char *path, int target, const char *to, long extra) {
    if (faults_judge(kind, growth, name) == REFUSE) return -1;
    record_begin();
    int outcome = to ? (int)syscall(call, folder, path, target, to, extra) : (int)syscall(call, folder, path, extra);
    int error = errno;
    if (outcome == 0) record_name(what, -1, name, other);
    record_end();
    errno = error;
    return outcome;
}

static int make_folder(int folder, const char *path, mode_t mode) {
    char buffer[PATH_BYTES];
    const char *name = faults_below(folder, path, buffer, sizeof buffer);
    if (!name) return (int)syscall(SYS_mkdirat, folder, path, mode);
    return change(MAKE_FOLDER, GROWS, 'M', name, NULL, SYS_mkdirat, folder, path, 0, NULL, mode);
}
int mkdir(const char *path, mode_t mode) { return make_folder(AT_FDCWD, path, mode); }
int mkdirat(int folder, const char *path, mode_t mode) { return make_folder(folder, path, mode); }

static int take_away(int folder, const char *path, int flags) {
    char buffer[PATH_BYTES];
    const char *name = faults_below(folder, path, buffer, sizeof buffer);
    if (!name) return (int)syscall(SYS_unlinkat, folder, path, flags);
    char what = flags & AT_REMOVEDIR ? 'K' : 'U';
    return change(UNLINK, CHANGES, what, name, NULL, SYS_unlinkat, folder, path, 0, NULL, flags);
}
int unlink(const char *path) { return take_away(AT_FDCWD, path, 0); }
int rmdir(const char *path) { return take_away(AT_FDCWD, path, AT_REMOVEDIR); }
int unlinkat(int folder, const char *path, int flags) { return take_away(folder, path, flags); }

static int move_name(int folder, const char *path, int target, const char *to, unsigned flags) {
    char from[PATH_BYTES], there[PATH_BYTES];
    const char *name = faults_below(folder, path, from, sizeof from);
    const char *other = faults_below(target, to, there, sizeof there);
    if (!name || !other) return (int)syscall(SYS_renameat2, folder, path, target, to, flags);
    return change(RENAME, CHANGES, 'R', name, other, SYS_renameat2, folder, path, target, to, flags);
}
int rename(const char *path, const char *to) { return move_name(AT_FDCWD, path, AT_FDCWD, to, 0); }
int renameat(int folder, const char *path, int target, const char *to) { return move_name(folder, path, target, to, 0); }
int renameat2(int folder, const char *path, int target, const char *to, unsigned flags) {
    return move_name(folder, path, target, to, flags);
}

int linkat(int folder, const char *path, int target, const char *to, int flags) {
    char from[PATH_BYTES], there[PATH_BYTES];
    const char *name = faults_below(folder, path, from, sizeof from);
    const char *other = faults_below(target, to, there, sizeof there);
    if (!name || !other) return (int)syscall(SYS_linkat, folder, path, target, to, flags);
    return change(RENAME, GROWS, 'L', name, other, SYS_linkat, folder, path, target, to, flags);
}
int link(const char *path, const char *to) { return linkat(AT_FDCWD, path, AT_FDCWD, to, 0); }
