/* Operations: max pooling, the matrix product, convolution and distances, each by a named method,
 * and the oracle that says whether a result is right.
 *
 * Arrays are float32 in row-major order; sizes count elements, never bytes. The life of an
 * operation:
 *
 *   1. maxpool_make_pool, _multiply, _convolve, _distances, or _described for any operator, checks
 *      the sizes, picks the method's build for this processor, and prepares the operands. This
 *      allocates.
 *   2. maxpool_run computes the output, with as many threads as it is given.
 *   3. maxpool_verify compares an output with the oracle.
 *   4. maxpool_release frees the operation.
 *
 * Callers with their own threads divide the rows themselves: maxpool_compute is pure.
 *
 * A NULL where an array, a description or an operation belongs is MAXPOOL_USAGE with a text;
 * functions without a status then return 0 or false, and compute nothing.
 *
 * Operands besides the image (filter, matrix B, weights, bias, points Y) are not copied: they must
 * stay unchanged until the operation is released. Functions may be called from several threads at
 * the same time, but only one caller may make or release an operation, or write a given output. */
#ifndef MAXPOOL_INCLUDE_OPERATION_H
#define MAXPOOL_INCLUDE_OPERATION_H

#include <maxpool/failure.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- methods ----------------------------------------------------------------------------------
 */

struct maxpool_method_facts {
    const char *name; /* as the descriptions below take it: "separable" */
    const char *idea; /* one line */
    bool product; /* computes the operator's product with any filter; otherwise the maximum alone */
};

/* Sets *facts to the i-th method of an operator, the baseline ("literal" or "naive") first. The
 * operator is named as in maxpool_make_described: "maxpool", "matmul", "conv", "distances".
 * Returns false and leaves *facts untouched if there are no more, or no such operator. */
MAXPOOL_API bool maxpool_get_method(const char *operator_name, size_t i,
                                    struct maxpool_method_facts *facts);

/* ---- descriptions -----------------------------------------------------------------------------
 */

/* planes x rows x cols elements. */
struct maxpool_shape {
    int64_t planes, rows, cols;
};

enum maxpool_pad_mode {
    MAXPOOL_PAD_ZERO,  /* elements outside the image are 0 and take part; any padding */
    MAXPOOL_PAD_IGNORE /* they never win; padding < kernel, and the filter must be the identity */
};

/* Max pooling as a product: each kernel x kernel window W of a plane becomes W B, and its largest
 * element is the output. With the identity as B this is plain max pooling.
 *
 *   output  planes x R x C,  R = floor((rows + 2 padding - kernel) / stride) + 1, C likewise
 *
 * Source of the shape: Dumoulin & Visin (2016), arXiv:1603.07285, relationship 6. */
struct maxpool_pool {
    struct maxpool_shape image;
    int64_t kernel;  /* side of the window; at least 1 */
    int64_t stride;  /* 0: the kernel size */
    int64_t padding; /* on each side */
    enum maxpool_pad_mode pad_mode;
    const float *filter; /* B, kernel x kernel; NULL: the identity */
    const char *method;  /* NULL: the baseline */
};

/* The matrix product C = A B. A is the image that maxpool_compute is given.
 *
 *   A  rows x inner    B  inner x cols    C  rows x cols */
struct maxpool_multiply {
    int64_t rows, inner, cols;
    const float *b;
    const char *method; /* NULL: the baseline */
};

/* Convolution as networks have it: cross-correlation (the filter is not flipped), with zeros around
 * the image.
 *
 *   image   batch x channels x rows x cols
 *   weights filters x channels / groups x kernel x kernel    bias  filters
 *   output  batch x filters x R x C, with R and C as for pooling */
struct maxpool_convolve {
    int64_t batch, channels, rows, cols;
    int64_t filters;
    int64_t groups; /* 0: 1; must divide channels and filters */
    int64_t kernel;
    int64_t stride; /* 0: 1 */
    int64_t padding;
    const float *weights;
    const float *bias;  /* NULL: none */
    const char *method; /* NULL: the baseline */
};

/* Euclidean distances between points, one point per row: D(i, j) = |x_i - y_j|. X is the image that
 * maxpool_compute is given.
 *
 *   X  rows x dimensions    Y  cols x dimensions    D  rows x cols */
struct maxpool_distances {
    int64_t rows, cols, dimensions;
    const float *against; /* Y */
    bool itself;          /* X will hold the same values as Y: D has zeros on its diagonal */
    const char *method;   /* NULL: the baseline */
};

/* An operand besides the image: its column of the record, and its values. */
struct maxpool_operand {
    const char *name; /* filter, weights, bias, against, ... */
    const float *values;
};

/* Any operator of the suite, in the words of its records (study export --dictionary):
 *
 *   "operator=matmul planes=4 rows=64 cols=32 filter_cols=16 method=packed"
 *
 * The operator comes first. Then come the sizes of the image, the operator's parameters and
 * operands, and the method, in any order; a column that is left out has the default of the
 * operator's programs, and the method is the baseline. Arrays are in the order of the operator's
 * row: planes x rows x cols; those of the convolution as in struct maxpool_convolve. */
struct maxpool_described {
    const char *words;
    const struct maxpool_operand *operands; /* ended by a name that is NULL; NULL: none. A filter
                                               that is left out is the identity */
};

