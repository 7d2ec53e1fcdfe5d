/* `study class new FOLDER`: what a teacher hands out. */
#ifndef MAXPOOL_CLASS_ASSIGNMENT_H
#define MAXPOOL_CLASS_ASSIGNMENT_H

#include "harness/base/failure.h"

/* Makes the folder with a starter, rubric.ini, a Makefile and instructions in English and Spanish,
 * from labs/class. Status 2 for a folder that is there, or another operator than those of the
 * laboratory; 3 where the templates are missing; 5. */
enum status assignment_make(const char *folder, const char *operator_name, struct failure *f);

#endif
