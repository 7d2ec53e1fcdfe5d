#include "experiments/analysis/palette.h"

#include "kernels/methods.h"
#include "peers/methods.h"

#include <string.h>

const unsigned palette_colours[] = {
    0x000000, 0x882255, 0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7, 0xE69F00, 0x56B4E9,
    0x999933, 0x332288, 0xAA4499, 0x44AA99, 0x661100, 0x6699CC, 0xCC6677, 0x117733,
    0xAA4466, 0x7A5195, 0xB8860B, 0x4C6A92, 0x8C564B, 0x2F8F8F, 0xC44E52, 0x5F9E3F,
    0x9467BD, 0x1F77B4, 0x7F7F00, 0x008080, 0xA0522D, 0x6A5ACD, 0x2E8B57, 0xB22222,
};
const size_t palette_colour_count = sizeof palette_colours / sizeof *palette_colours;

/* Whether the rung of a point is one of the first table: it is the place of this method there. */
static bool is_of_first_table(const struct point *p)
{
    const struct record *r = &p->samples->identity;
    return (size_t)p->rung < maxpool_method_count &&
           strcmp(maxpool_methods[p->rung].name, r->method) == 0 && r->kernel > 0;
}

/* Index of a name in one of the peers' tables; their length where it is in none. */
static size_t index_of_pooling(const struct maxpool_method *table, const char *name, bool *found)
{
    size_t i = 0;
    while (table[i].name && !(*found = strcmp(table[i].name, name) == 0))
        i++;
    return i;
}

static size_t index_of_product(const struct matmul_method *table, const char *name, bool *found)
{
    size_t i = 0;
    while (table[i].name && !(*found = strcmp(table[i].name, name) == 0))
        i++;
    return i;
}

static size_t peer_place(const char *name)
{
    bool found = false;
    size_t place = maxpool_method_count + matmul_method_count;
    place += index_of_pooling(peer_maxpool_methods, name, &found);
    if (!found)
        place += index_of_product(peer_matmul_methods, name, &found);
    if (!found)
        place += index_of_pooling(device_peer_maxpool_methods, name, &found);
    return place;
}

size_t palette_place(const struct point *p)
{
    if (p->rung < 0)
        return peer_place(p->samples->identity.method);
    return (size_t)p->rung + (is_of_first_table(p) ? 0 : maxpool_method_count);
}

unsigned palette_colour(const struct point *p)
{
    return palette_colours[palette_place(p) % palette_colour_count];
}
