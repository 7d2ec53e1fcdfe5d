/* The verdict on a map. The oracle reads the image from the source again, never from the memory
 * that the workers fill, so that a wrong band or halo cannot hide.
 *
 * A verifier covers the outputs that one process holds. For exact results it keeps one hash of the
 * expectations, made once per point, and compares it with the hash of each sample's map. If only a
 * bound applies, each method's first map is compared in full, its hash is trusted for the following
 * samples, and the last map is compared in full again. */
#ifndef MAXPOOL_VERIFY_H
#define MAXPOOL_VERIFY_H

#include "harness/space/operation.h"
#include "kernels/error_tally.h"

enum verify_mode { VERIFY_FULL, VERIFY_SAMPLED, VERIFY_NONE };

struct verifier;

/* The outputs to verify: [first, first + count) of the map, in linear order over planes, rows and
 * columns. */
struct verify_scope {
    int64_t first, count;
    const struct partition
        *partitions; /* one per method: sampled mode checks the edges of their shares */
    size_t partition_count;
};

/* Makes the expectations of a point. `op` and `source` must outlive the verifier. Sampled mode
 * checks the first and last rows, the rows on both sides of every edge between two workers, and
 * 4096 outputs chosen at random from the seed. A full verification that would take too long is
 * downgraded to sampled mode; verifier_downgraded reports it. */
enum status verifier_make(struct verifier **out, const struct operation *op, struct source *source,
                          const struct image_facts *facts, const struct verify_scope *scope,
                          enum verify_mode mode, uint64_t seed, struct failure *f);
void verifier_free(struct verifier *v); /* NULL is fine */

/* The errors of the map that was verified last, in this process. `layers` has a tally for each
 * layer of a network, or one for the whole map; the same number in every process. */
struct verdict_errors {
    const struct error_tally *layers;
    int count;                         /* 0: unknown */
    const struct error_tally *outputs; /* of a whole network, or NULL */
    const char *(*layer_name)(const void *context, int layer);
};

/* A verification that replaces an operator's oracle: its check, and the record's name for its
 * verdict. */
struct external_verifier {
    enum status (*verify)(void *context, const float *map, struct failure *f);
    const char *(*verdict)(const void *context);
    void (*release)(void *context);
    /* As verifier_errors(); NULL: it has none. */
    struct verdict_errors (*errors)(const void *context);
};

/* Makes a verifier that calls it; the context is released with it. `downgraded` as below. */
enum status verifier_external(struct verifier **out, const struct external_verifier *external,
                              void *context, bool downgraded, struct failure *f);

/* The output that the last verdict found wrong. */
struct wrong_output {
    int64_t index;           /* in verifier_check()'s order of outputs */
    int64_t plane, row, col; /* of the map, plane by plane */
    double expected, bound;  /* bound: largest allowed distance from `expected` */
    float found;
};

/* NULL if the last verdict found no wrong output. */
const struct wrong_output *verifier_wrong(const struct verifier *v);

bool verifier_downgraded(const struct verifier *v);

/* Returns the record's word for a good verdict: exact, bound, sampled_exact, sampled_bound or
 * none. */
const char *verifier_verdict(const struct verifier *v);

/* The errors of a map that was found right; in sampled mode, of the checked outputs. */
struct verdict_errors verifier_errors(const struct verifier *v);
const char *verifier_layer(const struct verifier *v, int layer); /* its name; "": none */

/* Verifies the outputs of the scope; map[0] is the first of them. STATUS_OK, STATUS_WRONG with the
 * first wrong output named in *f, or the status of a failed source. */
enum status verifier_check(struct verifier *v, const float *map, struct failure *f);

/* Compares bounded results in full again, after the last sample; returns STATUS_OK at once for
 * every other verdict. */
enum status verifier_check_last(struct verifier *v, const float *map, struct failure *f);

#endif
