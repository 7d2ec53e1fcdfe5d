/* Training: the accuracy of a network and how soon it is reached, the time of a step, and the cost
 * of ranks. */
#include "experiments/analysis/numbers.h"
#include "experiments/published/suite.h"
#include "experiments/report/claims/claims.h"
#include "experiments/report/claims/training_curve.h"
#include "experiments/samples/point.h"
#include "harness/base/text/messages.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct record *record_of(const struct point *p)
{
    return &p->samples->identity;
}

/* True for training steps of ours, not of another library. */
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

/* ---- accuracy and time ----------------------------------------------------------------------- */

/* The share that is right by chance, for equally frequent classes. */
static double chance_of(const struct training_curve *c)
{
    return 1.0 / (double)c->classes;
}

/* True if the share is not significantly above chance, given the number of tested images. */
static bool is_chance(const struct training_curve *c, double share)
{
    const double count = (double)training_curve_tested(c);
    return !(share_interval(share * count, count).lower > chance_of(c));
}

/* " (chance: 33.3 %)" or ", no better than chance (3 classes: 33.3 %)" */
static void say_chance(const struct training_curve *curve, double share, const struct language *l,
                       struct claim *c)
{
    const struct number chance = number_percent(l, chance_of(curve));
    if (is_chance(curve, share))
        claim_say(
            c, l, ", no better than chance (%{classes} classes: %{chance})",
            WITH({"classes", number_text("%zu", curve->classes).text}, {"chance", chance.text}));
    else
        claim_say(c, l, " (chance: %{chance})", WITH({"chance", chance.text}));
}

/* "; medians of ten trainings with other seeds, ..." */
static void say_protocol(const struct training_curve *curve, const struct language *l,
                         struct claim *c)
{
    const size_t trainings = training_curve_trainings(curve);
    if (trainings > 1)
        claim_say(c, l, "; these are medians of %{count} trainings, each with a seed of its own",
                  WITH({"count", number_text("%zu", trainings).text}));
    if (curve->select[0])
        claim_say(c, l, "; tested is the epoch with the least validation loss by then", NULL);
}

/* "After 25 epochs, 12.1 s, alexnet_mri is right on 95 % of 118 images ..., after 50 on ..." */
static void say_epochs(const struct training_curve *curve, const struct language *l,
                       struct claim *c)
{
    static const size_t printed_epochs[] = {25, 50, 100};
    size_t said = 0;
    for (size_t i = 0; i <= sizeof printed_epochs / sizeof *printed_epochs; i++) {
        const bool last = i == sizeof printed_epochs / sizeof *printed_epochs;
        const size_t epoch = last ? curve->epochs : printed_epochs[i];
        const bool another = !last || said == 0;
        const struct estimate right = training_curve_accuracy(curve, another ? epoch : 0);
        if (!another || right.launches == 0)
            continue;
        const struct estimate seconds = training_curve_seconds(curve, epoch);
        const struct number time = number_answer_seconds(l, &seconds);
        const struct number share = number_answer_share(l, right.value, right.interval);
        if (said++ == 0)
            claim_say(c, l,
                      "After %{epochs} epochs, %{time}, %{network} is right on %{share} of "
                      "%{images} images that it was not trained with",
                      WITH({"epochs", number_text("%zu", epoch).text}, {"time", time.text},
                           {"network", curve->network}, {"share", share.text},
                           {"images", number_text("%" PRId64, training_curve_tested(curve)).text}));
        else
            claim_say(c, l, "; after %{epochs}, %{time}, on %{share}",
                      WITH({"epochs", number_text("%zu", epoch).text}, {"time", time.text},
                           {"share", share.text}));
        say_chance(curve, right.value, l, c);
    }
    say_protocol(curve, l, c);
    /* those images are not public */
    claim_say(c, l,
              "; the tesina's network reached %{first} % in %{first_time} s and %{second} % in "
              "%{second_time} s, on an Intel Core i7 and with other images.",
              WITH({"first", number_printed(l, published_digits("alexnet.accuracy25")).text},
                   {"first_time", number_printed(l, published_digits("alexnet.seconds25")).text},
                   {"second", number_printed(l, published_digits("alexnet.accuracy50")).text},
                   {"second_time", number_printed(l, published_digits("alexnet.seconds50")).text}));
}

/* The last epoch with a recorded accuracy on unseen images; 0: none. */
static size_t last_tested(const struct training_curve *c)
{
    size_t epoch = c->epochs;
    while (epoch > 0 && training_curve_accuracy(c, epoch).launches == 0)
        epoch--;
    return training_curve_tested(c) > 0 ? epoch : 0;
}

