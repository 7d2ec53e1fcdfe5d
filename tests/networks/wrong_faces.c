/* faces_serial with a fault: its last embedding, or one of its distances if FAULT is "distance", is
 * slightly wrong. Only tests run it. */
#include "networks/faces/faces.h"
#include "serial/serial.h"

#include <stdlib.h>
#include <string.h>

static enum status open_wrong(const struct job *job, struct instance **out,
                              struct resources *resources, struct failure *f)
{
    struct team team;
    const enum status status = serial_open_team(job, &team, resources, f);
    return status == STATUS_OK ? faces_open(job, team, out, resources, f) : status;
}

static enum status execute_wrong(struct instance *in, struct phases *phases, struct failure *f)
{
    const char *fault = getenv("FAULT");
    const enum status status = faces_execute(in, phases, f);
    if (fault && strcmp(fault, "distance") == 0)
        in->distances[in->run->images] *= 1.001f;
    else
        in->embeddings[in->run->images * faces_dimensions(in->run) - 1] += 0.001f;
    return status;
}

int main(int argc, char **argv)
{
    const struct space wrong = {.name = "serial",
                                .open = open_wrong,
                                .join = faces_join,
                                .poison = faces_poison,
                                .execute = execute_wrong,
                                .map = faces_map,
                                .close = faces_close};
    const struct program program = {
        .name = "wrong_faces", .kind = &faces_row, .space = &wrong, .subject = &faces_subject};
    return point_main(&program, argc, argv);
}