/* ---- operations -------------------------------------------------------------------------------
 */

struct maxpool_operation;

/* Makes *out from a description. On failure *out is NULL: MAXPOOL_USAGE if sizes, operands and
 * method do not go together, MAXPOOL_RESOURCE if sizes overflow or memory is lacking. `failure` may
 * be NULL. */
MAXPOOL_API enum maxpool_status maxpool_make_pool(struct maxpool_operation **out,
                                                  const struct maxpool_pool *what,
                                                  struct maxpool_failure *failure);
MAXPOOL_API enum maxpool_status maxpool_make_multiply(struct maxpool_operation **out,
                                                      const struct maxpool_multiply *what,
                                                      struct maxpool_failure *failure);
MAXPOOL_API enum maxpool_status maxpool_make_convolve(struct maxpool_operation **out,
                                                      const struct maxpool_convolve *what,
                                                      struct maxpool_failure *failure);
MAXPOOL_API enum maxpool_status maxpool_make_distances(struct maxpool_operation **out,
                                                       const struct maxpool_distances *what,
                                                       struct maxpool_failure *failure);
MAXPOOL_API enum maxpool_status maxpool_make_described(struct maxpool_operation **out,
                                                       const struct maxpool_described *what,
                                                       struct maxpool_failure *failure);
MAXPOOL_API void maxpool_release(struct maxpool_operation *operation); /* NULL is fine */

/* The shapes of input and output as planes; for a convolution images * channels planes, or images *
 * filters. */
MAXPOOL_API struct maxpool_shape maxpool_input(const struct maxpool_operation *operation);
MAXPOOL_API struct maxpool_shape maxpool_output(const struct maxpool_operation *operation);

/* Computes the whole output, its rows distributed over `threads` >= 1 threads, of which the calling
 * one is the first. The call allocates their scratch, and starts and ends the other threads: a
 * caller with many short operations keeps its own threads, which call maxpool_compute. The bits do
 * not depend on the number of threads. `input` and `output` are the whole arrays and do not
 * overlap; values must be finite. MAXPOOL_RESOURCE if memory is lacking or a thread cannot be
 * started. */
MAXPOOL_API enum maxpool_status maxpool_run(const struct maxpool_operation *operation,
                                            const float *input, float *output, int64_t threads,
                                            struct maxpool_failure *failure);

/* ---- some of the rows -------------------------------------------------------------------------
 */

/* The number of rows into which the work is divided: the output's rows, plane by plane; for a
 * convolution image by image, each row with all filters. */
MAXPOOL_API int64_t maxpool_rows(const struct maxpool_operation *operation);

/* Blocks of rows that begin at multiples of this, counted within each plane or image, give the same
 * bits however the rows are divided. 1 for most methods. */
MAXPOOL_API int64_t maxpool_row_step(const struct maxpool_operation *operation);

/* Bytes of scratch that one caller of maxpool_compute needs, aligned to 64; may be 0. */
MAXPOOL_API size_t maxpool_scratch(const struct maxpool_operation *operation);

/* Computes the output rows [first, first + count), 0 <= first, first + count <= maxpool_rows().
 * Pure: no allocation, no I/O, no thread, no lock. Several threads may compute different rows at
 * the same time. `input` and `output` are the whole arrays; only those rows of the output are
 * written. `scratch` holds maxpool_scratch() bytes and is this caller's alone; its contents do not
 * matter. Rows outside that range, and NULL arguments, compute nothing. */
MAXPOOL_API void maxpool_compute(const struct maxpool_operation *operation, const float *input,
                                 float *output, int64_t first, int64_t count, void *scratch);

/* ---- verification -----------------------------------------------------------------------------
 */

/* The result of a comparison with the oracle. A result is right if |result - value| <= bound. The
 * bound is 0 if no sum can round: a maximum alone, or integers whose sums stay below 2^24.
 * Otherwise it is the error bound of a float32 dot product of n terms in any order, gamma_n * sum
 * of |terms| with gamma_n = n u / (1 - n u), u = 2^-24 (Higham, Accuracy and Stability of Numerical
 * Algorithms, 2002, section 3.1); distances, and methods that transform their terms as Winograd's
 * do, have their own bounds. */
struct maxpool_verdict {
    int64_t outputs;         /* that were compared */
    int64_t wrong;           /* outside their bound; a NaN always is */
    bool exact;              /* every bound is 0 */
    double largest_error;    /* of |result - value|, over the finite results */
    double largest_share;    /* of |result - value| / bound where the bound is above 0 */
    int64_t plane, row, col; /* the first wrong output, if there is one ... */
    double value, bound;     /* ... the right value and its bound ... */
    float found;             /* ... and the value found */
};

/* Compares every output with the oracle: the definition in double precision, which shares no code
 * with any method. MAXPOOL_WRONG if an output is wrong, MAXPOOL_USAGE if an input is not finite or
 * float32 cannot hold the sums. `verdict` and `failure` may be NULL. Slow: one multiply-add for
 * each term of each output. Allocates the expectations of one row. */
MAXPOOL_API enum maxpool_status maxpool_verify(const struct maxpool_operation *operation,
                                               const float *input, const float *output,
                                               struct maxpool_verdict *verdict,
                                               struct maxpool_failure *failure);

#ifdef __cplusplus
}
#endif

#endif
