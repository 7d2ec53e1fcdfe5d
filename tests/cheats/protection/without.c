/* Runs a command as on a system that lacks parts of the sandbox of `study lab`:
 *
 *     without PART[,PART...] COMMAND [ARGUMENT...]
 *
 * landlock: before Linux 5.13; mounts: nobody may make a mount namespace; namespaces: nor any
 * other; notify: before Linux 5.5, the parent is not asked for threads; seccomp: no system call is
 * filtered. A filter of system calls that stays after exec answers as such a system does. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { RULES = 64, LANDLOCK_CREATE_RULESET = 444, NEW_LISTENER = 1 << 3 };

static struct sock_filter rules[RULES];
static unsigned short count;

static void add(uint16_t code, uint32_t value, uint8_t yes, uint8_t no)
{
    rules[count++] = (struct sock_filter){code, yes, no, value};
}

/* The call fails with the error; the accumulator holds its number. */
static void fail_with(long number, uint32_t error)
{
    add(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, 1);
    add(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error, 0, 0);
}

/* The call fails with the error if its argument `which` has one of the bits. */
static void fail_for(long number, size_t which, uint32_t bits, uint32_t error)
{
    add(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, 4);
    add(BPF_LD | BPF_W | BPF_ABS,
        (uint32_t)(offsetof(struct seccomp_data, args) + which * sizeof(uint64_t)), 0, 0);
    add(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1);
    add(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error, 0, 0);
    add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
}

static int take_away(const char *part)
{
    static const uint32_t all =
        CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWNET | CLONE_NEWNS;
    if (strcmp(part, "landlock") == 0) {
        fail_with(LANDLOCK_CREATE_RULESET, ENOSYS);
    } else if (strcmp(part, "mounts") == 0) {
        fail_for(SYS_unshare, 0, CLONE_NEWNS, EPERM);
    } else if (strcmp(part, "namespaces") == 0) {
        fail_with(SYS_clone3, ENOSYS);
        fail_for(SYS_clone, 0, all, EPERM);
        fail_for(SYS_unshare, 0, all, EPERM);
    } else if (strcmp(part, "notify") == 0) {
        fail_for(SYS_seccomp, 1, NEW_LISTENER, EINVAL);
    } else if (strcmp(part, "seccomp") == 0) {
        fail_with(SYS_seccomp, ENOSYS);
    } else {
        return 0;
    }
    return 1;
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: without PART[,PART...] COMMAND [ARGUMENT...]\n");
        return 2;
    }
    add(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr), 0, 0);
    for (const char *part = strtok(argv[1], ","); part; part = strtok(NULL, ","))
        if (!take_away(part)) {
            fprintf(stderr, "without: no part %s\n", part);
            return 2;
        }
    add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
    const struct sock_fprog program = {count, rules};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) != 0) {
        perror("without: no filter");
        return 77;
    }
    execvp(argv[2], argv + 2);
    perror(argv[2]);
    return 127;
}
