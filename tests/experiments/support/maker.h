/* What the programs that make up result sets share: a result folder with samples that scatter about
 * times of a known law. Such samples are for tests, never for results. */
#ifndef MAXPOOL_TEST_MAKER_H
#define MAXPOOL_TEST_MAKER_H

#include "harness/records/record.h"

#include <gsl/gsl_rng.h>

struct maker {
    const char *folder, *experiment;
    struct record_writer *writer;
    gsl_rng *rng;
    int runs;
    size_t launches; /* of each point */
    bool equal;      /* every point has the same time, whatever the law says */
    size_t points;   /* written so far */
    const char
        *as; /* experiment whose images it uses, so that their points are the same; NULL: none */
};

/* The law: sets a point's seconds by phase, and product_s and first_launch_s if they exist. */
typedef void maker_law(struct record *r);

/* Takes the folder from the command line, and as a second argument "equal". These functions print a
 * failure and end the program. */
void maker_open(struct maker *m, int argc, char **argv);
void maker_close(struct maker *m);

/* Samples written between the two calls belong to the experiment. */
void maker_begin(struct maker *m, const char *experiment);
void maker_end(struct maker *m);

/* Returns a point of maxpool_SPACE with one worker: 1024 x 1024, k = s = 2. */
struct record maker_blank(const char *space, const char *method);

/* Returns a point of network_SPACE with one worker: a batch of `images` images of side x side, in
 * colour from 64 pixels on, or of vectors of `side` values. */
struct record maker_network(const char *space, const char *network, int64_t images, int64_t side);

/* Writes the launches and samples of a point, with 1 % noise. */
void maker_point(struct maker *m, const struct record *r, maker_law *law);

#endif
