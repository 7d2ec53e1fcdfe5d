/* The tables and curves of the tesina that print no values in the text: each is a choice of points
 * by the conditions of its counterpart, and is filled with our seconds. The tesina's tables have a
 * row for each n: windows, seconds of the products, seconds in all. */
#ifndef MAXPOOL_REPRODUCTION_FIGURES_H
#define MAXPOOL_REPRODUCTION_FIGURES_H

#include "experiments/analysis/numbers.h"
#include "experiments/report/reproduction/measures.h"

enum {
    FIGURE_SERIES = 3, /* the three kernels; or a serial program and a kernel */
    FIGURE_ROWS = 32,
};

struct figure_row {
    const struct point *of[FIGURE_SERIES];  /* NULL: not measured */
    struct estimate product[FIGURE_SERIES]; /* seconds; without a value if it was not clocked */
    double n;                               /* side of the image, or of the matrices */
};

struct figure {
    size_t series;
    struct figure_row rows[FIGURE_ROWS]; /* in ascending n */
    size_t count;
    size_t emulated;               /* points of an emulated device, which has no seconds ... */
    double emulated_n[2];          /* ... their smallest and largest n ... */
    size_t emulated_exact;         /* ... and how many of them are right to the last bit */
    struct fit power, exponential; /* of the product seconds of the first series */
};

/* The figure of a measure: `table` and `curve` have one series, `kernels` one for each kernel of
 * the tesina, `against` the measure's two points. Fits are made where the figure has one series.
 * False if no point is usable; must be released either way. */
bool figure_make(struct figure *out, const struct measure *m, const struct analysis *a);
void figure_release(struct figure *f);

/* The last row in which all series were measured; NULL: none. */
const struct figure_row *figure_last(const struct figure *f);

/* "matmul1 (naive)": a kernel as the tesina prints it, and its name here; the name alone for a
 * method that the tesina lacks. */
struct words figure_kernel(const struct point *p);

/* "matmul1 (naive), block 32 × 32, filter transferred, offload window", "serial staged". */
struct words figure_configuration(const struct point *p, const struct language *l);

/* "transferred" or "constant", where a filter is, in the language. */
const char *figure_memory(const char *memory, const struct language *l);

/* True if a text of a document names the GPU: "matmul1, Tesla K20, window by window" and "Tesla
 * K20m". */
bool figure_names_device(const char *text, const char *device);

/* The GPU that computed a point, as its driver names it; "" for a processor. */
const char *figure_device(const struct analysis *a, const struct point *p);

/* Time of the first point / that of the second, and over the cores of the second. */
struct figure_speedup {
    struct comparison_of_points speedup;
    double cores, efficiency; /* NaN: the cores are unknown */
};
/* "0.0015 %": two digits, however small. */
struct number figure_efficiency(const struct figure_speedup *s, const struct language *l);

struct figure_speedup figure_speedup_of(const struct analysis *a, const struct figure_row *row);

#endif
