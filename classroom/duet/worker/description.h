/* A point, parsed from a line of text: an operation in the words of its record, for the library,
 * and the operands that it needs. Nothing here depends on which operator it is. */
#ifndef MAXPOOL_DUET_DESCRIPTION_H
#define MAXPOOL_DUET_DESCRIPTION_H

#include "classroom/duet/call/arguments.h"
#include "harness/base/failure.h"

#include <stddef.h>
#include <stdint.h>

enum { DESCRIPTION_OPERANDS = 8 };

struct description_operand {
    char name[32];
    int64_t elements;
    char values[48]; /* input, identity, or LEAST..MOST */
};

struct description {
    int64_t number;
    int64_t largest; /* of the integers of the input, from 0 */
    struct description_operand operands[DESCRIPTION_OPERANDS];
    size_t operand_count;
    char words[DUET_LINE]; /* as struct maxpool_described has them */
};

/* Parses a line of the file of points. Status 2 if it is none. */
enum status description_parse(struct description *d, const char *line, struct failure *f);

/* Returns the next 64 random bits. Source: Steele, Lea & Flood (2014), OOPSLA, splitmix64. */
uint64_t description_draw(uint64_t *state);

/* Fills the input, or the i-th operand, with the same values in every layout. */
void description_fill_input(const struct description *d, float *values, int64_t count);
void description_fill_operand(const struct description *d, size_t i, float *values);

#endif
