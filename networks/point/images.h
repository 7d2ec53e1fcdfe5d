/* The network that a point measures, and its images. */
#ifndef MAXPOOL_NETWORK_IMAGES_H
#define MAXPOOL_NETWORK_IMAGES_H

#include "networks/point/network_run.h"

/* Makes run->network, and opens p->source: random images, those of an .npy file or the pictures of
 * a file or folder; every process knows how many there are, and only the root opens files.
 * Collective; the status is each process's own. */
enum status network_images(struct point *p, struct network_run *run, struct failure *f);

/* The planes of all images; a matrix of vectors is one. */
struct image_shape network_images_shape(const struct network_run *run);

/* The name of the file that image i came from, or NULL. */
const char *network_image_name(const struct point *p, int64_t i);

#endif
