/* Several machines on one page: what they are, and the same points on each of them, compared with
 * the first. */
#ifndef MAXPOOL_MACHINES_H
#define MAXPOOL_MACHINES_H

#include "experiments/report/page/format.h"
#include "experiments/report/report_data.h"

enum { MACHINES_MAX = 64 };

struct machines {
    const char *folder; /* where the page goes */
    struct report_data all[MACHINES_MAX];
    char labels[MACHINES_MAX][240]; /* of those whose own label another has, too */
    size_t count;
    struct texts copies; /* sentences: which of them hold the same launches */
};

/* Gives machines of one label, two laptops of a kind or two hosts called vm, their folders' names
 * beside it. */
void machines_distinguish(struct machines *m);

/* Fills `copies`: machines that hold the same launches, so that one of the folders is a copy. */
void machines_find_copies(struct machines *m, const struct language *l);

/* Writes the whole page. Its charts are those that machines_derive wrote the data of. */
void machines_write(const struct report_format *format, const struct document *d,
                    const struct machines *m);

/* The data of the page's charts: R/analysis/machines-SECTION.points.csv, a row for each point on
 * each machine. Returns the sections that have something to compare; status 5 where one cannot be
 * written.
 */
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
