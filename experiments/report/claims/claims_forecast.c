/* Forecasts of values: how far they err, against who expects no change, for each batch that was
 * trained with. */
#include "experiments/common/results.h"
#include "experiments/report/claims/claims.h"
#include "experiments/report/numbers.h"
#include "harness/records/training_record.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BATCHES = 8 };

/* The last epoch of each batch, of the first program and network of the file. */
struct scores {
    struct training_record of[BATCHES];
    size_t count;
};

static bool is_alike(const struct training_record *a, const struct training_record *b)
{
    return strcmp(a->program, b->program) == 0 && strcmp(a->network, b->network) == 0 &&
           strcmp(a->data, b->data) == 0;
}

static bool take(const void *row, int64_t line, void *context)
{
    const struct training_record *r = row;
    struct scores *s = context;
    size_t i = 0;
    (void)line;
    if (strcmp(r->what, "epoch") != 0 || !(r->persistence > 0.0) || !(r->test_error > 0.0) ||
        (s->count > 0 && !is_alike(r, &s->of[0])))
        return true;
    while (i < s->count && s->of[i].images != r->images)
        i++;
    if (i == BATCHES || (i < s->count && r->epoch < s->of[i].epoch))
        return true;
    s->of[i] = *r;
    s->count += i == s->count;
    return true;
}

static void read_scores(struct scores *s, const struct experiment *e)
{
    char folder[PATH_MAX];
    struct failure ignored = {0};
    snprintf(folder, sizeof folder, "%s", e->samples_path);
    char *slash = strrchr(folder, '/');
    if (slash)
        *slash = '\0';
    const struct results_path path = results_training(slash ? folder : ".", e->name);
    s->count = 0;
    if (table_read(path.text, &training_record_schema, take, s, NULL, &ignored) != STATUS_OK)
        s->count = 0;
}

/* Source: Wilks (2011), Statistical Methods in the Atmospheric Sciences, section 8.1.4. */
static double skill_of(const struct training_record *r)
{
    return 1.0 - r->test_error / r->persistence;
}

static const struct training_record *find_best(const struct scores *s)
{
    const struct training_record *best = &s->of[0];
    for (size_t i = 1; i < s->count; i++)
        if (skill_of(&s->of[i]) > skill_of(best))
            best = &s->of[i];
    return best;
}

/* "skill 0.598 at batch 100 (RMSE 0.0393, MAE 0.0261, nRMSE 7.1 %)"; files of earlier versions have
 * the root of the mean squared error alone. */
static void say_score(const struct training_record *r, const struct language *l, struct claim *c)
{
    const bool whole = r->test_absolute_error > 0.0 && r->test_mean > 0.0;
    claim_say(c, l,
              whole ? N_("skill %{skill} at batch %{batch} (RMSE %{rmse}, MAE %{mae}, nRMSE "
                         "%{nrmse})")
                    : N_("skill %{skill} at batch %{batch} (RMSE %{rmse})"),
              WITH({"skill", number_plain(l, skill_of(r)).text},
                   {"batch", number_text("%" PRId64, r->images).text},
                   {"rmse", number_plain(l, r->test_error).text},
                   {"mae", number_plain(l, whole ? r->test_absolute_error : 0.0).text},
                   {"nrmse", number_percent(l, whole ? r->test_error / r->test_mean : 0.0).text}));
}

static void describe(const struct experiment *e, const struct scores *s, const struct language *l,
                     struct claim *c)
{
    const struct training_record *best = find_best(s);
    claim_title(c, l, "%{network} forecasts with a skill of %{skill} at batch %{batch}",
                WITH({"network", best->network}, {"skill", number_plain(l, skill_of(best)).text},
                     {"batch", number_text("%" PRId64, best->images).text}));
    claim_say(c, l, "After %{epochs} epochs, on unseen hours, against who expects no change: ",
              WITH({"epochs", number_text("%" PRId64, best->epoch).text}));
    for (size_t i = 0; i < s->count; i++) {
        if (i > 0)
            claim_add(c, "; ");
        say_score(&s->of[i], l, c);
    }
    claim_add(c, ".");
    claim_plain(c, l, "It errs about %{share} less than who says that nothing changes.",
                WITH({"share", number_percent(l, skill_of(best)).text}));
    for (size_t i = 0; i < e->analysis.point_count; i++)
        if (evidence_usable(&e->analysis.points[i]))
            evidence_add(c->rows, &c->count, CLAIM_ROWS, &e->analysis.points[i]);
}

void claim_forecast(const struct experiment *e, const struct language *l, struct claim *c)
{
    struct scores *s = malloc(sizeof *s);
    if (s)
        read_scores(s, e);
    if (s && s->count > 0)
        describe(e, s, l, c);
    else
        claim_refuse(c, l, "no forecasts were recorded");
    free(s);
}
