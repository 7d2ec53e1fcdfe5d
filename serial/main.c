/* The programs of this space: compiled once for each operator, whose name the build tells. */
#include "harness/point/point.h"
#include "peers/peers.h"
#include "serial/serial.h"

int main(int argc, char **argv)
{
    const struct program program = {MAXPOOL_OPERATOR "_serial", operator_find(MAXPOOL_OPERATOR),
                                    &serial_space, &host_peers};
    return point_main(&program, argc, argv);
}
