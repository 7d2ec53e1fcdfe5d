#include "classroom/lab/hand_over.h"

#include "classroom/lab/checks.h"
#include "harness/base/statistics.h"

#include <math.h>
#include <stdlib.h>

const double lab_hand_over_most = 0.01;

/* The shortest of several empty orders: a busy machine lengthens most of them. */
static double shortest_echo(struct lab_worker *w)
{
    enum { ECHOES = 12 };
    const struct lab_order echo = {.ask = LAB_ECHO};
    double shortest = INFINITY, began, seconds;
    for (int i = 0; i < ECHOES && lab_worker_clock(w, &echo, &began, &seconds); i++)
        shortest = fmin(shortest, seconds);
    return shortest;
}

/* Compares the shortest of several calls, without the first one, and the shortest of as many empty
 * orders. */
static enum status try_some(struct lab_runner *runner, struct lab_input *in,
                            const struct lab_arrays *arrays, struct lab_shortest *out,
                            struct failure *f)
{
    enum { TRIES = 6 };
    struct lab_shortest least = {INFINITY, INFINITY};
    enum status status = STATUS_OK;
    struct lab_trial trial = {.verdict = LAB_CORRECT};
    for (int i = 0; status == STATUS_OK && i < TRIES && trial.verdict == LAB_CORRECT; i++) {
        const struct lab_trial_options options = {.seed = lab_fresh_seed(),
                                                  .max_value = lab_wide_integers};
        status = lab_try(runner, in, arrays, &options, &trial, f);
        if (i > 0) {
            least.kernel_s = fmin(least.kernel_s, trial.seconds);
            least.echo_s = fmin(least.echo_s, fmin(trial.echo_s, shortest_echo(&runner->worker)));
        }
    }
    if (status == STATUS_OK && trial.verdict == LAB_CORRECT)
        *out = least;
    return status;
}

enum status lab_shortest_find(struct lab_shortest *out, const struct foreign_sizes *size,
                              const struct operator_row *kind, const struct lab_start *how,
                              uint64_t seed, struct failure *f)
{
    struct lab_input in;
    struct lab_arrays arrays = {.descriptor = {-1, -1, -1}};
    struct lab_runner runner = {.threads = how->threads, .planar = true, .device = how->device};
    size_t bytes[LAB_ARRAYS];
    *out = (struct lab_shortest){NAN, NAN};
    enum status status = lab_input_open(&in, kind, size, seed, f);
    lab_input_bytes(&in, bytes);
    if (status == STATUS_OK)
        status = lab_arrays_open(&arrays, bytes, f);
    if (status == STATUS_OK)
        status = lab_runner_start(&runner, how, &arrays, f);
    if (status == STATUS_OK)
        status = try_some(&runner, &in, &arrays, out, f);
    lab_worker_end(&runner.worker);
    lab_arrays_close(&arrays);
    lab_input_close(&in);
    return status;
}

static enum status measure(const struct foreign_sizes *size, const struct operator_row *kind,
                           const struct lab_start *how, uint64_t seed, double *share,
                           struct failure *f)
{
    struct lab_shortest shortest;
    const enum status status = lab_shortest_find(&shortest, size, kind, how, seed, f);
    *share = shortest.echo_s / shortest.kernel_s;
    return status;
}

/* Doubles the sizes that the operator's defaults derive from n. */
static void grow(struct foreign_sizes *size, const struct operator_row *kind)
{
    size->rows *= 2;
    if (kind->foreign->usual.cols == 0)
        size->cols *= 2;
    if (size->filters > 0 && kind->foreign->usual.filters == 0)
        size->filters *= 2;
}

enum status lab_hand_over_settle(struct foreign_sizes *size, const struct operator_row *kind,
                                 const struct lab_start *how, uint64_t seed, double *share,
                                 struct failure *f)
{
    enum { DOUBLINGS = 2 };
    enum status status = measure(size, kind, how, seed, share, f);
    for (int i = 0; status == STATUS_OK && i<DOUBLINGS && * share> lab_hand_over_most; i++) {
        grow(size, kind);
        status = measure(size, kind, how, seed + 1, share, f);
    }
    return status;
}

bool lab_hand_over_is_used(const double *kernel_s, const double *own_s, size_t rounds,
                           double *shortest, double *usual)
{
    enum { ENOUGH = 10 };
    static const double most_times = 10.0;
    double longest = 0.0, *sorted = calloc(rounds + 1, sizeof *sorted);
    *shortest = INFINITY;
    *usual = NAN;
    if (!sorted)
        return false;
    for (size_t i = 0; i < rounds; i++) {
        sorted[i] = own_s[i];
        longest = fmax(longest, own_s[i]);
        *shortest = fmin(*shortest, kernel_s[i]);
    }
    *usual = median_of(sorted, rounds);
    free(sorted);
    return rounds >= ENOUGH && *usual > 0.0 && *shortest >= fmax(longest, most_times * *usual);
}
