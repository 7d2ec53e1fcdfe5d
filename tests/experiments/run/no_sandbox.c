/* For lab_unprotected: the worker of `study lab` without its sandbox, with which lab_cost compares.
 */
#include "classroom/lab/worker/sandbox.h"

int sandbox_files(const char *readable)
{
    (void)readable;
    return 0;
}

void sandbox_rights(void)
{
}

int sandbox_calls(int already, enum sandbox_list list)
{
    (void)list;
    return already;
}
