#include "harness/point/point.h"
#include "peers/peers.h"
#include "serial/serial.h"

int main(int argc, char **argv)
{
    const struct program program = {"maxpool_serial", OPERATOR_MAXPOOL, &serial_space, &host_peers};
    return point_main(&program, argc, argv);
}
