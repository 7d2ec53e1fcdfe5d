#include "tests/support/heap.h"

#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static size_t held, held_at_start, peak;

static void count(size_t size)
{
    held += size;
    peak = held > peak ? held : peak;
}

static void uncount(size_t size)
{
    held = size < held ? held - size : 0;
}

void heap_start(void)
{
    held_at_start = peak = held;
}

size_t heap_peak(void)
{
    return peak - held_at_start;
}

#if defined(__SANITIZE_ADDRESS__)
#define MAXPOOL_HEAP_BY_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define MAXPOOL_HEAP_BY_SANITIZER 1
#endif
#endif

#if defined(MAXPOOL_HEAP_BY_SANITIZER)
/* As in clang's sanitizer/allocator_interface.h, which gcc's packages do not contain. */
extern int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void *,
                                                                       size_t),
                                                     void (*on_free)(const volatile void *));
extern size_t __sanitizer_get_allocated_size(const volatile void *memory);

static void on_malloc(const volatile void *memory, size_t size)
{
    (void)memory;
    count(size);
}

static void on_free(const volatile void *memory)
{
    if (memory)
        uncount(__sanitizer_get_allocated_size(memory));
}

__attribute__((constructor)) static void install(void)
{
    __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);
}
#else
/* The program's own malloc takes precedence over the C library's, for the shared libraries too. */
extern void *__libc_malloc(size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void __libc_free(void *memory);
void *malloc(size_t size)
{
    void *memory = __libc_malloc(size);
    count(memory ? malloc_usable_size(memory) : 0);
    return memory;
}

void free(void *memory)
{
    uncount(memory ? malloc_usable_size(memory) : 0);
    __libc_free(memory);
}

void *calloc(size_t items, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(items, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    extern void *__libc_calloc(size_t count_of, size_t size_of);
    void *memory = __libc_calloc(items, size);
    count(memory ? malloc_usable_size(memory) : 0);
    return memory;
}

void *realloc(void *memory, size_t size)
{
    size_t before = memory ? malloc_usable_size(memory) : 0;
    void *moved = __libc_realloc(memory, size);
    if (moved || size == 0) {
        uncount(before);
        count(moved ? malloc_usable_size(moved) : 0);
    }
    return moved;
}
#endif
