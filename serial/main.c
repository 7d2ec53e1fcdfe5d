/* The main function of this space's programs. It is compiled once for each operator; the build
 * defines the operator's name. */
#include "harness/point/point.h"
#include "peers/peers.h"
#include "serial/serial.h"

int main(int argc, char **argv)
{
    const struct program program = {.name = MAXPOOL_OPERATOR "_serial",
                                    .kind = operator_find(MAXPOOL_OPERATOR),
                                    .space = &serial_space,
                                    .peers = &host_peers};
    return point_main(&program, argc, argv);
}
