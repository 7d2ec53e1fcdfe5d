/* What a point measures if it is not one operator on an image but consists of many: a network
 * (networks/point/). The operation's row is then not in the table of operators, and the harness
 * calls the subject's functions below; options, samples, rounds, rows, statistics and output are
 * the same for all. */
#ifndef MAXPOOL_SUBJECT_H
#define MAXPOOL_SUBJECT_H

#include "harness/point/point.h"

struct subject {
    bool structures; /* its methods are structures of a program, not methods of convolutions */
    /* In place of the image: sets the source, the point's subject, and the operation's image and
     * kind: a row made with the subject, where what it shows depends on it. */
    enum status (*find)(struct point *p, struct failure *f);
    /* Makes the verifier of the results: verifier_external(). */
    enum status (*make_verifier)(struct point *p, struct verifier **out, struct failure *f);
    /* In place of interleaved rounds, where samples() says so; NULL: never. */
    bool (*samples)(const struct point *p);
    enum status (*sample)(struct point *p, struct failure *f);
    /* The columns of its own. */
    void (*fill_row)(struct record *r, const struct point *p);
    /* The lines of the summary before the times, what was measured; and those after them. */
    void (*describe)(FILE *out, const struct point *p);
    void (*add_to_summary)(FILE *out, const struct point *p);
    /* Whether what comes out is to be shown too, and the showing of it, whole, by the root. */
    bool (*shows)(const struct point *p);
    void (*show)(FILE *out, const struct point *p, const float *map);
    /* What else is to be written, once the samples are taken; collective. */
    enum status (*deliver)(struct point *p, struct failure *f);
    /* What there is to choose from: --list-networks. */
    void (*list)(FILE *out);
    void (*release)(struct point *p);
};

#endif
