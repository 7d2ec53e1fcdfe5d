/* The verdict on a map. The oracle reads the image from the source once more, never from the memory
 * the workers fill, so a wrong band or halo cannot hide.
 *
 * Exact expectations are kept as one hash per point, against which the hash of each sample's map is
 * held. Where only a bound applies, the first map is compared in full, its hash kept for the samples
 * that follow, and the last map is compared in full again. */
#ifndef MAXPOOL_VERIFY_H
#define MAXPOOL_VERIFY_H

#include "harness/operation.h"

enum verify_mode { VERIFY_FULL, VERIFY_SAMPLED, VERIFY_NONE };

struct verifier;

/* Makes the expectations of a point. `edges` are map rows, in linear order over planes, where one
 * worker's share ends and the next begins: sampled mode looks at them, at the first and the last row,
 * and at 4096 outputs drawn by the seed. A full verification that would take too many steps is
 * downgraded to sampled; *downgraded (may be NULL) says so. */
enum status verifier_make(struct verifier **out, const struct operation *op, struct source *source,
                          const struct image_facts *facts, enum verify_mode mode, uint64_t seed,
                          const int64_t *edges, size_t edge_count, bool *downgraded,
                          struct failure *f);
void verifier_free(struct verifier *v); /* NULL is fine */

/* What a good verdict of this verifier is called in the record: exact, bound, sampled_exact,
 * sampled_bound or none. */
const char *verifier_verdict(const struct verifier *v);

/* Outputs that one check looks at, and the operations per output kind of the oracle's work. */
int64_t verifier_outputs(const struct verifier *v);

/* Where a result was wrong. */
struct mismatch {
    int64_t plane, row, col;
    double expected, bound;
    float found;
};

/* Checks the outputs [first, first + count) of the map, in linear order, held in `map`. Ranks that
 * hold a part each check their own; *digest gets the sum of the part's hashes and *compared tells
 * whether it matters: then the caller adds the digests of all parts and passes the sum to
 * verifier_digest_good. Returns false, and fills *mismatch, where an output is wrong. */
bool verifier_check(struct verifier *v, const float *map, int64_t first, int64_t count,
                    uint64_t *digest, struct mismatch *mismatch);

/* Does the hash of a whole map agree? Always true where hashes do not apply. */
bool verifier_digest_good(struct verifier *v, uint64_t digest);

/* Compares part of a map with the oracle in full, output by output, whatever the mode. STATUS_WRONG
 * and the first mismatch where one is wrong. */
enum status verifier_compare(struct verifier *v, const float *map, int64_t first, int64_t count,
                             struct mismatch *mismatch, struct failure *f);

#endif
