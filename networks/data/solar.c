/* Sunlight under drifting clouds, generated from the seed. Sensors on the ground measure the light
 * of a clear sky times the fraction that clouds let through:
 *
 *   value(x, y, t) = clear(t) (1 - 0.8 s(n(x - u t, y - v t)))
 *
 * clear(t) = c exp(-0.057 / c) / exp(-0.057), c = sin(pi (hour - 6) / 12): the form of Haurwitz
 * (1945), "Insolation in relation to cloudiness and cloud density", J. Meteorology 2, scaled to 1
 * at noon. n is a smooth random field: two octaves, 240 m and 90 m, of values at the corners of a
 * lattice, interpolated by 3 f^2 - 2 f^3; s maps 0.35 .. 0.65 of it smoothly to 0 .. 1. A wind of
 * (u, v) = (9, 4) m/s moves the clouds. Vectors are 10 x 5 sensors, 100 m apart; maps are 50 x 50
 * elements of 20 m. The target is the value at the middle sensor 10 s later; the forecast that
 * expects no change is its value now. Training, validation and test contain hours of different
 * days. The series is one more day, in steps of six minutes. */
#include "harness/base/digest.h"
#include "harness/machine/memory.h"
#include "networks/data/data.h"

#include <math.h>

static const double ahead_s = 10.0, wind_x = 9.0, wind_y = 4.0;

static const double day_begins_s = 7.0 * 3600.0, series_s = 360.0;

enum {
    VECTOR = 50,
    SIDE = 50,
    SENSOR_COLS = 10,
    VECTORS = 8192,
    MAPS = 1536,
    OTHERS = 8,
    OF_A_DAY = 100,
    MOMENTS = 100
};

static double corner(uint64_t seed, int64_t i, int64_t j)
{
    const uint64_t key = digest_mix(digest_mix(seed + (uint64_t)i * 0x10001u) + (uint64_t)j);
    return (double)(key >> 11) / 9007199254740992.0;
}

static double smooth(double f)
{
    return f * f * (3.0 - 2.0 * f);
}

/* One octave: a lattice with a spacing of `size` metres. */
static double octave(uint64_t seed, double x, double y, double size)
{
    const double i = floor(x / size), j = floor(y / size);
    const double a = smooth(x / size - i), b = smooth(y / size - j);
    const int64_t col = (int64_t)i, row = (int64_t)j;
    const double upper = corner(seed, col, row) * (1.0 - a) + corner(seed, col + 1, row) * a;
    const double lower =
        corner(seed, col, row + 1) * (1.0 - a) + corner(seed, col + 1, row + 1) * a;
    return upper * (1.0 - b) + lower * b;
}

static double clear_sky(double second)
{
    const double pi = 3.14159265358979323846;
    const double c = sin(pi * (second / 3600.0 - 6.0) / 12.0);
    return c > 0.0 ? c * exp(0.057 - 0.057 / c) : 0.0;
}

/* A moment: the day's clouds and the second of the day. */
struct moment {
    uint64_t clouds;
    double second;
};

static float light(const struct moment *m, double x, double y, double later)
{
    const double second = m->second + later;
    const double at_x = x - wind_x * second, at_y = y - wind_y * second;
    const double field =
        0.65 * octave(m->clouds, at_x, at_y, 240.0) + 0.35 * octave(~m->clouds, at_x, at_y, 90.0);
    const double share = fmin(fmax((field - 0.35) / 0.3, 0.0), 1.0);
    return (float)(clear_sky(second) * (1.0 - 0.8 * smooth(share)));
}

/* The moment of sample i: on day i / OF_A_DAY, at a random time from 7 to 17 o'clock. */
static struct moment moment_of(uint64_t seed, int64_t i)
{
    const uint64_t drawn = digest_mix(digest_mix(seed ^ UINT64_C(0x50a1a5)) + (uint64_t)i);
    return (struct moment){digest_mix(seed + (uint64_t)(i / OF_A_DAY) * 31 + 7),
                           day_begins_s + (double)(drawn % 36000000) / 1000.0};
}

/* Moment i of the series. */
static struct moment series_of(uint64_t seed, int64_t i)
{
    return (struct moment){moment_of(seed, 300000).clouds, day_begins_s + series_s * (double)i};
}

/* A grid of places: metres between neighbours, places per row and in all, index of the middle
 * one. */
struct places {
    double spacing;
    int64_t cols, count, middle;
};

static void fill_sample(struct data_part *p, const struct places *s, int64_t at,
                        const struct moment *m)
{
    const int64_t row = s->middle / s->cols, col = s->middle % s->cols;
    const double x = s->spacing * (double)col, y = s->spacing * (double)row;
    for (int64_t i = 0; i < s->count; i++) {
        const int64_t down = i / s->cols, across = i % s->cols;
        p->images[at * s->count + i] =
            light(m, s->spacing * (double)across, s->spacing * (double)down, 0.0);
    }
    p->persistence[at] = light(m, x, y, 0.0);
    p->values[at] = light(m, x, y, ahead_s);
}

static enum status fill_part(struct data *d, enum data_parts part, const struct places *s,
                             int64_t first, int64_t count, uint64_t seed, struct failure *f)
{
    struct data_part *p = &d->parts[part];
    enum status status = data_allocate(d, part, count, f);
    if (status == STATUS_OK)
        status = memory_allocate((void **)&p->persistence, (size_t)count * sizeof(float),
                                 "the values expected", f);
    if (status == STATUS_OK && part >= DATA_TEST)
        status = memory_allocate((void **)&p->predicted, (size_t)count * sizeof(float),
                                 "the values predicted", f);
    p->of_a_day = part == DATA_SERIES ? 0 : OF_A_DAY;
    for (int64_t i = 0; status == STATUS_OK && i < count; i++) {
        const struct moment m =
            part == DATA_SERIES ? series_of(seed, i) : moment_of(seed, first + i);
        fill_sample(p, s, i, &m);
    }
    return status;
}

enum status data_solar(struct data *d, const struct data_request *r, struct failure *f)
{
    const bool maps = r->input.rows > 1;
    const struct places s =
        maps ? (struct places){20.0, SIDE, SIDE * SIDE, SIDE * SIDE / 2 + SIDE / 2}
             : (struct places){100.0, SENSOR_COLS, VECTOR, VECTOR / 2};
    const int64_t count = maps ? MAPS : VECTORS;
    d->shape = maps ? (struct tensor_shape){1, SIDE, SIDE} : (struct tensor_shape){VECTOR, 1, 1};
    d->outputs = 1;
    enum status status = fill_part(d, DATA_TRAIN, &s, 0, count, r->seed, f);
    if (status == STATUS_OK)
        status = fill_part(d, DATA_VALIDATION, &s, 100000, count / OTHERS, r->seed, f);
    if (status == STATUS_OK)
        status = fill_part(d, DATA_TEST, &s, 200000, count / OTHERS, r->seed, f);
    if (status == STATUS_OK)
        status = fill_part(d, DATA_SERIES, &s, 0, MOMENTS, r->seed, f);
    d->series_begin_s = day_begins_s;
    d->series_apart_s = series_s;
    return status;
}
