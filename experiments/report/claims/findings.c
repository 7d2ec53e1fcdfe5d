#include "experiments/report/claims/findings.h"

#include "experiments/analysis/speedup/scaling.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- numbers --------------------------------------------------------------------------------- */

static const struct unit {
    double seconds;
    const char *name;
} units[] = {{1.0, "s"}, {1e-3, "ms"}, {1e-6, "\xc2\xb5s"}, {1e-9, "ns"}};

static struct unit unit_of(double seconds)
{
    size_t i = 0;
    while (i + 1 < sizeof units / sizeof *units && seconds < units[i].seconds)
        i++;
    return units[i];
}

void format_seconds(char *text, size_t size, double seconds)
{
    struct unit u = unit_of(seconds);
    if (isnan(seconds))
        snprintf(text, size, "-");
    else
        snprintf(text, size, "%.4g %s", seconds / u.seconds, u.name);
}

/* Digits behind the point so that two or three count. */
static int digits_of(double number)
{
    return number < 0.995 ? 2 : number < 9.95 ? 1 : 0;
}

void format_seconds_short(char *text, size_t size, double seconds)
{
    struct unit u = unit_of(seconds);
    const double number = seconds / u.seconds;
    if (isnan(seconds))
        snprintf(text, size, "-");
    else
        snprintf(text, size, "%.*f %s", digits_of(number), number, u.name);
}

void format_share(char *text, size_t size, double share)
{
    if (isnan(share))
        snprintf(text, size, "-");
    else
        snprintf(text, size, "%.*f %%", digits_of(100.0 * share), 100.0 * share);
}

void format_estimate(char *text, size_t size, double seconds, struct interval interval)
{
    struct unit u = unit_of(seconds);
    if (isnan(interval.lower))
        format_seconds(text, size, seconds);
    else
        snprintf(text, size, "%.4g [%.4g, %.4g] %s", seconds / u.seconds,
                 interval.lower / u.seconds, interval.upper / u.seconds, u.name);
}

void format_ratio(char *text, size_t size, double value, struct interval interval)
{
    if (isnan(value))
        snprintf(text, size, "-");
    else if (isnan(interval.lower) || interval.lower == interval.upper)
        snprintf(text, size, "%.3g", value);
    else
        snprintf(text, size, "%.3g [%.3g, %.3g]", value, interval.lower, interval.upper);
}

/* ---- fits ------------------------------------------------------------------------------------ */

static void tell_amdahl(const struct fit *fit, enum language l, char *text, size_t size)
{
    char f[80], bound[40];
    format_ratio(f, sizeof f, fit->value[1], fit->interval[1]);
    if (fit->value[1] < 1.0)
        snprintf(bound, sizeof bound, "%.3g", amdahl_bound(fit->value[1]));
    else
        snprintf(bound, sizeof bound, "%s", say(l, "none", "ninguna"));
    snprintf(text, size,
             say(l,
                 "Amdahl: parallel share f = %s, speedup bound %s (%zu points, residual %.1f %%)",
                 "Amdahl: fracción paralela f = %s, cota de aceleración %s (%zu puntos, residuo "
                 "%.1f %%)"),
             f, bound, fit->points, 100.0 * fit->error);
}

static void tell_usl(const struct fit *fit, enum language l, char *text, size_t size)
{
    char sigma[80], kappa[80], peak[80] = "";
    format_ratio(sigma, sizeof sigma, fit->value[1], fit->interval[1]);
    format_ratio(kappa, sizeof kappa, fit->value[2], fit->interval[2]);
    double most = usl_peak(fit->value[1], fit->value[2]);
    if (isfinite(most) && fit->interval[2].lower > 0.0)
        snprintf(peak, sizeof peak,
                 say(l, ", fastest at %.0f workers", ", máximo con %.0f trabajadores"), most);
    snprintf(text, size,
             say(l, "Universal Scalability Law: contention %s, coherence %s%s (%zu points)",
                 "Ley Universal de Escalabilidad: contención %s, coherencia %s%s (%zu puntos)"),
             sigma, kappa, peak, fit->points);
}

static void tell_gustafson(const struct fit *fit, enum language l, char *text, size_t size)
{
    char s[80];
    format_ratio(s, sizeof s, fit->value[1], fit->interval[1]);
    snprintf(text, size,
             say(l, "Gustafson: serial share s = %s (%zu points, residual %.1f %%)",
                 "Gustafson: fracción serial s = %s (%zu puntos, residuo %.1f %%)"),
             s, fit->points, 100.0 * fit->error);
}

