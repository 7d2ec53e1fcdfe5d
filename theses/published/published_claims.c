#include "theses/published/published_claims.h"

#include "harness/base/text/fit.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const claim_columns[CLAIM_COLUMNS + 1] = {
    "source",  "place",    "claim",    "answer",   "experiments", "point",
    "measure", "expected", "protocol", "sentence", NULL};

const char *const protocol_words[] = {
    "data",    "split",    "preprocessing", "initialisation", "stopping", "unit",
    "network", "language", "machine",       "sizes",          NULL};

enum status published_claim_refuse(const char *folder, const struct published_claim *c,
                                   enum claim_column column, const char *why, struct failure *f)
{
    return fail(f, STATUS_USAGE, "%s/claims.csv:%lld: column '%s': '%s' %s", folder,
                (long long)c->line, claim_columns[column], text_brief(c->cells[column], 120).text,
                why);
}

/* ---- contents of a row ----------------------------------------------------------------------- */

bool protocol_is_known(const char *text)
{
    while (*text) {
        const size_t length = strcspn(text, " ");
        size_t i = 0;
        while (protocol_words[i] && (strlen(protocol_words[i]) != length ||
                                     strncmp(protocol_words[i], text, length) != 0))
            i++;
        if (!protocol_words[i])
            return false;
        text += length + (text[length] == ' ');
    }
    return true;
}

static bool take_source(struct published_claim *c)
{
    for (int i = 0; i < SOURCES; i++)
        if (strcmp(c->cells[CLAIM_SOURCE], published_source_words[i]) == 0) {
            c->source = (enum published_source)i;
            return true;
        }
    return false;
}

/* Reads "NAME NUMBER" to the end of the text. */
static bool takes_number(const char *text, const char *name, double *number)
{
    char *end;
    const size_t length = strlen(name);
    if (strncmp(text, name, length) != 0 || text[length] != ' ')
        return false;
    *number = strtod(text + length + 1, &end);
    return end != text + length + 1 && *end == '\0' && isfinite(*number);
}

static bool take_range(struct published_claim *c, const char *text)
{
    char first[40];
    const char *to = strstr(text, " to ");
    if (!to || to - text >= (ptrdiff_t)sizeof first)
        return false;
    snprintf(first, sizeof first, "%.*s", (int)(to - text), text);
    return takes_number(first, "from", &c->low) && takes_number(to + 1, "to", &c->high) &&
           c->low <= c->high;
}

static bool take_expectation(struct published_claim *c)
{
    static const char *const equal = "equal ";
    const char *text = c->cells[CLAIM_EXPECTED];
    c->equal = "";
    c->low = -INFINITY;
    c->high = INFINITY;
    if (!*text)
        c->expectation = EXPECT_NOTHING;
    else if (strncmp(text, equal, strlen(equal)) == 0) {
        c->expectation = EXPECT_EQUAL;
        c->equal = text + strlen(equal);
        return *c->equal != '\0';
    } else if (takes_number(text, "above", &c->low))
        c->expectation = EXPECT_ABOVE;
    else if (takes_number(text, "below", &c->high))
        c->expectation = EXPECT_BELOW;
    else if (take_range(c, text))
        c->expectation = EXPECT_RANGE;
    else
        return false;
    return true;
}

static enum status check_row(const char *folder, struct published_claim *c, struct failure *f)
{
    char *const *cells = c->cells;
    const bool computed = *cells[CLAIM_ANSWER_OF], measured = *cells[CLAIM_MEASURE],
               other = *cells[CLAIM_PROTOCOL];
    if (!take_source(c))
        return published_claim_refuse(folder, c, CLAIM_SOURCE, "is none of the documents", f);
    if (!*cells[CLAIM_TEXT] || !*cells[CLAIM_PLACE])
        return published_claim_refuse(folder, c, *cells[CLAIM_TEXT] ? CLAIM_PLACE : CLAIM_TEXT,
                                      "must not be empty", f);
    if (!protocol_is_known(cells[CLAIM_PROTOCOL]))
        return published_claim_refuse(folder, c, CLAIM_PROTOCOL, "has an unknown word", f);
    if (!take_expectation(c))
        return published_claim_refuse(folder, c, CLAIM_EXPECTED,
                                      "is not above, below, equal, or from A to B", f);
    if (computed == measured && !other)
        return published_claim_refuse(folder, c, CLAIM_MEASURE,
                                      "and a known answer: a claim has one of the two", f);
    if (measured && !*cells[CLAIM_EXPERIMENTS])
        return published_claim_refuse(folder, c, CLAIM_EXPERIMENTS, "must not be empty", f);
    if (!other && (computed ? c->expectation != EXPECT_EQUAL
                            : c->expectation == EXPECT_NOTHING || c->expectation == EXPECT_EQUAL))
        return published_claim_refuse(folder, c, CLAIM_EXPECTED,
                                      "does not suit: equal for a known answer, a range otherwise",
                                      f);
    return STATUS_OK;
}

enum status published_claims_read(struct published_claims *out, const char *folder,
                                  struct failure *f)
{
    char path[PATH_MAX];
    const int length = snprintf(path, sizeof path, "%s/claims.csv", folder);
    *out = (struct published_claims){0};
    if (length < 0 || (size_t)length >= sizeof path)
        return fail(f, STATUS_USAGE, "%s: this path is too long", folder);
    enum status status = strict_table_read(&out->table, path, claim_columns, f);
    if (status == STATUS_OK) {
        out->all = calloc(out->table.count + 1, sizeof *out->all);
        if (!out->all)
            status = fail(f, STATUS_RESOURCE, "%s: not enough memory", path);
    }
    for (; status == STATUS_OK && out->count < out->table.count; out->count++) {
        struct published_claim *c = &out->all[out->count];
        c->line = out->table.rows[out->count].line;
        c->cells = out->table.rows[out->count].cells;
        status = check_row(folder, c, f);
    }
    if (status != STATUS_OK)
        published_claims_release(out);
    return status;
}

void published_claims_release(struct published_claims *c)
{
    strict_table_release(&c->table);
    free(c->all);
    *c = (struct published_claims){0};
}
