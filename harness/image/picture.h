/* One picture: unpacked, resized, and brought to the scale that networks are trained on. */
#ifndef MAXPOOL_PICTURE_H
#define MAXPOOL_PICTURE_H

#include "harness/image/pictures.h"

/* The planes [plane, plane + planes) of a source: one is gray, three are red, green and blue; and
 * the value that is white. */
struct picture {
    struct source *source;
    int64_t plane, planes;
    double white;
};

/* Writes channels x rows x cols of the form. Status as source_read(), and 4 where there is no
 * memory. */
enum status picture_make(const struct picture *p, const struct picture_form *form, float *out,
                         struct failure *f);

#endif
