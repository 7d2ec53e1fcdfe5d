/* A format of the report: a table of functions that print its parts. */
#ifndef MAXPOOL_FORMAT_H
#define MAXPOOL_FORMAT_H

#include "experiments/analysis/trust/reasons.h"
#include "harness/base/text/language.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct document {
    FILE *stream;
    const char *folder; /* R, which contains the charts */
    const char *place;  /* what is being written: the name of an experiment, a section or a table */
    const struct language *language;
    bool *marks_defined; /* marks of drawings: the first drawing of the page defines them */
    const char *words;   /* the file with the glossary; NULL: the page has its own */
    const bool *pages;   /* which pages of the report there are; NULL: this is none of them */
    uint64_t *linked;    /* words of terms[] that the page links to, which its glossary then has
                          * alone; NULL: the glossary has all words */
    const char *no_term; /* key of a word that this page uses in another sense, and does not link;
                          * NULL: none */
};

/* A cell of a table: its text, and a gray addition after it. */
struct cell {
    const char *text, *soft; /* soft: NULL or "" for none */
};

/* One of the large figures of the first screen. */
struct card {
    const char *name, *value, *note;
};

/* All texts are plain UTF-8; a format escapes them. What begins or ends a part and holds no text is
 * a mark, which is written unchanged (format_part()). A function or a mark said to be "or NULL" may
 * be missing: the format then leaves that part out. */
struct report_format {
    const char *name;    /* as in --format: html, markdown, latex */
    const char *file;    /* in R */
    const char *drawing; /* format of its charts */
    bool everything;     /* also writes the folded parts: all points, fits, causes */
    void (*begin)(const struct document *d, const char *title);
    const char *end;            /* or NULL */
    const char *contents_begin; /* or NULL, also the next two */
    void (*contents_item)(const struct document *d, const char *anchor, const char *text);
    void (*contents_end)(const struct document *d, const char *title);
    /* A page of several: the links to all of them, the one being written as well, and below the
     * title the links to its sections; or NULL: all are in one document. */
    const char *pages_begin;
    void (*pages_item)(const struct document *d, const char *file, const char *text, bool here);
    void (*pages_end)(const struct document *d, const char *title);
    const char *places_begin;
    const char *places_end;
    void (*section_begin)(const struct document *d, const char *title); /* its anchor is d->place */
    const char *section_end;                                            /* or NULL */
    void (*heading)(const struct document *d, const char *text);        /* within a section */
    void (*text)(const struct document *d, const char *text); /* escaped, nothing else; or NULL */
    void (*paragraph)(const struct document *d, const char *text);
    void (*link)(const struct document *d, const char *path, const char *text); /* or NULL */
    void (*question)(const struct document *d, const char *text);
    void (*answer)(const struct document *d, const char *text);
    void (*plain)(const struct document *d, const char *text); /* plain words; or NULL */
    /* Around an answer and its chart, which paper keeps on one sheet; or NULL, both. */
    const char *claim_begin;
    const char *claim_end;
    void (*fold_begin)(const struct document *d, const char *summary);
    const char *fold_end; /* or NULL */
    void (*list_begin)(const struct document *d, const char *title);
    void (*item)(const struct document *d, const char *text);
    /* An item that begins with a link to a section; or NULL. */
    void (*item_of)(const struct document *d, const char *link, const char *title,
                    const char *text);
    const char *list_end;
    /* The glossary; or NULL, also the next two. */
    const char *terms_begin;
    void (*term)(const struct document *d, const char *key, const char *term, const char *meaning);
    const char *terms_end;
    void (*cards)(const struct document *d, const struct card *cards, size_t count);
    void (*trust)(const struct document *d, const size_t trusted[TRUSTS]);
    void (*picture)(const struct document *d, const char *path, const char *caption); /* or NULL */
    void (*chart)(const struct document *d, const char *chart, const char *caption);
    /* caption: "" for none; LaTeX then takes the title above it. */
    void (*table_begin)(const struct document *d, const char *caption, const char *const *headers,
                        size_t count);
    void (*row)(const struct document *d, const struct cell *cells, size_t count, bool best);
    void (*table_end)(const struct document *d, size_t count); /* count: columns */
};

/* Writes a mark, unless the format lacks it. */
static inline void format_part(const char *mark, const struct document *d)
{
    if (mark)
        fputs(mark, d->stream);
}

extern const struct report_format report_html, report_markdown, report_latex;

#endif