static void tell_power(const struct curve *c, const struct fit *fit, enum language l, char *text,
                       size_t size)
{
    char a[80];
    const char *x = c->kind == CURVE_GROWTH ? "n" : c->kind == CURVE_STRIDE ? "s" : "k";
    format_ratio(a, sizeof a, fit->value[1], fit->interval[1]);
    int length = snprintf(text, size,
                          say(l, "time grows as %s^a with a = %s (%zu points, residual %.1f %%)",
                              "el tiempo crece como %s^a con a = %s (%zu puntos, residuo %.1f %%)"),
                          x, a, fit->points, 100.0 * fit->error);
    const struct fit *other = &c->fits[METRIC_COMPUTE][1];
    if (c->kind == CURVE_GROWTH && !other->reason[0] && fit->error < other->error && length > 0 &&
        (size_t)length < size)
        snprintf(text + length, size - (size_t)length,
                 say(l,
                     "; an exponential misses the same points by %.0f %%, so the growth is "
                     "polynomial",
                     "; una exponencial falla los mismos puntos en un %.0f %%: el crecimiento es "
                     "polinómico"),
                 100.0 * other->error);
}

static void tell_product(const struct fit *fit, enum language l, char *text, size_t size)
{
    char a[80], b[80];
    format_ratio(a, sizeof a, fit->value[1], fit->interval[1]);
    format_ratio(b, sizeof b, fit->value[2], fit->interval[2]);
    snprintf(text, size,
             say(l, "time goes as windows^a k^b with a = %s, b = %s (%zu points)",
                 "el tiempo va como ventanas^a k^b con a = %s, b = %s (%zu puntos)"),
             a, b, fit->points);
}

/* Where no one power describes a curve: what the exponent is at its ends. */
static void tell_bend(const struct curve *c, const struct fit *fit, enum language l, char *text,
                      size_t size)
{
    const char *x = c->kind == CURVE_GROWTH ? "n" : c->kind == CURVE_STRIDE ? "s" : "k";
    snprintf(text, size,
             say(l,
                 "no one power of %s describes the time: the exponent goes from %.2f at %s = %g to "
                 "%.2f at %s = %g (%zu points)",
                 "ninguna potencia de %s describe el tiempo: el exponente va de %.2f con %s = %g a "
                 "%.2f con %s = %g (%zu puntos)"),
             x, fit->slope[0], x, fit->end[0], fit->slope[1], x, fit->end[1], fit->points);
}

static void tell_fit(const struct curve *c, const struct fit *fit, enum language l, char *text,
                     size_t size)
{
    switch (fit->model) {
    case FIT_AMDAHL:
        tell_amdahl(fit, l, text, size);
        break;
    case FIT_USL:
        tell_usl(fit, l, text, size);
        break;
    case FIT_GUSTAFSON:
        tell_gustafson(fit, l, text, size);
        break;
    case FIT_POWER:
        tell_power(c, fit, l, text, size);
        break;
    case FIT_PRODUCT:
        tell_product(fit, l, text, size);
        break;
    default: /* the exponential is told beside the power law */
        text[0] = '\0';
    }
}

/* Karp and Flatt's serial share at the most workers of a curve: what two cores can still tell. */
static void tell_karp_flatt(const struct analysis *a, const struct curve *c, enum language l,
                            char *text, size_t size)
{
    const struct point *p = NULL;
    char share[80];
    text[0] = '\0';
    for (size_t i = 0; i < c->count; i++)
        if (!a->points[c->points[i]].shares_cores)
            p = &a->points[c->points[i]];
    if (!p || isnan(p->karp_flatt))
        return;
    format_ratio(share, sizeof share, p->karp_flatt, p->karp_flatt_interval);
    snprintf(text, size,
             say(l, "Karp-Flatt at %.0f workers: serial share %s",
                 "Karp-Flatt con %.0f trabajadores: fracción serial %s"),
             p->workers, share);
}

static void add_clause(char *sentence, const char *clause)
{
    const char *between = sentence[0] ? "; " : "";
    const size_t length = strlen(sentence), gap = strlen(between), more = strlen(clause);
    if (more == 0 || length + gap + more >= SENTENCE)
        return;
    memcpy(sentence + length, between, gap);
    memcpy(sentence + length + gap, clause, more + 1);
}

