#include "experiments/report/reproduction/figures.h"

#include "experiments/analysis/numbers.h"
#include "experiments/analysis/phase_time.h"
#include "experiments/report/reproduction/taking.h"
#include "experiments/samples/point.h"
#include "harness/base/text/messages.h"
#include "theses/published/suite.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The kernels of the tesina, in its order. */
static const char *const kernels[FIGURE_SERIES] = {"naive", "loop", "tiled"};

/* Where the filter is, for the catalogues. */
static const char *const memories[] = {N_("transferred"), N_("constant")};

/* Small sizes show the cost of a call: an exponent is fitted to the sizes within this factor of the
 * largest, as for every growth (analysis/fits/curve_fits.c). */
static const double growth_span = 16.0;

/* ---- which points ---------------------------------------------------------------------------- */

static bool is_of_kernels(const struct measure *m)
{
    const enum figure_form form = m->form;
    return form == FORM_KERNELS_TABLE || form == FORM_KERNELS_CURVE;
}

/* The series of a point; -1: the figure does not show it. */
static ptrdiff_t series_of(const struct measure *m, const struct point *p)
{
    const struct record *r = &p->samples->identity;
    if (m->point_count == 2)
        return conditions_met(&m->points[0], r) ? 0 : conditions_met(&m->points[1], r) ? 1 : -1;
    if (!conditions_met(&m->points[0], r))
        return -1;
    if (!is_of_kernels(m))
        return 0;
    for (ptrdiff_t i = 0; i < FIGURE_SERIES; i++)
        if (strcmp(r->method, kernels[i]) == 0)
            return i;
    return -1;
}

static struct figure_row *row_of(struct figure *f, double n)
{
    size_t place = 0;
    while (place < f->count && f->rows[place].n < n)
        place++;
    if (place < f->count && f->rows[place].n == n)
        return &f->rows[place];
    if (f->count == FIGURE_ROWS)
        return NULL;
    memmove(&f->rows[place + 1], &f->rows[place], (f->count - place) * sizeof *f->rows);
    f->rows[place] = (struct figure_row){.n = n};
    for (size_t i = 0; i < FIGURE_SERIES; i++)
        f->rows[place].product[i] = estimate_none();
    f->count++;
    return &f->rows[place];
}

/* An emulated device computes the same bits, in no time that means anything. */
static void count_emulated(struct figure *f, const struct analysis *a, const struct point *p)
{
    const struct launch *launch = &a->samples.launches[p->samples->first];
    if (strcmp(p->samples->identity.platform, emulated_device) != 0)
        return;
    f->emulated_n[0] = f->emulated ? fmin(f->emulated_n[0], p->size) : p->size;
    f->emulated_n[1] = f->emulated ? fmax(f->emulated_n[1], p->size) : p->size;
    f->emulated++;
    f->emulated_exact += strcmp(launch->verified, "exact") == 0;
}

static void choose(struct figure *f, const struct measure *m, const struct analysis *a)
{
    static const struct wanted any = {.peers = true};
    for (size_t i = 0; i < a->point_count; i++) {
        const struct point *p = &a->points[i];
        const ptrdiff_t series = series_of(m, p);
        if (series < 0 || !(p->size > 0.0))
            continue;
        count_emulated(f, a, p);
        struct figure_row *row = evidence_fits(p, &any) ? row_of(f, p->size) : NULL;
        if (row && (!row->of[series] || point_stands_before(p, row->of[series])))
            row->of[series] = p;
    }
}

/* ---- seconds of the products ----------------------------------------------------------------- */

/* The phase that is the products' time: a matrix product is nothing else, and a GPU that gets a
 * window at a time computes nothing else. */
static enum phase product_phase(const struct point *p)
{
    const struct record *r = &p->samples->identity;
    const bool by_window =
        point_is_on_device(r) && strncmp(r->offload, "window", strlen("window")) == 0;
    const bool has_windows = p->kind && p->kind->words.unit;
    return by_window || !has_windows ? PHASE_COMPUTE : PHASE_PRODUCT;
}

static void clock_products(struct figure *f, const struct analysis *a)
{
    for (size_t i = 0; i < f->count; i++)
        for (size_t j = 0; j < f->series; j++) {
            const struct point *p = f->rows[i].of[j];
            if (p)
                f->rows[i].product[j] = point_phase_seconds(&a->samples, p, product_phase(p));
        }
}

