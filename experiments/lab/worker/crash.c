#include "experiments/lab/worker/crash.h"

#include <execinfo.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <ucontext.h>
#include <unistd.h>

enum { FRAMES = 64, STACK = 1 << 16 };

static struct lab_code kernel;

/* Returns the address of the instruction at which the signal arrived; 0: unsupported architecture.
 */
static uintptr_t instruction_of(const void *context)
{
#if defined __x86_64__
    return (uintptr_t)((const ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
#elif defined __aarch64__
    return (uintptr_t)((const ucontext_t *)context)->uc_mcontext.pc;
#else
    (void)context;
    return 0;
#endif
}

/* Returns the offset of an instruction in the kernel's library; 0 if it is outside the library. */
static uint64_t offset_of(uintptr_t instruction)
{
    const uint64_t offset = (uint64_t)instruction - kernel.begin;
    return offset < kernel.bytes ? offset : 0;
}

/* Finds where the kernel was: at the instruction itself, or in the innermost call that leads to it.
 * A frame holds the address after the call. */
static uint64_t find_offset(const void *context)
{
    void *frames[FRAMES];
    uint64_t offset = offset_of(instruction_of(context));
    const int count = offset ? 0 : backtrace(frames, FRAMES);
    for (int i = 0; i < count && !offset; i++)
        offset = offset_of((uintptr_t)frames[i] - 1);
    return offset;
}

/* Reports the crash and restores the default action only afterwards, because other threads may
 * crash meanwhile. Then the instruction, executed again, ends the process; raise() does so if the
 * signal had been sent. The first process of a namespace ignores raise(): abort() then ends it by
 * another signal, and the note has the right one. */
static void on_signal(int number, siginfo_t *info, void *context)
{
    const struct lab_note note = {.crashed_at = find_offset(context), .crashed_by = number};
    const ssize_t ignored = write(LAB_NOTES, &note, sizeof note);
    (void)ignored;
    (void)info;
    signal(number, SIG_DFL);
    raise(number);
}

/* Gives handlers a separate stack, because an overflowed stack has no space for them. */
static void give_stack(void)
{
    const stack_t stack = {.ss_sp = malloc(STACK), .ss_size = STACK};
    if (stack.ss_sp)
        sigaltstack(&stack, NULL);
}

void crash_watch(const struct lab_code *code)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    void *first[1];
    kernel = *code;
    backtrace(first, 1); /* it loads a library, which a handler must not do */
    give_stack();
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; code->bytes > 0 && i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, NULL);
}
