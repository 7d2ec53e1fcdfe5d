/* The network that a point measures, and its images. */
#ifndef MAXPOOL_NETWORK_IMAGES_H
#define MAXPOOL_NETWORK_IMAGES_H

#include "networks/point/network_run.h"

/* Makes run->network, and opens p->source: random images, those of an .npy file or the pictures of
 * a file or folder. Every process knows their number; only the root opens files. Collective; each
 * process has its own status. */
enum status network_images(struct point *p, struct network_run *run, struct failure *f);

/* The shape of all images together; vectors are the rows of a single plane. */
struct image_shape network_images_shape(const struct network_run *run);

/* The name of the file that image i came from, or NULL. */
const char *network_image_name(const struct point *p, int64_t i);

#endif
