#include "mpi/per_rank.h"

#include "harness/records/table.h"
#include "mpi/group.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One row. */
struct row {
    int64_t execution, rank;
    char host[128];
    int64_t cores;
    struct rank_times times;
    char method[64];
};

#define REAL(field, meaning)                                                                       \
    {                                                                                              \
#field, COLUMN_REAL, offsetof(struct row, times.field), sizeof(double), meaning            \
    }

static const struct column columns[] = {
    {"execution", COLUMN_INT, offsetof(struct row, execution), sizeof(int64_t),
     "counts the executions of this launch from 0, warm-up first"},
    {"rank", COLUMN_INT, offsetof(struct row, rank), sizeof(int64_t), "rank in MPI_COMM_WORLD"},
    {"host", COLUMN_TEXT, offsetof(struct row, host), sizeof(((struct row *)0)->host),
     "computer it ran on"},
    {"cpus", COLUMN_INT, offsetof(struct row, cores), sizeof(int64_t),
     "hardware threads it was allowed"},
    REAL(distribute_s, "seconds to get the image"),
    REAL(compute_s, "seconds to compute"),
    REAL(product_s, "seconds of the products within compute"),
    REAL(collect_s, "seconds to hand in the map"),
    REAL(total_s, "seconds from the common start to this rank's end"),
    REAL(start_error_s, "start skew: seconds after the common start at which it began"),
    {"method", COLUMN_TEXT, offsetof(struct row, method), sizeof(((struct row *)0)->method),
     "method that took its turn"},
};

static const struct schema schema = {columns, sizeof columns / sizeof columns[0],
                                     sizeof(struct row)};
_Static_assert(TABLE_LINE_FITS(struct row, columns), "a row must fit a line");

struct per_rank {
    struct row mine;
    struct row *all;            /* in the root */
    struct table_writer *table; /* in the root */
};

enum status per_rank_open(struct per_rank **out, const char *path, struct failure *f)
{
    const struct rank_group *g = group();
    enum status status = STATUS_OK;
    struct per_rank *p = calloc(1, sizeof *p);
    if (!p)
        status = fail(f, STATUS_RESOURCE, "no memory for --per-rank");
    if (p && g->rank == GROUP_ROOT) {
        p->all = malloc((size_t)g->ranks * sizeof *p->all);
        status = p->all ? table_writer_open(&p->table, &schema, path, NULL, f)
                        : fail(f, STATUS_RESOURCE, "no memory for --per-rank");
    }
    status = mpi_processes.common_status(status, f);
    if (status != STATUS_OK) {
        per_rank_close(p, NULL);
        return status;
    }
    p->mine.rank = g->rank;
    p->mine.cores = g->allowed;
    gethostname(p->mine.host, sizeof p->mine.host - 1);
    *out = p;
    return STATUS_OK;
}

enum status per_rank_append(struct per_rank *p, const char *method, const struct rank_times *mine,
                            struct failure *f)
{
    enum status status = STATUS_OK;
    p->mine.times = *mine;
    snprintf(p->mine.method, sizeof p->mine.method, "%s", method);
    MPI_Gather(&p->mine, (int)sizeof p->mine, MPI_BYTE, p->all, (int)sizeof p->mine, MPI_BYTE,
               GROUP_ROOT, group()->all);
    for (int r = 0; p->table && status == STATUS_OK && r < group()->ranks; r++)
        status = table_append(p->table, &p->all[r], f);
    p->mine.execution++;
    return mpi_processes.common_status(status, f);
}

enum status per_rank_close(struct per_rank *p, struct failure *f)
{
    if (!p)
        return STATUS_OK;
    const enum status status = table_writer_close(p->table, f);
    free(p->all);
    free(p);
    return status;
}
