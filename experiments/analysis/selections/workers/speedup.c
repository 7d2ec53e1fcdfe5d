/* The speedup figure as a selection. */
#include "experiments/analysis/selections/workers/workers.h"

#include "experiments/analysis/numbers.h"
#include "experiments/analysis/palette.h"
#include "experiments/analysis/speedup/efficiency.h"
#include "experiments/analysis/speedup/serial_fraction.h"
#include "experiments/analysis/speedup/topology_marks.h"
#include "experiments/common/folder_files.h"
#include "experiments/common/text/distinct.h"
#include "experiments/plan/simulated.h"
#include "experiments/samples/point.h"
#include "harness/base/text/fit.h"
#include "harness/base/text/messages.h"

#include <math.h>
#include <string.h>

const char *const worker_kind_words[] = {[WORKERS_THREADS] = N_("threads"),
                                         [WORKERS_RANKS] = N_("ranks"),
                                         [WORKERS_BOTH] = N_("ranks × threads")};
static const unsigned gray = 0x777777;
static const char measured[] = "measured", beyond[] = "beyond";

struct drawing {
    const struct speedup_figure *figure;
    const struct experiment *e;
    const struct language *l;
    struct selection *out;
    bool distributions; /* there are several */
};

/* ---- marks ----------------------------------------------------------------------------------- */

/* Shapes as in plots/lib/style.gp: circle, square, triangle, pentagon, triangle on its tip,
 * diamond. */
static unsigned shape_of(const struct record *r)
{
    const enum worker_kind kind = worker_kind_of(r);
    if (point_shares_product(r))
        return kind == WORKERS_RANKS ? 4 : 6;
    return strcmp(r->distribution, "scatter") == 0 ? 5
           : kind == WORKERS_THREADS               ? 1
           : kind == WORKERS_RANKS                 ? 2
                                                   : 3;
}

struct words worker_method(const struct record *r, const struct language *l)
{
    const bool alone = point_shares_product(r);
    char method[64];
    text_distinct(method, sizeof method, r->method);
    return words_text("%s%s%s", method, alone ? ", " : "",
                      alone ? message(l, N_("product alone")) : "");
}

/* "simd, product alone, ranks (scatter), cluster" */
static struct words series_of(const struct drawing *d, const struct record *r)
{
    const char *platform = file_name(r->platform);
    const size_t length = strlen(platform);
    const bool xml = length > 4 && strcmp(platform + length - 4, ".xml") == 0,
               distributed = d->distributions && r->distribution[0];
    return words_text("%s, %s%s%s%s%s%.*s", worker_method(r, d->l).text,
                      message(d->l, worker_kind_words[worker_kind_of(r)]), distributed ? " (" : "",
                      distributed ? r->distribution : "", distributed ? ")" : "",
                      platform[0] ? ", " : "",
                      (int)fmin(100.0, (double)(xml ? length - 4 : length)), platform);
}

static struct selection_row *draw(const struct drawing *d, const struct speedup_mark *mark,
                                  size_t panel, const char *label, double y, struct interval ends)
{
    struct selection_row *row =
        selection_mark(d->out, mark->point, panel, series_of(d, mark->record).text);
    row->x = mark->workers;
    row->y = y;
    row->ends = ends;
    row->dash = shape_of(mark->record);
    snprintf(row->label, sizeof row->label, "%s", label);
    for (size_t i = 0; !mark->point && i < d->out->count; i++) /* the colour of its series */
        if (d->out->rows[i].place == row->place) {
            row->colour = &d->out->rows[i] == row ? gray : d->out->rows[i].colour;
            break;
        }
    return row;
}

/* Whether as many workers of the series of a predicted mark were simulated. */
static bool is_simulated_too(const struct speedup_figure *f, const struct speedup_mark *m)
{
    for (size_t i = 0; i < f->count; i++)
        if (f->marks[i].source == SPEEDUP_SIMULATED && f->marks[i].workers == m->workers &&
            speedup_same_series(f->marks[i].record, m->record) &&
            strcmp(f->marks[i].record->platform, m->record->platform) == 0)
            return true;
    return false;
}

/* The interval of a prediction is not drawn where the same was simulated: it would hide that. */
static struct interval drawn_interval(const struct speedup_figure *f, const struct speedup_mark *m)
{
    const bool hides = m->source == SPEEDUP_PREDICTED && is_simulated_too(f, m);
    return hides ? no_interval : m->interval;
}

