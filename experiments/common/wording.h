/* Reasons that were put into words in English, and kept so, for a reader of another language. */
#ifndef MAXPOOL_WORDING_H
#define MAXPOOL_WORDING_H

#include "experiments/common/language.h"

#include <stddef.h>

/* The reason in the language; what is named in it (files, programs, numbers) stays as it is, and so
 * does a reason that the table does not know, such as what a system call or a program said. */
void wording_tell(enum language l, const char *english, char *text, size_t size);

#endif
