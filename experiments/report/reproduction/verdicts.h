/* A verdict for each claim of the documents. A rule decides, never a person: the claim's measure or
 * known answer, and the values that agree with it. A measured value agrees if its whole 95 %
 * interval lies among these values, disagrees if all of it lies outside, and is undecided
 * otherwise. Claims rest on ratios, shares, exponents and counts. */
#ifndef MAXPOOL_REPRODUCTION_VERDICTS_H
#define MAXPOOL_REPRODUCTION_VERDICTS_H

#include "experiments/report/report_data.h"
#include "experiments/report/reproduction/measures.h"
#include "theses/published/published_claims.h"
#include "theses/reproduce/answers.h"

enum verdict {
    VERDICT_AGREES,
    VERDICT_DISAGREES,
    VERDICT_UNDECIDED,      /* the interval holds both, the value is SUSPECT, or nothing was
                               measured */
    VERDICT_NOT_COMPARABLE, /* the document's protocol is another one: column `protocol` */
    VERDICT_NEEDS_GPU,      /* nothing was measured, and only a GPU can */
    VERDICTS
};
/* For programs: "agrees", "disagrees", "undecided", "not comparable", "needs a GPU"; message ids.
 */
extern const char *const verdict_names[VERDICTS];

struct claim_row {
    const struct published_claim *claim;
    enum verdict verdict;
    struct measure measure;           /* if the claim has one */
    struct taken taken;               /* found: what was measured */
    const struct report_data *source; /* in which it was found; NULL: in none */
    const struct experiment *experiment;
    struct answer answer; /* of a claim with a known answer; otherwise NaN and "" */
};

struct verdicts {
    struct published_claims claims;
    struct claim_row *all; /* owned; in the order of the file */
    size_t count;
    size_t of[SOURCES][VERDICTS];
};

/* Decides the claims of FOLDER/claims.csv by the samples of the `sources`, of which the first that
 * has a measure counts. Status 2, with file, line and column, for a malformed claim, measure or
 * answer; 4 if memory runs out. */
enum status verdicts_make(struct verdicts *out, const char *folder,
                          const struct report_data *const *sources, size_t count,
                          const struct language *l, struct failure *f);
void verdicts_release(struct verdicts *v);

/* The verdict on a value with its interval. */
enum verdict verdict_of(const struct published_claim *c, double value, struct interval interval);

/* True if rounding or cutting the number to the decimals of the digits gives these digits. */
bool digits_match(const char *digits, double number);

#endif
