#include "openmp/held.h"

#include "harness/base/clock.h"
#include "harness/machine/memory.h"
#include "openmp/place.h"

#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

/* ---- the state --------------------------------------------------------------------------------
 */

/* One thread, in its own cache line. */
struct member {
    _Alignas(64) struct place place;
    atomic_bool inside; /* it runs the task */
    atomic_bool guest;  /* thread 0 has given it its core */
};

/* The gate of a task is one word, so that all of it changes together: the task's number in the high
 * half; whether threads may still enter; and the number of threads inside, without thread 0. */
#define GATE_NUMBER ((uint64_t)1 << 32)
#define GATE_OPEN   ((uint64_t)1 << 31)
#define GATE_INSIDE (GATE_OPEN - 1)

static struct {
    _Alignas(64) _Atomic uint64_t gate;
    team_task *task; /* written only while nobody is inside and the gate is closed */
    void *context;
    _Alignas(64) atomic_int done; /* threads that have run the task, without thread 0 */
    atomic_int sleeping;          /* threads that wait for a task */
    atomic_bool waited;           /* thread 0 sleeps until the task ends */
    atomic_bool over;             /* no more tasks come */
    pthread_mutex_t lock;
    pthread_cond_t called, ended;
    struct member *members;
    int64_t count;   /* of members */
    int64_t threads; /* of the team that is held */
    bool crowded;    /* it has more threads than processors */
    bool now;        /* only thread 0 uses it */
} held = {.lock = PTHREAD_MUTEX_INITIALIZER,
          .called = PTHREAD_COND_INITIALIZER,
          .ended = PTHREAD_COND_INITIALIZER};

enum status held_open(int64_t threads, struct failure *f)
{
    if (threads <= held.count)
        return STATUS_OK;
    free(held.members);
    held.count = 0;
    const enum status status =
        memory_allocate((void **)&held.members,
                        memory_multiply((size_t)threads, sizeof *held.members), "the team", f);
    if (status == STATUS_OK)
        held.count = threads;
    return status;
}

bool held_now(void)
{
    return held.now;
}

/* ---- waiting ----------------------------------------------------------------------------------
 */

/* A thread that sleeps is awake again after about WAIT_S: then neither spinning nor sleeping loses
 * more than twice the shortest possible wait. Threads without a task spin longer, so that they are
 * awake when the next step of a network begins. */
#define WAIT_S 50e-6
#define IDLE_S 500e-6

/* Threads that have to share cores do not spin: the others could use that time. */
static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

typedef bool condition(uint64_t argument);

static bool spin(condition *holds, uint64_t argument, double seconds)
{
    enum { LOADS = 16 }; /* between two readings of the clock */
    const double end = clock_now() + seconds;
    do
        for (int i = 0; i < LOADS; i++) {
            if (holds(argument))
                return true;
            relax();
        }
    while (!held.crowded && clock_now() < end);
    return false;
}

static void wake(pthread_cond_t *who)
{
    pthread_mutex_lock(&held.lock);
    pthread_cond_broadcast(who);
    pthread_mutex_unlock(&held.lock);
}

/* ---- threads 1 and more -----------------------------------------------------------------------
 */

/* A task other than the last one seen is open, or none will come. */
static bool is_called(uint64_t seen)
{
    const uint64_t gate = atomic_load(&held.gate);
    return ((gate & GATE_OPEN) && gate / GATE_NUMBER != seen) || atomic_load(&held.over);
}

static void await_call(uint64_t seen)
{
    if (spin(is_called, seen, IDLE_S))
        return;
    pthread_mutex_lock(&held.lock);
    atomic_fetch_add(&held.sleeping, 1);
    while (!is_called(seen))
        pthread_cond_wait(&held.called, &held.lock);
    atomic_fetch_sub(&held.sleeping, 1);
    pthread_mutex_unlock(&held.lock);
}

/* Enters the gate of a task that has not been seen yet, and sets *seen to its number. */
static bool enter(uint64_t *seen)
{
    uint64_t gate = atomic_load(&held.gate);
    do
        if (!(gate & GATE_OPEN) || gate / GATE_NUMBER == *seen)
            return false;
    while (!atomic_compare_exchange_weak(&held.gate, &gate, gate + 1));
    *seen = gate / GATE_NUMBER;
    return true;
}

/* If the thread is on the core of a thread before it, it moves to a core that no thread of the team
 * uses. A system that counts runnable threads sees no difference: it leaves two threads of the team
 * on one core while another program has the other core for itself. */
