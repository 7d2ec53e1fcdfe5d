#include "harness/machine/guard.h"

#include "harness/machine/memory.h"

#include <stdlib.h>
#include <string.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>

/* With the address sanitizer, reading a guard is an error too, as it would be next to a block
 * without guards. */
static void forbid(const void *place)
{
    ASAN_POISON_MEMORY_REGION(place, GUARD_BYTES);
}

static void permit(const void *place)
{
    ASAN_UNPOISON_MEMORY_REGION(place, GUARD_BYTES);
}
#else
static void forbid(const void *place)
{
    (void)place;
}

static void permit(const void *place)
{
    (void)place;
}
#endif

/* A quiet NaN with a payload that depends on the position; the product with an odd number makes
 * neighbours differ in many bits. */
static uint32_t pattern(uint32_t element)
{
    return 0xffc00000u | ((element + 1) * 2654435761u >> 11);
}

void guard_fill(void *place)
{
    char *to = place;
    permit(place);
    for (uint32_t i = 0; i < GUARD_ELEMENTS; i++) {
        const uint32_t word = pattern(i);
        memcpy(to + i * sizeof word, &word, sizeof word);
    }
    forbid(place);
}

int64_t guard_damage(const void *place)
{
    const char *from = place;
    int64_t damage = -1;
    permit(place);
    for (uint32_t i = 0; damage < 0 && i < GUARD_ELEMENTS; i++) {
        const uint32_t word = pattern(i);
        if (memcmp(from + i * sizeof word, &word, sizeof word) != 0)
            damage = i;
    }
    forbid(place);
    return damage;
}

/* Allocates a block between guards. Its first one is at the end of a page, `page` bytes long, so
 * that the block begins at the next one. */
static enum status allocate(struct guarded *g, size_t bytes, size_t page, const char *what,
                            struct failure *f)
{
    const bool guards = !memory_folds();
    const size_t before = guards ? page : 0;
    *g = (struct guarded){.bytes = bytes};
    const enum status status =
        memory_allocate_between(&g->base, before, bytes, guards ? GUARD_BYTES : 0, what, f);
    if (status == STATUS_OK)
        g->block = (char *)g->base + before;
    return status;
}

enum status guarded_allocate(struct guarded *g, size_t bytes, const char *what, struct failure *f)
{
    return allocate(g, bytes, memory_page(bytes), what, f);
}

enum status guarded_allocate_cold(struct guarded *g, size_t bytes, const char *what,
                                  struct failure *f)
{
    enum { LEAST = 512 << 10 };
    return allocate(g, bytes, bytes >= LEAST ? MEMORY_HUGE_PAGE : memory_page(bytes), what, f);
}

void guarded_release(struct guarded *g)
{
    free(g->base);
    *g = (struct guarded){0};
}

static char *front(const struct guarded *g)
{
    return (char *)g->block - GUARD_BYTES;
}

static char *back(const struct guarded *g)
{
    return (char *)g->block + g->bytes;
}

void guarded_plant(struct guarded *g)
{
    if (!g->block || g->block == g->base)
        return;
    guard_fill(front(g));
    guard_fill(back(g));
    g->planted = true;
}

bool guarded_damage(struct guarded *g, int64_t *element)
{
    if (!g->planted)
        return false;
    const int64_t before = guard_damage(front(g)), after = guard_damage(back(g));
    if (before < 0 && after < 0)
        return false;
    *element = before >= 0 ? before - GUARD_ELEMENTS : (int64_t)(g->bytes / 4) + after;
    guarded_plant(g);
    return true;
}
