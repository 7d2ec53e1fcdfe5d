#include "classroom/lab/arrays.h"

#include "experiments/common/apart.h"
#include "harness/machine/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- files with huge pages ------------------------------------------------------------------- */

/* Files in memory that have huge pages. The system's setting for shared memory seldom allows them
 * (/sys/kernel/mm/transparent_hugepage/shmem_enabled), but a file system of one's own may: a kernel
 * that reads an array of some megabytes through pages of 4096 bytes takes up to a tenth longer. */

/* The interface to file systems as descriptors, written out because the headers of older systems
 * lack it: the numbers of its calls are the same on every architecture. */
enum { OPEN_SYSTEM = 430, CONFIGURE = 431, MAKE_MOUNT = 432 };
enum { CLOSE_ON_EXEC = 1, SET_TEXT = 1, CREATE = 6, NO_SUID = 2, NO_DEVICES = 4, NO_PROGRAMS = 8 };

/* Needs the rights of an administrator, or those of a user namespace. */
static int open_here(void)
{
    int mount = -1;
    const int system = (int)syscall(OPEN_SYSTEM, "tmpfs", CLOSE_ON_EXEC);
    if (system < 0)
        return -1;
    if (syscall(CONFIGURE, system, SET_TEXT, "huge", "always", 0) == 0 &&
        syscall(CONFIGURE, system, SET_TEXT, "size", "0", 0) == 0 &&
        syscall(CONFIGURE, system, SET_TEXT, "mode", "0700", 0) == 0 &&
        syscall(CONFIGURE, system, CREATE, NULL, NULL, 0) == 0)
        mount = (int)syscall(MAKE_MOUNT, system, CLOSE_ON_EXEC, NO_SUID | NO_DEVICES | NO_PROGRAMS);
    close(system);
    return mount;
}

/* A message with one descriptor. */
struct parcel {
    char byte;
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int))];
    struct iovec data;
    struct msghdr message;
};

static void wrap(struct parcel *p)
{
    memset(p, 0, sizeof *p);
    p->data = (struct iovec){&p->byte, 1};
    p->message = (struct msghdr){.msg_iov = &p->data,
                                 .msg_iovlen = 1,
                                 .msg_control = p->control,
                                 .msg_controllen = sizeof p->control};
}

static void send_descriptor(int socket, int descriptor)
{
    struct parcel p;
    wrap(&p);
    struct cmsghdr *head = CMSG_FIRSTHDR(&p.message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof descriptor);
    memcpy(CMSG_DATA(head), &descriptor, sizeof descriptor);
    sendmsg(socket, &p.message, MSG_NOSIGNAL);
}

/* Returns -1 if none comes before the other end is closed. */
static int receive_descriptor(int socket)
{
    struct parcel p;
    int descriptor = -1;
    wrap(&p);
    const struct cmsghdr *head =
        recvmsg(socket, &p.message, MSG_CMSG_CLOEXEC) == 1 ? CMSG_FIRSTHDR(&p.message) : NULL;
    if (head && head->cmsg_type == SCM_RIGHTS)
        memcpy(&descriptor, CMSG_DATA(head), sizeof descriptor);
    return descriptor;
}

/* A child that is root in namespaces of its own makes the file system. */
static int open_apart(void)
{
    int ends[2], status, mount;
    struct apart ignored;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return -1;
    const pid_t child = apart_fork(&ignored);
    if (child == 0) {
        apart_take_root();
        mount = unshare(CLONE_NEWNS) == 0 ? open_here() : -1;
        if (mount >= 0)
            send_descriptor(ends[1], mount);
        _exit(0);
    }
    close(ends[1]);
    mount = child > 0 ? receive_descriptor(ends[0]) : -1;
    close(ends[0]);
    if (child > 0)
        waitpid(child, &status, 0);
    return mount;
}

/* Makes a file system in memory that is mounted nowhere and ends with its descriptor; -1: it needs
 * Linux 5.2, and rights or a user namespace. */
static int huge_files_open(void)
{
    const int mount = open_here();
    return mount >= 0 ? mount : open_apart();
}

/* Makes a file without a name, with all its memory. *writer and *reader: descriptors for writing
 * and for reading; whoever has only the latter can never write. False: there is no room. */
