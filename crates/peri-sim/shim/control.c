/* When something goes wrong, and what. */
#include "faults.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FILES_MAX 4096

static struct control *control;
static char root[1024];
static size_t root_length;
static char *names[FILES_MAX];

__attribute__((constructor)) static void begin(void) {
    const char *folder = getenv("PERI_FAULTS_ROOT");
    const char *path = getenv("PERI_FAULTS_CONTROL");
    if (!folder || !path || strlen(folder) >= sizeof root) return;
    int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0);
    if (file < 0) return;
    void *mapped = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    syscall(SYS_close, file);
    if (mapped == MAP_FAILED) return;
    strcpy(root, folder);
    root_length = strlen(root);
    control = mapped;
}

const char *faults_below(int folder, const char *path, char *buffer, size_t size) {
    if (!control || !path) return NULL;
    if (path[0] == '/') {
        if (strncmp(path, root, root_length) != 0) return NULL;
        if (path[root_length] == '\0') return "";
        return path[root_length] == '/' ? path + root_length + 1 : NULL;
    }
    const char *above = faults_name(folder);
    if (!above) return NULL;
    if (strlen(above) + strlen(path) + 2 > size) return NULL;
    strcpy(buffer, above);
    if (above[0]) strcat(buffer, "/");
    strcat(buffer, path);
    return buffer;
}

const char *faults_name(int file) {
    return file >= 0 && file < FILES_MAX ? names[file] : NULL;
}

/* Names of closed files are not given back: a run is short, and another thread may be reading one. */
void faults_keep_name(int file, const char *name) {
    if (file < 0 || file >= FILES_MAX) return;
    names[file] = name ? strdup(name) : NULL;
}

int64_t faults_clock_ms(void) {
    return control ? __atomic_load_n(&control->clock_ms, __ATOMIC_RELAXED) : 0;
}

/* No other thread is between a write and its place in the record then. */
void faults_die(void) {
    record_begin();
    syscall(SYS_kill, getpid(), SIGKILL);
    for (;;) pause();
}

static void note(enum kind kind, const char *path) {
    if (__atomic_fetch_add(&control->struck, 1, __ATOMIC_RELAXED) > 0) return;
    control->struck_kind = kind;
    strncpy(control->struck_path, path, sizeof control->struck_path - 1);
}

/* Whether a call of this kind can fail in this way at all. */
static int is_possible(enum kind kind, int error) {
    switch (error) {
    case EINTR: return kind & (OPEN | READ | WRITE | RESIZE | SYNC | LOCK);
    case ENOSPC: return kind & (OPEN | WRITE | RESIZE | SYNC | RENAME | MAKE_FOLDER);
    default: return !(kind & UNLOCK);
    }
}

static enum verdict refuse(enum kind kind, const char *path, int error) {
    note(kind, path);
    errno = error;
    return REFUSE;
}

static enum verdict strike(enum kind kind, const char *path) {
    int error = (int)control->error;
    switch (control->action) {
    case FAIL_ONCE:
    case FAIL_ON: return is_possible(kind, error) ? refuse(kind, path, error) : GO_ON;
    case HALF:
        if (!(kind & (READ | WRITE))) return GO_ON;
        note(kind, path);
        return DO_HALF;
    case TEAR:
        note(kind, path);
        if (kind & WRITE) return DO_HALF_AND_DIE;
        faults_die();
        return GO_ON;
    case KILL:
        note(kind, path);
        faults_die();
        return GO_ON;
    case STOP:
        note(kind, path);
        syscall(SYS_kill, getpid(), SIGSTOP);
        return GO_ON;
    default: return GO_ON;
    }
}

enum verdict faults_judge(enum kind kind, enum growth growth, const char *path) {
    uint64_t state = __atomic_load_n(&control->state, __ATOMIC_ACQUIRE);
    if ((state & READ_ONLY) && growth != STAYS) return refuse(kind, path, EROFS);
    if ((state & FULL) && growth == GROWS) return refuse(kind, path, ENOSPC);
    if (!(control->mask & kind)) return GO_ON;
    uint64_t call = __atomic_add_fetch(&control->calls, 1, __ATOMIC_ACQ_REL);
    uint64_t at = __atomic_load_n(&control->strike_at, __ATOMIC_ACQUIRE);
    if (at == 0 || call < at) return GO_ON;
    if (call > at && control->action != FAIL_ON) return GO_ON;
    return strike(kind, path);
}
