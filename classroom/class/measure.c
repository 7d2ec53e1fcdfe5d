#include "classroom/class/measure.h"

#include "classroom/class/pack.h"
#include "classroom/lab/lab.h"
#include "experiments/common/folder_files.h"
#include "experiments/common/process.h"
#include "experiments/common/progress.h"
#include "experiments/common/results.h"
#include "experiments/common/short_paths.h"
#include "generated/commit.h"
#include "harness/base/text/fit.h"
#include "harness/base/text/screen.h"
#include "harness/base/utf8.h"
#include "harness/machine/machine.h"
#include "harness/point/sampling/rounds.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    EXTRA_PASSES = 3,
    PLACES_LEAST = 6 /* fewest passes that can tell two kernels apart */
};
static const double check_s = 4.0; /* of compiling and checking one kernel, for the time left */

/* One kernel: its row, its compiled program and its measurements. */
struct unit {
    struct class_row *row;
    struct lab_report *report; /* NULL: it was not prepared */
    struct unit *first;        /* the first one with the same compiled code; itself if it is that */
    struct submission *visits; /* one per pass */
    bool *valid;               /* whether that one counts */
    double *ratios;            /* the kernel's time / the rubric's method's; NaN: not measured */
};

struct measuring {
    const struct measure_plan *plan;
    const struct lab_rubric *rubric;
    struct class *class;
    struct unit *units;
    size_t measured; /* units that are measured */
    double visit_s;  /* of the rounds of one measurement */
    struct lab_limit limit;
    bool limit_known;
    bool methods_verified; /* a measurement of this call verified a result of each completely */
    struct progress progress;
};

/* ---- rows ------------------------------------------------------------------------------------ */

/* Names the student as it was handed in, otherwise by the file, or, where several files have that
 * name, by its folder. */
static void name_student(struct class_row *row, const struct handed_in *h, const char *student)
{
    char *const *paths = h->paths.items;
    const size_t count = h->paths.count;
    const char *base = file_name(row->path), *dot = strrchr(base, '.');
    size_t alike = 0;
    for (size_t i = 0; i < count; i++)
        alike += strcmp(file_name(paths[i]), base) == 0;
    const int most = (int)sizeof row->student - 1;
    int length = dot && dot != base ? (int)(dot - base) : (int)strlen(base);
    if (alike > 1 && base != row->path) {
        const char *end = base - 1;
        for (base = end; base > row->path && base[-1] != '/';)
            base--;
        length = (int)(end - base);
    }
    snprintf(row->student, sizeof row->student, "%.*s", *student || length > most ? most : length,
             *student ? student : base);
    utf8_clean_foreign(row->student, false);
}

static enum status begin_row(struct class_row *row, const char *path, const struct lab_rubric *r,
                             struct failure *f)
{
    struct submission *s = &row->submission;
    *row = (struct class_row){.path = path};
    *s = (struct submission){.path = path, .limit_s = NAN};
    const enum status status = pack_source(&s->package.zip, path, f);
    if (status != STATUS_OK)
        return status;
    const struct archive_file *source = submission_source(s);
    sha256_hex(source->bytes, source->count, s->package.sha256);
    text_fit(s->file, sizeof s->file, file_name(path));
    utf8_clean_foreign(s->file, false);
    text_fit(s->operator_name, sizeof s->operator_name, r->operator_name);
    class_hash_source(row);
    return STATUS_OK;
}

static void set_verdict(struct class_row *row, const struct lab_report *report)
{
    struct submission *s = &row->submission;
    s->correct = report->verdict == LAB_CORRECT;
    text_fit(s->verdict, sizeof s->verdict, lab_verdict_word(report->verdict));
    text_fit(s->cause, sizeof s->cause, report->trial ? report->trial->cause : "");
    utf8_clean_foreign(s->cause, false);
    short_paths(s->cause, NULL);
}

/* ---- stored measurements --------------------------------------------------------------------- */

static struct results_path visit_folder(const struct measuring *m, const struct unit *u,
                                        size_t pass)
{
    char name[64];
    snprintf(name, sizeof name, "measured/%.16s/%zu", u->row->submission.package.sha256, pass + 1);
    return results_file(m->plan->output, name);
}

