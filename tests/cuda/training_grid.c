/* Trains small networks by our kernels and compares every value of every part of a step with its
 * oracle. A plain program, so that the same one runs on the CPU emulation and on a GPU. */
#include "tests/cuda/small_training.h"

#include <stdio.h>
#include <string.h>

static int64_t check(int which, const struct training_way *way)
{
    struct small_training s;
    struct failure f = {0};
    enum status status = small_training_open(&s, which, way, &f);
    if (status == STATUS_OK)
        status = small_training_check(&s, &f);
    small_training_close(&s);
    if (status == STATUS_OK && way->captures)
        status = small_training_compare_graphs(which, way, &f);
    if (status != STATUS_OK)
        fprintf(stderr, "training: case %s, batch %d, %d shards: failures: %s\n",
                small_training_name(which), (int)way->batch, (int)way->shards, f.message);
    return status != STATUS_OK;
}

/* True if no network is named, or this one is. */
static bool is_asked_for(int count, char **names, const char *name)
{
    bool asked = count == 0;
    for (int i = 0; i < count; i++)
        asked |= strcmp(names[i], name) == 0;
    return asked;
}

/* cuda_training_grid [--first] [NETWORK]...; --first stops at the first network that fails. */
int main(int argc, char **argv)
{
    static const struct training_way ways[] = {
        {.batch = 11, .shards = 4, .block = 16, .drops = true},
        {.batch = 7,
         .shards = 1,
         .block = 32,
         .memory = HOST_PINNED,
         .drops = true,
         .captures = true}};
    const bool first = argc > 1 && strcmp(argv[1], "--first") == 0;
    const int64_t most = first ? 1 : INT64_MAX;
    int64_t failures = 0;
    for (int which = 0; which < SMALL_TRAININGS; which++)
        for (size_t i = 0; failures < most && i < sizeof ways / sizeof *ways; i++)
            if (is_asked_for(argc - 1 - first, argv + 1 + first, small_training_name(which)) &&
                (i == 0 || which < LONG_TRAINING)) /* the others take long on an emulation */
                failures += check(which, &ways[i]);
    printf("%-8s %lld failures\n", "training", (long long)failures);
    return failures > 0;
}
