#include "experiments/common/language.h"

#include <string.h>

const char *const language_codes[LANGUAGES] = {"en", "es"};

enum status language_parse(enum language *out, const char *code, struct failure *f)
{
    for (int i = 0; i < LANGUAGES; i++)
        if (strcmp(code, language_codes[i]) == 0) {
            *out = (enum language)i;
            return STATUS_OK;
        }
    return fail(f, STATUS_USAGE, "language must be en or es, not '%s'", code);
}
