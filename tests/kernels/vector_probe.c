/* Compares every primitive of kernels/vector.h with plain C. Compiled once per instruction set,
 * like a vector method. Returns the name of the first primitive that differs, or NULL. */
#include "tests/kernels/vector_probe.h"

#include "kernels/clamp.h"
#include "kernels/vector/mixed.h"

#include <math.h>
#include <stdbool.h>

/* Two vectors of distinct values, some of them negative, and space to see an overrun. */
struct bench {
    float in[2 * LANES], got[3 * LANES];
};

static const float untouched = -77.0f;

static void fill(struct bench *x)
{
    for (int i = 0; i < LANES; i++) {
        x->in[i] = (float)(i % 3 == 0 ? -i - 1 : 2 * i);
        x->in[LANES + i] = (float)(i % 2 == 0 ? i + 5 : -3 * i);
    }
    for (int i = 0; i < 3 * LANES; i++)
        x->got[i] = untouched;
}

/* True if lanes [0, n) of got + LANES are `want` and everything around is untouched. */
static bool holds(const struct bench *x, const float *want, int n)
{
    bool same = true;
    for (int i = 0; i < 3 * LANES; i++) {
        const bool inside = i >= LANES && i < LANES + n;
        same &= x->got[i] == (inside ? want[i - LANES] : untouched);
    }
    return same;
}

static bool arithmetic_holds(struct bench *x)
{
    float want[8][LANES];
    const float *first = x->in, *second = x->in + LANES;
    const vec a = vec_load(first), b = vec_load(second);
    const vec got[8] = {vec_max(a, b),
                        vec_multiply(a, b),
                        vec_add(a, b),
                        vec_multiply_add(a, b, vec_all(3.0f)),
                        vec_subtract(a, b),
                        vec_square_root(vec_multiply(a, a)),
                        vec_divide(a, vec_all(3.0f)),
                        vec_min(a, b)};
    bool same = true;
    for (int i = 0; i < LANES; i++) {
        want[0][i] = first[i] > second[i] ? first[i] : second[i];
        want[1][i] = first[i] * second[i];
        want[2][i] = first[i] + second[i];
        want[3][i] = first[i] * second[i] + 3.0f;
        want[4][i] = first[i] - second[i];
        want[5][i] = sqrtf(first[i] * first[i]);
        want[6][i] = first[i] / 3.0f;
        want[7][i] = first[i] < second[i] ? first[i] : second[i];
    }
    for (int operation = 0; operation < 8; operation++) {
        vec_store(x->got + LANES, got[operation]);
        same &= holds(x, want[operation], LANES);
    }
    return same;
}

static bool picking_holds(struct bench *x, vec picked, int first)
{
    float want[LANES];
    for (int i = 0; i < LANES; i++)
        want[i] = x->in[2 * i + first];
    vec_store(x->got + LANES, picked);
    return holds(x, want, LANES);
}

static bool parts_hold(struct bench *x)
{
    bool same = true;
    for (int n = 0; n <= LANES; n++) {
        float want[LANES];
        for (int i = 0; i < LANES; i++)
            want[i] = x->in[i < n ? i : LANES + i];
        vec_store(x->got + LANES, vec_load_part(x->in, n, vec_load(x->in + LANES)));
        same &= holds(x, want, LANES);
        fill(x);
        for (int i = n; i < LANES; i++)
            want[i] = 0.0f;
        vec_store(x->got + LANES, vec_load_part(x->in, n, vec_zero()));
        same &= holds(x, want, LANES);
        fill(x);
        vec_store_part(x->got + LANES, vec_load(x->in), n);
        same &= holds(x, x->in, n);
        fill(x);
    }
    return same;
}

static bool lanes_hold(struct bench *x)
{
    bool same = true;
    for (int first = 0; first <= LANES; first++)
        for (int end = first; end <= LANES; end++) {
            float want[LANES];
            for (int i = 0; i < LANES; i++)
                want[i] = x->in[i >= first && i < end ? i : LANES + i];
            vec_store(x->got + LANES, vec_load_lanes(x->in, first, end, vec_load(x->in + LANES)));
            same &= holds(x, want, LANES);
            fill(x);
        }
    return same;
}

static bool delay_holds(struct bench *x)
{
    bool same = true;
    for (int n = 1; n <= LANES; n++) {
        vec_store(x->got + LANES, vec_delay(vec_load(x->in), vec_load(x->in + LANES), n));
        same &= holds(x, x->in + LANES - n, LANES);
        fill(x);
    }
    return same;
}

enum { FARTHEST = 16 }; /* strides probed */

static bool strides_hold(struct bench *x)
{
    float elements[FARTHEST * LANES], want[LANES];
    bool same = true;
    for (int i = 0; i < FARTHEST * LANES; i++)
        elements[i] = (float)(7 * i % 1009);
    for (int stride = 1; stride <= FARTHEST; stride++) {
        for (int i = 0; i < LANES; i++)
            want[i] = elements[i * stride];
        vec_store(x->got + LANES, vec_load_every(elements, stride));
        same &= holds(x, want, LANES);
        fill(x);
    }
    return same;
}

