/* MobileNetV2 as torchvision has it: Sandler et al. (2018), "MobileNetV2: Inverted Residuals and
 * Linear Bottlenecks", arXiv:1801.04381, table 2. */
#include "networks/layers/kinds.h"
#include "networks/models/models.h"

/* Adds conv, batch norm and, if `rectified`, ReLU6; `at` names the three as torchvision's
 * Sequential does: at.0, at.1, at.2. */
static int conv_norm(struct network *n, int input, const char *at, int first, int64_t filters,
                     struct window window, int64_t groups, bool rectified)
{
    char name[LAYER_NAME];
    snprintf(name, sizeof name, "%s%d", at, first);
    int last = add_conv(n, name, input, filters, window, groups, false);
    snprintf(name, sizeof name, "%s%d", at, first + 1);
    last = add_plain(n, &batchnorm_layer, name, last);
    snprintf(name, sizeof name, "%s%d", at, first + 2);
    return rectified ? add_plain(n, &relu6_layer, name, last) : last;
}

struct bottleneck {
    int64_t expansion, channels, stride, in;
};

/* Adds 1 x 1 to more channels, 3 x 3 within each channel, 1 x 1 to few channels; and the input, if
 * shapes match. */
static int inverted_residual(struct network *n, int input, int number, const struct bottleneck *b)
{
    const struct window point = {1, 1, 0}, window = {3, b->stride, 1};
    const int64_t inner = b->in * b->expansion;
    char at[32], name[LAYER_NAME];
    int last = input, part = 0;
    if (b->expansion > 1) {
        snprintf(at, sizeof at, "features.%d.conv.%d.", number, part++);
        last = conv_norm(n, last, at, 0, inner, point, 1, true);
    }
    snprintf(at, sizeof at, "features.%d.conv.%d.", number, part++);
    last = conv_norm(n, last, at, 0, inner, window, inner, true);
    snprintf(at, sizeof at, "features.%d.conv.", number);
    last = conv_norm(n, last, at, part, b->channels, point, 1, false);
    if (b->stride > 1 || b->in != b->channels)
        return last;
    snprintf(name, sizeof name, "features.%d.add", number);
    return add_sum(n, name, last, input);
}

static void build(struct network *n, int64_t classes, const char *sizes)
{
    static const struct {
        int64_t expansion, channels;
        int blocks;
        int64_t stride;
    } stages[] = {{1, 16, 1, 1}, {6, 24, 2, 2},  {6, 32, 3, 2}, {6, 64, 4, 2},
                  {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1}};
    const struct window first = {3, 2, 1}, point = {1, 1, 0};
    struct bottleneck b = {.in = 32};
    int number = 1;
    (void)sizes;
    int last = conv_norm(n, NETWORK_INPUT, "features.0.", 0, 32, first, 1, true);
    for (size_t s = 0; s < sizeof stages / sizeof *stages; s++)
        for (int block = 0; block < stages[s].blocks; block++) {
            b.expansion = stages[s].expansion;
            b.channels = stages[s].channels;
            b.stride = block == 0 ? stages[s].stride : 1;
            last = inverted_residual(n, last, number++, &b);
            b.in = b.channels;
        }
    last = conv_norm(n, last, "features.18.", 0, 1280, point, 1, true);
    last = add_plain(n, &average_pool_layer, "avgpool", last);
    last = add_plain(n, &flatten_layer, "flatten", last);
    last = add_dropout(n, "classifier.0", last, 0.2);
    n->classifier = add_linear(n, "classifier.1", last, classes);
}

const struct model mobilenet_v2_model = {
    .name = "mobilenet_v2",
    .idea = "torchvision's, 1000 classes, images of any size: depthwise and pointwise",
    .input = {3, 224, 224},
    .classes = 1000,
    .build = build};
