/* Named shapes of pooling: an axis whose values set several columns of a point together.
 *
 *   shapes = alexnet_1:1536x55x55:k3:s2:p0 vgg16_1:1024x224x224:k2:s2:p0
 *
 * is NAME : PLANES x ROWS x COLS : kernel : stride : padding. */
#ifndef MAXPOOL_SHAPES_H
#define MAXPOOL_SHAPES_H

#include "harness/records/record.h"

#include <stdbool.h>

enum { SHAPE_NAME = 32 };

struct shape {
    char name[SHAPE_NAME];
    int64_t planes, rows, cols, kernel, stride, padding;
};

/* What a shape must look like, for messages. */
extern const char shape_form[];

/* False where `text` is no shape: another form, a number out of range, a name that is not safe in a
 * file's name. */
bool shape_parse(const char *text, struct shape *out);

/* Sets the columns of a point. */
void shape_apply(const struct shape *shape, struct record *point);

/* True where a point has those columns. */
bool shape_is(const struct shape *shape, const struct record *point);

#endif
