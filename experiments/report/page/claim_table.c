/* The points of a claim as a table. */
#include "experiments/analysis/limit_share.h"
#include "experiments/analysis/numbers.h"
#include "experiments/report/report.h"
#include "experiments/samples/point.h"
#include "harness/base/text/fit.h"
#include "harness/base/text/messages.h"

#include <math.h>
#include <string.h>

enum { CLAIM_CELLS = 8, DEVICE_CELLS = 3, CELLS_MOST = CLAIM_CELLS + DEVICE_CELLS };

static bool is_one_problem(const struct claim *c)
{
    for (size_t i = 1; i < c->count; i++)
        if (!analysis_same_problem(c->rows[0], c->rows[i]))
            return false;
    return true;
}

/* The fastest row. Workers that share cores and SUSPECT points are never the best; NULL: there are
 * no others. */
static const struct point *fastest_row(const struct claim *c)
{
    const struct point *best = NULL;
    for (size_t i = 0; i < c->count; i++)
        if (!c->rows[i]->shares_cores && c->rows[i]->trust < TRUST_SUSPECT &&
            (!best || total_of(c->rows[i]) < total_of(best)))
            best = c->rows[i];
    return best;
}

/* Content of the last column of a claim's table. */
enum last_column {
    LAST_NONE,
    LAST_BEST,
    LAST_WINDOW,
    LAST_IMAGE,
    LAST_ROOF,
    LAST_ONE_WORKER,
    LAST_PUBLISHED
};

static bool is_of_networks(const struct claim *c)
{
    return c->rows[0]->samples->identity.network[0] != '\0';
}

static enum last_column last_of(const struct claim *c)
{
    if (c->against == AGAINST_PUBLISHED)
        return LAST_PUBLISHED;
    if (c->against != AGAINST_EACH_OTHER)
        return c->against == AGAINST_ROOF ? LAST_ROOF : LAST_ONE_WORKER;
    if (is_one_problem(c)) /* a single row is compared with nothing */
        return c->count > 1 && fastest_row(c) ? LAST_BEST : LAST_NONE;
    return is_of_networks(c) ? LAST_IMAGE : LAST_WINDOW;
}

/* Whether a difference from the best is shown; for points without a p-value, every difference
 * counts. */
static bool difference_is_shown(const struct with_best *with)
{
    return isnan(with->p_value) || with->differs;
}

/* Adds the simultaneous interval: " [20 %, 28 %]" to a share, " [12.4, 13.7]" to a ratio. */
static void add_ends(struct number *n, struct number lower, struct number upper,
                     const struct language *l)
{
    const size_t length = strlen(n->text);
    message_format(n->text + length, sizeof n->text - length, l, " [%{lower}, %{upper}]",
                   WITH({"lower", lower.text}, {"upper", upper.text}));
}

static void add_interval(struct number *n, const struct with_best *with, double value,
                         const struct language *l)
{
    const struct interval i = interval_holding(with->interval, value);
    if (isnan(i.lower) || isnan(i.upper))
        return;
    if (difference_is_shown(with) && value >= 1.995)
        add_ends(n, number_within(l, i.lower, value, i), number_within(l, i.upper, value, i), l);
    else if (difference_is_shown(with) && value < 1.0)
        add_ends(n, number_percent(l, 1.0 - i.upper), number_percent(l, 1.0 - i.lower), l);
    else
        add_ends(n, number_percent(l, i.lower - 1.0), number_percent(l, i.upper - 1.0), l);
}

/* Adds " (12 ulps, not 0.8)" if the errors of the two are not similar. */
static void add_errors(struct number *n, const struct point *p, const struct point *best,
                       const struct language *l)
{
    const size_t length = strlen(n->text);
    if (!point_errors_similar(p, best))
        message_format(n->text + length, sizeof n->text - length, l,
                       " (%{ulps} ulps, not %{other})",
                       WITH({"ulps", number_about(l, p->error_ulps).text},
                            {"other", number_about(l, best->error_ulps).text}));
}

/* Whether the best row's time is shown to be shorter than that of all others of the table, of some,
 * or of none. */
enum standing { ABOVE_ALL, ABOVE_SOME, ABOVE_NONE };

