#include "classroom/lab/worker/calls.h"

#include <sys/syscall.h>

/* Older architectures have calls that newer ones express by others (open by openat). Reading a file
 * is not here: sandbox.c allows opening for reading only. */
const long calls_allowed[] = {
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
    SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack, SYS_restart_syscall};
const size_t calls_allowed_count = sizeof calls_allowed / sizeof *calls_allowed;

const long calls_of_python[] = {SYS_readv,      SYS_dup,        SYS_fadvise64, SYS_faccessat,
                                SYS_getcwd,     SYS_mincore,    SYS_getuid,    SYS_geteuid,
#ifdef SYS_faccessat2
                                SYS_faccessat2,
#endif
#ifdef SYS_stat
                                SYS_stat,       SYS_lstat,      SYS_access,    SYS_readlink,
#endif
                                SYS_readlinkat, SYS_getdents64, SYS_statfs,    SYS_getgid,
                                SYS_getegid};
const size_t calls_of_python_count = sizeof calls_of_python / sizeof *calls_of_python;

const long calls_killed[] = {
#ifdef SYS_fork
    SYS_fork,
#endif
#ifdef SYS_vfork
    SYS_vfork,
#endif
    SYS_execve, SYS_execveat};
const size_t calls_killed_count = sizeof calls_killed / sizeof *calls_killed;

const long calls_refused[] = {SYS_socket,
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
const size_t calls_refused_count = sizeof calls_refused / sizeof *calls_refused;