static void fit(struct figure *f)
{
    struct fit_point points[FIGURE_ROWS];
    size_t count = 0;
    for (size_t i = 0; i < f->count; i++)
        if (f->rows[i].product[0].value > 0.0 &&
            f->rows[i].n * growth_span >= f->rows[f->count - 1].n)
            points[count++] = (struct fit_point){f->rows[i].n, 1.0, &f->rows[i].product[0], NULL};
    fit_curve(&f->power, FIT_POWER, points, count);
    fit_curve(&f->exponential, FIT_EXPONENTIAL, points, count);
}

bool figure_make(struct figure *out, const struct measure *m, const struct analysis *a)
{
    *out = (struct figure){.series = is_of_kernels(m) ? FIGURE_SERIES : m->point_count};
    choose(out, m, a);
    clock_products(out, a);
    if (out->series == 1 && out->count)
        fit(out);
    return out->count > 0;
}

void figure_release(struct figure *f)
{
    for (size_t i = 0; i < f->count; i++)
        for (size_t j = 0; j < FIGURE_SERIES; j++)
            estimate_free(&f->rows[i].product[j]);
    f->count = 0;
}

const struct figure_row *figure_last(const struct figure *f)
{
    for (size_t i = f->count; i-- > 0;) {
        size_t measured = 0;
        for (size_t j = 0; j < f->series; j++)
            measured += f->rows[i].of[j] != NULL;
        if (measured == f->series)
            return &f->rows[i];
    }
    return NULL;
}

/* ---- names ----------------------------------------------------------------------------------- */

struct words figure_kernel(const struct point *p)
{
    static const char *const mark = " of the tesina";
    const struct method *m = point_is_on_device(&p->samples->identity) && p->kind
                                 ? operator_method(p->kind, SPACE_CUDA, method_of(p))
                                 : NULL;
    const char *end = m ? strstr(m->idea, mark) : NULL;
    return end ? words_text("%.*s", (int)(end - m->idea), m->idea) : words_text("%s", method_of(p));
}

const char *figure_memory(const char *memory, const struct language *l)
{
    for (size_t i = 0; i < sizeof memories / sizeof *memories; i++)
        if (strcmp(memory, memories[i]) == 0)
            return message(l, memories[i]);
    return memory;
}

struct words figure_configuration(const struct point *p, const struct language *l)
{
    const struct record *r = &p->samples->identity;
    const struct words kernel = figure_kernel(p);
    if (!point_is_on_device(r))
        return words_message(l, "serial %{method}", WITH({"method", kernel.text}));
    return words_message(
        l,
        r->offload[0]
            ? N_("%{kernel}, block %{block} × %{block}, filter %{memory}, offload %{offload}")
            : N_("%{kernel}, block %{block} × %{block}"),
        WITH({"kernel", kernel.text}, {"block", number_of(r->block).text},
             {"memory", figure_memory(r->filter_memory, l)}, {"offload", r->offload}));
}

/* The row with the cores of a GPU, of those whose name the text has too (NULL: of all). */
static const struct published_row *cores_of(const char *device, const char *text)
{
    const struct published_suite *suite = published_suite(NULL);
    for (size_t i = 0; *device && suite && i < suite->published.count; i++) {
        const struct published_row *row = &suite->published.rows[i];
        char name[RECORD_TEXT];
        const char *machine = row->cells[PUBLISHED_MACHINE];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(machine, ","), machine);
        if (strcmp(row->cells[PUBLISHED_QUANTITY], "CUDA cores") == 0 && strstr(device, name) &&
            (!text || strstr(text, name)))
            return row;
    }
    return NULL;
}

/* The cores of a GPU by data/published/devices.csv, NaN if it is none of these. */
static double figure_cores(const char *device)
{
    const struct published_row *row = cores_of(device, NULL);
    return row ? row->number : (double)NAN;
}

bool figure_names_device(const char *text, const char *device)
{
    return cores_of(device, text) != NULL;
}

const char *figure_device(const struct analysis *a, const struct point *p)
{
    return point_is_on_device(&p->samples->identity) ? a->samples.launches[p->samples->first].device
                                                     : "";
}

struct figure_speedup figure_speedup_of(const struct analysis *a, const struct figure_row *row)
{
    struct figure_speedup s = {
        .speedup = compare_points(&a->samples, row->of[0], row->of[1], METRIC_TOTAL)};
    s.cores = figure_cores(figure_device(a, row->of[1]));
    s.efficiency = s.speedup.value / s.cores;
    return s;
}

struct number figure_efficiency(const struct figure_speedup *s, const struct language *l)
{
    return number_in(l, "%.2g %%", 100.0 * s->efficiency);
}
