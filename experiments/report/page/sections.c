/* The sections of the pages. Each asks a question, answers it in one sentence, shows one chart and
 * a few points, and folds the rest. */
#include "experiments/report/charts/plots.h"
#include "experiments/report/page/first_figure.h"
#include "harness/base/suite_files.h"
#include "harness/base/text/messages.h"
#include "harness/base/text/wording.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct section {
    const char *key; /* named by definitions; "": experiments that name none */
    enum report_page page;
    const char *title, *question; /* message ids */
};

static const struct section sections[] = {
    {"problem", PAGE_KERNEL, N_("The problem and its images"),
     N_("What is computed, and how long does a real image take?")},
    {"ideas", PAGE_KERNEL, N_("What each optimization gains"),
     N_("What does each optimization gain, from the tesina's algorithm to what the machine "
        "allows?")},
    {"growth", PAGE_KERNEL, N_("Growth"),
     N_("How does the time grow with the image and the window?")},
    {"workers", PAGE_KERNEL, N_("Workers"),
     N_("What do more threads and processes bring, and what do they cost?")},
    {"limits", PAGE_KERNEL, N_("Limits of the machine"),
     N_("How close do the methods come to what memory and arithmetic allow?")},
    {"libraries", PAGE_KERNEL, N_("Other libraries"),
     N_("Are these methods as fast as those of well-known libraries?")},
    {"gpu", PAGE_KERNEL, N_("GPU"), N_("What does a GPU bring, and where does its time go?")},
    {"prediction", PAGE_KERNEL, N_("Prediction"),
     N_("What would be gained by more ranks than this machine has?")},
    {"", PAGE_KERNEL, N_("Further experiments"), N_("What else was measured?")},
    {"convolution", PAGE_OPERATORS, N_("Convolution"),
     N_("What does each optimization gain in a convolution, and how do libraries compare?")},
    {"product", PAGE_OPERATORS, N_("Matrix product"),
     N_("How does the time of a matrix product grow, and how do libraries compare?")},
    {"distances", PAGE_OPERATORS, N_("Distances"),
     N_("How long do all distances between points take?")},
    {"networks", PAGE_NETWORKS, N_("Networks"),
     N_("Where does the time of a whole network go, and which device and batch are best?")},
    {"training", PAGE_TRAINING, N_("Networks: training"),
     N_("How fast does a network learn, how long does a step take, and what do ranks cost?")},
};
enum { SECTIONS = sizeof sections / sizeof *sections, FIRST_ANSWERS = 5 };

/* The anchor of the section without a key. */
static const char further[] = "further";

/* ---- the experiments of a section, in the order of their charts ------------------------------ */

static const char *section_of(const struct experiment *e)
{
    return e->defined ? e->definition.section : "";
}

static size_t place_of(const struct experiment *e)
{
    const struct chart_kind *kind =
        experiment_chart_count(e) ? chart_kind_find(experiment_chart(e, 0)) : NULL;
    return kind ? (size_t)(kind - chart_kinds) : chart_kind_count;
}

static int by_place(const void *a, const void *b)
{
    const struct experiment *const *p = a, *const *q = b;
    const size_t x = place_of(*p), y = place_of(*q);
    return x != y ? (x > y) - (x < y) : strcmp((*p)->name, (*q)->name);
}

struct members {
    const struct experiment **all; /* owned */
    size_t count;
};

static struct members find_members(const struct report_data *s, const struct section *section)
{
    struct members m = {calloc(s->count + 1, sizeof *m.all), 0};
    for (size_t i = 0; m.all && i < s->count; i++)
        if (strcmp(section_of(&s->experiments[i]), section->key) == 0)
            m.all[m.count++] = &s->experiments[i];
    if (m.count > 1)
        qsort(m.all, m.count, sizeof *m.all, by_place);
    return m;
}

const struct experiment **report_order(const struct report_data *s)
{
    const struct experiment **order = calloc(s->count + 1, sizeof *order);
    size_t count = 0;
    for (size_t i = 0; order && i < SECTIONS; i++) {
        const struct members m = find_members(s, &sections[i]);
        for (size_t j = 0; j < m.count; j++)
            order[count++] = m.all[j];
        free(m.all);
    }
    return order;
}

