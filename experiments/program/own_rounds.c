#include "experiments/program/own_rounds.h"

#include "experiments/common/process.h"
#include "experiments/run/quiet.h"
#include "harness/base/clock.h"
#include "harness/point/sampling/rounds.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_TIMES = 3 /* launches of an arm, as a multiple of the planned */, SEED = 35 };

/* Most of a budget that is spent waiting until other programs are quiet. */
static const double wait_share = 0.1;

bool own_arm_begin(struct own_arm *arm)
{
    *arm = (struct own_arm){.done = calloc(OWN_ROUNDS_MOST, sizeof(bool)), .latest_s = NAN};
    return arm->done != NULL;
}

void own_arm_release(struct own_arm *arm)
{
    free(arm->done);
    arm->done = NULL;
}

size_t own_rounds_done(const struct own_rounds *r)
{
    size_t count = 0;
    for (size_t i = 0; i < r->count; i++)
        for (int64_t round = 0; round < r->planned; round++)
            count += r->arms[i]->done[round];
    return count;
}

double own_rounds_left_s(const struct own_rounds *r)
{
    double known = 0.0, sum = 0.0;
    size_t knowns = 0, unknown = 0;
    for (size_t i = 0; i < r->count; i++) {
        const struct own_arm *arm = r->arms[i];
        size_t missing = 0;
        for (int64_t round = 0; round < r->planned && !arm->failed; round++)
            missing += !arm->done[round];
        if (isnan(arm->latest_s)) {
            unknown += missing;
            continue;
        }
        known += arm->latest_s;
        knowns++;
        sum += arm->latest_s * (double)missing;
    }
    return knowns ? sum + (double)unknown * known / (double)knowns : 0.0;
}

double own_rounds_wait(const struct own_rounds *r)
{
    return quiet_wait(r->budget_s > 0 ? wait_share * r->budget_s : (double)INFINITY);
}

static double budget_left(const struct own_rounds *r)
{
    return r->budget_s > 0.0 ? r->budget_s - (clock_now() - r->began) : (double)INFINITY;
}

static enum status run_round(struct own_rounds *r, int64_t round, bool extra, size_t *order)
{
    enum status status = STATUS_OK;
    rounds_order(SEED, (uint64_t)round, order, r->count);
    for (size_t i = 0; i < r->count && status == STATUS_OK && !process_stop_signal(); i++) {
        struct own_arm *arm = r->arms[order[i]];
        if (arm->failed || arm->done[round])
            continue;
        if (arm->latest_s > budget_left(r) || !(budget_left(r) > 0.0))
            r->out_of_budget |= !extra; /* a shorter one may still fit */
        else
            status = r->launch(r->context, order[i], round, extra);
    }
    return status;
}

/* Seconds of one more launch of each arm that has not failed; infinity if one was never run. */
static double round_seconds(const struct own_rounds *r)
{
    double sum = 0.0;
    for (size_t i = 0; i < r->count; i++)
        if (!r->arms[i]->failed)
            sum += isnan(r->arms[i]->latest_s) ? (double)INFINITY : r->arms[i]->latest_s;
    return sum;
}

/* Further rounds, as many as fit a budget: their number depends on time alone, never on the
 * intervals (docs/statistics.md). */
static enum status run_further(struct own_rounds *r, size_t *order)
{
    enum status status = STATUS_OK;
    if (!(r->budget_s > 0.0))
        return STATUS_OK;
    const int64_t most =
        MOST_TIMES * r->planned < OWN_ROUNDS_MOST ? MOST_TIMES * r->planned : OWN_ROUNDS_MOST;
    for (int64_t round = r->planned; round < most && status == STATUS_OK && !process_stop_signal();
         round++) {
        const double needed = round_seconds(r);
        if (!(needed > 0.0) || needed > budget_left(r))
            break;
        status = run_round(r, round, true, order);
    }
    return status;
}

enum status own_rounds_run(struct own_rounds *r, struct failure *f)
{
    size_t *order = calloc(r->count + 1, sizeof *order);
    enum status status =
        order ? STATUS_OK : fail(f, STATUS_RESOURCE, "not enough memory for a round");
    for (int64_t round = 0; round < r->planned && status == STATUS_OK; round++)
        status = run_round(r, round, false, order);
    if (status == STATUS_OK)
        status = run_further(r, order);
    free(order);
    return status;
}
