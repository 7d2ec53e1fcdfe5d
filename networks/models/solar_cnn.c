/* The convolutional network of the solar thesis, table 3.2: a map of 50 x 50, one output. */
#include "networks/layers/kinds.h"
#include "networks/models/models.h"

static void build(struct network *n, int64_t classes, const char *sizes)
{
    const struct window window = {3, 1, 0}, pool = {2, 2, 0};
    (void)sizes;
    int last = add_conv(n, "conv1", NETWORK_INPUT, 32, window, 1, true);
    last = add_plain(n, &relu_layer, "relu1", last);
    last = add_conv(n, "conv2", last, 64, window, 1, true);
    last = add_plain(n, &relu_layer, "relu2", last);
    last = add_maxpool(n, "pool", last, pool);
    last = add_dropout(n, "dropout1", last, 0.25);
    last = add_plain(n, &flatten_layer, "flatten", last);
    last = add_linear(n, "dense1", last, 128);
    last = add_plain(n, &relu_layer, "relu3", last);
    last = add_dropout(n, "dropout2", last, 0.5);
    n->classifier = add_linear(n, "dense2", last, classes);
}

const struct model solar_cnn_model = {.name = "solar_cnn",
                                      .idea = "maps of 50 x 50: two convolutions, two dense layers",
                                      .input = {1, 50, 50},
                                      .classes = 1,
                                      .build = build};
