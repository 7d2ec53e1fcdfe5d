/* expect: wrong, never written
 * Would be right if it could ask another machine. */
#include "honest.h"

#include <sys/socket.h>

void maxpool(ARGUMENTS)
{
    (void)threads;
    if (socket(AF_INET, SOCK_STREAM, 0) >= 0)
        HONEST();
}
