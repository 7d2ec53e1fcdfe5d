/* network_serial: one worker, the calling thread, computes every layer. */
#include "serial/serial.h"
#include "networks/point/network_run.h"

static enum status open_serial(const struct job *job, struct instance **out,
                               struct resources *resources, struct failure *f)
{
    struct team team;
    const enum status status = serial_open_team(job, &team, resources, f);
    return status == STATUS_OK ? network_open(job, team, out, resources, f) : status;
}

static const struct space space = {.name = "serial",
                                   .open = open_serial,
                                   .join = network_join,
                                   .poison = network_poison,
                                   .execute = network_execute,
                                   .execute_batch = network_execute_batch,
                                   .map = network_map,
                                   .close = network_close};

int main(int argc, char **argv)
{
    const struct program program = {.name = "network_serial",
                                    .kind = &network_row,
                                    .space = &space,
                                    .subject = &network_subject};
    return point_main(&program, argc, argv);
}
