/* One line on a terminal that says how far a run is; nothing elsewhere. */
#ifndef MAXPOOL_PROGRESS_H
#define MAXPOOL_PROGRESS_H

#include <stddef.h>

struct progress {
    int shown; /* is standard error a terminal */
    size_t done, count;
    double began, left_s; /* clock_now() of the start; seconds that the rest will take */
};

struct progress progress_begin(size_t count, double left_s);

/* Says what is running now. */
void progress_show(const struct progress *p, const char *what);

/* One launch is over, of which `estimate_s` were expected. */
void progress_advance(struct progress *p, double estimate_s);

/* Clears the line. */
void progress_end(const struct progress *p);

/* "1:02:03" or "2:03". */
void duration_text(double seconds, char *text, size_t size);

#endif
