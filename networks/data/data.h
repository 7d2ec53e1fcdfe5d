/* Data sets to train with. Each is one row, in a file of its own. */
#ifndef MAXPOOL_DATA_H
#define MAXPOOL_DATA_H

#include "harness/base/failure.h"
#include "harness/image/image.h"
#include "networks/layer.h"

#include <stdbool.h>
#include <stdint.h>

/* Samples: an image each, and a class or `outputs` values. */
struct data_part {
    int64_t count;
    float *images;      /* count x elements */
    int32_t *labels;    /* count; NULL: targets are values */
    float *values;      /* count x outputs; NULL: they are classes */
    float *persistence; /* count: what one would say who expects no change; NULL: no such thing */
    float *predicted;   /* count: where evaluate() leaves a sample's first output; NULL: nowhere */
    int64_t of_a_day; /* so many samples in turn are of one day and no other has any; 0: no days */
};

/* DATA_SERIES: moments one after another, that nothing is chosen or trained by. */
enum data_parts { DATA_TRAIN, DATA_VALIDATION, DATA_TEST, DATA_PARTS, DATA_SERIES = DATA_PARTS };

struct data {
    const char *name;
    struct tensor_shape shape; /* of an image */
    int64_t outputs;           /* classes, or values of a target */
    bool classes;
    struct data_part parts[DATA_SERIES + 1]; /* those that there are not have a count of 0 */
    double series_begin_s, series_apart_s;   /* seconds of the day, and from one to the next */
};

/* What is asked of a data set. */
struct data_request {
    const char *name;          /* brain_planes, solar, random, or an .npy file */
    const char *labels;        /* NULL, or the .npy file of the targets */
    struct tensor_shape input; /* of the network */
    int64_t outputs;           /* likewise */
    int64_t batch;
    uint64_t seed;
    bool blank; /* the values of random data are not made: nobody reads them */
};

/* Makes or reads it. Status 2 where it does not go with the network, has fewer samples than a
 * batch, a label that is no class, or a value that is not finite. Released by data_release, also
 * after a failure. */
enum status data_open(struct data *d, const struct data_request *request, struct failure *f);
void data_release(struct data *d);

/* The hash of the samples to train with: images and targets. */
uint64_t data_hash(const struct data *d);

/* Writes the samples to train with: PREFIX.images.npy and PREFIX.targets.npy, which --data and
 * --labels take. Status 5 where that cannot be. */
enum status data_save(const struct data *d, const char *prefix, struct failure *f);

/* For the rows. Memory for a part's samples. */
enum status data_allocate(struct data *d, enum data_parts part, int64_t count, struct failure *f);

enum status data_brain_planes(struct data *d, const struct data_request *r, struct failure *f);
enum status data_solar(struct data *d, const struct data_request *r, struct failure *f);
enum status data_random(struct data *d, const struct data_request *r, struct failure *f);
enum status data_files(struct data *d, const struct data_request *r, struct failure *f);

/* Reads all of an .npy file: its values, and their shape, 0 after a failure. Release with free().
 */
enum status data_read(const char *path, float **values, struct image_shape *shape,
                      struct failure *f);

static inline int64_t data_elements(struct image_shape s)
{
    return s.planes * s.rows * s.cols;
}

/* Every label a class of `classes`; status 2 names the file and the first that is none. */
enum status data_labels(const char *path, const float *values, int64_t count, int64_t classes,
                        int32_t *labels, struct failure *f);

#endif
