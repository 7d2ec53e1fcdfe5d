#include "experiments/lab/call/readable.h"

#include "experiments/lab/call/own_root.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/types.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

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
