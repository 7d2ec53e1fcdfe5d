/* The grid of edge cases that every method and every space must pass, and the means to check one
 * result against the oracles. Nothing here knows any method. */
#ifndef MAXPOOL_TEST_CASES_H
#define MAXPOOL_TEST_CASES_H

#include "harness/space/operation.h"
#include "kernels/conv/methods.h"

/* One pooling. Elements are integers -9 .. 9, or all negative. */
struct pool_case {
    const char *name;
    int64_t planes, rows, cols, kernel, stride, padding;
    enum pad_mode pad_mode;
    bool all_negative;
};

extern const struct pool_case pool_cases[];
extern const size_t pool_case_count;

/* Products of `planes` images of rows x cols with cols x cols filters: one for all, or if `own` one
 * for each. */
struct product_case {
    const char *name;
    int64_t rows, cols;
    int64_t planes;
    bool own;
    int64_t filter_cols; /* of B, which has `cols` rows; 0: B is square */
};

/* Columns of B and of the product. */
int64_t case_product_cols(const struct product_case *c);

extern const struct product_case product_cases[];
extern const size_t product_case_count;

/* One copy. */
struct copy_case {
    const char *name;
    int64_t planes, rows, cols;
};

extern const struct copy_case copy_cases[];
extern const size_t copy_case_count;

/* One convolution: batch x channels images with filters in groups, with or without a bias. */
struct conv_case {
    const char *name;
    int64_t batch, channels, rows, cols, filters, kernel, stride, padding, groups;
    bool bias;
};

extern const struct conv_case conv_cases[];
extern const size_t conv_case_count;

/* The case of that name, which must exist. */
const struct conv_case *conv_case_of(const char *name);

/* Distances of n points from m others, or from each other if m is 0. */
struct points_case {
    const char *name;
    int64_t n, m, dimensions;
};

extern const struct points_case points_cases[];
extern const size_t points_case_count;

/* The geometry of a case; the case must be valid. */
struct geometry case_geometry(const struct pool_case *c);

/* Returns the elements of a random image of integers -9 .. 9 (or -9 .. -1), the same for the same
 * seed. */
float *case_image(const struct pool_case *c, uint64_t seed);

/* Returns a k x k filter: the identity, or integers -9 .. 9. */
float *case_filter(int64_t order, bool identity, uint64_t seed);

/* Returns the number of outputs of `map` (all planes) that the oracle does not accept, compared
 * exactly. The oracle is the product in double precision, or the maximum if filter is NULL. */
int64_t count_wrong_pooled(const struct geometry *g, const float *image, const float *filter,
                           const float *map);

/* The same for C = A B. */
int64_t count_wrong_product(const struct product_case *c, const float *a, const float *b,
                            const float *map);

/* The same for the image itself. */
int64_t count_wrong_copied(const struct copy_case *c, const float *image, const float *map);

/* The same for a convolution, image and map plane by plane. bias may be NULL; so may bound, if
 * outputs must be exact. */
int64_t count_wrong_convolved(const struct conv_case *c, const float *image, const float *weights,
                              const float *bias, conv_bound_function *bound, const float *map);

/* The same for distances of points with integer coordinates. */
int64_t count_wrong_distances(const struct points_case *c, const float *x, const float *y,
                              const float *map);

/* Returns integers -9 .. 9 from the seed. */
float *case_values(int64_t count, uint64_t seed);

/* The same if `integers`, otherwise their thirds, which no float represents exactly. */
float *case_thirds(int64_t count, unsigned seed, bool integers);

/* Returns the shape of a convolution case. */
struct conv_shape case_conv_shape(const struct conv_case *c);

/* Returns a source over a copy of the elements, for spaces. */
struct source *case_source(struct image_shape shape, const float *elements);

/* Returns memory for `count` floats, the same at every call. A page directly after its end or, at
 * every second call, directly before its beginning faults when touched. */
float *fenced_room(size_t count);

/* Memory between two guards of 64 bytes with a known pattern; its contents are poisoned with
 * NaN. */
float *guarded_new(size_t count);
bool guarded_intact(const float *values, size_t count);
void guarded_free(float *values);

#endif
