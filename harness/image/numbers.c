#include "harness/image/numbers.h"

#include <math.h>
#include <string.h>

int64_t number_size(enum number_type type)
{
    static const int64_t sizes[] = {
        [NUMBER_U8] = 1,  [NUMBER_I8] = 1,   [NUMBER_U16] = 2,  [NUMBER_I16] = 2, [NUMBER_U32] = 4,
        [NUMBER_I32] = 4, [NUMBER_U64] = 8,  [NUMBER_I64] = 8,  [NUMBER_F32] = 4, [NUMBER_F64] = 8,
        [NUMBER_F16] = 2, [NUMBER_BF16] = 2, [NUMBER_BOOL] = 1,
    };
    return sizes[type];
}

static void swap_bytes(union number_chunk *raw, int64_t count, int64_t size)
{
    if (size == 2)
        for (int64_t i = 0; i < count; i++)
            raw->u16[i] = __builtin_bswap16(raw->u16[i]);
    if (size == 4)
        for (int64_t i = 0; i < count; i++)
            raw->u32[i] = __builtin_bswap32(raw->u32[i]);
    if (size == 8)
        for (int64_t i = 0; i < count; i++)
            raw->u64[i] = __builtin_bswap64(raw->u64[i]);
}

/* A 64-bit magnitude as a double, rounded to odd: if bits are dropped, the last bit kept is set. So
 * a later rounding to float32 gives the result of a single rounding, and cannot seem exact. */
static double magnitude(uint64_t value)
{
    const uint64_t dropped = 0x7ff;
    if (value >> 53 && (value & dropped))
        value = (value & ~dropped) | (dropped + 1);
    return (double)value;
}

static double from_i64(int64_t value)
{
    return value < 0 ? -magnitude(-(uint64_t)value) : magnitude((uint64_t)value);
}

/* Half precision: sign, 5 bits of exponent, 10 of fraction. Every value is exact as a double. */
static double from_f16(uint16_t bits)
{
    const int exponent = bits >> 10 & 0x1f, fraction = bits & 0x3ff;
    const double size = exponent == 0x1f ? (fraction ? (double)NAN : (double)INFINITY)
                        : exponent > 0   ? ldexp(0x400 + fraction, exponent - 25)
                                         : ldexp(fraction, -24);
    return bits >> 15 ? -size : size;
}

static double from_bf16(uint16_t bits)
{
    const uint32_t all = (uint32_t)bits << 16;
    float value;
    memcpy(&value, &all, sizeof value);
    return (double)value;
}

static void widen(enum number_type type, const union number_chunk *raw, int64_t count, double *out)
{
    switch (type) {
    case NUMBER_U8:
        for (int64_t i = 0; i < count; i++)
            out[i] = raw->u8[i];
        break;
    case NUMBER_I8:
        for (int64_t i = 0; i < count; i++)
            out[i] = raw->i8[i];
        break;
    case NUMBER_U16:
        for (int64_t i = 0; i < count; i++)
            out[i] = raw->u16[i];
        break;
    case NUMBER_I16:
        for (int64_t i = 0; i < count; i++)
            out[i] = raw->i16[i];
        break;
    case NUMBER_U32:
        for (int64_t i = 0; i < count; i++)
            out[i] = raw->u32[i];
        break;
    case NUMBER_I32:
        for (int64_t i = 0; i < count; i++)
            out[i] = raw->i32[i];
        break;
    case NUMBER_U64:
        for (int64_t i = 0; i < count; i++)
            out[i] = magnitude(raw->u64[i]);
        break;
    case NUMBER_I64:
        for (int64_t i = 0; i < count; i++)
            out[i] = from_i64(raw->i64[i]);
        break;
    case NUMBER_F32:
        for (int64_t i = 0; i < count; i++)
            out[i] = (double)raw->f32[i];
        break;
    case NUMBER_F64:
        memcpy(out, raw->f64, (size_t)count * sizeof *out);
        break;
    case NUMBER_F16:
        for (int64_t i = 0; i < count; i++)
            out[i] = from_f16(raw->u16[i]);
        break;
    case NUMBER_BF16:
        for (int64_t i = 0; i < count; i++)
            out[i] = from_bf16(raw->u16[i]);
        break;
    case NUMBER_BOOL:
        for (int64_t i = 0; i < count; i++)
            out[i] = raw->u8[i] != 0;
        break;
    }
}

int64_t numbers_convert(const struct number_format *format, union number_chunk *raw, int64_t count,
                        float *dst, int64_t dst_step, struct image_facts *facts, double *bad)
{
    double wide[NUMBER_CHUNK];
    if (format->swapped)
        swap_bytes(raw, count, number_size(format->type));
    widen(format->type, raw, count, wide);
    if (format->scaled)
        for (int64_t i = 0; i < count; i++)
            wide[i] = format->slope * wide[i] + format->intercept;
    for (int64_t i = 0; format->nan_is_zero && i < count; i++)
        if (isnan(wide[i])) {
            wide[i] = 0.0;
            facts->nans++;
        }
    return numbers_narrow(wide, count, dst, dst_step, facts, bad);
}

/* Doubles below this in magnitude round to a finite float32: it is half a unit above FLT_MAX. */
static const double too_large = 0x1.ffffffp127;

int64_t numbers_narrow(const double *values, int64_t count, float *dst, int64_t dst_step,
                       struct image_facts *facts, double *bad)
{
    float narrow[NUMBER_CHUNK];
    for (int64_t start = 0; start < count; start += NUMBER_CHUNK) {
        int64_t n = count - start < NUMBER_CHUNK ? count - start : NUMBER_CHUNK;
        const double *from = values + start;
        int64_t unfit = 0;
        for (int64_t i = 0; i < n; i++) {
            bool fits = fabs(from[i]) < too_large; /* false for NaN */
            narrow[i] = fits ? (float)from[i] : 0.0F;
            facts->rounded += (double)narrow[i] != from[i];
            unfit += !fits;
        }
        if (unfit > 0) {
            int64_t i = 0;
            while (fabs(from[i]) < too_large)
                i++;
            *bad = from[i];
            return start + i;
        }
        numbers_see(narrow, n, facts);
        for (int64_t i = 0; i < n; i++)
            dst[(start + i) * dst_step] = narrow[i];
    }
    return count;
}

static int32_t magnitude_bits(float value)
{
    int32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits & INT32_MAX;
}

void numbers_see(const float *values, int64_t count, struct image_facts *facts)
{
    const float all_integers = 0x1p23F; /* from here on every float32 is an integer */
    int32_t largest = 0; /* as bits, which have the same order as the values: the loop vectorises */
    int64_t fractions = 0;
    for (int64_t i = 0; i < count; i++) {
        int32_t bits = magnitude_bits(values[i]);
        largest = bits > largest ? bits : largest;
        float small = fabsf(values[i]) < all_integers ? values[i] : 0.0F;
        fractions += (float)(int32_t)small != small;
    }
    float max_abs;
    memcpy(&max_abs, &largest, sizeof max_abs);
    if ((double)max_abs > facts->max_abs)
        facts->max_abs = (double)max_abs;
    facts->integers = facts->integers && fractions == 0;
}
