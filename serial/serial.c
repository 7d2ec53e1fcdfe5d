/* The serial space: one worker, the calling thread, computes every output. */
#include "serial/serial.h"

#include "harness/machine/machine.h"
#include "harness/records/record.h"

enum status serial_open_team(const struct job *job, struct team *team, struct resources *resources,
                             struct failure *f)
{
    *team = (struct team){.workers = 1, .run = team_alone};
    resources->ranks = RECORD_NO_INT;
    resources->threads = 1;
    resources->nodes = 1;
    resources->launch = "plain";
    resources->bind = machine_binding();
    if (job->bind) {
        enum status status = machine_bind_thread(0, job->bind, f);
        if (status != STATUS_OK)
            return status;
        resources->bind = binding_options[job->bind];
    }
    return STATUS_OK;
}

static enum status open_serial(const struct job *job, struct instance **out,
                               struct resources *resources, struct failure *f)
{
    struct team team;
    const enum status status = serial_open_team(job, &team, resources, f);
    return status == STATUS_OK ? host_open(job, team, out, resources, f) : status;
}

const struct space serial_space = {.name = "serial",
                                   .has_threads = false,
                                   .open = open_serial,
                                   .join = host_join,
                                   .poison = host_poison,
                                   .execute = host_execute,
                                   .execute_batch = host_execute_batch,
                                   .check_guards = host_check_guards,
                                   .map = host_map,
                                   .close = host_close};
