/* Training: how good a network becomes and how soon, what a step takes, and what ranks cost. */
#include "experiments/report/claims/claims.h"
#include "experiments/report/claims/training_curve.h"
#include "experiments/report/numbers.h"
#include "experiments/samples/point.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct record *record_of(const struct point *p)
{
    return &p->samples->identity;
}

/* Ours, a training step; not that of another library. */
static bool is_step(const struct point *p)
{
    return record_of(p)->network[0] && point_trains(record_of(p)) && !p->peer;
}

static void add_steps(const struct experiment *e, struct claim *c)
{
    for (size_t i = 0; i < e->analysis.point_count; i++)
        if (is_step(&e->analysis.points[i]) && evidence_usable(&e->analysis.points[i]))
            evidence_add(c->rows, &c->count, CLAIM_ROWS, &e->analysis.points[i]);
}

/* ---- how good, and how soon --------------------------------------------------------------------
 */

/* What the tesina's network reached, on images that are not public, and a GPU. */
static const char tesina[] = "the tesina's reached 87.88 % in 24.87 s and 94.95 % in 54.31 s, on a "
                             "GTX 1050 and other images";
static const char tesina_es[] = "la de la tesina llegó al 87,88 % en 24,87 s y al 94,95 % en "
                                "54,31 s, con una GTX 1050 y otras imágenes";

/* "95 % [89 %, 98 %]" of `count` */
static struct number share_told(const struct course *c, size_t epoch, enum language l)
{
    const double share = c->test_accuracy[epoch - 1], count = (double)course_tested(c);
    return number_told_share(l, share, course_share_interval(share * count, count));
}

/* The share that would be right by chance, of `classes` that come as often. */
static double chance_of(const struct course *c)
{
    return 1.0 / (double)c->classes;
}

/* No more right than chance would have it, as far as the images that were counted tell. */
static bool is_chance(const struct course *c, double share)
{
    const double count = (double)course_tested(c);
    return !(course_share_interval(share * count, count).lower > chance_of(c));
}

/* "; by chance it would be 33.3 %" or "..., which is no better than chance, 1 of 3 classes: 33.3 %"
 */
static void say_chance(const struct course *course, double share, enum language l, struct claim *c)
{
    const struct number chance = number_percent(l, chance_of(course));
    if (is_chance(course, share))
        claim_say(c,
                  say(l, ", no better than chance (%zu classes: %s)",
                      ", no mejor que el azar (%zu clases: %s)"),
                  course->classes, chance.text);
    else
        claim_say(c, say(l, " (chance: %s)", " (azar: %s)"), chance.text);
}

/* "After 25 epochs, 12.1 s, alexnet_mri is right on 95 % of 118 images ..., after 50 on ..." */
static void say_epochs(const struct course *course, enum language l, struct claim *c)
{
    static const size_t told[] = {25, 50, 100};
    size_t said = 0;
    for (size_t i = 0; i <= sizeof told / sizeof *told; i++) {
        const bool last = i == sizeof told / sizeof *told;
        const size_t epoch = last ? course->epochs : told[i];
        const bool another = !last || said == 0;
        if (!another || epoch > course->epochs || isnan(course->test_accuracy[epoch - 1]))
            continue;
        const struct estimate seconds = course_seconds(course, epoch);
        const struct number time = number_told_seconds(l, &seconds);
        const struct number share = share_told(course, epoch, l);
        if (said++ == 0)
            claim_say(c,
                      say(l,
                          "After %zu epochs, %s, %s is right on %s of %" PRId64
                          " images that it was not trained with",
                          "Tras %zu épocas, %s, %s acierta en el %s de %" PRId64
                          " imágenes con las que no se entrenó"),
                      epoch, time.text, course->network, share.text, course_tested(course));
        else
            claim_say(c, say(l, "; after %zu, %s, on %s", "; tras %zu, %s, en el %s"), epoch,
                      time.text, share.text);
        say_chance(course, course->test_accuracy[epoch - 1], l, c);
    }
    claim_say(c, "; %s.", say(l, tesina, tesina_es));
}

/* The last epoch whose accuracy on unseen images is told; 0: none is. */
static size_t last_tested(const struct course *c)
{
    size_t epoch = c->epochs;
    while (epoch > 0 && isnan(c->test_accuracy[epoch - 1]))
        epoch--;
    return course_tested(c) > 0 ? epoch : 0;
}

