#include "experiments/limits/peaks.h"

#include "experiments/limits/thread_team.h"
#include "harness/machine/memory.h"

#include <stdlib.h>

const struct peak peaks[] = {
    {"multiply_add", ISA_VARIANTS(loop_multiply_add)},
    {"maximum", ISA_VARIANTS(loop_maximum)},
    {"product", ISA_VARIANTS(loop_product)},
};
const size_t peak_count = sizeof peaks / sizeof *peaks;

enum { STEPS = 1000 }; /* per repetition; the cost of starting the loop is negligible */

/* One worker's values, on cache lines that no other worker touches. */
struct calculator {
    _Alignas(64) float values[LOOP_VALUES];
    double operations; /* of one repetition */
};

struct calculation {
    peak_loop *loop;
    struct calculator *calculators;
};

static void set_values(void *context, int64_t worker)
{
    const struct calculation *p = context;
    for (int i = 0; i < LOOP_VALUES; i++)
        p->calculators[worker].values[i] = (float)(i + 1) / (2.0f * LOOP_VALUES);
}

static void calculate(void *context, int64_t worker, size_t repeats)
{
    const struct calculation *p = context;
    struct calculator *mine = &p->calculators[worker];
    for (size_t i = 0; i < repeats; i++)
        mine->operations = p->loop(STEPS, mine->values);
}

enum status peak_measure(size_t peak, enum isa isa, int64_t workers, double *operations,
                         struct visits *visits, struct failure *f)
{
    struct calculation p = {.loop = peaks[peak].run[isa]};
    enum status status = memory_allocate((void **)&p.calculators,
                                         (size_t)workers * sizeof *p.calculators, "the workers", f);
    const struct team_task task = {set_values, calculate, &p};
    if (status == STATUS_OK)
        status = thread_team_measure(&task, workers, &visits->repeats,
                                     &visits->seconds[visits->count], f);
    if (status == STATUS_OK) {
        visits->count++;
        *operations = p.calculators[0].operations * (double)workers;
    }
    free(p.calculators);
    return status;
}
