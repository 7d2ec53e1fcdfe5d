#include "experiments/report/claims/template.h"

#include "experiments/analysis/numbers.h"

#include <ctype.h>
#include <inttypes.h>
#include <stddef.h>
#include <string.h>

/* ---- values of places ------------------------------------------------------------------------ */

static bool is_seconds(const struct selection_row *row)
{
    return row->quantity == QUANTITY_TOTAL || row->quantity == QUANTITY_COMPUTE ||
           row->quantity == QUANTITY_IMAGE;
}

static struct words label_of(const struct selection_row *row, const struct language *l)
{
    return row->label[0] || !row->of.point ? words_text("%s", row->label)
                                           : words_problem(row->of.point, l);
}

static struct words x_of(const struct selection_row *row, const struct language *l)
{
    (void)l;
    return words_text("%.10g", row->x);
}

/* The value with its interval, or only the ends of a wide one. */
static struct words answer_of(const struct selection_row *row, const struct language *l)
{
    const struct estimate e = {.value = row->y, .interval = row->ends};
    if (is_seconds(row))
        return words_text("%s", number_answer_seconds(l, &e).text);
    return words_text("%s", number_answer(l, row->y, row->ends).text);
}

static struct words side_of(const struct selection_row *row, const struct language *l)
{
    const struct record *r = row->of.point ? &row->of.point->samples->identity : NULL;
    (void)l;
    return words_text("%s", r ? number_text("%" PRId64 " × %" PRId64, r->rows, r->cols).text : "");
}

/* "about 48 %", "between 42 and 70 %" */
static struct words portion_of(const struct selection_row *row, const struct language *l)
{
    const struct interval percent = {100.0 * row->ends.lower, 100.0 * row->ends.upper};
    return words_text("%s %%", number_roughly(l, 100.0 * row->y, percent).text);
}

static struct words plain_of(const struct selection_row *row, const struct language *l)
{
    if (is_seconds(row))
        return words_text("%s", number_seconds(l, row->y).text);
    return words_text("%s", number_plain(l, row->y).text);
}

static struct words whole_of(const struct selection_row *row, const struct language *l)
{
    (void)l;
    return words_text("%.0f", row->y);
}

static struct words about_of(const struct selection_row *row, const struct language *l)
{
    return words_text("%s", is_seconds(row) ? number_about_seconds(l, row->y).text
                                            : number_about(l, row->y).text);
}

static struct words roughly_of(const struct selection_row *row, const struct language *l)
{
    return words_text("%s", is_seconds(row) ? number_roughly_seconds(l, row->y, row->ends).text
                                            : number_roughly(l, row->y, row->ends).text);
}

static struct words method_text(const struct selection_row *row, const struct language *l)
{
    (void)l;
    return words_text("%s", row->of.point ? method_of(row->of.point) : "");
}

static struct words workers_of(const struct selection_row *row, const struct language *l)
{
    return row->of.point ? words_workers(row->of.point, l) : words_text("%s", "");
}

static struct words way_of(const struct selection_row *row, const struct language *l)
{
    (void)l;
    return row->of.point ? words_method(row->of.point) : words_text("%s", "");
}

static struct words capital_of(const struct selection_row *row, const struct language *l)
{
    struct words w = label_of(row, l);
    w.text[0] = (char)toupper((unsigned char)w.text[0]);
    return w;
}

/* The doubt about the graver of the two points. */
static struct words doubt_of(const struct selection_row *row, const struct language *l)
{
    const struct point *p = row->of.point, *q = row->against.point;
    if (!p)
        return words_text("%s", "");
    return words_doubt(q && q->trust > p->trust ? q : p, l);
}

/* What may follow a role's name in a place: a text of its row; of its value and interval; a number
 * of its row as a share; or a text of its point's record. */
