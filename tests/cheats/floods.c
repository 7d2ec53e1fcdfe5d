/* expect: printed, printed more than
 * Prints a gigabyte. */
#include "honest.h"

#include <stdio.h>

void maxpool(ARGUMENTS)
{
    (void)threads;
    HONEST();
    for (long i = 0; i < 1L << 24; i++)
        puts("0123456789 0123456789 0123456789 0123456789 0123456789 01234567");
    fflush(stdout);
}
