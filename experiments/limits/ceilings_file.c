#include "experiments/limits/ceilings_file.h"

#include "experiments/common/output.h"

enum status ceilings_write(const struct ceilings *c, const char *path, struct failure *f)
{
    struct output o;
    const enum status status = output_open(&o, path, f);
    if (status != STATUS_OK)
        return status;
    table_print_header(&ceiling_schema, o.stream);
    for (size_t i = 0; i < c->count; i++)
        table_print(&ceiling_schema, o.stream, &c->rows[i]);
    return output_close(&o, f);
}
