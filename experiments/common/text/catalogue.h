/* A catalogue of translated texts: a file .mo that msgfmt made of a po file. It is read here, and
 * not by gettext(), since that knows one language per process and none in the locale C. */
#ifndef MAXPOOL_CATALOGUE_H
#define MAXPOOL_CATALOGUE_H

#include "harness/base/failure.h"

#include <stddef.h>

struct catalogue;

/* Reads and checks the whole file. Status 3 where there is none, 2 where it is damaged. The caller
 * releases it. */
enum status catalogue_read(struct catalogue **out, const char *path, struct failure *f);
void catalogue_release(struct catalogue *c);

/* The translation of a text, or NULL. `context` distinguishes equal texts (msgctxt); NULL: none. */
const char *catalogue_find(const struct catalogue *c, const char *context, const char *id);

/* Of a text with a plural, the form that the count takes, or NULL. */
const char *catalogue_find_plural(const struct catalogue *c, const char *one, unsigned long count);

/* Calls `each` for all texts of a context, in the order of their ids. */
void catalogue_walk(const struct catalogue *c, const char *context,
                    void (*each)(const char *id, const char *text, void *data), void *data);

#endif
