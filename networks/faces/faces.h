/* Faces: a network without its classifier turns every picture of a folder into a vector, its
 * embedding. The result is all Euclidean distances between the vectors: 0 on the diagonal, small
 * between pictures of one face. Four programs compute this same result (--structure):
 *
 * - reload: for each picture, reads the network again, embeds the picture, and compares it with
 *   those before it, all in one loop; the program that somebody wrote first
 * - once: the same loop, but the network is read once before it
 * - split: a loop for the embeddings, then one for the distances
 * - batched: batches of pictures through the network, and distances by the operator's `gram`
 *
 * Reading the network and the pictures is part of every execution: the structures differ in it. */
#ifndef MAXPOOL_FACES_H
#define MAXPOOL_FACES_H

#include "harness/point/subject.h"
#include "harness/records/timeline.h"
#include "harness/space/host.h"
#include "networks/forward.h"

/* What all structures share. */
struct faces_run {
    struct operator_row row; /* first: faces_row, whose functions find the run around it */
    struct network network;  /* ends before its classifier, if that is requested */
    const char *weights;     /* the file; NULL: seeded */
    uint64_t seed;
    int64_t images, batch; /* number of pictures; most pictures per batch of `batched` */
    struct timeline *timeline;
};

/* The defaults: slices of a brain, and pictures per batch. */
enum { FACES_SLICES = 500, FACES_BATCH = 20 };
#define FACES_INPUT "brain_planes" /* as records name them */

/* The shape of all pictures together. */
struct image_shape faces_images_shape(const struct faces_run *run);

/* Floats of one embedding. */
int64_t faces_dimensions(const struct faces_run *run);

/* Reads pictures [first, first + count) of the source, as the network takes them. */
enum status faces_images(const struct faces_run *run, struct source *source, int64_t first,
                         int64_t count, float *images, struct failure *f);

/* The parts of an execution whose seconds are measured. */
enum faces_part { FACES_NETWORK, FACES_IMAGES, FACES_EMBEDDING, FACES_DISTANCES, FACES_PARTS };
extern const char *const faces_part_words[FACES_PARTS];

struct instance {
    const struct faces_run *run;
    const struct operation *operation;
    struct source *source;
    struct team team;
    float *parameters, *images; /* of the network; of one batch */
    float *embeddings;          /* images x dimensions */
    float *distances;           /* images x images */
    struct forward forward;     /* open while the network is */
    double parts_s[FACES_PARTS];
    double fastest_s, fastest_parts_s[FACES_PARTS]; /* the fastest execution */
};

/* Runs the structure of that name once. */
enum status faces_structure_run(struct instance *in, const char *name, struct failure *f);

/* Opens the network of an instance for batches of `batch` pictures: reads the parameters, plans and
 * packs. Call faces_close_network in the end, also after a failure. */
enum status faces_open_network(struct instance *in, int64_t batch, struct failure *f);
void faces_close_network(struct instance *in);

/* Pictures per batch, if all pictures go through in batches of nearly equal size, at most
 * `run->batch`. */
int64_t faces_together(const struct faces_run *run);

/* Used instead of a row of the operators' table; its methods are the structures. */
extern const struct operator_row faces_row;
extern const struct subject faces_subject;

static inline struct faces_run *faces_run_of(const struct point *p)
{
    return p->subject;
}

/* The run that contains the row of this operation's operator. */
static inline const struct faces_run *faces_run_around(const struct operation *op)
{
    return (const struct faces_run *)op->kind;
}

/* The verifier of a point: networks/faces/verify.c. */
enum status faces_verifier_make(struct point *p, struct verifier **out, struct failure *f);

/* ---- the space's functions --------------------------------------------------------------------
 */

enum status faces_open(const struct job *job, struct team team, struct instance **out,
                       struct resources *resources, struct failure *f);
enum status faces_join(struct instance *first, const struct job *job, struct instance **out,
                       struct resources *resources, struct failure *f);
void faces_poison(struct instance *instance);
enum status faces_execute(struct instance *instance, struct phases *phases, struct failure *f);
const float *faces_map(const struct instance *instance, int64_t *first, int64_t *count);
void faces_close(struct instance *instance);

#endif
