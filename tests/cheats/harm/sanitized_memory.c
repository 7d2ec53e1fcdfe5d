/* expect: correct
 * run: -n 32 -t 1 --check
 * Takes more memory than --memory allows where sanitizers check it: without the limit, a wrong
 * result. */
#include "honest.h"
#include <sys/mman.h>
#ifdef __SANITIZE_ADDRESS__ /* GCC */
#define SANITIZED
#elif defined __has_feature /* clang */
#if __has_feature(address_sanitizer)
#define SANITIZED
#endif
#endif
enum { PIECES = 40 };
void maxpool(ARGUMENTS)
{
    (void)threads;
    HONEST();
#ifdef SANITIZED
    int got = 0;
    static int tried;
    for (; !tried && got < PIECES; got++)
        if (mmap(NULL, (size_t)1 << 30, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                 0) == MAP_FAILED)
            break;
    tried = 1;
    if (got == PIECES)
        map[0] = -1000.0f;
#endif
}