static void tell_course(const struct experiment *e, const struct course *course, enum language l,
                        struct claim *c)
{
    const size_t last = last_tested(course);
    const struct estimate seconds = course_seconds(course, last);
    if (is_chance(course, course->test_accuracy[last - 1]))
        claim_title(c,
                    say(l, "%.40s is at chance level after %zu epochs, %s",
                        "%.40s está al nivel del azar tras %zu épocas, %s"),
                    course->network, last, number_seconds(l, seconds.value).text);
    else
        claim_title(c,
                    say(l, "%.40s is right on %s of unseen images after %zu epochs, %s",
                        "%.40s acierta en el %s de imágenes nuevas tras %zu épocas, %s"),
                    course->network, number_percent(l, course->test_accuracy[last - 1]).text, last,
                    number_seconds(l, seconds.value).text);
    say_epochs(course, l, c);
    add_steps(e, c);
}

void claim_course(const struct experiment *e, enum language l, struct claim *c)
{
    struct course *course = malloc(sizeof *course);
    if (course && course_read(course, e) && last_tested(course) > 0)
        tell_course(e, course, l, c);
    else
        claim_refuse(c, l, "no training was recorded", "no se registró ningún entrenamiento");
    free(course);
}

/* ---- the matrix of classes ---------------------------------------------------------------------
 */

/* The most frequent mistake. */
struct mistake {
    size_t right, said;
    int64_t count;
};

static struct mistake worst_of(const struct course *c)
{
    struct mistake worst = {0, 0, 0};
    for (size_t i = 0; i < c->classes; i++)
        for (size_t j = 0; j < c->classes; j++)
            if (i != j && c->matrix[i][j] > worst.count)
                worst = (struct mistake){i, j, c->matrix[i][j]};
    return worst;
}

/* Classes of the data set that comes with the suite have names, others numbers. */
static struct words class_text(const struct course *c, size_t class, enum language l)
{
    static const char *const planes[] = {"axial", "coronal", "sagittal"};
    static const char *const planos[] = {"axial", "coronal", "sagital"};
    const size_t known = sizeof planes / sizeof *planes;
    struct words w;
    if (strcmp(c->data, "brain_planes") == 0 && class < known)
        snprintf(w.text, sizeof w.text, "%s", say(l, planes[class], planos[class]));
    else
        snprintf(w.text, sizeof w.text, "%zu", class);
    return w;
}

static void tell_matrix(const struct experiment *e, const struct course *course, enum language l,
                        struct claim *c)
{
    const struct mistake worst = worst_of(course);
    const int64_t hits = course_hits(course), count = course_tested(course);
    const double share = (double)hits / (double)count;
    const struct interval interval = course_share_interval((double)hits, (double)count);
    claim_title(c,
                say(l, "%" PRId64 " of %" PRId64 " unseen images are put in their class",
                    "%" PRId64 " de %" PRId64 " imágenes nuevas quedan en su clase"),
                hits, count);
    if (is_chance(course, share))
        claim_title(c,
                    say(l, "%" PRId64 " of %" PRId64 " unseen images in their class: chance level",
                        "%" PRId64 " de %" PRId64 " imágenes nuevas en su clase: nivel del azar"),
                    hits, count);
    claim_say(c,
              say(l, "%.60s puts %" PRId64 " of %" PRId64 " unseen images in their class, %s",
                  "%.60s pone %" PRId64 " de %" PRId64 " imágenes nuevas en su clase, el %s"),
              course->network, hits, count, number_told_share(l, share, interval).text);
    say_chance(course, share, l, c);
    if (worst.count > 0)
        claim_say(c,
                  worst.count == 1
                      ? say(l, "; most often %s is taken for %s, once",
                            "; lo más frecuente es tomar %s por %s, una vez")
                      : say(l, "; most often %s is taken for %s, %" PRId64 " times",
                            "; lo más frecuente es tomar %s por %s, %" PRId64 " veces"),
                  class_text(course, worst.right, l).text, class_text(course, worst.said, l).text,
                  worst.count);
    claim_say(c, ".");
    add_steps(e, c);
}

void claim_confusion(const struct experiment *e, enum language l, struct claim *c)
{
    struct course *course = malloc(sizeof *course);
    if (course && course_read(course, e) && course_tested(course) > 0)
        tell_matrix(e, course, l, c);
    else
        claim_refuse(c, l, "no classes were counted", "no se contaron clases");
    free(course);
}

/* ---- learning rates ----------------------------------------------------------------------------
 */

static struct number rate_text(enum language l, double rate)
{
    struct number n;
    snprintf(n.text, sizeof n.text, "%.2g", rate);
    number_localize(l, n.text);
    return n;
}

