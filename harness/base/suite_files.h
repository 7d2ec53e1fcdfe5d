/* Finds the files that the programs of the suite need while they run. The search starts from the
 * running program alone, so that a built or installed tree may be moved. A folder above the program
 * contains share/maxpool (definitions, chart scripts, data) and, if installed, lib/maxpool (modules
 * and programs that other programs start). docs/library.md shows the tree. */
#ifndef MAXPOOL_SUITE_FILES_H
#define MAXPOOL_SUITE_FILES_H

#include "harness/base/failure.h"

#include <limits.h>
#include <stdbool.h>

/* Writes the path of share/maxpool/NAME and returns `path`. If no folder above the program has it,
 * the path is the one that it would have in an installation, for a message. */
const char *suite_share(char path[PATH_MAX], const char *name);

/* The path of an input: a relative name that the working folder lacks, and share/maxpool has, is
 * that of a file of the suite, such as tests/data/brain_axial.png. Returns `path`, or `name` as it
 * is. */
const char *suite_input(char path[PATH_MAX], const char *name);

/* Writes the path of a data file: below the folder that MAXPOOL_DATA in the environment names, for
 * programs that were moved away from it, otherwise below share/maxpool/data. Status 2, naming the
 * variable, if that folder does not have the file. */
enum status suite_data(char path[PATH_MAX], const char *name, struct failure *f);

/* Writes the path of a module, or of a program that other programs start: next to the program, as
 * in a build, or in lib/maxpool. Returns false if it is in neither; the path is then the one next
 * to the program. */
bool suite_module(char path[PATH_MAX], const char *name);

#endif
