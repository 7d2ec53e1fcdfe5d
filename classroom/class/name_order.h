/* The order of students' names in a list, which is the same under every locale. */
#ifndef MAXPOOL_NAME_ORDER_H
#define MAXPOOL_NAME_ORDER_H

/* Compares two names in UTF-8 as strcmp() does: letters without case and accents first, as in
 * Álvaro, beto, Carla; ñ is between n and o. Names that differ in nothing else by their bytes. */
int name_order(const char *a, const char *b);

#endif