static bool has_methods(const struct submission *s, const char *names)
{
    char joined[LAB_CANDIDATES * LAB_NAME];
    submission_join_methods(s, joined, sizeof joined);
    return strcmp(joined, names) == 0;
}

/* Whether a stored measurement is of this machine, this program and this rubric. */
static bool is_of_now(const struct measuring *m, const struct submission *s)
{
    struct machine machine;
    machine_describe(&machine);
    return s->correct && strcmp(s->host, machine.host) == 0 &&
           strcmp(s->commit, MAXPOOL_COMMIT) == 0 && strcmp(s->cflags, lab_default_flags) == 0 &&
           !class_differs(s, m->rubric) && has_methods(s, m->rubric->methods);
}

/* Reads a stored measurement of a unit; it counts unless other programs disturbed it. */
static void read_visit(const struct measuring *m, struct unit *u, size_t pass)
{
    struct failure ignored = {0};
    struct submission *s = &u->visits[pass];
    const struct results_path folder = visit_folder(m, u, pass);
    const struct pack_request request = {.file = u->row->path, .results = folder.text};
    *s = (struct submission){.path = u->row->path, .limit_s = NAN};
    enum status status = pack_source(&s->package.zip, request.file, &ignored);
    if (status == STATUS_OK)
        status = pack_run(&s->package.zip, &request, &ignored);
    if (status != STATUS_OK) {
        submission_release(s);
        return;
    }
    if (submission_take(s, &ignored) != STATUS_OK)
        return;
    u->valid[pass] = is_of_now(m, s) && (m->plan->despite_load || !submission_was_disturbed(s));
    const size_t method = submission_find(s, m->rubric->method);
    if (u->valid[pass] && method > 0)
        u->ratios[pass] = 1.0 / s->methods[method].ratio.median;
    else
        submission_release(s);
}

static size_t count_valid(const struct measuring *m, const struct unit *u)
{
    size_t count = 0;
    for (size_t i = 0; i < (size_t)m->plan->passes; i++)
        count += u->valid[i];
    return count;
}

/* ---- preparing ------------------------------------------------------------------------------- */

static enum status allocate(const struct measuring *m, struct unit *u, struct failure *f)
{
    const size_t passes = (size_t)m->plan->passes;
    u->report = calloc(1, sizeof *u->report);
    u->visits = calloc(passes, sizeof *u->visits);
    u->valid = calloc(passes, sizeof *u->valid);
    u->ratios = calloc(passes, sizeof *u->ratios);
    if (!u->report || !u->visits || !u->valid || !u->ratios)
        return fail(f, STATUS_RESOURCE, "not enough memory for %zu kernels", m->class->count);
    for (size_t i = 0; i < passes; i++)
        u->ratios[i] = NAN;
    return STATUS_OK;
}

static struct lab_request request_of(const struct measuring *m, const struct unit *u)
{
    const struct lab_rubric *r = m->rubric;
    return (struct lab_request){.file = u->row->path,
                                .operator_name = r->operator_name,
                                .flags = lab_default_flags,
                                .against = r->methods,
                                .results = m->plan->results,
                                .size = r->size,
                                .threads = r->threads,
                                .kernel = r->kernel,
                                .stride = r->stride,
                                .padding = r->padding,
                                .planes = r->planes,
                                .rounds = m->plan->rounds,
                                .was_correct = count_valid(m, u) > 0};
}

/* Compiles a kernel, checks it, and reads what an earlier call measured. What cannot be compiled is
 * a row with that verdict. */
static enum status prepare(struct measuring *m, struct unit *u, struct failure *f)
{
    struct failure why = {0};
    enum status status = allocate(m, u, f);
    for (size_t i = 0; i < (size_t)m->plan->passes && status == STATUS_OK; i++)
        read_visit(m, u, i);
    if (status != STATUS_OK)
        return status;
    const struct lab_request request = request_of(m, u);
    status = lab_prepare(u->report, &request, &why);
    if (status == STATUS_USAGE && u->report->verdict == LAB_UNCOMPILED)
        status = STATUS_OK;
    if (status == STATUS_UNAVAILABLE) {
        class_doubt_row(u->row, CLASS_UNREADABLE, why.message);
        u->report->verdict = LAB_UNCOMPILED;
        return STATUS_OK;
    }
    if (status != STATUS_OK)
        return fail(f, status, "%s", why.message);
    set_verdict(u->row, u->report);
    if (u->row->submission.correct)
        lab_build_code(&u->report->build, u->report->request.flags, u->row->code);
    return STATUS_OK;
}

