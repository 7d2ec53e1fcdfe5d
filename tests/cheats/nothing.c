/* expect: wrong, never written
 * Computes nothing. */
#include "honest.h"

void maxpool(ARGUMENTS)
{
    (void)image, (void)filter, (void)map, (void)planes, (void)rows, (void)cols;
    (void)k, (void)stride, (void)padding, (void)threads;
}
