/* Everything about one experiment, folded below its section: its charts, the results of the fits,
 * all points, and the reasons why some are doubtful. */
#include "experiments/analysis/limit_share.h"
#include "experiments/report/report.h"
#include "harness/base/text/messages.h"

#include "experiments/analysis/numbers.h"
#include "experiments/report/claims/findings.h"
#include "experiments/report/page/first_figure.h"
#include "experiments/report/page/ladder.h"
#include "experiments/samples/point.h"
#include "harness/base/text/fit.h"

#include <math.h>
#include <string.h>

enum { CELLS_MAX = 12 };

/* Writes texts as a row of cells, without gray additions. */
static void write_cells(const struct part *p, const struct number *texts, size_t count)
{
    struct cell cells[CELLS_MAX];
    for (size_t i = 0; i < count; i++)
        cells[i] = (struct cell){texts[i].text, NULL};
    p->format->row(&p->document, cells, count, false);
}

static struct number as_number(const char *text)
{
    struct number n;
    snprintf(n.text, sizeof n.text, "%.*s", (int)sizeof n.text - 1, text);
    return n;
}

/* ---- all points ------------------------------------------------------------------------------ */

enum { POINT_CELLS = 8 };

static struct number speedup_text(const struct point *p, enum baseline baseline,
                                  const struct language *l)
{
    const struct speedup *s = &p->speedup[baseline];
    return s->point < 0 ? (struct number){"-"}
                        : number_brief(l, s->value[METRIC_TOTAL], s->interval[METRIC_TOTAL]);
}

static void write_point(const struct part *part, const struct point *p)
{
    const struct language *l = part->document.language;
    const struct estimate *total = &p->seconds[METRIC_TOTAL],
                          *compute = &p->seconds[METRIC_COMPUTE];
    const struct number texts[] = {number_known_seconds(l, compute),
                                   number_known_seconds(l, total),
                                   speedup_text(p, BASELINE_NAMED, l),
                                   speedup_text(p, BASELINE_BEST, l),
                                   speedup_text(p, BASELINE_ONE, l),
                                   number_answer_share(l, point_share(p), point_share_interval(p))};
    const struct number spread = number_spread(l, total->value, total->interval);
    char status[TRUST_TEXT];
    struct cell cells[POINT_CELLS] = {{p->label, NULL}};
    trust_describe(p, l, status);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        cells[i + 1] = (struct cell){texts[i].text, NULL};
    cells[2].soft = spread.text;
    cells[POINT_CELLS - 1] = (struct cell){status, NULL};
    part->format->row(&part->document, cells, POINT_CELLS, false);
}

static void points_caption(const struct analysis *a, const struct language *l, char *text,
                           size_t size)
{
    char counts[TIME_COUNTS_TEXT];
    struct time_counts of = {0};
    for (size_t i = 0; i < a->point_count; i++)
        time_counts_add(&of, &a->points[i]);
    time_counts_say(&of, l, counts);
    snprintf(text, size, "%s%s%s",
             message(l, "Medians with 95 % intervals. Speedups of the total time: over the serial "
                        "baseline, over the fastest serial method of the same kind of work, and "
                        "over the same program with one worker. Of the limit: the least time that "
                        "the machine allows, divided by the compute time. Where workers share "
                        "cores, every ratio is of the total time with waiting included, and none "
                        "is a speedup."),
             counts[0] ? " " : "", counts);
}

static void write_points(const struct part *p, const struct experiment *e)
{
    const struct language *l = p->document.language;
    char summary[100], named[100], caption[900];
    const struct analysis *a = &e->analysis;
    message_format(named, sizeof named, l, "over %{method}",
                   WITH({"method", e->request.baseline_method}));
    const char *const headers[POINT_CELLS] = {message(l, "point"),
                                              message(l, "compute"),
                                              "total",
                                              named,
                                              message(l, "over best serial"),
                                              message(l, "over one worker"),
                                              message(l, "of the limit"),
                                              message(l, "status")};
    message_format(summary, sizeof summary, l,
                   a->point_count == 1 ? message(l, "The point") : "All %{count} points",
                   WITH({"count", number_of(a->point_count).text}));
    p->format->fold_begin(&p->document, summary);
    points_caption(a, l, caption, sizeof caption);
    p->format->table_begin(&p->document, caption, headers, POINT_CELLS);
    for (size_t i = 0; i < a->point_count; i++)
        write_point(p, &a->points[i]);
    p->format->table_end(&p->document, POINT_CELLS);
    format_part(p->format->fold_end, &p->document);
}

