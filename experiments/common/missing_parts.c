#include "experiments/common/missing_parts.h"

#include "experiments/common/lists.h"
#include "harness/base/text/fit.h"
#include "harness/base/text/screen.h"
#include "harness/base/text/wording.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const kinds[GAP_KINDS] = {N_("not read"), N_("not drawn"), N_("not written"),
                                             N_("left out")};

static bool is_known(const struct gaps *p, const struct gap *fresh)
{
    for (size_t i = 0; i < p->count; i++)
        if (p->items[i].kind == fresh->kind && strcmp(p->items[i].why, fresh->why) == 0 &&
            strcmp(p->items[i].experiment, fresh->experiment) == 0)
            return true;
    return false;
}

void gap_text(const struct gap *p, const struct language *l, char *text, size_t size)
{
    char why[2 * sizeof p->why];
    wording_translate(l, "reason", p->why, why, sizeof why);
    message_fill(text, size, "%{kind}: %{why}",
                 WITH({"kind", message(l, kinds[p->kind])}, {"why", why}));
}

/* If memory is lacking, the report cannot show the gap; standard error and the status still do. */
void gaps_note(struct gaps *p, const char *experiment, enum gap_kind kind, enum status status,
               const char *why, ...)
{
    struct gap fresh = {.kind = kind, .status = status};
    char text[2 * sizeof fresh.why + 32];
    va_list arguments;
    va_start(arguments, why);
    text_fit_arguments(fresh.why, sizeof fresh.why, why, arguments);
    va_end(arguments);
    snprintf(fresh.experiment, sizeof fresh.experiment, "%s", experiment);
    if (is_known(p, &fresh))
        return;
    gap_text(&fresh, screen_language(), text, sizeof text);
    if (kind != GAP_LEFT_OUT)
        fprintf(stderr, "study: %s%s%s\n", experiment, experiment[0] ? ": " : "", text);
    p->failures += status != STATUS_OK;
    p->status = status > p->status ? status : p->status;
    struct gap *grown = array_grow(p->items, p->count, sizeof *grown);
    if (!grown)
        return;
    p->items = grown;
    grown[p->count++] = fresh;
}

enum status gaps_end(const struct gaps *p, struct failure *f)
{
    if (p->status == STATUS_OK)
        return STATUS_OK;
    if (p->failures == 1)
        return fail(f, p->status,
                    "one part could not be read, drawn or written, see above; all others were");
    return fail(f, p->status,
                "%zu parts could not be read, drawn or written, see above; all others were",
                p->failures);
}

void gaps_release(struct gaps *p)
{
    free(p->items);
    *p = (struct gaps){0};
}
