#include "experiments/samples/older_header.h"

#include "experiments/common/output.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* True for a regular file whose first line is whole and is not the present header. */
static bool has_other_header(const char *path, const struct schema *schema)
{
    char ours[TABLE_LINE_MAX], *line = NULL;
    const size_t length = table_format_header(schema, ours);
    struct stat about;
    FILE *file = stat(path, &about) == 0 && S_ISREG(about.st_mode) ? fopen(path, "rb") : NULL;
    size_t room = 0;
    const ssize_t got = file ? getline(&line, &room, file) : -1;
    const bool whole = got > 0 && line[got - 1] == '\n';
    const bool other = whole && ((size_t)got != length || memcmp(line, ours, length) != 0);
    free(line);
    if (file)
        fclose(file);
    return other;
}

struct renewal {
    const struct schema *schema;
    FILE *to;
};

static bool copy_row(const void *row, int64_t line, void *context)
{
    const struct renewal *r = context;
    (void)line;
    table_print(r->schema, r->to, row);
    return true;
}

enum status older_header_renew(const char *path, const struct schema *schema, struct failure *f)
{
    struct record_report report;
    struct output o;
    if (!has_other_header(path, schema))
        return STATUS_OK;
    enum status status = output_open(&o, path, f);
    if (status != STATUS_OK)
        return status;
    struct renewal r = {schema, o.stream};
    table_print_header(schema, o.stream);
    status = table_read(path, schema, copy_row, &r, &report, f);
    if (status == STATUS_OK && report.corrupt == 0 && report.unknown_columns == 0)
        return output_close(&o, f);
    output_abandon(&o);
    return status;
}
