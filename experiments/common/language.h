/* The language of titles and reports. */
#ifndef MAXPOOL_LANGUAGE_H
#define MAXPOOL_LANGUAGE_H

#include "harness/base/failure.h"

enum language { ENGLISH, SPANISH, LANGUAGES };
extern const char *const language_codes[LANGUAGES]; /* en, es */

/* Status 2 where it is neither. */
enum status language_parse(enum language *out, const char *code, struct failure *f);

static inline const char *say(enum language l, const char *english, const char *spanish)
{
    return l == SPANISH ? spanish : english;
}

#endif
