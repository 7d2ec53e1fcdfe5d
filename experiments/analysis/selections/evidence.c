#include "experiments/analysis/selections/evidence.h"

#include "experiments/analysis/numbers.h"
#include "experiments/common/folder_files.h"
#include "experiments/common/text/distinct.h"
#include "experiments/samples/point.h"
#include "harness/base/text/fit.h"
#include "harness/base/text/messages.h"
#include "harness/records/record.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool evidence_usable(const struct point *p)
{
    return p->trust != TRUST_INVALID && p->trust != TRUST_SIMULATED && total_of(p) > 0.0;
}

static bool is_plain(const struct record *r)
{
    return !r->isa_limit[0] && !r->pages_asked[0];
}

/* True if it omits the product of an operator that has one. */
static bool leaves_product_out(const struct point *p)
{
    return !p->product && p->kind->words.with_product.id;
}

static bool solves(const struct point *p, const struct wanted *w)
{
    return w->any_math ? analysis_same_but_math(p, w->problem)
                       : analysis_same_problem(p, w->problem);
}

bool evidence_fits(const struct point *p, const struct wanted *w)
{
    const struct record *r = &p->samples->identity;
    if (!evidence_usable(p) || !is_plain(r) || (p->peer && !w->peers) ||
        (w->serial && !point_is_alone(r)) || (w->on_device && !point_is_on_device(r)) ||
        (w->offload && strcmp(r->offload, w->offload) != 0) ||
        (w->method && strcmp(r->method, w->method) != 0))
        return false;
    if ((w->work == WORK_PRODUCT && !p->product) ||
        (w->work == WORK_MAXIMUM && !leaves_product_out(p)))
        return false;
    if ((w->one_worker && p->workers != 1.0) || (w->several_workers && !(p->workers > 1.0)))
        return false;
    return (!w->problem || solves(p, w)) &&
           (!w->as_large || p->elements == w->as_large->elements) && (!w->also || w->also(p));
}

/* The points that may be the fastest; the caller frees them. NULL, and *count is 0, if memory runs
 * out. */
static const struct point **candidates(const struct analysis *a, const struct wanted *w,
                                       size_t *count)
{
    const struct point **all = calloc(a->point_count + 1, sizeof *all);
    *count = 0;
    for (size_t i = 0; all && i < a->point_count; i++)
        if (!a->points[i].shares_cores && evidence_fits(&a->points[i], w))
            all[(*count)++] = &a->points[i];
    return all;
}

static struct choice choose(const struct analysis *a, const struct wanted *w)
{
    size_t count;
    const struct point **all = candidates(a, w, &count);
    const struct choice choice = choice_of(&a->samples, all, count);
    free(all);
    return choice;
}

const struct point *evidence_fastest(const struct analysis *a, const struct wanted *w)
{
    return choose(a, w).point;
}

const char *evidence_lack(const struct analysis *a, const struct wanted *w, const char *none)
{
    for (size_t i = 0; i < a->point_count; i++)
        if (a->points[i].shares_cores && evidence_fits(&a->points[i], w))
            return N_("the workers had no cores of their own, so their times are not compared");
    return none;
}

struct fastest evidence_choice(const struct analysis *a, const struct wanted *w)
{
    const struct choice choice = choose(a, w);
    struct fastest f = {.choice = choice, .point = choice.point};
    if (!f.point)
        return f;
    f.total = choice_seconds(&a->samples, &choice, METRIC_TOTAL);
    const ptrdiff_t named = f.point->speedup[BASELINE_NAMED].point;
    if (named < 0 || &a->points[named] == f.point)
        return f;
    f.base = &a->points[named];
    const struct choice base = choice_given(f.base);
    f.gain = compare_choices(&a->samples, &base, &choice, METRIC_TOTAL);
    return f;
}

const struct point *evidence_left_out(const struct analysis *a, const struct wanted *w,
                                      const struct point *best)
{
    const struct point *out = NULL;
    for (size_t i = 0; i < a->point_count; i++) {
        const struct point *p = &a->points[i];
        if (!p->shares_cores && p->trust == TRUST_SUSPECT && best->trust < TRUST_SUSPECT &&
            evidence_fits(p, w) && total_of(p) < total_of(best) &&
            (!out || total_of(p) < total_of(out)))
            out = p;
    }
    return out;
}

