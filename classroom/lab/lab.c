#include "classroom/lab/lab.h"

#include "experiments/common/file_bytes.h"
#include "harness/base/clock.h"
#include "harness/base/suite_files.h"
#include "harness/machine/machine.h"
#include "harness/records/record.h"
#include "kernels/operators.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

/* A grade deserves more time. */
static const double default_seconds = 8.0, grade_seconds = 60.0, default_relative_ci = 0.02,
                    default_time_limit = 20.0;
static const int64_t default_rounds = 160, grade_rounds = 1280, default_memory_mib = 4096;
static const int64_t counted_size = 512; /* rows and columns, if none are given */
static const int64_t most_output = 1 << 20;

/* Finds a program or module that study starts. */
static enum status module_path(char path[PATH_MAX], const char *program, struct failure *f)
{
    if (suite_module(path, program))
        return STATUS_OK;
    return fail(f, STATUS_UNAVAILABLE, "the program %s is not beside study", program);
}

/* Gives this run its identifier and records when it began. */
static void name_run(struct lab_report *r)
{
    struct machine machine;
    machine_describe(&machine);
    record_name_run(r->run_id, sizeof r->run_id, machine.host);
    clock_utc(r->time_utc, sizeof r->time_utc);
}

enum status lab_hash_file(const char *path, char hex[SHA256_HEX], struct failure *f)
{
    enum { MOST = 1 << 28 };
    char *bytes;
    size_t count;
    const enum status status = file_bytes(path, MOST, &bytes, &count, f);
    if (status == STATUS_OK)
        sha256_hex(bytes, count, hex);
    free(bytes);
    return status;
}

/* Compiles the kernel and computes the hashes of the source and of the compiled library. */
static enum status build(struct lab_report *r, const struct lab_request *q, struct failure *f)
{
    enum status status = q->emulated ? lab_build_emulated(&r->build, q->file, f)
                                     : lab_build_make(&r->build, q->file, q->flags, f);
    if (status == STATUS_OK)
        status = lab_hash_file(q->file, r->source_sha256, f);
    if (status == STATUS_OK)
        status = lab_hash_file(r->build.timed, r->binary_sha256, f);
    if (status == STATUS_OK)
        status = lab_build_expect(&r->build, r->kind->name, f);
    return status;
}

static struct foreign_sizes size_of(const struct operator_row *kind, const struct lab_request *q)
{
    struct foreign_sizes s = kind->foreign->usual;
    const int64_t n = q->size > 0 ? q->size : kind->foreign->most;
    s.rows = n;
    s.cols = s.cols > 0 ? s.cols : n;
    s.filters = s.filters > 0 ? s.filters : n;
    s.planes = q->planes > 0 ? q->planes : s.planes;
    s.kernel = q->kernel > 0 ? q->kernel : s.kernel;
    s.stride = q->stride > 0 ? q->stride : s.stride > 0 ? s.stride : s.kernel;
    s.padding = q->padding > 0 ? q->padding : s.padding;
    return s;
}

static double or_default(double value, double fallback)
{
    return value > 0.0 ? value : fallback;
}

static struct lab_start start_of(const struct lab_report *r, const struct lab_request *q,
                                 const char *program)
{
    const int64_t mib = q->memory_mib > 0 ? q->memory_mib : default_memory_mib;
    const bool script = r->build.interpreter[0] != '\0';
    static char worker[PATH_MAX];
    return (struct lab_start){
        .program = script ? r->build.interpreter : program,
        .script = script ? suite_share(worker, "labs/worker.py") : NULL,
        .sandbox = r->sandbox,
        .what = r->build.timed,
        .operator_name = r->kind->name,
        .threads = r->threads,
        .foreign = true,
        .device = r->build.device,
        .emulated = r->build.emulated,
        .limits = {.seconds = or_default(q->time_limit, default_time_limit),
                   /* a GPU's driver reserves more address space than any limit */
                   .memory = r->build.device ? 0 : mib << 20,
                   .most_output = most_output}};
}

static enum status check_library(struct lab_report *r, const struct lab_start *how, bool checked,
                                 struct failure *f)
{
    const enum status status = lab_check(r->kind, how, r->file, checked, &r->checks, f);
    r->verdict = r->checks.first.verdict;
    r->trial = &r->checks.first;
    return status;
}

