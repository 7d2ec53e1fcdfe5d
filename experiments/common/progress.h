/* The progress of a run, on standard error, in the language of the screen: on a terminal one line
 * that changes, with a bar; otherwise a line every ten seconds. */
#ifndef MAXPOOL_PROGRESS_H
#define MAXPOOL_PROGRESS_H

#include <stddef.h>

struct progress {
    int live; /* whether standard error is a terminal */
    size_t done, count;
    double began, said; /* clock_now() at the start and at the last line */
    double left_s;      /* estimated seconds until the end */
};

struct progress progress_begin(size_t count, double left_s);

/* A bar of twenty places, of which the share done / count is full: "[#####               ]". */
struct progress_bar {
    char text[23];
};
struct progress_bar progress_bar(size_t done, size_t count);

/* Shows what is running now. */
void progress_show(struct progress *p, const char *what);

/* One item is done; `less_s` seconds less are left. */
void progress_advance(struct progress *p, double less_s);

/* So many items are left after all, each of which may take as long as one took so far. */
void progress_extend(struct progress *p, size_t items);

/* Clears the line. */
void progress_end(const struct progress *p);

/* Writes "1:02:03" or "2:03". */
void duration_text(double seconds, char *text, size_t size);

#endif