static bool is_correct(const struct unit *u)
{
    return u->row->submission.correct;
}

/* Finds for each correct unit the first one with the same code. */
static void group(struct measuring *m)
{
    for (size_t i = 0; i < m->class->count; i++) {
        struct unit *u = &m->units[i];
        u->first = u;
        for (size_t j = 0; j < i && u->first == u && is_correct(u); j++) {
            struct unit *other = &m->units[j];
            if (is_correct(other) &&
                ((u->row->code[0] && strcmp(u->row->code, other->row->code) == 0) ||
                 strcmp(u->row->submission.package.sha256, other->row->submission.package.sha256) ==
                     0))
                u->first = other->first;
        }
        m->measured += is_correct(u) && u->first == u;
    }
}

static enum status prepare_all(struct measuring *m, struct failure *f)
{
    enum status status = STATUS_OK;
    m->progress =
        progress_begin(m->class->count, check_s * (double)m->class->count + m->plan->seconds);
    for (size_t i = 0; i < m->class->count && status == STATUS_OK; i++) {
        char what[PATH_MAX + 32];
        m->units[i].row = &m->class->rows[i];
        snprintf(what, sizeof what, "check %s", m->class->rows[i].path);
        progress_show(&m->progress, what);
        status = prepare(m, &m->units[i], f);
        progress_advance(&m->progress, check_s);
    }
    progress_end(&m->progress);
    if (status == STATUS_OK)
        group(m);
    return status;
}

/* ---- measuring ------------------------------------------------------------------------------- */

/* Measures a unit once and stores that. A kernel that was correct in the check and is not now gets
 * the verdict of now. */
static enum status visit(struct measuring *m, struct unit *u, size_t pass, struct failure *f)
{
    struct lab_report *r = u->report;
    r->request.seconds = m->visit_s;
    r->request.relative_ci = 1e-9; /* the number of rounds is fixed before looking */
    r->request.repeated = m->methods_verified;
    if (m->limit_known && !r->limit_known) {
        r->limit = m->limit;
        r->limit_known = true;
    }
    enum status status = lab_time(r, f);
    if (status != STATUS_OK)
        return status;
    if (!m->limit_known) {
        m->limit = r->limit;
        m->limit_known = r->limit_known;
    }
    if (r->verdict != LAB_CORRECT) {
        set_verdict(u->row, r);
        return STATUS_OK;
    }
    m->methods_verified = true;
    lab_timing_close(&r->timing); /* no process of a kernel stays while others are measured */
    status = lab_run_write(r, visit_folder(m, u, pass).text, f);
    if (status == STATUS_OK)
        read_visit(m, u, pass);
    return status;
}

/* Measures, in a random order, all units whose measurement of this pass is missing. */
static enum status run_pass(struct measuring *m, size_t pass, uint64_t turn, struct failure *f)
{
    const size_t count = m->class->count;
    size_t order[CLASS_MAX];
    enum status status = STATUS_OK;
    rounds_order(m->plan->seed, turn, order, count);
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        struct unit *u = &m->units[order[i]];
        char what[PATH_MAX + 64];
        if (!is_correct(u) || u->first != u || u->valid[pass])
            continue;
        message_format(
            what, sizeof what, screen_language(), "pass %{number}, %{file}",
            WITH({"number", integer_text((int64_t)pass + 1).text}, {"file", u->row->path}));
        progress_show(&m->progress, what);
        status = visit(m, u, pass, f);
        progress_advance(&m->progress, m->visit_s);
        if (status == STATUS_OK && process_stop_signal())
            status =
                fail(f, STATUS_RESOURCE, "stopped; the same command goes on with what is missing");
    }
    return status;
}

