/* `study class new FOLDER`: makes the files that a teacher hands out. */
#ifndef MAXPOOL_CLASS_ASSIGNMENT_H
#define MAXPOOL_CLASS_ASSIGNMENT_H

#include "harness/base/failure.h"

/* Makes the folder with a starter, rubric.ini, a Makefile and instructions in English and Spanish,
 * from labs/class; comments are in the language `code`, such as "es", as far as there are files in
 * it. Status 2 if the folder exists or `study lab` does not have the operator; 3 if a
 * template is missing; 5. */
enum status assignment_make(const char *folder, const char *operator_name, const char *code,
                            struct failure *f);

#endif