static void describe_training_curve(const struct experiment *e, const struct training_curve *curve,
                                    const struct language *l, struct claim *c)
{
    const size_t last = last_tested(curve);
    const struct estimate seconds = training_curve_seconds(curve, last);
    const double right = training_curve_accuracy(curve, last).value;
    if (is_chance(curve, right))
        claim_title(c, l, "%{network} is at chance level after %{epochs} epochs, %{time}",
                    WITH({"network", curve->network}, {"epochs", number_text("%zu", last).text},
                         {"time", number_seconds(l, seconds.value).text}));
    else
        claim_title(
            c, l,
            "%{network} is right on %{share} of unseen images after %{epochs} epochs, %{time}",
            WITH({"network", curve->network}, {"share", number_percent(l, right).text},
                 {"epochs", number_text("%zu", last).text},
                 {"time", number_seconds(l, seconds.value).text}));
    say_epochs(curve, l, c);
    claim_plain(
        c, l,
        is_chance(curve, right)
            ? N_("The network saw every training image %{epochs} times. On images that it "
                 "had never seen, guessing would do as well.")
            : N_("The network saw every training image %{epochs} times, and then did better "
                 "than guessing on images that it had never seen."),
        WITH({"epochs", number_text("%zu", last).text}));
    add_steps(e, c);
}

void claim_training_curve(const struct experiment *e, const struct language *l, struct claim *c)
{
    struct training_curve *curve = malloc(sizeof *curve);
    if (curve && training_curve_read(curve, e) && last_tested(curve) > 0)
        describe_training_curve(e, curve, l, c);
    else
        claim_refuse(c, l, "no training was recorded");
    free(curve);
}

/* ---- the confusion matrix -------------------------------------------------------------------- */

/* The most frequent mistake. */
struct mistake {
    size_t right, predicted;
    int64_t count;
};

static struct mistake worst_of(const struct training_curve *c)
{
    struct mistake worst = {0, 0, 0};
    for (size_t i = 0; i < c->classes; i++)
        for (size_t j = 0; j < c->classes; j++)
            if (i != j && c->matrix[i][j] > worst.count)
                worst = (struct mistake){i, j, c->matrix[i][j]};
    return worst;
}

/* A class that images have and that is never predicted; `classes` if there is none. */
static size_t never_predicted(const struct training_curve *c)
{
    for (size_t i = 0; i < c->classes; i++) {
        int64_t images = 0, predicted = 0;
        for (size_t j = 0; j < c->classes; j++) {
            images += c->matrix[i][j];
            predicted += c->matrix[j][i];
        }
        if (images > 0 && predicted == 0)
            return i;
    }
    return c->classes;
}

/* Classes of the suite's own data set have names, others numbers. */
static struct words class_text(const struct training_curve *c, size_t class,
                               const struct language *l)
{
    static const char *const planes[] = {N_("axial"), N_("coronal"), N_("sagittal")};
    const size_t known = sizeof planes / sizeof *planes;
    struct words w;
    if (strcmp(c->data, "brain_planes") == 0 && class < known)
        snprintf(w.text, sizeof w.text, "%s", message(l, planes[class]));
    else
        snprintf(w.text, sizeof w.text, "%zu", class);
    return w;
}

static void describe_matrix(const struct experiment *e, const struct training_curve *curve,
                            const struct language *l, struct claim *c)
{
    const struct mistake worst = worst_of(curve);
    const int64_t hits = training_curve_hits(curve), count = training_curve_tested(curve);
    const double share = (double)hits / (double)count;
    const struct interval interval = share_interval((double)hits, (double)count);
    const struct number right = number_text("%" PRId64, hits), all = number_text("%" PRId64, count);
    claim_title(c, l,
                is_chance(curve, share)
                    ? N_("%{hits} of %{count} unseen images in their class: chance level")
                    : N_("%{hits} of %{count} unseen images are put in their class"),
                WITH({"hits", right.text}, {"count", all.text}));
    claim_say(c, l, "%{network} puts %{hits} of %{count} unseen images in their class, %{share}",
              WITH({"network", curve->network}, {"hits", right.text}, {"count", all.text},
                   {"share", number_answer_share(l, share, interval).text}));
    say_chance(curve, share, l, c);
    if (worst.count > 0)
        claim_say_plural(c, l, "; most often %{right} is taken for %{said}, once",
                         "; most often %{right} is taken for %{said}, %{count} times", worst.count,
                         WITH({"right", class_text(curve, worst.right, l).text},
                              {"said", class_text(curve, worst.predicted, l).text},
                              {"count", number_text("%" PRId64, worst.count).text}));
    if (never_predicted(curve) < curve->classes)
        claim_say(c, l, "; no image is taken for %{class}",
                  WITH({"class", class_text(curve, never_predicted(curve), l).text}));
    if (training_curve_trainings(curve) > 1)
        claim_say(c, l, "; this is the first of %{count} trainings",
                  WITH({"count", number_text("%zu", training_curve_trainings(curve)).text}));
    claim_add(c, ".");
    claim_plain(c, l, "It puts about %{hits} of 100 images that it has never seen in their class.",
                WITH({"hits", number_about(l, 100.0 * share).text}));
    add_steps(e, c);
}