/* ---- the leading chart of a section ---------------------------------------------------------- */

struct lead {
    const struct experiment *experiment;
    const char *chart; /* NULL: no answer */
    struct claim claim;
};

static const struct first_figure nothing_above = {NULL, NULL};

/* Returns the first chart that has an answer, was drawn, and is not the figure at the top;
 * otherwise the first that has an answer and is not that figure; otherwise that figure; otherwise
 * the first one, with the reason why it has none. */
static struct lead find_lead(const struct part *p, const struct members *m,
                             const struct first_figure *above)
{
    struct lead lead = {0};
    bool better = false; /* than the figure at the top */
    for (size_t i = 0; i < m->count; i++)
        for (size_t j = 0; j < experiment_chart_count(m->all[i]); j++) {
            const struct experiment *e = m->all[i];
            const char *chart = experiment_chart(e, j);
            struct claim c;
            report_data_claim(p->data, e, chart, p->document.language, &c);
            const bool shown = e == above->experiment && strcmp(chart, above->chart) == 0;
            if (c.has_answer && !shown && report_has_chart(p, e, chart))
                return (struct lead){e, chart, c};
            if (!lead.experiment || (c.has_answer && (!lead.chart || (!better && !shown)))) {
                lead = (struct lead){e, c.has_answer ? chart : NULL, c};
                better = c.has_answer && !shown;
            }
        }
    return lead;
}

static bool is_above(const struct lead *lead, const struct first_figure *above)
{
    return lead->experiment == above->experiment && strcmp(lead->chart, above->chart) == 0;
}

/* ---- images ---------------------------------------------------------------------------------- */

static void show_picture(const struct part *p, const char *path, const char *caption)
{
    if (p->format->picture && access(path, R_OK) == 0)
        p->format->picture(&p->document, path, caption);
}

/* Shows what is computed, on a brain: the image and its feature map, as this study made it or as
 * the suite keeps it. */
static void write_pictures(const struct part *p)
{
    const struct language *l = p->document.language;
    char pooled[PATH_MAX], kept[PATH_MAX];
    snprintf(pooled, sizeof pooled, "%s/brain_pooled.png", p->document.folder);
    show_picture(p, suite_share(kept, "pictures/brain.png"),
                 message(l, "A slice of a brain, 217 × 181 pixels"));
    show_picture(
        p, access(pooled, R_OK) == 0 ? pooled : suite_share(kept, "pictures/brain_pooled.png"),
        message(l, "The same after max pooling with 4 × 4 windows, 54 × 45"));
}

/* ---- a section ------------------------------------------------------------------------------- */

static void write_lead(const struct part *p, const struct lead *lead)
{
    struct part shown = *p;
    if (first_figure_is(p, lead->experiment, lead->chart))
        first_figure_link(p);
    else
        report_finding(p, lead->experiment, lead->chart, &lead->claim,
                       lead->claim.answer[0] != '\0');
    shown.document.place = lead->experiment->name;
    report_claim_table(&shown, lead->experiment, &lead->claim);
}

static void write_section(const struct part *p, const struct section *section,
                          const struct members *m, const struct lead *lead)
{
    const struct language *l = p->document.language;
    p->format->section_begin(&p->document, message(l, section->title));
    p->format->question(&p->document, message(l, section->question));
    if (strcmp(section->key, "problem") == 0)
        write_pictures(p);
    write_lead(p, lead);
    for (size_t i = 0; i < m->count; i++)
        report_experiment(p, m->all[i], m->all[i] == lead->experiment ? lead->chart : NULL);
    format_part(p->format->section_end, &p->document);
}

/* Writes why a section has no answer, and its experiments. */
static void write_unanswered(const struct part *p, const struct section *section,
                             const struct members *m, const struct lead *lead)
{
    const struct language *l = p->document.language;
    char text[2 * CLAIM_TITLE];
    snprintf(text, sizeof text, "%s: %s.", message(l, section->title), lead->claim.why);
    p->format->paragraph(&p->document, text);
    for (size_t i = 0; i < m->count && p->format->everything; i++)
        report_experiment(p, m->all[i], NULL);
}

