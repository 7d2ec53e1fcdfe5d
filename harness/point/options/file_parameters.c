#include "harness/point/options/file_parameters.h"

enum status take_from_files(struct options *o, const struct operator_row *kind,
                            const struct parameters *found, const char *option, const char *path,
                            struct failure *f)
{
    for (const struct parameter *const *p = kind->parameters; *p; p++) {
        const int64_t asked = parameter_get(*p, &o->parameters), has = parameter_get(*p, found);
        if (asked != has && options_given(o, (*p)->option))
            return fail(f, STATUS_USAGE, "--%s %lld contradicts --%s %s, where it is %lld",
                        (*p)->option, (long long)asked, option, path, (long long)has);
    }
    o->parameters = *found;
    return STATUS_OK;
}

static enum status from_operand(struct point *p, const struct operand_row *row, const char *path,
                                struct failure *f)
{
    struct source *source;
    struct parameters found = p->options.parameters;
    const enum status status = source_open_file(&source, path, f);
    if (status != STATUS_OK)
        return status;
    row->from_file(&found, source_shape(source), source_batch(source));
    source_close(source);
    return take_from_files(&p->options, p->operation.kind, &found, row->option, path, f);
}

enum status from_operands(struct point *p, struct failure *f)
{
    enum status status = STATUS_OK;
    const struct operand_row *const *row = p->operation.kind->operands;
    for (; status == STATUS_OK && *row; row++) {
        const char *name = p->options.operands[(*row)->role];
        if ((*row)->from_file && operand_is_file(*row, name))
            status = from_operand(p, *row, name, f);
    }
    return status;
}
