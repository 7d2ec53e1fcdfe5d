#include "classroom/class/repeat.h"

#include "classroom/lab/lab.h"
#include "experiments/analysis/numbers.h"
#include "experiments/common/folder_files.h"
#include "experiments/common/output.h"
#include "experiments/common/temporary.h"
#include "harness/base/text/messages.h"
#include "harness/base/text/wording.h"
#include "harness/machine/machine.h"
#include "harness/point/sampling/rounds.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the draw -------------------------------------------------------------------------------- */

static size_t count_points(const struct submission *all, size_t count)
{
    size_t points = 0;
    for (size_t i = 0; i < count; i++)
        points += all[i].correct ? all[i].method_count : 0;
    return points;
}

static struct repeated point_at(const struct submission *all, size_t point)
{
    struct repeated r = {.submission = 0};
    for (; !all[r.submission].correct || point >= all[r.submission].method_count; r.submission++)
        point -= all[r.submission].correct ? all[r.submission].method_count : 0;
    r.method = point;
    return r;
}

enum status repeat_draw(struct repeats *r, const struct submission *all, size_t count,
                        const struct repeat_plan *plan, struct failure *f)
{
    const size_t points = count_points(all, count);
    const size_t drawn = (size_t)fmin((double)points, ceil(plan->share * (double)points));
    size_t *order = calloc(points + 1, sizeof *order);
    *r = (struct repeats){calloc(drawn + 1, sizeof *r->items), drawn};
    if (!order || !r->items) {
        free(order);
        repeat_release(r);
        return fail(f, STATUS_RESOURCE, "not enough memory for %zu points", points);
    }
    rounds_order(plan->seed, 0, order, points);
    for (size_t i = 0; i < drawn; i++)
        r->items[i] = point_at(all, order[i]);
    free(order);
    return STATUS_OK;
}

void repeat_release(struct repeats *r)
{
    free(r->items);
    *r = (struct repeats){NULL, 0};
}

/* ---- one archive ----------------------------------------------------------------------------- */

/* Whether a compiler flag affects compilation only: others start programs (-wrapper), load
 * libraries (-fplugin=) or name files. */
static bool is_harmless(const char *word, size_t length)
{
    static const char *const begins[] = {"-O",
                                         "-march=",
                                         "-mtune=",
                                         "-mavx",
                                         "-mfma",
                                         "-std=",
                                         "-fopenmp",
                                         "-ffast-math",
                                         "-funroll-",
                                         "-ftree-",
                                         "-ffp-contract=",
                                         "-fno-",
                                         "-mprefer-vector-width="};
    bool known = false;
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        known = known ||
                (length >= strlen(begins[i]) && memcmp(word, begins[i], strlen(begins[i])) == 0);
    for (size_t i = 0; i < length; i++)
        known = known && (isalnum((unsigned char)word[i]) || strchr("-=+_", word[i]));
    return known;
}

/* Returns the archive's flags if all are harmless, else the default ones. */
static const char *flags_of(const struct submission *s)
{
    for (const char *at = s->cflags; *(at += strspn(at, " "));) {
        const size_t length = strcspn(at, " ");
        if (!is_harmless(at, length))
            return lab_default_flags;
        at += length;
    }
    return s->cflags;
}

static enum status write_source(const struct submission *s, const char *folder, char *path,
                                size_t size, struct failure *f)
{
    const struct archive_file *source = submission_source(s);
    snprintf(path, size, "%s/%s", folder, file_name(source->name));
    return output_write(path, source->bytes, source->count, f);
}

/* Measures with the student's parameters; a failure says what cannot be done here. */
static enum status measure(struct lab_report *report, const struct submission *s, const char *file,
                           const struct repeat_plan *plan, struct failure *f)
{
    char against[LAB_CANDIDATES * LAB_NAME];
    struct machine machine;
    machine_describe(&machine);
    submission_join_methods(s, against, sizeof against);
    if (s->threads > machine_capacity(&machine))
        return fail(f, STATUS_UNAVAILABLE, "it ran %lld threads, and this machine has %lld cores",
                    (long long)s->threads, (long long)machine_capacity(&machine));
    if (!lab_kind_find(s->operator_name))
        return fail(f, STATUS_UNAVAILABLE, "no operator %s", s->operator_name);
    const struct lab_request request = {.file = file,
                                        .operator_name = s->operator_name,
                                        .flags = flags_of(s),
                                        .against = against[0] ? against : NULL,
                                        .results = plan->results,
                                        .size = s->size,
                                        .kernel = s->kernel,
                                        .stride = s->stride,
                                        .padding = s->padding,
                                        .planes = s->planes,
                                        .threads = s->threads,
                                        .seconds = plan->seconds};
    return lab_run(report, &request, f);
}

