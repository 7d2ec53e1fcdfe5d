#include "harness/point/sampling/rounds.h"

#include "harness/base/digest.h"

void rounds_shuffle(uint64_t seed, uint64_t round, size_t *items, size_t count)
{
    uint64_t state = digest_mix(digest_mix(seed) + round);
    for (size_t left = count; left > 1; left--) {
        state = digest_mix(state + left);
        const size_t drawn = (size_t)(state % left);
        const size_t item = items[drawn];
        items[drawn] = items[left - 1];
        items[left - 1] = item;
    }
}

void rounds_order(uint64_t seed, uint64_t round, size_t *order, size_t count)
{
    for (size_t i = 0; i < count; i++)
        order[i] = i;
    rounds_shuffle(seed, round, order, count);
}

bool rounds_check_is_due(size_t rounds)
{
    size_t due = 10;
    while (due < rounds)
        due *= 2;
    return due == rounds;
}