/* Checks the kernel with sanitizers if they are available, and then the very library that is timed:
 * a source can be another program when it is compiled for sanitizers. */
static enum status check(struct lab_report *r, const struct lab_request *q, const char *program,
                         struct failure *f)
{
    struct lab_start how = start_of(r, q, program);
    enum status status = STATUS_OK;
    if (r->build.checked[0]) {
        how.what = r->build.checked;
        how.preload = r->build.preload;
        status = check_library(r, &how, true, f);
        if (status != STATUS_OK || r->verdict != LAB_CORRECT)
            return status;
        how = start_of(r, q, program);
    }
    return check_library(r, &how, false, f);
}

/* Counts what the kernel does at one size. */
static enum status count(struct lab_report *r, const struct lab_request *q, const char *program,
                         uint64_t seed, struct failure *f)
{
    char counted[PATH_MAX];
    struct lab_request sized = *q;
    struct lab_start how = start_of(r, q, program);
    sized.size = q->size > 0 ? q->size : counted_size;
    r->size = size_of(r->kind, &sized);
    enum status status = lab_build_counted(&r->build, counted, f);
    how.what = counted;
    if (status == STATUS_OK)
        status = lab_counted_call(r->kind, &how, &r->size, r->file, seed + 1, &r->counts, f);
    return status;
}

static bool is_decided(const struct lab_timing *timing, const void *rubric)
{
    return lab_grade_of(rubric, timing).decided;
}

/* Sets the size to be timed. A size that the user requested is not changed. */
static enum status settle_size(struct lab_report *r, const struct lab_request *q,
                               const struct lab_start *kernel, uint64_t seed, struct failure *f)
{
    double share;
    r->size = size_of(r->kind, q);
    if (q->size > 0)
        return STATUS_OK;
    const int64_t before = r->size.rows;
    const enum status status = lab_hand_over_settle(&r->size, r->kind, kernel, seed + 2, &share, f);
    r->grown = r->size.rows > before;
    return status;
}

/* Returns the methods to compare with. In a sweep of threads: one that times its product, whose
 * share is Amdahl's f, or else the first of the ladder. In a sweep of sizes: those of --against, or
 * else the first of the ladder. */
static const char *compared_with(const struct lab_report *r, const struct lab_request *q)
{
    const struct operator_row *o = r->kind;
    if (q->sweep == LAB_SIZE_SWEEP)
        return q->against ? q->against : o->method(0)->name;
    for (size_t i = 0; q->sweep == LAB_THREADS_SWEEP && o->method(i); i++)
        if (o->method(i)->staged && o->method(i)->kind == SPACE_HOST)
            return o->method(i)->name;
    return q->sweep == LAB_THREADS_SWEEP ? o->method(0)->name : q->against;
}

/* Lists 1, 2, 4 ... and `most`; returns how many there are. */
static size_t thread_counts(int64_t most, int64_t counts[LAB_CANDIDATES])
{
    size_t count = 0;
    for (int64_t n = 1; n < most && count + 2 < LAB_CANDIDATES; n *= 2)
        counts[count++] = n;
    counts[count++] = most;
    return count;
}

static struct lab_timing_plan plan_of(const struct lab_report *r, const struct lab_request *q,
                                      const char *kernel, const char *methods)
{
    const double seconds = q->rubric                    ? grade_seconds
                           : q->sweep == LAB_SIZE_SWEEP ? default_seconds / 2
                                                        : default_seconds;
    return (struct lab_timing_plan){
        .kind = r->kind,
        .size = r->size,
        .kernel = start_of(r, q, kernel),
        .name = r->name,
        .source = r->file,
        .program = methods,
        .against = compared_with(r, q),
        .repeated = q->repeated,
        .relative_ci = or_default(q->relative_ci, default_relative_ci),
        .seconds = or_default(q->seconds, seconds),
        .rounds = q->rounds > 0 ? q->rounds
                  : q->rubric   ? grade_rounds
                                : default_rounds,
        .enough = q->rubric ? is_decided : NULL,
        .context = q->rubric,
    };
}

