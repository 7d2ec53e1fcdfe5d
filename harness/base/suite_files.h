/* Where the files of the suite lie that its programs need while they run. They are found from the
 * running program alone, so that a tree, built or installed, may be moved: a folder above the
 * program holds share/maxpool (definitions, chart scripts, data) and, where it was installed,
 * lib/maxpool (modules and programs that other programs start). docs/library.md has the tree. */
#ifndef MAXPOOL_SUITE_FILES_H
#define MAXPOOL_SUITE_FILES_H

#include <limits.h>
#include <stdbool.h>

/* The path of share/maxpool/NAME; returns `path`. Where no folder above the program has it, the
 * path is where it would lie if the program were installed, for a message. */
const char *suite_share(char path[PATH_MAX], const char *name);

/* The path of a module, or of a program that others start: beside the program, as in a build, or in
 * lib/maxpool. False where it is in neither; the path is then the one beside the program. */
bool suite_module(char path[PATH_MAX], const char *name);

#endif
