/* Augmentation: a training image is rotated, mirrored and shifted at random, so that a network
 * rarely sees the same pixels twice. The random numbers of an image are a pure function of seed,
 * epoch and sample: any number of workers, ranks or devices trains with the same pixels. */
#ifndef MAXPOOL_AUGMENT_H
#define MAXPOOL_AUGMENT_H

#include "harness/base/failure.h"
#include "networks/layer.h"

#include <stdbool.h>
#include <stdint.h>

struct augmentation {
    double rotate; /* degrees: an angle uniform in [-rotate, rotate) about the middle */
    double flip;   /* probability of the mirror image, left and right exchanged */
    int64_t crop;  /* pixels of zeros around the image, from which its old size is cut at random */
};

/* Identifies an image of a training. */
struct augmented {
    uint64_t seed;
    int64_t epoch, sample; /* epoch from 0; sample: its index in the data set */
};

static inline bool augments(const struct augmentation *a)
{
    return a->rotate > 0.0 || a->flip > 0.0 || a->crop > 0;
}

/* Reads "rotate=5,flip=0.5,crop=2", any of the three, each with or without its value; these three
 * values are the defaults. NULL or "none": no augmentation. Status 2 for any other text, and if the
 * crop has more pixels than a side of the image. */
enum status augmentation_parse(const char *text, struct tensor_shape shape, struct augmentation *a,
                               struct failure *f);

/* Writes the augmented image; `from` and `to` are channels x rows x cols and do not overlap. All
 * channels move alike. A pixel between four others is interpolated bilinearly, and is 0 outside the
 * image. Without a rotation every pixel is an exact copy. */
void augment_image(const struct augmentation *a, struct tensor_shape shape, struct augmented which,
                   const float *from, float *to);

/* For checkpoints: differs if the augmentation does; 0 without one. */
uint64_t augmentation_hash(const struct augmentation *a);

#endif
