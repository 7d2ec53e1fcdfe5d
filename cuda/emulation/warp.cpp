#include "cuda/emulation/matrix.h"
#include "cuda/emulation/warp_exchange.h"

#include <algorithm>

enum { LANES = 32 };

/* The lane that a shuffle reads; the lane itself where that is outside its segment. Source: CUDA
 * C++ Programming Guide, "Warp Shuffle Functions". */
static unsigned source_of(const WarpLane &l)
{
    const int width = l.width, own = static_cast<int>(l.number), first = own / width * width;
    int source = own;
    if (l.kind == WARP_SHUFFLE)
        source = first + (l.argument % width + width) % width;
    else if (l.kind == WARP_SHUFFLE_UP)
        source = own - l.argument >= first ? own - l.argument : own;
    else if (l.kind == WARP_SHUFFLE_DOWN)
        source = own + l.argument < first + width ? own + l.argument : own;
    else
        source = (own ^ l.argument) < first + width ? own ^ l.argument : own;
    return static_cast<unsigned>(source);
}

static uint64_t ballot(WarpLane *const lanes[LANES], unsigned mask)
{
    uint64_t votes = 0;
    for (unsigned i = 0; i < LANES; i++)
        if (mask >> i & 1 && lanes[i] && lanes[i]->value)
            votes |= UINT64_C(1) << i;
    return votes;
}

static bool is_product(const WarpLane *l)
{
    return l && l->kind == WARP_MATRIX;
}

/* Multiplies the matrices of all lanes. */
static std::string multiply(WarpLane *const lanes[LANES])
{
    MatrixFragments *fragments[LANES];
    for (unsigned i = 0; i < LANES; i++) {
        if (!is_product(lanes[i]) || lanes[i]->argument != lanes[0]->argument)
            return "lane " + std::to_string(i) +
                   " of a warp does not take part in a product of matrices";
        fragments[i] = reinterpret_cast<MatrixFragments *>(lanes[i]->value);
    }
    matrix_multiply(fragments);
    return "";
}

std::string warp_exchange(WarpLane *const lanes[LANES])
{
    if (std::any_of(lanes, lanes + LANES, is_product))
        return multiply(lanes);
    for (unsigned i = 0; i < LANES; i++) {
        if (!lanes[i])
            continue;
        WarpLane &l = *lanes[i];
        const unsigned source = l.kind == WARP_SYNC || l.kind == WARP_BALLOT ? i : source_of(l);
        for (unsigned k = 0; k < LANES; k++)
            if (l.mask >> k & 1 && lanes[k] &&
                (lanes[k]->kind == WARP_SYNC) != (l.kind == WARP_SYNC))
                return "lanes " + std::to_string(i) + " and " + std::to_string(k) +
                       " of a warp wait in different functions";
        if (!lanes[source] || !(l.mask >> source & 1))
            return "lane " + std::to_string(i) + " of a warp reads lane " + std::to_string(source) +
                   ", which does not take part";
        l.result = l.kind == WARP_BALLOT ? ballot(lanes, l.mask) : lanes[source]->value;
    }
    return "";
}
