/* The report: what every experiment asks, shows and says. One walk over the findings writes any
 * format; a format is a table of functions that print the parts. */
#ifndef MAXPOOL_REPORT_H
#define MAXPOOL_REPORT_H

#include "experiments/analysis/inventory.h"

#include <stdio.h>

struct document {
    FILE *stream;
    const char *folder;     /* R, where the charts lie */
    const char *experiment; /* that is being written */
    enum language language;
};

/* All texts are plain UTF-8; a format escapes them. */
struct report_format {
    const char *name; /* as --format has it: html, markdown, latex */
    const char *file; /* in R */
    void (*begin)(const struct document *d, const char *title);
    void (*end)(const struct document *d);
    void (*heading)(const struct document *d, const char *text);
    void (*paragraph)(const struct document *d, const char *text);
    void (*question)(const struct document *d, const char *text);
    void (*list_begin)(const struct document *d, const char *title, bool warning);
    void (*item)(const struct document *d, const char *text);
    void (*list_end)(const struct document *d, bool warning);
    void (*chart)(const struct document *d, const char *chart, const char *caption);
    void (*table_begin)(const struct document *d, const char *caption, const char *const *headers,
                        size_t count);
    void (*row)(const struct document *d, const char *const *cells, size_t count);
    void (*table_end)(const struct document *d);
    const char *drawing; /* format of the charts that it shows */
};

extern const struct report_format report_html, report_markdown, report_latex;

/* Writes one experiment. */
void report_experiment(const struct report_format *format, const struct document *d,
                       const struct experiment *e);

/* Points that were not measured, from the journal of the run, into a list; prints nothing where
 * there are none. */
enum status report_skipped(const struct report_format *format, const struct document *d,
                           struct failure *f);

/* The gaps of the document's experiment, or of the folder where it is "", into a list; prints
 * nothing where there are none. */
void report_gaps(const struct report_format *format, const struct document *d,
                 const struct gaps *gaps);

#endif
