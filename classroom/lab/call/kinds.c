#include "classroom/lab/call/kinds.h"

#include <string.h>

const struct operator_row *lab_kind_at(size_t i)
{
    for (size_t o = 0; o < operator_count; o++)
        if (operators[o]->foreign && i-- == 0)
            return operators[o];
    return NULL;
}

const struct operator_row *lab_kind_find(const char *name)
{
    const struct operator_row *found = operator_find(name);
    return found && found->foreign ? found : NULL;
}

struct lab_kind_names lab_kind_names(void)
{
    struct lab_kind_names names = {""};
    const struct operator_row *kind;
    for (size_t i = 0, used = 0; (kind = lab_kind_at(i)) && used < sizeof names.text; i++) {
        const char *joint = lab_kind_at(i + 1) ? ", " : " and ";
        used += (size_t)snprintf(names.text + used, sizeof names.text - used, "%s%s",
                                 i > 0 ? joint : "", kind->name);
    }
    return names;
}

void lab_kind_arguments(FILE *to, const struct operator_row *kind, bool types)
{
    static const char *const of_arrays[] = {"const float *", "const float *", "float *"};
    const struct foreign_call *call = kind->foreign;
    for (size_t i = 0; i < sizeof of_arrays / sizeof *of_arrays; i++)
        fprintf(to, "%s%s, ", types ? of_arrays[i] : "", call->arrays[i]);
    for (size_t i = 0; i < call->integer_count; i++)
        fprintf(to, "%s%s, ", types ? "int " : "", call->integers[i].name);
    fprintf(to, "%sthreads", types ? "int " : "");
}

/* ---- integers and shapes --------------------------------------------------------------------- */

int32_t lab_integers(const struct operator_row *kind, const struct foreign_sizes *size,
                     int64_t threads, int32_t out[LAB_INTEGERS])
{
    const struct foreign_call *call = kind->foreign;
    const int32_t count = (int32_t)call->integer_count;
    for (int32_t i = 0; i < count; i++) {
        int64_t value;
        memcpy(&value, (const char *)size + call->integers[i].offset, sizeof value);
        out[i] = (int32_t)value;
    }
    out[count] = (int32_t)threads;
    return count + 1;
}

struct foreign_sizes lab_size_of(const struct operator_row *kind, const int32_t *integers)
{
    struct foreign_sizes size = {0};
    for (size_t i = 0; i < kind->foreign->integer_count; i++) {
        const int64_t value = integers[i];
        memcpy((char *)&size + kind->foreign->integers[i].offset, &value, sizeof value);
    }
    return size;
}

/* No option is given, so options that no size determines keep the operator's defaults. */
static bool none_given(const struct parameter *p, const void *context)
{
    (void)p;
    (void)context;
    return false;
}

static void set_parameters(struct operation *op, const struct foreign_sizes *s)
{
    struct parameters *p = &op->parameters;
    operator_fill_defaults(op->kind, p, none_given, NULL);
    if (op->kind->parameters[0] == NULL)
        return;
    p->kernel = s->kernel;
    p->stride = s->stride > 0 ? s->stride : s->kernel;
    p->padding = s->padding;
    if (op->kind->image_channels) {
        p->batch = s->batch;
        p->channels = s->planes;
        p->filters = s->filters;
    }
}

enum status lab_operation(struct operation *op, const struct operator_row *kind,
                          const struct foreign_sizes *size, struct failure *f)
{
    *op = (struct operation){.kind = kind};
    set_parameters(op, size);
    op->image = (struct image_shape){size->planes > 0 ? size->planes : 1, size->rows, size->cols};
    if (op->kind->image_channels)
        op->image = (struct image_shape){size->batch, size->rows, size->planes * size->cols};
    if (op->kind->points)
        op->operands[op->kind->right].shape.rows = size->filters;
    const struct refusal refusal = op->kind->shape(op);
    return refusal_fail(&refusal, f);
}

/* Whether an integer of the call is the number of planes. */
static bool counts_planes(const struct foreign_call *call)
{
    for (size_t i = 0; i < call->integer_count; i++)
        if (call->integers[i].offset == offsetof(struct foreign_sizes, planes))
            return true;
    return false;
}

/* Sets the last `dimensions` of: first, planes / first, rows, columns. */
static void set_lengths(struct image_shape s, int dimensions, int64_t first,
                        int32_t out[LAB_LENGTHS])
{
    const int64_t all[LAB_LENGTHS] = {first, s.planes / first, s.rows, s.cols};
    for (int i = 0; i < LAB_LENGTHS; i++)
        out[i] = i < dimensions ? (int32_t)all[LAB_LENGTHS - dimensions + i] : 0;
}

void lab_lengths(const struct operation *op, int32_t out[LAB_ARRAYS][LAB_LENGTHS])
{
    const struct operator_row *kind = op->kind;
    const struct operand_row *right = operator_right(kind);
    const int dimensions = kind->image_channels ? 4 : counts_planes(kind->foreign) ? 3 : 2;
    const int64_t images = kind->image_channels ? op->parameters.batch : 1;
    set_lengths(image_planes(op), dimensions, images, out[LAB_IMAGE]);
    set_lengths(right->shape(op), right->count ? 4 : 2, right->count ? right->count(op) : 1,
                out[LAB_SECOND]);
    set_lengths(map_planes(op), dimensions, images, out[LAB_MAP]);
}

void lab_size_text(const struct operation *op, char *text, size_t size)
{
    char parameters[128];
    const struct image_shape image = image_planes(op);
    op->kind->describe(op, parameters, sizeof parameters);
    const int used =
        image.planes > 1
            ? snprintf(text, size, "%lld planes of %lld x %lld", (long long)image.planes,
                       (long long)image.rows, (long long)image.cols)
            : snprintf(text, size, "%lld x %lld", (long long)image.rows, (long long)image.cols);
    if (parameters[0] && used > 0 && (size_t)used < size)
        snprintf(text + used, size - (size_t)used, ", %s", parameters);
}
