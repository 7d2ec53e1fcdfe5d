/* Executions in which only the product is parallel (--parallel product), as in the tesina: one
 * worker cuts the windows of a batch of output rows, all workers multiply them, and one worker
 * reduces the products. So the serial fraction of Amdahl's law is built in, and speedups can be
 * compared with the law's for the measured product share.
 *
 * A unit is one output row of one plane, or a strip of it. Every unit of a batch has scratch of its
 * own, so that windows and products stay there from stage to stage. */
#ifndef MAXPOOL_BATCHES_H
#define MAXPOOL_BATCHES_H

#include "harness/space/operation.h"
#include "harness/space/shares.h"

/* What the workers of a job compute in parallel: everything, or the product alone. */
enum parallel_part { PARALLEL_ALL, PARALLEL_PRODUCT };

/* NULL, or why the product of the operation cannot be computed alone: a phrase. */
const char *batches_refuse(const struct operation *op);

struct batches {
    const struct operation *operation;
    struct partition units; /* of the whole map */
    int64_t most;           /* units of a batch; 0: everything is parallel */
    size_t step;            /* bytes of scratch of a unit, a multiple of 64 */
};

/* The batches of an operation whose method works in stages: as many units as their scratch leaves
 * in a second-level cache, but at least four a worker. */
struct batches batches_make(const struct operation *op, int64_t workers);

/* How many of `workers` workers multiply any unit. */
int64_t batches_workers(const struct batches *b, int64_t workers);

/* Bytes of scratch of a batch; SIZE_MAX: uncountable. */
size_t batches_scratch(const struct batches *b);

/* Fills the scratch of a batch with NaNs: a window that was not cut or sent, or a product that was
 * not computed, must not look like that of the execution before. */
void batches_poison(const struct batches *b, void *scratch);

/* The block of unit `unit`, and its scratch in that of the batch, which begins with unit `first`.
 */
struct block batches_block(const struct batches *b, int64_t unit);
void *batches_part(const struct batches *b, void *scratch, int64_t first, int64_t unit);

/* Floats that the product of unit `unit` reads, at the beginning of its scratch; as many that it
 * writes follow (struct method, `staged`). */
int64_t batches_floats(const struct batches *b, int64_t unit);

/* Begins a region in which a team of `workers` workers multiplies `units` units, at least one: the
 * workers take them from `shares`. */
void batches_begin(struct shares *shares, int64_t units, int64_t workers);

#endif
