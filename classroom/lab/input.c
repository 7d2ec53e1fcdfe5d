#include "classroom/lab/input.h"

#include "classroom/lab/digits/exact_values.h"
#include "harness/image/image.h"
#include "harness/machine/memory.h"
#include "kernels/interleave.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

const int64_t lab_wide_integers = (1 << 24) - 1;

enum { POISON = 0xff }; /* of every byte: a NaN that no computation produces */

static size_t floats_bytes(struct image_shape s)
{
    return (size_t)shape_elements(s) * sizeof(float);
}

void lab_input_bytes(const struct lab_input *in, size_t bytes[LAB_ARRAYS])
{
    struct operation op = in->operation;
    bytes[LAB_IMAGE] = floats_bytes(op.image);
    bytes[LAB_SECOND] = floats_bytes(operation_right(&op)->shape);
    bytes[LAB_MAP] = floats_bytes(op.map);
}

static enum status make_right(struct lab_input *in, uint64_t seed, struct failure *f)
{
    struct operand *right = &in->operation.operands[in->operation.kind->right];
    right->name = "random";
    return operand_make(right, operator_right(in->operation.kind), &in->operation, NULL, seed, f);
}

enum status lab_input_open(struct lab_input *in, const struct operator_row *kind,
                           const struct foreign_sizes *size, uint64_t seed, struct failure *f)
{
    *in = (struct lab_input){.kind = kind, .size = *size};
    const enum status status = lab_operation(&in->operation, kind, size, f);
    return status == STATUS_OK ? make_right(in, seed, f) : status;
}

uint64_t lab_fresh_seed(void)
{
    uint64_t seed;
    if (getrandom(&seed, sizeof seed, 0) != (ssize_t)sizeof seed)
        abort(); /* the entropy of the system is ready long before a program of ours runs */
    return seed;
}

enum status lab_input_renew(struct lab_input *in, uint64_t seed, struct lab_operand_kept *kept,
                            struct failure *f)
{
    struct operand *right = &in->operation.operands[in->operation.kind->right];
    *kept = (struct lab_operand_kept){true, *right};
    *right = (struct operand){.shape = kept->operand.shape};
    return make_right(in, seed, f);
}

bool lab_input_can_be_exact(const struct lab_input *in)
{
    return exact_values_largest(&in->operation) > 0;
}

void lab_input_be_exact(struct lab_input *in, uint64_t seed)
{
    exact_values_right(&in->operation, seed);
    in->exact = true;
    in->right_seed = seed;
}

void lab_input_be_wide(struct lab_input *in, uint64_t seed)
{
    wide_values_right(&in->operation, seed);
}

void lab_input_restore(struct lab_input *in, struct lab_operand_kept *kept)
{
    in->exact = false;
    struct operand *right = &in->operation.operands[in->operation.kind->right];
    if (!kept->kept)
        return;
    operand_release(right);
    *right = kept->operand;
    kept->kept = false;
}

void lab_input_close(struct lab_input *in)
{
    operand_release(&in->operation.operands[in->operation.kind->right]);
    source_close(in->source);
    in->source = NULL;
}

/* Makes the image in the layout of the operation, and writes its values to `elements`, plane by
 * plane if the kernel receives them in this form. */
static enum status make_image(struct lab_input *in, uint64_t seed, int64_t max_value, bool planar,
                              float *elements, struct failure *f)
{
    const struct operation *op = &in->operation;
    const struct image_shape planes = image_planes(op);
    const int64_t channels = op->kind->image_channels ? op->kind->image_channels(op) : 1;
    source_close(in->source);
    in->facts = IMAGE_FACTS_NONE;
    enum status status = in->exact
                             ? exact_values_image(&in->source, op, planes, seed, in->right_seed, f)
                             : source_open_random(&in->source, planes, seed, max_value, f);
    if (status == STATUS_OK && !planar && op->kind->image_channels)
        status = source_interleave(&in->source, channels, f);
    if (status == STATUS_OK)
        status = source_read_all(in->source, elements, &in->facts, f);
    if (status == STATUS_OK && planar && op->kind->image_channels)
        status = source_interleave(&in->source, channels, f);
    return status;
}

enum status lab_input_fill(struct lab_input *in, uint64_t seed, int64_t max_value, bool planar,
                           const struct lab_arrays *arrays, const struct lab_order *order,
                           struct failure *f)
{
    const struct operand *right = operation_right(&in->operation);
    memset(arrays->address[LAB_MAP], POISON, arrays->bytes[LAB_MAP]);
    memcpy(arrays->address[LAB_SECOND] + order->begin[LAB_SECOND], right->values,
           (size_t)order->bytes[LAB_SECOND]);
    return make_image(in, seed, max_value, planar,
                      (float *)(arrays->address[LAB_IMAGE] + order->begin[LAB_IMAGE]), f);
}

struct lab_order lab_input_order(const struct lab_input *in, int64_t threads, bool at_end,
                                 const struct lab_arrays *arrays)
{
    struct lab_order order = {.ask = LAB_CALL};
    size_t bytes[LAB_ARRAYS];
    lab_input_bytes(in, bytes);
    order.count = lab_integers(in->kind, &in->size, threads, order.integers);
    lab_lengths(&in->operation, order.lengths);
    for (int i = 0; i < LAB_ARRAYS; i++) {
        order.bytes[i] = (int64_t)bytes[i];
        order.begin[i] = at_end ? (int64_t)(arrays->bytes[i] - bytes[i]) : 0;
    }
    return order;
}

enum status lab_input_take_map(const struct lab_input *in, bool planar,
                               const struct lab_arrays *arrays, const struct lab_order *order,
                               float **map, struct failure *f)
{
    const struct operation *op = &in->operation;
    const char *from = arrays->address[LAB_MAP] + order->begin[LAB_MAP];
    const size_t bytes = (size_t)order->bytes[LAB_MAP];
    const int64_t channels = op->kind->map_channels ? op->kind->map_channels(op) : 1;
    float *planes = NULL;
    enum status status = memory_allocate((void **)map, bytes, "the map", f);
    if (status != STATUS_OK)
        return status;
    memcpy(*map, from, bytes);
    if (!planar || channels == 1)
        return STATUS_OK;
    status = memory_allocate((void **)&planes, bytes, "the map plane by plane", f);
    if (status == STATUS_OK) {
        memcpy(planes, *map, bytes);
        interleave(planes, map_planes(op), channels, *map);
    }
    free(planes);
    return status;
}

static bool is_poison(const char *from, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if ((unsigned char)from[i] != POISON)
            return false;
    return true;
}

bool lab_input_wrote_beside(const struct lab_arrays *arrays, const struct lab_order *order)
{
    const char *array = arrays->address[LAB_MAP];
    const size_t begin = (size_t)order->begin[LAB_MAP];
    const size_t end = begin + (size_t)order->bytes[LAB_MAP];
    return !is_poison(array, begin) || !is_poison(array + end, arrays->bytes[LAB_MAP] - end);
}
