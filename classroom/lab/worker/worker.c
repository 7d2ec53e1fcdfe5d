/* A worker of `study lab`: maps the arrays, finds the function and calls it as often as the parent
 * orders. It knows neither the right results nor the time. */
#include "classroom/lab/call/protocol.h"
#include "classroom/lab/worker/callable.h"
#include "classroom/lab/worker/sandbox.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <limits.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <ucontext.h>
#include <unistd.h>

/* ---- where a signal arrived ------------------------------------------------------------------ */

/* Before a signal ends the worker, reports to the parent where in the kernel it arrived. */

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
 * another signal, and the note has the right one. The sandbox refuses to change the action of some
 * signals: a trap then ends it, by the way of another signal. */
static void on_signal(int number, siginfo_t *info, void *context)
{
    const struct lab_note note = {.crashed_at = find_offset(context), .crashed_by = number};
    const ssize_t ignored = write(LAB_NOTES, &note, sizeof note);
    (void)ignored;
    (void)info;
    if (signal(number, SIG_DFL) == SIG_ERR)
        __builtin_trap();
    raise(number);
}

/* Gives handlers a separate stack, because an overflowed stack has no space for them. */
static void give_stack(void)
{
    const stack_t stack = {.ss_sp = malloc(STACK), .ss_size = STACK};
    if (stack.ss_sp)
        sigaltstack(&stack, NULL);
}

/* Installs the handlers. The process still dies of a signal. */
static void crash_watch(void)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    void *first[1];
    backtrace(first, 1); /* it loads a library, which a handler must not do */
    give_stack();
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, NULL);
}

/* ---- orders ---------------------------------------------------------------------------------- */

enum {
    GUARD = 1 << 16,          /* bytes on either side of an array that must not be accessed */
    HUGE_PAGE = 2 << 20,      /* bytes */
    POPULATE_FOR_READING = 22 /* advice of Linux 5.14 */
};

struct array {
    char *address;
    size_t bytes;
};

/* Maps an array between two guards; only the map is writable. It begins where a huge page does. Its
 * pages are there before the first call, so that no call waits for them. */
