/* One picture: unpacked, resized, and scaled as networks are trained. */
#ifndef MAXPOOL_PICTURE_H
#define MAXPOOL_PICTURE_H

#include "harness/image/pictures.h"
#include "harness/image/resize.h"

/* The planes [plane, plane + planes) of a source: one plane is gray, three are red, green and blue.
 * `white` is the value of white. */
struct picture {
    struct source *source;
    int64_t plane, planes;
    double white;
};

/* The workspace of resizing, reused for pictures of the same size. Zeroed at the beginning. */
struct picture_workspace {
    int64_t planes, channels;
    struct resize_axis rows, cols;
    float *row;     /* a row of the picture: planes x columns */
    float *resized; /* that row resized to the columns of the form */
    double *sums;   /* channels x rows x columns of the form */
};

/* Writes channels x rows x cols of the form. Status as source_read(), and 4 if memory is short. The
 * workspace must be released in any case. */
enum status picture_make(const struct picture *p, const struct picture_form *form,
                         struct picture_workspace *workspace, float *out, struct failure *f);
void picture_workspace_release(struct picture_workspace *workspace);

#endif
