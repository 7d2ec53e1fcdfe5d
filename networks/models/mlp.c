/* The fully connected networks of the solar thesis, table 3.1: 50 sensors, hidden layers with ReLU,
 * one output. */
#include "harness/base/text/integer.h"
#include "networks/layers/kinds.h"
#include "networks/models/models.h"

static void build(struct network *n, int64_t classes, const char *sizes)
{
    char name[LAYER_NAME];
    int last = NETWORK_INPUT;
    for (int hidden = 1; *sizes || hidden == 1; hidden++) {
        int64_t size;
        if (*sizes == '0' || !integer_take(&sizes, 1, INT64_MAX, &size) ||
            (*sizes && (*sizes != '-' || !sizes[1]))) {
            fail(&n->failure, STATUS_USAGE,
                 "--network %s: the sizes of hidden layers are numbers of at least 1 separated by "
                 "'-'",
                 n->name);
            return;
        }
        snprintf(name, sizeof name, "hidden%d", hidden);
        last = add_linear(n, name, last, size);
        snprintf(name, sizeof name, "relu%d", hidden);
        last = add_plain(n, &relu_layer, name, last);
        sizes += *sizes == '-';
    }
    n->classifier = add_linear(n, "output", last, classes);
}

const struct model mlp_model = {.name = "mlp",
                                .idea = "50 inputs, hidden layers of those sizes, one output",
                                .sized = true,
                                .input = {50, 1, 1},
                                .classes = 1,
                                .build = build};
