/* All rows of an operation, distributed over threads. */
#include "library/operation.h"
#include "library/threads.h"

#include "harness/machine/memory.h"
#include "kernels/min_max.h"

#include <stdlib.h>

/* Each thread's bytes of scratch are a multiple of this, so that no two threads write one cache
 * line. */
enum { SCRATCH_STEP = 128 };

struct rows_run {
    const struct maxpool_operation *op;
    const float *input;
    float *output;
    int64_t threads;
    char *scratch;
    size_t scratch_step; /* bytes per thread */
};

/* The first row of a thread: rows are divided equally, and the row is moved back to a multiple of
 * the row step within the plane or image, so that the bits do not depend on the number of
 * threads. */
static int64_t first_row(const struct rows_run *run, int64_t thread)
{
    const struct maxpool_operation *op = run->op;
    const int64_t rows = maxpool_rows(op), threads = run->threads;
    const int64_t at = rows / threads * thread + smaller(rows % threads, thread);
    return at - at % op->group_rows % op->row_step;
}

static void compute_share(int64_t thread, void *context)
{
    const struct rows_run *run = context;
    const int64_t first = first_row(run, thread);
    const int64_t end =
        thread + 1 == run->threads ? maxpool_rows(run->op) : first_row(run, thread + 1);
    maxpool_compute(run->op, run->input, run->output, first, end - first,
                    run->scratch + (size_t)thread * run->scratch_step);
}

static enum status run_rows(struct rows_run *run, struct failure *f)
{
    const size_t needed = run->op->scratch;
    if (needed > SIZE_MAX - SCRATCH_STEP)
        return fail(f, STATUS_RESOURCE, "the scratch cannot be counted in bytes");
    run->scratch_step = (needed + SCRATCH_STEP - 1) / SCRATCH_STEP * SCRATCH_STEP;
    void *scratch = NULL;
    if (memory_allocate(&scratch, memory_multiply((size_t)run->threads, run->scratch_step),
                        "the scratch", f) == STATUS_OK) {
        run->scratch = scratch;
        threads_run(run->threads, compute_share, run, f);
    }
    free(scratch);
    return f->status;
}

enum maxpool_status maxpool_run(const struct maxpool_operation *op, const float *input,
                                float *output, int64_t threads, struct maxpool_failure *failure)
{
    struct failure f = {0};
    struct rows_run run = {.op = op, .input = input, .output = output};
    if (failure_if_null(op, "the operation", &f) != STATUS_OK ||
        failure_if_null(input, "the input", &f) != STATUS_OK ||
        failure_if_null(output, "the output", &f) != STATUS_OK)
        return failure_give(&f, failure);
    run.threads = smaller(threads, maxpool_rows(op));
    if (threads < 1)
        fail(&f, STATUS_USAGE, "the number of threads must be at least 1, not %lld",
             (long long)threads);
    else
        run_rows(&run, &f);
    return failure_give(&f, failure);
}