static enum standing standing_of_best(const struct with_best *with, const struct claim *c,
                                      const struct point *best)
{
    size_t others = 0, shown = 0;
    for (size_t i = 0; i < c->count; i++) {
        others += c->rows[i] != best;
        shown += c->rows[i] != best && difference_is_shown(&with[i]);
    }
    return shown == others ? ABOVE_ALL : shown > 0 ? ABOVE_SOME : ABOVE_NONE;
}

static const char *standing_words(enum standing standing, const struct language *l)
{
    return standing == ABOVE_ALL    ? message(l, "the best")
           : standing == ABOVE_SOME ? message(l, "among the best")
                                    : message(l, "the reference");
}

/* "the best", "24 % longer [20 %, 28 %]", "13.0 times as long [12.4, 13.7]", "no difference seen
 * [-2.1 %, 7.4 %]": by the ratio within rounds if there is one. */
static struct number against(const struct analysis *a, const struct point *p,
                             const struct point *best, const struct with_best *with,
                             enum standing standing, const struct language *l)
{
    struct number n;
    const struct comparison_of_points c = compare_points(&a->samples, p, best, METRIC_TOTAL);
    if (p == best)
        snprintf(n.text, sizeof n.text, "%s", standing_words(standing, l));
    else if (!difference_is_shown(with))
        snprintf(n.text, sizeof n.text, "%s", message(l, "no difference seen"));
    else if (c.value < 1.0 && p->trust >= TRUST_SUSPECT)
        snprintf(n.text, sizeof n.text, "%s: %s", message_in(l, "row", "left out"),
                 trust_word(p->trust, l));
    else if (c.value < 1.0)
        message_format(n.text, sizeof n.text, l, "%{share} shorter",
                       WITH({"share", number_percent(l, 1.0 - c.value).text}));
    else if (c.value < 1.995)
        message_format(n.text, sizeof n.text, l, "%{share} longer",
                       WITH({"share", number_percent(l, c.value - 1.0).text}));
    else
        message_format(n.text, sizeof n.text, l, "%{times} times as long",
                       WITH({"times", number_within(l, c.value, c.value, with->interval).text}));
    if (p != best && !(difference_is_shown(with) && c.value < 1.0 && p->trust >= TRUST_SUSPECT))
        add_interval(&n, with, c.value, l);
    add_errors(&n, p, best, l);
    return n;
}

/* "1789.84 s", digit for digit; "-" if nothing was published. */
static struct number published_text(const struct claim *c, const struct point *p,
                                    const struct language *l)
{
    static const char unit[] = " s";
    struct number n = {"-"};
    for (size_t i = 0; i < c->count; i++)
        if (c->rows[i] == p && c->published[i])
            text_fit(n.text, sizeof n.text - strlen(unit), c->published[i]);
    number_localize(l, n.text);
    if (n.text[0] != '-')
        text_fit_append(n.text, sizeof n.text, "%s", unit);
    return n;
}

static struct number last_text(const struct analysis *a, const struct claim *c,
                               const struct point *p, const struct with_best *with,
                               enum standing standing, const struct language *l)
{
    const double compute = p->seconds[METRIC_COMPUTE].value;
    const struct speedup *over = &p->speedup[BASELINE_ONE];
    switch (last_of(c)) {
    case LAST_NONE:
        return (struct number){"-"};
    case LAST_ONE_WORKER:
        return number_answer(l, over->value[METRIC_TOTAL], over->interval[METRIC_TOTAL]);
    case LAST_ROOF:
        return number_answer_share(l, point_share(p), point_share_interval(p));
    case LAST_PUBLISHED:
        return published_text(c, p, l);
    case LAST_IMAGE:
        return number_seconds(l, total_of(p) / record_count(record_images(&p->samples->identity)));
    case LAST_WINDOW:
        return number_seconds(l, p->windows > 0.0 ? compute / p->windows : (double)NAN);
    default:
        return against(a, p, fastest_row(c), with, standing, l);
    }
}

/* The header of the last column, and a sentence below the table on the ratio in it; NULL: it is
 * none. */
