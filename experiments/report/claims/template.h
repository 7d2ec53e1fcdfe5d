/* Sentences as templates over the rows of a selection.
 *
 * A template holds message ids with places for the selection's roles: %{small} is the label of the
 * row `small`, or, without a label, its problem; %{small.x} its x; %{small.y} its value with the
 * interval. template.c lists the others. A sentence is said if the finding is its own and the
 * selection has a row for its role and each of its places: one template has all that may be said.
 */
#ifndef MAXPOOL_CLAIMS_TEMPLATE_H
#define MAXPOOL_CLAIMS_TEMPLATE_H

#include "experiments/analysis/selections/selection.h"
#include "experiments/report/claims/claim.h"

struct sentence {
    const struct sentence *all; /* instead, those of a list that ends at one without an id */
    const char *id;
    const char *finding; /* NULL: any */
    const char *role;    /* that it is about, besides its places; NULL: none. "each ROLE": it is
                            said for every row with that role */
};

/* clang-format off */
/* NOLINTBEGIN(bugprone-macro-parentheses): the texts are literals, which are joined */
/* A sentence; one of that finding; one about that role; one for each row with that role. */
#define SAY(text) {.id = text}
#define SAY_IF(of_finding, text) {.id = text, .finding = of_finding}
#define SAY_OF(of_role, text) {.id = text, .role = of_role}
#define SAY_EACH(of_role, text) {.id = text, .role = "each " of_role}
/* NOLINTEND(bugprone-macro-parentheses) */
/* clang-format on */

enum { TEMPLATE_TITLES = 14, TEMPLATE_SENTENCES = 19, TEMPLATE_PLAIN = 16, TEMPLATE_CAUSES = 1 };

struct template
{
    struct sentence title[TEMPLATE_TITLES];     /* the first that fits */
    struct sentence answer[TEMPLATE_SENTENCES]; /* all that fit, in this order */
    struct sentence plain[TEMPLATE_PLAIN];      /* likewise */
    struct sentence because[TEMPLATE_CAUSES];   /* likewise, joined to plain: claims.h */
    enum claim_against against;
    bool of_table; /* its times are those of the table: the chart draws no point */
};

/* The text of an id with its places filled; "" if the selection lacks a role of it. */
struct words template_text(const char *id, const struct selection *s, const struct language *l);

/* Makes a claim of the selection: its title, its sentences and its table, or why there is none. */
void template_say(const struct template *t, const struct selection *s, const struct language *l,
                  struct claim *c);

#endif