static const struct slot {
    const char *name;
    struct words (*text)(const struct selection_row *row, const struct language *l);
    struct number (*number)(const struct language *l, double value, struct interval interval);
    size_t share; /* offset of a number in the row, in percent */
    size_t field;
} slots[] = {
    {.name = "", .text = label_of},           /* its label, or the problem of its point */
    {.name = ".capital", .text = capital_of}, /* the same, as a sentence begins */
    {.name = ".x", .text = x_of},             /* digits */
    {.name = ".y", .text = answer_of},        /* "19.2 [18.7, 19.8]", "12.1 to 20.8" */
    {.name = ".percent", .number = number_answer_share}, /* "19 %", with the interval as .y */
    {.name = ".share", .share = offsetof(struct selection_row, y)}, /* "19 %" */
    {.name = ".bounds", .number = number_brief_share},              /* "19 %", "17 to 21 %" */
    {.name = ".lower",
     .share = offsetof(struct selection_row, ends.lower)}, /* the ends of a share */
    {.name = ".upper", .share = offsetof(struct selection_row, ends.upper)},
    {.name = ".portion", .text = portion_of},          /* "about 19 %", "between 17 and 21 %" */
    {.name = ".decimals", .number = number_justified}, /* "0.19 [0.18, 0.21]", justified decimals */
    {.name = ".bound", .number = number_bound},        /* the same, "at least 19" or "none" */
    {.name = ".ratio", .number = number_ratio},        /* "19.2 [18.7, 19.8]" at any width */
    {.name = ".brief", .number = number_brief},        /* "19.2", "17.9 to 20.8" */
    {.name = ".plain", .text = plain_of},              /* "19.2" */
    {.name = ".whole", .text = whole_of},              /* "19", to the unit */
    {.name = ".about", .text = about_of},              /* "19" */
    {.name = ".roughly", .text = roughly_of}, /* "about 19", "between 17 and 21"; of a time with
                                                 its unit */
    {.name = ".isa", .field = offsetof(struct record, isa_limit)},
    {.name = ".operator", .field = offsetof(struct record, operator_name)},
    {.name = ".network", .field = offsetof(struct record, network)},
    {.name = ".method", .text = method_text}, /* of its point, as those below */
    {.name = ".way", .text = way_of},         /* "fused scatter" */
    {.name = ".side", .text = side_of},       /* "224 × 224" */
    {.name = ".workers", .text = workers_of}, /* "2 threads" */
    {.name = ".doubt", .text = doubt_of},     /* " (SUSPECT)" or nothing */
};

static struct words slot_text(const struct slot *slot, const struct selection_row *row,
                              const struct language *l)
{
    if (slot->text)
        return slot->text(row, l);
    if (slot->number)
        return words_text("%s", slot->number(l, row->y, row->ends).text);
    if (slot->share)
        return words_text(
            "%s", number_percent(l, *(const double *)((const char *)row + slot->share)).text);
    const struct point *p = row->of.point;
    return words_text("%s", p ? (const char *)&p->samples->identity + slot->field : "");
}

/* ---- sentences ------------------------------------------------------------------------------- */

enum { PLACES = 24, PLACE_NAME = 48 };

/* The places of a text, filled. */
struct filled {
    char names[PLACES][PLACE_NAME];
    struct words texts[PLACES];
    struct argument arguments[PLACES + 1];
    size_t count;
};

/* Fills the place with that name, from `each` if it has its role; false if the selection has no
 * such role. */
static bool fill_place(struct filled *all, const char *name, size_t length,
                       const struct selection *s, const struct selection_row *each,
                       const struct language *l)
{
    char *copy = all->names[all->count], role[PLACE_NAME];
    snprintf(copy, PLACE_NAME, "%.*s", (int)length, name);
    snprintf(role, sizeof role, "%.*s", (int)strcspn(copy, "."), copy);
    const struct selection_row *row =
        each && selection_row_is(each, role) ? each : selection_find(s, role);
    for (size_t i = 0; row && i < sizeof slots / sizeof *slots; i++)
        if (strcmp(copy + strlen(role), slots[i].name) == 0) {
            all->texts[all->count] = slot_text(&slots[i], row, l);
            all->arguments[all->count] = (struct argument){copy, all->texts[all->count].text};
            all->count++;
            return true;
        }
    return false;
}

