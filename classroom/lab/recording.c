/* Writes the samples of a timing as rows of the record, and the definition of the experiment that
 * they belong to. */
#include "classroom/lab/lab.h"

#include "classroom/lab/starters.h"
#include "experiments/common/output.h"
#include "experiments/common/results.h"
#include "generated/commit.h"
#include "harness/base/text/fit.h"
#include "harness/base/text/word_list.h"
#include "harness/machine/machine.h"
#include "harness/point/sampling/rounds.h"
#include "harness/records/record.h"
#include "harness/space/parameters.h"
#include "kernels/operators.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void copy_text(char *field, const char *text)
{
    snprintf(field, RECORD_TEXT, "%s", text);
}

void lab_experiment_name(const struct lab_report *report, char *name, size_t size)
{
    static const char *const suffixes[] = {"", "_threads", "_size"};
    if (report->sweep == LAB_POINT)
        snprintf(name, size, "lab");
    else
        text_fit_format(name, size, "lab_%s%s", report->name + strlen("lab:"),
                        suffixes[report->sweep]);
    for (char *at = name; *at; at++)
        if (!isalnum((unsigned char)*at) && *at != '_')
            *at = '-';
}

/* Fills in what all rows share. */
static void fill_point(struct record *r, const struct lab_report *report,
                       const struct lab_timing *timing)
{
    struct operation op = timing->input.operation;
    const struct image_shape image = image_planes(&op);
    struct machine machine;
    machine_describe(&machine);
    *r = record_empty();
    lab_experiment_name(report, r->experiment, RECORD_TEXT);
    copy_text(r->operator_name, report->kind->name);
    r->planes = image.planes;
    r->rows = image.rows;
    r->cols = image.cols;
    record_parameters(r, op.kind, &op.parameters);
    record_operands(r, &op);
    copy_text(r->input, "random");
    r->nodes = 1;
    copy_text(r->bind, "none");
    copy_text(r->binding, machine_binding());
    copy_text(r->launch, "plain");
    copy_text(r->host, machine.host);
    copy_text(r->commit, MAXPOOL_COMMIT);
    r->round = 0;
    r->repeats = 1;
    r->warmup = 0;
    copy_text(r->run_id, report->run_id);
    if (timing != &report->timing) /* each smaller size of a sweep is a separate run */
        snprintf(r->run_id, RECORD_TEXT, "%s-%lld", report->run_id, (long long)image.rows);
    copy_text(r->time_utc, report->time_utc);
}

/* One thread is recorded as a serial program, except for the kernel in a sweep of threads, whose
 * curve begins with one thread. */
static void fill_workers(struct record *r, const struct lab_report *report,
                         const struct lab_timing *timing, size_t candidate)
{
    const int64_t threads = timing->candidates[candidate].runner.threads;
    const bool parallel =
        threads > 1 || (report->sweep == LAB_THREADS_SWEEP && candidate < timing->kernels);
    copy_text(r->space, parallel ? "omp" : "serial");
    text_fit_format(r->program, RECORD_TEXT, "%s_%s", report->kind->name, r->space);
    if (parallel)
        r->threads = threads;
}

/* All samples of a timing belong to one launch. */
static void fill_load(struct record *r, const struct other_load *load)
{
    r->launch_others_cores = load->cores;
    r->launch_hardware_threads = other_load_counted_on(load);
    r->launch_stolen_share = load->stolen_share;
    r->launch_pressure_share = load->pressure_share;
}

/* Writes the names of the interleaved methods, joined by +. */
static void fill_methods(struct record *r, const struct lab_timing *timing)
{
    r->company[0] = '\0';
    for (size_t i = 0; i < timing->count; i++)
        word_list_add(r->company, RECORD_TEXT, "+", timing->candidates[i].name);
}

/* Appends one row per candidate, in the order of that round. */
static enum status append_round(struct record_writer *writer, const struct lab_report *report,
                                const struct lab_timing *timing, const struct record *point,
                                size_t round, struct failure *f)
{
    size_t order[LAB_CANDIDATES];
    enum status status = STATUS_OK;
    rounds_order(timing->seed, round, order, timing->count);
    for (size_t i = 0; status == STATUS_OK && i < timing->count; i++) {
        const struct lab_candidate *candidate = &timing->candidates[order[i]];
        struct record row = *point;
        fill_workers(&row, report, timing, order[i]);
        copy_text(row.method, candidate->name);
        row.sample = (int64_t)round;
        row.turn = (int64_t)i;
        row.compute_s = row.total_s = candidate->seconds[round];
        if (candidate->product_s[round] > 0.0)
            row.product_s = candidate->product_s[round];
        copy_text(row.verified, "sampled_bound");
        if (round + 1 == timing->rounds)
            copy_text(row.stop_reason, timing->stop_reason);
        status = record_append(writer, &row, f);
    }
    return status;
}

static enum status append(struct record_writer *writer, const struct lab_report *report,
                          const struct lab_timing *timing, struct failure *f)
{
    struct record point;
    enum status status = STATUS_OK;
    fill_point(&point, report, timing);
    fill_methods(&point, timing);
    fill_load(&point, &timing->load);
    for (size_t round = 0; status == STATUS_OK && round < timing->rounds; round++)
        status = append_round(writer, report, timing, &point, round, f);
    return status;
}

/* ---- the definition of their experiment ------------------------------------------------------ */

static void put_sweep(FILE *out, const struct lab_report *r)
{
    const char *name = r->name + strlen("lab:"), *first = r->kind->method(0)->name;
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

/* Writes the definition that report and charts need to show the samples, DIR/NAME.ini: for a sweep
 * a new one, otherwise a copy of labs/lab.ini if the file does not exist yet. Status 5. */
static enum status write_definition(const struct lab_report *r, const char *results,
                                    struct failure *f)
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

/* ---- writing --------------------------------------------------------------------------------- */

enum status lab_record(const struct lab_report *report, const char *results, struct failure *f)
{
    struct record_writer *writer;
    char name[128];
    lab_experiment_name(report, name, sizeof name);
    const struct results_path samples = results_own_samples(results, name);
    enum status status = results_make(results, f);
    if (status == STATUS_OK)
        status = write_definition(report, results, f);
    if (status == STATUS_OK && report->sweep != LAB_POINT)
        unlink(samples.text);
    if (status == STATUS_OK)
        status = record_writer_open(&writer, samples.text, NULL, f);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; status == STATUS_OK && i < report->smaller_count; i++)
        status = append(writer, report, &report->smaller[i], f);
    if (status == STATUS_OK)
        status = append(writer, report, &report->timing, f);
    const enum status closed = record_writer_close(writer, f);
    return status != STATUS_OK ? status : closed;
}
