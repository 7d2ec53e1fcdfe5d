/* The verdict on a map. The oracle reads the image from the source once more, never from the memory
 * the workers fill, so a wrong band or halo cannot hide.
 *
 * A verifier covers the outputs that one process holds. Exact expectations are kept as one hash,
 * made once per point, against which the hash of each sample's map is held. Where only a bound
 * applies, each method's first map is compared in full, its hash is trusted for the samples that
 * follow, and the last map is compared in full again. */
#ifndef MAXPOOL_VERIFY_H
#define MAXPOOL_VERIFY_H

#include "harness/space/operation.h"
#include "kernels/error_tally.h"

enum verify_mode { VERIFY_FULL, VERIFY_SAMPLED, VERIFY_NONE };

struct verifier;

/* What is to be verified: the map's outputs [first, first + count) in linear order over planes,
 * rows and columns. */
struct verify_scope {
    int64_t first, count;
    const struct partition
        *partitions; /* whose shares' edges sampled mode looks at: one of each method */
    size_t partition_count;
};

/* Makes the expectations of a point. `op` and `source` must outlive the verifier. Sampled mode
 * looks at the first and last rows, at the rows on both sides of every edge between two workers,
 * and at 4096 outputs drawn by the seed. A full verification that would take too long is downgraded
 * to sampled; verifier_downgraded says so. */
enum status verifier_make(struct verifier **out, const struct operation *op, struct source *source,
                          const struct image_facts *facts, const struct verify_scope *scope,
                          enum verify_mode mode, uint64_t seed, struct failure *f);
void verifier_free(struct verifier *v); /* NULL is fine */

/* How far the map that was verified last is from what is right, in this process. `layers` holds a
 * tally of each layer of a network, or one of the whole map; as many in every process. */
struct verdict_errors {
    const struct error_tally *layers;
    int count;                         /* 0: nothing is known */
    const struct error_tally *outputs; /* of a network as a whole, or NULL */
    const char *(*layer_name)(const void *context, int layer);
};

/* Another verification instead of an operator's oracle: what is right, and what the record
 * calls it.
 */
struct external_verifier {
    enum status (*verify)(void *context, const float *map, struct failure *f);
    const char *(*verdict)(const void *context);
    void (*release)(void *context);
    /* As verifier_errors(); NULL: it has none. */
    struct verdict_errors (*errors)(const void *context);
};

/* A verifier that calls it; the context is released with it. `downgraded` as below. */
enum status verifier_external(struct verifier **out, const struct external_verifier *external,
                              void *context, bool downgraded, struct failure *f);

/* The output that the last verdict found wrong. */
struct wrong_output {
    int64_t index;           /* as verifier_check() counts outputs */
    int64_t plane, row, col; /* of the map, plane by plane */
    double expected, bound;  /* how far from the expectation it may be */
    float found;
};

/* NULL where the last verdict found none. */
const struct wrong_output *verifier_wrong(const struct verifier *v);

bool verifier_downgraded(const struct verifier *v);

/* What the record calls a good verdict: exact, bound, sampled_exact, sampled_bound or none. */
const char *verifier_verdict(const struct verifier *v);

/* Of a map that was found right; of one that was sampled, of the outputs that were looked at. */
struct verdict_errors verifier_errors(const struct verifier *v);
const char *verifier_layer(const struct verifier *v, int layer); /* its name; "": none has one */

/* Verifies the outputs of the scope, map[0] being the first. STATUS_OK, STATUS_WRONG with the first
 * wrong output named in *f, or the status of a source that failed. */
enum status verifier_check(struct verifier *v, const float *map, struct failure *f);

/* The second full comparison of bounded results, after the last sample; STATUS_OK at once for every
 * other verdict. */
enum status verifier_check_last(struct verifier *v, const float *map, struct failure *f);

#endif
