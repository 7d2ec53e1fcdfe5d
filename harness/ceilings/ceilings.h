/* The measured ceilings of machines, R/ceilings.csv, which `study roofline` writes and analyses
 * compare times with. There is one row for each bandwidth (of a pass over buffers of a size, by a
 * number of workers) and for each arithmetic peak (of an instruction set and a number of workers),
 * with the host on which it was measured. */
#ifndef MAXPOOL_CEILINGS_H
#define MAXPOOL_CEILINGS_H

#include "harness/records/table.h"

#include <stdbool.h>
#include <stddef.h>

enum { CEILING_TEXT = 16, CEILING_HOST = 256 };

/* Per second; NaN where the row has none or too few visits were made. A row is visited several
 * times, each time with threads and memory of its own; the median of a visit's samples is its rate.
 */
struct rate {
    double value, lower, upper; /* upper quartile of the visits' rates, with its 95 % interval */
    double median, highest;     /* of the visits; of old files the highest sample */
};

struct ceiling {
    char what[CEILING_TEXT];  /* a pass: read, copy, pool; a peak: multiply_add, maximum, product */
    char level[CEILING_TEXT]; /* L1, L2, L3, memory: what holds the working set; "" for a peak */
    double bytes;             /* capacity of the level for all workers; NaN for memory and peaks */
    double working_set;       /* bytes that all workers pass over; NaN for peaks */
    double workers;           /* at once */
    char stores[CEILING_TEXT]; /* ordinary or streaming; "" where nothing is written */
    char isa[CEILING_TEXT];    /* that it was measured in, as records name it; "": not recorded */
    char host[CEILING_HOST];   /* as records name it; "": not recorded, in old files */
    struct rate bandwidth;     /* bytes read and written */
    struct rate operations;    /* on single floats; a multiply-add counts 2 */
};

struct ceilings {
    struct ceiling *rows;
    size_t count;
};

/* The columns of the file. */
extern const struct schema ceiling_schema;

/* A row that nothing is known of. */
struct ceiling ceiling_blank(void);

/* True for an arithmetic peak, false for a bandwidth. */
bool ceiling_is_peak(const struct ceiling *row);

/* A file that is missing, or ends before its first line does, has no rows and is no failure; status
 * 2 for one that holds something else. Rows of files from before there were working sets stand at
 * half of a cache, as they were measured, and those of memory at twice the level 3. Rows of files
 * from before there were visits have the highest of all samples and the interval of their median:
 * the quartile lies between the median and the highest, and the interval's upper end, the sample
 * that of 41 is the 27th, stands for it. */
enum status ceilings_read(struct ceilings *c, const char *path, struct failure *f);
void ceilings_release(struct ceilings *c);

/* Adds a row; status 4 where memory lacks. */
enum status ceilings_add(struct ceilings *c, const struct ceiling *row, struct failure *f);

/* Joins what was measured before into what was measured now. Where a row was seen to be faster
 * before, its interval wholly above the one of now, it stays: other load can only take from a rate.
 * Otherwise the row of now does: the higher of two that agree would be the luckier one. Other
 * hosts' rows, and sizes that were not measured again, stay as they are. Rows that name no host go:
 * nobody knows whose they are. Status 4. */
enum status ceilings_keep_faster(struct ceilings *now, const struct ceilings *before,
                                 struct failure *f);

/* Fills *out with the rows of one host; with those that name no host where it has none of its own.
 * Status 4. */
enum status ceilings_of_host(struct ceilings *out, const struct ceilings *all, const char *host,
                             struct failure *f);

#endif
