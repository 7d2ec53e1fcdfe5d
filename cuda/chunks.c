#include "cuda/chunks.h"

#include "harness/machine/memory.h"

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

/* Returns the chunk that begins at map line `line`, counted through all planes, and takes at most
 * `lines` lines: whole planes if possible, else rows of one plane. */
static struct chunk chunk_at(const struct operation *op, int64_t line, int64_t lines)
{
    const int64_t rows = op->map.rows;
    struct chunk c = {.plane = line / rows, .planes = 1, .row = line % rows};
    if (c.row == 0 && lines >= rows) {
        c.planes = lines / rows;
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

/* Cuts the map into `parts` shares, and each share into chunks. */
static enum status cut(struct chunks *out, const struct operation *op, int64_t parts,
                       struct failure *f)
{
    chunks_release(out);
    out->partition = partition_make(op->map.planes, op->map.rows, op->map.cols, parts, 1, 0);
    enum status status = STATUS_OK;
    for (int64_t part = 0; part < parts; part++) {
        const struct share share = partition_share(&out->partition, part);
        for (int64_t line = share.first, end = line + share.count;
             status == STATUS_OK && line < end;) {
            const struct chunk c = chunk_at(op, line, end - line);
            status = add(out, op, c, f);
            line += c.planes * c.rows;
        }
    }
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
    const int64_t lines = op->map.planes * op->map.rows;
    int64_t parts = lanes > 1 ? PARTS_PER_LANE * lanes : 1;
    *out = (struct chunks){0};
    for (;; parts *= 2) {
        parts = parts < lines ? parts : lines;
        enum status status = cut(out, op, parts, f);
        if (status != STATUS_OK)
            return status;
        if (bytes_of(out, lanes, maps) <= available)
            return STATUS_OK;
        if (parts == lines)
            break;
    }
    char needed[32], left[32];
    memory_text(needed, sizeof needed, (double)bytes_of(out, lanes, maps));
    memory_text(left, sizeof left, (double)available);
    chunks_release(out);
    return fail(f, STATUS_RESOURCE,
                "not enough memory on the device: one row of outputs takes %s there, %s are left",
                needed, left);
}

void chunks_release(struct chunks *c)
{
    free(c->items);
    *c = (struct chunks){0};
}
