/* The rows as a page, a table for the terminal, a CSV file, and a section of the report. */
#ifndef MAXPOOL_REPRODUCTION_PAGE_H
#define MAXPOOL_REPRODUCTION_PAGE_H

#include "experiments/report/page/format.h"
#include "experiments/report/report.h"
#include "experiments/report/reproduction/reproduction.h"

/* Writes one row per published number and figure; numbers are in the measures' units. */
void reproduction_csv(FILE *stream, const struct reproduction *r, const struct language *l);

/* For a terminal. */
void reproduction_text(FILE *stream, const struct reproduction *r, const struct language *l);

/* Writes the whole page, document by document: claims, figures, numbers. A page about one document
 * (reproduction.shown) has each figure with its own table. */
void reproduction_page(const struct report_format *format, const struct document *d,
                       const struct reproduction *r);

/* The section of the report: how many of the numbers are compared with ours, which deviate most,
 * and a link to the page. */
void reproduction_section(const struct report_format *format, const struct document *d,
                          const struct reproduction *r);

#endif
