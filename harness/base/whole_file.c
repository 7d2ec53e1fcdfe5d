#include "harness/base/whole_file.h"

#include "harness/base/signals.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static enum status cannot_write(const char *path, int error, struct failure *f)
{
    return fail(f, failure_status_of(error, STATUS_OUTPUT), "%s: cannot be written: %s", path,
                failure_of_write(error));
}

/* Length of the folder part of a path, including the last slash. */
static int folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (int)(slash + 1 - path) : 0;
}

/* ---- leftovers ------------------------------------------------------------------------------- */

static int lock(int fd, int operation)
{
    int result;
    do
        result = flock(fd, operation);
    while (result != 0 && errno == EINTR);
    return result;
}

static bool is_temporary(const char *name)
{
    long process;
    int number, length = 0;
    return sscanf(name, ".maxpool-%ld-%d.tmp%n", &process, &number, &length) == 2 && length > 0 &&
           name[length] == '\0';
}

/* The lock is free only if the writer is dead or done, and after the latter the file has another
 * name. Some file systems keep locks within one host, so a recently written file may belong to
 * another host's writer: it stays. */
static void remove_leftover(int folder, const char *name)
{
    static const double at_rest_s = 600.0;
    struct stat opened, named;
    const int fd = openat(folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return;
    if (fstat(fd, &opened) == 0 && S_ISREG(opened.st_mode) && lock(fd, LOCK_EX | LOCK_NB) == 0 &&
        fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) == 0 && named.st_ino == opened.st_ino &&
        named.st_dev == opened.st_dev && difftime(time(NULL), opened.st_mtime) > at_rest_s)
        unlinkat(folder, name, 0);
    close(fd);
}

/* Removes the temporary files of dead writers from a folder. Writers hold a lock on their files; a
 * file without a lock is removed ten minutes after its last write. */
static void whole_file_clear(const char *path)
{
    DIR *folder = opendir(path);
    if (!folder)
        return;
    for (const struct dirent *e = readdir(folder); e; e = readdir(folder))
        if (is_temporary(e->d_name))
            remove_leftover(dirfd(folder), e->d_name);
    closedir(folder);
}

static void clear_folder_of(const char *file)
{
    char path[PATH_MAX + 2];
    snprintf(path, sizeof path, "%.*s.", folder_length(file), file);
    whole_file_clear(path);
}

/* ---- the file and its temporary -------------------------------------------------------------- */

/* Follows a link to the file that it names and that does not exist yet. Returns false with
 * errno. */
static bool follow_links(char file[PATH_MAX])
{
    enum { LINKS = 40 };
    char to[PATH_MAX], joined[2 * PATH_MAX];
    for (int i = 0; i < LINKS; i++) {
        const ssize_t length = readlink(file, to, sizeof to - 1);
        if (length < 0)
            return errno == EINVAL || errno == ENOENT;
        to[length] = '\0';
        snprintf(joined, sizeof joined, "%.*s%s", to[0] == '/' ? 0 : folder_length(file), file, to);
        if (strlen(joined) >= PATH_MAX) {
            errno = ENAMETOOLONG;
            return false;
        }
        strcpy(file, joined);
    }
    errno = ELOOP;
    return false;
}

/* Finds the file; *mode is the mode of the existing file, 0 if there is none. Returns false with
 * errno. */
static bool find_file(struct whole_file *w, const char *path, mode_t *mode)
{
    struct stat about;
    *mode = 0;
    if (stat(path, &about) != 0) {
        if (errno == ENOENT && *path) {
            if (snprintf(w->path, sizeof w->path, "%s", path) < (int)sizeof w->path)
                return follow_links(w->path);
            errno = ENAMETOOLONG;
        }
        return false;
    }
    if (S_ISDIR(about.st_mode)) {
        errno = EISDIR;
        return false;
    }
    w->direct = !S_ISREG(about.st_mode);
    *mode = about.st_mode & 07777;
    if (w->direct)
        return snprintf(w->path, sizeof w->path, "%s", path) < (int)sizeof w->path;
    return access(path, W_OK) == 0 && realpath(path, w->path);
}

