/* Compares small networks of every kind of layer, computed by our kernels, with the oracle, layer
 * by layer. A plain program, so that the same one runs on the CPU emulation and on a GPU. */
#include "tests/cuda/small_networks.h"

#include <stdio.h>
#include <string.h>

static int64_t check(int which, const struct small_way *way)
{
    struct small s;
    struct failure f = {0};
    enum status status = small_open(&s, which, way, &f);
    if (status == STATUS_OK)
        status = small_check(&s, &f);
    small_close(&s);
    if (status != STATUS_OK)
        fprintf(stderr, "network: case %s, batch %d, blocks of %d: failures: %s\n",
                small_name(which), (int)way->batch, (int)way->block, f.message);
    return status != STATUS_OK;
}

/* --first stops at the first network that fails. */
int main(int argc, char **argv)
{
    static const struct small_way ways[] = {
        {.batch = 1, .block = 16},
        {.batch = 3, .block = 16, .clocked = true},
        {.batch = 2, .block = 32, .warm_cache = true, .captures = true}};
    const int64_t most = argc > 1 && strcmp(argv[1], "--first") == 0 ? 1 : INT64_MAX;
    int64_t failures = 0;
    for (int which = 0; which < SMALL_NETWORKS; which++)
        for (size_t i = 0; failures < most && i < sizeof ways / sizeof *ways; i++)
            failures += check(which, &ways[i]);
    printf("%-8s %lld failures\n", "network", (long long)failures);
    return failures > 0;
}
