/* The OpenMP space: a team of threads, dealt statically, so that the thread that first touched a
 * share also computes it. */
#include "openmp/omp.h"

#include "harness/host.h"
#include "harness/machine.h"
#include "harness/record.h"

#include <omp.h>

/* Teams of one size keep their threads from region to region, so worker w is always thread w. */
static void run_team(int64_t workers, team_task *task, void *context)
{
#pragma omp parallel num_threads((int)workers)
    task(omp_get_thread_num(), context);
}

/* The size of team that the runtime really gives. A limit or an enclosing region can make it
 * smaller than asked, and then part of the map would have no worker. */
static int team_size(int threads)
{
    int size = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    size = omp_get_num_threads();
    return size;
}

struct binding {
    struct failure failure;
};

static void bind_worker(int64_t worker, void *context)
{
    struct binding *binding = context;
    struct failure f = {0};
    if (machine_bind_thread(worker, &f) == STATUS_OK)
        return;
#pragma omp critical(binding_failed)
    fail(&binding->failure, f.status, "%s", f.message);
}

static enum status bind_team(int64_t threads, struct failure *f)
{
    struct binding binding = {{0}};
    run_team(threads, bind_worker, &binding);
    if (binding.failure.status == STATUS_OK)
        return STATUS_OK;
    return fail(f, binding.failure.status, "%s", binding.failure.message);
}

static const char *inherited_binding(void)
{
    return omp_get_proc_bind() == omp_proc_bind_false ? machine_binding() : "inherited";
}

static enum status open_omp(const struct job *job, struct instance **out,
                            struct resources *resources, struct failure *f)
{
    const int threads = job->threads > 0 ? (int)job->threads : omp_get_max_threads();
    omp_set_dynamic(0);
    const int given = team_size(threads);
    if (given != threads)
        return fail(f, STATUS_RESOURCE,
                    "OpenMP gives a team of %d threads where %d were asked for (OMP_THREAD_LIMIT "
                    "or an enclosing parallel region)",
                    given, threads);
    resources->ranks = RECORD_NO_INT;
    resources->threads = threads;
    resources->nodes = 1;
    resources->launch = "plain";
    resources->bind = inherited_binding();
    if (job->bind_core) {
        enum status status = bind_team(threads, f);
        if (status != STATUS_OK)
            return status;
        resources->bind = "core";
    }
    return host_open(job, (struct team){threads, run_team}, out, resources, f);
}

const struct space omp_space = {.name = "omp",
                                .has_threads = true,
                                .open = open_omp,
                                .poison = host_poison,
                                .execute = host_execute,
                                .map = host_map,
                                .close = host_close};
