#include "harness/space/simulated.h"

#include "harness/machine/memory.h"
#include "harness/machine/simulation.h"

/* ---- portions of an operation ----------------------------------------------------------------
 */

/* Seconds of a portion: row_s for each of its rows, times its share of the columns and its share of
 * the terms of each sum. */
static double portion_seconds(const struct operation *op, double row_s, const struct portion *p)
{
    const double rows = (double)operation_right(op)->shape.rows;
    const double share = rows > 0.0 ? (double)p->terms / rows : 1.0;
    const struct block *block = &p->block;
    return row_s * share * (double)block->planes * (double)block->rows * (double)block->cols /
           (double)op->map.cols;
}

static void portion_simulated(const struct computing *c, const struct portion *portion,
                              double *product_s)
{
    simulation_spend(portion_seconds(c->operation, c->simulated->row_s, portion));
    if (!c->simulated->folded)
        operation_run(c->operation, portion, product_s);
}

struct computing computing_simulated(const struct operation *op, const struct simulated *simulated)
{
    return (struct computing){.operation = op,
                              .portion = portion_simulated,
                              .by_method = !simulated->folded,
                              .staged = simulated->product_s > 0.0,
                              .simulated = simulated};
}

void simulated_stage(const struct computing *c, const struct portion *portion, enum stage stage)
{
    const struct simulated *s = c->simulated;
    const double row_s[] = {[STAGE_ALL] = s->row_s,
                            [STAGE_CUT] = s->row_s - s->product_s,
                            [STAGE_MULTIPLY] = s->product_s,
                            [STAGE_REDUCE] = 0.0};
    simulation_spend(portion_seconds(c->operation, row_s[stage], portion));
}

/* ---- steps of a training ---------------------------------------------------------------------
 */

/* Of SimGrid 3.32: measured with 64 ranks as 1.1 KB and 0.3 MB, rounded up. Each rank has its own
 * copy of the program. */
enum { MESSAGE_BYTES = 2 << 10, RANK_BYTES = 1 << 20 };

static const struct simulated *of(const struct dry_run *d)
{
    return d->context;
}

static void spend_products(const struct dry_run *d, double images)
{
    simulation_spend(of(d)->row_s * images);
}

static void spend_sums(const struct dry_run *d, double shards)
{
    simulation_spend(of(d)->sum_s * shards);
}

static void spend_update(const struct dry_run *d)
{
    simulation_spend(of(d)->update_s);
}

/* Checks the memory of the messages of all ranks together: all simulated ranks are one process. */
static enum status check_messages(const struct dry_run *d, const struct dry_messages *m,
                                  struct failure *f)
{
    const size_t need = memory_add(memory_multiply(m->count, MESSAGE_BYTES),
                                   memory_multiply((size_t)m->ranks, RANK_BYTES));
    const size_t available = memory_available();
    (void)d;
    if (need <= available)
        return STATUS_OK;
    return fail(f, STATUS_RESOURCE,
                "no memory for the messages of a step between %lld simulated ranks, %lld shards: "
                "%s are needed and %s are available",
                (long long)m->ranks, (long long)m->shards, memory_text((double)need).text,
                memory_text((double)available).text);
}

struct dry_run simulated_dry_run(const struct simulated *simulated)
{
    return (struct dry_run){.context = simulated,
                            .products = spend_products,
                            .sums = spend_sums,
                            .update = spend_update,
                            .check = check_messages};
}
