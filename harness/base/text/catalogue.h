/* A catalogue of translated texts: a .mo file that msgfmt made from a po file. It is read here and
 * not by gettext(), which knows only one language per process and none in the locale C. */
#ifndef MAXPOOL_CATALOGUE_H
#define MAXPOOL_CATALOGUE_H

#include "harness/base/failure.h"

#include <stddef.h>

struct catalogue;

/* Reads and checks the whole file. Status 3 if there is none, 2 if it is damaged. The caller
 * releases it. */
enum status catalogue_read(struct catalogue **out, const char *path, struct failure *f);
void catalogue_release(struct catalogue *c);

/* Returns the translation of a text, or NULL. `context` distinguishes equal texts (msgctxt); NULL:
 * no context. */
const char *catalogue_find(const struct catalogue *c, const char *context, const char *id);

/* Returns the form that `count` takes of a text with a plural, or NULL. */
const char *catalogue_find_plural(const struct catalogue *c, const char *one, unsigned long count);

/* Calls `each` for every translated text of a context, in the order of their ids. */
void catalogue_walk(const struct catalogue *c, const char *context,
                    void (*each)(const char *id, const char *text, void *data), void *data);

#endif
