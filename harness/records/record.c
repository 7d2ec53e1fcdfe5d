#include "harness/records/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

void record_name_run(char *run_id, size_t size, const char *host)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(run_id, size, "%.64s-%ld-%llx", host, (long)getpid(),
             (long long)now.tv_sec * 1000000000LL + now.tv_nsec);
}

double record_number(int64_t value)
{
    return value == RECORD_NO_INT ? (double)NAN : (double)value;
}

double record_count(int64_t value)
{
    return value == RECORD_NO_INT ? 1.0 : (double)value;
}

int64_t record_images(const struct record *r)
{
    return r->images == RECORD_NO_INT ? r->batch : r->images;
}

void record_print_header(FILE *stream)
{
    table_print_header(&record_schema, stream);
}

void record_print(FILE *stream, const struct record *r)
{
    table_print(&record_schema, stream, r);
}

struct record_writer {
    struct table_writer *table;
};

enum status record_writer_open(struct record_writer **out, const char *path, bool *torn,
                               struct failure *f)
{
    *out = NULL;
    struct record_writer *w = malloc(sizeof *w);
    if (!w)
        return fail(f, STATUS_RESOURCE, "%s: not enough memory", path);
    enum status status = table_writer_open(&w->table, &record_schema, path, torn, f);
    if (status == STATUS_OK)
        *out = w;
    else
        free(w);
    return status;
}

enum status record_append(struct record_writer *w, const struct record *r, struct failure *f)
{
    return table_append(w->table, r, f);
}

enum status record_writer_close(struct record_writer *w, struct failure *f)
{
    enum status status = w ? table_writer_close(w->table, f) : STATUS_OK;
    free(w);
    return status;
}

struct visit {
    record_visitor *visit;
    void *context;
};

static bool record_is_emulated(const struct record *r)
{
    return strncmp(r->device, emulated_device, strlen(emulated_device)) == 0;
}

/* Returns a row of an emulated device without seconds, whatever the file has: they would be those
 * of the emulation. Its platform tells it apart from a GPU's points. */
static struct record without_seconds(const struct record *row)
{
    struct record r = *row;
#define PHASE(constant, field, ...)        r.field = NAN;
#define LAUNCH_PHASE(constant, field, ...) r.field = NAN;
#include "harness/records/columns.inc"
    snprintf(r.platform, sizeof r.platform, "%s", emulated_device);
    return r;
}

static bool visit_record(const void *row, int64_t line, void *context)
{
    const struct visit *to = context;
    if (!record_is_emulated(row))
        return to->visit(row, line, to->context);
    const struct record untimed = without_seconds(row);
    return to->visit(&untimed, line, to->context);
}

enum status record_read(const char *path, record_visitor *visit, void *context,
                        struct record_report *report, struct failure *f)
{
    struct visit to = {visit, context};
    return table_read(path, &record_schema, visit_record, &to, report, f);
}
