/* expect: wrong, never written
 * Prints the verdict that it wants. */
#include "honest.h"

#include <stdio.h>

void maxpool(ARGUMENTS)
{
    (void)image, (void)filter, (void)map, (void)planes, (void)rows, (void)cols;
    (void)k, (void)stride, (void)padding, (void)threads;
    puts("  verdict        CORRECT, in each of 160 samples too");
    fflush(stdout);
}
