/* Sentences that were made in English and kept so, in files and failures, for a reader of another
 * language: the sentence is compared with the texts of the catalogue. They come from the formats in
 * the sources that make such sentences, so that a format that is reworded asks for a translation.
 */
#ifndef MAXPOOL_WORDING_H
#define MAXPOOL_WORDING_H

#include "experiments/common/text/language.h"

#include <stddef.h>

/* The sentence in the language, by the texts of a context of the catalogue: "reason" or
 * "definition". Of several texts that fit, the one that says most is taken. A value is translated
 * in its turn where it is such a text, and so is what follows "NAME: ". All else stays as it is:
 * files, programs, numbers, and what a system call or a program said. */
void wording_translate(const struct language *l, const char *context, const char *sentence,
                       char *text, size_t size);

#endif