static size_t count_missing(const struct measuring *m)
{
    size_t missing = 0;
    for (size_t i = 0; i < m->class->count; i++)
        if (is_correct(&m->units[i]) && m->units[i].first == &m->units[i])
            missing += (size_t)m->plan->passes - count_valid(m, &m->units[i]);
    return missing;
}

/* The passes, and then, for what other programs disturbed, further ones. */
static enum status run_passes(struct measuring *m, struct failure *f)
{
    const size_t passes = (size_t)m->plan->passes;
    const size_t missing = count_missing(m);
    enum status status = STATUS_OK;
    m->visit_s = m->plan->seconds / fmax(1.0, (double)(m->measured * passes));
    m->progress = progress_begin(missing, m->visit_s * (double)missing);
    process_catch_stop_signals();
    for (size_t extra = 0; extra <= EXTRA_PASSES && count_missing(m) > 0; extra++) {
        if (extra > 0)
            progress_extend(&m->progress, count_missing(m));
        for (size_t i = 0; i < passes && status == STATUS_OK; i++)
            status = run_pass(m, i, extra * passes + i, f);
    }
    progress_end(&m->progress);
    return status;
}

/* ---- results --------------------------------------------------------------------------------- */

/* Summarises a method over passes; workspace: one value per pass. */
static void summarise_passes(const struct measuring *m, const struct unit *u, size_t method,
                             struct submission_method *out, double *workspace)
{
    size_t count = 0;
    for (size_t i = 0; i < (size_t)m->plan->passes; i++)
        if (u->valid[i])
            workspace[count++] = u->visits[i].methods[method].time.median;
    out->time = summarise(workspace, count);
    count = 0;
    for (size_t i = 0; i < (size_t)m->plan->passes; i++)
        if (u->valid[i])
            workspace[count++] = u->visits[i].methods[method].ratio.median;
    out->ratio = summarise(workspace, count);
}

/* Writes the result of the unit that was measured into the row of one with the same code. */
static void take_result(const struct measuring *m, const struct unit *u, double *workspace)
{
    struct submission *to = &u->row->submission;
    const struct unit *measured = u->first;
    size_t first = 0;
    if (!is_correct(measured)) {
        to->correct = false;
        text_fit(to->verdict, sizeof to->verdict, measured->row->submission.verdict);
        text_fit(to->cause, sizeof to->cause, measured->row->submission.cause);
        return;
    }
    while (first < (size_t)m->plan->passes && !measured->valid[first])
        first++;
    const size_t valid = count_valid(m, measured);
    if (valid < (size_t)m->plan->passes && valid < PLACES_LEAST)
        class_doubt_row(u->row, CLASS_DISTURBED, class_disturbed);
    if (valid == 0) {
        to->method_count = 0;
        to->methods[0].time = summarise(workspace, 0);
        return;
    }
    const struct submission *s = &measured->visits[first];
    to->method_count = s->method_count;
    to->limit_s = s->limit_s;
    to->limit_measured_now = s->limit_measured_now;
    to->lacking = s->lacking;
    for (size_t i = 0; i < s->method_count; i++) {
        to->methods[i] = s->methods[i];
        summarise_passes(m, measured, i, &to->methods[i], workspace);
    }
}

/* ---- places: several kernels may share one --------------------------------------------------- */

struct placed {
    const double *ratios;     /* one per pass, larger is slower; NaN: not measured in that pass */
    size_t place, last_place; /* set by set_places(), from 1 */
};

static bool is_faster(const struct placed *a, const struct placed *b, size_t passes)
{
    size_t both = 0;
    for (size_t i = 0; i < passes; i++) {
        if (!isfinite(a->ratios[i]) || !isfinite(b->ratios[i]))
            continue;
        if (a->ratios[i] >= b->ratios[i])
            return false;
        both++;
    }
    return both >= PLACES_LEAST;
}

/* One kernel is faster than another if it was faster in every pass in which both were measured, and
 * these are at least PLACES_LEAST. Of two equal kernels one is, by chance, in 2 of 2^n cases: 1 in
 * 256 for nine passes. A kernel's place is one more than the number of faster kernels; its last
 * place is the number of all kernels less that of slower ones. */
