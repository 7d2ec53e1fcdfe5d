/* To be preloaded into a program: its allocation number FAIL_ALLOCATION, from 1, fails, and
 * "FAILED" on standard error says that there was one. Allocations of the libraries that it uses do
 * not count. */
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t items, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static uintptr_t code, code_end; /* of the program */
static long wanted;              /* 0: none fails */
static long counted;

/* The first object is the program. */
static int find_code(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    (void)context;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_X)) {
            code = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
            code_end = code + info->dlpi_phdr[i].p_memsz;
        }
    return 1;
}

__attribute__((constructor)) static void begin(void)
{
    const char *number = getenv("FAIL_ALLOCATION");
    dl_iterate_phdr(find_code, NULL);
    wanted = number ? strtol(number, NULL, 10) : 0;
}

static bool fails(const void *caller)
{
    static const char words[] = "FAILED\n";
    const uintptr_t from = (uintptr_t)caller;
    if (wanted == 0 || from < code || from >= code_end ||
        __atomic_add_fetch(&counted, 1, __ATOMIC_RELAXED) != wanted)
        return false;
    if (write(STDERR_FILENO, words, sizeof words - 1) < 0)
        abort();
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t items, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(items, size);
}

void *realloc(void *memory, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(memory, size);
}

int posix_memalign(void **out, size_t alignment, size_t size)
{
    void *memory = fails(__builtin_return_address(0)) ? NULL : __libc_memalign(alignment, size);
    if (!memory)
        return ENOMEM;
    *out = memory;
    return 0;
}