void claim_confusion(const struct experiment *e, const struct language *l, struct claim *c)
{
    struct training_curve *curve = malloc(sizeof *curve);
    if (curve && training_curve_read(curve, e) && training_curve_tested(curve) > 0)
        describe_matrix(e, curve, l, c);
    else
        claim_refuse(c, l, "no classes were counted");
    free(curve);
}

/* ---- learning rates -------------------------------------------------------------------------- */

static struct number rate_text(const struct language *l, double rate)
{
    struct number n;
    snprintf(n.text, sizeof n.text, "%.2g", rate);
    number_localize(l, n.text);
    return n;
}

void claim_learning_rate(const struct experiment *e, const struct language *l, struct claim *c)
{
    struct training_curve *curve = malloc(sizeof *curve);
    const bool read = curve && training_curve_read(curve, e);
    if (read && curve->suggested > 0.0) {
        const struct number rate = rate_text(l, curve->suggested);
        const struct number used = rate_text(l, curve->learning_rate);
        claim_title(c, l, "The loss of %{network} falls fastest at a learning rate of %{rate}",
                    WITH({"network", curve->network}, {"rate", rate.text}));
        claim_say(
            c, l,
            "Of the learning rates that were tried, %{rate} makes the loss of %{network} fall "
            "fastest; the network was trained with %{used}.",
            WITH({"network", curve->network}, {"rate", rate.text}, {"used", used.text}));
        claim_plain(c, l,
                    "The learning rate is how far a training step changes the network: with small "
                    "steps it learns slowly, with too large ones not at all.",
                    NULL);
        add_steps(e, c);
    } else {
        claim_refuse(c, l,
                     read && curve->rates > 0 ? N_("the loss falls at no learning rate")
                                              : N_("no learning rates were tried"));
    }
    free(curve);
}

/* ---- ranks ----------------------------------------------------------------------------------- */

static bool is_of(const struct point *p, const char *strategy)
{
    return is_step(p) && evidence_usable(p) && strcmp(record_of(p)->strategy, strategy) == 0;
}

/* The point of that strategy with the network and images of `like` (NULL: any) and one worker, or
 * else the most workers. */
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
static void say_central(const struct experiment *e, const struct point *mirrored,
                        const struct language *l, struct claim *c)
{
    const struct point *central = find_ranks(e, "central", false, mirrored);
    if (!central || central->workers != mirrored->workers) {
        claim_add(c, ".");
        return;
    }
    const struct comparison_of_points r =
        compare_points(&e->analysis.samples, central, mirrored, METRIC_TOTAL);
    claim_say(
        c, l,
        "; with the parameters on rank 0 alone, it takes %{times} times as long, and %{share} "
        "of that is exchange%{doubt}.",
        WITH({"times", number_answer(l, r.value, r.interval).text},
             {"share", number_percent(l, exchange_share(central)).text},
             {"doubt", words_doubt(central, l).text}));
    evidence_add(c->rows, &c->count, CLAIM_ROWS, central);
}

void claim_training_phases(const struct experiment *e, const struct language *l, struct claim *c)
{
    const struct point *many = find_ranks(e, "mirrored", false, NULL);
    const struct point *one = many ? find_ranks(e, "mirrored", true, many) : NULL;
    if (!one) {
        claim_refuse(c, l, "one rank and several, at most as many as cores, are needed");
        return;
    }
    const struct comparison_of_points r =
        compare_points(&e->analysis.samples, one, many, METRIC_TOTAL);
    claim_title(
        c, l, "%{ranks} ranks train %{network} %{times} times as fast as one; %{share} is exchange",
        WITH({"ranks", number_text("%.0f", many->workers).text},
             {"network", record_of(many)->network},
             {"times", number_brief(l, r.value, r.interval).text},
             {"share", number_percent(l, exchange_share(many)).text}));
    claim_say(
        c, l,
        "A step of %{problem} takes %{time} with %{ranks} ranks that all hold the parameters: "
        "%{times} times as fast as with one; %{share} of it is exposed communication time%{doubt}",
        WITH({"problem", words_problem(many, l).text},
             {"time", number_answer_seconds(l, &many->seconds[METRIC_TOTAL]).text},
             {"ranks", number_text("%.0f", many->workers).text},
             {"times", number_answer(l, r.value, r.interval).text},
             {"share", number_percent(l, exchange_share(many)).text},
             {"doubt", words_doubt(many, l).text}));
    evidence_add(c->rows, &c->count, CLAIM_ROWS, many);
    evidence_add(c->rows, &c->count, CLAIM_ROWS, one);
    say_central(e, many, l, c);
    claim_plain(c, l,
                "The ranks share each batch and then exchange their gradients, which takes about "
                "%{time} of each minute.",
                WITH({"time", number_about_seconds(l, 60.0 * exchange_share(many)).text}));
}

