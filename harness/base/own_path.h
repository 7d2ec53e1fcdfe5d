/* The path of the running program. */
#ifndef MAXPOOL_OWN_PATH_H
#define MAXPOOL_OWN_PATH_H

#include <limits.h>
#include <stdbool.h>

/* Writes the path, with links resolved; works without /proc too. Returns false if it cannot be
 * found. */
bool own_path(char path[PATH_MAX]);

#endif
