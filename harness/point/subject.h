/* What a point measures if it is not one operator on an image but consists of many: a network
 * (networks/point/). The operation's row is then not in the table of operators, and the harness
 * calls the subject's functions below; options, samples, rounds, rows, statistics and output are
 * the same for all. */
#ifndef MAXPOOL_SUBJECT_H
#define MAXPOOL_SUBJECT_H

#include "harness/point/point.h"

struct subject {
    bool structures; /* its methods are structures of a program, not convolution methods */
    /* Instead of opening an image: sets the source, the point's subject, and the operation's image
     * and kind (a row that was made with the subject, if what it shows depends on the subject). */
    enum status (*find)(struct point *p, struct failure *f);
    /* Makes the verifier of the results with verifier_external(). */
    enum status (*make_verifier)(struct point *p, struct verifier **out, struct failure *f);
    /* `sample` replaces interleaved rounds if samples() returns true; NULL: never. */
    bool (*samples)(const struct point *p);
    enum status (*sample)(struct point *p, struct failure *f);
    /* Fills its own columns. */
    void (*fill_row)(struct record *r, const struct point *p);
    /* Print the lines of the summary before the times, which say what was measured; and those after
     * them. */
    void (*describe)(FILE *out, const struct point *p);
    void (*add_to_summary)(FILE *out, const struct point *p);
    /* Whether the output is to be shown too; and the function that shows it as a whole, called by
     * the root. */
    bool (*shows)(const struct point *p);
    void (*show)(FILE *out, const struct point *p, const float *map);
    /* Writes the other outputs after the samples; collective. */
    enum status (*deliver)(struct point *p, struct failure *f);
    /* Prints the available choices: --list-networks. */
    void (*list)(FILE *out);
    void (*release)(struct point *p);
};

#endif