static const struct {
    const char *header, *below;
} last_words[] = {
    [LAST_NONE] = {N_("compared with the best"), NULL},
    [LAST_BEST] = {N_("compared with the best"),
                   N_("Last column: the row's total time compared with the best row's, as the "
                      "median of the ratios within rounds. It may differ from the quotient of "
                      "the two medians in the table. The intervals in brackets are simultaneous: "
                      "in 95 % of cases, all intervals in all such tables of the page contain "
                      "their true values.")},
    [LAST_WINDOW] = {N_("compute per %{unit}"), NULL},
    [LAST_IMAGE] = {N_("total per image"), NULL},
    [LAST_ROOF] = {N_("of the limit"),
                   N_("Last column: the least time that this machine's bandwidth and "
                      "arithmetic allow, divided by the median compute time.")},
    [LAST_ONE_WORKER] = {N_("times as fast as with one worker (total time)"),
                         N_("Last column: the total time of one worker of the same program divided "
                            "by the row's, as the median of the ratios within rounds.")},
    [LAST_PUBLISHED] = {N_("published"), NULL},
};

/* "compute per window"; per output if the operator's outputs have no name. */
static struct words last_header(const struct claim *c, const struct language *l)
{
    const struct operator_row *kind = c->rows[0]->kind;
    const char *unit = kind && kind->words.unit ? kind->words.unit : N_("output");
    return words_message(l, last_words[last_of(c)].header, WITH({"unit", message(l, unit)}));
}

/* True for a table with points of a GPU by offloads: their block, filter memory and offload tell
 * rows of one kernel apart. */
static bool is_of_offloads(const struct claim *c)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->rows[i]->samples->identity.offload[0])
            return true;
    return false;
}

/* The columns, of which the last may be missing. */
static size_t cells_of(const struct claim *c)
{
    return CLAIM_CELLS + (is_of_offloads(c) ? DEVICE_CELLS : 0) - (last_of(c) == LAST_NONE);
}

/* Inserts the columns of a GPU, if the table has them, before the last two. */
static void insert_device_cells(struct cell cells[CELLS_MOST], const struct claim *c,
                                const struct cell device[DEVICE_CELLS])
{
    enum { AFTER = 2 };
    if (!is_of_offloads(c))
        return;
    memmove(&cells[CELLS_MOST - AFTER], &cells[CLAIM_CELLS - AFTER], AFTER * sizeof *cells);
    memcpy(&cells[CLAIM_CELLS - AFTER], device, DEVICE_CELLS * sizeof *device);
}

static const char *or_dash(const char *text)
{
    return *text ? text : "-";
}

static struct number count_text(int64_t value)
{
    struct number n = {"-"};
    if (value != RECORD_NO_INT)
        snprintf(n.text, sizeof n.text, "%lld", (long long)value);
    return n;
}

/* Side of a square image, or all sides; for a network, its images. */
static struct words size_text(const struct point *p, const struct language *l)
{
    const struct record *r = &p->samples->identity;
    if (r->network[0] || point_is_own_program(r))
        return words_problem(p, l);
    if (p->size > 0.0 && r->planes <= 1)
        return words_text("%lld", (long long)r->rows);
    if (r->planes > 1)
        return words_text("%lld × %lld × %lld", (long long)r->planes, (long long)r->rows,
                          (long long)r->cols);
    return words_text("%lld × %lld", (long long)r->rows, (long long)r->cols);
}

/* Whether the columns of the table show the same of both: the differences are elsewhere. */
static bool looks_like(const struct point *p, const struct point *q, const struct language *l)
{
    const struct record *r = &p->samples->identity, *s = &q->samples->identity;
    return strcmp(r->program, s->program) == 0 && strcmp(r->method, s->method) == 0 &&
           strcmp(r->isa_limit, s->isa_limit) == 0 && r->kernel == s->kernel &&
           r->stride == s->stride && r->block == s->block &&
           strcmp(r->filter_memory, s->filter_memory) == 0 && strcmp(r->offload, s->offload) == 0 &&
           point_shares_product(r) == point_shares_product(s) &&
           strcmp(size_text(p, l).text, size_text(q, l).text) == 0 &&
           strcmp(words_workers(p, l).text, words_workers(q, l).text) == 0;
}

/* "staged", "simd avx2", "staged, product alone"; and what else distinguishes it from a row that
 * would look like it. */
static void put_method(const struct claim *c, const struct point *p, const struct language *l,
                       char *text, size_t size)
{
    const struct record *r = &p->samples->identity;
    const bool alone = point_shares_product(r);
    char more[2 * RECORD_TEXT] = "";
    for (size_t i = 0; i < c->count && !more[0]; i++)
        if (c->rows[i] != p && looks_like(p, c->rows[i], l))
            point_difference(r, &c->rows[i]->samples->identity, more, sizeof more);
    snprintf(text, size, "%s%s%s%s%s%s", r->method, r->isa_limit[0] ? " " : "", r->isa_limit,
             alone ? ", " : "", alone ? message(l, "product alone") : "", more);
}

