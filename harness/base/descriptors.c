#include "harness/base/descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* The root folder exists everywhere, even without /dev. open() returns the lowest free descriptor:
 * this is fd, since all lower ones are open. */
void descriptors_secure(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF && open("/", O_RDONLY | O_DIRECTORY) != fd)
            return;
}
