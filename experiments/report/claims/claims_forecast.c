/* Forecasts of values: their error relative to the forecast of no change, for each batch that was
 * used in training. */
#include "experiments/analysis/numbers.h"
#include "experiments/analysis/selections/columns.h"
#include "experiments/report/claims/forecast_skill.h"
#include "experiments/report/claims/selected_charts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BATCHES = 8 };

/* Each batch of the first program and network of the file, in ascending order. */
struct scores {
    struct skill_epoch of[BATCHES];
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
    struct skill_epoch first = {0};
    size_t i = 0;
    (void)line;
    if (s->count > 0 && !is_alike(r, &s->of[0].row))
        return true;
    while (i < s->count && s->of[i].row.images != r->images)
        i++;
    if (i < s->count) {
        skill_epoch_take(&s->of[i], r);
        return true;
    }
    skill_epoch_take(&first, r);
    if (i < BATCHES && first.row.epoch > 0)
        s->of[s->count++] = first;
    return true;
}

static int by_batch(const void *a, const void *b)
{
    const int64_t x = ((const struct skill_epoch *)a)->row.images,
                  y = ((const struct skill_epoch *)b)->row.images;
    return (x > y) - (x < y);
}

static void read_scores(struct scores *s, const struct experiment *e)
{
    struct failure ignored = {0};
    memset(s, 0, sizeof *s);
    if (table_read(e->training_path, &training_record_schema, take, s, NULL, &ignored) != STATUS_OK)
        s->count = 0;
    qsort(s->of, s->count, sizeof *s->of, by_batch);
}

/* The batch with the largest skill, or else the smallest. */
static const struct skill_epoch *find_end(const struct scores *s, bool largest)
{
    const struct skill_epoch *end = &s->of[0];
    for (size_t i = 1; i < s->count; i++) {
        const double skill = skill_epoch_value(&s->of[i]), other = skill_epoch_value(end);
        end = (largest ? skill > other : skill < other) ? &s->of[i] : end;
    }
    return end;
}

/* True if every other batch is significantly less skilful. All pairs count in the test, because the
 * best one was not known in advance. */
static bool is_alone(const struct scores *s, const struct skill_epoch *best)
{
    const size_t pairs = s->count * (s->count - 1) / 2;
    for (size_t i = 0; i < s->count; i++) {
        const struct skill_epoch *other = &s->of[i];
        const double difference = skill_epoch_value(best) - skill_epoch_value(other);
        if (other != best &&
            !(skill_difference_interval(difference, &best->days, &other->days, pairs).lower > 0.0))
            return false;
    }
    return true;
}

/* True if the days do not show whether it is better or worse than the forecast of no change. */
static bool is_open(const struct skill_epoch *score)
{
    const struct interval i = skill_interval(skill_epoch_value(score), &score->days);
    return i.lower <= 0.0 && i.upper >= 0.0;
}

static bool is_any_open(const struct scores *s)
{
    size_t open = 0;
    for (size_t i = 0; i < s->count; i++)
        open += is_open(&s->of[i]);
    return open > 0;
}

/* Names the skill at a batch; its label has the errors, of which files of earlier versions have
 * only the RMSE. */
static void name_score(const struct skill_epoch *s, const char *role, const struct language *l,
                       struct selection *out)
{
    const struct training_record *r = &s->row;
    const double skill = skill_epoch_value(s);
    const bool whole = r->test_absolute_error > 0.0 && r->test_mean > 0.0;
    struct selection_row *row =
        selection_value(out, role, skill, skill_interval(skill, &s->days), QUANTITY_NUMBER);
    row->x = (double)r->images;
    message_format(
        row->label, sizeof row->label, l,
        whole ? N_("RMSE %{rmse}, MAE %{mae}, nRMSE %{nrmse}") : N_("RMSE %{rmse}"),
        WITH({"rmse", number_plain(l, r->test_error).text},
             {"mae", number_plain(l, whole ? r->test_absolute_error : 0.0).text},
             {"nrmse", number_percent(l, whole ? r->test_error / r->test_mean : 0.0).text}));
}

/* Compares the skill of the smallest batch with that of the largest, on the same days. It compares
 * two trained networks: the effect of the batch is unknown, because other seeds may change the
 * skill as much. */
static void name_difference(const struct scores *s, struct selection *out)
{
    const struct skill_epoch *small = &s->of[0], *large = &s->of[s->count - 1];
    const double difference = skill_epoch_value(small) - skill_epoch_value(large);
    const struct interval i = skill_difference_interval(difference, &small->days, &large->days, 1);
    if (s->count < 2 || !isfinite(i.lower))
        return;
    selection_name(out, i.lower > 0.0 || i.upper < 0.0 ? "differ" : "alike");
    selection_count(out, "small", (double)small->row.images);
    selection_count(out, "large", (double)large->row.images);
    selection_plain(out, "lower", i.lower);
    selection_plain(out, "upper", i.upper);
}

/* Names the number of days of the first interval, if there is one. */
static void name_days(const struct scores *s, struct selection *out)
{
    size_t i = 0;
    while (i < s->count &&
           !isfinite(skill_interval(skill_epoch_value(&s->of[i]), &s->of[i].days).lower))
        i++;
    if (i < s->count)
        selection_count(out, "days", (double)s->of[i].days.count);
}

/* Names the best batch and the worst, and what is said in plain words: of the best batch if it is
 * better than all others, otherwise what holds for all. */
