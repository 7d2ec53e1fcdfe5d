#include "experiments/analysis/analysis.h"
#include "experiments/plan/simulated.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Thresholds, each with its reason. */
static const double clock_steps = 100.0; /* a time resolved to 1 % */
static const double busy_share = 0.25;   /* of the cores, taken by others before the study began */
static const double reached_slack = 1.005;  /* a stopping rule's own rounding */
static const double held_back_share = 0.05; /* of the samples: a median does not notice fewer */
enum { FEWEST_SAMPLES = 6 };                /* below, the median has no 95 % interval */

struct look {
    const struct analysis *analysis;
    const struct analysis_request *request;
    struct point *point;
};

static void distrust(struct point *p, const char *code, enum trust trust, const char *english,
                     const char *spanish, double a, double b)
{
    if (p->reason_count == REASONS)
        return;
    struct reason *r = &p->reasons[p->reason_count++];
    *r = (struct reason){.code = code, .trust = trust};
    /* Both texts take the same two numbers, in the same order. */
    snprintf(r->english, sizeof r->english, english, a, b);
    snprintf(r->spanish, sizeof r->spanish, spanish, a, b);
    if (trust > p->trust)
        p->trust = trust;
}

static size_t count_launches(const struct look *l, bool (*is)(const struct launch *))
{
    const struct point_samples *p = l->point->samples;
    size_t n = 0;
    for (size_t i = 0; i < p->count; i++)
        n += is(&l->analysis->samples.launches[p->first + i]);
    return n;
}

static bool is_wrong(const struct launch *l)
{
    return strcmp(l->verified, "wrong") == 0;
}

static bool is_unverified(const struct launch *l)
{
    return l->verified[0] == '\0' || strcmp(l->verified, "none") == 0;
}

static bool fell_short(const struct launch *l)
{
    return strcmp(l->stop_reason, "relative_ci") != 0;
}

static bool is_dirty(const struct launch *l)
{
    return strstr(l->commit, "+dirty") != NULL;
}

static void check_verdict(const struct look *l)
{
    size_t wrong = count_launches(l, is_wrong), unverified = count_launches(l, is_unverified);
    double all = (double)l->point->samples->count;
    if (wrong)
        distrust(l->point, "wrong", TRUST_INVALID, "wrong result in %.0f of %.0f launches",
                 "resultado incorrecto en %.0f de %.0f ejecuciones", (double)wrong, all);
    else if (unverified)
        distrust(l->point, "unverified", TRUST_SUSPECT,
                 "result not verified in %.0f of %.0f launches",
                 "resultado sin verificar en %.0f de %.0f ejecuciones", (double)unverified, all);
}

static void check_samples(const struct look *l)
{
    const struct estimate *e = &l->point->seconds[METRIC_TOTAL];
    if (e->samples < FEWEST_SAMPLES)
        distrust(l->point, "few_samples", TRUST_SUSPECT,
                 "%.0f samples, fewer than the %.0f that an interval of 95 %% needs",
                 "%.0f muestras, menos de las %.0f que pide un intervalo del 95 %%",
                 (double)e->samples, FEWEST_SAMPLES);
}

/* Reached means: every launch stopped because its own interval was narrow enough, or the interval
 * over all launches is. */
static void check_interval(const struct look *l)
{
    const struct estimate *e = &l->point->seconds[METRIC_TOTAL];
    double wanted = l->request->relative_ci;
    double half = 0.5 * (e->interval.upper - e->interval.lower) / e->value;
    if (count_launches(l, fell_short) == 0 || half <= wanted * reached_slack)
        return;
    if (isnan(half))
        distrust(l->point, "interval", TRUST_SUSPECT, "no interval of 95 %%: too few samples",
                 "sin intervalo del 95 %%: pocas muestras", 0, 0);
    else
        distrust(l->point, "interval", TRUST_SUSPECT,
                 "interval not reached: ±%.2g %% of the median, wanted ±%.2g %%",
                 "intervalo no alcanzado: ±%.2g %% de la mediana, se pedía ±%.2g %%", 100.0 * half,
                 100.0 * wanted);
}

