/* One worker, the calling thread, does all of the work. */
#include "serial/serial.h"
#include "networks/programs/work.h"

static enum status open_serial(const struct job *job, struct instance **out,
                               struct resources *resources, struct failure *f)
{
    struct team team;
    const enum status status = serial_open_team(job, &team, resources, f);
    return status == STATUS_OK ? work.open(job, team, out, resources, f) : status;
}

int main(int argc, char **argv)
{
    return work_main("serial", false, open_serial, argc, argv);
}
