#include "peers/peers.h"

#include "peers/methods.h"

#include <string.h>

static const struct {
    enum operator_kind kind;
    const char *name;
    const struct peer *peer;
} table[] = {
#ifdef MAXPOOL_HAVE_ONEDNN
    {OPERATOR_MAXPOOL, "onednn", &peer_onednn},
    {OPERATOR_MAXPOOL, "onednn-nhwc", &peer_onednn_nhwc},
    {OPERATOR_MAXPOOL, "onednn-blocked", &peer_onednn_blocked},
    {OPERATOR_MAXPOOL, "onednn-reordered", &peer_onednn_reordered},
#endif
#ifdef MAXPOOL_HAVE_LIBXSMM
    {OPERATOR_MAXPOOL, "libxsmm", &peer_libxsmm},
#endif
#ifdef MAXPOOL_HAVE_OPENBLAS
    {OPERATOR_MATMUL, "openblas", &peer_openblas},
#endif
    {OPERATOR_MAXPOOL, NULL, NULL},
};

static const struct peer *find(enum operator_kind kind, const char *name)
{
    for (size_t i = 0; table[i].name; i++)
        if (table[i].kind == kind && strcmp(table[i].name, name) == 0)
            return table[i].peer;
    return NULL;
}

const struct peers host_peers = {
    .maxpool = peer_maxpool_methods, .matmul = peer_matmul_methods, .find = find};
