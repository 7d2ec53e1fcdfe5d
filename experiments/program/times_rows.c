#include "experiments/program/times_rows.h"

#include <string.h>
#include <strings.h>

static bool is_blank(const struct times_table *t, size_t line, int column)
{
    return !times_table_field(t, line, column)[0];
}

static bool is_merged(const struct times_table *t, size_t first, int column)
{
    bool blanks = false;
    if (first >= t->count || is_blank(t, first, column))
        return false;
    for (size_t i = first + 1; i < t->count; i++) {
        const char *value = times_table_field(t, i, column);
        if (value[0] && strcmp(value, times_table_field(t, i - 1, column)) == 0)
            return false;
        blanks = blanks || (!value[0] && column < t->lines[i].count);
    }
    return blanks;
}

bool times_fill_merged(struct times_table *t, size_t first, int column)
{
    if (!is_merged(t, first, column))
        return false;
    for (size_t i = first + 1; i < t->count; i++)
        if (is_blank(t, i, column) && column < t->lines[i].count)
            t->lines[i].fields[column] = t->lines[i - 1].fields[column];
    return true;
}

static bool is_step(const struct times_table *t, size_t first, size_t line, int column)
{
    const char *step = times_table_field(t, line, column), *point = strchr(step, '.');
    for (size_t i = first; point && i < t->count; i++) {
        const char *job = times_table_field(t, i, column);
        if (strncmp(job, step, (size_t)(point - step)) == 0 && !job[point - step])
            return true;
    }
    return false;
}

/* True for what Slurm calls the end of a job, as in "CANCELLED by 1000". */
static bool is_slurm_state(const char *text)
{
    static const char *const states[] = {
        "BOOT_FAIL", "CANCELLED",     "COMPLETED", "COMPLETING", "DEADLINE", "FAILED",
        "NODE_FAIL", "OUT_OF_MEMORY", "PENDING",   "PREEMPTED",  "REQUEUED", "RESIZING",
        "REVOKED",   "RUNNING",       "STOPPED",   "SUSPENDED",  "TIMEOUT"};
    const size_t length = strcspn(text, " +");
    for (size_t i = 0; i < sizeof states / sizeof *states; i++)
        if (strlen(states[i]) == length && strncasecmp(text, states[i], length) == 0)
            return true;
    return false;
}

static bool is_failed(const struct times_table *t, size_t first, size_t line, int column)
{
    (void)first;
    return strcasecmp(times_table_field(t, line, column), "COMPLETED") != 0;
}

/* Removes the rows that `leaves` is true of. A job precedes its steps in no particular order, so
 * all are decided before any is removed. */
static size_t remove_rows(struct times_table *t, size_t first, int column,
                          bool (*leaves)(const struct times_table *, size_t, size_t, int))
{
    size_t kept = first;
    for (size_t i = first; i < t->count; i++)
        t->lines[i].left_out = leaves(t, first, i, column);
    for (size_t i = first; i < t->count; i++)
        if (!t->lines[i].left_out)
            t->lines[kept++] = t->lines[i];
    const size_t removed = t->count - kept;
    t->count = kept;
    return removed;
}

size_t times_remove_steps(struct times_table *t, size_t first, int column)
{
    return remove_rows(t, first, column, is_step);
}

size_t times_remove_failed(struct times_table *t, size_t first, int column)
{
    bool completed = false, slurm = true;
    for (size_t i = first; i < t->count; i++) {
        completed = completed || !is_failed(t, first, i, column);
        slurm = slurm && is_slurm_state(times_table_field(t, i, column));
    }
    return completed || slurm ? remove_rows(t, first, column, is_failed) : 0;
}
