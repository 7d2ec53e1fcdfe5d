/* A point, parsed from a line of text, and the operands that it needs. */
#ifndef MAXPOOL_DUET_DESCRIPTION_H
#define MAXPOOL_DUET_DESCRIPTION_H

#include "harness/base/failure.h"
#include "include/maxpool/operation.h"

#include <stdbool.h>
#include <stdint.h>

struct description {
    int64_t number;
    enum maxpool_operator of;
    char method[64];
    int64_t planes, rows, cols, kernel, stride, padding;
    int64_t batch, channels, filters, groups;
    int64_t max_value;
    bool ignores_padding; /* pad_mode=ignore */
    bool itself;          /* against=itself */
    bool random_filter, bias;
};

/* Returns a description with default values only. */
struct description description_blank(void);

/* Sets the value of a column of the record; false if the library has no such column or value. */
bool description_take(struct description *d, const char *column, const char *value);

/* Parses "NUMBER NAME=VALUE ...". Status 2 names what is not understood. */
enum status description_parse(struct description *d, const char *line, struct failure *f);

/* The filter, matrix, weights or points (with `itself`, a copy of the input), and the bias; NULL if
 * the operation has none. */
struct description_operands {
    float *first, *bias;
};

/* Elements of the first operand and of the bias; 0: there is none. */
int64_t description_first(const struct description *d);
int64_t description_bias(const struct description *d);

/* Returns the next 64 random bits. Source: Steele, Lea & Flood (2014), OOPSLA, splitmix64. */
uint64_t description_draw(uint64_t *state);

/* Fills arrays with integers: inputs and points from 0 to the largest value; filters, weights and
 * biases from -9 to 9; or the identity matrix. The arrays have the numbers of elements above. */
void description_fill_input(const struct description *d, float *values, int64_t count,
                            uint64_t *state);
void description_fill_operands(const struct description *d, struct description_operands *operands,
                               uint64_t *state);

#endif
