/* Plural rules in the syntax of a catalogue's header: "nplurals=2; plural=n != 1;". */
#ifndef MAXPOOL_PLURAL_H
#define MAXPOOL_PLURAL_H

#include <stddef.h>

/* Returns which form a count takes, from 0. A rule that cannot be read, or that gives a form beyond
 * nplurals, gives form 0. `header` NULL: the rule of English. */
size_t plural_form(const char *header, unsigned long count);

#endif
