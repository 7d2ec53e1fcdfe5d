/* The lines that the screen and the page of a report share, in the reader's language. */
#ifndef MAXPOOL_LAB_LINES_H
#define MAXPOOL_LAB_LINES_H

#include "experiments/common/text/language.h"
#include "experiments/lab/lab.h"

enum lab_part {
    LAB_LINE_VERDICT, /* is it correct, or what is wrong */
    LAB_LINE_TIME,    /* time, hand-over, machine limit */
    LAB_LINE_METHODS, /* what it was compared with: label and text, below a line that introduces
                         them */
    LAB_LINE_INSIDE,  /* what the compiler did, likewise */
    LAB_LINE_NEXT,    /* what to try */
    LAB_LINE_GRADE,
    LAB_LINE_HOW /* how it was compiled and checked */
};

struct lab_line {
    enum lab_part part;
    bool below; /* it is one of several below a line */
    char label[96], text[900];
};

enum { LAB_LINES = 64 };

struct lab_lines {
    const struct language *language;
    char subject[600]; /* "mine.c: maxpool, 2048 x 2048, kernel size 2, ..., 2 threads" */
    struct lab_line lines[LAB_LINES];
    size_t count;
};

/* "[1.04, 1.06]", and "[1,04; 1,06]" where a comma marks decimals. */
void lab_interval_text(char *text, size_t size, const char *lower, const char *upper,
                       const struct language *l);

/* "1.8 times as fast [1.7, 1.9]", or that no difference was seen. */
void lab_times_text(char *text, size_t size, const struct summary *ratio, const struct language *l);

void lab_lines_make(struct lab_lines *t, const struct lab_report *r, const struct language *l);

/* One screen for a reader, in their language. */
void lab_print(const struct lab_report *report, const struct language *l);

/* The same as a page of its own, with drawings and the source of the hot loop. Status 5. */
enum status lab_page(const struct lab_report *report, const struct language *l, const char *path,
                     struct failure *f);

#endif