void claim_learning_rate(const struct experiment *e, enum language l, struct claim *c)
{
    struct course *course = malloc(sizeof *course);
    const bool read = course && course_read(course, e);
    if (read && course->suggested > 0.0) {
        const struct number rate = rate_text(l, course->suggested);
        const struct number used = rate_text(l, course->learning_rate);
        claim_title(c,
                    say(l, "The loss of %.40s falls fastest at a learning rate of %s",
                        "La pérdida de %.40s baja más rápido con una tasa de %s"),
                    course->network, rate.text);
        claim_say(c,
                  say(l,
                      "Of the learning rates that were tried the loss of %.60s falls fastest at "
                      "%s; it was trained with %s.",
                      "De las tasas de aprendizaje probadas, la pérdida de %.60s baja más rápido "
                      "con %s; se entrenó con %s."),
                  course->network, rate.text, used.text);
        add_steps(e, c);
    } else {
        claim_refuse(c, l,
                     read && course->rates > 0 ? "the loss falls at no learning rate"
                                               : "no learning rates were tried",
                     read && course->rates > 0 ? "la pérdida no baja con ninguna tasa"
                                               : "no se probaron tasas de aprendizaje");
    }
    free(course);
}

/* ---- a step, by network ------------------------------------------------------------------------
 */

/* The step of the fewest (or most) parameters, and of these with the fewest (or most) images; the
 * fastest. */
static const struct point *find_step(const struct analysis *a, bool most)
{
    const struct point *best = NULL;
    double best_bytes = 0.0;
    for (size_t i = 0; i < a->point_count; i++) {
        const struct point *p = &a->points[i];
        if (!is_step(p) || !evidence_usable(p))
            continue;
        const double bytes = point_parameter_bytes(record_of(p));
        const int64_t images = record_of(p)->images;
        const int64_t other = best ? record_of(best)->images : images;
        const bool beyond = best && (most ? bytes > best_bytes : bytes < best_bytes);
        const bool equal = best && bytes == best_bytes;
        const bool larger = equal && (most ? images > other : images < other);
        if (!best || beyond || larger || (equal && images == other && total_of(p) < total_of(best)))
            best = p;
        best_bytes = best == p ? bytes : best_bytes;
    }
    return best;
}

void claim_training_size(const struct experiment *e, enum language l, struct claim *c)
{
    const struct analysis *a = &e->analysis;
    const struct point *small = find_step(a, false), *large = find_step(a, true);
    if (!small || small == large) {
        claim_refuse(c, l, "two networks that were trained are needed",
                     "hacen falta dos redes entrenadas");
        return;
    }
    const double more =
        point_parameter_bytes(record_of(large)) / point_parameter_bytes(record_of(small));
    claim_title(
        c,
        say(l, "A step of %.40s takes %s, of %.40s %s", "Un paso de %.40s tarda %s, de %.40s %s"),
        record_of(small)->network, number_seconds(l, total_of(small)).text,
        record_of(large)->network, number_seconds(l, total_of(large)).text);
    claim_say(
        c,
        say(l,
            "A training step of %s takes %s with %s%s; of %s, with %s times the parameters, "
            "%s%s.",
            "Un paso de entrenamiento de %s tarda %s con %s%s; de %s, con %s veces los "
            "parámetros, %s%s."),
        words_problem(small, l).text, number_told_seconds(l, &small->seconds[METRIC_TOTAL]).text,
        words_workers(small, l).text, words_doubt(small, l).text, words_problem(large, l).text,
        number_plain(l, more).text, number_told_seconds(l, &large->seconds[METRIC_TOTAL]).text,
        words_doubt(large, l).text);
    evidence_add(c->rows, &c->count, CLAIM_ROWS, small);
    evidence_add(c->rows, &c->count, CLAIM_ROWS, large);
    add_steps(e, c);
}

/* ---- ranks -------------------------------------------------------------------------------------
 */

static bool is_of(const struct point *p, const char *strategy)
{
    return is_step(p) && evidence_usable(p) && strcmp(record_of(p)->strategy, strategy) == 0;
}

/* Of that strategy with the network and images of `like` (NULL: any): the most workers, or one. */
static const struct point *find_ranks(const struct experiment *e, const char *strategy, bool one,
                                      const struct point *like)
{
    const struct point *best = NULL;
    for (size_t i = 0; i < e->analysis.point_count; i++) {
        const struct point *p = &e->analysis.points[i];
        const bool fits = is_of(p, strategy) && (one ? p->workers == 1.0 : p->workers > 1.0) &&
                          !p->shares_cores &&
                          (!like || point_same_network(record_of(p), record_of(like)));
        if (fits && (!best || p->workers > best->workers))
            best = p;
    }
    return best;
}

