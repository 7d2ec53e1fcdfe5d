#include "harness/point.h"
#include "serial/serial.h"

int main(int argc, char **argv)
{
    const struct program program = {"matmul_serial", OPERATOR_MATMUL, &serial_space};
    return point_main(&program, argc, argv);
}
