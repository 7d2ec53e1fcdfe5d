/* The table of libraries that run whole networks, without the code that runs them. */
#include "networks/point/peers.h"

#include "networks/point/network_run.h"
#include "peers/peers.h"

#ifdef MAXPOOL_HAVE_ONEDNN
#define ONEDNN_LACKS NULL
#else
#define ONEDNN_LACKS "built without oneDNN (Debian: libdnnl-dev)"
#endif

static double cost(const struct operation *op)
{
    const double outputs = (double)shape_elements(op->map);
    return 2.0 * op->kind->need(op, true).per_output.multiply_adds / outputs;
}

static const struct peer_row rows[] = {
    {.kind = &network_row,
     .method = {.name = "onednn",
                .kind = SPACE_HOST,
                .product = true,
                .idea = "each layer a primitive of oneDNN's, in the layouts that it chooses",
                .unavailable = ONEDNN_LACKS,
                .cost = cost},
     .module = "peer_onednn.so",
     .symbol = "peer_onednn_network"}};

static enum status load(const struct peer_row *row, const struct peer **out, struct failure *f)
{
    return host_peers.load(row, out, f);
}

static enum status limit(const struct peer_row *row, enum isa widest, struct failure *f)
{
    return host_peers.limit(row, widest, f);
}

const struct peers network_peers = {
    .rows = rows, .count = sizeof rows / sizeof *rows, .load = load, .limit = limit};
