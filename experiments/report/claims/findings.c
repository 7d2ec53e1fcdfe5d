#include "experiments/report/claims/findings.h"

#include "experiments/analysis/numbers.h"
#include "experiments/analysis/selections/evidence.h"
#include "experiments/analysis/speedup/scaling.h"
#include "experiments/analysis/speedup/serial_fraction.h"
#include "harness/base/text/messages.h"
#include "harness/base/text/time_unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- numbers --------------------------------------------------------------------------------- */

static void format_seconds(char *text, size_t size, double seconds)
{
    const struct time_unit u = time_unit_of(seconds);
    if (isnan(seconds))
        snprintf(text, size, "-");
    else
        snprintf(text, size, "%.4g %s", seconds / u.seconds, u.name);
}

/* Decimals for two or three significant digits. */
static int digits_of(double number)
{
    return number < 0.995 ? 2 : number < 9.95 ? 1 : 0;
}

void format_seconds_short(char *text, size_t size, double seconds)
{
    const struct time_unit u = time_unit_of(seconds);
    const double number = seconds / u.seconds;
    if (isnan(seconds))
        snprintf(text, size, "-");
    else
        snprintf(text, size, "%.*f %s", digits_of(number), number, u.name);
}

/* ---- fits ------------------------------------------------------------------------------------ */

/* Amdahl's bound for a share, with the interval that follows from the share's own. */
static struct number bound_in(const struct language *l, double share, struct interval of)
{
    const bool known = isfinite(of.lower) && isfinite(of.upper);
    const struct interval bound = {amdahl_bound(of.lower), amdahl_bound(of.upper)};
    return number_bound(l, amdahl_bound(share), known ? bound : no_interval);
}

static const char *name_of_x(const struct curve *c)
{
    return c->kind == CURVE_GROWTH ? "n" : c->kind == CURVE_STRIDE ? "s" : "k";
}

/* Where the Universal Scalability Law has its peak, if the samples show that there is one. */
static struct words peak_words(const struct fit *fit, const struct language *l)
{
    const double most = usl_peak(fit->value[1], fit->value[2]);
    return isfinite(most) && fit->interval[2].lower > 0.0
               ? words_message(l, ", fastest at %{workers} workers",
                               WITH({"workers", number_text("%.0f", most).text}))
               : words_text("%s", "");
}

/* The sentences of the laws, by enum fit_model; %{first} and %{second} are their parameters. NULL:
 * only the power law is described. */
static const char *const law_sentences[FIT_MODELS] = {
    [FIT_AMDAHL] = N_("Amdahl: parallel fraction f = %{first}, speedup bound %{bound} (%{points} "
                      "points, residual %{residual} %)"),
    [FIT_USL] = N_("Universal Scalability Law: contention %{first}, coherence %{second}%{peak} "
                   "(%{points} points)"),
    [FIT_GUSTAFSON] = N_("Gustafson: serial fraction s = %{first} (%{points} points, residual "
                         "%{residual} %)"),
    [FIT_POWER] = N_("time grows as %{x}^a with a = %{first} (%{points} points, residual "
                     "%{residual} %)"),
    [FIT_PRODUCT] = N_("time varies as windows^a k^b with a = %{first}, b = %{second} (%{points} "
                       "points)")};

static void describe_fit(const struct curve *c, const struct fit *fit, const struct language *l,
                         char *text, size_t size)
{
    const char *id = law_sentences[fit->model];
    const struct fit *other = &c->fits[METRIC_COMPUTE][1];
    text[0] = '\0';
    if (!id)
        return;
    const size_t length = message_format(
        text, size, l, id,
        WITH({"x", name_of_x(c)}, {"first", number_ratio(l, fit->value[1], fit->interval[1]).text},
             {"second", number_ratio(l, fit->value[2], fit->interval[2]).text},
             {"bound", bound_in(l, fit->value[1], fit->interval[1]).text},
             {"peak", peak_words(fit, l).text}, {"points", number_of(fit->points).text},
             {"residual", number_in(l, "%.1f", 100.0 * fit->error).text}));
    if (fit->model == FIT_POWER && c->kind == CURVE_GROWTH && !other->reason[0] &&
        fit->error < other->error)
        message_format(
            text + length, size - length, l,
            "; an exponential misses the same points by %{residual} %, so the growth is polynomial",
            WITH({"residual", number_text("%.0f", 100.0 * other->error).text}));
}

