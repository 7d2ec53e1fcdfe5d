/* Which ranks share cores, computed for sets of cores as launchers assign them. */
#include "harness/machine/crowd.h"
#include "tests/support/unit_test.h"

#include <stdlib.h>
#include <string.h>

/* Parses "0-3,8", the cores that a rank has. */
static struct core_set cores(const char *list)
{
    struct core_set set = {{0}};
    for (char *end; *list; list = *end ? end + 1 : end) {
        const long first = strtol(list, &end, 10);
        const long last = *end == '-' ? strtol(end + 1, &end, 10) : first;
        for (long core = first; core <= last; core++)
            set.words[core / 64] |= UINT64_C(1) << core % 64;
    }
    return set;
}

struct row {
    const char *lists[5]; /* of each rank, then NULL */
    int64_t threads;
    struct crowd expected;
};

TEST(crowds)
{
    static const struct row rows[] = {
        {{"0", "1"}, 1, {2, 2, 2}},                   /* a core each */
        {{"0-1", "0-1"}, 1, {2, 2, 2}},               /* unbound, but enough */
        {{"0-1", "0-1"}, 2, {2, 4, 2}},               /* unbound, too many threads */
        {{"0", "1"}, 2, {2, 4, 2}},                   /* bound for one thread each */
        {{"0", "0"}, 1, {2, 2, 1}},                   /* both on one core */
        {{"0", "0", "1", "2-3"}, 1, {2, 2, 1}},       /* as many cores as ranks, but shared */
        {{"0-1", "0-1", "0-1", "2-7"}, 1, {3, 3, 2}}, /* three on two */
        {{"0-3", "4-7"}, 4, {2, 8, 8}},               /* hybrid on sockets */
        {{"0-3", "0"}, 1, {1, 1, 1}},                 /* nested, with room */
        {{"60-70", "60-70"}, 11, {2, 22, 11}},        /* across words */
        {{"8191"}, 1, {1, 1, 1}},                     /* the last core that is detected */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct core_set sets[5];
        int64_t ranks = 0;
        for (; rows[i].lists[ranks]; ranks++)
            sets[ranks] = cores(rows[i].lists[ranks]);
        const struct crowd got = binding_most_crowded(sets, ranks, rows[i].threads);
        const struct crowd *want = &rows[i].expected;
        if (got.ranks != want->ranks || got.workers != want->workers || got.cores != want->cores)
            fail_msg("row %zu: %lld ranks, %lld workers, %lld cores", i, (long long)got.ranks,
                     (long long)got.workers, (long long)got.cores);
    }
}

/* One socket after the other, or one core of each socket in turn; then from the first again. A
 * second hardware thread of a core is no core. */
TEST(workers_get_cores_in_order)
{
    static const struct {
        const char *machine, *core, *spread; /* the cores of the first workers */
    } rows[] = {{"pack:2 core:4 pu:1", "0 1 2 3 4 5 6 7 0", "0 4 1 5 2 6 3 7 0"},
                {"pack:3 core:2 pu:2", "0 1 2 3 4 5 0", "0 2 4 1 3 5 0"},
                {"pack:1 core:4 pu:2", "0 1 2 3 0", "0 1 2 3 0"},
                {"pack:2 numa:2 core:2 pu:1", "0 1 2 3 4 5 6 7", "0 4 1 5 2 6 3 7"},
                {"nonsense", "-1", "-1"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (int binding = BIND_CORE; binding < BINDINGS; binding++) {
            const char *wanted = binding == BIND_CORE ? rows[i].core : rows[i].spread;
            char *end;
            for (int64_t worker = 0; *wanted; worker++, wanted = *end ? end + 1 : end) {
                const int64_t core = strtol(wanted, &end, 10),
                              seen = machine_core_of_text(rows[i].machine, worker,
                                                          (enum binding)binding);
#ifdef MAXPOOL_HAVE_HWLOC
                if (seen != core)
                    fail_msg("%s, %s: worker %d has core %d", rows[i].machine,
                             binding_options[binding], (int)worker, (int)seen);
#else
                (void)core;
                assert_int_equal(seen, -1);
#endif
            }
        }
}

TEST(this_process_has_cores)
{
    struct core_set mine;
    struct machine m;
    machine_cores(&mine);
    machine_describe(&m);
    assert_int_equal(core_set_count(&mine), m.allowed_cores);
    assert_true(m.allowed_cores > 0);
}