static void draw_marks(const struct drawing *d)
{
    const struct speedup_figure *f = d->figure;
    for (size_t i = 0; i < f->count; i++) {
        const struct speedup_mark *m = &f->marks[i];
        if (isfinite(m->speedup))
            draw(d, m, 1, m->beyond ? beyond : speedup_sources[m->source], m->speedup,
                 drawn_interval(f, m));
    }
    for (size_t i = 0; i < f->count; i++) {
        const struct speedup_mark *m = &f->marks[i];
        const struct bounded serial =
            speedup_mark_counts(m) ? speedup_over_serial(f, m) : (struct bounded){NAN, NAN, NAN};
        if (serial.lower > 1.0)
            draw(d, m, 1, "serial", serial.value, (struct interval){serial.lower, serial.upper});
    }
}

/* Whether a row of another series has the colour. */
static bool has_colour(const struct selection *s, size_t place, unsigned colour)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->rows[i].place != place && s->rows[i].colour == colour)
            return true;
    return false;
}

/* The first series of a method has its colour; each further one has a colour that no other has. */
static void colour_series(struct selection *s)
{
    enum { FIRST = 2 }; /* of the palette, without black and dark red */
    for (size_t i = 0; i < s->count; i++) {
        const size_t place = s->rows[i].place;
        unsigned colour = s->rows[i].colour;
        size_t earlier = 0, fresh = FIRST;
        while (earlier < i && s->rows[earlier].place != place && s->rows[earlier].colour != colour)
            earlier++;
        if (earlier == i || s->rows[earlier].place == place)
            continue;
        while (fresh + 1 < palette_colour_count && has_colour(s, place, palette_colours[fresh]))
            fresh++;
        colour = palette_colours[fresh];
        for (size_t j = i; j < s->count; j++)
            if (s->rows[j].place == place)
                s->rows[j].colour = colour;
    }
}

/* Draws the rates and the machine's limits that are known, and returns the title of their panel:
 * NULL if there is nothing to see, for a rate without a limit is drawn only of programs of
 * others, whose users say what they move. */
static const char *draw_rates(const struct drawing *d)
{
    const double unit = 1e9; /* GB/s */
    bool limited = false, moves = false;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; (pass == 0 || limited || moves) && i < d->figure->count; i++) {
            const struct speedup_mark *m = &d->figure->marks[i];
            if (!speedup_mark_counts(m))
                continue;
            const struct moved moved = speedup_moved(&d->e->analysis, m->point);
            limited = limited || isfinite(moved.limit_rate);
            moves =
                moves || (moved.rate > 0.0 && point_is_own_program(&m->point->samples->identity));
            if (pass == 1 && isfinite(moved.rate))
                draw(d, m, 2, measured, moved.rate / unit, no_interval);
            if (pass == 1 && isfinite(moved.limit_rate))
                draw(d, m, 2, "limit", moved.limit_rate / unit, no_interval);
        }
    return moves     ? limited ? N_("GB/s to and from memory; dashed: this machine's limit")
                               : N_("GB/s to and from memory")
               : limited ? N_("GB/s of image and map; dashed: this machine's limit")
                     : NULL;
}

/* ---- laws ------------------------------------------------------------------------------------ */

/* In the order of their numbers; no figure has two laws of one number. */
static const struct {
    enum speedup_law law;
    unsigned number;
} laws[] = {{LAW_PRODUCT, 1}, {LAW_FITTED, 2}, {LAW_TESINA, 3}, {LAW_GIVEN, 3}, {LAW_IDEAL, 4}};
enum { LAWS_NAMED = 3 }; /* the numbers of laws that have a name */

static const struct point *point_of_fit(const struct drawing *d)
{
    const struct curve *c = d->figure->fitted;
    return &d->e->analysis.points[c->points[c->count - 1]];
}

static const char *name_of_law(const struct drawing *d)
{
    return d->figure->weak ? "Gustafson" : "Amdahl";
}

static struct words long_name(const struct drawing *d, enum speedup_law law)
{
    const struct record *r = law == LAW_FITTED ? &point_of_fit(d)->samples->identity : NULL;
    const struct words name = words_text(
        "%s%s", name_of_law(d), law == LAW_PRODUCT && d->figure->weak ? ", s = 1 − f" : "");
    if (law == LAW_PRODUCT)
        return words_message(d->l, "%{law}, f: product / compute of %{method} with one worker",
                             WITH({"law", name.text}, {"method", method_of(d->figure->product)}));
    if (r)
        return words_message(d->l, "%{law}, fitted to %{method}, %{kind}",
                             WITH({"law", name.text}, {"method", r->method},
                                  {"kind", message(d->l, worker_kind_words[worker_kind_of(r)])}));
    return words_text("%s", message(d->l, law == LAW_GIVEN ? N_("Amdahl, the given f")
                                                           : N_("Amdahl, the tesina's f")));
}

