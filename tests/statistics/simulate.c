/* Simulates what the statistics of the study promise, and prints the table of
 * docs/details/statistics_simulated.md. simulate            the short form; status 1 if a row is
 * outside its limits simulate TEXT       the sections whose title contains TEXT MAXPOOL_LONG=1 ten
 * times as many draws and narrower limits Seeds are fixed: the same build prints the same table. */
#include "tests/experiments/support/synthetic.h"
#include "tests/statistics/rows.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { SEED = 35, SHORT = 600, LONG = 6000 };

/* Three standard errors; a fraction that deviates by more is no accident. */
static double slack(double share, size_t draws)
{
    return 3.0 * sqrt(fmax(share * (1.0 - share), 0.01) / (double)draws);
}

static bool run_row(const struct row *row, gsl_rng *rng)
{
    const size_t wanted = (long_run() ? LONG : SHORT) / row->cost;
    size_t draws = 0;
    double sum = 0.0;
    gsl_rng_set(rng, SEED); /* a row does not depend on the rows before it */
    for (size_t i = 0; i < wanted; i++) {
        const double kept = row->draw(rng, row->with);
        draws += !isnan(kept);
        sum += isnan(kept) ? 0.0 : kept;
    }
    const double share = sum / (double)draws;
    const bool good = share >= row->least - slack(row->least, draws) &&
                      share <= row->most + slack(row->most, draws);
    printf("| %s | %s | %.1f %% | %zu |\n", row->what, row->promised, 100.0 * share, draws);
    if (!good)
        fprintf(stderr, "%s: %.3f is not between %g and %g\n", row->what, share, row->least,
                row->most);
    return good;
}

int main(int argc, char **argv)
{
    static const struct section *const sections[] = {
        &rows_of_points, &rows_of_again,       &rows_of_sessions, &rows_of_best,
        &rows_of_fits,   &rows_of_comparisons, &rows_of_duets,    &rows_of_ceilings,
        &rows_of_order,  &rows_of_disturbances};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    bool good = rng != NULL, begun = false;
    for (size_t i = 0; rng && i < sizeof sections / sizeof *sections; i++) {
        if (argc > 1 && !strstr(sections[i]->title, argv[1]))
            continue;
        printf("%s| %s | promised | found | draws |\n|---|---|---|---|\n", begun ? "\n" : "",
               sections[i]->title);
        begun = true;
        for (size_t j = 0; j < sections[i]->count; j++)
            good = run_row(&sections[i]->rows[j], rng) && good;
    }
    gsl_rng_free(rng);
    return good ? 0 : 1;
}
