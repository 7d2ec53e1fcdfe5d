/* Data sets for training. Each is one row, in its own file. */
#ifndef MAXPOOL_DATA_H
#define MAXPOOL_DATA_H

#include "harness/base/failure.h"
#include "harness/image/image.h"
#include "networks/layer.h"

#include <stdbool.h>
#include <stdint.h>

/* Samples: images, each with a class or with `outputs` values. */
struct data_part {
    int64_t count;
    float *images;      /* count x elements */
    int32_t *labels;    /* count; NULL: targets are values */
    float *values;      /* count x outputs; NULL: targets are classes */
    float *persistence; /* count: the forecast that expects no change; NULL: none */
    float *predicted; /* count: evaluate() stores each sample's first output here; NULL: nowhere */
    int64_t of_a_day; /* each day has this many consecutive samples and no others; 0: no days */
};

/* DATA_SERIES: consecutive moments, used neither for training nor for choosing. */
enum data_parts { DATA_TRAIN, DATA_VALIDATION, DATA_TEST, DATA_PARTS, DATA_SERIES = DATA_PARTS };

struct data {
    const char *name;
    struct tensor_shape shape; /* of an image */
    int64_t outputs;           /* classes, or values of a target */
    bool classes;
    struct data_part parts[DATA_SERIES + 1]; /* absent parts have a count of 0 */
    char **class_names; /* of the first `named` classes, each allocated; NULL: numbers */
    int64_t named;
    double series_begin_s, series_apart_s; /* begin (second of the day); seconds between two */
};

/* The request for a data set. */
struct data_request {
    const char *name;          /* brain_planes, solar, random, an .npy file, or a folder */
    const char *labels;        /* NULL, or the .npy file of the targets */
    struct tensor_shape input; /* of the network */
    int64_t outputs;           /* of the network */
    int64_t batch;
    uint64_t seed;
    double validation_share; /* of a folder's images that are not of the test */
    double test_share;       /* of a folder's images */
    const char *split; /* NULL, or images for training, validation and test, such as 245,28,99 */
    bool blank;        /* random data keeps undefined values: nobody reads them */
};

/* Makes or reads a data set. Status 2 if it does not fit the network, has fewer samples than a
 * batch, a label that is no class, or a value that is not finite. Call data_release in the end,
 * also after a failure. */
enum status data_open(struct data *d, const struct data_request *request, struct failure *f);
void data_release(struct data *d);

/* The hash of the training samples: images and targets. */
uint64_t data_hash(const struct data *d);

/* Writes the training samples: PREFIX.images.npy and PREFIX.targets.npy, which --data and --labels
 * take. Status 5 if they cannot be written. */
enum status data_save(const struct data *d, const char *prefix, struct failure *f);

/* For the rows: allocates a part's samples. */
enum status data_allocate(struct data *d, enum data_parts part, int64_t count, struct failure *f);

enum status data_brain_planes(struct data *d, const struct data_request *r, struct failure *f);
enum status data_solar(struct data *d, const struct data_request *r, struct failure *f);
enum status data_random(struct data *d, const struct data_request *r, struct failure *f);
enum status data_folder(struct data *d, const struct data_request *r, struct failure *f);
enum status data_files(struct data *d, const struct data_request *r, struct failure *f);

/* Names the next class. Status 4 if memory is short. */
enum status data_name_class(struct data *d, const char *name, struct failure *f);

/* Writes the numbers 0 .. count - 1 in an order that depends on the key alone. */
void data_shuffle(uint64_t key, int64_t *order, int64_t count);

/* Reads three counts such as 245,28,99; status 2 if they are none, or the first is 0. */
enum status data_read_split(const char *text, int64_t counts[DATA_PARTS], struct failure *f);

/* Reads a whole .npy file: its values, and their shape, 0 after a failure. Release with free(). */
enum status data_read(const char *path, float **values, struct image_shape *shape,
                      struct failure *f);

static inline int64_t data_elements(struct image_shape s)
{
    return s.planes * s.rows * s.cols;
}

/* Converts values to labels, each a class of `classes`; status 2 names the file and the first value
 * that is none. */
enum status data_labels(const char *path, const float *values, int64_t count, int64_t classes,
                        int32_t *labels, struct failure *f);

#endif
