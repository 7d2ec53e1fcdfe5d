/* One picture: unpacked, resized, and brought to the scale that networks are trained on. */
#ifndef MAXPOOL_PICTURE_H
#define MAXPOOL_PICTURE_H

#include "harness/image/pictures.h"
#include "harness/image/resize.h"

/* The planes [plane, plane + planes) of a source: one is gray, three are red, green and blue; and
 * the value that is white. */
struct picture {
    struct source *source;
    int64_t plane, planes;
    double white;
};

/* What resizing works in: kept from one picture to the next of the same size. Begins all 0. */
struct picture_room {
    int64_t planes, channels;
    struct resize_axis rows, cols;
    float *row;     /* of the picture: planes x columns */
    float *resized; /* columns of the form */
    double *sums;   /* channels x rows x columns of the form */
};

/* Writes channels x rows x cols of the form. Status as source_read(), and 4 where there is no
 * memory. The room is to be released either way. */
enum status picture_make(const struct picture *p, const struct picture_form *form,
                         struct picture_room *room, float *out, struct failure *f);
void picture_room_release(struct picture_room *room);

#endif