static void check_clock(const struct look *l)
{
    double seconds = l->point->seconds[METRIC_TOTAL].value;
    double step = l->request->machine->clock_resolution_s;
    if (l->point->seconds[METRIC_TOTAL].samples && !(seconds > 0.0))
        distrust(l->point, "clock", TRUST_INVALID, "the clock saw no time pass",
                 "el reloj no vio pasar el tiempo", 0, 0);
    else if (seconds < clock_steps * step)
        distrust(l->point, "clock", TRUST_SUSPECT,
                 "clock too coarse: the time is %.3g of its steps, wanted %.0f",
                 "reloj demasiado grueso: el tiempo es de %.3g pasos, se piden %.0f",
                 seconds / step, clock_steps);
}

static void check_workers(const struct look *l)
{
    const struct machine_facts *m = l->request->machine;
    double workers = l->point->workers;
    if (workers > m->cores)
        distrust(l->point, "workers", TRUST_SUSPECT, "%.0f workers on %.0f cores",
                 "%.0f trabajadores en %.0f núcleos", workers, m->cores);
    else if (workers > m->quota_cores)
        distrust(l->point, "quota", TRUST_SUSPECT, "%.0f workers on a quota of %.3g cores",
                 "%.0f trabajadores con una cuota de %.3g núcleos", workers, m->quota_cores);
}

static bool is_crowded(const struct launch *l)
{
    return strcmp(l->binding, "shared") == 0;
}

static bool is_bound(const struct launch *l)
{
    return strcmp(l->binding, "core") == 0;
}

/* What came of the binding; samples from before it was recorded tell nothing. */
static void check_binding(const struct look *l)
{
    const struct record *asked = &l->point->samples->identity;
    const double crowded = (double)count_launches(l, is_crowded);
    const double bound = (double)count_launches(l, is_bound);
    const double all = (double)l->point->samples->count;
    if (crowded > 0.0)
        distrust(l->point, "shared", TRUST_SUSPECT, "workers shared cores in %.0f of %.0f launches",
                 "hubo trabajadores que compartían núcleos en %.0f de %.0f ejecuciones", crowded,
                 all);
    if (strcmp(asked->bind, "core") == 0 && asked->binding[0] && bound + crowded < all)
        distrust(l->point, "unbound", TRUST_SUSPECT,
                 "binding to cores was asked for, and came about in %.0f of %.0f launches",
                 "se pidió fijación a núcleos, y se logró en %.0f de %.0f ejecuciones", bound, all);
}

static bool lies_on_huge_pages(const struct launch *l)
{
    return strcmp(l->pages, "huge") == 0;
}

static bool lies_on_ordinary_pages(const struct launch *l)
{
    return strcmp(l->pages, "ordinary") == 0;
}

/* The same image, with its memory in one piece at one time and in many at another. */
static void check_pages(const struct look *l)
{
    const size_t huge = count_launches(l, lies_on_huge_pages);
    if (huge && count_launches(l, lies_on_ordinary_pages))
        distrust(l->point, "pages", TRUST_SUSPECT,
                 "the image lay on huge pages in %.0f of %.0f launches",
                 "la imagen estuvo en páginas enormes en %.0f de %.0f ejecuciones", (double)huge,
                 (double)l->point->samples->count);
}

static void check_load(const struct look *l)
{
    const struct machine_facts *m = l->request->machine;
    if (m->load > busy_share * m->cores)
        distrust(l->point, "load", TRUST_SUSPECT,
                 "background load: %.2g of %.0f cores were busy before the study",
                 "carga ajena: %.2g de %.0f núcleos ocupados antes del estudio", m->load, m->cores);
}

/* A time below what the measured ceilings allow for the operator's own work, beyond both intervals,
 * is no time of this work. */
static void check_roof(const struct look *l)
{
    struct point *p = l->point;
    if (p->seconds[METRIC_COMPUTE].interval.upper < p->roof.least_s)
        distrust(p, "too_fast", TRUST_INVALID,
                 "faster than its least work allows: %.3g s, at least %.3g s are needed",
                 "más rápido de lo que permite su trabajo mínimo: %.3g s, hacen falta al menos "
                 "%.3g s",
                 p->seconds[METRIC_COMPUTE].value, p->roof.least_s);
}

