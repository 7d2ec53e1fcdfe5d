#include "classroom/lab/call/readable.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/types.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- a root folder of its own ---------------------------------------------------------------- */

/* Restricts this process to named paths by a root folder of its own, for systems without Landlock.
 */

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

/* Replaces the root folder by an empty one in memory, into which the paths of the lists (one per
 * line; those that do not exist are left out) are mounted read-only under their own names, and
 * `writable` (NULL: nothing) writable. Then nothing else has a name. Needs the right to mount, in a
 * user namespace of its own or as root, and Linux 5.12. Safe between fork and exec. Returns false
 * if that is impossible; the process must then be taken as not restricted. */
static bool own_root_enter(const char *system, const char *own, const char *readable,
                           const char *writable)
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

/* ---- Landlock -------------------------------------------------------------------------------- */

/* The interface of Landlock, written out because the headers of older systems have only parts of
 * it: the numbers of its calls are the same on every architecture. */
enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446 };
enum { VERSION_ONLY = 1, PATH_BENEATH = 1 };

struct ruleset { /* struct landlock_ruleset_attr */
    uint64_t files, network, scoped;
};

struct rule { /* struct landlock_path_beneath_attr */
    uint64_t allowed;
    int32_t folder;
} __attribute__((packed));

/* Rights to files: bit 0 execute, 1 write, 2 read a file, 3 list a folder; the others change
 * folders (13: move between folders, since version 2; 14: truncate, 3; 15: ioctl of devices, 5). */
enum { EXECUTE = 1 << 0, WRITE_FILE = 1 << 1, READ_FILE = 1 << 2, READ_FOLDER = 1 << 3 };
enum { TRUNCATE = 1 << 14 };
static const uint64_t rights_of_a_file = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE;

static uint64_t all_rights(long version)
{
    return version >= 5   ? (1u << 16) - 1
           : version >= 3 ? (1u << 15) - 1
           : version >= 2 ? (1u << 14) - 1
                          : (1u << 13) - 1;
}

static void allow(int rules, const char *path, uint64_t rights)
{
    struct stat facts;
    struct rule rule = {.allowed = rights, .folder = open(path, O_PATH | O_CLOEXEC)};
    if (rule.folder < 0)
        return;
    if (fstat(rule.folder, &facts) == 0 && !S_ISDIR(facts.st_mode))
        rule.allowed &= rights_of_a_file;
    syscall(ADD_RULE, rules, PATH_BENEATH, &rule, 0);
    close(rule.folder);
}

/* Allows every path of a list with one path per line. */
static void allow_list(int rules, const char *list, uint64_t rights)
{
    char path[PATH_MAX];
    while (*list) {
        const size_t length = strcspn(list, "\n");
        if (length > 0 && length < sizeof path) {
            memcpy(path, list, length);
            path[length] = '\0';
            allow(rules, path, rights);
        }
        list += length + (list[length] == '\n');
    }
}

/* What compilers, the dynamic linker and the C library read. */
static const char system_files[] =
    "/usr\n/lib\n/lib32\n/lib64\n/libx32\n/bin\n/sbin\n/opt\n"
    "/etc/ld.so.cache\n/etc/ld.so.conf\n/etc/ld.so.conf.d\n"
    "/etc/alternatives\n/etc/localtime\n/nix/store\n"
    "/proc/cpuinfo\n/proc/meminfo\n/proc/filesystems\n/sys/devices/system\n/dev/urandom";

/* What a worker may see of itself. A compiler may not: its environment is the user's. */
static const char own_files[] = "/proc/self\n/proc/self/exe";

static long landlock_version(void)
{
    return syscall(CREATE_RULESET, NULL, 0, VERSION_ONLY);
}

bool readable_by_landlock(void)
{
    return landlock_version() >= 1;
}

static bool restrict_by_landlock(long version, const char *readable, const char *writable)
{
    const struct ruleset all = {.files = all_rights(version),
                                .network = version >= 4 ? 3 : 0, /* bind and connect by TCP */
                                .scoped = version >= 6 ? 3 : 0}; /* abstract sockets, signals */
    const size_t size = version >= 6 ? sizeof all : version >= 4 ? 16 : 8;
    const int rules = (int)syscall(CREATE_RULESET, &all, size, 0);
    if (rules < 0)
        return false;
    const uint64_t reading = EXECUTE | READ_FILE | READ_FOLDER;
    allow_list(rules, system_files, reading);
    allow_list(rules, writable ? "" : own_files, reading);
    allow_list(rules, readable, reading);
    allow(rules, "/dev/null", (READ_FILE | WRITE_FILE | TRUNCATE) & all.files);
    if (writable)
        allow(rules, writable, all.files);
    const bool done =
        prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && syscall(RESTRICT_SELF, rules, 0) == 0;
    close(rules);
    return done;
}

bool readable_only(const char *readable, const char *writable)
{
    const long version = landlock_version();
    return version >= 1
               ? restrict_by_landlock(version, readable, writable)
               : own_root_enter(system_files, writable ? "" : own_files, readable, writable);
}
