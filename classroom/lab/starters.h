/* Starters: correct, slow kernels to begin with, from labs/starters. */
#ifndef MAXPOOL_LAB_STARTERS_H
#define MAXPOOL_LAB_STARTERS_H

#include "harness/base/failure.h"

#include <limits.h>

/* Finds a text of labs/FOLDER in the language `code`, such as "es", or else the one that is for all
 * languages; returns `path`. */
const char *lab_text_find(char path[PATH_MAX], const char *folder, const char *name,
                          const char *code);

/* Writes the starter of the operator in the programming language of the file's suffix, with
 * comments in the language `code` if there is one; in C, an empty function if there is none. Status
 * 2 if the file exists or there is no starter for the suffix, 5 if it cannot be written. */
enum status lab_starter_write(const char *operator_name, const char *code, const char *file,
                              struct failure *f);

/* Copies a file of labs/. Status 3 if it is not installed, 5 if it cannot be written. */
enum status lab_data_copy(const char *name, const char *path, struct failure *f);

#endif
