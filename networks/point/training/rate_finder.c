/* The range test of Smith (2017), "Cyclical learning rates for training neural networks",
 * arXiv:1506.01186: the rate grows from step to step while the loss is observed. */
#include "harness/base/text/screen.h"
#include "networks/point/training/training_rows.h"

#include <math.h>

enum { TRIES = 100, COLUMNS = 50 };
static const double least = 1e-7, most = 10.0, smoothing = 0.9, hopeless = 5.0;

static double rate_of(int i)
{
    return least * pow(most / least, (double)i / (TRIES - 1));
}

/* Runs steps until the smoothed loss exceeds `hopeless` times its least value, or the loss is not
 * finite. Returns the number of rates with a loss. */
static int run_tries(struct training *t, struct rate_trial *tries)
{
    double average = 0.0, best = INFINITY;
    for (int i = 0; i < TRIES; i++) {
        struct step_result result;
        struct failure ignored = {0};
        training_fill(t, t->trainer.state.updates);
        t->trainer.settings.rate = rate_of(i);
        if (trainer_step(&t->trainer, NULL, &result, &ignored) != STATUS_OK)
            return i;
        average = smoothing * average + (1.0 - smoothing) * result.loss;
        tries[i] = (struct rate_trial){t->trainer.settings.rate, result.loss,
                                       average / (1.0 - pow(smoothing, i + 1))};
        best = fmin(best, tries[i].smoothed);
        if (tries[i].smoothed > hopeless * best)
            return i + 1;
    }
    return TRIES;
}

/* The trial at which the smoothed loss falls fastest; 0 if it never falls. */
static int steepest(const struct rate_trial *tries, int count)
{
    int at = 0;
    double slope = 0.0;
    for (int i = 1; i + 1 < count; i++) {
        const double here = tries[i + 1].smoothed - tries[i - 1].smoothed;
        if (here < slope) {
            slope = here;
            at = i;
        }
    }
    return at;
}

static void print_tries(FILE *out, const struct rate_trial *tries, int count)
{
    double high = 0.0;
    for (int i = 0; i < count; i++)
        high = fmax(high, tries[i].smoothed);
    screen_left(out, screen_text("rate"), 14);
    screen_left(out, screen_text("loss"), 14);
    fprintf(out, "%s\n", screen_text("smoothed"));
    for (int i = 0; i < count; i++) {
        const int width = high > 0.0 ? (int)(COLUMNS * tries[i].smoothed / high) : 0;
        fprintf(out, "%-14.3e%-14.5g%-14.5g%.*s\n", tries[i].rate, tries[i].loss, tries[i].smoothed,
                width, "##################################################");
    }
}

enum status training_find_rate(struct training *t, FILE *out, struct failure *f)
{
    struct rate_trial tries[TRIES];
    const double kept = t->trainer.settings.rate;
    const int count = run_tries(t, tries);
    const int at = steepest(tries, count);
    t->trainer.settings.rate = kept;
    if (count == 0)
        return fail(f, STATUS_WRONG, "--find-learning-rate: the loss is not finite at once");
    const enum status status = training_rows_rates(t, tries, count, at, f);
    if (!out)
        return status;
    print_tries(out, tries, count);
    char rate[32] = "";
    if (at > 0)
        snprintf(rate, sizeof rate, "%.2g", tries[at].rate);
    screen_say(out,
               at > 0 ? N_("suggestion: --learning-rate %{rate}, where the loss falls fastest\n\n")
                      : N_("suggestion: none, the loss never falls\n\n"),
               at > 0 ? WITH({"rate", rate}) : NULL);
    return status;
}
