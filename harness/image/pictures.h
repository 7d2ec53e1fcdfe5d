/* Pictures as networks need them: photograph files, converted to planes of one size and scale. */
#ifndef MAXPOOL_PICTURES_H
#define MAXPOOL_PICTURES_H

#include "harness/image/image.h"

/* The form that each picture is converted to. A gray picture has its plane in every channel. If
 * there is a single channel, or `gray` is set, a colour picture becomes its luma first
 * (harness/image/luma.h). Values are scaled so that white is 1; three channels are then normalised,
 * as torchvision's models require, by ImageNet's mean 0.485, 0.456, 0.406 and deviation 0.229,
 * 0.224, 0.225, unless the form is plain. */
struct picture_form {
    int64_t channels; /* 1 or 3 */
    int64_t rows, cols;
    bool plain; /* values stay 0 .. 1 */
    bool gray;
};

/* True for a folder, and for a file that source_is_picture(). */
bool pictures_are_named(const char *path);

/* Opens the pictures of a folder in the byte order of their names (only names that end in .png,
 * .jpg or .jpeg), or the one file, as a batch of images: images x channels planes. Reads every
 * header now, so that a file that is not a picture is reported before anything is computed. The
 * images are unpacked and resized (harness/image/resize.h) when they are read, and one is held at a
 * time. With skip_bad, each picture is unpacked now; one that cannot be is named on stderr and left
 * out. Status 2 if there is no picture, 3 if this build cannot read one. */
enum status pictures_open(struct source **out, const char *path, const struct picture_form *form,
                          bool skip_bad, struct failure *f);

/* Replaces *s by the first `count` planes of it as such a batch, each plane a gray picture in which
 * `white` becomes 1. The new source owns the old one. */
enum status pictures_of_planes(struct source **s, int64_t count, double white,
                               const struct picture_form *form, struct failure *f);

/* The name of the file of picture i; NULL if it has no file of its own. */
const char *pictures_name(const struct source *s, int64_t i);

#endif