/* ---- predictions of the model ---------------------------------------------------------------- */

enum { FORECAST_CELLS = 6 };

static void write_forecast(const struct part *p, const struct forecast *c)
{
    const struct language *l = p->document.language;
    const struct estimate predicted = estimate_given(c->predicted.total_s, c->predicted.total),
                          measured = estimate_given(c->seconds, c->interval);
    struct number texts[FORECAST_CELLS];
    point_label(c->problem, texts[0].text, sizeof texts[0].text);
    texts[1] = as_number(c->source == FORECAST_SIMULATED ? message(l, "simulated")
                                                         : message(l, "measured"));
    texts[2] = number_estimate(l, &measured);
    texts[3] = number_estimate(l, &predicted);
    texts[4] = number_percent(l, c->error);
    snprintf(texts[5].text, sizeof texts[5].text, "%zu", c->seen);
    write_cells(p, texts, FORECAST_CELLS);
}

/* Writes the points with the model's predictions, which do not depend on them. */
static void write_forecasts(const struct part *p, const struct experiment *e)
{
    const struct language *l = p->document.language;
    const char *const headers[FORECAST_CELLS] = {
        message(l, "point"),     message(l, "how"),   "total",
        message(l, "predicted"), message(l, "error"), message(l, "points fitted"),
    };
    if (e->forecasts.count == 0)
        return;
    p->format->table_begin(
        &p->document,
        message(l,
                "What the model predicts for each point, with a 95 % interval. It was fitted to "
                "none of them: measured points are predicted from the other image sizes, simulated "
                "points from calibrated row times and the numbers of the platform file."),
        headers, FORECAST_CELLS);
    for (size_t i = 0; i < e->forecasts.count; i++)
        if (e->forecasts.rows[i].source != FORECAST_PREDICTED)
            write_forecast(p, &e->forecasts.rows[i]);
    p->format->table_end(&p->document, FORECAST_CELLS);
    if (e->forecasts.missing[0])
        p->format->paragraph(&p->document, e->forecasts.missing);
}

/* ---- the table of peers ---------------------------------------------------------------------- */

enum { PEER_CELLS = 7 };

static void write_peer_row(const struct part *part, const struct analysis *a, const struct ratio *r)
{
    const struct language *l = part->document.language;
    const struct point *peer = &a->points[r->peer], *ours = &a->points[r->ours];
    struct number texts[PEER_CELLS] = {as_number(r->shape),
                                       as_number(method_of(peer)),
                                       {"GPU"},
                                       number_seconds(l, total_of(peer)),
                                       as_number(method_of(ours)),
                                       number_seconds(l, total_of(ours)),
                                       number_ratio(l, r->value, r->interval)};
    if (evidence_plain_loops(a, peer))
        text_fit_format(texts[1].text, sizeof texts[1].text, "%s (%s)", method_of(peer),
                        message(l, "plain loops"));
    if (isfinite(peer->workers))
        texts[2] = number_plain(l, peer->workers);
    write_cells(part, texts, PEER_CELLS);
}

