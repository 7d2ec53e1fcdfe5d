/* Formats numbers and columns for readers. */
#ifndef MAXPOOL_SHOW_TEXT_H
#define MAXPOOL_SHOW_TEXT_H

#include "harness/base/text/screen.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* A count, and a count with its word, as text. */
struct grouped_text {
    char text[32];
};
struct counted_text {
    char text[96];
};

/* A count with thousands separated, as 16,777,216. */
struct grouped_text text_grouped(int64_t n);

/* A count and its word: "1 window", "2 windows". */
struct counted_text text_counted(int64_t n, const char *one, const char *many);

/* Seconds with a unit that leaves few digits before the decimal point: 12.3 µs. */
const char *text_seconds(double s, char *buffer, size_t size);

/* The tesina's way to print a time, h:m:s; "" below one second, where it would be all zeros. */
const char *text_hms(double s, char *buffer, size_t size);

/* Prints the label of a line of the summary, in the language of the screen, up to column 14; ""
 * begins a further line of the same label. */
void show_label(FILE *out, const char *word);

/* Prints a further line of the same label, in the language of the screen; nothing for NULL. */
void show_further(FILE *out, const char *text);

/* Prints the line of a network: its name, its parameters and where they come from, a text of the
 * screen; `features` if its classifier is left out. */
void show_network(FILE *out, const char *name, int64_t parameters, const char *source,
                  bool features);

#endif