/* ---- comparing ------------------------------------------------------------------------------- */

/* A share of the limit with its interval: a long time means a small share, so the ends of the
 * time's interval change places. */
struct limit_share {
    double value, lower, upper;
};

static struct limit_share share_of(double limit_s, const struct summary *time)
{
    return (struct limit_share){limit_s / time->median, limit_s / time->upper,
                                limit_s / time->lower};
}

static struct number share_text(const struct language *l, const struct limit_share *share)
{
    return number_ratio(l, 100.0 * share->value,
                        (struct interval){100.0 * share->lower, 100.0 * share->upper});
}

static void describe_wrong(struct repeated *r, const struct lab_report *here,
                           const struct language *l)
{
    char cause[sizeof here->trial->cause];
    wording_translate(l, "reason", here->trial->cause, cause, sizeof cause);
    message_format(r->text, sizeof r->text, l, "it is not correct here (%{word}): %{cause}",
                   WITH({"word", message(l, lab_verdict_word(here->verdict))}, {"cause", cause}));
}

static void compare_point(struct repeated *r, const struct submission *s,
                          const struct lab_report *here, const struct repeat_plan *plan)
{
    const double tolerance = plan->tolerance;
    if (here->verdict != LAB_CORRECT) {
        r->end = REPEAT_DIFFERENT;
        describe_wrong(r, here, plan->language);
        return;
    }
    const struct limit_share before = share_of(s->limit_s, &s->methods[r->method].time),
                             now = share_of(here->limit.roof.seconds,
                                            &here->timing.candidates[r->method].time);
    const bool same =
        before.lower <= now.upper * tolerance && before.upper * tolerance >= now.lower;
    r->end = !isfinite(before.value) || !isfinite(now.value) ? REPEAT_IMPOSSIBLE
             : same                                          ? REPEAT_CONSISTENT
                                                             : REPEAT_DIFFERENT;
    message_format(r->text, sizeof r->text, plan->language,
                   "%{method} reached %{before} % of its machine's limit, and reaches %{now} % "
                   "here",
                   WITH({"method", s->methods[r->method].name},
                        {"before", share_text(plan->language, &before).text},
                        {"now", share_text(plan->language, &now).text}));
}

/* Returns why a point measured there and here cannot be compared, or NULL. */
static const char *why_incomparable(const struct submission *s, const struct lab_report *here,
                                    const struct repeat_plan *plan)
{
    if (submission_was_disturbed(s))
        return N_("other programs were running while the archive was measured");
    return lab_was_disturbed(here) && !plan->despite_load
               ? N_("other programs are running here: audit again once they have ended")
               : NULL;
}

static bool is_drawn(const struct repeats *r, size_t which)
{
    bool drawn = false;
    for (size_t i = 0; i < r->count; i++)
        drawn = drawn || r->items[i].submission == which;
    return drawn;
}

/* Compares all drawn points of the archive, in one run. */
static void compare_all(struct repeats *r, const struct submission *s, size_t which,
                        const char *file, const struct repeat_plan *plan)
{
    struct lab_report *here = calloc(1, sizeof *here);
    struct failure why = {0};
    const enum status status = here ? measure(here, s, file, plan, &why)
                                    : fail(&why, STATUS_RESOURCE, "not enough memory");
    for (size_t i = 0; i < r->count; i++) {
        struct repeated *point = &r->items[i];
        if (point->submission != which)
            continue;
        const char *incomparable = status == STATUS_OK ? why_incomparable(s, here, plan) : NULL;
        if (status == STATUS_OK && !incomparable) {
            compare_point(point, s, here, plan);
            continue;
        }
        point->end = REPEAT_IMPOSSIBLE;
        if (incomparable)
            snprintf(point->text, sizeof point->text, "%s", message(plan->language, incomparable));
        else if (why.message[0])
            wording_translate(plan->language, "reason", why.message, point->text,
                              sizeof point->text);
        else
            snprintf(point->text, sizeof point->text, "%s",
                     message(plan->language, "its source does not compile here"));
    }
    if (here && here->kind)
        lab_release(here);
    free(here);
}

enum status repeat_measure(struct repeats *r, const struct submission *all, size_t which,
                           const struct repeat_plan *plan, struct failure *f)
{
    char folder[PATH_MAX], file[2 * PATH_MAX]; /* longer than the folder by a name */
    if (!is_drawn(r, which))
        return STATUS_OK;
    enum status status = temporary_folder(folder, sizeof folder, "audit", f);
    if (status != STATUS_OK)
        return status;
    status = write_source(&all[which], folder, file, sizeof file, f);
    if (status == STATUS_OK) {
        compare_all(r, &all[which], which, file, plan);
        unlink(file);
    }
    rmdir(folder);
    return status;
}
