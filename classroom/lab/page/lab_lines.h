/* The lines that the report has both on the screen and on its page, in the reader's language. */
#ifndef MAXPOOL_LAB_LINES_H
#define MAXPOOL_LAB_LINES_H

#include "classroom/lab/lab.h"
#include "harness/base/text/language.h"

enum lab_part {
    LAB_LINE_VERDICT, /* whether it is correct, or what is wrong */
    LAB_LINE_TIME,    /* time, handing over, machine limit */
    LAB_LINE_METHODS, /* the methods compared: a heading, and below it a line per method */
    LAB_LINE_INSIDE,  /* what the compiler did, in the same form */
    LAB_LINE_NEXT,    /* what to try next */
    LAB_LINE_GRADE,
    LAB_LINE_HOW /* how it was compiled and checked */
};

struct lab_line {
    enum lab_part part;
    bool below; /* it is one of several lines below a heading */
    char label[96], text[900];
};

enum { LAB_LINES = 64 };

struct lab_lines {
    const struct language *language;
    char subject[600]; /* "mine.c: maxpool, 2048 x 2048, kernel size 2, ..., 2 threads" */
    struct lab_line lines[LAB_LINES];
    size_t count;
};

/* Writes "[1.04, 1.06]", or "[1,04; 1,06]" in a language with a decimal comma. */
void lab_interval_text(char *text, size_t size, const char *lower, const char *upper,
                       const struct language *l);

void lab_lines_make(struct lab_lines *t, const struct lab_report *r, const struct language *l);

/* Prints the report on the screen, in language `l`. */
void lab_print(const struct lab_report *report, const struct language *l);

/* Writes the report as a separate page, with drawings and the source lines of a fault. Status 5. */
enum status lab_page(const struct lab_report *report, const struct language *l, const char *path,
                     struct failure *f);

#endif
