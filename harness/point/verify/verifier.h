/* The parts of a verifier: correct values (expectation.c), randomly chosen outputs
 * (sampled_outputs.c) and verdicts (verify.c). Only these files include this header. */
#ifndef MAXPOOL_VERIFIER_H
#define MAXPOOL_VERIFIER_H

#include "harness/point/verify/verify.h"
#include "kernels/error_tally.h"
#include "kernels/oracle.h"

enum { TRUSTED = 64 }; /* maps */

/* One output to check in sampled mode. */
struct sampled_output {
    int64_t index;
    struct expectation expected;
};

struct verifier {
    const struct external_verifier
        *external; /* NULL, or what verifies instead of all that follows */
    void *context;
    const struct operation *op;
    struct source *source;
    int64_t first, count;
    enum verify_mode mode;
    bool exact, downgraded;
    uint64_t digest; /* of the expected map */
    /* For bounded results: hashes of maps that were compared in full. Methods round differently, so
     * that each has at least one; the oldest is replaced. */
    uint64_t trusted[TRUSTED];
    struct error_tally trusted_errors[TRUSTED];
    size_t trusted_count;
    struct error_tally tally; /* of the map that was verified last */
    struct sampled_output *sampled;
    size_t sampled_count;
    bool found_wrong;
    struct wrong_output wrong; /* if found_wrong */
};

/* ---- the correct values ---------------------------------------------------------------------- */

/* The part of the image that the oracle currently holds: elements row by row, plane by plane.
 * Zeroed, it is empty. */
struct oracle_band {
    float *data;     /* the owner frees it */
    size_t capacity; /* floats */
    struct region loaded;
};

/* Computes the expectations of `count` outputs of one map row, the first of them `index`. */
enum status expect_segment(const struct verifier *v, struct oracle_band *band, int64_t index,
                           int64_t count, struct expectation *out, struct failure *f);

/* Returns how many outputs of one map row the oracle should compute at a time. */
int64_t expect_width(const struct verifier *v);

/* Called with the expectations of the outputs [index, index + count); return false to end the
 * walk. */
typedef bool expectation_visitor(void *context, int64_t index, int64_t count,
                                 const struct expectation *expected);

/* Walks the outputs [first, first + count), segment by segment. */
enum status expect_walk(const struct verifier *v, int64_t first, int64_t count,
                        expectation_visitor *visit, void *context, struct failure *f);

/* Reports a wrong output. */
void report_wrong(struct verifier *v, int64_t index, struct expectation e, float found,
                  struct failure *f);

/* ---- sampled outputs ------------------------------------------------------------------------- */

/* Chooses the outputs of sampled mode and computes their expectations. */
enum status sampled_outputs_make(struct verifier *v, const struct verify_scope *scope,
                                 uint64_t seed, struct failure *f);
enum status sampled_outputs_check(struct verifier *v, const float *map, struct failure *f);

#endif
