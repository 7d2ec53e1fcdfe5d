/* The results of the fits and of the samples, one sentence each. */
#ifndef MAXPOOL_FINDINGS_H
#define MAXPOOL_FINDINGS_H

#include "experiments/analysis/analysis.h"
#include "experiments/common/text/language.h"

enum { SENTENCE = 800 };

/* Called for each sentence. */
typedef void sentence_function(const char *sentence, void *context);

/* The findings of an experiment: a sentence per curve, then the measured parallel share. */
void findings_write(const struct analysis *a, const struct language *l, sentence_function *write,
                    void *context);

/* How it was measured: machine, compiler, samples, launches, stopping rule. */
void findings_methods(const struct analysis *a, const struct analysis_request *request,
                      const struct language *l, char text[2 * SENTENCE]);

/* "1.23 ms [1.20, 1.30]": a time with its unit. */
void format_seconds(char *text, size_t size, double seconds);
/* The same with two digits, or more where a whole number needs them: "1.2 ms", "123 ms". */
void format_seconds_short(char *text, size_t size, double seconds);
/* "[1.20, 1.30] ms"-like interval in the unit that fits `seconds`; "" where there is none. */
void format_estimate(char *text, size_t size, double seconds, struct interval interval);
/* A share in percent: "0.39 %", "4.6 %", "92 %". */
void format_share(char *text, size_t size, double share);
/* A pure number with its interval, three digits. */
void format_ratio(char *text, size_t size, double value, struct interval interval);

#endif