/* Times a size, and before it its halves. */
static enum status time_sizes(struct lab_report *r, const struct lab_request *q,
                              struct lab_timing_plan *plan, struct failure *f)
{
    enum { LEAST = 8 };
    const int64_t most = r->size.rows;
    enum status status = STATUS_OK;
    for (int i = LAB_SIZES; status == STATUS_OK && i >= 0; i--) {
        struct lab_request smaller = *q;
        smaller.size = most >> i;
        if (i > 0 && smaller.size < LEAST)
            continue;
        plan->size = size_of(r->kind, &smaller);
        plan->seed++;
        status = lab_timing_run(&r->timing, plan, f);
        if (i == 0 || lab_timing_kernel(&r->timing)->last.verdict != LAB_CORRECT)
            break;
        lab_timing_close(&r->timing);
        r->smaller[r->smaller_count++] = r->timing;
        r->timing = (struct lab_timing){0};
    }
    return status;
}

static enum status timing(struct lab_report *r, const struct lab_request *q, const char *program,
                          uint64_t seed, struct failure *f)
{
    char methods[PATH_MAX];
    int64_t threads[LAB_CANDIDATES];
    const struct lab_start kernel = start_of(r, q, program);
    enum status status = module_path(methods, "lab_method", f);
    if (status == STATUS_OK)
        status = settle_size(r, q, &kernel, seed, f);
    if (status != STATUS_OK)
        return status;
    struct lab_timing_plan plan = plan_of(r, q, program, methods);
    plan.seed = seed;
    plan.threads = threads;
    if (q->sweep == LAB_THREADS_SWEEP)
        plan.thread_count = thread_counts(r->threads, threads);
    r->timed = true;
    if (!plan.against)
        status =
            lab_habits_find(&plan.habits, &r->build.loops, &r->size, r->kind, &kernel, seed + 4, f);
    if (status != STATUS_OK)
        return status;
    status = q->sweep == LAB_SIZE_SWEEP ? time_sizes(r, q, &plan, f)
                                        : lab_timing_run(&r->timing, &plan, f);
    r->trial = &lab_timing_kernel(&r->timing)->last;
    r->verdict = r->trial->verdict;
    return status;
}

struct bounded lab_share_of_limit(const struct lab_report *r)
{
    const struct roof *roof = &r->limit.roof;
    const struct summary *time = &r->timing.candidates[0].time;
    return share_of_limit((struct bounded){roof->seconds, roof->lower_s, roof->upper_s},
                          (struct bounded){time->median, time->lower, time->upper});
}

bool lab_was_disturbed(const struct lab_report *r)
{
    return r->timed && r->verdict == LAB_CORRECT &&
           other_load_disturbs(&r->timing.load, r->threads);
}

static void grade(struct lab_report *r, const struct lab_rubric *rubric)
{
    r->grade = lab_grade_of(rubric, r->verdict == LAB_CORRECT ? &r->timing : NULL);
    r->grade.disturbed = lab_was_disturbed(r) && !r->request.despite_load;
}

/* A time below this machine's limit is not accepted. Only limits of `study roofline` are precise
 * enough for this check. */
static enum status check_limit(struct lab_report *r, const char *results, struct failure *f)
{
    struct lab_trial *trial = &r->timing.candidates[0].last;
    enum status status = STATUS_OK;
    if (!r->limit_known)
        status = lab_limit_find(&r->limit, &r->timing.input.operation, r->threads, results, f);
    r->limit_known = status == STATUS_OK;
    const double upper = r->timing.candidates[0].time.upper;
    if (r->build.device)
        r->limit.roof = (struct roof){.seconds = NAN, .least_s = NAN}; /* the limit applies to the
                                                                        * host */
    if (lab_share_of_limit(r).lower > 1.0)
        r->limit.roof.seconds = NAN; /* a share above 1 shows that the limit is not known precisely
                                      * enough */
    if (status != STATUS_OK || r->limit.measured_now || !(upper < r->limit.roof.least_s))
        return status;
    r->verdict = trial->verdict = LAB_TOO_FAST;
    snprintf(trial->cause, sizeof trial->cause,
             "it took %.3g s, and this machine needs %.3g s at the least", upper,
             r->limit.roof.least_s);
    return STATUS_OK;
}

