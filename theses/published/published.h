/* The published numbers, data/published: the numbers that four documents print, one per row, and
 * the figures whose values they do not print. Texts are as in the files; numbers are displayed
 * digit for digit. */
#ifndef MAXPOOL_PUBLISHED_H
#define MAXPOOL_PUBLISHED_H

#include "theses/published/strict_table.h"

#include <stdbool.h>

/* The documents. */
enum published_source { SOURCE_TESINA, SOURCE_SOLAR, SOURCE_DEVICES, SOURCE_FACES, SOURCES };

/* The values of the column `source`; and short words for options: tesina, solar, devices, faces. */
extern const char *const published_sources[SOURCES];
extern const char *const published_source_words[SOURCES];

/* The columns of all files; each file has some of them. */
enum published_column {
    PUBLISHED_SOURCE,
    PUBLISHED_ITEM,
    PUBLISHED_MACHINE,
    PUBLISHED_QUANTITY,
    PUBLISHED_UNIT,
    PUBLISHED_METHOD,
    PUBLISHED_N,
    PUBLISHED_K,
    PUBLISHED_STRIDE,
    PUBLISHED_PADDING,
    PUBLISHED_BLOCK,
    PUBLISHED_PROCESSES,
    PUBLISHED_CORES,
    PUBLISHED_NETWORK,
    PUBLISHED_LAYER,
    PUBLISHED_TASK,
    PUBLISHED_BATCH,
    PUBLISHED_EPOCHS,
    PUBLISHED_OPTIMIZER,
    PUBLISHED_PART,
    PUBLISHED_STRATEGY,
    PUBLISHED_GPUS,
    PUBLISHED_IMAGE_SIDE,
    PUBLISHED_STRUCTURE,
    PUBLISHED_PICTURES,
    PUBLISHED_COMPARED_WITH,
    PUBLISHED_VALUE,
    PUBLISHED_NOTE,
    PUBLISHED_CAPTION, /* for figures without numbers, also the next five */
    PUBLISHED_KIND,
    PUBLISHED_X,
    PUBLISHED_Y,
    PUBLISHED_SERIES,
    PUBLISHED_RANGES,
    PUBLISHED_COLUMNS
};
extern const char *const published_columns[PUBLISHED_COLUMNS + 1];

/* Index of the column with that name, or -1. */
int published_column_find(const char *name);

struct published_row {
    const char *file; /* file name without .csv */
    int64_t line;
    enum published_source source;
    bool figure;     /* a figure whose values are not printed: no value */
    char **cells;    /* indexed by enum published_column */
    double number;   /* the value; NaN for a figure, a shape or a day */
    size_t decimals; /* printed after the decimal point */
};

static inline const char *published_cell(const struct published_row *r, enum published_column c)
{
    return r->cells[c];
}

enum { PUBLISHED_FILES = 9 };
extern const char *const published_files[PUBLISHED_FILES];

struct published {
    struct strict_table tables[PUBLISHED_FILES];
    struct published_row *rows; /* file by file */
    size_t count, numbers, figures;
};

/* Reads the files of a folder. Status 2, with file, line and column, for an unknown source, a value
 * that is not a number, an impossible configuration, or anything that strict_table_read refuses. */
enum status published_read(struct published *out, const char *folder, struct failure *f);
void published_release(struct published *p);

/* The folder that comes with the program. */
const char *published_folder(void);

#endif
