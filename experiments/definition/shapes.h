/* Named shapes: values of an axis that set several columns of a point together.
 *
 *   shapes = alexnet_1:1536x55x55:k3:s2:p0 vgg16_1:1024x224x224:k2:s2:p0
 *
 * means NAME : PLANES x ROWS x COLS : kernel : stride : padding. For a convolution,
 *
 *   shapes = resnet18_2:64x56x56:k3:s1:p1:f64 mobilenet_dw:96x112x112:k3:s2:p1:f96:g96
 *
 * means NAME : CHANNELS x ROWS x COLS : kernel : stride : padding : filters, and : groups if there
 * are several; the batch is a separate axis. Matrix products have no window:
 *
 *   shapes = batch_16:1024x16x16
 */
#ifndef MAXPOOL_SHAPES_H
#define MAXPOOL_SHAPES_H

#include "harness/records/record.h"

#include <stdbool.h>

enum { SHAPE_NAME = 32 };

struct shape {
    char name[SHAPE_NAME];
    int64_t planes, rows, cols;
    int64_t kernel, stride, padding; /* RECORD_NO_INT: no window */
    int64_t filters, groups;         /* 0: no convolution; otherwise `planes` are its channels */
};

/* The form of a shape, for messages. */
extern const char shape_form[];

/* False if `text` is no shape: another form, a number out of range, or a name that is not safe in a
 * file name. */
bool shape_parse(const char *text, struct shape *out);

/* Sets the columns of `point` to those of the shape. */
void shape_apply(const struct shape *shape, struct record *point);

/* True if the columns of `point` are those of the shape. */
bool shape_is(const struct shape *shape, const struct record *point);

#endif
