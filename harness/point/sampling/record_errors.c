/* The errors of a sample's map over all processes, for the columns of the record. */
#include "harness/point/sampling/sample.h"
#include "harness/point/verify/verify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void row_forget_errors(struct record *r)
{
    r->error_bound_max = r->error_bound_rms = NAN;
    r->error_ulps_max = r->error_ulps_rms = r->error_network_ulps = NAN;
    r->error_layer[0] = 0;
}

/* `tallies` has one tally per layer, then that of the outputs. */
static void fill(struct record *r, const struct verifier *v, const struct error_tally *tallies,
                 int layers)
{
    const struct error_summary s = error_summarise(tallies, layers);
    r->error_bound_max = s.bound_max;
    r->error_bound_rms = s.bound_rms;
    r->error_ulps_max = s.ulps_max;
    r->error_ulps_rms = s.ulps_rms;
    snprintf(r->error_layer, RECORD_TEXT, "%s", verifier_layer(v, s.worst));
    r->error_network_ulps = error_tally_ulps(&tallies[layers]);
}

/* Combines the tallies of all processes in the root. `all` begins with this process's `count`
 * tallies, which the result replaces, and has space for `ranks` times `count` more. */
static void join(const struct point *p, struct error_tally *all, size_t count, int ranks)
{
    processes_gather(p->program->space->processes, all, count * sizeof *all, all + count);
    for (size_t i = 0; i < count; i++) {
        all[i] = error_tally_exact(0);
        for (int rank = 0; rank < ranks; rank++)
            error_tally_join(&all[i], &all[(size_t)(rank + 1) * count + i]);
    }
}

enum status row_fill_errors(struct point *p, const struct contender *c, struct record *r,
                            struct failure *f)
{
    const struct verdict_errors errors = verifier_errors(point_verifier(p, c));
    const size_t count = (size_t)errors.count + 1;
    int rank, ranks;
    row_forget_errors(r);
    if (errors.count == 0)
        return STATUS_OK;
    processes_place(p->program->space->processes, &rank, &ranks);
    struct error_tally *all = calloc((size_t)(ranks + 1) * count, sizeof *all);
    const enum status status = point_common_status(
        p, all ? STATUS_OK : fail(f, STATUS_RESOURCE, "no memory for the errors"), f);
    if (status == STATUS_OK) {
        memcpy(all, errors.layers, (size_t)errors.count * sizeof *all);
        if (errors.outputs)
            all[errors.count] = *errors.outputs;
        join(p, all, count, ranks);
        fill(r, point_verifier(p, c), all, errors.count);
    }
    free(all);
    return status;
}
