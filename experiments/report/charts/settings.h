/* The variables of a gnuplot script, as assignments of texts on its command line. */
#ifndef MAXPOOL_CHARTS_SETTINGS_H
#define MAXPOOL_CHARTS_SETTINGS_H

#include <limits.h>
#include <stdbool.h>

struct settings {
    char text[8 * PATH_MAX];
    bool whole; /* false: something did not fit, or has a line break, which gnuplot's quotes do
                   not allow */
};

void settings_add(struct settings *s, const char *name, const char *value);
void settings_add_number(struct settings *s, const char *name, double value);

#endif