/* "bound 2.50 [2.48, 2.52]"; "" for weak scaling, which has none. */
static struct words bound_words(const struct drawing *d, const char *bound)
{
    return d->figure->weak ? words_text("%s", "")
                           : words_message(d->l, "bound %{bound}", WITH({"bound", bound}));
}

/* "0.558" of "0.558 [0.550, 0.564]". */
static struct number without_interval(struct number n)
{
    char *interval = strstr(n.text, " [");
    if (interval)
        *interval = '\0';
    return n;
}

static void name_law(const struct drawing *d, enum speedup_law law, double number)
{
    const struct law_line *line = &d->figure->laws[law];
    const struct interval i = line->interval;
    const bool weak = d->figure->weak, tesina = law == LAW_TESINA;
    const double share = weak ? 1.0 - line->share : line->share;
    const struct number known =
        tesina ? number_in(d->l, "%.2f", line->share)
        : law == LAW_GIVEN
            ? number_in(d->l, "%g", line->share)
            : number_justified(d->l, share,
                               weak ? (struct interval){1.0 - i.upper, 1.0 - i.lower} : i);
    const struct number bound = tesina ? number_in(d->l, "%.2f", line->bound)
                                       : number_bound(d->l, line->bound, line->bound_interval);
    const char *letter = weak ? "s" : "f",
               *name = tesina ? message(d->l, N_("tesina")) : name_of_law(d);
    const bool bounded = !weak && isfinite(line->bound);
    selection_label(d->out, "law_name", name)->x = number;
    selection_label(d->out, "law_share", words_text("%s = %s", letter, known.text).text)->x =
        number;
    selection_label(d->out, "law_bound", bound_words(d, bound.text).text)->x = number;
    const struct words brief = words_text(
        "%s, %s = %s%s%s", name, letter, without_interval(known).text, bounded ? ", " : "",
        bounded ? bound_words(d, without_interval(bound).text).text : "");
    selection_label(d->out, "law_short", brief.text)->x = number;
    selection_label(d->out, "law_long", long_name(d, law).text)->x = number;
}

/* The colour of a point's series. */
static unsigned colour_of(const struct drawing *d, const struct point *p)
{
    const struct words series = series_of(d, &p->samples->identity);
    for (size_t i = 0; i < d->out->count; i++)
        if (strcmp(d->out->rows[i].series, series.text) == 0)
            return d->out->rows[i].colour;
    return palette_colour(p);
}

static void draw_laws(const struct drawing *d)
{
    for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
        const enum speedup_law law = laws[k].law;
        const unsigned number = laws[k].number;
        const struct point *p = law == LAW_PRODUCT ? d->figure->product : NULL;
        if (!d->figure->laws[law].drawn)
            continue;
        p = law == LAW_FITTED ? point_of_fit(d) : p;
        for (size_t i = 0; i <= SPEEDUP_STEPS; i++) {
            struct selection_row *row = selection_mark(d->out, NULL, 1, speedup_law_names[law]);
            row->y = speedup_at_step(d->figure, law, i, &row->x, &row->ends);
            row->colour = p ? colour_of(d, p) : gray;
            row->dash = number;
            snprintf(row->label, sizeof row->label, "law");
        }
        if (number <= LAWS_NAMED)
            name_law(d, law, number);
    }
}

/* ---- notes ----------------------------------------------------------------------------------- */

static void note(const struct drawing *d, const char *id, const struct argument *with)
{
    selection_label(d->out, "note", words_message(d->l, id, with).text);
}

/* What the loss would mean without a fit. */
static void note_karp_flatt(const struct drawing *d)
{
    const struct speedup_mark *m = speedup_figure_leading(d->figure);
    if (!m || d->figure->weak)
        return;
    const struct bounded serial = speedup_karp_flatt(m);
    struct words w;
    serial_fraction_say(d->l, m->workers, serial.value,
                        (struct interval){serial.lower, serial.upper}, w.text, sizeof w.text);
    selection_label(d->out, "note", w.text);
}

/* What the marks have in common, for the lines below the axes. */
struct seen {
    bool exceeded, beyond, suspect, serial, modelled, banded, intervals;
};