static void tell_curve(const struct analysis *a, const struct curve *c, enum language l,
                       char sentence[SENTENCE])
{
    char clause[SENTENCE];
    sentence[0] = '\0';
    for (size_t i = 0; i < c->fit_count; i++) {
        const struct fit *fit = &c->fits[METRIC_COMPUTE][i];
        if (fit->reason[0] && !fit->bent)
            continue;
        if (fit->bent)
            tell_bend(c, fit, l, clause, sizeof clause);
        else
            tell_fit(c, fit, l, clause, sizeof clause);
        add_clause(sentence, clause);
    }
    if (c->kind == CURVE_WORKERS) {
        tell_karp_flatt(a, c, l, clause, sizeof clause);
        add_clause(sentence, clause);
    }
    if (c->left_out_invalid + c->left_out_workers) {
        snprintf(clause, sizeof clause,
                 say(l, "left out of the fit: %zu INVALID, %zu with more workers than cores",
                     "fuera del ajuste: %zu INVALID, %zu con más trabajadores que núcleos"),
                 c->left_out_invalid, c->left_out_workers);
        add_clause(sentence, clause);
    }
}

/* Why laws of workers were not fitted, once for all curves. "" where they were. */
static void tell_no_fits(const struct analysis *a, enum language l, char sentence[SENTENCE])
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
        snprintf(sentence, SENTENCE,
                 say(l,
                     "Amdahl's law was not fitted to %zu of %zu curves over workers and the "
                     "Universal Scalability Law to %zu: they need three and four numbers of "
                     "workers that the cores can hold, and points that are not INVALID; the "
                     "measured f and Karp-Flatt stand instead",
                     "La ley de Amdahl no se ajustó a %zu de %zu curvas sobre trabajadores, ni la "
                     "Ley Universal de Escalabilidad a %zu: piden tres y cuatro números de "
                     "trabajadores que quepan en los núcleos, y puntos que no sean INVÁLIDOS; en "
                     "su lugar están la f medida y Karp-Flatt"),
                 without[0], curves, without[1]);
}

static void tell_fraction(const struct analysis *a, enum language l, char sentence[SENTENCE])
{
    const struct point *p = &a->points[a->fraction];
    char share[80];
    format_ratio(share, sizeof share, p->share.value, p->share.interval);
    snprintf(
        sentence, SENTENCE,
        say(l,
            "Measured parallel share (product / compute of %s): f = %s, so Amdahl's bound is "
            "%.4g",
            "Fracción paralela medida (producto / cómputo de %s): f = %s; la cota de Amdahl es "
            "%.4g"),
        p->label, share, amdahl_bound(p->share.value));
}

/* The point of several ranks with the largest share of its time in messages, the one with the
 * least, and the largest miss of the common start. NULL and 0 where no point has several. */
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
        e.missed_s = fmax(e.missed_s, p->phase[PHASE_START_ERROR]); /* unknown: left aside */
    }
    return e;
}

static void tell_ranks(const struct ranks_extremes *e, enum language l, char sentence[SENTENCE])
{
    char missed[40];
    format_seconds(missed, sizeof missed, e->missed_s);
    snprintf(
        sentence, SENTENCE,
        say(l,
            "Messages between ranks take from %.2g %% of the total (%s) to %.2g %% (%s); start "
            "skew (ranks begin at different times, which the total includes): at most %s, "
            "median of a point",
            "Los mensajes entre procesos toman del %.2g %% del total (%s) al %.2g %% (%s); "
            "desfase de inicio (los procesos empiezan en momentos distintos, lo que el total "
            "incluye): a lo sumo %s, mediana de un punto"),
        100.0 * e->least->transfer_share, e->least->label, 100.0 * e->most->transfer_share,
        e->most->label, missed);
}

/* A weak curve and a strong one through the same points say the same; each kind is told where it is
 * what the experiment varies. */
void findings_tell(const struct analysis *a, enum language l, sentence_function *tell,
                   void *context)
{
    char sentence[SENTENCE], whole[SENTENCE + 200];
    for (size_t i = 0; i < a->curve_count; i++) {
        tell_curve(a, &a->curves[i], l, sentence);
        if (!sentence[0])
            continue;
        snprintf(whole, sizeof whole, "%s: %s.", a->curves[i].label, sentence);
        tell(whole, context);
    }
    tell_no_fits(a, l, sentence);
    if (sentence[0]) {
        snprintf(whole, sizeof whole, "%s.", sentence);
        tell(whole, context);
    }
    if (a->fraction >= 0) {
        tell_fraction(a, l, sentence);
        snprintf(whole, sizeof whole, "%s.", sentence);
        tell(whole, context);
    }
    const struct ranks_extremes ranks = find_ranks(a);
    if (ranks.most) {
        tell_ranks(&ranks, l, sentence);
        snprintf(whole, sizeof whole, "%s.", sentence);
        tell(whole, context);
    }
}

