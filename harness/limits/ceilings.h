/* The measured ceilings of machines: R/ceilings.csv, which `study roofline` writes and analyses
 * compare times with. There is one row for each bandwidth (of a pass over buffers of a size, by a
 * number of workers) and for each arithmetic peak (of an instruction set and a number of workers),
 * with the host on which it was measured. */
#ifndef MAXPOOL_CEILINGS_H
#define MAXPOOL_CEILINGS_H

#include "harness/records/table.h"

#include <stdbool.h>
#include <stddef.h>

enum { CEILING_TEXT = 16, CEILING_HOST = 256 };

/* Per second; NaN if the row has none, or too few visits were made. A row is visited several times,
 * each time with new threads and new memory; the rate of a visit is the median of its samples. */
struct rate {
    double value, lower, upper; /* upper quartile of the visits' rates, with its 95 % interval */
    double median;              /* of the visits */
    double highest;             /* of all visits ever made; in old files of the samples */
};

struct ceiling {
    char what[CEILING_TEXT];  /* a pass: read, copy, pool; a peak: multiply_add, maximum, product */
    char level[CEILING_TEXT]; /* L1, L2, L3, memory: what holds the working set; "" for a peak */
    double bytes;             /* capacity of the level for all workers; NaN for memory and peaks */
    double working_set;       /* bytes that all workers pass over; NaN for peaks */
    double workers;           /* number of workers at once */
    char stores[CEILING_TEXT]; /* ordinary or streaming; "" where nothing is written */
    char isa[CEILING_TEXT];    /* instruction set it was measured with, as records name it; "": not
                                  recorded */
    char host[CEILING_HOST];   /* as records name it; "": not recorded, in old files */
    struct rate bandwidth;     /* bytes read and written */
    struct rate operations;    /* on float32 numbers; a multiply-add counts 2 */
    double visits;             /* ever made, later ones included; NaN: not recorded */
};

struct ceilings {
    struct ceiling *rows;
    size_t count;
};

/* The columns of the file. */
extern const struct schema ceiling_schema;

/* Returns a row in which every column is not available. */
struct ceiling ceiling_blank(void);

/* True for an arithmetic peak, false for a bandwidth. */
bool ceiling_is_peak(const struct ceiling *row);

/* Reads a file of ceilings. A file that is missing or ends within its first line has no rows and is
 * no failure; status 2 for one with other content. Rows of older files are converted. If they have
 * no working sets, those of caches get half of the capacity, as they were measured, and those of
 * memory twice the capacity of level 3. If they have no visits, they have the highest of all
 * samples and the interval of the median: the upper quartile is between the median and the highest
 * sample, and the upper end of the interval (the 27th of 41 samples) is used for it. */
enum status ceilings_read(struct ceilings *c, const char *path, struct failure *f);
void ceilings_release(struct ceilings *c);

/* Adds a row; status 4 if memory is short. */
enum status ceilings_add(struct ceilings *c, const struct ceiling *row, struct failure *f);

/* Merges earlier measurements into the current ones. An earlier row is kept if it was faster, with
 * its interval wholly above the current one: other load can only reduce a rate. Otherwise the
 * current row is kept: the higher of two rates that match would be the luckier one. Either way the
 * highest of both stays the highest. Rows of other hosts, and of sizes that were not measured
 * again, are kept. Earlier rows without a host are dropped: their machine is unknown. Status 4. */
enum status ceilings_keep_faster(struct ceilings *now, const struct ceilings *before,
                                 struct failure *f);

/* Adds further visits to the row of the same ceiling, if there is one. The row keeps its rate,
 * except that `seen`, from visits enough for an interval, replaces a rate without one and a rate
 * that it exceeds with its interval. The highest rate is that of all visits. */
void ceilings_add_visits(struct ceilings *c, const struct ceiling *seen);

/* Fills *out with the rows of one host; if there are none, with the rows that name no host. Status
 * 4. */
enum status ceilings_of_host(struct ceilings *out, const struct ceilings *all, const char *host,
                             struct failure *f);

#endif
