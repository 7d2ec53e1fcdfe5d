#include "experiments/common/lock.h"

#include "experiments/common/results.h"
#include "harness/base/text/fit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

/* The file names whoever locked it last. */
static enum status locked_by_another(int file, const char *folder, struct failure *f)
{
    char who[256] = "";
    ssize_t length = pread(file, who, sizeof who - 1, 0);
    who[length > 0 ? strcspn(who, "\n") : 0] = '\0';
    return fail(f, STATUS_RESOURCE, "%s: in use by %s; wait for it, or choose another --results",
                folder, *who ? who : "another process");
}

static enum status sign(int file, const char *path, const char *what, struct failure *f)
{
    char host[128] = "", who[256];
    gethostname(host, sizeof host - 1);
    text_fit_format(who, sizeof who, "%s, process %ld on %s\n", what, (long)getpid(), host);
    errno = 0;
    if (ftruncate(file, 0) == 0 && pwrite(file, who, strlen(who), 0) == (ssize_t)strlen(who))
        return STATUS_OK;
    return fail(f, STATUS_OUTPUT, "%s: cannot be written: %s", path,
                strerror(errno ? errno : ENOSPC));
}

enum status results_lock(const char *folder, const char *what, struct results_lock *lock,
                         struct failure *f)
{
    struct results_path path = results_file(folder, "study.lock");
    int file = open(path.text, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    enum status status;
    lock->file = -1;
    if (file < 0)
        return fail(f, failure_status_of(errno, STATUS_OUTPUT), "%s: cannot be written: %s",
                    path.text, strerror(errno));
    if (flock(file, LOCK_EX | LOCK_NB) == 0)
        status = sign(file, path.text, what, f);
    else if (errno == EWOULDBLOCK)
        status = locked_by_another(file, folder, f);
    else
        status = fail(f, STATUS_OUTPUT, "%s: cannot be locked: %s", path.text, strerror(errno));
    if (status == STATUS_OK)
        lock->file = file;
    else
        close(file);
    return status;
}

void results_unlock(struct results_lock *lock)
{
    if (lock->file >= 0)
        close(lock->file);
    lock->file = -1;
}
