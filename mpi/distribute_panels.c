/* The matrix product. Every rank has a band of the rows of A and C. The root holds B and broadcasts
 * it in panels of rows; the next panel is sent while this one is multiplied. The root gathers C,
 * because only the root has B and can verify C. Distances are distributed in the same way: the
 * points of Y replace the rows of B, and each panel of them gives some columns of the map. */
#include "harness/base/clock.h"
#include "kernels/min_max.h"
#include "mpi/group.h"
#include "mpi/rank.h"

#include <stdlib.h>

/* Floats of a panel, 4 MiB: long messages, yet several of them. */
enum { PANEL_FLOATS = 1 << 20 };

static struct image_shape right_shape(const struct instance *in)
{
    return operation_right(in->operation)->shape;
}

/* Returns the rows of B in every panel except the last, which may be shorter. */
static int64_t panel_rows(const struct instance *in)
{
    const struct image_shape b = right_shape(in);
    return larger(1, smaller(PANEL_FLOATS / b.cols, b.rows));
}

/* Allocates two panels in every rank except the root, which sends from B itself. */
static enum status prepare(struct instance *in, struct failure *f)
{
    if (group()->rank == GROUP_ROOT)
        return STATUS_OK;
    in->panel_floats = 2 * panel_rows(in) * right_shape(in).cols;
    const size_t bytes = (size_t)in->panel_floats * sizeof(float);
    const enum status status = guarded_allocate(&in->panels_block, bytes, "two panels of B", f);
    in->panels = in->panels_block.block;
    return status;
}

/* Returns the panel that begins with row `term`, in this rank's memory. */
static float *panel_of(const struct instance *in, int64_t term)
{
    const int64_t cols = right_shape(in).cols, rows = panel_rows(in);
    if (group()->rank == GROUP_ROOT)
        return operation_right(in->operation)->values + term * cols;
    return in->panels + term / rows % 2 * rows * cols;
}

static int64_t rows_from(const struct instance *in, int64_t term)
{
    return smaller(right_shape(in).rows - term, panel_rows(in));
}

/* Starts the broadcast of the panel that begins with row `term`; does nothing past the end of B. */
static void start_panel(const struct instance *in, int64_t term, MPI_Request *request)
{
    const struct image_shape b = right_shape(in);
    *request = MPI_REQUEST_NULL;
    if (term < b.rows)
        MPI_Ibcast(panel_of(in, term), (int)(rows_from(in, term) * b.cols), MPI_FLOAT, GROUP_ROOT,
                   group()->all, request);
}

/* Multiplies by all panels; adds the seconds spent waiting for them to *waited. */
static void multiply(struct instance *in, double *waited)
{
    const struct image_shape b = right_shape(in);
    const int64_t step = panel_rows(in);
    MPI_Request next;
    double start = clock_now();
    start_panel(in, 0, &next);
    for (int64_t term = 0; term < b.rows; term += step) {
        MPI_Wait(&next, MPI_STATUS_IGNORE);
        start_panel(in, term + step, &next);
        *waited += clock_now() - start;
        const int64_t rows = rows_from(in, term);
        const struct rank_panel panel = {
            {panel_of(in, term), b.cols, term, rows, 0}, term, rows, 0};
        rank_multiply(in, &panel);
        start = clock_now();
    }
    /* start_panel past the end started nothing, so no request is left. */
} /* NOLINT(clang-analyzer-optin.mpi.MPI-Checker) */

static void execute(struct instance *in, struct rank_times *times)
{
    const double begin = clock_now();
    if (in->image_at_root)
        rank_scatter(in);
    const double arrived = clock_now();
    double waited = 0.0;
    multiply(in, &waited);
    rank_end(in, times, begin, arrived, waited);
}

const struct distributing distribute_panels = {
    .map_at_root = true, .prepare = prepare, .execute = execute};
