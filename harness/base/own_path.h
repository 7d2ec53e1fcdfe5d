/* Where the running program lies. */
#ifndef MAXPOOL_OWN_PATH_H
#define MAXPOOL_OWN_PATH_H

#include <limits.h>
#include <stdbool.h>

/* Its path, links followed, without /proc too. False where nothing shows it. */
bool own_path(char path[PATH_MAX]);

#endif
