/* A kernel that makes a random sequence of system calls, then computes. The number in the name of
 * its library is the seed: one library, linked under many names. FOLDER is a folder of somebody
 * else, VICTIM the id of somebody else's process. */
#include "honest.h"
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { SEQUENCE = 24, NUMBERS = 470, WORDS = 6 };

static uint64_t state;
static char space[1 << 16];
static long last; /* what the last call returned: often a descriptor or an id */

static uint64_t draw(uint64_t most)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state % most;
}

static const char *const paths[] = {FOLDER "/deleted",
                                    FOLDER "/renamed",
                                    FOLDER "/truncated",
                                    FOLDER "/overwritten",
                                    FOLDER "/secret",
                                    FOLDER "/made",
                                    FOLDER,
                                    "made_by_a_kernel",
                                    "/dev/tty",
                                    "/dev/ptmx",
                                    "/proc/self/mem",
                                    "/proc/sys/kernel/hostname",
                                    "/bin/true",
                                    "/dev/shm/made",
                                    "/tmp/made_by_a_kernel",
                                    "/proc/self/oom_score_adj",
                                    "/etc/passwd",
                                    "/sys/power/state",
                                    "/dev/mqueue/made_by_a_kernel",
                                    "/"};

/* Calls that end or stop the sequence, or would need the machine to be set up again if they were
 * not refused: the first are rare, the others never made. */
static int ends(long number)
{
    static const long all[] = {SYS_exit,
                               SYS_exit_group,
                               SYS_read,
                               SYS_readv,
                               SYS_futex,
                               SYS_clock_nanosleep,
                               SYS_nanosleep,
                               SYS_munmap,
                               SYS_mremap,
                               SYS_mprotect,
                               SYS_rt_sigprocmask,
                               SYS_brk,
                               SYS_rt_sigreturn,
                               SYS_execve,
                               SYS_execveat,
                               SYS_clone
#ifdef SYS_fork
                               ,
                               SYS_fork,
                               SYS_vfork
#endif
#ifdef SYS_arch_prctl
                               ,
                               SYS_arch_prctl
#endif
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i] == number)
            return 1;
    return 0;
}

static int never(long number)
{
    static const long all[] = {
        SYS_reboot,  SYS_kexec_load, SYS_init_module, SYS_delete_module, SYS_finit_module,
        SYS_swapoff, SYS_swapon,     SYS_vhangup,     SYS_settimeofday,  SYS_clock_settime};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i] == number)
            return 1;
    return 0;
}

static long word(void)
{
    static const long flags[] = {O_RDWR | O_CREAT,
                                 O_WRONLY | O_TRUNC,
                                 O_RDWR,
                                 AT_FDCWD,
                                 MAP_SHARED,
                                 PROT_READ | PROT_WRITE,
                                 F_SETOWN,
                                 SIGKILL,
                                 SIGUSR1,
                                 TIOCSTI,
                                 TIOCSCTTY,
                                 01600 /* IPC_CREAT with rights */,
                                 0777,
                                 CLONE_NEWUSER,
                                 CLONE_VM | CLONE_THREAD | CLONE_SIGHAND,
                                 VICTIM,
                                 -VICTIM,
                                 -1};
    switch (draw(8)) {
    case 0:
    case 1:
        return (long)(intptr_t)paths[draw(sizeof paths / sizeof *paths)];
    case 2:
        return (long)(intptr_t)(space + draw(sizeof space / 2));
    case 3:
        return flags[draw(sizeof flags / sizeof *flags)];
    case 4:
        return last;
    case 5:
        return (long)draw(17);
    case 6:
        return getpid();
    default:
        return draw(2) ? VICTIM : (long)draw(UINT32_MAX);
    }
}

/* Attacks whose arguments fit, which chance alone would seldom find. */
static void attack(void)
{
    const char *path = paths[draw(sizeof paths / sizeof *paths)];
    switch (draw(14)) {
    case 0:
        last = syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT, 0666);
        break;
    case 1:
        last = syscall(SYS_unlinkat, AT_FDCWD, path, 0);
        break;
    case 2:
        last = syscall(SYS_renameat2, AT_FDCWD, path, AT_FDCWD, FOLDER "/other", 0);
        break;
    case 3:
        last = syscall(SYS_truncate, path, 0);
        break;
    case 4:
        last = syscall(SYS_kill, draw(2) ? VICTIM : -1, SIGUSR1);
        break;
    case 5:
        last = syscall(SYS_shmget, 0x6d70 + (int)draw(8), 4096, 01600);
        break;
    case 6:
        last = syscall(SYS_semget, 0x6d70 + (int)draw(8), 1, 01600);
        break;
    case 7:
        last = syscall(SYS_msgget, 0x6d70 + (int)draw(8), 01600);
        break;
    case 8:
        last = syscall(SYS_mkdirat, AT_FDCWD, FOLDER "/folder", 0777);
        break;
    case 9:
        last = syscall(SYS_setpriority, 0, VICTIM, 19);
        break;
    case 10:
        last = syscall(SYS_socket, 2, 1 + (int)draw(2), 0);
        break;
    case 11:
        last = syscall(SYS_ioctl, draw(3), TIOCSTI, "x");
        break;
    case 12:
        last = syscall(SYS_prlimit64, VICTIM, 7, space, NULL);
        break;
    default:
        last = syscall(SYS_add_key, "user", "made_by_a_kernel", "x", 1, -4);
    }
}

static void sequence(void)
{
    for (int i = 0; i < SEQUENCE; i++) {
        const long number = (long)draw(NUMBERS);
        if (draw(3) == 0)
            attack();
        else if (!never(number) && (!ends(number) || draw(40) == 0))
            last = syscall(number, word(), word(), word(), word(), word(), word());
    }
}

static void start(void)
{
    static int done;
    Dl_info own;
    if (done++ || !dladdr((void *)start, &own))
        return;
    const char *at = strrchr(own.dli_fname, '_');
    state = 0x9e3779b97f4a7c15u * (2 * strtoull(at ? at + 1 : "0", NULL, 10) + 1);
    for (size_t i = 0; i < sizeof space; i++)
        space[i] = (char)draw(3);
    sequence();
}

__attribute__((constructor)) static void load(void)
{
    Dl_info own;
    const char *at = dladdr((void *)start, &own) ? strrchr(own.dli_fname, '_') : NULL;
    if (at && at[1] % 2)
        start();
}

void maxpool(ARGUMENTS)
{
    (void)threads;
    start();
    HONEST();
}
