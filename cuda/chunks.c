#include "cuda/chunks.h"

#include "harness/machine/memory.h"
#include "harness/space/shares.h"

#include <stdlib.h>
#include <string.h>

enum { PARTS_PER_LANE = 4 };

int64_t chunk_image_first(const struct operation *op, const struct chunk *c)
{
    return (c->plane * op->image.rows + c->in_first) * op->image.cols;
}

int64_t chunk_map_first(const struct operation *op, const struct chunk *c)
{
    return (c->plane * op->map.rows + c->row) * op->map.cols;
}

int64_t chunk_image_elements(const struct operation *op, const struct chunk *c)
{
    return c->planes * c->in_rows * op->image.cols;
}

int64_t chunk_map_elements(const struct operation *op, const struct chunk *c)
{
    return c->planes * c->rows * op->map.cols;
}

/* Returns how many whole planes begin at map line `line` and are there with all their image rows.
 */
static int64_t planes_at(const struct operation *op, const struct chunk_span *span, int64_t line,
                         int64_t lines)
{
    const int64_t plane = line / op->map.rows, rows = op->image.rows;
    const int64_t held = span->image_end / rows - plane, wanted = lines / op->map.rows;
    if (line % op->map.rows != 0 || plane * rows < span->image_first)
        return 0;
    return held < wanted ? held : wanted;
}

/* Returns the chunk that begins at map line `line`, counted through all planes, and takes at most
 * `lines` lines: whole planes if possible, else rows of one plane. */
static struct chunk chunk_at(const struct operation *op, const struct chunk_span *span,
                             int64_t line, int64_t lines)
{
    const int64_t rows = op->map.rows, planes = planes_at(op, span, line, lines);
    struct chunk c = {.plane = line / rows, .planes = 1, .row = line % rows};
    if (planes > 0) {
        c.planes = planes;
        c.rows = rows;
        c.in_rows = op->image.rows; /* unread rows too: planes are contiguous */
    } else {
        c.rows = lines < rows - c.row ? lines : rows - c.row;
        op->kind->rows_needed(op, c.row, c.rows, &c.in_first, &c.in_rows);
    }
    return c;
}

static enum status add(struct chunks *list, const struct operation *op, struct chunk c,
                       struct failure *f)
{
    struct chunk *grown = realloc(list->items, (size_t)(list->count + 1) * sizeof *grown);
    if (!grown)
        return fail(f, STATUS_RESOURCE, "no memory for the chunks of the image");
    list->items = grown;
    list->items[list->count++] = c;
    const int64_t image = chunk_image_elements(op, &c), map = chunk_map_elements(op, &c);
    list->image_elements = image > list->image_elements ? image : list->image_elements;
    list->map_elements = map > list->map_elements ? map : list->map_elements;
    return STATUS_OK;
}

/* Cuts a span into `parts` shares, and each share into chunks. */
static enum status cut_span(struct chunks *out, const struct operation *op,
                            const struct chunk_span *span, int64_t parts, struct failure *f)
{
    enum status status = STATUS_OK;
    for (int64_t part = 0; part < parts; part++) {
        int64_t line, end;
        shares_part(span->count, parts, part, &line, &end);
        line += span->first;
        end += span->first;
        while (status == STATUS_OK && line < end) {
            const struct chunk c = chunk_at(op, span, line, end - line);
            status = add(out, op, c, f);
            line += c.planes * c.rows;
        }
    }
    return status;
}

static enum status cut(struct chunks *out, const struct operation *op,
                       const struct chunk_span *spans, int64_t span_count, int64_t parts,
                       struct failure *f)
{
    enum status status = STATUS_OK;
    chunks_release(out);
    out->partition = partition_make(op->map.planes, op->map.rows, op->map.cols, parts, 1, 0);
    for (int64_t i = 0; status == STATUS_OK && i < span_count; i++)
        status = cut_span(out, op, &spans[i], parts, f);
    return status;
}

static size_t bytes_of(const struct chunks *c, int64_t lanes, int64_t maps)
{
    const size_t of_maps = memory_multiply((size_t)c->map_elements, (size_t)maps);
    const size_t elements = memory_add((size_t)c->image_elements, of_maps);
    return memory_multiply(memory_multiply(elements, sizeof(float)), (size_t)lanes);
}

enum status chunks_plan(struct chunks *out, const struct operation *op, int64_t lanes, int64_t maps,
                        size_t available, struct failure *f)
{
    const struct chunk_span all = {.count = op->map.planes * op->map.rows,
                                   .image_end = op->image.planes * op->image.rows};
    return chunks_plan_spans(out, op, &all, 1, lanes, maps, available, f);
}

enum status chunks_plan_spans(struct chunks *out, const struct operation *op,
                              const struct chunk_span *spans, int64_t span_count, int64_t lanes,
                              int64_t maps, size_t available, struct failure *f)
{
    const int64_t lines = op->map.planes * op->map.rows;
    int64_t parts = lanes > 1 ? PARTS_PER_LANE * lanes : 1;
    *out = (struct chunks){0};
    for (;; parts *= 2) {
        parts = parts < lines ? parts : lines;
        enum status status = cut(out, op, spans, span_count, parts, f);
        if (status != STATUS_OK)
            return status;
        if (bytes_of(out, lanes, maps) <= available)
            return STATUS_OK;
        if (parts == lines)
            break;
    }
    const size_t needed = bytes_of(out, lanes, maps);
    chunks_release(out);
    return fail(f, STATUS_RESOURCE,
                "not enough memory on the device: one row of outputs takes %s there, %s are left",
                memory_text((double)needed).text, memory_text((double)available).text);
}

void chunks_release(struct chunks *c)
{
    free(c->items);
    *c = (struct chunks){0};
}
