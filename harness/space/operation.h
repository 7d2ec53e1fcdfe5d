/* One operator bound to its operands' shapes, method and filter: what every space runs, whichever
 * operator it is. The two operators differ here and nowhere further out. */
#ifndef MAXPOOL_OPERATION_H
#define MAXPOOL_OPERATION_H

#include "harness/base/failure.h"
#include "harness/image/image.h"
#include "harness/machine/processes.h"
#include "kernels/deal.h"
#include "kernels/methods.h"

#include <stdint.h>

enum operator_kind { OPERATOR_MAXPOOL, OPERATOR_MATMUL };

const char *operator_name(enum operator_kind kind);

/* The matrix B: order x order, row-major, float32. */
struct filter {
    float *values;
    int64_t order;
    bool identity; /* its values are the identity's */
    bool integers;
    double max_abs;
    const char *name; /* identity, random, or the file's path */
};

/* `kind` is identity, random (integers -9 .. 9 from the seed) or the path of a .npy file of order x
 * order finite values. */
enum status filter_make(struct filter *out, const char *kind, int64_t order, uint64_t seed,
                        struct failure *f);
/* What the root made becomes every process's: its facts, and its values where `values` asks for
 * them (elsewhere they stay with the root alone). The name is each process's own. */
enum status filter_share(struct filter *filter, const struct processes *p, bool values,
                         struct failure *f);
void filter_release(struct filter *filter);

struct peer; /* harness/space/peer.h */

struct operation {
    enum operator_kind kind;
    struct image_shape image; /* rows x cols of A for matmul, one plane */
    struct image_shape map;
    struct geometry geometry; /* maxpool only */
    struct filter filter;
    const struct maxpool_method *maxpool; /* the method: one of the two is set */
    const struct matmul_method *matmul;
    /* A simulated launch: seconds that computing one row of the map takes (0: it is computed, and
     * clocked), and whether nothing is computed at all. */
    double row_s;
    bool folded;
    enum isa isa; /* the build of the method that runs; never one that its `run` field lacks */
    const struct peer *peer; /* the library that computes, in place of the method's own function;
                                NULL: none */
};

const char *operation_method(const struct operation *op);

/* Sets `isa` to what the method runs in where `limit` is the widest set allowed. */
void operation_choose_isa(struct operation *op, enum isa limit);

/* Terms of one dot product: k, or the columns of A. */
int64_t operation_terms(const struct operation *op);

/* Arithmetic operations per output. */
double operation_cost(const struct operation *op);

/* Scratch in bytes for one worker with blocks up to `cols` outputs wide; SIZE_MAX: uncountable. */
size_t operation_scratch(const struct operation *op, int64_t cols);

/* Whether a block may be several whole planes. */
bool operation_takes_planes(const struct operation *op);

/* Deals the map to workers so that none gets less than min_cost arithmetic operations. */
struct deal operation_deal(const struct operation *op, int64_t workers, double min_cost);

/* The image rows [*first, *first + *count) that output rows [row, row + rows) of a plane read. */
void operation_rows_needed(const struct operation *op, int64_t row, int64_t rows, int64_t *first,
                           int64_t *count);

/* Linear index of the image cell where the input of a unit of the deal begins; units 0 and `units`
 * give 0 and the number of cells. What lies between the beginnings of two shares is what the first
 * of them should touch first. */
int64_t operation_first_cell(const struct operation *op, const struct deal *d, int64_t unit);

/* Computes one block into `map` from the rows in `image`. Where the method works in stages, the
 * seconds of the product stage are added to *product_s. */
void operation_run(const struct operation *op, const struct block *block, struct view image,
                   struct map_view map, void *scratch, double *product_s);

/* The part of a matrix product that the terms [term, term + terms) of the `b` view make, added to
 * what the map holds unless term is 0: B may arrive in panels of rows. */
void operation_multiply(const struct operation *op, const struct block *block, struct view a,
                        struct view b, int64_t term, int64_t terms, struct map_view c,
                        void *scratch);

/* True where the method's product is clocked alone; in no row whose seconds were given. */
bool operation_is_staged(const struct operation *op);

#endif
