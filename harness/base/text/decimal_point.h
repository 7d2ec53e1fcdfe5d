/* Numbers are written with a decimal point, also where people write a comma. */
#ifndef MAXPOOL_DECIMAL_POINT_H
#define MAXPOOL_DECIMAL_POINT_H

#include <stddef.h>

/* What to append to the refusal of a word in which a comma stands between digits, as in 1,5:
 * "; write a point: 1.5". Otherwise an empty text. */
struct point_hint {
    char text[64];
};
struct point_hint point_hint_of(const char *word);

#endif
