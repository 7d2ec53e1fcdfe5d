/* Restricts this process to named paths by a root folder of its own, for systems without Landlock.
 */
#ifndef MAXPOOL_LAB_OWN_ROOT_H
#define MAXPOOL_LAB_OWN_ROOT_H

#include <stdbool.h>

/* Replaces the root folder by an empty one in memory, into which the paths of the lists (one per
 * line; those that do not exist are left out) are mounted read-only under their own names, and
 * `writable` (NULL: nothing) writable. Then nothing else has a name. Needs the right to mount, in a
 * user namespace of its own or as root, and Linux 5.12. Safe between fork and exec. Returns false
 * if that is impossible; the process must then be taken as not restricted. */
bool own_root_enter(const char *system, const char *own, const char *readable,
                    const char *writable);

#endif
