/* The language of titles and reports. It is a value, because one process may write pages in several
 * languages. */
#ifndef MAXPOOL_LANGUAGE_H
#define MAXPOOL_LANGUAGE_H

#include "harness/base/failure.h"

struct catalogue;

struct language {
    char code[16];               /* "en", "es": the file po/CODE.po */
    struct catalogue *catalogue; /* NULL: English, as written in the sources */
};

extern const struct language language_english;

/* Finds the language of a code. Searches its catalogue in the folder that MAXPOOL_LOCALE names,
 * then in share/locale of the installation or the build that the program belongs to. The catalogue
 * is kept until the process ends; the same code always gives the same pointer. Status 2 if there is
 * no such language, 3 if this build has no catalogue of it. */
enum status language_find(const struct language **out, const char *code, struct failure *f);

#endif
