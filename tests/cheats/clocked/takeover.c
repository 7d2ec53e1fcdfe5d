/* expect: wrong, never written
 * run: -n 256 -t 1 --samples 6 --against literal
 * Never returns: reads orders and writes notes itself, and computes when it gets an empty order.
 * Written when `study lab` was attacked as an enemy of a grader would. */
#include "honest.h"
#include <stdint.h>
#include <string.h>
#include <unistd.h>
struct order {
    int32_t ask, count, n[10];
    int64_t begin[3], bytes[3];
    int32_t lengths[3][4];
};
struct note {
    int32_t threads, sandboxed;
    uint64_t addr[3];
    uint64_t code[3];
    uint64_t crashed;
    double s;
    int32_t listener, by;
};
void maxpool(ARGUMENTS)
{
    HONEST();
    (void)threads;
    if (rows != 256)
        return;
    struct note n = {.threads = 1, .sandboxed = 1};
    struct order o;
    for (;;) {
        if (write(4, &n, sizeof n) != sizeof n)
            _exit(0);
        if (read(3, &o, sizeof o) != sizeof o)
            _exit(0);
        if (o.ask == 1)
            HONEST();
    }
}
