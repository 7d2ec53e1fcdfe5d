/* Starters: files to begin with, labs/starters. */
#ifndef MAXPOOL_LAB_STARTERS_H
#define MAXPOOL_LAB_STARTERS_H

#include "harness/base/failure.h"

/* Writes the starter of the operator in the language that the file's suffix names. Status 2 for a
 * file that exists or a language without starters, 5 where it cannot be written. */
enum status lab_starter_write(const char *operator_name, const char *file, struct failure *f);

/* Copies a file of labs/. Status 3 where it is not installed, 5 where it cannot be written. */
enum status lab_data_copy(const char *name, const char *path, struct failure *f);

#endif
