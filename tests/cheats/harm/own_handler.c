/* expect: memory, SEGV
 * run: -n 32 -t 1 --samples 6 --against literal
 * Reads where nothing is, and asks the system itself, past the C library, for a handler that hides
 * it. No sanitizer sees the access. */
#define _GNU_SOURCE
#include "honest.h"

#include <setjmp.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

static sigjmp_buf place;

static void hide(int number)
{
    (void)number;
    siglongjmp(place, 1);
}

/* As the system takes it. */
struct action {
    void (*handler)(int);
    unsigned long flags;
    void (*restorer)(void);
    unsigned long mask;
};

static void handle(int number)
{
    const struct action action = {hide, 0x04000000 | SA_NODEFER, (void (*)(void))hide, 0};
    syscall(SYS_rt_sigaction, number, &action, NULL, sizeof action.mask);
}

__attribute__((no_sanitize("address", "undefined"))) static void read_nowhere(void)
{
    *(volatile char *)64;
}

void maxpool(ARGUMENTS)
{
    (void)threads;
    if (!sigsetjmp(place, 1)) {
        handle(SIGSEGV);
        handle(SIGBUS);
        read_nowhere();
    }
    HONEST();
}
