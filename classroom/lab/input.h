/* The arguments of one call of a kernel: an operation, a new image, and the second operand. */
#ifndef MAXPOOL_LAB_INPUT_H
#define MAXPOOL_LAB_INPUT_H

#include "classroom/lab/arrays.h"
#include "classroom/lab/call/kinds.h"

struct lab_input {
    const struct operator_row *kind;
    struct foreign_sizes size;
    struct operation operation;
    struct source *source; /* the image in the layout of the operation */
    struct image_facts facts;
    bool exact;          /* the values are those of digits/exact_values.h */
    uint64_t right_seed; /* then, of the second operand */
};

/* Sets the shapes and makes the second operand from the seed; there is no image yet. */
enum status lab_input_open(struct lab_input *in, const struct operator_row *kind,
                           const struct foreign_sizes *size, uint64_t seed, struct failure *f);
void lab_input_close(struct lab_input *in);

/* The largest of the values of timed images, 24 bits: no narrower format represents them. */
extern const int64_t lab_wide_integers;

/* Returns a seed that nobody can know: not the recorded one, and none that follows from it. */
uint64_t lab_fresh_seed(void);

/* The second operand that a new one replaced. */
struct lab_operand_kept {
    bool kept;
    struct operand operand;
};

/* Makes a new second operand from the seed, and keeps the present one, to be restored. */
enum status lab_input_renew(struct lab_input *in, uint64_t seed, struct lab_operand_kept *kept,
                            struct failure *f);

/* Whether there are values whose exact result float holds and narrower formats do not; and takes
 * such values for the second operand, and for the images until lab_input_restore(). */
bool lab_input_can_be_exact(const struct lab_input *in);
void lab_input_be_exact(struct lab_input *in, uint64_t seed);

/* Takes a second operand whose values have 24 significant bits, as those of a timed image have. */
void lab_input_be_wide(struct lab_input *in, uint64_t seed);

void lab_input_restore(struct lab_input *in, struct lab_operand_kept *kept);

/* Bytes of its arrays. */
void lab_input_bytes(const struct lab_input *in, size_t bytes[LAB_ARRAYS]);

/* Makes a new image of integers 0 .. max_value. Where the operation stores the rows of all channels
 * together, `planar` gives the kernel the image plane by plane instead. Writes image and second
 * operand to the places that the order specifies, and poisons the whole map. */
enum status lab_input_fill(struct lab_input *in, uint64_t seed, int64_t max_value, bool planar,
                           const struct lab_arrays *arrays, const struct lab_order *order,
                           struct failure *f);

/* Returns the order that calls a kernel on this input. The operands end at the ends of their arrays
 * (`at_end`, so that reading beyond them faults), or begin at their beginnings. */
struct lab_order lab_input_order(const struct lab_input *in, int64_t threads, bool at_end,
                                 const struct lab_arrays *arrays);

/* Copies the map of the last call, in the layout of the operation, to private memory: *map, which
 * the caller frees. */
enum status lab_input_take_map(const struct lab_input *in, bool planar,
                               const struct lab_arrays *arrays, const struct lab_order *order,
                               float **map, struct failure *f);

/* Whether anything outside the map was written in its array. */
bool lab_input_wrote_beside(const struct lab_arrays *arrays, const struct lab_order *order);

#endif
