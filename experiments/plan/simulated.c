#include "experiments/plan/simulated.h"

#include "experiments/common/folder_files.h"
#include "experiments/plan/plan.h"
#include "experiments/samples/point.h"
#include "harness/base/text/wording.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool is_simulated(const struct record *r)
{
    return r->platform[0] || strcmp(r->launch, "simgrid") == 0;
}

struct results_path simulated_hosts(const char *results, const struct platform *p)
{
    const char *name = file_name(p->path);
    char file[300];
    snprintf(file, sizeof file, "platforms/%.*s.hosts", (int)strcspn(name, "."), name);
    return results_file(results, file);
}

enum status simulated_look_up(struct plan *plan, const char *results, struct failure *f)
{
    struct calibrations c;
    enum status status = calibrations_read(&c, results, f);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < plan->count; i++)
        if (plan->points[i].simulated)
            plan->points[i].simulated->row = calibrations_find(&c, &plan->points[i].point);
    calibrations_release(&c);
    return STATUS_OK;
}

/* Whether a point's row time is known, and if its ranks share the products alone, that of these. */
static bool is_calibrated(const struct planned *p)
{
    const struct row_time *row = &p->simulated->row;
    return row->launches > 0 && (!point_shares_product(&p->point) || row->product_s > 0.0);
}

/* Measures one point's row time and looks up that of all similar points. */
static enum status calibrate(struct plan *plan, const struct planned *p, const char *results,
                             struct failure *f)
{
    wording_warn("study", "calibrating %s %s, rows of %lld columns", p->point.operator_name,
                 p->point.method, (long long)p->point.cols);
    enum status status = calibration_measure(&p->point, plan->settings.bin, results, f);
    if (status == STATUS_OK)
        status = simulated_look_up(plan, results, f);
    if (status == STATUS_OK && p->simulated->row.launches == 0)
        status = fail(f, STATUS_RESOURCE, "calibration: no samples of %s were recorded",
                      p->point.method);
    if (status == STATUS_OK && !is_calibrated(p))
        status = fail(f, STATUS_UNAVAILABLE,
                      "calibration: the serial program recorded no product_s of %s, the seconds of "
                      "the products that ranks share: name the folder of programs of this version "
                      "with --bin",
                      p->point.method);
    if (status == STATUS_OK)
        wording_warn("study", "%s: %.4g us a row", p->point.method, 1e6 * p->simulated->row.value);
    return status;
}

enum status simulated_make_ready(struct plan *plan, const char *results, struct failure *f)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < plan->count && status == STATUS_OK; i++) {
        const struct planned *p = &plan->points[i];
        if (!p->simulated || p->skip)
            continue;
        status = results_make(results_file(results, "platforms").text, f);
        if (status == STATUS_OK)
            status = platform_write_hosts(
                &p->simulated->platform, simulated_hosts(results, &p->simulated->platform).text, f);
        if (status == STATUS_OK && !is_calibrated(p))
            status = calibrate(plan, p, results, f);
    }
    return status;
}
