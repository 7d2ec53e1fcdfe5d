/* The OpenMP space: a team of threads. A thread computes the share that it first touched; what a
 * slower thread has not begun, the others take (harness/space/shares.h). */
#include "openmp/omp.h"

#include "harness/machine/machine.h"
#include "harness/records/record.h"
#include "harness/space/oversubscription.h"
#include "openmp/held.h"

#include <errno.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Teams of one size keep their threads from region to region, so worker w is always thread w. */
static void run_team(int64_t workers, team_task *task, void *context)
{
    if (held_now()) {
        held_run(workers, task, context, true);
        return;
    }
#pragma omp parallel num_threads((int)workers)
    task(omp_get_thread_num(), context);
}

static void take_together(int64_t workers, team_task *task, void *context)
{
    if (held_now())
        held_run(workers, task, context, false);
    else
        run_team(workers, task, context);
}

static void hold_team(int64_t workers, void (*body)(void *context), void *context)
{
    if (held_now() || workers == 1)
        body(context);
    else
        held_hold(workers, body, context);
}

static const struct holding holding = {.hold = hold_team, .take = take_together};

static int starting; /* so many threads are being started */

/* GCC's runtime ends the process with status 1, that of a wrong result, if it cannot start a
 * thread. Clang's calls abort(). */
static void end_without_threads(void)
{
    struct failure f = {0};
    if (starting == 0)
        return;
    fail(&f, STATUS_RESOURCE,
         "OpenMP cannot start a team of %d threads here: fewer (-t), smaller stacks "
         "(OMP_STACKSIZE, ulimit -s), or more threads for this user (ulimit -u, pids.max)",
         starting);
    fprintf(stderr, "%s: %s\n", program_invocation_short_name, f.message);
    fflush(NULL); /* what _exit() would lose; handlers that were registered earlier do not run */
    _exit(f.status);
}

/* The team size that the runtime really provides. A limit or an enclosing region can make it
 * smaller than requested, and then part of the map would have no worker. */
static int team_size(int threads)
{
    static bool prepared;
    int size = 0;
    if (!prepared)
        prepared = atexit(end_without_threads) == 0;
    starting = threads;
#pragma omp parallel num_threads(threads)
#pragma omp single
    size = omp_get_num_threads();
    starting = 0;
    return size;
}

enum status omp_team(int64_t threads, struct team *team, struct failure *f)
{
    omp_set_dynamic(0);
    const int given = team_size((int)threads);
    if (given != threads)
        return fail(f, STATUS_RESOURCE,
                    "OpenMP gives a team of %d threads where %d were asked for (OMP_THREAD_LIMIT, "
                    "OMP_MAX_ACTIVE_LEVELS or an enclosing parallel region)",
                    given, (int)threads);
    *team = (struct team){threads, run_team, &holding};
    return held_open(threads, f);
}

/* Threads where none are asked for: what OpenMP gives (OMP_NUM_THREADS, otherwise the allowed
 * hardware threads, at most the CPU quota), within OMP_THREAD_LIMIT. */
static int64_t omp_default_threads(void)
{
    const double quota = machine_quota_cores();
    int64_t threads = omp_get_max_threads();
    if (quota > 0.0 && quota < (double)threads && !getenv("OMP_NUM_THREADS"))
        threads = quota < 1.0 ? 1 : (int64_t)quota;
    return threads < omp_get_thread_limit() ? threads : omp_get_thread_limit();
}

const char *omp_binding(void)
{
    return omp_get_proc_bind() == omp_proc_bind_false ? machine_binding() : "openmp";
}

/* Binds the team if the job requests it, and records what came of it. */
static enum status bind_team(const struct job *job, struct team team, struct resources *resources,
                             struct failure *f)
{
    struct core_set all;
    struct crowd most;
    enum status status = STATUS_OK;
    resources->bind = job->bind ? binding_options[job->bind] : omp_binding();
    if (job->bind)
        status = team_bind(team, 0, job->bind, f);
    if (status == STATUS_OK)
        status = team_crowd(team, &all, &most, f);
    if (status == STATUS_OK && most.workers > most.cores && most.cores > 0)
        record_oversubscription(resources, 0, most.workers, most.cores);
    return status;
}

enum status omp_open_team(const struct job *job, struct team *team, struct resources *resources,
                          struct failure *f)
{
    const int64_t threads = job->threads > 0 ? job->threads : omp_default_threads();
    enum status status = omp_team(threads, team, f);
    if (status != STATUS_OK)
        return status;
    resources->ranks = RECORD_NO_INT;
    resources->threads = threads;
    resources->nodes = 1;
    resources->launch = "plain";
    return bind_team(job, *team, resources, f);
}

static enum status open_omp(const struct job *job, struct instance **out,
                            struct resources *resources, struct failure *f)
{
    struct team team;
    const enum status status = omp_open_team(job, &team, resources, f);
    return status == STATUS_OK ? host_open(job, team, out, resources, f) : status;
}

const struct space omp_space = {.name = "omp",
                                .has_threads = true,
                                .open = open_omp,
                                .join = host_join,
                                .poison = host_poison,
                                .execute = host_execute,
                                .execute_batch = host_execute_batch,
                                .hold = host_hold,
                                .check_guards = host_check_guards,
                                .map = host_map,
                                .close = host_close};
