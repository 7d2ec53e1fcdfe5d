/* The language of titles and reports: a value, since one process may write pages in several. */
#ifndef MAXPOOL_LANGUAGE_H
#define MAXPOOL_LANGUAGE_H

#include "harness/base/failure.h"

struct catalogue;

struct language {
    char code[16];               /* "en", "es": the file po/CODE.po */
    struct catalogue *catalogue; /* NULL: English, as it stands in the sources */
};

extern const struct language language_english;

/* The language of a code. Its catalogue is looked for in the folder that MAXPOOL_LOCALE names, in
 * ../share/locale beside the program, and in the build folder; it is kept until the process ends,
 * and asking again gives the same pointer. Status 2 where there is no such language, 3 where this
 * build has no catalogue of it. */
enum status language_find(const struct language **out, const char *code, struct failure *f);

#endif