/* Locks the file and checks that it still has its name: it could be removed between opening and
 * locking. On file systems without locks nothing is removed. */
static bool claim(int fd)
{
    struct stat about;
    return lock(fd, LOCK_EX) != 0 || fstat(fd, &about) != 0 || about.st_nlink > 0;
}

/* Creates a file under an unused name. Returns a descriptor, or -1 with errno. */
static int open_temporary(struct whole_file *w)
{
    enum { TRIES = 1000 };
    for (int i = 0; i < TRIES; i++) {
        const int length = snprintf(w->temporary, sizeof w->temporary, "%.*s.maxpool-%ld-%d.tmp",
                                    folder_length(w->path), w->path, (long)getpid(), i);
        if (length < 0 || (size_t)length >= sizeof w->temporary) {
            errno = ENAMETOOLONG;
            return -1;
        }
        const int fd = open(w->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST)
            return -1;
        if (fd >= 0 && claim(fd))
            return fd;
        if (fd >= 0)
            close(fd);
    }
    errno = EEXIST;
    return -1;
}

static int open_file(struct whole_file *w, mode_t mode)
{
    if (w->direct)
        return open(w->path, O_WRONLY | O_CLOEXEC);
    clear_folder_of(w->path);
    const int fd = open_temporary(w);
    if (fd < 0) {
        w->temporary[0] = '\0';
        return -1;
    }
    signals_unfinished(w->temporary);
    if (mode)
        fchmod(fd, mode);
    return fd;
}

enum status whole_file_open(struct whole_file *w, const char *path, struct failure *f)
{
    mode_t mode;
    w->stream = NULL;
    w->direct = w->derived = false;
    w->path[0] = w->temporary[0] = '\0';
    const int fd = find_file(w, path, &mode) ? open_file(w, mode) : -1;
    if (fd >= 0)
        w->stream = fdopen(fd, "wb");
    const int error = errno;
    if (fd >= 0 && !w->stream) {
        close(fd);
        whole_file_abandon(w);
    }
    return w->stream ? STATUS_OK : cannot_write(path, error, f);
}

/* ---- closing the file ------------------------------------------------------------------------ */

void whole_file_abandon(struct whole_file *w)
{
    if (w->stream)
        fclose(w->stream);
    w->stream = NULL;
    if (w->temporary[0]) {
        unlink(w->temporary);
        signals_unfinished(NULL);
    }
    w->temporary[0] = '\0';
}

/* Makes a rename durable. If the file system cannot, the file exists anyway. */
static void sync_folder(const char *file)
{
    char path[PATH_MAX + 2];
    snprintf(path, sizeof path, "%.*s.", folder_length(file), file);
    const int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return;
    fsync(fd);
    close(fd);
}

/* Writes the bytes to the disk before the rename: after a crash of the machine the name must not
 * stand for missing bytes. A report derives hundreds of files, and would mostly wait for the disk.
 * The rename happens before the lock is released. Returns false with
 * errno. */
static bool settle(const struct whole_file *w)
{
    if (fflush(w->stream) != 0 || ferror(w->stream))
        return false;
    return w->direct ||
           ((w->derived || fsync(fileno(w->stream)) == 0) && rename(w->temporary, w->path) == 0);
}

enum status whole_file_close(struct whole_file *w, struct failure *f)
{
    bool good = settle(w);
    int error = errno;
    if (good)
        w->temporary[0] = '\0'; /* it now has the file's name */
    if (fclose(w->stream) != 0 && good) {
        good = false;
        error = errno;
    }
    w->stream = NULL;
    if (!good)
        whole_file_abandon(w);
    else if (!w->direct && !w->derived)
        sync_folder(w->path);
    signals_unfinished(NULL);
    return good ? STATUS_OK : cannot_write(w->path, error, f);
}

enum status whole_file_check(const char *path, struct failure *f)
{
    struct whole_file w;
    const enum status status = whole_file_open(&w, path, f);
    whole_file_abandon(&w);
    return status;
}
