#include "theses/published/suite.h"

#include <math.h>
#include <string.h>

const struct published_suite *published_suite(struct failure *f)
{
    static struct published_suite suite;
    static struct failure why;
    static bool tried;
    if (!tried) {
        tried = true;
        const char *folder = published_folder();
        if (published_read(&suite.published, folder, &why) == STATUS_OK &&
            counterparts_read(&suite.counterparts, &suite.published, folder, &why) != STATUS_OK)
            published_release(&suite.published);
    }
    if (why.status == STATUS_OK)
        return &suite;
    fail(f, why.status, "%s", why.message);
    return NULL;
}

static const struct published_row *find_named(const char *name)
{
    const struct published_suite *suite = published_suite(NULL);
    for (size_t i = 0; suite && i < suite->published.count; i++) {
        const struct counterpart *c = &suite->counterparts.all[suite->counterparts.of[i]];
        if (strcmp(c->cells[COUNTERPART_NAME], name) == 0)
            return &suite->published.rows[i];
    }
    return NULL;
}

double published_number(const char *name)
{
    const struct published_row *row = find_named(name);
    return row ? row->number : (double)NAN;
}

const char *published_digits(const char *name)
{
    const struct published_row *row = find_named(name);
    return row ? row->cells[PUBLISHED_VALUE] : "";
}
