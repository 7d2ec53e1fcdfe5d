#include "harness/base/regular_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *regular_kind(mode_t mode)
{
    static const struct {
        mode_t type;
        const char *name;
    } kinds[] = {
        {S_IFREG, "a regular file"}, {S_IFDIR, "a directory"},        {S_IFIFO, "a FIFO"},
        {S_IFSOCK, "a socket"},      {S_IFCHR, "a character device"}, {S_IFBLK, "a block device"},
        {S_IFLNK, "a symbolic link"}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if ((mode & S_IFMT) == kinds[i].type)
            return kinds[i].name;
    return "a special file";
}

static enum status unreadable(const char *path, struct failure *f)
{
    return fail(f, failure_status_of(errno, STATUS_USAGE), "%s: cannot be read: %s", path,
                strerror(errno));
}

static enum status check_kind(const char *path, const struct stat *about, struct failure *f)
{
    if (S_ISREG(about->st_mode))
        return STATUS_OK;
    return fail(f, STATUS_USAGE, "%s: is %s, not a regular file", path,
                regular_kind(about->st_mode));
}

/* Checks the kind before opening, since opening alone can wake a device, and again afterwards,
 * since the file may have been replaced in between. Opens without blocking, so that this open()
 * does not wait on a FIFO either. */
enum status regular_open(const char *path, int *fd, int64_t *size, struct failure *f)
{
    struct stat about;
    *fd = -1;
    if (stat(path, &about) != 0)
        return unreadable(path, f);
    enum status status = check_kind(path, &about, f);
    if (status != STATUS_OK)
        return status;
    *fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (*fd < 0)
        return unreadable(path, f);
    status = fstat(*fd, &about) == 0 ? check_kind(path, &about, f) : unreadable(path, f);
    if (status != STATUS_OK) {
        close(*fd);
        *fd = -1;
    }
    *size = about.st_size;
    return status;
}

enum status regular_stream(const char *path, FILE **stream, int64_t *size, struct failure *f)
{
    int fd;
    *stream = NULL;
    enum status status = regular_open(path, &fd, size, f);
    if (status != STATUS_OK)
        return status;
    *stream = fdopen(fd, "rb");
    if (*stream)
        return STATUS_OK;
    close(fd);
    return fail(f, STATUS_RESOURCE, "%s: no memory to open it", path);
}

bool regular_same(const char *one, const char *other)
{
    struct stat a, b;
    return stat(one, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino && S_ISREG(a.st_mode);
}
