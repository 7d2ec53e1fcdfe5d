#include "harness/space/peer.h"

#include <stdlib.h>
#include <string.h>

enum status peer_state_make(struct peer_state **out, size_t bytes, struct failure *f)
{
    *out = calloc(1, bytes);
    return *out ? STATUS_OK : fail(f, STATUS_RESOURCE, "no memory for a library's state");
}

void peer_state_end(struct peer_state *state, void (*release)(struct peer_state *state))
{
    if (state && release)
        release(state);
    free(state);
}

const struct peer_row *peers_find(const struct peers *peers, const struct operator_row *kind,
                                  const char *name)
{
    for (size_t i = 0; peers && i < peers->count; i++)
        if (peers->rows[i].kind == kind && strcmp(peers->rows[i].method.name, name) == 0)
            return &peers->rows[i];
    return NULL;
}

static void portion_by_peer(const struct computing *c, const struct portion *portion,
                            double *product_s)
{
    (void)product_s;
    c->peer->block(c->state, c->operation, portion);
}

struct computing computing_by_peer(const struct operation *op, const struct peer *peer,
                                   const struct peer_state *state)
{
    return (struct computing){
        .operation = op, .portion = portion_by_peer, .peer = peer, .state = state};
}

const char *peer_unavailable(const struct peer_row *row)
{
    return row->method.unavailable ? row->method.unavailable : row->missing ? row->missing() : NULL;
}