static bool huge_files_make(int system, size_t bytes, int *writer, int *reader)
{
    static const char name[] = "array";
    *writer = openat(system, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    *reader = *writer < 0 ? -1 : openat(system, name, O_RDONLY | O_CLOEXEC);
    if (*writer >= 0)
        unlinkat(system, name, 0);
    if (*reader >= 0 && ftruncate(*writer, (off_t)bytes) == 0 &&
        fallocate(*writer, 0, 0, (off_t)bytes) == 0)
        return true;
    if (*writer >= 0)
        close(*writer);
    if (*reader >= 0)
        close(*reader);
    return false;
}

/* ---- the arrays ------------------------------------------------------------------------------ */

static const char *const names[LAB_ARRAYS] = {"the image", "the second operand", "the map"};

/* Fixes the size. Of arrays that workers may only read, this process has the only writable mapping;
 * after sealing nobody can make another one. */
static bool seal(int descriptor, bool read_only)
{
    const int seals = F_SEAL_SHRINK | F_SEAL_GROW | (read_only ? F_SEAL_FUTURE_WRITE : 0);
    return fcntl(descriptor, F_ADD_SEALS, seals) == 0;
}

static enum status map_here(struct lab_arrays *a, int i, int descriptor, struct failure *f)
{
    char *address = mmap(NULL, a->bytes[i], PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (address == MAP_FAILED)
        return fail(f, STATUS_RESOURCE, "no address space for %s: %s", names[i], strerror(errno));
    a->address[i] = address;
    return STATUS_OK;
}

/* Makes a large array on huge pages; workers get a descriptor that can only read, except of the
 * map. False: they are not available. */
static bool open_huge(struct lab_arrays *a, int i, int system, enum status *status,
                      struct failure *f)
{
    int writer, reader;
    if (system < 0 || a->bytes[i] < MEMORY_HUGE_PAGE ||
        !huge_files_make(system, a->bytes[i], &writer, &reader))
        return false;
    *status = map_here(a, i, writer, f);
    a->descriptor[i] = i == LAB_MAP ? writer : reader;
    close(i == LAB_MAP ? reader : writer);
    return true;
}

static enum status open_one(struct lab_arrays *a, int i, int system, struct failure *f)
{
    enum status status;
    if (open_huge(a, i, system, &status, f))
        return status;
    a->descriptor[i] = memfd_create("lab", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (a->descriptor[i] < 0 || ftruncate(a->descriptor[i], (off_t)a->bytes[i]) != 0)
        return fail(f, STATUS_RESOURCE, "no shared memory for %s: %s", names[i], strerror(errno));
    status = map_here(a, i, a->descriptor[i], f);
    if (status != STATUS_OK)
        return status;
    if (!seal(a->descriptor[i], i != LAB_MAP))
        return fail(f, STATUS_UNAVAILABLE, "this system cannot make shared memory read-only: %s",
                    strerror(errno));
    return STATUS_OK;
}

enum status lab_arrays_open(struct lab_arrays *a, const size_t bytes[LAB_ARRAYS], struct failure *f)
{
    const size_t page = MEMORY_HUGE_PAGE;
    size_t total = 0;
    *a = (struct lab_arrays){.descriptor = {-1, -1, -1}};
    for (int i = 0; i < LAB_ARRAYS; i++) {
        const size_t unit = bytes[i] >= page / 4 ? page : 4096;
        a->bytes[i] = (bytes[i] + unit - 1) / unit * unit;
        total = memory_add(total, a->bytes[i]);
    }
    enum status status = memory_check(total, "image, second operand and map", f);
    const int system = total >= page ? huge_files_open() : -1;
    for (int i = 0; status == STATUS_OK && i < LAB_ARRAYS; i++)
        status = open_one(a, i, system, f);
    if (system >= 0)
        close(system);
    if (status != STATUS_OK)
        lab_arrays_close(a);
    return status;
}

void lab_arrays_close(struct lab_arrays *a)
{
    for (int i = 0; i < LAB_ARRAYS; i++) {
        if (a->address[i])
            munmap(a->address[i], a->bytes[i]);
        if (a->descriptor[i] >= 0)
            close(a->descriptor[i]);
        a->address[i] = NULL;
        a->descriptor[i] = -1;
    }
}