/* Fills all places of a pattern; false if a role is missing. */
static bool fill_places(struct filled *all, const char *pattern, const struct selection *s,
                        const struct selection_row *each, const struct language *l)
{
    all->count = 0;
    for (const char *at = pattern; (at = strstr(at, "%{")) && all->count < PLACES;) {
        at += 2;
        if (!fill_place(all, at, strcspn(at, "}"), s, each, l))
            return false;
    }
    all->arguments[all->count] = (struct argument){NULL, NULL};
    return true;
}

struct words template_text(const char *id, const struct selection *s, const struct language *l)
{
    struct filled all;
    struct words w = {""};
    if (fill_places(&all, message(l, id), s, NULL, l))
        message_fill(w.text, sizeof w.text, message(l, id), all.arguments);
    return w;
}

/* Adds a sentence to a text; false if a role is missing. */
static bool add(const char *id, const struct selection *s, const struct selection_row *each,
                const struct language *l, char *text, size_t size)
{
    struct filled all;
    const size_t used = strlen(text);
    if (!fill_places(&all, message(l, id), s, each, l))
        return false;
    message_fill(text + used, size - used, message(l, id), all.arguments);
    if (used == 0 && text[0] == ' ') /* it may follow others, but is the first */
        memmove(text, text + 1, strlen(text));
    return true;
}

/* Adds a sentence to a text if it is to be said; returns whether it is. */
static bool say(const struct sentence *sentence, const struct selection *s,
                const struct language *l, char *text, size_t size)
{
    static const char every[] = "each ";
    const bool fits =
        !sentence->finding || (s->finding && strcmp(s->finding, sentence->finding) == 0);
    const bool repeats = sentence->role && strncmp(sentence->role, every, strlen(every)) == 0;
    bool said = false;
    if (!fits || (sentence->role && !repeats && !selection_find(s, sentence->role)))
        return false;
    if (!repeats)
        return add(sentence->id, s, NULL, l, text, size);
    for (size_t i = 0; i < s->count; i++)
        if (selection_row_is(&s->rows[i], sentence->role + strlen(every)))
            said = add(sentence->id, s, &s->rows[i], l, text, size) || said;
    return said;
}

/* Adds the sentences of a list, of `most` at most, that are to be said; returns whether any is. */
static bool say_all(const struct sentence *of, size_t most, const struct selection *s,
                    const struct language *l, char *text, size_t size)
{
    bool said = false;
    for (size_t i = 0; i < most && (of[i].id || of[i].all); i++)
        said = (of[i].all ? say_all(of[i].all, SIZE_MAX, s, l, text, size)
                          : say(&of[i], s, l, text, size)) ||
               said;
    return said;
}

void template_say(const struct template *t, const struct selection *s, const struct language *l,
                  struct claim *c)
{
    if (s->lack || s->lacks_memory) {
        claim_refuse(c, l, s->lack ? s->lack : N_("not enough memory"));
        return;
    }
    c->against = t->against;
    c->doubtful = s->doubtful;
    c->no_interval = s->no_interval;
    for (size_t i = 0; i < TEMPLATE_TITLES && t->title[i].id; i++)
        if (say(&t->title[i], s, l, c->title, sizeof c->title))
            break;
    c->has_answer = say_all(t->answer, TEMPLATE_SENTENCES, s, l, c->answer, sizeof c->answer);
    say_all(t->plain, TEMPLATE_PLAIN, s, l, c->plain, sizeof c->plain);
    say_all(t->because, TEMPLATE_CAUSES, s, l, c->because, sizeof c->because);
    for (size_t i = 0; i < s->listed_count; i++) {
        c->published[c->count] = s->published[i];
        evidence_add(c->rows, &c->count, CLAIM_ROWS, s->listed[i]);
    }
}
