/* The time of the parts of a training step at the smallest and at the largest batch: forward, loss,
 * backward, update. */
#include "experiments/analysis/numbers.h"
#include "experiments/analysis/phase_time.h"
#include "experiments/report/claims/claims.h"
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

/* True for points of ours, in one process on the processor. */
static bool is_step(const struct point *p)
{
    static const struct wanted any = {0};
    const struct record *r = record_of(p);
    return evidence_fits(p, &any) && r->network[0] && point_trains(r) && !point_has_ranks(r) &&
           !point_is_on_device(r) && !p->shares_cores;
}

/* One network and method with that number of threads, in its smallest and its largest batch. */
struct batches {
    const struct point *small, *large;
};

static struct batches batches_of(const struct analysis *a, const struct point *one)
{
    struct batches b = {one, one};
    for (size_t i = 0; i < a->point_count; i++) {
        const struct point *p = &a->points[i];
        if (!is_step(p) || p->workers != one->workers ||
            strcmp(method_of(p), method_of(one)) != 0 ||
            strcmp(record_of(p)->network, record_of(one)->network) != 0)
            continue;
        if (record_images(record_of(p)) < record_images(record_of(b.small)))
            b.small = p;
        if (record_images(record_of(p)) > record_images(record_of(b.large)))
            b.large = p;
    }
    return b;
}

/* The most threads that a network has in two different batches. */
static double most_workers(const struct analysis *a)
{
    double most = 0.0;
    for (size_t i = 0; i < a->point_count; i++) {
        const struct point *p = &a->points[i];
        if (is_step(p) && p->workers > most && batches_of(a, p).small != batches_of(a, p).large)
            most = p->workers;
    }
    return most;
}

/* Orders by hidden layers, parameters, network, method, independently of the file's order. */
static int by_size(const void *x, const void *y)
{
    const struct point *p = ((const struct batches *)x)->small,
                       *q = ((const struct batches *)y)->small;
    const double keys[][2] = {
        {point_hidden_layers(record_of(p)), point_hidden_layers(record_of(q))},
        {point_parameter_bytes(record_of(p)), point_parameter_bytes(record_of(q))},
        {(double)strcmp(record_of(p)->network, record_of(q)->network), 0.0},
        {(double)strcmp(method_of(p), method_of(q)), 0.0}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i][0] != keys[i][1])
            return keys[i][0] < keys[i][1] ? -1 : 1;
    return 0;
}

/* Keeps one entry per network, that of the last method; returns their number. */
static size_t keep_last_methods(struct batches *all, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (i + 1 == count ||
            strcmp(record_of(all[i].small)->network, record_of(all[i + 1].small)->network) != 0)
            all[kept++] = all[i];
    return kept;
}

/* Of the deepest networks with two batches and the most threads, returns the one with the median
 * number of parameters, as in the chart (training_parts.gp); the choice does not depend on times.
 * Both NULL: none. */
static struct batches find_batches(const struct analysis *a)
{
    const double most = most_workers(a);
    struct batches *all = calloc(a->point_count + 1, sizeof *all), found = {NULL, NULL};
    size_t count = 0, deepest = 0;
    for (size_t i = 0; all && i < a->point_count; i++) {
        const struct point *p = &a->points[i];
        const struct batches b = is_step(p) && p->workers == most ? batches_of(a, p) : found;
        if (b.small == p && b.large != p)
            all[count++] = b;
    }
    if (count > 0) {
        qsort(all, count, sizeof *all, by_size);
        count = keep_last_methods(all, count);
        const int depth = point_hidden_layers(record_of(all[count - 1].small));
        while (point_hidden_layers(record_of(all[deepest].small)) < depth)
            deepest++;
        found = all[deepest + (count - 1 - deepest) / 2];
    }
    free(all);
    return found;
}

/* Shares of a phase in both batches, and the ratio of the smaller batch's share to the larger's. */
struct parts {
    struct estimate small, large;
    struct interval times;
};

static struct parts parts_of(const struct analysis *a, const struct batches *b, enum phase phase)
{
    struct parts parts = {.small = point_phase_share(&a->samples, b->small, phase),
                          .large = point_phase_share(&a->samples, b->large, phase)};
    parts.times = estimate_ratio_interval(&parts.small, &parts.large);
    estimate_free(&parts.small);
    estimate_free(&parts.large);
    return parts;
}

static struct number share_text(const struct language *l, const struct estimate *share)
{
    return number_answer_share(l, share->value, share->interval);
}

/* Adds the other parts, each for both batches. */
static void say_others(const struct analysis *a, const struct batches *b, const struct language *l,
                       struct claim *c)
{
    static const struct {
        enum phase phase;
        const char *text;
    } others[] = {
        {PHASE_FORWARD, N_("; forward takes %{share} and %{large_share}")},
        {PHASE_BACKWARD, N_(", backward %{share} and %{large_share}")},
        {PHASE_LOSS, N_(", the loss %{share} and %{large_share}")},
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const struct parts parts = parts_of(a, b, others[i].phase);
        if (isfinite(parts.small.value) && isfinite(parts.large.value))
            claim_say(c, l, others[i].text,
                      WITH({"share", share_text(l, &parts.small).text},
                           {"large_share", share_text(l, &parts.large).text}));
    }
    claim_add(c, ".");
}

static void describe(const struct analysis *a, const struct batches *b, const struct parts *update,
                     const struct language *l, struct claim *c)
{
    const double times = update->small.value / update->large.value;
    const struct number small = number_text("%" PRId64, record_images(record_of(b->small))),
                        large = number_text("%" PRId64, record_images(record_of(b->large)));
    claim_title(
        c, l, "The update takes %{share} of a step at batch %{small}, %{large_share} at %{large}",
        WITH({"share", number_percent(l, update->small.value).text}, {"small", small.text},
             {"large_share", number_percent(l, update->large.value).text}, {"large", large.text}));
    claim_say(c, l,
              "With %{workers}, a training step of %{network} spends %{share} of its time on the "
              "update of the parameters at batch %{small}%{doubt} and %{large_share} at batch "
              "%{large}%{large_doubt}, %{times} times the share",
              WITH({"workers", words_workers(b->small, l).text},
                   {"network", record_of(b->small)->network}, {"small", small.text},
                   {"share", share_text(l, &update->small).text},
                   {"doubt", words_doubt(b->small, l).text}, {"large", large.text},
                   {"large_share", share_text(l, &update->large).text},
                   {"large_doubt", words_doubt(b->large, l).text},
                   {"times", number_answer(l, times, update->times).text}));
    say_others(a, b, l, c);
    if (update->times.lower > 1.0)
        claim_because(c, l,
                      "The update has as much to do whatever the batch, so that it weighs more in "
                      "a step of fewer images.",
                      NULL);
    else
        claim_plain(c, l,
                    "The samples do not show that the update weighs more in a step of fewer "
                    "images.",
                    NULL);
    evidence_add(c->rows, &c->count, CLAIM_ROWS, b->small);
    evidence_add(c->rows, &c->count, CLAIM_ROWS, b->large);
}

void claim_training_parts(const struct experiment *e, const struct language *l, struct claim *c)
{
    const struct analysis *a = &e->analysis;
    const struct batches b = find_batches(a);
    if (!b.small) {
        claim_refuse(c, l, "two batches of one network are needed");
        return;
    }
    const struct parts update = parts_of(a, &b, PHASE_UPDATE);
    if (!(update.small.value > 0.0) || !(update.large.value > 0.0))
        claim_refuse(c, l, "the parts of its steps were not clocked");
    else
        describe(a, &b, &update, l, c);
}
