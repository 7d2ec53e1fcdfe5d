/* Several machines on one page: their descriptions, and the same points on each of them, compared
 * with the first. */
#ifndef MAXPOOL_MACHINES_H
#define MAXPOOL_MACHINES_H

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

/* Writes the whole page. Its charts show the data that machines_derive wrote. */
void machines_write(const struct report_format *format, const struct document *d,
                    const struct machines *m);

/* Writes the data of the page's charts: R/analysis/machines-SECTION.points.csv, one row per point
 * and machine. Returns in *out the sections that have something to compare; status 5 if a file
 * cannot be written. */
enum { COMPARED_MAX = 16, MACHINES_PANELS = 4 };
struct compared {
    const char *sections[COMPARED_MAX];
    char titles[COMPARED_MAX][160];
    size_t panels[COMPARED_MAX]; /* points that the chart shows, at most MACHINES_PANELS */
    size_t count;
};
enum status machines_derive(const struct machines *m, const char *folder, const struct language *l,
                            struct compared *out, struct failure *f);

#endif
