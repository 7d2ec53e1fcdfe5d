/* The properties of a run of faces that are known before it runs. */
#include "networks/faces/faces.h"

struct image_shape faces_images_shape(const struct faces_run *run)
{
    const struct tensor_shape in = run->network.input;
    return (struct image_shape){run->images * in.channels, in.rows, in.cols};
}

int64_t faces_dimensions(const struct faces_run *run)
{
    return tensor_elements(network_output(&run->network));
}

int64_t faces_together(const struct faces_run *run)
{
    const int64_t batches = (run->images + run->batch - 1) / run->batch;
    return (run->images + batches - 1) / batches;
}
