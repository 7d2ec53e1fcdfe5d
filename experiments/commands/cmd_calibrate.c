/* study calibrate: measures the seconds per row of the map on one core, for simulated ranks. */
#include "experiments/analysis/numbers.h"
#include "experiments/commands/commands.h"
#include "experiments/common/arguments.h"
#include "experiments/common/lock.h"
#include "experiments/common/process.h"
#include "experiments/common/results.h"
#include "experiments/plan/plan.h"
#include "experiments/plan/selection.h"
#include "experiments/samples/point.h"
#include "harness/base/text/screen.h"

#include <stdio.h>
#include <string.h>

static bool same_rows(const struct record *a, const struct record *b)
{
    return a->cols == b->cols && point_same(a, b, COLUMN_PARAMETER) &&
           strcmp(a->method, b->method) == 0;
}

static void print_row_time(const struct planned *p)
{
    const struct estimate row = {.value = p->simulated->row.value,
                                 .interval = p->simulated->row.interval};
    screen_say_plural(
        stdout,
        "%{operator} %{method}, rows of %{columns} columns, kernel %{kernel}, stride %{stride}: "
        "%{time}, %{n} launch\n",
        "%{operator} %{method}, rows of %{columns} columns, kernel %{kernel}, stride %{stride}: "
        "%{time}, %{n} launches\n",
        p->simulated->row.launches,
        WITH({"operator", p->point.operator_name}, {"method", p->point.method},
             {"columns", number_of(p->point.cols).text},
             {"kernel", number_of(p->point.kernel).text},
             {"stride", number_of(p->point.stride).text},
             {"time", number_answer_seconds(screen_language(), &row).text}));
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
        puts(screen_text("No simulated points: nothing to calibrate."));
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
    struct plan plan;
    struct results_lock lock = {-1};
    if (!arguments_taken(&usage, argc, argv, &operands, f))
        return f->status;
    if (selection_plan(&selection, argv + 1, operands, false, &plan, f) != STATUS_OK)
        return f->status;
    process_catch_stop_signals();
    enum status status = results_make(selection.results, f);
    if (status == STATUS_OK)
        status = results_lock(selection.results, "study calibrate", &lock, f);
    if (status == STATUS_OK)
        status = calibrate_all(&plan, selection.results, f);
    results_unlock(&lock);
    plan_release(&plan);
    return status;
}
