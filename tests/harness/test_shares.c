/* Shares of a team: each unit is taken exactly once, by whichever workers are there, in whatever
 * order they come. Workers that stall are stalled by the test, never by time. */
#include "harness/space/shares.h"
#include "tests/support/unit_test.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORKERS = 8, MOST_UNITS = 3000 };

/* How often each unit was taken, and by how many pieces of which shares. */
struct count {
    struct shares shares;
    int64_t units;
    int taken[MOST_UNITS];
};

static void opened(struct count *c, int64_t workers, int64_t pieces, int64_t units)
{
    struct failure f = {0};
    memset(c, 0, sizeof *c);
    c->units = units;
    assert_int_equal(shares_open(&c->shares, MOST_WORKERS, &f), STATUS_OK);
    shares_begin(&c->shares, workers, pieces);
}

static struct taker taker_of(struct count *c, int64_t worker)
{
    return (struct taker){.shares = &c->shares, .worker = worker, .units = c->units};
}

/* Takes one piece, and counts its units; false if none is left. */
static bool take_one(struct count *c, struct taker *t)
{
    if (!shares_take(t))
        return false;
    assert_true(t->first >= 0 && t->first < t->end && t->end <= c->units);
    for (int64_t i = t->first; i < t->end; i++)
        c->taken[i]++;
    return true;
}

static void assert_each_once(const struct count *c)
{
    for (int64_t i = 0; i < c->units; i++)
        if (c->taken[i] != 1)
            fail_msg("unit %d of %d was taken %d times", (int)i, (int)c->units, c->taken[i]);
}

static uint64_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/* Workers come in random order, so that each is the slowest in some case. */
TEST(any_order_takes_each_unit_once)
{
    uint64_t seed = 35;
    for (int i = 0; i < 2000; i++) {
        const int64_t workers = 1 + (int64_t)(next_random(&seed) % MOST_WORKERS);
        const int64_t pieces = 1 + (int64_t)(next_random(&seed) % SHARES_MOST_PIECES);
        struct count c;
        struct taker takers[MOST_WORKERS];
        bool left[MOST_WORKERS];
        int64_t at_work = workers;
        opened(&c, workers, pieces, (int64_t)(next_random(&seed) % MOST_UNITS));
        for (int64_t w = 0; w < workers; w++) {
            takers[w] = taker_of(&c, w);
            left[w] = true;
        }
        while (at_work > 0) {
            const size_t w = next_random(&seed) % (size_t)workers;
            if (left[w] && !take_one(&c, &takers[w])) {
                left[w] = false;
                at_work--;
            }
        }
        assert_each_once(&c);
        shares_close(&c.shares);
    }
}

/* An undisturbed worker computes its own share in order, and nothing of another one's before. */
TEST(own_share_comes_first_and_in_order)
{
    struct count c;
    opened(&c, 4, 8, 1001);
    struct taker t = taker_of(&c, 2);
    int64_t first, end;
    shares_part(1001, 4, 2, &first, &end);
    while (first < end) {
        assert_true(take_one(&c, &t));
        assert_int_equal(t.owner, 2);
        assert_int_equal(t.first, first);
        first = t.end;
    }
    assert_int_equal(first, end);
    assert_true(take_one(&c, &t));
    assert_int_equal(t.owner, 0); /* of shares that are equally full, the first one's last piece */
    shares_part(1001, 4, 0, &first, &end);
    assert_int_equal(t.end, end);
    shares_close(&c.shares);
}

/* A worker that stalls in its first piece keeps that piece alone: the other computes the rest of
 * both shares. */
TEST(a_stalled_worker_keeps_one_piece)
{
    struct count c;
    opened(&c, 2, 16, 640);
    struct taker slow = taker_of(&c, 1), quick = taker_of(&c, 0);
    int of_other = 0;
    assert_true(take_one(&c, &slow));
    while (take_one(&c, &quick))
        of_other += quick.owner == 1;
    assert_int_equal(of_other, 15);
    assert_false(take_one(&c, &slow));
    assert_each_once(&c);
    shares_close(&c.shares);
}

/* A worker that never comes is not missed; one without a share takes nothing. */
TEST(workers_may_be_absent)
{
    struct count c;
    opened(&c, 3, 5, 100);
    struct taker without = taker_of(&c, 3), last = taker_of(&c, 2);
    assert_false(take_one(&c, &without));
    while (take_one(&c, &last))
        ;
    assert_each_once(&c);
    shares_close(&c.shares);
}

/* Without a record of what is left, a worker takes its own share and no other. */
TEST(shares_can_be_fixed)
{
    const struct shares fixed = {.workers = 3, .pieces = 4};
    struct count c = {.shares = fixed, .units = 100};
    for (int64_t w = 0; w < 3; w++) {
        struct taker t = taker_of(&c, w);
        while (take_one(&c, &t))
            assert_int_equal(t.owner, w);
    }
    assert_each_once(&c);
}

TEST(pieces_are_not_too_small)
{
    assert_int_equal(shares_pieces(1000.0, 100.0, 1.0, 0.01), 10);
    assert_int_equal(shares_pieces(1000.0, 1.0, 1.0, 0.2), 5);
    assert_int_equal(shares_pieces(10.0, 100.0, 1.0, 0.01), 1);
    assert_int_equal(shares_pieces(1e9, 1.0, 1e9, 1.0), SHARES_MOST_PIECES);
}

/* ---- threads --------------------------------------------------------------------------------- */

enum { ROUNDS = 4000, RACERS = 2 };

struct racer {
    struct count *count;
    pthread_barrier_t *gather;
    int64_t worker;
    int64_t mine; /* units of all rounds */
};

static void *race(void *argument)
{
    struct racer *r = argument;
    for (int i = 0; i < ROUNDS; i++) {
        struct taker t = taker_of(r->count, r->worker);
        if (r->worker == 0)
            shares_begin(&r->count->shares, RACERS, SHARES_MOST_PIECES);
        pthread_barrier_wait(r->gather);
        while (shares_take(&t))
            r->mine += t.end - t.first;
        pthread_barrier_wait(r->gather);
    }
    return NULL;
}

/* A unit that is taken twice or never shows in the number of all units. */
TEST(threads_take_each_unit_once)
{
    enum { UNITS = SHARES_MOST_PIECES };
    struct racer racers[RACERS];
    pthread_t threads[RACERS];
    pthread_barrier_t gather;
    struct count c;
    int64_t all = 0;
    opened(&c, RACERS, SHARES_MOST_PIECES, UNITS);
    pthread_barrier_init(&gather, NULL, RACERS);
    for (int64_t w = 0; w < RACERS; w++) {
        racers[w] = (struct racer){.count = &c, .gather = &gather, .worker = w};
        assert_int_equal(pthread_create(&threads[w], NULL, race, &racers[w]), 0);
    }
    for (int64_t w = 0; w < RACERS; w++) {
        pthread_join(threads[w], NULL);
        all += racers[w].mine;
    }
    assert_int_equal(all, (int64_t)ROUNDS * UNITS);
    pthread_barrier_destroy(&gather);
    shares_close(&c.shares);
}
