/* What readers see: the summary, the images, the explained windows. */
#ifndef MAXPOOL_SHOW_H
#define MAXPOOL_SHOW_H

#include "harness/point/point.h"

/* The text summary of a finished launch. */
void show_summary(FILE *out, const struct point *p);

/* For several methods: one line each, in the order of --method. */
void show_comparison(FILE *out, const struct point *p);

/* The same as one JSON object, with every timed sample; for several methods an array of objects.
 * Status 3 without cJSON. */
enum status show_json(FILE *out, const struct point *p, struct failure *f);
enum status show_json_check(struct failure *f);

/* --print: the image and the map; large ones are truncated. */
enum status show_image(FILE *out, const struct point *p, struct failure *f);
void show_map(FILE *out, const struct point *p, const float *map);

/* --explain: how the operator computes every output. Status 2 if that would be more than a few
 * screenfuls. */
enum status show_explain_check(const struct operation *op, struct failure *f);
enum status show_explain(FILE *out, const struct point *p, struct failure *f);

/* The same for one output, in linear order over the planes, rows and columns of op->map; prints
 * nothing if it would be more than a few screenfuls. */
enum status show_explain_output(FILE *out, const struct operation *op, struct source *image,
                                int64_t output, struct failure *f);

#endif
