#include "experiments/analysis/palette.h"

#include "networks/point/record_subject.h"
#include "peers/methods.h"
#include "peers/script_methods.h"

#include <string.h>

const unsigned palette_colours[] = {
    0x000000, 0x882255, 0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7, 0xE69F00, 0x56B4E9,
    0x999933, 0x332288, 0xAA4499, 0x44AA99, 0x661100, 0x6699CC, 0xCC6677, 0x117733,
    0xAA4466, 0x7A5195, 0xB8860B, 0x4C6A92, 0x8C564B, 0x2F8F8F, 0xC44E52, 0x5F9E3F,
    0x9467BD, 0x1F77B4, 0x7F7F00, 0x008080, 0xA0522D, 0x6A5ACD, 0x2E8B57, 0xB22222,
};
const size_t palette_colour_count = sizeof palette_colours / sizeof *palette_colours;

/* Methods of the operators up to one; NULL: of all. */
static size_t methods_before(const struct operator_row *o)
{
    size_t count = 0;
    for (size_t i = 0; i < operator_count && operators[i] != o; i++)
        count += operator_method_count(operators[i]);
    return count;
}

/* Peer number i of the processors, then of GPUs, then of scripts; NULL behind the last. */
static const char *peer_name(size_t i)
{
    if (i < PEERS)
        return peer_rows[i].method.name;
    i -= PEERS;
    if (i < DEVICE_PEERS)
        return device_peer_rows[i].method.name;
    i -= DEVICE_PEERS;
    return i < script_method_count ? script_methods[i].method.name : NULL;
}

/* A library has a row for each operator that it computes. */
static bool is_named_before(size_t peer)
{
    size_t i = 0;
    while (strcmp(peer_name(i), peer_name(peer)) != 0)
        i++;
    return i < peer;
}

/* Peers come behind all methods, each name once; what is no peer's name, behind them. */
static size_t peer_place(const char *name)
{
    size_t place = methods_before(NULL);
    for (size_t i = 0; peer_name(i) && strcmp(peer_name(i), name) != 0; i++)
        place += !is_named_before(i);
    return place;
}

size_t palette_place(const struct point *p)
{
    if (p->rung < 0)
        return peer_place(p->samples->identity.method);
    if (recorded_is_network(p->kind)) /* they come last */
        return peer_place("") + (size_t)p->rung;
    return (size_t)p->rung + methods_before(p->kind);
}

unsigned palette_colour(const struct point *p)
{
    return palette_colours[palette_place(p) % palette_colour_count];
}
