/* How far a run is, on standard error: one line that changes on a terminal, a line every ten
 * seconds elsewhere. */
#ifndef MAXPOOL_PROGRESS_H
#define MAXPOOL_PROGRESS_H

#include <stddef.h>

struct progress {
    int live; /* is standard error a terminal */
    size_t done, count;
    double began, said; /* clock_now() of the start and of the last line */
    double left_s;      /* seconds that the rest will take */
};

struct progress progress_begin(size_t count, double left_s);

/* Says what is running now. */
void progress_show(struct progress *p, const char *what);

/* One is over, and what is left to do is so many seconds less. */
void progress_advance(struct progress *p, double less_s);

/* Clears the line. */
void progress_end(const struct progress *p);

/* "1:02:03" or "2:03". */
void duration_text(double seconds, char *text, size_t size);

#endif
