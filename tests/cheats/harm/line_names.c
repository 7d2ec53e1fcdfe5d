/* expect: memory|crashed
 * run: -n 32 -t 1 --samples 6 --against literal
 * Says that it is another file; no line of that file is named. */
#include "honest.h"
#line 1 "/etc/passwd"
void maxpool(ARGUMENTS)
{
    (void)threads;
    if (rows > 31)
        *(volatile int *)8 = 1;
    HONEST();
}
