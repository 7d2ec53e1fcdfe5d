/* An archive checked for consistency: with its seed, with its clock readings, with its hashes.
 * Nothing is measured. */
#ifndef MAXPOOL_CLASS_AUDIT_H
#define MAXPOOL_CLASS_AUDIT_H

#include "experiments/class/submission.h"
#include "experiments/common/text/language.h"

/* Adds a sentence of the language for each thing that does not fit, the first of its kind with its
 * place:
 *
 *  - files that are not those of the manifest; a source that was changed after the run; samples
 *    that are not those of the run;
 *  - rounds in which a method is missing or there twice; an order of methods that is not the one
 *    that the seed gives; methods that the run does not name;
 *  - a time that is not the difference of the two readings of the clock beside it; a sample that
 *    begins before the one before it ended;
 *  - a time below the machine's limit, where `study roofline` measured that;
 *  - one sample that is much faster than all others of its method.
 *
 * Status 4. */
enum status audit_check(const struct submission *s, const struct language *l, struct texts *faults,
                        struct failure *f);

#endif
