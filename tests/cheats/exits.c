/* expect: left, exit status 0
 * Ends the process as if all were well. */
#include "honest.h"

#include <stdlib.h>

void maxpool(ARGUMENTS)
{
    (void)threads;
    HONEST();
    exit(0);
}