static void write_claim_row(const struct part *part, const struct analysis *a,
                            const struct point *p, const struct with_best *with,
                            enum standing standing, const struct claim *c)
{
    const struct language *l = part->document.language;
    const struct record *r = &p->samples->identity;
    const struct words size = size_text(p, l), workers = words_workers(p, l),
                       spread = words_spread(p, l);
    const struct number time = number_known_seconds(l, &p->seconds[METRIC_TOTAL]),
                        kernel = count_text(r->kernel), stride = count_text(r->stride),
                        last = last_text(a, c, p, with, standing, l);
    char method[4 * RECORD_TEXT];
    put_method(c, p, l, method, sizeof method);
    struct cell cells[CELLS_MOST] = {
        {r->program, NULL},  {method, NULL},       {size.text, NULL},        {kernel.text, NULL},
        {stride.text, NULL}, {workers.text, NULL}, {time.text, spread.text}, {last.text, NULL},
    };
    const struct number block = count_text(r->block);
    insert_device_cells(cells, c,
                        (const struct cell[DEVICE_CELLS]){{block.text, NULL},
                                                          {or_dash(r->filter_memory), NULL},
                                                          {or_dash(r->offload), NULL}});
    part->format->row(&part->document, cells, cells_of(c),
                      last_of(c) == LAST_BEST && standing == ABOVE_ALL && p == fastest_row(c));
}

/* Below a table: of how many launches its times are medians, and what the last column is. */
static void write_below(const struct part *p, const struct claim *c)
{
    const struct language *l = p->document.language;
    const char *below = c->count > 1 ? last_words[last_of(c)].below : NULL,
               *base = below ? message(l, below) : NULL;
    char text[900], counts[TIME_COUNTS_TEXT];
    struct time_counts of = {0};
    for (size_t i = 0; i < c->count; i++)
        time_counts_add(&of, c->rows[i]);
    time_counts_say(&of, l, counts);
    snprintf(text, sizeof text, "%s%s%s", counts, counts[0] && base ? " " : "", base ? base : "");
    if (text[0])
        p->format->paragraph(&p->document, text);
}

bool report_compares_with_best(const struct claim *c)
{
    return c->count > 1 && last_of(c) == LAST_BEST;
}

/* Compares each row with the best, if the last column shows that. */
static void compare_rows(struct with_best *with, const struct analysis *a, const struct claim *c)
{
    const struct point *best = fastest_row(c);
    size_t at = 0;
    while (at < c->count && c->rows[at] != best)
        at++;
    if (!report_compares_with_best(c) ||
        compare_with_best(with, &a->samples, c->rows, c->count, at, METRIC_TOTAL, a->tables) != 0)
        memset(with, 0, c->count * sizeof *with); /* means: no difference seen */
}

void report_claim_table(const struct part *p, const struct experiment *e, const struct claim *c)
{
    const struct language *l = p->document.language;
    struct with_best with[CLAIM_ROWS];
    if (c->count == 0)
        return;
    compare_rows(with, &e->analysis, c);
    const enum standing standing = standing_of_best(with, c, fastest_row(c));
    const struct words last = last_header(c, l);
    struct cell cells[CELLS_MOST] = {{message(l, "program"), NULL},
                                     {message(l, "method"), NULL},
                                     {is_of_networks(c) ? message(l, "network") : "n", NULL},
                                     {"k", NULL},
                                     {"s", NULL},
                                     {message(l, "workers"), NULL},
                                     {message(l, "total time"), NULL},
                                     {last.text, NULL}};
    insert_device_cells(cells, c,
                        (const struct cell[DEVICE_CELLS]){{message(l, "block"), NULL},
                                                          {message(l, "filter memory"), NULL},
                                                          {message(l, "offload"), NULL}});
    const char *headers[CELLS_MOST];
    for (size_t i = 0; i < CELLS_MOST; i++)
        headers[i] = cells[i].text;
    p->format->table_begin(&p->document, "", headers, cells_of(c));
    for (size_t i = 0; i < c->count; i++)
        write_claim_row(p, &e->analysis, c->rows[i], &with[i], standing, c);
    p->format->table_end(&p->document, cells_of(c));
    write_below(p, c);
}