static void name_ends(const struct scores *s, struct selection *out)
{
    const struct skill_epoch *best = find_end(s, true), *worst = find_end(s, false);
    const bool alone = is_alone(s, best);
    const double upper = skill_epoch_value(best), lower = alone ? upper : skill_epoch_value(worst);
    out->finding = alone ? "alone" : "several";
    selection_plain(out, "best", upper)->x = (double)best->row.images;
    selection_plain(out, "worst", skill_epoch_value(worst));
    selection_count(out, "epochs", (double)best->row.epoch);
    selection_label(out, "network", best->row.network);
    if ((alone ? is_open(best) : is_any_open(s)) || (lower <= 0.0 && upper >= 0.0))
        selection_name(out, "unseen");
    else
        selection_plain(out, lower > 0.0 ? "smaller" : "larger", lower > 0.0 ? lower : -upper);
}

static void name_scores(const struct experiment *e, const struct scores *s,
                        const struct language *l, struct selection *out)
{
    for (size_t i = 0; i < s->count; i++)
        name_score(&s->of[i], i == 0 ? "skill" : "further_skill", l, out);
    name_ends(s, out);
    name_difference(s, out);
    name_days(s, out);
    for (size_t i = 0; i < e->analysis.point_count; i++)
        if (evidence_usable(&e->analysis.points[i]))
            selection_list(out, &e->analysis.points[i]);
}

static const struct template sentences = {
    .title = {SAY_IF("alone", "%{network} forecasts with a skill of %{best.plain} at batch "
                              "%{best.x}"),
              SAY("%{network} forecasts with a skill of %{worst.plain} to %{best.plain}")},
    .answer =
        {
            SAY("After %{epochs.x} epochs, on days that were not trained with, compared with the "
                "forecast of no change (persistence): "),
            SAY("skill %{skill.y} at batch %{skill.x} (%{skill})"),
            SAY_EACH("further_skill", "; skill %{further_skill.y} at batch %{further_skill.x} "
                                      "(%{further_skill})"),
            {.id = "."},
            SAY_OF("differ",
                   " The skill at batch %{small.x} minus that at %{large.x}, on the same days, is "
                   "%{lower.plain} to %{upper.plain}: these two trained networks differ "
                   "significantly."),
            SAY_OF("alike",
                   " The skill at batch %{small.x} minus that at %{large.x}, on the same days, is "
                   "%{lower.plain} to %{upper.plain}: these two trained networks do not differ "
                   "significantly."),
            SAY(" Intervals are over the %{days.x} days of the test, each left out in turn; other "
                "seeds of the training were not tried."),
        },
    .plain =
        {
            SAY_OF("unseen", "It is not seen that its error differs from that of the forecast of "
                             "no change."),
            SAY_IF("alone", "Its error is about %{smaller.share} smaller than that of the forecast "
                            "of no change."),
            SAY_IF("alone", "Its error is about %{larger.share} larger than that of the forecast "
                            "of no change."),
            SAY_IF("several", "With each of these batches its error is at least about "
                              "%{smaller.share} smaller than that of the forecast of no change."),
            SAY_IF("several", "With each of these batches its error is at least about "
                              "%{larger.share} larger than that of the forecast of no change."),
        },
    .of_table = true,
};

/* ---- the chart ------------------------------------------------------------------------------- */

/* The day that is drawn: of the first launch with one, of several with the same results. */
struct day {
    const struct training_record *of; /* its program, network, data and batch */
    char run_id[RECORD_TEXT];
    const struct language *language;
    struct selection *out;
};

static bool take_moment(const void *row, int64_t line, void *context)
{
    const struct training_record *r = row;
    struct day *day = context;
    const double hour = r->day_seconds / 3600.0;
    (void)line;
    if (strcmp(r->what, "forecast") != 0 || r->images != day->of->images || !is_alike(r, day->of))
        return true;
    if (!day->run_id[0])
        snprintf(day->run_id, sizeof day->run_id, "%s", r->run_id);
    if (strcmp(day->run_id, r->run_id) != 0)
        return true;
    selection_at(day->out, 2, message(day->language, N_("observed")), hour, r->true_value);
    selection_at(day->out, 2, message(day->language, N_("predicted")), hour, r->predicted_value);
    return true;
}

static void draw_scores(const struct experiment *e, const struct language *l, struct selection *out)
{
    struct scores *s = malloc(sizeof *s);
    struct failure ignored = {0};
    out->lacks_memory = !s;
    if (s)
        read_scores(s, e);
    for (size_t i = 0; s && i < s->count; i++) {
        const double skill = skill_epoch_value(&s->of[i]);
        const struct interval ends = skill_interval(skill, &s->of[i].days);
        struct selection_row *row =
            selection_at(out, 1, message(l, N_("skill")), (double)s->of[i].row.images, skill);
        if (row && isfinite(ends.lower))
            row->ends = ends;
    }
    if (s && s->count == 0)
        out->lack = N_("no forecasts were recorded");
    if (s && s->count > 0) {
        struct day day = {.of = &s->of[0].row, .language = l, .out = out};
        selection_count(out, "smallest", (double)s->of[0].row.images);
        name_scores(e, s, l, out);
        table_read(e->training_path, &training_record_schema, take_moment, &day, NULL, &ignored);
    }
    free(s);
}

static const struct columns scores = {.name_roles = draw_scores};
static const struct form scores_form = {
    .name = "lines",
    .panels = {{N_("skill against persistence"), N_("batch"), NULL, "%g", AXIS_LOG, AXIS_LINEAR,
                .level = 0.0},
               {N_("one day, batch %{smallest.x}"), N_("hour of the day"), NULL, "%g", AXIS_LINEAR,
                AXIS_LINEAR, .level = 0.0}},
    .own_y = true,
};
const struct selected_chart forecast_chart = {select_columns, &scores, &scores_form, &sentences};
