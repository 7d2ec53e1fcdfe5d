/* MAXPOOL_FAULT=NAME in the environment chooses the fault of a run. Without it all copies behave
 * like the original kernels. An unknown name ends the run with status 2, a fault whose place was
 * never executed with status 3. */
#include "planted.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#define FAULT(name) #name,
static const char *const names[] = {
    "",
#include "generated/planted_list.h"
};
#undef FAULT

bool planted_reached;

static void report_unreached()
{
    if (planted_now == FAULT_NONE || planted_reached)
        return;
    fprintf(stderr, "planted: the place of %s was never executed\n", names[planted_now]);
    fflush(NULL);
    _Exit(3);
}

static enum planted_fault from_environment()
{
    const char *name = getenv("MAXPOOL_FAULT");
    if (!name)
        return FAULT_NONE;
    for (size_t i = 1; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0) {
            atexit(report_unreached);
            return (enum planted_fault)i;
        }
    fprintf(stderr, "planted: there is no fault %s\n", name);
    _Exit(2);
}

enum planted_fault planted_now = from_environment();
