/* ResNet-18 as torchvision has it: He, Zhang, Ren & Sun (2016), "Deep Residual Learning for Image
 * Recognition", arXiv:1512.03385, table 1. */
#include "networks/layers/kinds.h"
#include "networks/models/models.h"

static int conv_norm(struct network *n, int input, const char *at, const char *conv,
                     const char *norm, int64_t filters, struct window window)
{
    char name[LAYER_NAME];
    snprintf(name, sizeof name, "%s%s", at, conv);
    const int made = add_conv(n, name, input, filters, window, 1, false);
    snprintf(name, sizeof name, "%s%s", at, norm);
    return add_plain(n, &batchnorm_layer, name, made);
}

static int rectify(struct network *n, int input, const char *at, const char *word)
{
    char name[LAYER_NAME];
    snprintf(name, sizeof name, "%s%s", at, word);
    return add_plain(n, &relu_layer, name, input);
}

/* Two convolutions and a shortcut past them, which is a 1 x 1 convolution if shapes change. */
static int basic_block(struct network *n, int input, const char *at, int64_t filters,
                       int64_t stride, bool changes)
{
    const struct window first = {3, stride, 1}, second = {3, 1, 1}, past = {1, stride, 0};
    char name[LAYER_NAME];
    const int shortcut =
        changes ? conv_norm(n, input, at, "downsample.0", "downsample.1", filters, past) : input;
    int last = conv_norm(n, input, at, "conv1", "bn1", filters, first);
    last = rectify(n, last, at, "relu1");
    last = conv_norm(n, last, at, "conv2", "bn2", filters, second);
    snprintf(name, sizeof name, "%sadd", at);
    last = add_sum(n, name, last, shortcut);
    return rectify(n, last, at, "relu2");
}

static void build(struct network *n, int64_t classes, const char *sizes)
{
    (void)sizes;
    int last = conv_norm(n, NETWORK_INPUT, "", "conv1", "bn1", 64, (struct window){7, 2, 3});
    last = rectify(n, last, "", "relu");
    last = add_maxpool(n, "maxpool", last, (struct window){3, 2, 1});
    for (int stage = 1; stage <= 4; stage++)
        for (int block = 0; block < 2; block++) {
            char at[LAYER_NAME / 2];
            const bool changes = stage > 1 && block == 0;
            snprintf(at, sizeof at, "layer%d.%d.", stage, block);
            last = basic_block(n, last, at, 32LL << stage, changes ? 2 : 1, changes);
        }
    last = add_plain(n, &average_pool_layer, "avgpool", last);
    last = add_plain(n, &flatten_layer, "flatten", last);
    n->classifier = add_linear(n, "fc", last, classes);
}

const struct model resnet18_model = {.name = "resnet18",
                                     .idea = "torchvision's, 1000 classes, images of any size",
                                     .input = {3, 224, 224},
                                     .classes = 1000,
                                     .build = build};