static struct seen look(const struct drawing *d)
{
    struct seen s = {.exceeded = false};
    for (size_t i = 0; i < d->figure->count; i++) {
        const struct speedup_mark *m = &d->figure->marks[i];
        const bool counts = speedup_mark_counts(m);
        s.exceeded = s.exceeded || (counts && speedup_exceeds_product(d->figure, m));
        s.beyond = s.beyond || (m->beyond && m->workers <= d->figure->reach);
        s.suspect =
            s.suspect || (m->source == SPEEDUP_MEASURED && m->point->trust == TRUST_SUSPECT);
        s.intervals = s.intervals || isfinite(m->interval.lower);
        s.modelled = s.modelled || m->source != SPEEDUP_MEASURED;
        s.banded = s.banded ||
                   (m->source == SPEEDUP_PREDICTED && isfinite(drawn_interval(d->figure, m).upper));
        const struct bounded serial =
            counts ? speedup_over_serial(d->figure, m) : (struct bounded){NAN, NAN, NAN};
        s.serial = s.serial || (serial.lower > 1.0 && serial.value <= 1.2 * m->speedup);
    }
    return s;
}

static void write_notes(const struct drawing *d, const struct seen *s)
{
    const struct speedup_figure *f = d->figure;
    const struct number cores = number_text("%.0f", f->cores);
    if (!f->laws[LAW_FITTED].drawn) {
        note(d,
             N_("No fit: that needs three worker counts up to the number of cores, not %{counts}."),
             WITH({"counts", number_of(f->counts).text}));
        note_karp_flatt(d);
    }
    if (s->exceeded)
        note(d, N_("Above the product's curve: workers also share the other stages."), NULL);
    if (f->cores < f->reach)
        note(d,
             s->beyond ? N_("Gray: more workers than the %{cores} cores; pale marks are not "
                            "speedups.")
                       : N_("Gray: more workers than the %{cores} cores."),
             WITH({"cores", cores.text}));
    if (s->suspect)
        note(d, N_("ring: SUSPECT"), NULL);
    if (s->intervals)
        note(d, N_("Intervals: 95 % each, not for all together."), NULL);
    if (s->serial)
        note(d,
             N_("Horizontal dotted: the best serial method; below it, several workers gain nothing "
                "over it."),
             NULL);
    if (s->modelled)
        note(d,
             s->banded ? N_("Hollow: simulated. Thin dotted: predicted; its band: 95 %.")
                       : N_("Hollow: simulated. Thin dotted: predicted."),
             NULL);
}

/* ---- the selection --------------------------------------------------------------------------- */

static void name_places(const struct drawing *d)
{
    static const char *const words[TOPOLOGY_PLACES] = {[PLACE_NODE] = N_("NUMA node"),
                                                       [PLACE_SOCKET] = N_("socket"),
                                                       [PLACE_FAST] = N_("P cores"),
                                                       [PLACE_SLOW] = N_("E cores"),
                                                       [PLACE_CORES] = N_("cores"),
                                                       [PLACE_THREADS] = N_("hardware threads"),
                                                       [PLACE_ONE_EACH] = N_("one on each socket")};
    struct topology_mark places[TOPOLOGY_MARKS];
    const size_t count = speedup_places(places, &d->e->analysis, d->e->topology);
    for (size_t i = 0; i < count; i++)
        if (places[i].workers > 1.0 && places[i].workers <= d->figure->reach)
            selection_label(d->out, "place", message(d->l, words[places[i].place]))->x =
                places[i].workers;
}

static bool has_distributions(const struct speedup_figure *f)
{
    const char *first = "";
    for (size_t i = 0; i < f->count; i++) {
        const char *one = f->marks[i].record->distribution;
        if (*first && *one && strcmp(first, one) != 0)
            return true;
        first = *first ? first : one;
    }
    return false;
}

static void draw_figure(const struct drawing *d)
{
    const struct seen seen = look(d);
    draw_marks(d);
    const char *rates = d->figure->weak ? NULL : draw_rates(d);
    colour_series(d->out);
    draw_laws(d);
    selection_count(d->out, "reach", d->figure->reach);
    if (isfinite(d->figure->cores))
        selection_count(d->out, "cores", d->figure->cores);
    if (seen.exceeded)
        selection_name(d->out, "exceeded");
    selection_label(d->out, "below", message(d->l, rates ? rates : N_("efficiency")));
    name_places(d);
    write_notes(d, &seen);
}

void select_speedup(const struct experiment *e, const void *parameters, const struct language *l,
                    struct selection *out)
{
    const struct speedup_parameters *of = parameters;
    struct speedup_figure figure;
    struct failure why = {0};
    const bool made = speedup_figure_make(&figure, &e->analysis, &e->forecasts, e->request.machine,
                                          of->weak, &why) == STATUS_OK;
    out->lacks_memory = !made;
    if (made && figure.count > 0)
        draw_figure(&(struct drawing){&figure, e, l, out, has_distributions(&figure)});
    if (made) {
        of->name_roles(&figure, e, l, out);
        speedup_figure_release(&figure);
    }
}
