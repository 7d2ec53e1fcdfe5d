/* The measured ceilings of the machine, R/ceilings.csv: what `study roofline` writes and analyses
 * hold times against. One row for each bandwidth (of a pass over the buffers, a level of memory and
 * a number of workers) and for each arithmetic peak (of an instruction set and a number of
 * workers). Files written before there were passes and peaks hold bandwidths of reading alone. */
#ifndef MAXPOOL_CEILINGS_H
#define MAXPOOL_CEILINGS_H

#include "harness/base/failure.h"

#include <stdbool.h>
#include <stddef.h>

enum { CEILING_TEXT = 16 };

/* The highest rate that was seen, and the 95 % interval of the samples' median, per second; NaN
 * where the row has none. Old files have the median itself in place of the highest. */
struct rate {
    double value, lower, upper;
};

struct ceiling {
    char what[CEILING_TEXT];  /* a pass: read, copy, pool; a peak: multiply_add, maximum, product */
    char level[CEILING_TEXT]; /* L1, L2, L3, memory; "" for a peak */
    double bytes;             /* capacity of the level for all workers; NaN for memory and peaks */
    double workers;           /* at once */
    char stores[CEILING_TEXT]; /* ordinary or streaming; "" where nothing is written */
    char isa[CEILING_TEXT];    /* that it was measured in, as records name it; "": not told */
    struct rate bandwidth;     /* bytes read and written */
    struct rate operations;    /* on single floats; a multiply-add counts 2 */
};

struct ceilings {
    struct ceiling *rows;
    size_t count;
};

/* A row that nothing is known of. */
struct ceiling ceiling_blank(void);

/* A file that is missing, or ends within its header, has no rows and is no failure. */
enum status ceilings_read(struct ceilings *c, const char *path, struct failure *f);
void ceilings_release(struct ceilings *c);

/* Adds a row; status 4 where memory lacks. */
enum status ceilings_add(struct ceilings *c, const struct ceiling *row, struct failure *f);

/* Writes all rows in place of what the file held; status 5, and the file as it was, where it cannot
 * be. */
enum status ceilings_write(const struct ceilings *c, const char *path, struct failure *f);

/* Puts the rows of `before` in place of those of `now` that they exceed: a ceiling is the most that
 * was ever seen, because on a machine that others use too one moment's rate is not the next one's.
 */
void ceilings_keep_higher(struct ceilings *now, const struct ceilings *before);

/* ---- asking --------------------------------------------------------------------------------- */

/* Which end of a rate is meant: the rate itself, or the upper end of the interval where that is
 * higher, as in old files. */
enum rate_end { RATE_VALUE, RATE_UPPER };

/* The smallest level of memory that holds `bytes` at this many workers, or the next more that were
 * measured: its row of the pass read. NULL where none was measured. */
const struct ceiling *ceilings_level(const struct ceilings *c, double bytes, double workers);

/* Bytes per second between the workers and the level, where `write_share` of the bytes are written
 * and each kind of store is used where it is the faster one. Seconds per byte are interpolated
 * between the passes on either side, because reading and writing times add up; beyond copy's share,
 * and where only reading was measured, the nearest pass stands for all. */
double ceilings_bandwidth(const struct ceilings *c, const struct ceiling *level, double write_share,
                          enum rate_end end);

/* The least seconds in which `bytes` could be moved: what a level's capacity
 * holds may still be there from the time before, so only what exceeds it must come from beyond. 0
 * where nothing was measured. */
double ceilings_least_seconds(const struct ceilings *c, double bytes, double workers,
                              double write_share);

/* The seconds that so many multiply-adds and maxima take, at the least, at the peaks of an
 * instruction set: the longest of the one, the other, and both where they share units. NaN where no
 * peaks of the set were measured at this many workers or more. */
double ceilings_arithmetic(const struct ceilings *c, double multiply_adds, double maxima,
                           double workers, const char *isa, enum rate_end end);

#endif
