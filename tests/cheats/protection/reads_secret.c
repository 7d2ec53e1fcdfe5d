/* A kernel that is wrong if it can read a file of somebody else. */
#include "honest.h"
#include <stdio.h>
static int found;
__attribute__((constructor)) static void look(void)
{
    FILE *secret = fopen(SECRET, "r");
    found = secret != NULL;
}
void maxpool(ARGUMENTS)
{
    (void)threads;
    HONEST();
    if (found)
        map[0] = -1000.0f;
}
