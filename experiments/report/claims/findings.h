/* The results of the fits and of the samples, one sentence each. */
#ifndef MAXPOOL_FINDINGS_H
#define MAXPOOL_FINDINGS_H

#include "experiments/analysis/analysis.h"
#include "harness/base/text/language.h"

enum { SENTENCE = 800 };

/* Called for each sentence. */
typedef void sentence_function(const char *sentence, void *context);

/* Writes the findings of an experiment: a sentence per curve, then the measured parallel share. */
void findings_write(const struct analysis *a, const struct language *l, sentence_function *write,
                    void *context);

/* A time with two digits, or more if a whole number needs them: "1.2 ms", "123 ms". */
void format_seconds_short(char *text, size_t size, double seconds);

#endif