static bool streaming_holds(struct bench *x)
{
    _Alignas(64) float line[LANES];
    vec_stream(line, vec_load(x->in));
    vec_fence();
    memcpy(x->got + LANES, line, sizeof line);
    return holds(x, x->in, LANES);
}

/* Columns of four elements at LANES places that are 1 .. 9 apart. The last place ends where the
 * array does. */
static bool columns_hold(struct bench *x)
{
    float elements[9 * LANES + 4];
    bool same = true;
    for (int64_t stride = 1; stride <= 9; stride++) {
        float *first = elements + 9 * LANES + 4 - ((LANES - 1) * stride + 4);
        vec column[4];
        for (int i = 0; i < 9 * LANES + 4; i++)
            elements[i] = (float)(i * i % 89);
        vec_columns4(first, stride, column);
        for (int q = 0; q < 4; q++) {
            float want[LANES];
            for (int i = 0; i < LANES; i++)
                want[i] = first[i * stride + q];
            vec_store(x->got + LANES, column[q]);
            same &= holds(x, want, LANES);
        }
    }
    return same;
}

/* Every fifth element of an array that ends with the last of them. */
static bool fives_hold(struct bench *x)
{
    float elements[5 * (LANES - 1) + 1], want[LANES];
    for (int i = 0; i < 5 * (LANES - 1) + 1; i++)
        elements[i] = (float)(i * i % 89);
    for (int i = 0; i < LANES; i++)
        want[i] = elements[5 * i];
    vec_store(x->got + LANES, vec_load_every5(elements));
    return holds(x, want, LANES);
}

/* Hiding a value from the compiler does not change it. */
static bool keeping_holds(struct bench *x)
{
    vec_store(x->got + LANES, vec_keep(vec_load(vec_hide_pointer(x->in))));
    return holds(x, x->in, LANES);
}

/* The next aligned address is found from every place within a vector. */
static bool alignment_holds(void)
{
    _Alignas(64) float line[2 * LANES];
    bool same = true;
    for (int64_t i = 0; i < LANES; i++)
        same &= vec_misaligned(line + i) == (i == 0 ? 0 : LANES - i);
    return same;
}

/* Values below, within and above the range, and NaN, which must stay NaN. */
static bool clamp_holds(void)
{
    float values[LANES], got[LANES];
    bool same = true;
    for (int first = 0; first < 4; first++) {
        for (int i = 0; i < LANES; i++)
            values[i] = (const float[]){-2.0f, 3.0f, 9.0f, NAN}[(first + i) % 4];
        vec_store(got, vec_clamp(vec_load(values), vec_all(0.0f), vec_all(6.0f)));
        for (int i = 0; i < LANES; i++)
            same &=
                isnan(values[i]) ? isnan(got[i]) : got[i] == fminf(fmaxf(values[i], 0.0f), 6.0f);
    }
    return same;
}

const char *ISA_FUNCTION(vector_probe)(void)
{
    struct bench x;
    fill(&x);
    if (!arithmetic_holds(&x))
        return "arithmetic";
    fill(&x);
    if (!picking_holds(&x, vec_even(vec_load(x.in), vec_load(x.in + LANES)), 0))
        return "vec_even";
    fill(&x);
    if (!picking_holds(&x, vec_odd(vec_load(x.in), vec_load(x.in + LANES)), 1))
        return "vec_odd";
    fill(&x);
    const vec a = vec_load(x.in), b = vec_load(x.in + LANES);
    if (!picking_holds(&x, vec_mix(vec_even_mixed(a, b)), 0))
        return "vec_even_mixed";
    fill(&x);
    if (!picking_holds(&x, vec_mix(vec_odd_mixed(a, b)), 1))
        return "vec_odd_mixed";
    fill(&x);
    if (!picking_holds(&x, vec_mix(vec_mix(vec_even(a, b))), 0))
        return "vec_mix";
    fill(&x);
    if (!parts_hold(&x))
        return "vec_load_part or vec_store_part";
    if (!lanes_hold(&x))
        return "vec_load_lanes";
    if (!delay_holds(&x))
        return "vec_delay";
    if (!strides_hold(&x))
        return "vec_load_every";
    if (!clamp_holds())
        return "vec_clamp";
    if (!streaming_holds(&x))
        return "vec_stream";
    fill(&x);
    if (!columns_hold(&x))
        return "vec_columns4";
    fill(&x);
    if (!fives_hold(&x))
        return "vec_load_every5";
    fill(&x);
    if (!keeping_holds(&x))
        return "vec_keep or vec_hide_pointer";
    return alignment_holds() ? NULL : "vec_misaligned";
}

int ISA_FUNCTION(vector_lanes)(void)
{
    return LANES;
}