bool evidence_plain_loops(const struct analysis *a, const struct point *p)
{
    static const char *const plain[] = {" ref:", " ref_", " simple:", " simple_"};
    const char *isa = a->samples.launches[p->samples->first].isa;
    bool found = false;
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        found = found || strstr(isa, plain[i]);
    return p->peer && found;
}

bool evidence_differs(const struct comparison_of_points *c)
{
    if (isnan(c->interval.lower) || isnan(c->interval.upper))
        return c->value > 1.0 || c->value < 1.0;
    return c->interval.lower > 1.0 || c->interval.upper < 1.0;
}

bool evidence_is_rival(const struct point *p, const struct point *best)
{
    const bool same_workers =
        p->workers == best->workers || (isnan(p->workers) && isnan(best->workers)); /* of a GPU */
    return p != best && (p->trust < TRUST_SUSPECT || best->trust >= TRUST_SUSPECT) &&
           (!same_workers || strcmp(method_of(p), method_of(best)) != 0);
}

const struct point *evidence_tie(const struct analysis *a, const struct wanted *w,
                                 const struct point *best, struct interval *interval)
{
    const struct point *tie = NULL;
    size_t count, at = 0;
    const struct point **all = candidates(a, w, &count);
    struct with_best *with = calloc(count + 1, sizeof *with);
    while (at < count && all[at] != best)
        at++;
    if (at == count || !with ||
        compare_with_best(with, &a->samples, all, count, at, METRIC_TOTAL, a->tables) != 0)
        count = 0;
    for (size_t i = 0; i < count; i++)
        if (evidence_is_rival(all[i], best) && (!tie || total_of(all[i]) < total_of(tie)) &&
            !(with[i].differs && with[i].interval.lower > 1.0)) {
            tie = all[i];
            if (interval)
                *interval = with[i].interval;
        }
    free(with);
    free(all);
    return tie;
}

static size_t count_fitting(const struct analysis *a, struct wanted w, const struct point *problem)
{
    size_t count = 0;
    w.problem = problem;
    for (size_t i = 0; i < a->point_count; i++)
        count += evidence_fits(&a->points[i], &w);
    return count;
}

const struct point *evidence_problem(const struct analysis *a, const struct wanted *w)
{
    const struct point *best = NULL;
    size_t most = 0;
    for (size_t i = 0; i < a->point_count; i++) {
        const struct point *p = &a->points[i];
        if (!evidence_fits(p, w) || (best && analysis_same_problem(p, best)))
            continue;
        const size_t count = count_fitting(a, *w, p);
        if (count > most || (count == most && p->elements > best->elements)) {
            best = p;
            most = count;
        }
    }
    return best;
}

/* Orders by total time; points whose workers share cores come last. */
static int by_total(const void *a, const void *b)
{
    const struct point *const *p = a, *const *q = b;
    if ((*p)->shares_cores != (*q)->shares_cores)
        return (*p)->shares_cores - (*q)->shares_cores;
    return (total_of(*p) > total_of(*q)) - (total_of(*p) < total_of(*q));
}

/* The baseline of the fastest point if it is among them, otherwise the slowest point. */
static const struct point *baseline_of(const struct analysis *a, const struct point *const *all,
                                       size_t count)
{
    const ptrdiff_t named = all[0]->speedup[BASELINE_NAMED].point;
    for (size_t i = 0; i < count; i++)
        if (named >= 0 && all[i] == &a->points[named])
            return all[i];
    return all[count - 1];
}

size_t evidence_sorted(const struct analysis *a, const struct wanted *w, const struct point **out,
                       size_t capacity)
{
    const struct point **all = calloc(a->point_count + 1, sizeof *all);
    size_t count = 0;
    if (!all || capacity == 0) {
        free(all);
        return 0;
    }
    for (size_t i = 0; i < a->point_count; i++)
        if (evidence_fits(&a->points[i], w))
            all[count++] = &a->points[i];
    qsort(all, count, sizeof *all, by_total);
    const size_t kept = count < capacity ? count : capacity;
    memcpy(out, all, kept * sizeof *out);
    const struct point *last = kept < count ? baseline_of(a, all, count) : NULL;
    for (size_t i = 0; last && i < kept; i++)
        last = out[i] == last ? NULL : last;
    if (last)
        out[kept - 1] = last;
    free(all);
    return kept;
}