static bool map_array(struct array *a, enum lab_array which, size_t bytes)
{
    const int descriptor = LAB_FIRST_ARRAY + (int)which;
    const int access = which == LAB_MAP ? PROT_READ | PROT_WRITE : PROT_READ;
    char *reserved = mmap(NULL, bytes + 2 * (size_t)GUARD + HUGE_PAGE, PROT_NONE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (reserved == MAP_FAILED)
        return false;
    const uintptr_t least = (uintptr_t)reserved + GUARD;
    a->address = reserved + GUARD + (HUGE_PAGE - least % HUGE_PAGE) % HUGE_PAGE;
    a->bytes = bytes;
    if (mmap(a->address, bytes, access, MAP_SHARED | MAP_FIXED, descriptor, 0) == MAP_FAILED)
        return false;
    madvise(a->address, bytes, MADV_HUGEPAGE); /* if the system has huge pages for shared memory */
    madvise(a->address, bytes, POPULATE_FOR_READING);
    close(descriptor);
    return true;
}

static bool map_arrays(struct array arrays[LAB_ARRAYS], char **argv)
{
    for (int i = 0; i < LAB_ARRAYS; i++)
        if (!map_array(&arrays[i], (enum lab_array)i, strtoull(argv[LAB_ARG_BYTES + i], NULL, 10)))
            return false;
    return true;
}

/* Bytes of address space in use; 0: not known. */
static rlim_t used_memory(void)
{
    unsigned long long pages = 0;
    FILE *text = fopen("/proc/self/statm", "r");
    const bool found = text && fscanf(text, "%llu", &pages) == 1;
    if (text)
        fclose(text);
    return found ? (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) : 0;
}

/* Limits the address space; under a sanitizer, that which is added to what the sanitizer has
 * reserved, more than any limit. */
static void limit_memory(const char *bytes, bool sanitized)
{
    const rlim_t reserved = sanitized ? used_memory() : 0;
    const rlim_t most = strtoull(bytes, NULL, 10);
    const struct rlimit both = {reserved + most, reserved + most};
    if (most > 0 && (reserved > 0 || !sanitized))
        setrlimit(RLIMIT_AS, &both);
}

/* Under the address sanitizer, forbids access to the array outside the operand of this call. */
static void fence(const struct array *a, int64_t begin, int64_t bytes)
{
    typedef void mark(const volatile void *, size_t);
    mark *forbid = NULL, *allow = NULL;
    *(void **)&forbid = dlsym(RTLD_DEFAULT, "__asan_poison_memory_region");
    *(void **)&allow = dlsym(RTLD_DEFAULT, "__asan_unpoison_memory_region");
    if (!forbid || !allow)
        return;
    allow(a->address, a->bytes);
    forbid(a->address, (size_t)begin);
    forbid(a->address + begin + bytes, a->bytes - (size_t)(begin + bytes));
}

static void call(const struct lab_order *order, const struct array arrays[LAB_ARRAYS], bool fences)
{
    float *operands[LAB_ARRAYS];
    for (int i = 0; i < LAB_ARRAYS; i++) {
        operands[i] = (float *)(arrays[i].address + order->begin[i]);
        if (fences)
            fence(&arrays[i], order->begin[i], order->bytes[i]);
    }
    callable_call(order, operands);
}

static void carry_out(const struct lab_order *order, const struct array arrays[LAB_ARRAYS],
                      bool fences)
{
    void *const addresses[LAB_ARRAYS] = {arrays[LAB_IMAGE].address, arrays[LAB_SECOND].address,
                                         arrays[LAB_MAP].address};
    if (order->ask == LAB_CALL)
        call(order, arrays, fences);
    else if (order->ask != LAB_ECHO)
        callable_move(order->ask, addresses);
}

static bool answer(const struct array arrays[LAB_ARRAYS], const struct lab_code *code,
                   int sandboxed)
{
    struct lab_note note = {.threads = callable_threads(),
                            .sandboxed = sandboxed,
                            .code = *code,
                            .product_s = callable_product_s()};
    for (int i = 0; i < LAB_ARRAYS; i++)
        note.addresses[i] = (uint64_t)(uintptr_t)arrays[i].address;
    return write(LAB_NOTES, &note, sizeof note) == (ssize_t)sizeof note;
}

/* A library whose source was compiled lies alone in its folder; others may have libraries beside
 * them. */
static int enter_sandbox(char **argv)
{
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%s", argv[LAB_ARG_WHAT]);
    char *slash = strrchr(folder, '/');
    if (slash)
        *slash = '\0';
    const bool device = getenv("LAB_DEVICE") != NULL; /* its driver opens files of all kinds */
    if (device)
        sandbox_rights();
    return sandbox_calls(device ? 0 : sandbox_files(folder), device ? SANDBOX_DEVICE : SANDBOX_C);
}

int main(int argc, char **argv)
{
    struct array arrays[LAB_ARRAYS];
    struct lab_order order;
    if (argc != LAB_ARG_BYTES + LAB_ARRAYS || !map_arrays(arrays, argv)) {
        fprintf(stderr, "%s: study starts this program: 'study lab --help'\n", argv[0]);
        return LAB_EXIT_NO_ARRAYS;
    }
    const bool sanitized = dlsym(RTLD_DEFAULT, "__asan_poison_memory_region") != NULL;
    limit_memory(argv[LAB_ARG_MEMORY], sanitized);
    if (!callable_is_trusted && !sanitized) /* a sanitizer reports crashes itself */
        crash_watch();                      /* the sandbox refuses other handlers */
    const int sandboxed = callable_is_trusted ? 0 : enter_sandbox(argv);
    const int found = callable_find(argv);
    if (found != 0)
        return found;
    kernel = callable_code();
    while (answer(arrays, &kernel, sandboxed)) {
        if (read(LAB_ORDERS, &order, sizeof order) != (ssize_t)sizeof order)
            return 0; /* the parent has no further orders */
        carry_out(&order, arrays, sanitized);
    }
    return 1;
}
