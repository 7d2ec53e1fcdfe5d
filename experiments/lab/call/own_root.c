#include "experiments/lab/call/own_root.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The interface to mounts as descriptors, written out because the headers of older systems lack it:
 * the numbers of its calls are the same on every architecture. */
enum { OPEN_TREE = 428, MOVE_MOUNT = 429, SET_ATTRIBUTES = 442 };
enum {
    CLONE_TREE = 1,
    FROM_DESCRIPTOR = 4,
    THROUGH_LINKS = 16,
    WITH_ALL_BELOW = 0x8000,
    OF_DESCRIPTOR = 0x1000
};
enum { READ_ONLY = 1, NO_SUID = 2, NO_DEVICES = 4 };

struct attributes { /* struct mount_attr */
    uint64_t set, clear, propagation, user_namespace;
};

enum { PLACES = 128 };

/* A path, and a copy of the mount that it names, which is nowhere yet. */
struct place {
    char path[PATH_MAX];
    int tree;
    bool folder;
};

/* Large: not on the stack of a thread. */
static struct place places[PLACES];
static size_t place_count;

static bool set_attributes(int tree, const char *path, unsigned flags, uint64_t attributes)
{
    const struct attributes a = {.set = attributes};
    return syscall(SET_ATTRIBUTES, tree, path, flags, &a, sizeof a) == 0;
}

/* Copies what the path names, read-only unless it is `writable`. What cannot be copied is left out,
 * such as /proc/self/exe, whose file belongs to another namespace; false if nothing can. */
static bool take(const char *path, size_t length, bool writable)
{
    struct stat facts;
    struct place *p = &places[place_count];
    if (length < 2 || length >= sizeof p->path || path[0] != '/' || place_count == PLACES)
        return length < 2; /* a root folder has no place inside of itself */
    memcpy(p->path, path, length);
    p->path[length] = '\0';
    if (stat(p->path, &facts) != 0)
        return true;
    p->folder = S_ISDIR(facts.st_mode);
    p->tree = (int)syscall(OPEN_TREE, AT_FDCWD, p->path, CLONE_TREE | O_CLOEXEC | WITH_ALL_BELOW);
    if (p->tree < 0)
        return errno != ENOSYS && errno != EPERM;
    place_count++;
    const uint64_t attributes =
        (writable ? 0 : READ_ONLY) | NO_SUID | (S_ISCHR(facts.st_mode) ? 0 : NO_DEVICES);
    return set_attributes(p->tree, "", OF_DESCRIPTOR | WITH_ALL_BELOW, attributes);
}

static bool take_list(const char *list)
{
    bool good = true;
    while (*list && good) {
        const size_t length = strcspn(list, "\n");
        good = take(list, length, false);
        list += length + (list[length] == '\n');
    }
    return good;
}

/* Makes the folders above a path below the current one, and the place itself: a folder or an empty
 * file. What is there already stays. */
static void make_place(const struct place *p)
{
    char path[PATH_MAX];
    memcpy(path, p->path + 1, strlen(p->path));
    for (char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0755);
        *slash = '/';
    }
    if (p->folder)
        mkdir(path, 0755);
    else
        close(open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0644));
}

/* Gives all copies their places below the current folder; one without is closed and gone. */
static void put_all(void)
{
    for (size_t i = 0; i < place_count; i++) {
        make_place(&places[i]);
        syscall(MOVE_MOUNT, places[i].tree, "", AT_FDCWD, places[i].path + 1,
                FROM_DESCRIPTOR | THROUGH_LINKS);
        close(places[i].tree);
    }
}

bool own_root_enter(const char *system, const char *own, const char *readable, const char *writable)
{
    static char before[PATH_MAX];
    static const char somewhere[] = "/usr"; /* any folder: all that is needed is copied before */
    place_count = 0;
    if (!getcwd(before, sizeof before))
        before[0] = '\0';
    if (unshare(CLONE_NEWNS) != 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
        !take_list("/dev/null") || !take_list(system) || !take_list(own) || !take_list(readable) ||
        (writable && !take(writable, strlen(writable), true)))
        return false;
    if (mount("tmpfs", somewhere, "tmpfs", MS_NOSUID | MS_NODEV, "size=1m,mode=755") != 0)
        return false;
    if (chdir(somewhere) != 0 || syscall(SYS_pivot_root, ".", ".") != 0) {
        umount2(somewhere, MNT_DETACH); /* all has its old name again */
        return chdir(before) != 0 && false;
    }
    if (umount2(".", MNT_DETACH) != 0)
        return false;
    put_all();
    if (chdir(before) != 0 && chdir("/") != 0) /* the old folder, if it is still there */
        return false;
    return set_attributes(AT_FDCWD, "/", 0, READ_ONLY);
}