static void write_item(const struct part *p, const struct section *section, const struct members *m,
                       const struct lead *lead)
{
    (void)m;
    (void)lead;
    p->format->contents_item(&p->document, p->document.place,
                             message(p->document.language, section->title));
}

typedef void section_writer(const struct part *p, const struct section *section,
                            const struct members *m, const struct lead *lead);

/* Calls `write` for each section of a page, PAGES: of all, that has experiments and, depending on
 * `answered`, an answer or none. */
static void each_section(const struct part *part, enum report_page page, bool answered,
                         section_writer *write)
{
    const struct first_figure above = first_figure_find(part->data);
    for (size_t i = 0; i < SECTIONS; i++) {
        struct part p = *part;
        if (page != PAGES && page != sections[i].page)
            continue;
        const struct members m = find_members(p.data, &sections[i]);
        const struct lead lead = find_lead(&p, &m, &above);
        p.document.place = sections[i].key[0] ? sections[i].key : further;
        if (m.count > 0 && (lead.chart != NULL) == answered)
            write(&p, &sections[i], &m, &lead);
        free(m.all);
    }
}

/* Writes the answer of a section in a few words, with a link to it where there are pages. */
static void write_answer_of(const struct part *p, const struct section *section,
                            const struct claim *claim)
{
    char link[120], text[CLAIM_TITLE + 2], whole[2 * CLAIM_TITLE];
    const char *title = message(p->document.language, section->title);
    snprintf(text, sizeof text, "%s.", claim->title);
    snprintf(whole, sizeof whole, "%s: %s", title, text);
    snprintf(link, sizeof link, "%s#%s", report_page_file(section->page),
             section->key[0] ? section->key : further);
    if (p->format->item_of)
        p->format->item_of(&p->document, link, title, text);
    else
        p->format->item(&p->document, whole);
}

/* What readers ask first stands first. */
static size_t find_order(const struct section *order[SECTIONS])
{
    static const char *const first[] = {"ideas", "growth", "limits", "libraries"};
    enum { FIRST = sizeof first / sizeof *first };
    size_t count = 0;
    for (size_t i = 0; i < FIRST; i++)
        for (size_t j = 0; j < SECTIONS; j++)
            if (strcmp(sections[j].key, first[i]) == 0)
                order[count++] = &sections[j];
    for (size_t j = 0; j < SECTIONS; j++) {
        size_t i = 0;
        while (i < FIRST && order[i] != &sections[j])
            i++;
        if (i == FIRST)
            order[count++] = &sections[j];
    }
    return count;
}

void report_headlines(const struct part *p)
{
    const struct section *order[SECTIONS];
    const size_t count = find_order(order);
    const struct first_figure above = first_figure_find(p->data);
    const size_t most = above.experiment ? FIRST_ANSWERS - 1 : FIRST_ANSWERS;
    size_t shown = 0;
    for (size_t i = 0; i < count && shown < most; i++) {
        const struct members m = find_members(p->data, order[i]);
        const struct lead lead = find_lead(p, &m, &above);
        if (lead.chart && lead.claim.title[0] && !is_above(&lead, &above)) {
            if (shown++ == 0)
                p->format->list_begin(&p->document, "");
            write_answer_of(p, order[i], &lead.claim);
        }
        free(m.all);
    }
    if (shown)
        format_part(p->format->list_end, &p->document);
}

void report_sections(const struct part *p, enum report_page page)
{
    each_section(p, page, true, write_section);
}

void report_pages_find(const struct report_data *s, const struct reproduction *r,
                       const struct language *l, bool found[PAGES])
{
    const struct part p = {.document = {.folder = s->folder, .language = l}, .data = s};
    for (size_t i = 0; i < PAGES; i++)
        found[i] = i == PAGE_FIRST || i == PAGE_METHOD || (i == PAGE_REPRODUCTION && r);
    for (size_t i = 0; i < SECTIONS; i++) {
        const struct members m = find_members(s, &sections[i]);
        if (m.count > 0 && !found[sections[i].page])
            found[sections[i].page] = find_lead(&p, &m, &nothing_above).chart != NULL;
        free(m.all);
    }
}

