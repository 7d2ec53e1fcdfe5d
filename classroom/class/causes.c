/* Why a row is doubtful, in the language of a page. */
#include "classroom/class/class.h"

#include "classroom/class/audit.h"
#include "harness/base/text/messages.h"
#include "harness/base/text/word_list.h"
#include "harness/base/text/wording.h"
#include "harness/base/utf8.h"

#include <string.h>

const char class_starter[] = N_("the starter as it was handed out"),
           class_disturbed[] = N_("measured while other programs were running: measure it again");

const char *class_differs(const struct submission *s, const struct lab_rubric *r)
{
    const int64_t asked[] = {r->size, r->threads, r->kernel, r->stride, r->padding, r->planes};
    const int64_t was[] = {s->size, s->threads, s->kernel, s->stride, s->padding, s->planes};
    if (strcmp(r->operator_name, s->operator_name) != 0)
        return N_("another operator than the rubric's");
    if (!s->correct)
        return NULL;
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
        if (asked[i] > 0 && asked[i] != was[i])
            return N_("measured with other sizes than the rubric's");
    return submission_find(s, r->method) == 0 ? N_("not compared with the rubric's method") : NULL;
}

static bool is_too_fast(const struct submission *s)
{
    return submission_share(s) > 1.0 && !s->limit_measured_now;
}

/* Adds a cause after a semicolon. */
static void add(char *text, size_t size, const char *cause)
{
    word_list_add(text, size, "; ", cause);
    utf8_clean_foreign(text, false);
}

enum class_doubt class_weigh(const struct class_row *row, const struct lab_rubric *rubric,
                             const struct texts *faults)
{
    const struct submission *s = &row->submission;
    if (submission_was_disturbed(s))
        return CLASS_DISTURBED;
    if (rubric && class_differs(s, rubric))
        return CLASS_OTHER;
    if (is_too_fast(s))
        return CLASS_TOO_FAST;
    return faults->count > 0 ? CLASS_ALTERED : row->doubt;
}

void class_write_causes(const struct class_row *row, const struct lab_rubric *rubric,
                        const struct texts *faults, const struct language *l, char *text,
                        size_t size)
{
    const struct submission *s = &row->submission;
    const char *other = rubric ? class_differs(s, rubric) : NULL;
    text[0] = '\0';
    if (submission_was_disturbed(s))
        add(text, size, message(l, class_disturbed));
    if (row->starter)
        add(text, size, message(l, class_starter));
    if (other)
        add(text, size, message(l, other));
    if (is_too_fast(s))
        add(text, size, message(l, N_("faster than its machine's limit")));
    for (size_t i = 0; i < faults->count; i++)
        add(text, size, faults->items[i]);
}

void class_explain(const struct class *c, const struct class_row *row, const struct language *l,
                   char *text, size_t size)
{
    struct texts faults = {.count = 0};
    struct failure ignored = {0}; /* no memory: the row was examined before, and has its English */
    if (row->doubt == CLASS_FINE)
        text[0] = '\0';
    else if (row->doubt == CLASS_UNREADABLE)
        wording_translate(l, "reason", row->why, text, size);
    else if (c->passes > 0 || row->doubt <= CLASS_SAME ||
             audit_check(&row->submission, l, &faults, &ignored) != STATUS_OK)
        snprintf(text, size, "%s", message(l, row->why));
    else
        class_write_causes(row, c->rubric, &faults, l, text, size);
    texts_release(&faults);
}
