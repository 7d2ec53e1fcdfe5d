#include "experiments/common/results.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

const char *const results_default = "results/local";

static struct results_path join(const char *folder, const char *name, const char *suffix)
{
    struct results_path path;
    int length = snprintf(path.text, sizeof path.text, "%s/%s%s", folder, name, suffix);
    if (length < 0 || (size_t)length >= sizeof path.text)
        path.text[0] = '\0'; /* opening it fails, and says so */
    return path;
}

struct results_path results_samples(const char *folder, const char *experiment)
{
    return join(folder, experiment, ".csv");
}

struct results_path results_journal(const char *folder, const char *experiment)
{
    return join(folder, experiment, ".points.csv");
}

struct results_path results_environment(const char *folder)
{
    return join(folder, "environment.json", "");
}

struct results_path results_topology(const char *folder)
{
    return join(folder, "topology.xml", "");
}

struct results_path results_charts(const char *folder)
{
    return join(folder, "charts", "");
}

struct results_path results_file(const char *folder, const char *name)
{
    return join(folder, name, "");
}

static int make_one(const char *folder)
{
    struct stat about;
    if (mkdir(folder, 0777) == 0)
        return 0;
    if (errno != EEXIST || stat(folder, &about) != 0)
        return -1;
    errno = ENOTDIR;
    return S_ISDIR(about.st_mode) ? 0 : -1;
}

enum status results_make(const char *folder, struct failure *f)
{
    struct results_path path = join(folder, "", "");
    int made = path.text[0] ? 0 : -1;
    for (char *slash = path.text + 1; made == 0 && *slash; slash++) {
        if (*slash != '/')
            continue;
        *slash = '\0';
        made = make_one(path.text);
        *slash = '/';
    }
    if (made != 0)
        return fail(f, STATUS_OUTPUT, "%s: cannot be made: %s", folder, strerror(errno));
    return STATUS_OK;
}

bool results_name_is_safe(const char *name)
{
    if (!*name || strlen(name) > 100 || *name == '-')
        return false;
    for (; *name; name++)
        if (!isalnum((unsigned char)*name) && *name != '_' && *name != '-')
            return false;
    return true;
}

/* The file keeps the words of whoever locked it last; the lock itself is the kernel's, and ends
 * with its process however that ends. */
static enum status locked_by_another(int file, const char *folder, struct failure *f)
{
    char who[256] = "";
    ssize_t length = pread(file, who, sizeof who - 1, 0);
    who[length > 0 ? strcspn(who, "\n") : 0] = '\0';
    return fail(f, STATUS_RESOURCE, "%s: in use by %s; wait for it, or choose another --results",
                folder, *who ? who : "another process");
}

enum status results_lock(int *lock, const char *folder, struct failure *f)
{
    struct results_path path = join(folder, "study.lock", "");
    int file = open(path.text, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    *lock = -1;
    if (file < 0)
        return fail(f, STATUS_OUTPUT, "%s: cannot be written: %s", path.text, strerror(errno));
    if (flock(file, LOCK_EX | LOCK_NB) != 0) {
        enum status status =
            errno == EWOULDBLOCK
                ? locked_by_another(file, folder, f)
                : fail(f, STATUS_OUTPUT, "%s: cannot be locked: %s", path.text, strerror(errno));
        close(file);
        return status;
    }
    char host[128] = "", who[256];
    gethostname(host, sizeof host - 1);
    int length = snprintf(who, sizeof who, "study, process %ld on %s\n", (long)getpid(), host);
    if (ftruncate(file, 0) != 0 || pwrite(file, who, (size_t)length, 0) != length) {
        close(file);
        return fail(f, STATUS_OUTPUT, "%s: cannot be written: %s", path.text, strerror(errno));
    }
    *lock = file;
    return STATUS_OK;
}

void results_unlock(int lock)
{
    if (lock >= 0)
        close(lock);
}
