#include "experiments/report/report.h"

#include "experiments/common/results.h"
#include "experiments/report/findings.h"
#include "experiments/report/ladder.h"
#include "experiments/report/plots.h"
#include "experiments/samples/journal.h"
#include "experiments/samples/point.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct teller {
    const struct report_format *format;
    const struct document *document;
};

static void tell_item(const char *sentence, void *context)
{
    const struct teller *t = context;
    t->format->item(t->document, sentence);
}

/* ---- the table of points -------------------------------------------------------------------- */

enum { CELLS = 8, CELL_SIZE = 200 };

static void write_row(const struct report_format *format, const struct document *d,
                      const struct point *p)
{
    _Static_assert((int)CELL_SIZE >= (int)TRUST_TEXT, "a status fits a cell");
    char cells[CELLS][CELL_SIZE];
    const char *row[CELLS];
    const struct estimate *total = &p->seconds[METRIC_TOTAL];
    const struct estimate *compute = &p->seconds[METRIC_COMPUTE];
    snprintf(cells[0], CELL_SIZE, "%s", p->label);
    format_estimate(cells[1], CELL_SIZE, compute->value, compute->interval);
    format_estimate(cells[2], CELL_SIZE, total->value, total->interval);
    for (size_t i = 0; i < 3; i++) {
        static const enum baseline order[] = {BASELINE_NAMED, BASELINE_BEST, BASELINE_ONE};
        const struct speedup *s = &p->speedup[order[i]];
        format_ratio(cells[3 + i], CELL_SIZE, s->value[METRIC_TOTAL], s->interval[METRIC_TOTAL]);
    }
    snprintf(cells[6], CELL_SIZE, "-");
    if (p->roof.seconds > 0.0 && compute->value > 0.0)
        format_share(cells[6], CELL_SIZE, p->roof.seconds / compute->value);
    trust_tell(p, d->language, cells[7]);
    for (size_t i = 0; i < CELLS; i++)
        row[i] = cells[i];
    format->row(d, row, CELLS);
}

static void write_table(const struct report_format *format, const struct document *d,
                        const struct experiment *e)
{
    char caption[800], named[64];
    snprintf(named, sizeof named, say(d->language, "over %s", "sobre %s"),
             e->request.baseline_method);
    const char *const headers[CELLS] = {say(d->language, "point", "punto"),
                                        say(d->language, "compute", "cómputo"),
                                        "total",
                                        named,
                                        say(d->language, "over best serial", "sobre mejor serial"),
                                        say(d->language, "over one worker", "sobre un trabajador"),
                                        say(d->language, "of the roof", "del techo"),
                                        say(d->language, "status", "estado")};
    snprintf(
        caption, sizeof caption,
        say(d->language,
            "%s: medians with 95 %% intervals, and speedups of the total time over the serial "
            "method %s, the fastest serial method of the same kind of work, and the same program "
            "with one worker; the share that the roof of the work, as the machine's measured "
            "ceilings have it, is of the compute time.",
            "%s: medianas con intervalos del 95 %%, y aceleraciones del tiempo total sobre el "
            "método serial %s, el método serial más rápido del mismo tipo de trabajo, y el mismo "
            "programa con un trabajador; y la fracción del tiempo de cómputo que es el techo del "
            "trabajo según los techos medidos de la máquina."),
        experiment_title(e, d->language), e->request.baseline_method);
    format->table_begin(d, caption, headers, CELLS);
    for (size_t i = 0; i < e->analysis.point_count; i++)
        write_row(format, d, &e->analysis.points[i]);
    format->table_end(d);
}

/* ---- the model, held to account ------------------------------------------------------------- */

enum { FORECAST_CELLS = 6 };

