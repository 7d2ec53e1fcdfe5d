/* Places in a command that somebody misspelt: {thread} for {threads}. Nothing fills them in, so
 * that every launch would get them as they stand. Braces that a program needs itself look
 * otherwise: {1..4}, awk '{print}', ${name}, JSON, and what stands in the code of another language
 * (python3 -c CODE). */
#ifndef MAXPOOL_OWN_PLACES_H
#define MAXPOOL_OWN_PLACES_H

#include "experiments/program/launch/own_command.h"

enum { OWN_PLACE = 40 }; /* bytes of a place without its braces, including the final 0 */

/* A place in a command's words or in what prepares it or cleans up. */
struct own_place {
    char typed[OWN_PLACE];
    const char *meant; /* the name of a place */
};

/* Finds the first misspelt place; false if there is none. */
bool own_place_misspelt(const struct own_command *c, struct own_place *found);

#endif