/* If no single power describes a curve: the exponents at its ends. */
static void describe_bend(const struct curve *c, const struct fit *fit, const struct language *l,
                          char *text, size_t size)
{
    message_format(text, size, l,
                   "no single power of %{x} describes the time: the exponent goes from %{low} at "
                   "%{x} = %{low_x} to %{high} at %{x} = %{high_x} (%{points} points)",
                   WITH({"x", name_of_x(c)},
                        {"low", number_in(l, "%.2f", fit->end_exponent[0]).text},
                        {"low_x", number_in(l, "%g", fit->end[0]).text},
                        {"high", number_in(l, "%.2f", fit->end_exponent[1]).text},
                        {"high_x", number_in(l, "%g", fit->end[1]).text},
                        {"points", number_of(fit->points).text}));
}

/* Appends to a fit that its law does not hold, and how the exponent changes. */
static void describe_misfit(const struct fit *fit, const struct language *l, char *text,
                            size_t size)
{
    const size_t length = strlen(text);
    if (fit->model == FIT_POWER && isfinite(fit->local.lower))
        message_format(text + length, size - length, l,
                       ", which the points miss by more than their noise: between neighbours the "
                       "exponent is %{low} to %{high}",
                       WITH({"low", number_in(l, "%.2f", fit->local.lower).text},
                            {"high", number_in(l, "%.2f", fit->local.upper).text}));
    else
        snprintf(text + length, size - length, "%s",
                 message(l, ", which the points miss by more than their noise"));
}

/* Karp and Flatt's serial share at the most workers of a curve; even two cores give it. */
static void describe_karp_flatt(const struct analysis *a, const struct curve *c,
                                const struct language *l, char *text, size_t size)
{
    const struct point *p = NULL;
    text[0] = '\0';
    for (size_t i = 0; i < c->count; i++)
        if (!a->points[c->points[i]].shares_cores)
            p = &a->points[c->points[i]];
    if (!p || isnan(p->karp_flatt))
        return;
    serial_fraction_say(l, p->workers, p->karp_flatt, p->karp_flatt_interval, text, size);
}

/* Room for a clause per fit, one for Karp and Flatt's share, and one for the points left out. */
enum { CURVE_SENTENCE = (CURVE_FITS + 2) * (SENTENCE + 2) };

static void add_clause(char sentence[CURVE_SENTENCE], const char clause[SENTENCE])
{
    const char *between = sentence[0] ? "; " : "";
    const size_t length = strlen(sentence), gap = strlen(between), more = strlen(clause);
    if (more == 0)
        return;
    memcpy(sentence + length, between, gap);
    memcpy(sentence + length + gap, clause, more + 1);
}

static void describe_curve(const struct analysis *a, const struct curve *c,
                           const struct language *l, char sentence[CURVE_SENTENCE])
{
    char clause[SENTENCE];
    sentence[0] = '\0';
    for (size_t i = 0; i < c->fit_count; i++) {
        const struct fit *fit = &c->fits[METRIC_COMPUTE][i];
        if (fit->reason[0] && !fit->bent)
            continue;
        if (fit->bent)
            describe_bend(c, fit, l, clause, sizeof clause);
        else
            describe_fit(c, fit, l, clause, sizeof clause);
        if (fit->lacks && !fit->bent && clause[0])
            describe_misfit(fit, l, clause, sizeof clause);
        add_clause(sentence, clause);
    }
    if (c->kind == CURVE_WORKERS) {
        describe_karp_flatt(a, c, l, clause, sizeof clause);
        add_clause(sentence, clause);
    }
    if (c->left_out_invalid + c->left_out_workers) {
        message_format(
            clause, sizeof clause, l,
            "left out of the fit: %{invalid} INVALID, %{crowded} with more workers than cores",
            WITH({"invalid", number_of(c->left_out_invalid).text},
                 {"crowded", number_of(c->left_out_workers).text}));
        add_clause(sentence, clause);
    }
}