static void write_forecast(const struct report_format *format, const struct document *d,
                           const struct forecast *c)
{
    char cells[FORECAST_CELLS][CELL_SIZE];
    const char *row[FORECAST_CELLS];
    point_label(c->problem, cells[0], CELL_SIZE);
    snprintf(cells[1], CELL_SIZE, "%s",
             c->source == FORECAST_SIMULATED ? say(d->language, "simulated", "simulado")
                                             : say(d->language, "measured", "medido"));
    format_estimate(cells[2], CELL_SIZE, c->seconds, c->interval);
    format_estimate(cells[3], CELL_SIZE, c->predicted.total_s, c->predicted.total);
    snprintf(cells[4], CELL_SIZE, "%+.1f %%", 100.0 * c->error);
    snprintf(cells[5], CELL_SIZE, "%zu", c->seen);
    for (size_t i = 0; i < FORECAST_CELLS; i++)
        row[i] = cells[i];
    format->row(d, row, FORECAST_CELLS);
}

/* Points beside what the model says of them, which saw none of them. */
static void write_forecasts(const struct report_format *format, const struct document *d,
                            const struct experiment *e)
{
    const char *const headers[FORECAST_CELLS] = {
        say(d->language, "point", "punto"),
        say(d->language, "how", "cómo"),
        "total",
        say(d->language, "predicted", "predicho"),
        say(d->language, "error", "error"),
        say(d->language, "model made from", "modelo hecho de"),
    };
    if (e->forecasts.count == 0)
        return;
    format->table_begin(
        d,
        say(d->language,
            "What the model predicts of each point, with a 95 % interval. It saw none of them: "
            "measured points are predicted from the other image sizes, simulated ones from "
            "calibrated row times and the figures of the platform file.",
            "Lo que el modelo predice de cada punto, con un intervalo del 95 %. No vio ninguno: "
            "los medidos se predicen a partir de los otros tamaños de imagen; los simulados, de "
            "tiempos calibrados por renglón y de las cifras del archivo de la plataforma."),
        headers, FORECAST_CELLS);
    for (size_t i = 0; i < e->forecasts.count; i++)
        if (e->forecasts.rows[i].source != FORECAST_PREDICTED)
            write_forecast(format, d, &e->forecasts.rows[i]);
    format->table_end(d);
    if (e->forecasts.missing[0])
        format->paragraph(d, e->forecasts.missing);
}

/* ---- the table of peers --------------------------------------------------------------------- */

enum { PEER_CELLS = 7 };

static void write_peer_row(const struct report_format *format, const struct document *d,
                           const struct analysis *a, const struct ratio *r)
{
    char cells[PEER_CELLS][RECORD_TEXT];
    const char *row[PEER_CELLS];
    const struct point *peer = &a->points[r->peer], *ours = &a->points[r->ours];
    snprintf(cells[0], RECORD_TEXT, "%s", r->shape);
    snprintf(cells[1], RECORD_TEXT, "%s", peer->samples->identity.method);
    snprintf(cells[2], RECORD_TEXT, isfinite(peer->workers) ? "%.0f" : "GPU", peer->workers);
    format_seconds(cells[3], RECORD_TEXT, peer->seconds[METRIC_TOTAL].value);
    snprintf(cells[4], RECORD_TEXT, "%s", ours->samples->identity.method);
    format_seconds(cells[5], RECORD_TEXT, ours->seconds[METRIC_TOTAL].value);
    format_ratio(cells[6], RECORD_TEXT, r->value, r->interval);
    for (size_t i = 0; i < PEER_CELLS; i++)
        row[i] = cells[i];
    format->row(d, row, PEER_CELLS);
}