/* A GPU that is too hot or draws too much power slows itself down. */
static void check_gpu_clock(const struct look *l)
{
    const struct point_samples *p = l->point->samples;
    size_t held_back = 0, all = 0;
    for (size_t i = 0; i < p->count; i++) {
        held_back += l->analysis->samples.launches[p->first + i].held_back;
        all += l->analysis->samples.launches[p->first + i].count;
    }
    if ((double)held_back > held_back_share * (double)all)
        distrust(l->point, "gpu_clock", TRUST_SUSPECT,
                 "the GPU's clock was held back in %.0f of %.0f samples",
                 "el reloj de la GPU estuvo limitado en %.0f de %.0f muestras", (double)held_back,
                 (double)all);
}

static void check_binary(const struct look *l)
{
    size_t dirty = count_launches(l, is_dirty);
    if (dirty)
        distrust(l->point, "dirty", TRUST_SUSPECT, "measured by a program with uncommitted changes",
                 "medido con un programa con cambios sin registrar", 0, 0);
}

/* What must not change along a curve, if its points are to be compared. */
static void check_curve(const struct look *l, const struct curve *c)
{
    const struct {
        bool changed;
        const char *code, *english, *spanish;
    } changes[] = {
        {c->changed_commit, "commit", "the program's commit changes along its curve",
         "el programa cambia de versión a lo largo de su curva"},
        {c->changed_host, "machine", "the machine changes along its curve",
         "la máquina cambia a lo largo de su curva"},
        {c->changed_isa, "isa", "the instruction set changes along its curve",
         "el juego de instrucciones cambia a lo largo de su curva"},
        {c->changed_binding, "bind", "the binding to cores changes along its curve",
         "la fijación a núcleos cambia a lo largo de su curva"},
        {c->changed_device, "device", "the GPU changes along its curve",
         "la GPU cambia a lo largo de su curva"},
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        bool told = false;
        for (size_t j = 0; j < l->point->reason_count; j++)
            told = told || strcmp(l->point->reasons[j].code, changes[i].code) == 0;
        if (changes[i].changed && !told)
            distrust(l->point, changes[i].code, TRUST_SUSPECT, changes[i].english,
                     changes[i].spanish, 0, 0);
    }
}

/* Nothing was clocked: whether anything was computed is all there is to say. */
static void check_simulated(const struct look *l)
{
    size_t wrong = count_launches(l, is_wrong), unverified = count_launches(l, is_unverified);
    double all = (double)l->point->samples->count;
    if (wrong)
        check_verdict(l);
    distrust(l->point, "simulated", TRUST_SIMULATED,
             "simulated, not measured; computed and verified in %.0f of %.0f launches",
             "simulado, no medido; calculado y verificado en %.0f de %.0f ejecuciones",
             all - (double)(wrong + unverified), all);
    if (count_launches(l, is_dirty))
        distrust(l->point, "dirty", TRUST_SIMULATED, "by a program with uncommitted changes",
                 "por un programa con cambios sin registrar", 0, 0);
}

typedef void trust_check(const struct look *l);
static trust_check *const checks[] = {check_verdict, check_samples,   check_interval, check_clock,
                                      check_workers, check_binding,   check_pages,    check_load,
                                      check_roof,    check_gpu_clock, check_binary};

void analysis_trust(struct analysis *a, const struct analysis_request *request)
{
    for (size_t i = 0; i < a->point_count; i++) {
        struct look l = {a, request, &a->points[i]};
        const bool simulated = is_simulated(&l.point->samples->identity);
        if (simulated)
            check_simulated(&l);
        for (size_t j = 0; j < sizeof checks / sizeof *checks && !simulated; j++)
            checks[j](&l);
    }
    for (size_t i = 0; i < a->curve_count; i++)
        for (size_t j = 0; j < a->curves[i].count; j++) {
            struct look l = {a, request, &a->points[a->curves[i].points[j]]};
            if (!is_simulated(&l.point->samples->identity))
                check_curve(&l, &a->curves[i]);
        }
    for (size_t i = 0; i < a->point_count; i++)
        a->trusted[a->points[i].trust]++;
}
