/* Several machines on one page: what they are, and the same points on each of them, held against
 * the first. */
#ifndef MAXPOOL_MACHINES_H
#define MAXPOOL_MACHINES_H

#include "experiments/report/format.h"
#include "experiments/report/studied.h"

enum { MACHINES_MAX = 64 };

struct machines {
    const char *folder; /* where the page goes */
    struct studied all[MACHINES_MAX];
    size_t count;
};

/* Writes the whole page. Its charts are those that machines_derive told the data of. */
void machines_write(const struct report_format *format, const struct document *d,
                    const struct machines *m);

/* The data of the page's charts: R/analysis/machines-SECTION.points.csv, a row for each point on
 * each machine. Returns the sections that have something to compare; status 5 where one cannot be
 * written.
 */
enum { COMPARED_MAX = 16 };
struct compared {
    const char *sections[COMPARED_MAX];
    char titles[COMPARED_MAX][160];
    size_t count;
};
enum status machines_derive(const struct machines *m, const char *folder, enum language l,
                            struct compared *out, struct failure *f);

#endif
