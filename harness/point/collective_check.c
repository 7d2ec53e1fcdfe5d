/* With several processes: which of them prints messages, and one common status from the statuses of
 * all. */
#include "harness/base/signals.h"
#include "harness/point/point.h"

bool point_is_root(const struct point *p)
{
    return processes_are_root(p->program->space->processes);
}

enum status point_common_status(const struct point *p, enum status status, struct failure *f)
{
    return processes_common_status(p->program->space->processes, status, f);
}

void point_join_signals(const struct point *p)
{
    signals_join(processes_largest(p->program->space->processes, signals_caught()));
}
