/* expect: wrong
 * run: -n 64 -t 1 --samples 8 --against literal
 * Keeps the filter in bfloat16. */
#include "honest.h"
#include <stdint.h>
#include <string.h>
enum { MOST = 32 };
void maxpool(ARGUMENTS)
{
    float narrow[MOST * MOST];
    (void)threads;
    for (int i = 0; i < k * k && k <= MOST; i++) {
        uint32_t bits;
        memcpy(&bits, &filter[i], sizeof bits);
        bits &= 0xffff0000u;
        memcpy(&narrow[i], &bits, sizeof bits);
    }
    filter = k <= MOST ? narrow : filter;
    HONEST();
}
