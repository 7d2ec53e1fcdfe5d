/* Compares the GPU peers with the oracles over the common grid, on a GPU. A plain program. If the
 * build has neither cuDNN nor cuBLAS, it has nothing to do and says so. */
#include "peers/peers.h"
#include "cuda/cuda_space.h"
#include "peers/methods.h"
#include "tests/support/space_check.h"

#include <stdio.h>

static const struct job job = {.device = {.offload = OFFLOAD_IMAGE, .block = 16, .streams = 1}};

/* The outcome of one peer. */
struct tally {
    int64_t cases, failures;
};

static void count(struct tally *t, int64_t outcome)
{
    t->cases += outcome >= 0;
    t->failures += outcome > 0 ? outcome : 0;
}

/* Returns 0 if the peer passed every case that it does not refuse, and there was one. */
static int conclude(const char *operator_name, const char *name, const struct tally *t)
{
    printf("%s %s: %lld cases, %lld failures\n", operator_name, name, (long long)t->cases,
           (long long)t->failures);
    return t->cases == 0 || t->failures > 0;
}

static int check_pool(const struct method *m)
{
    struct tally t = {0, 0};
    const struct peer *peer = find_peer(&device_peers, &maxpool_operator, m->name);
    for (size_t i = 0; peer && i < pool_case_count; i++) {
        const bool any_filter = m->product && pool_cases[i].pad_mode == PAD_ZERO;
        count(&t, check_pooling_by(&cuda_space, &job, m, peer, &pool_cases[i], true));
        if (any_filter)
            count(&t, check_pooling_by(&cuda_space, &job, m, peer, &pool_cases[i], false));
    }
    return conclude("maxpool", m->name, &t);
}

static int check_multiply(const struct method *m)
{
    struct tally t = {0, 0};
    const struct peer *peer = find_peer(&device_peers, &matmul_operator, m->name);
    for (size_t i = 0; peer && i < product_case_count; i++)
        count(&t, check_product_by(&cuda_space, &job, m, peer, &product_cases[i]));
    return conclude("matmul", m->name, &t);
}

static int check_convolutions(const struct method *m)
{
    struct tally t = {0, 0};
    const struct peer *peer = find_peer(&device_peers, &conv_operator, m->name);
    for (size_t i = 0; peer && i < conv_case_count; i++)
        count(&t, check_conv_by(&cuda_space, &job, m, peer, &conv_cases[i]));
    return conclude("conv", m->name, &t);
}

static int check_peer(const struct peer_row *row)
{
    if (row->kind == &maxpool_operator)
        return check_pool(&row->method);
    return row->kind == &matmul_operator ? check_multiply(&row->method)
                                         : check_convolutions(&row->method);
}

int main(void)
{
    int failed = 0;
    for (size_t i = 0; i < device_peers.count; i++) {
        const struct peer_row *row = &device_peers.rows[i];
        const struct method *m = &row->method;
        if (m->unavailable)
            printf("%s %s: %s\n", row->kind->name, m->name, m->unavailable);
        else
            failed |= check_peer(row);
    }
    return failed;
}