static void set_places(struct placed *kernels, size_t count, size_t passes)
{
    for (size_t i = 0; i < count; i++) {
        kernels[i].place = 1;
        kernels[i].last_place = count;
        for (size_t j = 0; j < count; j++) {
            kernels[i].place += is_faster(&kernels[j], &kernels[i], passes);
            kernels[i].last_place -= is_faster(&kernels[i], &kernels[j], passes);
        }
    }
}

/* Ranks the rows whose times count. */
static enum status find_places(const struct measuring *m, struct failure *f)
{
    const size_t count = m->class->count;
    struct placed *placed = calloc(count + 1, sizeof *placed);
    size_t n = 0;
    if (!placed)
        return fail(f, STATUS_RESOURCE, "not enough memory");
    for (size_t i = 0; i < count; i++)
        if (is_correct(&m->units[i]) && m->units[i].row->doubt <= CLASS_SAME)
            placed[n++].ratios = m->units[i].first->ratios;
    set_places(placed, n, (size_t)m->plan->passes);
    n = 0;
    for (size_t i = 0; i < count; i++)
        if (is_correct(&m->units[i]) && m->units[i].row->doubt <= CLASS_SAME) {
            m->units[i].row->place = placed[n].place;
            m->units[i].row->last_place = placed[n++].last_place;
        }
    free(placed);
    return STATUS_OK;
}

static enum status conclude(struct measuring *m, struct failure *f)
{
    double *workspace = calloc((size_t)m->plan->passes, sizeof *workspace);
    if (!workspace)
        return fail(f, STATUS_RESOURCE, "not enough memory");
    for (size_t i = 0; i < m->class->count; i++)
        if (is_correct(&m->units[i]))
            take_result(m, &m->units[i], workspace);
    free(workspace);
    class_finish(m->class);
    return find_places(m, f);
}

/* ---- the whole class ------------------------------------------------------------------------- */

static void release_unit(const struct measuring *m, struct unit *u)
{
    for (size_t i = 0; u->visits && u->valid && i < (size_t)m->plan->passes; i++)
        if (u->valid[i])
            submission_release(&u->visits[i]);
    if (u->report && u->report->kind)
        lab_release(u->report);
    free(u->report);
    free(u->visits);
    free(u->valid);
    free(u->ratios);
}

static enum status begin_rows(struct class *c, const struct handed_in *h,
                              const struct lab_rubric *rubric, struct failure *f)
{
    const size_t count = h->paths.count;
    enum status status = STATUS_OK;
    c->rows = calloc(count, sizeof *c->rows);
    if (!c->rows)
        return fail(f, STATUS_RESOURCE, "not enough memory for %zu kernels", count);
    for (size_t i = 0; i < count && status == STATUS_OK; i++, c->count++) {
        status = begin_row(&c->rows[i], h->paths.items[i], rubric, f);
        if (status == STATUS_OK)
            name_student(&c->rows[i], h, h->students.items[i]);
    }
    if (status == STATUS_OK)
        class_number(c);
    return status;
}

enum status class_measure(struct class *c, const struct handed_in *h,
                          const struct lab_rubric *rubric, const struct measure_plan *plan,
                          struct failure *f)
{
    const size_t count = h->paths.count;
    struct measuring m = {.plan = plan, .rubric = rubric, .class = c};
    *c =
        (struct class){.rubric = rubric, .basis = class_basis_here, .passes = (size_t)plan->passes};
    if (count > CLASS_MAX)
        return fail(f, STATUS_USAGE, "%zu kernels, more than the %d of one page", count, CLASS_MAX);
    if (rubric->size == 0)
        return fail(f, STATUS_USAGE,
                    "the rubric has no size: all kernels of a class are measured at one");
    enum status status = begin_rows(c, h, rubric, f);
    m.units = status == STATUS_OK ? calloc(count, sizeof *m.units) : NULL;
    if (status == STATUS_OK && !m.units)
        status = fail(f, STATUS_RESOURCE, "not enough memory for %zu kernels", count);
    if (status == STATUS_OK)
        status = prepare_all(&m, f);
    if (status == STATUS_OK)
        status = run_passes(&m, f);
    if (status == STATUS_OK)
        status = conclude(&m, f);
    for (size_t i = 0; m.units && i < count; i++)
        release_unit(&m, &m.units[i]);
    free(m.units);
    return status;
}
