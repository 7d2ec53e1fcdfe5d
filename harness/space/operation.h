/* Runs an operation (kernels/operation.h) of any operator: the operator's row answers what spaces
 * ask. Also makes its operands. */
#ifndef MAXPOOL_SPACE_OPERATION_H
#define MAXPOOL_SPACE_OPERATION_H

#include "harness/base/failure.h"
#include "harness/image/image.h"
#include "harness/machine/processes.h"
#include "kernels/operators.h"
#include "kernels/partition.h"

#include <stdint.h>

/* Makes the operand that out->name asks for: none, identity, itself (a copy of the image), random
 * (integers -9 .. 9 from the seed), or the path of a .npy file with finite values. `row` has its
 * shape, its option and its noun. */
enum status operand_make(struct operand *out, const struct operand_row *row,
                         const struct operation *op, struct source *image, uint64_t seed,
                         struct failure *f);
/* Gives every process what the root made: the properties, and the values unless they are sent in
 * panels (then only the root has them). Each process keeps its own name. */
enum status operand_broadcast(struct operand *operand, const struct operand_row *row,
                              const struct processes *p, struct failure *f);
void operand_release(struct operand *operand);

/* Whether a name is a path and not one of the words of the operand's option. */
bool operand_is_file(const struct operand_row *row, const char *name);

/* Packs the right operand for the method (op->method and op->isa are set) into *packed, which the
 * caller frees, and sets *seconds that it took. *packed is NULL and *seconds 0 if the method packs
 * nothing. If another process has the operand, only the memory is allocated, and *seconds is 0. */
enum status operation_pack(const struct operation *op, float **packed, double *seconds,
                           struct failure *f);

/* Turns an operator's refusal into a failure; STATUS_OK if there is none. */
enum status refusal_fail(const struct refusal *r, struct failure *f);

const char *operation_method(const struct operation *op);

/* Sets `isa` to the instruction set of the method if `limit` is the widest one allowed. */
void operation_choose_isa(struct operation *op, enum isa limit);

/* Scratch bytes of one worker for blocks up to `cols` outputs wide; SIZE_MAX: uncountable. */
size_t operation_scratch(const struct operation *op, int64_t cols);

/* Rows of a plane that the method computes together (method.unit_rows), at least 1; without a
 * method, 1. */
int64_t operation_unit_rows(const struct operation *op);

/* Partitions the map among workers so that none gets less than min_cost arithmetic operations. */
struct partition operation_partition(const struct operation *op, int64_t workers, double min_cost);

/* The number of pieces (harness/space/shares.h) into which shares of a partition are cut. panels:
 * the workers pack panels together (struct sharing). */
int64_t operation_pieces(const struct operation *op, const struct partition *d, bool panels);

/* Returns the linear index of the image element at which the input of a unit of the partition
 * begins; 0 for unit 0, and the number of elements for unit `units`. The elements between the
 * beginnings of two shares should be first touched by the worker of the first of them. */
int64_t operation_first_element(const struct operation *op, const struct partition *d,
                                int64_t unit);

/* Returns the portion of a block that has all image rows in `image` and the whole right operand. */
struct portion portion_whole(const struct operation *op, const struct block *block,
                             struct view image, struct map_view map, void *scratch);

/* Computes a portion. If the method works in stages, adds the seconds of the product stage to
 * *product_s. */
void operation_run(const struct operation *op, const struct portion *portion, double *product_s);

#endif