static double exchange_share(const struct point *p)
{
    return p->phase[PHASE_EXCHANGE] / p->phase[PHASE_TOTAL];
}

/* "; central takes 1.3 times as long" */
static void say_central(const struct experiment *e, const struct point *mirrored, enum language l,
                        struct claim *c)
{
    const struct point *central = find_ranks(e, "central", false, mirrored);
    if (!central || central->workers != mirrored->workers) {
        claim_say(c, ".");
        return;
    }
    const struct comparison_of_points r =
        compare_points(&e->analysis.samples, central, mirrored, METRIC_TOTAL);
    claim_say(
        c,
        say(l,
            "; with the parameters in rank 0 alone it takes %s times as long, %s of it exchange%s.",
            "; con los parámetros solo en el proceso 0 tarda %s veces eso, el %s de ello "
            "intercambio%s."),
        number_told(l, r.value, r.interval).text, number_percent(l, exchange_share(central)).text,
        words_doubt(central, l).text);
    evidence_add(c->rows, &c->count, CLAIM_ROWS, central);
}

void claim_training_phases(const struct experiment *e, enum language l, struct claim *c)
{
    const struct point *many = find_ranks(e, "mirrored", false, NULL);
    const struct point *one = many ? find_ranks(e, "mirrored", true, many) : NULL;
    if (!one) {
        claim_refuse(c, l, "one rank and several, no more than cores, are needed",
                     "hacen falta uno y varios procesos, no más que núcleos");
        return;
    }
    const struct comparison_of_points r =
        compare_points(&e->analysis.samples, one, many, METRIC_TOTAL);
    claim_title(c,
                say(l, "%.0f ranks train %.30s %s times as fast as one, %s of it exchange",
                    "%.0f procesos entrenan %.30s %s veces más rápido, el %s es intercambio"),
                many->workers, record_of(many)->network, number_brief(l, r.value, r.interval).text,
                number_percent(l, exchange_share(many)).text);
    claim_say(c,
              say(l,
                  "A step of %s takes %s with %.0f ranks that all hold the parameters, %s times as "
                  "fast as with one; %s of it is exchange that nothing hides%s",
                  "Un paso de %s tarda %s con %.0f procesos que tienen todos los parámetros, %s "
                  "veces más rápido que con uno; el %s es intercambio que nada oculta%s"),
              words_problem(many, l).text,
              number_told_seconds(l, &many->seconds[METRIC_TOTAL]).text, many->workers,
              number_told(l, r.value, r.interval).text,
              number_percent(l, exchange_share(many)).text, words_doubt(many, l).text);
    evidence_add(c->rows, &c->count, CLAIM_ROWS, many);
    evidence_add(c->rows, &c->count, CLAIM_ROWS, one);
    say_central(e, many, l, c);
}

/* ---- simulated ranks ---------------------------------------------------------------------------
 */

static bool is_simulated_step(const struct point *p)
{
    return is_step(p) && p->trust == TRUST_SIMULATED && p->seconds[METRIC_TOTAL].value > 0.0;
}

/* Of one strategy on one machine, a batch and its shards: the points that differ in ranks alone. */
static bool same_curve(const struct point *a, const struct point *b)
{
    return point_same_network(record_of(a), record_of(b)) &&
           record_of(a)->shards == record_of(b)->shards &&
           strcmp(record_of(a)->platform, record_of(b)->platform) == 0;
}

/* What more ranks gain on one curve. Beyond `enough` each doubling is less than a tenth faster. */
struct gain {
    const struct point *one, *enough, *most;
};

static const struct point *next_ranks(const struct experiment *e, const char *strategy,
                                      const struct point *like, double beyond)
{
    const struct point *next = NULL;
    for (size_t i = 0; i < e->analysis.point_count; i++) {
        const struct point *p = &e->analysis.points[i];
        if (is_simulated_step(p) && same_curve(p, like) &&
            strcmp(record_of(p)->strategy, strategy) == 0 && p->workers > beyond &&
            (!next || p->workers < next->workers))
            next = p;
    }
    return next;
}

static struct gain gain_of(const struct experiment *e, const char *strategy,
                           const struct point *like)
{
    const struct point *one = next_ranks(e, strategy, like, 0.0), *next = one;
    struct gain g = {.one = one, .enough = one, .most = one};
    while (next && (next = next_ranks(e, strategy, like, g.most->workers))) {
        const double tenth = pow(0.9, log2(next->workers / g.enough->workers));
        if (next->seconds[METRIC_TOTAL].value < tenth * g.enough->seconds[METRIC_TOTAL].value)
            g.enough = next;
        g.most = next;
    }
    return g;
}

