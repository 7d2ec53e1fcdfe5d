#include "classroom/lab/worker/sandbox.h"

#include "classroom/lab/call/protocol.h"
#include "classroom/lab/call/readable.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
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

/* Of newer kernels than the headers of some systems: ask the parent (5.0), let the call go on
 * (5.5), filter all threads together with asking (5.7). */
#ifndef SECCOMP_RET_USER_NOTIF
#define SECCOMP_RET_USER_NOTIF 0x7fc00000U
#endif
enum { ALL_THREADS = 1 << 0, ASK_PARENT = 1 << 3, ALL_THREADS_OR_ERROR = 1 << 4 };

enum { SET_OWNER = 15 }; /* F_SETOWN_EX */

/* Advice of Linux 5.14, and of 6.13, by which C libraries guard the stacks of threads. */
enum { POPULATE_READING = 22, POPULATE_WRITING = 23, GUARD_INSTALLED = 102, GUARD_REMOVED = 103 };

/* Calls that a numeric kernel, the C library, the dynamic linker and the runtimes of OpenMP,
 * Fortran and BLAS libraries make, and that reach nothing but this process whatever their arguments
 * are. Older architectures have calls that newer ones express by others (open by openat). Reading a
 * file is not here: opening is allowed for reading only. */
static const long calls_allowed[] = {
    /* its own descriptors */
    SYS_read, SYS_write, SYS_writev, SYS_pread64, SYS_lseek, SYS_close, SYS_fstat,
#ifdef SYS_newfstatat
    SYS_newfstatat,
#endif
    /* memory */
    SYS_mmap, SYS_munmap, SYS_mremap, SYS_mprotect, SYS_brk, SYS_membarrier, SYS_get_mempolicy,
    SYS_set_mempolicy, SYS_mbind,
    /* threads */
    SYS_futex, SYS_set_robust_list, SYS_get_robust_list, SYS_set_tid_address, SYS_sched_yield,
    SYS_sched_getaffinity, SYS_getcpu, SYS_exit, SYS_exit_group,
#ifdef SYS_rseq
    SYS_rseq,
#endif
#ifdef SYS_arch_prctl
    SYS_arch_prctl,
#endif
    /* clocks */
    SYS_clock_gettime, SYS_clock_getres, SYS_clock_nanosleep, SYS_nanosleep, SYS_gettimeofday,
    SYS_times, SYS_getrusage,
#ifdef SYS_time
    SYS_time,
#endif
    /* facts about itself and the machine; not the id of its parent, which is 0 in a namespace and
     * means the process itself to other calls */
    SYS_getpid, SYS_gettid, SYS_uname, SYS_sysinfo, SYS_getrandom,
#ifdef SYS_getrlimit
    SYS_getrlimit,
#endif
    /* its own signals */
    SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack, SYS_restart_syscall};

/* Those that a Python interpreter with numpy and Numba makes in addition: it looks for modules, and
 * compiles. They show files, and change none. */
static const long calls_of_python[] = {SYS_readv,      SYS_dup,        SYS_fadvise64, SYS_faccessat,
                                       SYS_getcwd,     SYS_mincore,    SYS_getuid,    SYS_geteuid,
#ifdef SYS_faccessat2
                                       SYS_faccessat2,
#endif
#ifdef SYS_stat
                                       SYS_stat,       SYS_lstat,      SYS_access,    SYS_readlink,
#endif
                                       SYS_readlinkat, SYS_getdents64, SYS_statfs,    SYS_getgid,
                                       SYS_getegid};

/* Calls that kill the process: they start processes and programs. */
static const long calls_killed[] = {
#ifdef SYS_fork
    SYS_fork,
#endif
#ifdef SYS_vfork
    SYS_vfork,
#endif
    SYS_execve, SYS_execveat};

/* For a process that uses a GPU: calls that are refused, while all others are allowed. */
static const long calls_refused[] = {SYS_socket,
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
                                     SYS_pidfd_send_signal,
#endif
#ifdef SYS_io_uring_setup
                                     SYS_io_uring_setup,
                                     SYS_io_uring_enter,
                                     SYS_io_uring_register,
#endif
                                     SYS_userfaultfd};

#define ITEMS(list) (sizeof(list) / sizeof *(list))

enum { RULES = 320 };

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

/* Loads the low half of argument number i. Kernels take only this half of int arguments. */
static void load_argument(struct rules *r, size_t i)
{
    load(r, offsetof(struct seccomp_data, args) + i * sizeof(uint64_t));
}