bool evidence_is_larger(const struct point *p, double value, const struct point *q, double other)
{
    const bool doubted = p->trust >= TRUST_SUSPECT, other_doubted = q->trust >= TRUST_SUSPECT;
    return doubted != other_doubted ? other_doubted : value > other;
}

const struct point *evidence_last(const struct point *const *rows, size_t count)
{
    for (size_t i = count; i-- > 0;)
        if (rows[i]->trust < TRUST_SUSPECT)
            return rows[i];
    return rows[count - 1];
}

void evidence_add(const struct point **rows, size_t *count, size_t capacity, const struct point *p)
{
    for (size_t i = 0; i < *count; i++)
        if (rows[i] == p)
            return;
    if (p && *count < capacity)
        rows[(*count)++] = p;
}

/* ---- names of points ------------------------------------------------------------------------- */

struct words words_text(const char *format, ...)
{
    struct words w;
    va_list arguments;
    va_start(arguments, format);
    text_fit_arguments(w.text, sizeof w.text, format, arguments);
    va_end(arguments);
    return w;
}

struct words words_message(const struct language *l, const char *id,
                           const struct argument *arguments)
{
    struct words w;
    message_format(w.text, sizeof w.text, l, id, arguments);
    return w;
}

/* "resnet18, 224 × 224, batch 16" */
static struct words words_network(const struct record *r, const struct language *l)
{
    char network[181], batch[32] = "", side[48] = "";
    text_distinct(network, sizeof network, r->network);
    if (record_images(r) > 1)
        message_format(batch, sizeof batch, l, ", batch %{images}",
                       WITH({"images", number_text("%" PRId64, record_images(r)).text}));
    if (r->planes != 1 || r->rows == r->cols) /* vectors are rows of one plane */
        snprintf(side, sizeof side, ", %" PRId64 " × %" PRId64, r->rows, r->cols);
    return words_text("%s%s%s", network, side, batch);
}

/* ", weight gradient"; "" for the forward pass. */
static const char *gradient_words(const struct record *r, const struct language *l)
{
    if (strcmp(r->gradient, "image") == 0)
        return message(l, ", data gradient");
    if (strcmp(r->gradient, "weights") == 0)
        return message(l, ", weight gradient");
    return "";
}

struct words words_any_math(const struct point *p, const struct language *l)
{
    const struct record *r = &p->samples->identity;
    if (r->network[0])
        return words_network(r, l);
    if (point_is_own_program(r)) {
        if (r->rows == RECORD_NO_INT)
            return words_text("%s", message(l, "the same input"));
        return words_message(l, "size %{size}",
                             WITH({"size", number_text("%" PRId64, r->rows).text}));
    }
    char planes[32] = "", image[141], window[40] = "", stride[40] = "", padding[40] = "";
    if (r->planes > 1)
        snprintf(planes, sizeof planes, "%" PRId64 " × ", r->planes);
    if (strcmp(r->input, "random") != 0 && r->input[0])
        text_distinct(image, sizeof image, file_name(r->input));
    else if (r->rows == r->cols && r->planes <= 1)
        snprintf(image, sizeof image, "n = %" PRId64, r->rows);
    else
        snprintf(image, sizeof image, "%s%" PRId64 " × %" PRId64, planes, r->rows, r->cols);
    if (r->kernel > 0)
        snprintf(window, sizeof window, ", k = %" PRId64, r->kernel);
    if (r->kernel > 0 && r->stride != r->kernel)
        snprintf(stride, sizeof stride, ", s = %" PRId64, r->stride);
    if (r->padding > 0)
        snprintf(padding, sizeof padding, ", p = %" PRId64, r->padding);
    return words_text("%s%s%s%s%s", image, window, stride, padding, gradient_words(r, l));
}

struct words words_problem(const struct point *p, const struct language *l)
{
    const struct record *r = &p->samples->identity;
    struct words w = words_any_math(p, l);
    if (r->math[0] && strcmp(r->math, "fp32") != 0)
        text_fit_append(w.text, sizeof w.text, ", %.8s", r->math);
    return w;
}

