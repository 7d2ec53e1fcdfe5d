/* Augmentation: a training image is rotated, mirrored and shifted at random, so that a network
 * rarely meets the same pixels twice. What is drawn for an image is a pure function of seed, epoch
 * and sample: any number of workers, ranks or devices trains with the same pixels. */
#ifndef MAXPOOL_AUGMENT_H
#define MAXPOOL_AUGMENT_H

#include "harness/base/failure.h"
#include "networks/layer.h"

#include <stdbool.h>
#include <stdint.h>

struct augmentation {
    double rotate; /* degrees: an angle uniform in [-rotate, rotate) about the middle */
    double flip;   /* probability of the mirror image, left for right */
    int64_t crop;  /* pixels of zeros around the image, out of which its old size is cut anywhere */
};

/* Which image of a training. */
struct augmented {
    uint64_t seed;
    int64_t epoch, sample; /* epoch from 0; sample: its index in the data set */
};

static inline bool augments(const struct augmentation *a)
{
    return a->rotate > 0.0 || a->flip > 0.0 || a->crop > 0;
}

/* Reads "rotate=5,flip=0.5,crop=2", any of the three, each with or without its value; those three
 * values are the defaults. NULL or "none": no augmentation. Status 2 for any other text, and for a
 * crop of more pixels than the image has on a side. */
enum status augmentation_parse(const char *text, struct tensor_shape shape, struct augmentation *a,
                               struct failure *f);

/* Writes the augmented image; `from` and `to` are channels x rows x cols and do not overlap. All
 * channels are moved alike. A pixel between four others is interpolated bilinearly, and is 0
 * outside the image. Without a rotation every pixel is a copy, to the bit. */
void augment_image(const struct augmentation *a, struct tensor_shape shape, struct augmented which,
                   const float *from, float *to);

/* For checkpoints: differs where the augmentation does; 0 without one. */
uint64_t augmentation_hash(const struct augmentation *a);

#endif
