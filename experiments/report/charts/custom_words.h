/* Words for the axes of a chart of two columns. */
#ifndef MAXPOOL_CHARTS_CUSTOM_WORDS_H
#define MAXPOOL_CHARTS_CUSTOM_WORDS_H

#include "harness/base/text/messages.h"

#include <stddef.h>

/* Writes the words for a column of points in a language; for a column without words its name with
 * its unit. */
void custom_words(const struct language *language, const char *column, char *text, size_t size);

#endif
