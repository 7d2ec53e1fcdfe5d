/* Checks an archive for consistency with its seed, its clock readings and its hashes. Nothing is
 * measured. */
#ifndef MAXPOOL_CLASS_AUDIT_H
#define MAXPOOL_CLASS_AUDIT_H

#include "classroom/class/submission.h"
#include "harness/base/text/language.h"

/* Adds a sentence in language `l` for each inconsistency; of each kind only the first one, with its
 * place:
 *
 *  - files that differ from the manifest; a source that was changed after the run; samples
 *    that are not those of the run;
 *  - rounds in which a method is missing or occurs twice; an order of methods that the seed
 *    does not give; methods that the run does not name;
 *  - a time that is not the difference of its two clock readings; a sample that begins before
 *    the previous one ended;
 *  - a time below the machine's limit, where `study roofline` measured that limit;
 *  - one sample that is much faster than all others of its method.
 *
 * Status 4. */
enum status audit_check(const struct submission *s, const struct language *l, struct texts *faults,
                        struct failure *f);

#endif