static void write_peers(const struct part *p, const struct analysis *a)
{
    const struct language *l = p->document.language;
    const char *const headers[PEER_CELLS] = {message(l, "shape"),          message(l, "library"),
                                             message(l, "workers"),        message(l, "its time"),
                                             message(l, "our fastest"),    message(l, "our time"),
                                             message(l, "its time / ours")};
    if (a->ratio_count == 0)
        return;
    p->format->fold_begin(&p->document, message(l, "Every comparison"));
    p->format->table_begin(
        &p->document,
        message(l, "Other libraries and the fastest of our methods on the same shape, with as many "
                   "workers: medians of the total time, and their ratio with its 95 % interval. "
                   "Above 1, ours is faster."),
        headers, PEER_CELLS);
    for (size_t i = 0; i < a->ratio_count; i++)
        write_peer_row(p, a, &a->ratios[i]);
    p->format->table_end(&p->document, PEER_CELLS);
    format_part(p->format->fold_end, &p->document);
}

/* ---- results of the fits --------------------------------------------------------------------- */

static void add_item(const char *sentence, void *context)
{
    const struct part *p = context;
    p->format->item(&p->document, sentence);
}

static void count_sentence(const char *sentence, void *context)
{
    (void)sentence;
    ++*(size_t *)context;
}

static void write_fits(const struct part *p, const struct experiment *e)
{
    const struct language *l = p->document.language;
    struct part own = *p;
    size_t sentences = 0;
    findings_write(&e->analysis, l, count_sentence, &sentences);
    if (sentences == 0)
        return;
    p->format->fold_begin(&p->document, message(l, "What the fits say"));
    p->format->list_begin(&p->document, "");
    findings_write(&e->analysis, l, add_item, &own);
    format_part(p->format->list_end, &p->document);
    format_part(p->format->fold_end, &p->document);
}

/* ---- charts ---------------------------------------------------------------------------------- */

/* Writes the charts that neither the section nor the first page showed yet, each under its answer
 * unless the chart before has the same one. */
static void write_charts(const struct part *p, const struct experiment *e, const char *shown)
{
    struct claim c, before = {0};
    for (size_t i = 0; i < experiment_chart_count(e); i++) {
        const char *chart = experiment_chart(e, i);
        report_data_claim(p->data, e, chart, p->document.language, &c);
        const bool new = strcmp(c.answer, before.answer) != 0;
        before = c;
        if (shown && strcmp(chart, shown) == 0)
            continue;
        if (!c.has_answer)
            continue; /* the gaps report it with the reason */
        const bool above = first_figure_is(p, e, chart);
        if (above)
            first_figure_link(p);
        else
            report_finding(p, e, chart, &c, new &&c.answer[0]);
        if (!report_has_chart(p, e, chart) && new &&c.against != AGAINST_PUBLISHED)
            report_claim_table(p, e, &c);
        if (c.against == AGAINST_PUBLISHED) /* no other table shows them */
            report_claim_table(p, e, &c);
    }
}

/* The experiment that draws the ladder shows it as tables, too. */
static bool has_ladder(const struct experiment *e)
{
    for (size_t i = 0; i < experiment_chart_count(e); i++)
        if (strcmp(experiment_chart(e, i), "ladder") == 0)
            return true;
    return false;
}

/* True if there is a chart that the section did not show, or a reason why a chart is missing. */
static bool has_more(const struct part *p, const struct experiment *e, const char *shown)
{
    const size_t charts = experiment_chart_count(e);
    return p->format->everything || charts > 1 ||
           (charts == 1 && (!shown || strcmp(experiment_chart(e, 0), shown) != 0));
}

void report_experiment(const struct part *part, const struct experiment *e, const char *shown)
{
    struct part p = *part;
    const struct language *l = p.document.language;
    p.document.place = e->name;
    if (!has_more(part, e, shown))
        return;
    p.format->fold_begin(&p.document, experiment_title(e, l).text);
    p.format->question(&p.document, experiment_question(e, l).text);
    write_charts(&p, e, shown);
    report_gaps(&p, e->name);
    if (p.format->everything) {
        if (has_ladder(e))
            ladder_write(p.format, &p.document, &e->analysis);
        write_forecasts(&p, e);
        write_peers(&p, &e->analysis);
        write_fits(&p, e);
        report_causes_of(&p, e);
        write_points(&p, e);
    }
    format_part(p.format->fold_end, &p.document);
}
