#include "harness/machine/crowd.h"

#include <string.h>

enum { WORDS = MACHINE_CORES_MOST / 64 };

int64_t core_set_count(const struct core_set *set)
{
    int64_t count = 0;
    for (size_t i = 0; i < WORDS; i++)
        count += __builtin_popcountll(set->words[i]);
    return count;
}

static bool is_within(const struct core_set *inner, const struct core_set *outer)
{
    for (size_t i = 0; i < WORDS; i++)
        if (inner->words[i] & ~outer->words[i])
            return false;
    return true;
}

struct core_set core_set_all(const struct core_set *sets, int64_t ranks)
{
    struct core_set all = {{0}};
    for (int64_t r = 0; r < ranks; r++)
        for (size_t i = 0; i < WORDS; i++)
            all.words[i] |= sets[r].words[i];
    return all;
}

/* Counts the ranks that may use no core outside `cores`. */
static struct crowd crowd_on(const struct core_set *cores, const struct core_set *sets,
                             int64_t ranks, int64_t workers)
{
    struct crowd crowd = {.cores = core_set_count(cores)};
    for (int64_t r = 0; r < ranks; r++)
        crowd.ranks += is_within(&sets[r], cores);
    crowd.workers = crowd.ranks * workers;
    return crowd;
}

/* Sets in which no core was detected do not count. */
static bool is_denser(const struct crowd *a, const struct crowd *b)
{
    return a->cores > 0 && a->workers * b->cores > b->workers * a->cores;
}

struct crowd binding_most_crowded(const struct core_set *sets, int64_t ranks, int64_t workers)
{
    const struct core_set all = core_set_all(sets, ranks);
    struct crowd most = crowd_on(&all, sets, ranks, workers);
    for (int64_t r = 0; r < ranks; r++) {
        if (r > 0 && memcmp(&sets[r], &sets[r - 1], sizeof sets[r]) == 0)
            continue;
        const struct crowd crowd = crowd_on(&sets[r], sets, ranks, workers);
        if (is_denser(&crowd, &most))
            most = crowd;
    }
    return most;
}
