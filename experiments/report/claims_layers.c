/* Where the time of a network goes, from the file of its layers. */
#include "experiments/common/results.h"
#include "experiments/report/claims.h"
#include "experiments/report/numbers.h"
#include "harness/base/statistics.h"
#include "harness/records/layer_record.h"

#include <stdlib.h>
#include <string.h>

enum { STEPS = 200, LAUNCHES = 64 };

/* What the rows of one network, one after the other, say. */
struct tally {
    char network[RECORD_TEXT], layer[STEPS][RECORD_TEXT];
    double seconds[STEPS][LAUNCHES]; /* 0: not told */
    char run_id[LAUNCHES][RECORD_TEXT];
    size_t steps, launches;
};

/* The number of a launch; LAUNCHES where there are too many. */
static size_t launch_of(struct tally *t, const char *run_id)
{
    size_t i = 0;
    while (i < t->launches && strcmp(t->run_id[i], run_id) != 0)
        i++;
    if (i == t->launches && i < LAUNCHES)
        snprintf(t->run_id[t->launches++], RECORD_TEXT, "%s", run_id);
    return i;
}

/* Rows of the network that the first row is of. */
static bool take(const void *row, int64_t line, void *context)
{
    const struct layer_record *r = row;
    struct tally *t = context;
    (void)line;
    if (!t->network[0])
        snprintf(t->network, sizeof t->network, "%s", r->network);
    if (r->step < 0 || r->step >= STEPS || !(r->mean_s > 0.0) ||
        strcmp(t->network, r->network) != 0)
        return true;
    const size_t step = (size_t)r->step, launch = launch_of(t, r->run_id);
    if (launch == LAUNCHES)
        return true;
    snprintf(t->layer[step], RECORD_TEXT, "%s", r->layer);
    t->seconds[step][launch] += r->mean_s; /* of a training forward and backward */
    t->steps = step + 1 > t->steps ? step + 1 : t->steps;
    return true;
}

/* The share of one step in the time of all, its median over launches and the interval of that. */
static struct summary share_of(const struct tally *t, size_t step)
{
    double shares[LAUNCHES];
    for (size_t i = 0; i < t->launches; i++) {
        double all = 0.0;
        for (size_t j = 0; j < t->steps; j++)
            all += t->seconds[j][i];
        shares[i] = all > 0.0 ? t->seconds[step][i] / all : 0.0;
    }
    return summarise(shares, t->launches);
}

static size_t longest_of(const struct tally *t)
{
    size_t longest = 0;
    for (size_t j = 1; j < t->steps; j++)
        if (share_of(t, j).median > share_of(t, longest).median)
            longest = j;
    return longest;
}

/* How many steps, the longest first, take half of the time. */
static size_t half_of(const struct tally *t)
{
    double shares[STEPS], sum = 0.0;
    size_t count = 0;
    for (size_t j = 0; j < t->steps; j++)
        shares[j] = share_of(t, j).median;
    sort_samples(shares, t->steps);
    while (sum < 0.5 && count < t->steps)
        sum += shares[t->steps - ++count];
    return count;
}

static void tell(const struct tally *t, const struct experiment *e, enum language l,
                 struct claim *c)
{
    const size_t longest = longest_of(t);
    const struct summary share = share_of(t, longest);
    const struct interval interval = {share.lower, share.upper};
    claim_title(
        c, say(l, "%.40s takes %s of the time of %.40s", "%.40s toma el %s del tiempo de %.40s"),
        t->layer[longest], number_percent(l, share.median).text, t->network);
    claim_say(c,
              say(l,
                  "Of the %zu steps of %s %s takes the most time, %s of it; the %zu longest take "
                  "half.",
                  "De los %zu pasos de %s %s es el que más tarda, el %s del tiempo; los %zu más "
                  "largos toman la mitad."),
              t->steps, t->network, t->layer[longest],
              number_told_share(l, share.median, interval).text, half_of(t));
    for (size_t i = 0; i < e->analysis.point_count; i++)
        if (evidence_usable(&e->analysis.points[i]))
            evidence_add(c->rows, &c->count, CLAIM_ROWS, &e->analysis.points[i]);
}

void claim_layers(const struct experiment *e, enum language l, struct claim *c)
{
    char folder[PATH_MAX];
    struct failure f = {0};
    struct tally *t = calloc(1, sizeof *t);
    snprintf(folder, sizeof folder, "%s", e->samples_path);
    char *slash = strrchr(folder, '/');
    if (slash)
        *slash = '\0';
    const struct results_path path = results_layers(slash ? folder : ".", e->name);
    if (t && table_read(path.text, &layer_record_schema, take, t, NULL, &f) == STATUS_OK &&
        t->launches > 0)
        tell(t, e, l, c);
    else
        claim_refuse(c, l, "no layers were clocked", "no se cronometraron capas");
    free(t);
}
