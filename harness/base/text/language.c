#include "harness/base/text/language.h"

#include "harness/base/suite_files.h"
#include "harness/base/text/catalogue.h"
#include "harness/base/text/word_list.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct language language_english = {"en", NULL};

enum { LANGUAGES_MAX = 8 };

/* Languages requested so far, so that each catalogue is read only once. */
static struct language found[LANGUAGES_MAX];
static size_t found_count;

/* Writes the path of a catalogue below a folder of locales; false if it cannot be read. */
static bool catalogue_path(char path[PATH_MAX], const char *folder, const char *code)
{
    const int length = snprintf(path, PATH_MAX, "%s/%s/LC_MESSAGES/maxpool.mo", folder, code);
    return length > 0 && length < PATH_MAX && access(path, R_OK) == 0;
}

/* Searches share/locale of the tree that the program belongs to. */
static bool beside_program(char path[PATH_MAX], const char *code)
{
    char folder[PATH_MAX];
    return catalogue_path(path, suite_share(folder, "../locale"), code);
}

static bool find_path(char path[PATH_MAX], const char *code)
{
    const char *folder = getenv("MAXPOOL_LOCALE");
    return (folder && catalogue_path(path, folder, code)) || beside_program(path, code);
}

static enum status refuse(const char *code, struct failure *f)
{
    if (word_list_has(MAXPOOL_LANGUAGES, " ", code))
        return fail(f, STATUS_UNAVAILABLE,
                    "language %s is not in this build: build where msgfmt is (Debian: gettext)",
                    code);
    return fail(f, STATUS_USAGE, "language must be en or %s, not '%s'", MAXPOOL_LANGUAGES, code);
}

enum status language_find(const struct language **out, const char *code, struct failure *f)
{
    char path[PATH_MAX];
    *out = &language_english;
    if (strcmp(code, language_english.code) == 0)
        return STATUS_OK;
    for (size_t i = 0; i < found_count; i++)
        if (strcmp(code, found[i].code) == 0) {
            *out = &found[i];
            return STATUS_OK;
        }
    struct language *l = &found[found_count];
    const int length =
        found_count < LANGUAGES_MAX ? snprintf(l->code, sizeof l->code, "%s", code) : -1;
    if (length < 1 || (size_t)length >= sizeof l->code || strchr(code, '/') ||
        !find_path(path, code))
        return refuse(code, f);
    const enum status status = catalogue_read(&l->catalogue, path, f);
    if (status != STATUS_OK)
        return status;
    found_count++;
    *out = l;
    return STATUS_OK;
}
