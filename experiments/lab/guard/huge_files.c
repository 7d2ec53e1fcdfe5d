#include "experiments/lab/guard/huge_files.h"

#include "experiments/common/apart.h"

#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

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

int huge_files_open(void)
{
    const int mount = open_here();
    return mount >= 0 ? mount : open_apart();
}

bool huge_files_make(int system, size_t bytes, int *writer, int *reader)
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
