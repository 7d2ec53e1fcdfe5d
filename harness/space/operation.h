/* Running an operation (kernels/operation.h), whichever operator it is: what spaces ask, answered
 * by the operator's row; and the making of its operands. */
#ifndef MAXPOOL_SPACE_OPERATION_H
#define MAXPOOL_SPACE_OPERATION_H

#include "harness/base/failure.h"
#include "harness/image/image.h"
#include "harness/machine/processes.h"
#include "kernels/operators.h"
#include "kernels/partition.h"

#include <stdint.h>

/* out->name says what it is: none, identity, itself (the image once more), random (integers
 * -9 .. 9 from the seed) or the path of a .npy file with finite values. `row` has its shape, the
 * option and what it is called. */
enum status operand_make(struct operand *out, const struct operand_row *row,
                         const struct operation *op, struct source *image, uint64_t seed,
                         struct failure *f);
/* What the root made becomes every process's: its facts, and its values unless they come in panels
 * (then they stay with the root alone). The name is each process's own. */
enum status operand_share(struct operand *operand, const struct operand_row *row,
                          const struct processes *p, struct failure *f);
void operand_release(struct operand *operand);

/* Whether a name is that of a file, not one of the words of the operand's option. */
bool operand_is_file(const struct operand_row *row, const char *name);

/* Packs the right operand as the method wants it (op->method and op->isa are set): *packed, which
 * the caller frees, and *seconds that it took. NULL and 0 where the method packs nothing; room
 * alone and 0 where another process has the operand. */
enum status operation_pack(const struct operation *op, float **packed, double *seconds,
                           struct failure *f);

/* A refusal of the operator's as a failure; STATUS_OK where there is none. */
enum status refusal_fail(const struct refusal *r, struct failure *f);

const char *operation_method(const struct operation *op);

/* Sets `isa` to what the method runs in where `limit` is the widest set allowed. */
void operation_choose_isa(struct operation *op, enum isa limit);

/* Arithmetic operations per output. */
double operation_cost(const struct operation *op);

/* Scratch in bytes for one worker with blocks up to `cols` outputs wide; SIZE_MAX: uncountable. */
size_t operation_scratch(const struct operation *op, int64_t cols);

/* Partitions the map among workers so that none gets less than min_cost arithmetic operations. */
struct partition operation_partition(const struct operation *op, int64_t workers, double min_cost);

/* Linear index of the image element where the input of a unit of the partition begins; units 0 and
 * `units` give 0 and the number of elements. What lies between the beginnings of two shares is what
 * the first of them should touch first. */
int64_t operation_first_element(const struct operation *op, const struct partition *d,
                                int64_t unit);

/* A block of all of the work: from the image rows in `image` and the whole right operand. */
struct portion portion_whole(const struct operation *op, const struct block *block,
                             struct view image, struct map_view map, void *scratch);

/* Computes a portion. Where the method works in stages, the seconds of the product stage are added
 * to *product_s. */
void operation_run(const struct operation *op, const struct portion *portion, double *product_s);

#endif
