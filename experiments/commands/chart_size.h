/* The size of a chart as an option gives it. */
#ifndef MAXPOOL_CHART_SIZE_H
#define MAXPOOL_CHART_SIZE_H

#include <stdbool.h>

/* Parses "8x6cm"; the default unit is cm. False if a side is not from 2 to 100 cm. */
bool chart_size_parse(const char *text, double *width_cm, double *height_cm);

#endif