/* A curve with both strategies, of the most ranks that both have. */
static const struct point *find_curve(const struct experiment *e, struct gain *mirrored,
                                      struct gain *central)
{
    const struct point *best = NULL;
    for (size_t i = 0; i < e->analysis.point_count; i++) {
        const struct point *p = &e->analysis.points[i];
        const struct gain m = is_simulated_step(p) ? gain_of(e, "mirrored", p) : (struct gain){0};
        const struct gain c = m.one ? gain_of(e, "central", p) : (struct gain){0};
        if (!m.one || !c.one || m.most == m.one || c.most == c.one ||
            (best && m.most->workers <= mirrored->most->workers))
            continue;
        best = p;
        *mirrored = m;
        *central = c;
    }
    return best;
}

static double faster(const struct gain *g)
{
    return g->one->seconds[METRIC_TOTAL].value / g->enough->seconds[METRIC_TOTAL].value;
}

/* The thousand, where only central ones were simulated. */
static void say_furthest(const struct experiment *e, const struct point *like, enum language l,
                         struct claim *c)
{
    const struct point *furthest = NULL;
    for (size_t i = 0; i < e->analysis.point_count; i++) {
        const struct point *p = &e->analysis.points[i];
        if (is_simulated_step(p) && !same_curve(p, like) &&
            (!furthest || p->workers > furthest->workers))
            furthest = p;
    }
    if (!furthest)
        return;
    const struct gain g = gain_of(e, record_of(furthest)->strategy, furthest);
    claim_say(c,
              say(l, " On %s, %" PRId64 " images, %s gains up to %.0f of %.0f ranks, %s times.",
                  " En %s, con %" PRId64 " imágenes, %s gana hasta %.0f de %.0f procesos, %s "
                  "veces."),
              record_of(furthest)->platform, record_of(furthest)->images,
              strcmp(record_of(furthest)->strategy, "central") == 0
                  ? "central"
                  : say(l, "mirrored", "replicada"),
              g.enough->workers, g.most->workers, number_plain(l, faster(&g)).text);
    evidence_add(c->rows, &c->count, CLAIM_ROWS, furthest);
}

/* "central gains up to 16 ranks (3.1 times as fast as one)" */
static void say_gain(const char *strategy, const struct gain *g, enum language l, struct claim *c)
{
    const bool all = g->enough == g->most;
    claim_say(c,
              all ? say(l, "%s gains up to the %.0f ranks that were simulated (%s times)",
                        "%s gana hasta los %.0f procesos simulados (%s veces)")
                  : say(l, "%s gains up to %.0f ranks (%s times)",
                        "%s gana hasta %.0f procesos (%s veces)"),
              strategy, g->enough->workers, number_plain(l, faster(g)).text);
}

void claim_training_ranks(const struct experiment *e, enum language l, struct claim *c)
{
    struct gain m, central;
    const struct point *curve = find_curve(e, &m, &central);
    if (!curve) {
        claim_refuse(c, l, "no ranks were simulated under both strategies",
                     "no se simularon procesos con ambas estrategias");
        return;
    }
    claim_title(c,
                say(l, "Simulated on %.30s: central gains up to %.0f ranks, mirrored up to %.0f",
                    "Simulado en %.30s: central gana hasta %.0f procesos, replicada hasta %.0f"),
                record_of(curve)->platform, central.enough->workers, m.enough->workers);
    claim_say(c,
              say(l, "A step of %s, %" PRId64 " images, simulated on %s: ",
                  "Un paso de %s, %" PRId64 " imágenes, simulado en %s: "),
              record_of(curve)->network, record_of(curve)->images, record_of(curve)->platform);
    say_gain("central", &central, l, c);
    claim_say(c, say(l, ", since the first rank receives and adds the gradients of all shards; ",
                     ", pues el primer proceso recibe y suma los gradientes de todos los "
                     "fragmentos; "));
    say_gain(say(l, "mirrored", "replicada"), &m, l, c);
    claim_say(c,
              say(l,
                  ", each adding its part; with %.0f ranks %s of it is exchange, since what a rank "
                  "sends does not shrink.",
                  ", cada uno suma su parte; con %.0f procesos el %s es intercambio, pues lo que "
                  "un proceso envía no disminuye."),
              m.most->workers, number_percent(l, exchange_share(m.most)).text);
    evidence_add(c->rows, &c->count, CLAIM_ROWS, m.enough);
    evidence_add(c->rows, &c->count, CLAIM_ROWS, central.enough);
    say_furthest(e, curve, l, c);
}
