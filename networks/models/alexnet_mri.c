/* The tesina's AlexNet for brain images of 32 x 32. Two versions: for gray images and three
 * classes; and as its appendix D prints it, for color images and ten outputs. */
#include "networks/layers/kinds.h"
#include "networks/models/models.h"

static int features(struct network *n)
{
    const struct window first = {3, 2, 1}, window = {3, 1, 1}, pool = {2, 2, 0};
    int last = add_conv(n, "features.0", NETWORK_INPUT, 64, first, 1, true);
    last = add_maxpool(n, "features.1", last, pool);
    last = add_plain(n, &relu_layer, "features.2", last);
    last = add_conv(n, "features.3", last, 192, window, 1, true);
    last = add_maxpool(n, "features.4", last, pool);
    last = add_plain(n, &relu_layer, "features.5", last);
    last = add_conv(n, "features.6", last, 384, window, 1, true);
    last = add_plain(n, &relu_layer, "features.7", last);
    last = add_conv(n, "features.8", last, 256, window, 1, true);
    last = add_plain(n, &relu_layer, "features.9", last);
    last = add_conv(n, "features.10", last, 256, window, 1, true);
    last = add_maxpool(n, "features.11", last, pool);
    return add_plain(n, &relu_layer, "features.12", last);
}

static void build(struct network *n, int64_t classes, const char *sizes)
{
    (void)sizes;
    int last = add_plain(n, &flatten_layer, "flatten", features(n));
    last = add_dropout(n, "classifier.0", last, 0.5);
    last = add_linear(n, "classifier.1", last, 4096);
    last = add_plain(n, &relu_layer, "classifier.2", last);
    last = add_dropout(n, "classifier.3", last, 0.5);
    last = add_linear(n, "classifier.4", last, 4096);
    last = add_plain(n, &relu_layer, "classifier.5", last);
    n->classifier = add_linear(n, "classifier.6", last, classes);
}

const struct model alexnet_mri_model = {.name = "alexnet_mri",
                                        .idea = "brain images of 32 x 32, three classes",
                                        .input = {1, 32, 32},
                                        .classes = 3,
                                        .build = build};

const struct model alexnet_tesina_model = {.name = "alexnet_tesina",
                                           .idea = "the same as the tesina prints it: 3 channels, "
                                                   "10 outputs",
                                           .input = {3, 32, 32},
                                           .classes = 10,
                                           .build = build};
