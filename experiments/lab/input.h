/* The arguments of one call of a kernel: an operation, a new image, and the second operand. */
#ifndef MAXPOOL_LAB_INPUT_H
#define MAXPOOL_LAB_INPUT_H

#include "experiments/lab/arrays.h"
#include "experiments/lab/call/kinds.h"

struct lab_input {
    const struct lab_kind *kind;
    struct lab_size size;
    struct operation operation;
    struct source *source; /* the image, as the operation has it */
    struct image_facts facts;
};

/* The shapes and the second operand, from the seed; no image yet. */
enum status lab_input_open(struct lab_input *in, const struct lab_kind *kind,
                           const struct lab_size *size, uint64_t seed, struct failure *f);
void lab_input_close(struct lab_input *in);

/* Bytes that its arrays take. */
void lab_input_bytes(const struct lab_input *in, size_t bytes[LAB_ARRAYS]);

/* A fresh image of integers 0 .. max_value. Where rows of all channels lie side by side for us,
 * `planar` gives the kernel the image plane by plane. Image and second operand are written so that
 * they begin where the order says, and the whole map is poisoned. */
enum status lab_input_fill(struct lab_input *in, uint64_t seed, int64_t max_value, bool planar,
                           const struct lab_arrays *arrays, const struct lab_order *order,
                           struct failure *f);

/* The order that calls a kernel on it: the operands end where the arrays end (`at_end`, so that
 * reading beyond them faults), or begin where they begin. */
struct lab_order lab_input_order(const struct lab_input *in, int64_t threads, bool at_end,
                                 const struct lab_arrays *arrays);

/* The map of the last call as the operation has it, in memory of this process's own: *map, which
 * the caller frees. */
enum status lab_input_take_map(const struct lab_input *in, bool planar,
                               const struct lab_arrays *arrays, const struct lab_order *order,
                               float **map, struct failure *f);

/* Whether anything beside the map was written in its array. */
bool lab_input_wrote_beside(const struct lab_arrays *arrays, const struct lab_order *order);

#endif
