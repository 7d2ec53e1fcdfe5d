#include "openmp/place.h"

#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <unistd.h>

void place_introduce(struct place *p)
{
    p->thread = gettid();
    if (pthread_getcpuclockid(pthread_self(), &p->clock) != 0)
        p->clock = CLOCK_MONOTONIC;
    atomic_store_explicit(&p->processor, -1, memory_order_relaxed);
    place_note(p);
}

/* Written only if it changed: other threads read it before each task. */
int place_note(struct place *p)
{
    const int now = sched_getcpu();
    if (atomic_load_explicit(&p->processor, memory_order_relaxed) != now)
        atomic_store_explicit(&p->processor, now, memory_order_relaxed);
    return now;
}

double place_seconds(const struct place *p)
{
    struct timespec t = {0};
    clock_gettime(p->clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static bool allowed_of(const struct place *p, cpu_set_t *allowed)
{
    return sched_getaffinity(p->thread, sizeof *allowed, allowed) == 0 && CPU_COUNT(allowed) > 1;
}

bool place_move(const struct place *p, int processor)
{
    cpu_set_t allowed, one;
    if (processor < 0 || processor >= CPU_SETSIZE || !allowed_of(p, &allowed) ||
        !CPU_ISSET((size_t)processor, &allowed))
        return false;
    CPU_ZERO(&one);
    CPU_SET((size_t)processor, &one);
    const bool moved = sched_setaffinity(p->thread, sizeof one, &one) == 0;
    return sched_setaffinity(p->thread, sizeof allowed, &allowed) == 0 && moved;
}

int place_unused(const struct place *p, const struct place *first, int64_t count, size_t stride)
{
    cpu_set_t allowed;
    if (!allowed_of(p, &allowed))
        return -1;
    for (int64_t i = 0; i < count; i++) {
        const struct place *other = (const void *)((const char *)first + (size_t)i * stride);
        const int used = atomic_load_explicit(&other->processor, memory_order_relaxed);
        if (used >= 0 && used < CPU_SETSIZE)
            CPU_CLR((size_t)used, &allowed);
    }
    for (int c = 0; c < CPU_SETSIZE; c++)
        if (CPU_ISSET((size_t)c, &allowed))
            return c;
    return -1;
}
