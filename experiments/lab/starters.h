/* Starters: files to begin with, labs/starters. */
#ifndef MAXPOOL_LAB_STARTERS_H
#define MAXPOOL_LAB_STARTERS_H

#include "harness/base/failure.h"

/* Writes the starter of the operator in the language that the file's suffix names. Status 2 for a
 * file that exists or a language without starters, 5 where it cannot be written. */
enum status lab_starter_write(const char *operator_name, const char *file, struct failure *f);

/* Writes DIR/lab.ini, a copy of labs/lab.ini, where there is none yet: the report needs it to show
 * the samples. Status 5. */
enum status lab_definition_write(const char *results, struct failure *f);

#endif