/* ---- simulated ranks ------------------------------------------------------------------------- */

static bool is_simulated_step(const struct point *p)
{
    return is_step(p) && p->trust == TRUST_SIMULATED && p->seconds[METRIC_TOTAL].value > 0.0;
}

/* True for points that differ only in ranks and strategy: the same network, batch, shards and
 * machine. */
static bool same_curve(const struct point *a, const struct point *b)
{
    return point_same_network(record_of(a), record_of(b)) &&
           record_of(a)->shards == record_of(b)->shards &&
           strcmp(record_of(a)->platform, record_of(b)->platform) == 0;
}

/* The gain from more ranks on one curve. Beyond `enough`, each doubling gains less than a tenth. */
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

/* A curve with both strategies, the one with the most ranks. */
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

/* Describes the curve with the most ranks among the others: the thousand ranks, simulated for
 * central only. */
static void say_furthest(const struct experiment *e, const struct point *like,
                         const struct language *l, struct claim *c)
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
    claim_say(c, l,
              " On %{platform}, %{images} images, %{strategy} gains up to %{enough} of %{ranks} "
              "ranks, %{times} times.",
              WITH({"platform", record_of(furthest)->platform},
                   {"images", number_text("%" PRId64, record_images(record_of(furthest))).text},
                   {"strategy", strcmp(record_of(furthest)->strategy, "central") == 0
                                    ? "central"
                                    : message(l, "mirrored")},
                   {"enough", number_text("%.0f", g.enough->workers).text},
                   {"ranks", number_text("%.0f", g.most->workers).text},
                   {"times", number_plain(l, faster(&g)).text}));
    evidence_add(c->rows, &c->count, CLAIM_ROWS, furthest);
}

/* "central gains up to 16 ranks (3.1 times as fast as one)" */
static void say_gain(const char *strategy, const struct gain *g, const struct language *l,
                     struct claim *c)
{
    const bool all = g->enough == g->most;
    claim_say(
        c, l,
        all ? N_("%{strategy} gains up to the %{ranks} ranks that were simulated (%{times} times)")
            : N_("%{strategy} gains up to %{ranks} ranks (%{times} times)"),
        WITH({"strategy", strategy}, {"ranks", number_text("%.0f", g->enough->workers).text},
             {"times", number_plain(l, faster(g)).text}));
}

void claim_training_ranks(const struct experiment *e, const struct language *l, struct claim *c)
{
    struct gain m, central;
    const struct point *curve = find_curve(e, &m, &central);
    if (!curve) {
        claim_refuse(c, l, "no ranks were simulated under both strategies");
        return;
    }
    claim_title(c, l,
                "Simulated on %{platform}: central gains up to %{central} ranks, mirrored up to "
                "%{mirrored}",
                WITH({"platform", record_of(curve)->platform},
                     {"central", number_text("%.0f", central.enough->workers).text},
                     {"mirrored", number_text("%.0f", m.enough->workers).text}));
    claim_say(c, l, "A step of %{network}, %{images} images, simulated on %{platform}: ",
              WITH({"network", record_of(curve)->network},
                   {"images", number_text("%" PRId64, record_images(record_of(curve))).text},
                   {"platform", record_of(curve)->platform}));
    say_gain("central", &central, l, c);
    claim_say(c, l, ": its first rank receives and adds all gradients; ", NULL);
    say_gain(message(l, "mirrored"), &m, l, c);
    claim_say(c, l,
              ": each rank adds a part of them and sends as much however many there are; with "
              "%{ranks} ranks, %{share} of the step is exchange.",
              WITH({"ranks", number_text("%.0f", m.most->workers).text},
                   {"share", number_percent(l, exchange_share(m.most)).text}));
    evidence_add(c->rows, &c->count, CLAIM_ROWS, m.enough);
    evidence_add(c->rows, &c->count, CLAIM_ROWS, central.enough);
    say_furthest(e, curve, l, c);
    claim_plain(c, l,
                "This is computed by a simulator, not measured. More ranks help only as long as "
                "computing takes longer than exchanging what was learned.",
                NULL);
}
