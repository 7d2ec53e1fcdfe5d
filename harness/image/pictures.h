/* Pictures as networks take them: files of photographs, made planes of one size and scale. */
#ifndef MAXPOOL_PICTURES_H
#define MAXPOOL_PICTURES_H

#include "harness/image/image.h"

/* What each picture becomes. A gray one has its plane in every channel; of a colour one, a single
 * channel is the luma 0.299 R + 0.587 G + 0.114 B (Rec. ITU-R BT.601). Values are scaled so that
 * white is 1; three channels are then normalised, as torchvision's models ask for it, by
 * ImageNet's mean 0.485, 0.456, 0.406 and deviation 0.229, 0.224, 0.225. */
struct picture_form {
    int64_t channels; /* 1 or 3 */
    int64_t rows, cols;
};

/* True for a folder, and for a name that ends in .png, .jpg or .jpeg. */
bool pictures_are_named(const char *path);

/* The pictures of a folder in order of name (bytes of the names; what does not end in .png, .jpg or
 * .jpeg is passed over), or the one file, as a batch of images: images x channels planes. Every
 * header is read now, so that a file that is none is named before anything is computed; the images
 * are unpacked and resized (harness/image/resize.h) when they are read, one held at a time. Status
 * 2 where there is no picture, 3 where this build cannot read one. */
enum status pictures_open(struct source **out, const char *path, const struct picture_form *form,
                          struct failure *f);

/* The same of the first `count` planes of a source, whose it becomes, each a gray picture in which
 * `white` is 1. */
enum status pictures_of_planes(struct source **s, int64_t count, double white,
                               const struct picture_form *form, struct failure *f);

/* The name of the file that picture i came from; NULL: from no file of its own. */
const char *pictures_name(const struct source *s, int64_t i);

#endif
