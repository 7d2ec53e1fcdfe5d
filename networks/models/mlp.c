/* The fully connected networks of the solar thesis, table 3.1: 50 sensors, hidden layers with ReLU,
 * one output. */
#include "networks/layers/kinds.h"
#include "networks/models/models.h"

#include <errno.h>
#include <stdlib.h>

/* The number at the beginning of a text; 0 if it does not begin with a size. */
static int64_t read_size(const char *text, char **end)
{
    errno = 0;
    const long long size = *text >= '1' && *text <= '9' ? strtoll(text, end, 10) : 0;
    return errno == 0 ? size : 0;
}

static void build(struct network *n, int64_t classes, const char *sizes)
{
    char name[LAYER_NAME];
    int last = NETWORK_INPUT;
    for (int hidden = 1; *sizes || hidden == 1; hidden++) {
        char *end = NULL;
        const int64_t size = read_size(sizes, &end);
        if (size == 0 || (*end != '-' && *end != 0) || (*end == '-' && !end[1])) {
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
        sizes = *end ? end + 1 : end;
    }
    n->classifier = add_linear(n, "output", last, classes);
}

const struct model mlp_model = {.name = "mlp",
                                .idea = "50 inputs, hidden layers of those sizes, one output",
                                .sized = true,
                                .input = {50, 1, 1},
                                .classes = 1,
                                .build = build};
