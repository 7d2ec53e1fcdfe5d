#include "cuda/emulation/programs/cards.h"

/* Blocks whose registers fit: each warp takes them in units of 256, and warps come in fours.
 * Source: the same guide, and NVIDIA's occupancy calculator. */
static int64_t blocks_by_registers(const struct card *card, int64_t warps, int64_t registers)
{
    enum { UNIT = 256, GROUP = 4 };
    const int64_t each = (registers * COUNT_WARP + UNIT - 1) / UNIT * UNIT;
    return card->registers / each / GROUP * GROUP / warps;
}

struct occupancy card_occupancy(const struct card *card, const struct emulation_counts *counts,
                                const struct compiled_kernel *compiled)
{
    const int64_t threads = counts->block[0] * counts->block[1] * counts->block[2];
    const int64_t warps = (threads + COUNT_WARP - 1) / COUNT_WARP;
    const int64_t most_warps = card->threads / COUNT_WARP;
    const int64_t shared = counts->dynamic_shared_bytes +
                           (compiled->known ? compiled->shared_bytes : counts->static_shared_bytes);
    struct occupancy o = {card->blocks, 0, most_warps, "blocks"};
    if (most_warps / warps < o.blocks) {
        o.blocks = most_warps / warps;
        o.limit = "threads";
    }
    if (shared > 0 && card->shared_bytes / (shared + card->block_shared_bytes) < o.blocks) {
        o.blocks = card->shared_bytes / (shared + card->block_shared_bytes);
        o.limit = "shared memory";
    }
    if (compiled->known && compiled->registers > 0 &&
        blocks_by_registers(card, warps, compiled->registers) < o.blocks) {
        o.blocks = blocks_by_registers(card, warps, compiled->registers);
        o.limit = "registers";
    }
    o.warps = o.blocks * warps;
    return o;
}

/* Requests to global memory move 128 bytes at a time through the first-level cache: at least one
 * wavefront each. */
static double wavefronts(const struct emulation_counts *c)
{
    double all = 0.0;
    for (int way = 0; way < COUNTED_WAYS; way++) {
        const struct counted_requests *global = &c->requests[COUNTED_GLOBAL][way];
        const int64_t lines = global->sectors * COUNT_SECTOR / 128;
        all += (double)c->requests[COUNTED_SHARED][way].wavefronts;
        all += (double)(lines > global->requests ? lines : global->requests);
    }
    return all;
}

struct prediction card_predict(const struct card *card, const struct emulation_counts *c,
                               double multiply_adds)
{
    const double clocks = 1e6 * card->clock_mhz * (double)card->processors; /* per second */
    const double sectors =
        (double)(c->distinct_sectors[COUNTED_READ] + c->distinct_sectors[COUNTED_WRITE]);
    struct prediction p = {.memory_s = sectors * COUNT_SECTOR / (1e9 * card->memory_gb_s),
                           .loads_s = wavefronts(c) / clocks,
                           .issue_s = ((double)c->steps + multiply_adds / COUNT_WARP) /
                                      (clocks * (double)card->schedulers),
                           .binds = "memory"};
    p.bound_s = p.memory_s;
    if (p.loads_s > p.bound_s) {
        p.bound_s = p.loads_s;
        p.binds = "load/store";
    }
    if (p.issue_s > p.bound_s) {
        p.bound_s = p.issue_s;
        p.binds = "issue";
    }
    return p;
}