/* Why laws of workers were not fitted, once for all curves; "" if they were. */
static void describe_no_fits(const struct analysis *a, const struct language *l,
                             char sentence[SENTENCE])
{
    size_t curves = 0, without[CURVE_FITS] = {0};
    for (size_t i = 0; i < a->curve_count; i++) {
        const struct curve *c = &a->curves[i];
        curves += c->kind == CURVE_WORKERS;
        for (size_t j = 0; c->kind == CURVE_WORKERS && j < c->fit_count; j++)
            without[j] += c->fits[METRIC_COMPUTE][j].reason[0] != '\0';
    }
    sentence[0] = '\0';
    if (without[0] + without[1])
        message_format(sentence, SENTENCE, l,
                       "Amdahl's law was not fitted to %{amdahl} of %{curves} curves over workers, "
                       "and the Universal Scalability Law not to %{usl}. They need three and four "
                       "worker counts up to the number of cores, and points that are not INVALID. "
                       "The measured f and Karp-Flatt are given instead",
                       WITH({"amdahl", number_of(without[0]).text},
                            {"curves", number_of(curves).text},
                            {"usl", number_of(without[1]).text}));
}

/* "" if no point has the fraction. */
static void describe_fraction(const struct analysis *a, const struct language *l,
                              char sentence[SENTENCE])
{
    sentence[0] = '\0';
    if (a->fraction < 0)
        return;
    const struct point *p = &a->points[a->fraction];
    const struct interval of = p->share.interval;
    message_format(sentence, SENTENCE, l,
                   "Of the compute time of %{point}, the product takes the fraction f = %{f}; if "
                   "only the product ran in parallel, Amdahl's bound would be %{bound}",
                   WITH({"point", p->label}, {"f", number_justified(l, p->share.value, of).text},
                        {"bound", bound_in(l, p->share.value, of).text}));
}

/* The points of several ranks with the largest and the smallest share of time in messages, and the
 * largest start skew. NULL and 0 if no point has several ranks. */
struct ranks_extremes {
    const struct point *most, *least;
    double missed_s;
};

static struct ranks_extremes find_ranks(const struct analysis *a)
{
    struct ranks_extremes e = {0};
    for (size_t i = 0; i < a->point_count; i++) {
        const struct point *p = &a->points[i];
        if (p->samples->identity.ranks < 2 || isnan(p->transfer_share) || p->trust == TRUST_INVALID)
            continue;
        e.most = !e.most || p->transfer_share > e.most->transfer_share ? p : e.most;
        e.least = !e.least || p->transfer_share < e.least->transfer_share ? p : e.least;
        e.missed_s = fmax(e.missed_s, p->phase[PHASE_START_ERROR]); /* ignores NaN */
    }
    return e;
}

/* "" if no point has several ranks. */
static void describe_ranks(const struct analysis *a, const struct language *l,
                           char sentence[SENTENCE])
{
    const struct ranks_extremes e = find_ranks(a);
    char missed[40];
    sentence[0] = '\0';
    if (!e.most)
        return;
    format_seconds(missed, sizeof missed, e.missed_s);
    number_localize(l, missed);
    message_format(sentence, SENTENCE, l,
                   "Messages between ranks take from %{least} % of the total (%{least_point}) to "
                   "%{most} % (%{most_point}); start skew (ranks begin at different times, which "
                   "the total includes): at most %{skew}, median of a point",
                   WITH({"least", number_in(l, "%.2g", 100.0 * e.least->transfer_share).text},
                        {"least_point", e.least->label},
                        {"most", number_in(l, "%.2g", 100.0 * e.most->transfer_share).text},
                        {"most_point", e.most->label}, {"skew", missed}));
}

/* A weak and a strong curve through the same points give the same sentence; each kind is named if
 * the experiment varies it. */
void findings_write(const struct analysis *a, const struct language *l, sentence_function *write,
                    void *context)
{
    char sentence[CURVE_SENTENCE], whole[CURVE_SENTENCE + 200];
    for (size_t i = 0; i < a->curve_count; i++) {
        describe_curve(a, &a->curves[i], l, sentence);
        if (!sentence[0])
            continue;
        snprintf(whole, sizeof whole, "%s: %s.", a->curves[i].label, sentence);
        write(whole, context);
    }
    void (*const describe[])(const struct analysis *, const struct language *,
                             char *) = {describe_no_fits, describe_fraction, describe_ranks};
    for (size_t i = 0; i < sizeof describe / sizeof *describe; i++) {
        describe[i](a, l, sentence);
        if (!sentence[0])
            continue;
        snprintf(whole, sizeof whole, "%s.", sentence);
        write(whole, context);
    }
}
