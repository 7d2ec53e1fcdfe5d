/* Translates sentences that were composed in English and are stored so, in files and failures: a
 * sentence is compared with the texts of the catalogue. Those texts come from the formats in the
 * sources that compose the sentences, so that a changed format needs a new translation. */
#ifndef MAXPOOL_WORDING_H
#define MAXPOOL_WORDING_H

#include "harness/base/text/language.h"

#include <stddef.h>

/* Writes the sentence in language `l`, with the texts of one context of the catalogue: "reason" or
 * "definition". If several texts match, the one with the most letters outside its places is taken.
 * A value is translated too if it is such a text, and so is what follows "NAME: ". Everything else
 * remains unchanged: files, programs, numbers, and messages of system calls and programs. */
void wording_translate(const struct language *l, const char *context, const char *sentence,
                       char *text, size_t size);

/* A reason in the language of the screen. */
struct screen_wording {
    char text[2048];
};
struct screen_wording wording_on_screen(const char *reason);

/* Prints "PROGRAM: MESSAGE" and a newline on standard error, the message in the language of the
 * screen. */
void wording_complain(const char *program, const char *message);

/* The same of a message that is composed here. */
void wording_warn(const char *program, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
