#include "experiments/analysis/derived/tidy.h"

#include "experiments/analysis/derived/derived.h"
#include "experiments/analysis/derived/derived_table.h"

enum status tidy_points(struct frame *out, const struct analysis *a, struct failure *f)
{
    FILE *stream = tmpfile();
    if (!stream)
        return fail(f, STATUS_OUTPUT, "no temporary file can be written");
    derived_write_points(stream, a);
    rewind(stream);
    const enum status status = frame_read(out, stream, a->name, f);
    fclose(stream);
    return status;
}

static const struct derived_column *column_of(const struct frame *points, size_t column)
{
    return dictionary_find("points", frame_name(points, column));
}

/* A column that is not in the dictionary counts as part of the point. */
static bool is_of_the_point(const struct frame *points, size_t column)
{
    const struct derived_column *c = column_of(points, column);
    return !c || c->role == ROLE_IDENTITY;
}

static void write_header(FILE *stream, const struct frame *points)
{
    for (size_t i = 0; i < points->columns; i++)
        if (is_of_the_point(points, i))
            fprintf(stream, "%s,", frame_name(points, i));
    fputs("quantity,unit,value,lower,upper\n", stream);
}

/* The field in the column of that name; "" without such a column. */
static const char *field_of(const struct frame *points, size_t row, const char *column)
{
    const ptrdiff_t at = column ? frame_find(points, column) : -1;
    return at < 0 ? "" : frame_field(points, row, (size_t)at);
}

static void write_quantity(FILE *stream, const struct frame *points, size_t row,
                           const struct derived_column *quantity)
{
    for (size_t i = 0; i < points->columns; i++)
        if (is_of_the_point(points, i)) {
            frame_write_field(stream, frame_field(points, row, i));
            putc(',', stream);
        }
    fprintf(stream, "%s,%s,%s,%s,%s\n", quantity->name, quantity->unit,
            field_of(points, row, quantity->name), field_of(points, row, quantity->lower),
            field_of(points, row, quantity->upper));
}

void tidy_write(FILE *stream, const struct frame *points)
{
    write_header(stream, points);
    for (size_t row = 0; row < points->rows; row++)
        for (size_t i = 0; i < points->columns; i++) {
            const struct derived_column *quantity = column_of(points, i);
            if (quantity && quantity->role == ROLE_QUANTITY && *frame_field(points, row, i))
                write_quantity(stream, points, row, quantity);
        }
}

void tidy_write_wide(FILE *stream, const struct frame *points)
{
    for (size_t line = 0; line <= points->rows; line++)
        for (size_t i = 0; i < points->columns; i++) {
            frame_write_field(stream, points->fields[line * points->columns + i]);
            putc(i + 1 < points->columns ? ',' : '\n', stream);
        }
}
