/* Restricts this process to named files: by Landlock (Linux 5.13), where the kernel has it,
 * otherwise by a root folder of its own. */
#ifndef MAXPOOL_LAB_READABLE_H
#define MAXPOOL_LAB_READABLE_H

#include <stdbool.h>

/* Whether the kernel has Landlock. Without it readable_only() needs the right to mount. */
bool readable_by_landlock(void);

/* From now on this thread, and every thread and process that it starts, may read and execute only
 * what is below the system's folders (/usr, /lib, /etc/ld.so.cache, facts about processors) and the
 * given paths, and may change only what is below `writable` (NULL: nothing). Without `writable` it
 * may also read /proc/self; a compiler, whose environment is the user's, may not. By Landlock, it
 * also may not connect or listen by TCP, nor signal a process outside. `readable` is a list of
 * absolute paths, one per line; paths that do not exist are left out. Safe between fork and exec.
 * Returns false if neither is possible; the files are then not restricted. */
bool readable_only(const char *readable, const char *writable);

#endif
