#include "experiments/report/claims/claim.h"

#include "harness/base/text/fit.h"

#include <string.h>

void claim_refuse(struct claim *c, const struct language *l, const char *id)
{
    c->has_answer = false;
    text_fit(c->why, sizeof c->why, message(l, id));
}

void claim_title(struct claim *c, const struct language *l, const char *id,
                 const struct argument *arguments)
{
    message_format(c->title, sizeof c->title, l, id, arguments);
}

void claim_add(struct claim *c, const char *text)
{
    text_fit_append(c->answer, sizeof c->answer, "%s", text);
    c->has_answer = true;
}

static void add_filled(struct claim *c, const char *pattern, const struct argument *arguments)
{
    const size_t length = strlen(c->answer);
    message_fill(c->answer + length, sizeof c->answer - length, pattern, arguments);
    c->has_answer = true;
}

void claim_say(struct claim *c, const struct language *l, const char *id,
               const struct argument *arguments)
{
    add_filled(c, message(l, id), arguments);
}

void claim_say_plural(struct claim *c, const struct language *l, const char *one, const char *many,
                      int64_t count, const struct argument *arguments)
{
    add_filled(c, message_plural(l, one, many, (unsigned long)count), arguments);
}
