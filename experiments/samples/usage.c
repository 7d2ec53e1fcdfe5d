#include "experiments/samples/usage.h"

#include "harness/records/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define FIELD(name, type, meaning) TABLE_COLUMN(struct usage_row, name, type, meaning)

static const struct column columns[] = {
    FIELD(run_id, COLUMN_TEXT, "launch, as in the samples"),
    FIELD(wall_s, COLUMN_REAL, "time of the process, from its start to its end"),
    FIELD(user_s, COLUMN_REAL, "processor time in user mode, children included"),
    FIELD(system_s, COLUMN_REAL, "processor time in the system, children included"),
    FIELD(voluntary_switches, COLUMN_INT, "context switches in which it waited for something"),
    FIELD(involuntary_switches, COLUMN_INT, "context switches that it did not ask for"),
    FIELD(peak_memory_bytes, COLUMN_REAL, "most resident memory of its largest process"),
    FIELD(instructions, COLUMN_REAL, "instructions in user mode, children included"),
    FIELD(cycles, COLUMN_REAL, "cycles in user mode, children included"),
    FIELD(moved_bytes, COLUMN_REAL, "bytes that it moves to and from memory, by --bytes"),
};

const struct schema usage_schema = {columns, sizeof columns / sizeof *columns,
                                    sizeof(struct usage_row)};
_Static_assert(TABLE_LINE_FITS(struct usage_row, columns), "a row must fit a line");

struct usage_row usage_blank(void)
{
    struct usage_row row;
    table_blank(&usage_schema, &row);
    return row;
}

static bool take(const void *row, int64_t line, void *context)
{
    const struct usage_row *r = row;
    struct samples *s = context;
    (void)line;
    for (size_t i = 0; i < s->launch_count; i++)
        if (strcmp(s->launches[i].run_id, r->run_id) == 0) {
            s->launches[i].wall_s = r->wall_s;
            s->launches[i].user_s = r->user_s;
            s->launches[i].system_s = r->system_s;
            s->launches[i].instructions = r->instructions;
            s->launches[i].cycles = r->cycles;
            s->launches[i].moved_bytes = r->moved_bytes;
            s->launches[i].voluntary = record_number(r->voluntary_switches);
            s->launches[i].involuntary = record_number(r->involuntary_switches);
            s->launches[i].peak_memory_bytes = r->peak_memory_bytes;
        }
    return true;
}

enum status usage_join(struct samples *s, const char *path, struct failure *f)
{
    for (size_t i = 0; i < s->launch_count; i++) {
        struct launch *l = &s->launches[i];
        l->wall_s = l->user_s = l->system_s = l->instructions = l->cycles = l->moved_bytes = NAN;
        l->voluntary = l->involuntary = l->peak_memory_bytes = NAN;
    }
    return table_is_begun(path) ? table_read(path, &usage_schema, take, s, NULL, f) : STATUS_OK;
}
