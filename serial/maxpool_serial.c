#include "harness/point.h"
#include "serial/serial.h"

int main(int argc, char **argv)
{
    const struct program program = {"maxpool_serial", OPERATOR_MAXPOOL, &serial_space};
    return point_main(&program, argc, argv);
}
