/* The table of `study speedup`: workers, seconds, speedup, efficiency, Karp-Flatt, Amdahl. */
#ifndef MAXPOOL_SPEEDUP_TABLE_H
#define MAXPOOL_SPEEDUP_TABLE_H

#include "experiments/analysis/inventory.h"
#include "experiments/analysis/speedup/speedup_figure.h"
#include "experiments/report/page/format.h"

/* The functions take a figure with the laws of its series: speedup_figure_own_laws(). */

/* Prints every mark of a figure, the meaning of brackets, how far the times can be trusted, and one
 * line per cause of doubt. */
void speedup_table_print(const struct speedup_figure *figure, const struct experiment *e,
                         const struct language *l);

/* Prints where the efficiency of the leading mark's series went: a block for each worker count, a
 * line for each factor. */
void speedup_table_factors(const struct speedup_figure *figure, const struct analysis *a,
                           const struct language *l);

/* How far the figure's times can be trusted, as sentences for a document, without remedies:
 * "Points of this table: 3 PRECISE. SUSPECT: times in two modes, 2 points." */
void speedup_table_trust(const struct speedup_figure *figure, const struct language *l, char *text,
                         size_t size);

/* What speedups over a base of several workers are; "" if the base is one. */
enum { BASE_TEXT = 300 };
void speedup_table_base(const struct speedup_figure *figure, const struct language *l, char *text,
                        size_t size);

/* Whose f the last column has; "" if no row has one. */
enum { LAW_TEXT = 400 };
void speedup_table_law(const struct speedup_figure *figure, const struct language *l,
                       char text[LAW_TEXT]);

/* Writes the table into a document of LaTeX, with caption and label tab:PLACE of the document. */
void speedup_table_put(const struct speedup_figure *figure, const struct document *d,
                       const char *caption);

/* Writes the table for LaTeX, to be \\input: with caption and label tab:PLACE. Status 5. */
enum status speedup_table_write(const struct speedup_figure *figure, const char *place,
                                const char *caption, const struct language *l, const char *path,
                                struct failure *f);

#endif
