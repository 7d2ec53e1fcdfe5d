#include "harness/space/shares.h"

#include "harness/machine/memory.h"

#include <math.h>
#include <stdlib.h>

/* ---- what is left of a share ------------------------------------------------------------------
 */

static uint64_t range_of(int64_t first, int64_t end)
{
    return (uint64_t)first << 32 | (uint64_t)end;
}

static int64_t first_of(uint64_t range)
{
    return (int64_t)(range >> 32);
}

static int64_t end_of(uint64_t range)
{
    return (int64_t)(range & UINT32_MAX);
}

/* Results pass between workers at the end of the region, not through these numbers: relaxed order
 * suffices. */
static int64_t count_left(struct pieces_left *left)
{
    const uint64_t range = atomic_load_explicit(&left->range, memory_order_relaxed);
    return end_of(range) - first_of(range);
}

/* Takes the first or the last piece; -1 if none is left. */
static int64_t take(struct pieces_left *left, bool last)
{
    uint64_t range = atomic_load_explicit(&left->range, memory_order_relaxed), rest;
    do {
        if (first_of(range) >= end_of(range))
            return -1;
        rest = last ? range_of(first_of(range), end_of(range) - 1)
                    : range_of(first_of(range) + 1, end_of(range));
    } while (!atomic_compare_exchange_weak_explicit(&left->range, &range, rest,
                                                    memory_order_relaxed, memory_order_relaxed));
    return last ? end_of(rest) : first_of(range);
}

/* The worker whose share has most pieces left, the first of several; -1 if all are taken. */
static int64_t fullest(const struct shares *s)
{
    int64_t most = 0, worker = -1;
    for (int64_t w = 0; w < s->workers; w++) {
        const int64_t count = count_left(&s->left[w]);
        if (count > most) {
            most = count;
            worker = w;
        }
    }
    return worker;
}

/* ---- regions ----------------------------------------------------------------------------------
 */

enum status shares_open(struct shares *s, int64_t workers, struct failure *f)
{
    *s = (struct shares){.workers = workers, .pieces = 1};
    const enum status status = memory_allocate(
        (void **)&s->left, memory_multiply((size_t)workers, sizeof *s->left), "the shares", f);
    for (int64_t w = 0; status == STATUS_OK && w < workers; w++)
        atomic_init(&s->left[w].range, 0);
    return status;
}

void shares_close(struct shares *s)
{
    free(s->left);
    s->left = NULL;
}

void shares_begin(struct shares *s, int64_t workers, int64_t pieces)
{
    s->workers = workers;
    s->pieces = pieces;
    for (int64_t w = 0; w < workers; w++)
        atomic_store_explicit(&s->left[w].range, range_of(0, pieces), memory_order_relaxed);
}

int64_t shares_pieces(double units, double least_units, double cost, double least_cost)
{
    const double pieces = fmin(units / least_units, cost / least_cost);
    return (int64_t)fmax(1.0, fmin(pieces, (double)SHARES_MOST_PIECES));
}

/* ---- taking -----------------------------------------------------------------------------------
 */

/* Takes a piece of the worker's own share, or, once these are taken, another worker's. */
static int64_t next_piece(struct taker *t)
{
    const struct shares *s = t->shares;
    t->owner = t->worker;
    if (!s->left)
        return t->taken < s->pieces ? t->taken++ : -1;
    int64_t piece = take(&s->left[t->worker], false);
    while (piece < 0 && (t->owner = fullest(s)) >= 0)
        piece = take(&s->left[t->owner], true);
    return piece;
}

bool shares_take(struct taker *t)
{
    const struct shares *s = t->shares;
    if (t->worker >= s->workers)
        return false;
    for (int64_t piece = next_piece(t); piece >= 0; piece = next_piece(t)) {
        int64_t first, end, from, to;
        shares_part(t->units, s->workers, t->owner, &first, &end);
        shares_part(end - first, s->pieces, piece, &from, &to);
        t->first = first + from;
        t->end = first + to;
        if (t->first < t->end)
            return true;
    }
    return false;
}
