#include "experiments/analysis/palette.h"

#include "networks/point/record_subject.h"
#include "peers/methods.h"
#include "peers/peers.h"
#include "peers/script_methods.h"

#include <string.h>

const unsigned palette_colours[] = {
    0x000000, 0x882255, 0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7, 0xE69F00, 0x56B4E9, 0x999933,
    0x332288, 0xAA4499, 0x44AA99, 0x661100, 0xCC6677, 0x117733, 0x7A5195, 0x0000FF, 0xFF11FF,
    0x00BB00, 0xFF0088, 0x8855FF, 0x444400, 0xDD9966, 0x6688FF, 0x220033, 0xEE77FF, 0xCC1144,
    0x0000AA, 0x9900AA, 0x88BB11, 0x885500, 0xEE00BB, 0xAA00FF, 0x55BB55, 0x441122, 0xFF7766,
    0x885544, 0x004422, 0x007788, 0x99AA77, 0x9999DD, 0x003366, 0x8855CC, 0xFF66BB, 0x558811,
    0x0055DD, 0x442200, 0xAA4422, 0xCC9999, 0x660066, 0xCC88DD, 0x557755, 0x3355AA, 0x887744,
    0xBB0066, 0xFF0044, 0x555577, 0xBBAA00, 0x6688AA, 0x996677, 0xDD8833, 0x992233, 0x55BBCC,
    0x77BB77, 0x0033EE, 0x222200, 0x8800CC, 0xFF5500, 0xFF6688, 0xCC44EE, 0xBB99BB, 0x000022,
    0x0099FF, 0x004455, 0xBB0088, 0x663355, 0x556600, 0xFF0000, 0xBB88FF, 0x009911, 0xFF0066,
    0xFF8800, 0x550099, 0x007766, 0x668844, 0xEE5533, 0x990000, 0x442266, 0xBB9977, 0x88AA99,
    0x660022, 0xCCAA55, 0x555533, 0xBB6655, 0x997700, 0xCC44BB,
};
const size_t palette_colour_count = sizeof palette_colours / sizeof *palette_colours;

/* Whether the same program runs both operators. */
static bool are_of_one_program(const struct operator_row *a, const struct operator_row *b)
{
    const struct operator_row *variant = a;
    for (size_t i = 0; variant && variant != b; i++)
        variant = operator_variant(a, i);
    return variant;
}

/* Whether an operator of the same program, before operators[i], has a method of that name. */
static bool has_before(size_t i, const struct method *m)
{
    for (size_t j = 0; j < i; j++)
        if (are_of_one_program(operators[i], operators[j]) &&
            operator_method(operators[j], m->kind, m->name))
            return true;
    return false;
}

/* Counts the methods of the operators of one program, host methods first, each name once: those
 * before `end`, or all if it is NULL. */
static size_t methods_until(const struct operator_row *o, const struct method *end)
{
    static const enum space_kind kinds[] = {SPACE_HOST, SPACE_CUDA};
    const struct method *m;
    size_t count = 0;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (size_t i = 0; i < operator_count; i++)
            for (size_t j = 0; are_of_one_program(operators[i], o) && (m = operators[i]->method(j));
                 j++) {
                if (end && m->kind == kinds[k] && end->kind == m->kind &&
                    strcmp(m->name, end->name) == 0)
                    return count;
                count += m->kind == kinds[k] && !has_before(i, m);
            }
    return count;
}

static bool is_first_of_program(size_t i)
{
    for (size_t j = 0; j < i; j++)
        if (are_of_one_program(operators[i], operators[j]))
            return false;
    return true;
}

/* Counts the methods of the programs before that of `o`; NULL: of all programs. */
static size_t methods_before(const struct operator_row *o)
{
    size_t count = 0;
    for (size_t i = 0; i < operator_count && !(o && are_of_one_program(operators[i], o)); i++)
        count += is_first_of_program(i) ? methods_until(operators[i], NULL) : 0;
    return count;
}

/* Counts the methods of the networks before `o`; NULL: of all. */
static size_t network_methods_before(const struct operator_row *o)
{
    size_t count = 0;
    const struct operator_row *row;
    for (size_t i = 0; (row = recorded_network_at(i)) && row != o; i++)
        count += operator_method_count(row);
    return count;
}

/* Returns the name of peer i: those of processors, then GPUs, then scripts; NULL after the last. */
static const char *peer_name(size_t i)
{
    if (i < host_peers.count)
        return host_peers.rows[i].method.name;
    i -= host_peers.count;
    if (i < device_peers.count)
        return device_peers.rows[i].method.name;
    i -= device_peers.count;
    return i < script_method_count ? script_methods[i].method.name : NULL;
}

/* A library has one row per operator that it computes, so its name may repeat. */
static bool is_named_before(size_t peer)
{
    size_t i = 0;
    while (strcmp(peer_name(i), peer_name(peer)) != 0)
        i++;
    return i < peer;
}

/* Counts the peers before `name`, each name once; all of them if no peer has that name. */
static size_t peers_before(const char *name)
{
    size_t count = 0;
    for (size_t i = 0; peer_name(i) && strcmp(peer_name(i), name) != 0; i++)
        count += !is_named_before(i);
    return count;
}

/* Both counts, which every mark of every chart asks for, are made once. */
static size_t count_methods(void)
{
    static size_t count;
    count = count ? count : methods_before(NULL);
    return count;
}

static size_t count_peers(void)
{
    static size_t count;
    count = count ? count : peers_before("");
    return count;
}

static bool is_peer(const char *name)
{
    size_t i = 0;
    while (peer_name(i) && strcmp(peer_name(i), name) != 0)
        i++;
    return peer_name(i);
}

size_t palette_place(const struct point *p)
{
    const char *method = p->samples->identity.method;
    const size_t peers = count_methods(), networks = peers + count_peers();
    if (p->rung >= 0 && recorded_is_network(p->kind))
        return networks + network_methods_before(p->kind) + (size_t)p->rung;
    if (p->rung >= 0)
        return methods_before(p->kind) + methods_until(p->kind, p->kind->method((size_t)p->rung));
    return is_peer(method) ? peers + peers_before(method) : palette_places() - 1;
}

size_t palette_places(void)
{
    return count_methods() + count_peers() + network_methods_before(NULL) + 1;
}

unsigned palette_colour(const struct point *p)
{
    const size_t place = palette_place(p), last = palette_colour_count - 1;
    return palette_colours[place < last ? place : last];
}
