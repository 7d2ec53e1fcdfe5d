/* maxpool_serial with a fault in one method, chosen by the environment variable FAULT. By default,
 * simd changes an output from its third execution on. "outside": simd writes just after the map
 * instead. A number: every execution reports that many seconds. "waits": every execution reports a
 * nanosecond, and the first 0.1 s more. Only tests run it. */
#include "harness/point/point.h"
#include "serial/serial.h"
#include "tests/harness/write_outside.h"

#include <stdlib.h>
#include <string.h>

static struct instance *faulty;

static void note_method(const struct operation *operation, struct instance *instance)
{
    if (strcmp(operation_method(operation), "simd") == 0)
        faulty = instance;
}

static enum status open_noting(const struct job *job, struct instance **out,
                               struct resources *resources, struct failure *f)
{
    const enum status status = serial_space.open(job, out, resources, f);
    note_method(job->operation, *out);
    return status;
}

static enum status join_noting(struct instance *first, const struct job *job, struct instance **out,
                               struct resources *resources, struct failure *f)
{
    const enum status status = serial_space.join(first, job, out, resources, f);
    note_method(job->operation, *out);
    return status;
}

static bool outside;

static enum status execute_wrong(struct instance *instance, struct phases *phases,
                                 struct failure *f)
{
    static int executions;
    int64_t first, count;
    const enum status status = serial_space.execute(instance, phases, f);
    float *map = (float *)serial_space.map(instance, &first, &count);
    if (instance == faulty && ++executions > 2 && outside)
        write_outside(map + count);
    else if (instance == faulty && executions > 2)
        map[count / 2] = -1e30f;
    return status;
}

static double recorded_s;

/* A batch reports the same, since its phases are per execution. */
static enum status execute_recorded(struct instance *instance, struct phases *phases,
                                    struct failure *f)
{
    const enum status status = serial_space.execute(instance, phases, f);
    phases->compute_s = phases->total_s = recorded_s;
    return status;
}

static enum status execute_batch_recorded(struct instance *instance, int64_t repeats,
                                          struct phases *phases, struct failure *f)
{
    const enum status status = serial_space.execute_batch(instance, repeats, phases, f);
    phases->compute_s = phases->total_s = recorded_s;
    return status;
}

/* Nothing waits: the reported time alone is longer. */
static enum status execute_waiting(struct instance *instance, struct phases *phases,
                                   struct failure *f)
{
    static bool waited;
    const enum status status = execute_recorded(instance, phases, f);
    if (!waited)
        phases->total_s += 0.1;
    waited = true;
    return status;
}

/* The serial space with the fault that FAULT names. */
static struct space space_with(const char *fault)
{
    struct space wrong = serial_space;
    const bool waits = strcmp(fault, "waits") == 0;
    recorded_s = waits ? 1e-9 : strtod(fault, NULL);
    wrong.execute = waits ? execute_waiting : execute_recorded;
    wrong.execute_batch = execute_batch_recorded;
    return wrong;
}

int main(int argc, char **argv)
{
    const char *fault = getenv("FAULT");
    struct space wrong = serial_space;
    outside = fault && strcmp(fault, "outside") == 0;
    wrong.open = open_noting;
    wrong.join = join_noting;
    wrong.execute = execute_wrong;
    wrong.execute_batch = NULL; /* no batches, so that every execution is counted */
    if (fault && !outside)
        wrong = space_with(fault);
    const struct program program = {
        .name = "wrong_serial", .kind = &maxpool_operator, .space = &wrong};
    return point_main(&program, argc, argv);
}