static enum status find_kind(struct lab_report *r, const struct lab_request *q, struct failure *f)
{
    r->kind = lab_kind_find(q->operator_name);
    return r->kind ? STATUS_OK
                   : fail(f, STATUS_USAGE, "--operator %s: the laboratory has %s", q->operator_name,
                          lab_kind_names().text);
}

static int64_t threads_of(const struct lab_request *q)
{
    struct machine machine;
    machine_describe(&machine);
    return q->threads > 0 ? q->threads : machine_capacity(&machine);
}

/* Begins a report. */
static struct lab_report report_of(const struct lab_request *q)
{
    struct lab_report r = {.sweep = q->sweep,
                           .file = q->file,
                           .verdict = LAB_CORRECT,
                           .threads = threads_of(q),
                           .request = *q,
                           .rubric = q->rubric};
    name_run(&r);
    lab_build_name(q->file, r.name, sizeof r.name);
    return r;
}

/* Compiles; the verdict of a source that does not compile says so, beside status 2. */
static enum status build_or_refuse(struct lab_report *r, const struct lab_request *q,
                                   struct failure *f)
{
    const enum status status = build(r, q, f);
    struct lab_trial *trial = &r->checks.first;
    if (status != STATUS_USAGE || !r->build.refused[0])
        return status;
    if (!r->source_sha256[0] && lab_hash_file(q->file, r->source_sha256, NULL) != STATUS_OK)
        return status;
    r->verdict = trial->verdict = LAB_UNCOMPILED;
    r->trial = trial;
    snprintf(trial->cause, sizeof trial->cause, "%s", r->build.refused);
    return status;
}

static enum status find_programs(struct lab_report *r, char program[PATH_MAX], struct failure *f)
{
    const enum status status = module_path(program, "lab_kernel", f);
    return status == STATUS_OK ? module_path(r->sandbox, "lab_sandbox.so", f) : status;
}

enum status lab_prepare(struct lab_report *r, const struct lab_request *q, struct failure *f)
{
    char program[PATH_MAX];
    *r = report_of(q);
    enum status status = find_kind(r, q, f);
    if (status == STATUS_OK)
        status = find_programs(r, program, f);
    if (status == STATUS_OK)
        status = build_or_refuse(r, q, f);
    prctl(PR_SET_DUMPABLE, 0); /* no kernel can read the memory of this process */
    if (status == STATUS_OK && q->was_correct)
        r->trial = &r->checks.first;
    else if (status == STATUS_OK)
        status = check(r, q, program, f);
    prctl(PR_SET_DUMPABLE, 1);
    return status;
}

enum status lab_time(struct lab_report *r, struct failure *f)
{
    char program[PATH_MAX];
    enum status status = find_programs(r, program, f);
    if (r->timed)
        lab_timing_release(&r->timing);
    r->timed = false;
    name_run(r);
    prctl(PR_SET_DUMPABLE, 0);
    if (status == STATUS_OK)
        status = timing(r, &r->request, program, lab_fresh_seed(), f);
    prctl(PR_SET_DUMPABLE, 1);
    if (status == STATUS_OK && r->verdict == LAB_CORRECT)
        status = check_limit(r, r->request.results, f);
    return status;
}

enum status lab_run(struct lab_report *r, const struct lab_request *q, struct failure *f)
{
    char program[PATH_MAX];
    const uint64_t seed = lab_fresh_seed();
    enum status status = lab_prepare(r, q, f);
    if (status == STATUS_OK)
        status = find_programs(r, program, f);
    if (status == STATUS_OK && r->verdict == LAB_CORRECT && !q->check_only)
        status = lab_time(r, f);
    prctl(PR_SET_DUMPABLE, 0);
    if (status == STATUS_OK && r->verdict == LAB_CORRECT && q->count)
        status = count(r, q, program, seed, f);
    prctl(PR_SET_DUMPABLE, 1);
    if (status == STATUS_OK && q->rubric)
        grade(r, q->rubric);
    return status;
}

void lab_release(struct lab_report *r)
{
    if (r->timed)
        lab_timing_release(&r->timing);
    for (size_t i = 0; i < r->smaller_count; i++)
        lab_timing_release(&r->smaller[i]);
    free(r->checks.explained);
    lab_build_remove(&r->build);
}
