#include "experiments/plan/work.h"

#include "experiments/samples/point.h"
#include "harness/machine/memory.h"
#include "networks/point/record_subject.h"

#include <string.h>

bool work_has_sizes(const struct record *p)
{
    return p->rows != RECORD_NO_INT && p->cols != RECORD_NO_INT;
}

struct refusal work_operation(const struct record *p, struct operation *op)
{
    const struct point_kind kind = point_record_kind(p);
    const struct operator_row *o = kind.operator_row ? kind.operator_row : operators[0];
    const struct refusal refusal = recorded_operation(op, o, p);
    op->method = operator_method(o, kind.space ? kind.space->kind : SPACE_HOST, p->method);
    struct operand *right = &op->operands[o->right];
    right->identity = right->name && strcmp(right->name, "identity") == 0;
    return refusal;
}

static size_t bytes(struct image_shape s)
{
    return memory_multiply(memory_multiply((size_t)s.planes, (size_t)s.rows),
                           memory_multiply((size_t)s.cols, sizeof(float)));
}

/* Bytes of images, outputs and parameters; parameters are held both as read and in the form that
 * methods need. For a training: of every process, because each has its own copy. */
static size_t network_bytes(const struct operation *op, const struct record *p)
{
    if (point_trains(p))
        return memory_multiply(recorded_training_bytes(op, p), (size_t)work_or_one(p->ranks));
    const struct need need = op->kind->need(op, true);
    return (size_t)(2.0 * need.bytes_read + need.bytes_written);
}

size_t work_bytes(const struct record *p)
{
    struct operation op;
    if (work_operation(p, &op).kind != REFUSAL_NONE)
        return 0;
    if (recorded_is_network(op.kind))
        return network_bytes(&op, p);
    return memory_add(memory_add(bytes(op.image), bytes(op.map)),
                      bytes(operation_right(&op)->shape));
}

int64_t work_or_one(int64_t value)
{
    return value == RECORD_NO_INT ? 1 : value;
}

/* Operations per output: from the method's own row, or those of the product for other libraries'
 * methods. `shared_rows` computes row products that windows share only once, but its row counts
 * them for each window. */
static double operations_per_output(const struct operation *op)
{
    const struct geometry *g = &op->geometry;
    const struct arithmetic apart = op->kind->need(op, true).per_output;
    if (!op->method)
        return (2.0 * apart.multiply_adds + apart.maxima) / (double)shape_elements(op->map);
    const double cost = op->method->cost(op);
    return strcmp(op->method->name, "shared_rows") == 0 && g->stride < g->kernel
               ? cost * (double)g->stride / (double)g->kernel
               : cost;
}

double work_operations(const struct record *p)
{
    struct operation op;
    if (!work_has_sizes(p))
        return 1e8;
    if (work_operation(p, &op).kind != REFUSAL_NONE)
        return 0;
    return (double)shape_elements(op.map) * operations_per_output(&op);
}

double work_oracle_steps(const struct record *p)
{
    struct operation op;
    if (!work_has_sizes(p))
        return 1e8;
    if (work_operation(p, &op).kind != REFUSAL_NONE)
        return 0;
    if (!op.kind->steps) /* that of every layer, in double precision */
        return op.kind->need(&op, true).per_output.multiply_adds;
    return (double)shape_elements(op.map) * op.kind->steps(&op);
}
