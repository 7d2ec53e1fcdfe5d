/* Runs a network on one image, and verifies each layer: network [MODEL [WEIGHTS.safetensors]].
 * Without a file the parameters are drawn from a seed. */
#include <maxpool/maxpool.h>

#include <stdio.h>
#include <stdlib.h>

static int report(const struct maxpool_failure *why)
{
    fprintf(stderr, "network: %s\n", why->message);
    return why->status;
}

static int64_t elements(struct maxpool_batch b)
{
    return b.images * b.channels * b.rows * b.cols;
}

static enum maxpool_status run(struct maxpool_network *network, float *image, float *output,
                               struct maxpool_failure *why)
{
    const int64_t outputs = elements(maxpool_network_output(network));
    for (int64_t i = 0; i < elements(maxpool_network_input(network)); i++)
        image[i] = (float)(i % 2);
    enum maxpool_status status = maxpool_network_forward(network, image, output, why);
    for (int64_t i = 0; status == MAXPOOL_OK && i < outputs; i++)
        printf("%.9g\n", (double)output[i]);
    if (status == MAXPOOL_OK)
        status = maxpool_network_verify(network, image, output, 0, why);
    if (status == MAXPOOL_OK)
        printf("every layer verified\n");
    return status;
}

int main(int argc, char **argv)
{
    const struct maxpool_network_options what = {.model = argc > 1 ? argv[1] : "solar_cnn",
                                                 .weights = argc > 2 ? argv[2] : NULL,
                                                 .seed = 35,
                                                 .threads = 2};
    struct maxpool_failure why;
    struct maxpool_network *network;
    if (maxpool_make_network(&network, &what, &why) != MAXPOOL_OK)
        return report(&why);
    float *image = calloc((size_t)elements(maxpool_network_input(network)), sizeof *image);
    float *output = calloc((size_t)elements(maxpool_network_output(network)), sizeof *output);
    enum maxpool_status status = MAXPOOL_RESOURCE;
    if (image && output)
        status = run(network, image, output, &why);
    else
        snprintf(why.message, sizeof why.message, "no memory for image and output");
    free(image);
    free(output);
    maxpool_network_release(network);
    why.status = status;
    return status == MAXPOOL_OK ? 0 : report(&why);
}
