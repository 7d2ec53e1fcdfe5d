#include "harness/machine/switches.h"

#include <sys/resource.h>

int64_t switches_involuntary(void)
{
    struct rusage use;
    return getrusage(RUSAGE_SELF, &use) == 0 ? (int64_t)use.ru_nivcsw : 0;
}
