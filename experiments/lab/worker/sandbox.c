#include "experiments/lab/worker/sandbox.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Calls with this number or a higher one belong to programs of the same architecture with 32-bit
 * pointers, which are not ours. */
#if defined __x86_64__
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
enum { FOREIGN_CALLS = 0x40000000 };
#elif defined __aarch64__
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
enum { FOREIGN_CALLS = INT32_MAX };
#endif

enum { RULES = 160 };

struct rules {
    struct sock_filter items[RULES];
    unsigned short count;
};

static void add(struct rules *r, uint16_t code, uint32_t value, uint8_t yes, uint8_t no)
{
    if (r->count < RULES)
        r->items[r->count++] = (struct sock_filter){code, yes, no, value};
}

static void load(struct rules *r, size_t offset)
{
    add(r, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

/* Adds an action for one call; the accumulator holds the number of the call, and other calls
 * continue with the next rule. */
static void on_call(struct rules *r, long number, uint32_t action)
{
    add(r, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, 1);
    add(r, BPF_RET | BPF_K, action, 0, 0);
}

/* Allows a call if its first argument is this process, by its id or as `self`; otherwise the call
 * fails. */
static void on_call_to_others(struct rules *r, long number, pid_t self)
{
    add(r, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, 5);
    load(r, offsetof(struct seccomp_data, args));
    add(r, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)getpid(), 1, 0);
    add(r, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)self, 0, 1);
    add(r, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
    add(r, BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES, 0, 0);
}

/* clone() may only create threads. clone3() passes its flags in memory, where the filter cannot see
 * them, so it fails with ENOSYS: the C library then uses clone(). */
static void on_clone(struct rules *r)
{
    on_call(r, SYS_clone3, SECCOMP_RET_ERRNO | ENOSYS);
    add(r, BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 4);
    load(r, offsetof(struct seccomp_data, args));
    add(r, BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 0, 1);
    add(r, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
    add(r, BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS, 0, 0);
}

static const long killed[] = {
#ifdef SYS_fork
    SYS_fork,
#endif
#ifdef SYS_vfork
    SYS_vfork,
#endif
    SYS_execve, SYS_execveat};

static const long refused[] = {SYS_socket,
                               SYS_socketpair,
                               SYS_ptrace,
                               SYS_setpgid,
                               SYS_setsid,
                               SYS_process_vm_readv,
                               SYS_tkill,
                               SYS_rt_sigqueueinfo,
                               SYS_process_vm_writev,
                               SYS_unshare,
                               SYS_setns,
                               SYS_rt_tgsigqueueinfo,
#ifdef SYS_pidfd_open
                               SYS_pidfd_open,
#endif
#ifdef SYS_pidfd_send_signal
                               SYS_pidfd_send_signal,
#endif
                               SYS_userfaultfd};

#ifdef OWN_ARCHITECTURE
static bool filter_calls(void)
{
    struct rules r = {.count = 0};
    load(&r, offsetof(struct seccomp_data, arch));
    add(&r, BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCHITECTURE, 1, 0);
    add(&r, BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS, 0, 0);
    load(&r, offsetof(struct seccomp_data, nr));
    add(&r, BPF_JMP | BPF_JGE | BPF_K, FOREIGN_CALLS, 0, 1);
    add(&r, BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS, 0, 0);
    for (size_t i = 0; i < sizeof killed / sizeof *killed; i++)
        on_call(&r, killed[i], SECCOMP_RET_KILL_PROCESS);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        on_call(&r, refused[i], SECCOMP_RET_ERRNO | EACCES);
    on_call_to_others(&r, SYS_kill, getpid());
    on_call_to_others(&r, SYS_tgkill, getpid());
    on_call_to_others(&r, SYS_prlimit64, 0); /* the C library asks for limits of process 0 */
    on_clone(&r);
    add(&r, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
    const struct sock_fprog program = {r.count, r.items};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}
#else
static bool filter_calls(void)
{
    return false;
}
#endif

/* Without capabilities even root cannot read the memory of other processes. */
static void drop_capabilities(void)
{
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    const struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0, 0, 0}, {0, 0, 0}};
    syscall(SYS_capset, &header, none);
}

bool sandbox_enter(void)
{
    drop_capabilities();
    return filter_calls();
}