struct words words_precise(const struct point *p)
{
    const struct record *r = &p->samples->identity;
    const bool named = point_is_on_device(r) && r->math[0];
    return words_text("%s%s%s", r->method, named ? " " : "", named ? r->math : "");
}

struct words words_workers(const struct point *p, const struct language *l)
{
    const struct record *r = &p->samples->identity;
    const double ranks = record_count(r->ranks), threads = record_count(r->threads);
    if (!isfinite(p->workers))
        return words_text("%s", message(l, "a GPU"));
    if (p->workers == 1.0)
        return words_text("%s", message(l, "1 worker"));
    if (ranks > 1.0 && threads > 1.0)
        return words_message(l, "%{ranks} ranks × %{threads} threads",
                             WITH({"ranks", number_text("%.0f", ranks).text},
                                  {"threads", number_text("%.0f", threads).text}));
    return words_text("%.0f %s", p->workers,
                      ranks > 1.0 ? message(l, "ranks") : message(l, "threads"));
}

bool point_lacks_interval(const struct point *p)
{
    const struct estimate *e = &p->seconds[METRIC_TOTAL];
    return p->trust == TRUST_ROUGH && (e->launches < 2 || isnan(p->half_width));
}

struct words words_doubt_alone(const struct point *p, const struct language *l)
{
    struct words w = {""};
    if (p->trust >= TRUST_SUSPECT || point_lacks_interval(p))
        snprintf(w.text, sizeof w.text, "(%s)", trust_word(p->trust, l));
    return w;
}

struct words words_doubt(const struct point *p, const struct language *l)
{
    const struct words alone = words_doubt_alone(p, l);
    return words_text("%s%s", alone.text[0] ? " " : "", alone.text);
}

struct words words_spread(const struct point *p, const struct language *l)
{
    const struct estimate *t = &p->seconds[METRIC_TOTAL];
    const struct number spread = number_spread(l, t->value, t->interval);
    return words_text("%s%s", spread.text,
                      spread.text[0] ? words_doubt(p, l).text : words_doubt_alone(p, l).text);
}

/* Why a point is doubtful, in a few words: "times in two modes"; "" if it is not. */
static struct words words_cause(const struct point *p, const struct language *l)
{
    struct words w = {""};
    for (size_t i = 0; i < p->reason_count && !w.text[0]; i++)
        if (p->reasons[i].trust == p->trust)
            snprintf(w.text, sizeof w.text, "%s", reason_name(&p->reasons[i], l));
    return w;
}

struct words words_left_out(const struct point *p, const struct language *l)
{
    return words_message(l, "%{method} with %{workers} (%{time}) is left out: %{status}, %{cause}",
                         WITH({"method", method_of(p)}, {"workers", words_workers(p, l).text},
                              {"time", number_seconds(l, total_of(p)).text},
                              {"status", trust_word(p->trust, l)},
                              {"cause", words_cause(p, l).text}));
}

struct words words_method(const struct point *p)
{
    const struct record *r = &p->samples->identity;
    return words_text("%s%s%s%s%s", r->method, r->distribution[0] ? " " : "", r->distribution,
                      r->offload[0] ? " " : "", r->offload);
}

static bool has_errors(const struct analysis *a, const struct ratio *r)
{
    return !isnan(a->points[r->peer].error_ulps) && !isnan(a->points[r->ours].error_ulps);
}

struct words words_similar(const struct analysis *a, const struct language *l)
{
    struct words w = {""};
    bool shown = a->dissimilar > 0;
    for (size_t i = 0; i < a->ratio_count; i++)
        shown = shown || has_errors(a, &a->ratios[i]);
    if (shown)
        snprintf(w.text, sizeof w.text, "%s",
                 message(l, " Times are compared among similar errors: the larger at most four "
                            "times the other."));
    const size_t used = strlen(w.text);
    if (a->dissimilar)
        message_fill(
            w.text + used, sizeof w.text - used,
            message_plural(l, " %{count} time of a library is left out, its error differing more.",
                           " %{count} times of libraries are left out, their errors differing "
                           "more.",
                           a->dissimilar),
            WITH({"count", number_of(a->dissimilar).text}));
    return w;
}