static void write_peers(const struct report_format *format, const struct document *d,
                        const struct analysis *a)
{
    const char *const headers[PEER_CELLS] = {
        say(d->language, "shape", "forma"),
        say(d->language, "library", "biblioteca"),
        say(d->language, "workers", "trabajadores"),
        say(d->language, "its time", "su tiempo"),
        say(d->language, "our fastest", "nuestro más rápido"),
        say(d->language, "our time", "nuestro tiempo"),
        say(d->language, "its time / ours", "su tiempo / el nuestro")};
    if (a->ratio_count == 0)
        return;
    format->table_begin(
        d,
        say(d->language,
            "Other libraries against the fastest of our methods on the same shape, with as many "
            "workers: medians of the total time, and their ratio with its 95 % interval; above 1 "
            "ours is faster.",
            "Otras bibliotecas contra el más rápido de nuestros métodos en la misma forma, con "
            "igual número de trabajadores: medianas del tiempo total y su razón con intervalo del "
            "95 %; por encima de 1 el nuestro es más rápido."),
        headers, PEER_CELLS);
    for (size_t i = 0; i < a->ratio_count; i++)
        write_peer_row(format, d, a, &a->ratios[i]);
    format->table_end(d);
}

/* ---- absolute seconds of the baselines ------------------------------------------------------ */

static void write_baselines(const struct report_format *format, const struct document *d,
                            const struct experiment *e)
{
    const struct analysis *a = &e->analysis;
    size_t told = 0;
    for (size_t i = 0; i < a->point_count; i++) {
        bool used = false;
        for (size_t j = 0; j < a->point_count && !used; j++)
            for (size_t b = 0; b < BASELINE_ONE && i != j; b++)
                used = used || a->points[j].speedup[b].point == (ptrdiff_t)i;
        if (!used)
            continue;
        char text[400], seconds[100];
        const struct estimate *t = &a->points[i].seconds[METRIC_TOTAL];
        if (told++ == 0)
            format->list_begin(
                d, say(d->language, "Serial baselines (total)", "Bases seriales (total)"), false);
        format_estimate(seconds, sizeof seconds, t->value, t->interval);
        snprintf(text, sizeof text, "%s: %s", a->points[i].label, seconds);
        format->item(d, text);
    }
    if (told)
        format->list_end(d, false);
}

/* ---- warnings ------------------------------------------------------------------------------- */

/* How many points share a reason, word for word; 0 where an earlier one was told already. */
static size_t count_alike(const struct analysis *a, size_t point, const struct reason *why)
{
    size_t alike = 0;
    for (size_t i = 0; i < a->point_count; i++)
        for (size_t j = 0; j < a->points[i].reason_count; j++)
            if (strcmp(a->points[i].reasons[j].cause[ENGLISH], why->cause[ENGLISH]) == 0) {
                if (i < point)
                    return 0;
                alike++;
            }
    return alike;
}

static void write_reasons(const struct report_format *format, const struct document *d,
                          const struct analysis *a)
{
    for (size_t i = 0; i < a->point_count; i++)
        for (size_t j = 0; j < a->points[i].reason_count; j++) {
            char text[800], line[REASON_LINE], others[64] = "";
            const struct reason *why = &a->points[i].reasons[j];
            size_t alike = count_alike(a, i, why);
            if (alike == 0)
                continue;
            if (alike > 1)
                snprintf(others, sizeof others, say(d->language, " and %zu more", " y %zu más"),
                         alike - 1);
            reason_line(why, d->language, line);
            snprintf(text, sizeof text, "%s: %s%s: %s", reason_word(why, d->language),
                     a->points[i].label, others, line);
            format->item(d, text);
        }
}

static bool has_reasons(const struct analysis *a)
{
    for (size_t i = 0; i < a->point_count; i++)
        if (a->points[i].reason_count)
            return true;
    return false;
}

