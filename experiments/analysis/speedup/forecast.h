/* The model's prediction for every MPI point, with the measured or simulated time. No point is
 * predicted by a fit that used it: a measured point is predicted by a fit to the other image sizes,
 * a simulated one by calibrated row times and the platform's file, which do not depend on any
 * simulation. */
#ifndef MAXPOOL_FORECAST_H
#define MAXPOOL_FORECAST_H

#include "experiments/analysis/analysis.h"
#include "experiments/analysis/speedup/model.h"

enum forecast_source { FORECAST_MEASURED, FORECAST_SIMULATED, FORECAST_PREDICTED };
extern const char *const forecast_sources[]; /* measured, simulated, predicted */

struct forecast {
    enum forecast_source source;
    const struct record *problem; /* of the point, or of a point on the line */
    int64_t ranks;
    double seconds; /* total, of the point; NaN if only predicted */
    struct interval interval;
    struct prediction predicted;
    size_t seen;  /* points, or launches of the calibration, that the model is based on */
    double error; /* predicted / seconds - 1; NaN if only predicted */
};

struct forecasts {
    struct forecast *rows;
    size_t count;
    char missing[512]; /* why a prediction is missing; "" */
};

/* Makes the forecasts; none for an experiment without simulated points. Status 4 if memory runs
 * out. */
enum status forecasts_make(struct forecasts *out, const struct analysis *a, const char *results,
                           double cores, struct failure *f);
void forecasts_release(struct forecasts *c);

/* Writes them as R/analysis/NAME.scale.csv. Status 5. */
enum status forecasts_write(const struct forecasts *c, const char *experiment, const char *path,
                            struct failure *f);

/* The largest |error| of a source; *count is its number of points. */
double forecasts_worst(const struct forecasts *c, enum forecast_source source, size_t *count);

/* The median of |error| of a source; NaN if it has none. */
double forecasts_median(const struct forecasts *c, enum forecast_source source);

/* Number of the points of a source that are within their predicted interval; *count is the number
 * of points that have one. */
size_t forecasts_inside(const struct forecasts *c, enum forecast_source source, size_t *count);

/* The most ranks of any point of a source; 0 if it has none. */
int64_t forecasts_most_ranks(const struct forecasts *c, enum forecast_source source);

#endif