/* Adds an action for one call; the accumulator holds the number of the call, and other calls
 * continue with the next rule. */
static void on_call(struct rules *r, long number, uint32_t action)
{
    add(r, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, 1);
    add(r, BPF_RET | BPF_K, action, 0, 0);
}

static void on_calls(struct rules *r, const long *numbers, size_t count, uint32_t action)
{
    for (size_t i = 0; i < count; i++)
        on_call(r, numbers[i], action);
}

static const uint32_t refuse = SECCOMP_RET_ERRNO | EACCES;

/* Allows a call if argument `which` is one of two values; otherwise the call fails. */
static void on_call_with(struct rules *r, long number, size_t which, uint32_t one, uint32_t other)
{
    add(r, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, 5);
    load_argument(r, which);
    add(r, BPF_JMP | BPF_JEQ | BPF_K, one, 1, 0);
    add(r, BPF_JMP | BPF_JEQ | BPF_K, other, 0, 1);
    add(r, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
    add(r, BPF_RET | BPF_K, refuse, 0, 0);
}

/* Allows a call if argument `which` has none of the bits; otherwise the call fails. */
static void on_call_without(struct rules *r, long number, size_t which, uint32_t bits)
{
    add(r, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, 4);
    load_argument(r, which);
    add(r, BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1);
    add(r, BPF_RET | BPF_K, refuse, 0, 0);
    add(r, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
}

/* Allows madvise() on memory of its own. What gives back the pages of the map, which all workers
 * share, or moves them out, would make the next one ask for them again. */
static void on_madvise(struct rules *r)
{
    static const uint32_t own[] = {
        MADV_NORMAL,      MADV_RANDOM,      MADV_SEQUENTIAL, MADV_WILLNEED, MADV_DONTNEED,
        MADV_FREE,        MADV_HUGEPAGE,    MADV_NOHUGEPAGE, MADV_DONTDUMP, MADV_DODUMP,
        POPULATE_READING, POPULATE_WRITING, GUARD_INSTALLED, GUARD_REMOVED};
    enum { COUNT = sizeof own / sizeof *own };
    add(r, BPF_JMP | BPF_JEQ | BPF_K, SYS_madvise, 0, COUNT + 3);
    load_argument(r, 2);
    for (int i = 0; i < COUNT; i++)
        add(r, BPF_JMP | BPF_JEQ | BPF_K, own[i], (uint8_t)(COUNT - i), 0);
    add(r, BPF_RET | BPF_K, refuse, 0, 0);
    add(r, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
}

/* clone() may only create threads, as `thread` says. clone3() passes its flags in memory, where the
 * filter cannot see them, so it fails with ENOSYS: the C library then uses clone(). */
static void on_clone(struct rules *r, uint32_t thread)
{
    on_call(r, SYS_clone3, SECCOMP_RET_ERRNO | ENOSYS);
    add(r, BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 4);
    load_argument(r, 0);
    add(r, BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 0, 1);
    add(r, BPF_RET | BPF_K, thread, 0, 0);
    add(r, BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS, 0, 0);
}

/* Naming a process that a descriptor shall signal kills, as starting one does; of the other uses of
 * fcntl() two are allowed. */
static void on_fcntl(struct rules *r)
{
    add(r, BPF_JMP | BPF_JEQ | BPF_K, SYS_fcntl, 0, 8);
    load_argument(r, 1);
    add(r, BPF_JMP | BPF_JEQ | BPF_K, F_SETOWN, 4, 0);
    add(r, BPF_JMP | BPF_JEQ | BPF_K, SET_OWNER, 3, 0);
    add(r, BPF_JMP | BPF_JEQ | BPF_K, F_GETFD, 3, 0);
    add(r, BPF_JMP | BPF_JEQ | BPF_K, F_SETFD, 2, 0);
    add(r, BPF_RET | BPF_K, refuse, 0, 0);
    add(r, BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS, 0, 0);
    add(r, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
}

/* Handlers of its own are allowed, except of the signals of an access out of bounds: it would hide
 * them from the handlers that report it, which are there already. */
static void on_sigaction(struct rules *r)
{
    add(r, BPF_JMP | BPF_JEQ | BPF_K, SYS_rt_sigaction, 0, 5);
    load_argument(r, 0);
    add(r, BPF_JMP | BPF_JEQ | BPF_K, SIGSEGV, 1, 0);
    add(r, BPF_JMP | BPF_JEQ | BPF_K, SIGBUS, 0, 1);
    add(r, BPF_RET | BPF_K, refuse, 0, 0);
    add(r, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
}

/* Opening for reading, copying descriptors, the limits and names of its own threads. */
static void allow_some(struct rules *r)
{
    const uint32_t changes = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND;
    on_call_without(r, SYS_openat, 2, changes);
#ifdef SYS_open
    on_call_without(r, SYS_open, 1, changes);
#endif
    on_fcntl(r);
    on_madvise(r);
    on_sigaction(r);
    on_call_with(r, SYS_prlimit64, 0, 0, (uint32_t)getpid());
    on_call_with(r, SYS_prctl, 0, PR_SET_NAME, PR_GET_DUMPABLE);
    /* OpenMP's binding names each new thread. The first process of a namespace can name only its
     * own threads; elsewhere a thread can bind itself. */
    if (getpid() == 1)
        on_call(r, SYS_sched_setaffinity, SECCOMP_RET_ALLOW);
    else
        on_call_with(r, SYS_sched_setaffinity, 0, 0, (uint32_t)getpid());
    on_call(r, SYS_ioctl, SECCOMP_RET_ERRNO | ENOTTY); /* no terminal and no device */
}

#ifdef OWN_ARCHITECTURE
static void make_rules(struct rules *r, enum sandbox_list list, uint32_t thread)
{
    load(r, offsetof(struct seccomp_data, arch));
    add(r, BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCHITECTURE, 1, 0);
    add(r, BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS, 0, 0);
    load(r, offsetof(struct seccomp_data, nr));
    add(r, BPF_JMP | BPF_JGE | BPF_K, FOREIGN_CALLS, 0, 1);
    add(r, BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS, 0, 0);
    on_calls(r, calls_killed, ITEMS(calls_killed), SECCOMP_RET_KILL_PROCESS);
    on_clone(r, thread);
    on_call_with(r, SYS_kill, 0, (uint32_t)getpid(), (uint32_t)getpid());
    on_call_with(r, SYS_tgkill, 0, (uint32_t)getpid(), (uint32_t)getpid());
    if (list == SANDBOX_DEVICE) {
        on_calls(r, calls_refused, ITEMS(calls_refused), refuse);
        on_call_with(r, SYS_prlimit64, 0, 0, (uint32_t)getpid());
    } else {
        on_calls(r, calls_allowed, ITEMS(calls_allowed), SECCOMP_RET_ALLOW);
        if (list == SANDBOX_PYTHON)
            on_calls(r, calls_of_python, ITEMS(calls_of_python), SECCOMP_RET_ALLOW);
        allow_some(r);
    }
    add(r, BPF_RET | BPF_K, list == SANDBOX_DEVICE ? SECCOMP_RET_ALLOW : refuse, 0, 0);
}

static long install(enum sandbox_list list, uint32_t thread, unsigned flags)
{
    struct rules r = {.count = 0};
    make_rules(&r, list, thread);
    const struct sock_fprog program = {r.count, r.items};
    return r.count == RULES ? -1 : syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
}
#else
static long install(enum sandbox_list list, uint32_t thread, unsigned flags)
{
    (void)list;
    (void)thread;
    (void)flags;
    return -1;
}
#endif

/* Without capabilities even root cannot read the memory of other processes. */
void sandbox_rights(void)
{
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    const struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0, 0, 0}, {0, 0, 0}};
    syscall(SYS_capset, &header, none);
}

int sandbox_files(const char *readable)
{
    const bool restricted = readable_only(readable, NULL);
    sandbox_rights();
    return restricted ? LAB_FILES : 0;
}

int sandbox_calls(int already, enum sandbox_list list)
{
    struct lab_order ignored;
    struct lab_note note = {.sandboxed = already, .listener = -1};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0) {
        if (list != SANDBOX_DEVICE)
            note.listener = (int32_t)install(list, SECCOMP_RET_USER_NOTIF,
                                             ALL_THREADS | ASK_PARENT | ALL_THREADS_OR_ERROR);
        if (note.listener >= 0)
            note.sandboxed |= LAB_CALLS | LAB_THREADS_LIMITED;
        else if (install(list, SECCOMP_RET_ALLOW, ALL_THREADS) == 0)
            note.sandboxed |= LAB_CALLS;
    }
    const bool answered = write(LAB_NOTES, &note, sizeof note) == (ssize_t)sizeof note &&
                          read(LAB_ORDERS, &ignored, sizeof ignored) == (ssize_t)sizeof ignored;
    if (note.listener >= 0)
        close(note.listener);
    if (!answered)
        _exit(LAB_EXIT_NO_ARRAYS);
    return note.sandboxed;
}
