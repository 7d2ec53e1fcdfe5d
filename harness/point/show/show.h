/* What a reader sees: the summary, the images, the windows explained. */
#ifndef MAXPOOL_SHOW_H
#define MAXPOOL_SHOW_H

#include "harness/point/point.h"

/* The text summary of a finished launch. */
void show_summary(FILE *out, const struct point *p);

/* Of several methods: one line each, in the order of --method. */
void show_comparison(FILE *out, const struct point *p);

/* The same as one JSON object, with every timed sample; of several methods an array of them. Status
 * 3 without cJSON. */
enum status show_json(FILE *out, const struct point *p, struct failure *f);
enum status show_json_check(struct failure *f);

/* --print: the image, and the map where its outputs are given; large ones are cut short. */
enum status show_image(FILE *out, const struct point *p, struct failure *f);
void show_map(FILE *out, const struct point *p, const float *map);

/* --explain: every output as its operator works it out. Status 2 where that would be more than a
 * few screenfuls. */
enum status show_explain_check(const struct operation *op, struct failure *f);
enum status show_explain(FILE *out, const struct point *p, struct failure *f);

/* The same of one output, in linear order over the planes, rows and columns of op->map; nothing
 * where it takes more than a few screenfuls. */
enum status show_explain_output(FILE *out, const struct operation *op, struct source *image,
                                int64_t output, struct failure *f);

#endif
