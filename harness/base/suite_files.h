/* Finds the files that the programs of the suite need while they run. The search starts from the
 * running program alone, so that a built or installed tree may be moved. A folder above the program
 * contains share/maxpool (definitions, chart scripts, data) and, if installed, lib/maxpool (modules
 * and programs that other programs start). docs/library.md shows the tree. */
#ifndef MAXPOOL_SUITE_FILES_H
#define MAXPOOL_SUITE_FILES_H

#include <limits.h>
#include <stdbool.h>

/* Writes the path of share/maxpool/NAME and returns `path`. If no folder above the program has it,
 * the path is the one that it would have in an installation, for a message. */
const char *suite_share(char path[PATH_MAX], const char *name);

/* Writes the path of a module, or of a program that other programs start: next to the program, as
 * in a build, or in lib/maxpool. Returns false if it is in neither; the path is then the one next
 * to the program. */
bool suite_module(char path[PATH_MAX], const char *name);

#endif