/* ---- methods --------------------------------------------------------------------------------- */

static size_t count_stops(const struct analysis *a, const char *reason)
{
    size_t n = 0;
    for (size_t i = 0; i < a->samples.launch_count; i++)
        n += strcmp(a->samples.launches[i].stop_reason, reason) == 0;
    return n;
}

/* The GPU of the first launch that has one; "". */
static const char *find_gpu(const struct samples *s)
{
    for (size_t i = 0; i < s->launch_count; i++)
        if (s->launches[i].device[0])
            return s->launches[i].device;
    return "";
}

/* "on host (processor, 8 cores; GPU)", as far as it is known. */
static void describe_machine(const struct machine_facts *m, const struct samples *s,
                             enum language l, char *text, size_t size)
{
    const struct launch *first = s->launch_count ? &s->launches[0] : NULL;
    const char *gpu = find_gpu(s);
    char cores[60] = "";
    if (m->cores > 0.0)
        snprintf(cores, sizeof cores, say(l, ", %.0f cores", ", %.0f núcleos"), m->cores);
    if (m->quota_cores > 0.0)
        snprintf(cores, sizeof cores, say(l, ", a quota of %.3g cores", ", cuota de %.3g núcleos"),
                 m->quota_cores);
    snprintf(text, size, "%s (%s%s%s%s)",
             first && first->host[0] ? first->host
                                     : say(l, "an unnamed host", "una máquina sin nombre"),
             m->cpu[0] ? m->cpu : say(l, "processor not recorded", "procesador sin registrar"),
             cores, gpu[0] ? "; " : "", gpu);
}

void findings_methods(const struct analysis *a, const struct analysis_request *request,
                      enum language l, char text[2 * SENTENCE])
{
    char machine[500];
    const struct machine_facts *m = request->machine;
    const struct samples *s = &a->samples;
    const struct launch *first = s->launch_count ? &s->launches[0] : NULL;
    describe_machine(m, s, l, machine, sizeof machine);
    int length = snprintf(
        text, 2 * (size_t)SENTENCE,
        say(l,
            "%zu timed samples (and %lld warm-up runs, not used) in %zu launches of %zu points, on "
            "%s, compiled by %s, commit %s. ",
            "%zu muestras cronometradas (y %lld de calentamiento, sin usar) en %zu ejecuciones de "
            "%zu puntos, en %s, compilado con %s, versión %s. "),
        s->sample_count, (long long)s->warmups, s->launch_count, s->point_count, machine,
        m->compiler[0] ? m->compiler
                       : say(l, "an unrecorded compiler", "un compilador sin registrar"),
        first && first->commit[0] ? first->commit : say(l, "unknown", "desconocida"));
    if (length < 0 || length >= 2 * SENTENCE)
        return;
    snprintf(
        text + length, 2 * (size_t)SENTENCE - (size_t)length,
        say(l,
            "Each launch samples until the half-width of the 95 %% interval of its median is "
            "within "
            "%.3g %% of it (%zu launches), or a limit of samples (%zu) or time (%zu) is reached. A "
            "point's time is the median over its launches of each launch's median; intervals are "
            "95 %%, by resampling whole launches, or by exact ranks where there is one launch. No "
            "sample is discarded.",
            "Cada ejecución toma muestras hasta que el semiancho del intervalo del 95 %% de su "
            "mediana está dentro del %.3g %% (%zu ejecuciones), o se alcanza un límite de muestras "
            "(%zu) o de tiempo (%zu). El tiempo de un punto es la mediana, entre sus ejecuciones, "
            "de "
            "la mediana de cada una; los intervalos son del 95 %%, remuestreando ejecuciones "
            "enteras, o por rangos exactos donde hay una sola. No se descarta ninguna muestra."),
        100.0 * request->relative_ci, count_stops(a, "relative_ci"), count_stops(a, "samples"),
        count_stops(a, "seconds"));
}
