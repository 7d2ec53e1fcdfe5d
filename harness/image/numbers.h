/* Converts the numbers of files to float32: thirteen types in either byte order, scaled if the file
 * requires it. Collects facts about them and finds the first that float32 cannot represent. */
#ifndef MAXPOOL_NUMBERS_H
#define MAXPOOL_NUMBERS_H

#include "harness/image/image.h"

enum number_type {
    NUMBER_U8,
    NUMBER_I8,
    NUMBER_U16,
    NUMBER_I16,
    NUMBER_U32,
    NUMBER_I32,
    NUMBER_U64,
    NUMBER_I64,
    NUMBER_F32,
    NUMBER_F64,
    NUMBER_F16,  /* IEEE 754 binary16 */
    NUMBER_BF16, /* the upper half of a float32 */
    NUMBER_BOOL  /* a byte: 0, or anything else for 1 */
};

struct number_format {
    enum number_type type;
    bool swapped; /* the file's byte order differs from this machine's */
    bool scaled;  /* the value is slope * stored + intercept */
    double slope, intercept;
    bool nan_is_zero; /* a NaN becomes 0, and is counted */
};

enum { NUMBER_CHUNK = 1024 }; /* numbers converted at once */

/* Raw numbers, aligned for every type. */
union number_chunk {
    unsigned char bytes[NUMBER_CHUNK * 8];
    uint8_t u8[NUMBER_CHUNK];
    int8_t i8[NUMBER_CHUNK];
    uint16_t u16[NUMBER_CHUNK];
    int16_t i16[NUMBER_CHUNK];
    uint32_t u32[NUMBER_CHUNK];
    int32_t i32[NUMBER_CHUNK];
    uint64_t u64[NUMBER_CHUNK];
    int64_t i64[NUMBER_CHUNK];
    float f32[NUMBER_CHUNK];
    double f64[NUMBER_CHUNK];
};

/* Bytes of one number. */
int64_t number_size(enum number_type type);

/* Converts the first `count` numbers of the chunk into dst, whose elements are dst_step floats
 * apart, and merges what it finds into *facts. The chunk is overwritten. Returns count, or the
 * index of the first value that is NaN, infinite or rounds to infinity as float32; *bad is then
 * that value. */
int64_t numbers_convert(const struct number_format *format, union number_chunk *raw, int64_t count,
                        float *dst, int64_t dst_step, struct image_facts *facts, double *bad);

/* The same for doubles, which are rounded to float32. */
int64_t numbers_narrow(const double *values, int64_t count, float *dst, int64_t dst_step,
                       struct image_facts *facts, double *bad);

/* Merges facts about float32 values, which must be finite. */
void numbers_see(const float *values, int64_t count, struct image_facts *facts);

#endif
