#include "experiments/lab/sweep_definition.h"

#include "experiments/common/output.h"
#include "experiments/common/results.h"
#include "experiments/lab/starters.h"
#include "kernels/operators.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void put_sweep(FILE *out, const struct lab_report *r)
{
    const char *name = r->name + strlen("lab:"),
               *first = operator_find(r->kind->name)->method(0)->name;
    const bool threads = r->sweep == LAB_THREADS_SWEEP;
    char title[160], question[160]; /* catalogues translate the formats of both */
    if (threads) {
        snprintf(title, sizeof title, "Speedup of the kernel %s", name);
        snprintf(question, sizeof question,
                 "How much faster do more threads make the kernel, and what limits that?");
    } else {
        snprintf(title, sizeof title, "Growth of the kernel %s", name);
        snprintf(question, sizeof question, "How does the kernel's time grow with n?");
    }
    fprintf(out,
            "; Written by study lab.\n[experiment]\ntitle = %s\nquestion = %s\nsection = %s\n"
            "baseline = %s\ncharts = %s\n\n"
            "[points]\nprograms = %s_omp\nmethod = %s\nsize = %" PRId64 "\nthreads = 1\n",
            title, question, threads ? "workers" : "growth", first,
            threads ? "speedup" : "serial_growth", r->kind->name, first, r->size.rows);
}

enum status lab_definition_write(const struct lab_report *r, const char *results, struct failure *f)
{
    char name[128];
    struct output o;
    lab_experiment_name(r, name, sizeof name - sizeof ".ini");
    strcat(name, ".ini");
    const struct results_path path = results_file(results, name);
    if (r->sweep == LAB_POINT)
        return access(path.text, F_OK) == 0 ? STATUS_OK : lab_data_copy("lab.ini", path.text, f);
    const enum status status = output_open(&o, path.text, f);
    if (status != STATUS_OK)
        return status;
    put_sweep(o.stream, r);
    return output_close(&o, f);
}
