/* Several machines on one page: their descriptions, and the same points on each of them, compared
 * with the first. */
#ifndef MAXPOOL_MACHINES_H
#define MAXPOOL_MACHINES_H

#include "experiments/report/charts/form.h"
#include "experiments/report/page/format.h"
#include "experiments/report/report_data.h"

enum { MACHINES_MAX = 64 };

struct machines {
    const char *folder; /* folder of the page */
    struct report_data all[MACHINES_MAX];
    char labels[MACHINES_MAX][240]; /* replaces a label that several machines have */
    size_t count;
    struct texts copies; /* sentences: which of them contain the same launches */
};

/* Adds their folders' names to machines with the same label: two laptops of a kind, or two hosts
 * called vm. */
void machines_distinguish(struct machines *m);

/* Fills `copies` with the machines that contain the same launches: one of the folders is then a
 * copy. */
void machines_find_copies(struct machines *m, const struct language *l);

/* Writes the whole page. Its charts are those of machines_compare. */
void machines_write(const struct report_format *format, const struct document *d,
                    const struct machines *m);

/* A chart of the page. Its rows have a panel for each point and in it a row for each machine, the
 * fastest first: x counts them, y is the total time. */
enum { COMPARED_MAX = 16, MACHINES_PANELS = 4 };
struct compared {
    const char *section;
    char title[160];
    size_t panels; /* at most MACHINES_PANELS */
    struct selection rows;
};
extern const struct form machines_form;

/* Makes those of the sections that have something to compare; returns their number. The caller
 * releases the rows. */
size_t machines_compare(const struct machines *m, const struct language *l,
                        struct compared out[COMPARED_MAX]);

#endif
