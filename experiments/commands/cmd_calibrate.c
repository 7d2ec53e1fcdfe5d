/* study calibrate: measures the seconds per row of the map on one core, for simulated ranks. */
#include "experiments/commands/commands.h"
#include "experiments/common/arguments.h"
#include "experiments/common/lock.h"
#include "experiments/common/process.h"
#include "experiments/common/results.h"
#include "experiments/plan/plan.h"
#include "experiments/plan/selection.h"
#include "experiments/report/claims/findings.h"
#include "experiments/samples/point.h"

#include <stdio.h>
#include <string.h>

static bool same_rows(const struct record *a, const struct record *b)
{
    return a->cols == b->cols && point_same(a, b, COLUMN_PARAMETER) &&
           strcmp(a->method, b->method) == 0;
}

static void print_row_time(const struct planned *p)
{
    char text[100];
    format_estimate(text, sizeof text, p->simulated->row.value, p->simulated->row.interval);
    printf("%s %s, rows of %lld columns, kernel %lld, stride %lld: %s, %zu launches\n",
           p->point.operator_name, p->point.method, (long long)p->point.cols,
           (long long)p->point.kernel, (long long)p->point.stride, text,
           p->simulated->row.launches);
}

/* Measures each kind of row once. */
static enum status calibrate_all(struct plan *plan, const char *results, struct failure *f)
{
    size_t printed = 0;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < plan->count && status == STATUS_OK; i++) {
        const struct planned *p = &plan->points[i];
        bool known = !p->simulated;
        for (size_t j = 0; j < i && !known; j++)
            known = plan->points[j].simulated && same_rows(&plan->points[j].point, &p->point);
        if (known)
            continue;
        status = calibration_measure(&p->point, plan->settings.bin, results, f);
        if (status == STATUS_OK)
            status = simulated_look_up(plan, results, f);
        if (status == STATUS_OK)
            print_row_time(p);
        printed++;
    }
    if (status == STATUS_OK && printed == 0)
        puts("No simulated points: nothing to calibrate.");
    return status;
}

enum status command_calibrate(int argc, char **argv, struct failure *f)
{
    struct selection selection;
    struct option_row options[SELECTION_ROWS];
    selection_begin(&selection);
    const size_t count = selection_options(&selection, SELECT_EVERY, options);
    const struct usage usage = {
        "NAME...",
        "Measures how long one core of this machine takes for one row of the map, for every\n"
        "simulated point of the experiments, and adds the samples to DIR/calibration.samples.csv.\n"
        "`study run` calibrates by itself what was never calibrated.",
        options,
        count,
        0,
        -1};
    int operands;
    bool help;
    struct plan plan;
    struct results_lock lock = {-1};
    enum status status = arguments_parse(&usage, argc, argv, &operands, &help, f);
    if (status != STATUS_OK || help)
        return status;
    status = selection_plan(&selection, argv + 1, operands, false, &plan, f);
    if (status != STATUS_OK)
        return status;
    process_catch_stop_signals();
    status = results_make(selection.results, f);
    if (status == STATUS_OK)
        status = results_lock(selection.results, "study calibrate", &lock, f);
    if (status == STATUS_OK)
        status = calibrate_all(&plan, selection.results, f);
    results_unlock(&lock);
    plan_release(&plan);
    return status;
}