static void spread(int64_t thread)
{
    const struct place *place = &held.members[thread].place;
    const int here = place_note(&held.members[thread].place);
    for (int64_t i = 0; i < thread; i++) {
        if (atomic_load_explicit(&held.members[i].place.processor, memory_order_relaxed) != here)
            continue;
        const int unused =
            place_unused(place, &held.members[0].place, held.threads, sizeof *held.members);
        if (place_move(place, unused))
            place_note(&held.members[thread].place);
        return;
    }
}

static void perform(int64_t thread)
{
    struct member *m = &held.members[thread];
    atomic_store(&m->inside, true);
    held.task(thread, held.context);
    atomic_store(&m->inside, false);
    atomic_fetch_add(&held.done, 1);
    atomic_fetch_sub(&held.gate, 1);
    if (atomic_load(&held.waited))
        wake(&held.ended);
    if (atomic_exchange(&m->guest, false))
        spread(thread);
}

static void serve(int64_t thread, uint64_t seen)
{
    place_introduce(&held.members[thread].place);
    while (!atomic_load(&held.over)) {
        spread(thread);
        if (enter(&seen))
            perform(thread);
        else
            await_call(seen);
    }
}

/* ---- thread 0 ---------------------------------------------------------------------------------
 */

/* `threads` threads have run the task, and nobody is inside. */
static bool is_done(uint64_t threads)
{
    return (uint64_t)atomic_load(&held.done) >= threads &&
           (atomic_load(&held.gate) & GATE_INSIDE) == 0;
}

/* Gives this core to a thread that is inside and has had no processor for a while. False if it
 * runs. */
static bool give_core(struct member *m)
{
    const double before = place_seconds(&m->place);
    const double begin = clock_now();
    while (clock_now() < begin + WAIT_S)
        relax();
    const double ran = place_seconds(&m->place) - before;
    if (ran > WAIT_S / 10.0 || !atomic_load(&m->inside))
        return false;
    atomic_store(&m->guest, true);
    place_move(&m->place, place_note(&held.members[0].place));
    return true;
}

static bool give_core_to_any(int64_t threads)
{
    bool given = false;
    for (int64_t i = 1; i < threads; i++)
        if (atomic_load(&held.members[i].inside))
            given = give_core(&held.members[i]) || given;
    return given;
}

static void sleep_until_done(uint64_t threads)
{
    pthread_mutex_lock(&held.lock);
    atomic_store(&held.waited, true);
    while (!is_done(threads))
        pthread_cond_wait(&held.ended, &held.lock);
    atomic_store(&held.waited, false);
    pthread_mutex_unlock(&held.lock);
}

/* Sleeps only if a thread is descheduled: it then runs on this core. */
static void await_done(int64_t team, uint64_t threads)
{
    while (!spin(is_done, threads, WAIT_S))
        if (held.crowded || give_core_to_any(team)) {
            sleep_until_done(threads);
            return;
        }
}

static void call(team_task *task, void *context)
{
    held.task = task;
    held.context = context;
    atomic_store(&held.done, 0);
    place_note(&held.members[0].place);
    const uint64_t number = atomic_load(&held.gate) / GATE_NUMBER;
    atomic_store(&held.gate, (uint64_t)(uint32_t)(number + 1) * GATE_NUMBER | GATE_OPEN);
    if (atomic_load(&held.sleeping) > 0)
        wake(&held.called);
}

void held_run(int64_t threads, team_task *task, void *context, bool every)
{
    call(task, context);
    task(0, context);
    if (every)
        await_done(threads, (uint64_t)threads - 1);
    atomic_fetch_and(&held.gate, ~GATE_OPEN);
    await_done(threads, 0);
}

void held_hold(int64_t threads, void (*body)(void *context), void *context)
{
    const uint64_t seen = atomic_load(&held.gate) / GATE_NUMBER;
    atomic_store(&held.over, false);
    held.threads = threads;
    for (int64_t i = 0; i < threads; i++)
        held.members[i] = (struct member){.place.processor = -1};
    held.crowded = threads > omp_get_num_procs();
    held.now = true;
#pragma omp parallel num_threads((int)threads)
    if (omp_get_thread_num() == 0) {
        place_introduce(&held.members[0].place);
        body(context);
        atomic_store(&held.over, true);
        wake(&held.called);
    } else {
        serve(omp_get_thread_num(), seen);
    }
    held.now = false;
}