static void write_warnings(const struct report_format *format, const struct document *d,
                           const struct experiment *e)
{
    const struct analysis *a = &e->analysis;
    const struct record_report *r = &a->samples.report;
    if (!has_reasons(a) && !r->corrupt && !r->torn)
        return;
    char text[600];
    snprintf(text, sizeof text,
             say(d->language,
                 "What is to be known of the times: %zu of %zu points PRECISE, %zu ROUGH, %zu "
                 "SIMULATED, %zu SUSPECT, %zu INVALID",
                 "Lo que hay que saber de los tiempos: %zu de %zu puntos PRECISOS, %zu "
                 "APROXIMADOS, %zu SIMULADOS, %zu SOSPECHOSOS, %zu INVÁLIDOS"),
             a->trusted[TRUST_PRECISE], a->point_count, a->trusted[TRUST_ROUGH],
             a->trusted[TRUST_SIMULATED], a->trusted[TRUST_SUSPECT], a->trusted[TRUST_INVALID]);
    format->list_begin(d, text, true);
    write_reasons(format, d, a);
    if (r->corrupt) {
        snprintf(text, sizeof text,
                 say(d->language, "%lld corrupt rows left out, the first in line %lld",
                     "%lld filas corruptas fuera, la primera en la línea %lld"),
                 (long long)r->corrupt, (long long)r->first_corrupt_line);
        format->item(d, text);
    }
    if (r->torn)
        format->item(d,
                     say(d->language, "a torn last line left out", "una última línea rota, fuera"));
    format->list_end(d, true);
}

struct skipping {
    struct teller teller;
    size_t told;
};

static bool tell_skipped(const struct journal_row *row, void *context)
{
    struct skipping *s = context;
    const struct document *d = s->teller.document;
    if (strcmp(row->status, "done") == 0)
        return true;
    char label[192], text[JOURNAL_TEXT + 300];
    if (s->told++ == 0)
        s->teller.format->list_begin(d, say(d->language, "Not measured", "Sin medir"), true);
    point_label(&row->point, label, sizeof label);
    snprintf(text, sizeof text, "%s: %s: %s", row->status, label, row->reason);
    s->teller.format->item(d, text);
    return true;
}

enum status report_skipped(const struct report_format *format, const struct document *d,
                           struct failure *f)
{
    struct skipping s = {.teller = {format, d}};
    struct results_path path = results_journal(d->folder, d->experiment);
    enum status status = journal_read(path.text, tell_skipped, &s, NULL, f);
    if (s.told)
        format->list_end(d, true);
    return status;
}

void report_gaps(const struct report_format *format, const struct document *d,
                 const struct gaps *gaps)
{
    size_t told = 0;
    for (size_t i = 0; i < gaps->count; i++) {
        const struct gap *p = &gaps->items[i];
        char text[sizeof p->why + 32];
        if (strcmp(p->experiment, d->experiment) != 0)
            continue;
        if (told++ == 0)
            format->list_begin(
                d, say(d->language, "Not read or not drawn", "Sin leer o sin dibujar"), true);
        gap_text(p, d->language, text, sizeof text);
        format->item(d, text);
    }
    if (told)
        format->list_end(d, true);
}

/* ---- one experiment ------------------------------------------------------------------------- */

static void write_charts(const struct report_format *format, const struct document *d,
                         const struct experiment *e)
{
    for (size_t i = 0; i < experiment_chart_count(e); i++) {
        const char *chart = experiment_chart(e, i);
        if (access(plot_path(d->folder, e->name, chart, format->drawing).text, R_OK) == 0)
            format->chart(d, chart, experiment_title(e, d->language));
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

void report_experiment(const struct report_format *format, const struct document *d,
                       const struct experiment *e)
{
    char methods[2 * SENTENCE];
    struct teller teller = {format, d};
    format->heading(d, experiment_title(e, d->language));
    if (experiment_question(e, d->language)[0])
        format->question(d, experiment_question(e, d->language));
    write_warnings(format, d, e);
    write_charts(format, d, e);
    if (e->analysis.curve_count || e->analysis.fraction >= 0) {
        format->list_begin(d, say(d->language, "What the fits say", "Lo que dicen los ajustes"),
                           false);
        findings_tell(&e->analysis, d->language, tell_item, &teller);
        format->list_end(d, false);
    }
    if (has_ladder(e))
        ladder_write(format, d, &e->analysis);
    write_peers(format, d, &e->analysis);
    write_table(format, d, e);
    write_forecasts(format, d, e);
    write_baselines(format, d, e);
    findings_methods(&e->analysis, &e->request, d->language, methods);
    format->paragraph(d, methods);
}