static void write_missing(const struct part *p, const struct missing *m)
{
    const struct language *l = p->document.language;
    char count[32], status[64], why[2 * sizeof m->reason];
    snprintf(count, sizeof count, "%zu", m->count);
    wording_translate(l, "reason", m->status, status, sizeof status);
    wording_translate(l, "reason", m->reason, why, sizeof why);
    const struct cell cells[] = {{m->experiments, NULL},
                                 {m->first, NULL},
                                 {count, NULL},
                                 {status, NULL},
                                 {why, m->varies ? message(l, "(and similar reasons)") : NULL}};
    p->format->row(&p->document, cells, sizeof cells / sizeof *cells, false);
}

void report_not_measured(const struct part *part)
{
    const struct language *l = part->document.language;
    struct part p = *part;
    const struct report_data *s = p.data;
    p.document.place = "missing";
    p.format->section_begin(&p.document, message(l, "What was not measured"));
    each_section(&p, PAGES, false, write_unanswered);
    report_gaps(&p, "");
    if (s->missing_count == 0) {
        p.format->paragraph(&p.document, message(l, "Every planned point was measured."));
    } else {
        const char *const headers[] = {message(l, "experiments"), message(l, "the first one"),
                                       message(l, "launches"), message(l, "state"),
                                       message(l, "why")};
        p.format->table_begin(&p.document, "", headers, sizeof headers / sizeof *headers);
        for (size_t i = 0; i < s->missing_count; i++)
            write_missing(&p, &s->missing[i]);
        p.format->table_end(&p.document, sizeof headers / sizeof *headers);
    }
    format_part(p.format->section_end, &p.document);
}

void report_section_items(const struct part *p, enum report_page page)
{
    each_section(p, page, true, write_item);
}

size_t report_leads(const struct report_data *s, const struct language *l, struct section_lead *out,
                    size_t capacity)
{
    const struct part p = {.document = {.folder = s->folder, .language = l}, .data = s};
    size_t count = 0;
    for (size_t i = 0; i < SECTIONS && count < capacity; i++) {
        const struct members m = find_members(s, &sections[i]);
        const struct lead lead = find_lead(&p, &m, &nothing_above);
        if (lead.chart && lead.claim.count > 0)
            out[count++] = (struct section_lead){
                sections[i].key[0] ? sections[i].key : further, message(l, sections[i].title),
                message(l, sections[i].question), lead.experiment, lead.claim};
        free(m.all);
    }
    return count;
}

/* Length of the first sentence with its full stop: the page has the others. */
static int first_sentence(const char *answer)
{
    const char *end = strstr(answer, ". ");
    return (int)(end ? (size_t)(end - answer) + 1 : strlen(answer));
}

static bool print_answer(const char *title, const struct claim *c, FILE *stream)
{
    if (c->answer[0])
        fprintf(stream, "%s: %.*s\n", title, first_sentence(c->answer), c->answer);
    return c->answer[0];
}

/* The speedup comes first, as on the page, then the sections in the order of its answers. */
void report_findings(const struct report_data *s, const struct language *l, size_t most,
                     FILE *stream)
{
    const struct part p = {.document = {.folder = s->folder, .language = l}, .data = s};
    const struct first_figure first = first_figure_find(s);
    const struct section *order[SECTIONS];
    const size_t count = find_order(order);
    size_t shown = 0;
    struct claim speedup;
    if (first.experiment) {
        report_data_claim(s, first.experiment, first.chart, l, &speedup);
        shown += print_answer(message(l, "Speedup"), &speedup, stream);
    }
    for (size_t i = 0; i < count && shown < most; i++) {
        const struct members m = find_members(s, order[i]);
        const struct lead lead = find_lead(&p, &m, &first);
        if (lead.chart && !is_above(&lead, &first))
            shown += print_answer(message(l, order[i]->title), &lead.claim, stream);
        free(m.all);
    }
}

const char *report_section_key(size_t section)
{
    return section < SECTIONS ? sections[section].key : NULL;
}

const char *report_section_title(size_t section, const struct language *l)
{
    return message(l, sections[section].title);
}
