/* The parts of a document's section: its claims with verdicts, its figures one by one. */
#ifndef MAXPOOL_REPRODUCTION_PARTS_H
#define MAXPOOL_REPRODUCTION_PARTS_H

#include "experiments/report/page/format.h"
#include "experiments/report/reproduction/reproduction.h"

/* Writes the table of a document's claims; nothing if it has none. */
void claims_table(const struct report_format *format, const struct document *d,
                  const struct reproduction *r, enum published_source source);

/* Writes the figures of a document, each with its own table, its finding, and the verdicts on the
 * claims about it. */
void figures_one_by_one(const struct report_format *format, const struct document *d,
                        const struct reproduction *r, enum published_source source);

/* The same for a terminal. */
void claims_text(FILE *stream, const struct reproduction *r, enum published_source source,
                 const struct language *l);
void figures_text(FILE *stream, const struct reproduction *r, enum published_source source,
                  const struct language *l);

#endif
