#include "experiments/report/reproduction/reproduction_words.h"

#include "experiments/samples/point.h"
#include "harness/base/text/fit.h"
#include "harness/base/text/messages.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Significant digits of a known answer that a claim rests on: 6617665 parameters in full. */
enum { ANSWER_DIGITS = 7 };

const char *published_text(const char *text, const struct language *l)
{
    return *text ? message_in(l, "published", text) : "";
}

const char *source_title(enum published_source source, const struct language *l)
{
    static const char *const titles[SOURCES] = {
        N_("The tesina: convolutional networks and max pooling by HPC techniques (UNAM 2023)"),
        N_("The master's thesis: time evaluation of neural networks on heterogeneous hardware (UCM "
           "2019)"),
        N_("The assignment: CPU against GPU, face recognition with GPUs"),
        N_("The project report: faces, sequential optimisation")};
    return message(l, titles[source]);
}

static void append(struct row_words *w, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void append(struct row_words *w, const char *format, ...)
{
    char added[ROW_TEXT];
    va_list arguments;
    va_start(arguments, format);
    text_fit_arguments(added, sizeof added, format, arguments);
    va_end(arguments);
    text_fit_append(w->text, sizeof w->text, "%s", added);
}

/* Appends a sentence after the others. */
static void append_sentence(struct row_words *w, const char *sentence)
{
    append(w, "%s%s", w->text[0] ? " " : "", sentence);
}

/* ---- published values ------------------------------------------------------------------------ */

/* The columns of a configuration, and the words before their values. */
static const struct {
    enum published_column column;
    const char *word; /* message id */
} parts[] = {{PUBLISHED_N, "n"},
             {PUBLISHED_K, "k"},
             {PUBLISHED_STRIDE, "s"},
             {PUBLISHED_PADDING, "p"},
             {PUBLISHED_BLOCK, N_("block")},
             {PUBLISHED_PROCESSES, N_("processes")},
             {PUBLISHED_CORES, N_("cores")},
             {PUBLISHED_METHOD, N_("method")},
             {PUBLISHED_NETWORK, N_("network")},
             {PUBLISHED_LAYER, N_("layer")},
             {PUBLISHED_TASK, N_("task")},
             {PUBLISHED_BATCH, N_("batch")},
             {PUBLISHED_EPOCHS, N_("epochs")},
             {PUBLISHED_PART, N_("part")},
             {PUBLISHED_STRATEGY, N_("strategy")},
             {PUBLISHED_GPUS, N_("GPUs")},
             {PUBLISHED_IMAGE_SIDE, N_("image side")},
             {PUBLISHED_STRUCTURE, N_("structure")},
             {PUBLISHED_COMPARED_WITH, N_("compared with")}};

static bool is_symbol(const char *word)
{
    return word[0] && !word[1];
}

struct row_words row_quantity(const struct reproduced_row *row, const struct language *l)
{
    struct row_words w = {""};
    char *const *cells = row->published->cells;
    append(
        &w, "%s",
        published_text(cells[row->published->figure ? PUBLISHED_CAPTION : PUBLISHED_QUANTITY], l));
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const char *value = cells[parts[i].column];
        if (*value && is_symbol(parts[i].word))
            append(&w, ", %s = %s", parts[i].word, value);
        else if (*value)
            append(&w, ", %s %s", message(l, parts[i].word), published_text(value, l));
    }
    return w;
}

struct row_words row_published(const struct reproduced_row *row, const struct language *l)
{
    struct row_words w = {""};
    char *const *cells = row->published->cells;
    if (row->published->figure) {
        append(&w, "%s", message(l, "no number printed"));
        return w;
    }
    append(&w, "%s", cells[PUBLISHED_VALUE]);
    if (!isnan(row->published->number))
        number_localize(l, w.text);
    if (*cells[PUBLISHED_UNIT])
        append(&w, " %s", published_text(cells[PUBLISHED_UNIT], l));
    return w;
}

/* ---- ours ------------------------------------------------------------------------------------ */

/* Seconds in a suitable unit. */
static struct number seconds_text(const struct taken *t, const struct language *l)
{
    const struct estimate seconds = estimate_given(t->value, t->interval);
    return number_estimate(l, &seconds);
}

static void append_unit(struct number *n, const char *unit, const struct language *l)
{
    if (*unit)
        text_fit_append(n->text, sizeof n->text, " %s", published_text(unit, l));
}

/* Seconds in a suitable unit; other values in the published unit if it is of the same kind. */
static struct number measured_text(const struct reproduced_row *row, const struct language *l)
{
    const struct taken *t = &row->taken;
    const char *unit = row->published->cells[PUBLISHED_UNIT];
    const enum measure_unit own = measure_unit_of(&row->measure);
    if (own == MEASURE_SECONDS)
        return seconds_text(t, l);
    const bool alike =
        isfinite(row->scale) && (row->compared || row->other_protocol || strcmp(unit, "%") == 0);
    const double scale = alike ? row->scale : own == MEASURE_BYTES ? 1048576.0 : 1.0;
    struct number n =
        number_ratio(l, t->value / scale,
                     (struct interval){t->interval.lower / scale, t->interval.upper / scale});
    if (!alike && own == MEASURE_BYTES)
        append_unit(&n, "MiB", l);
    if (alike && strcmp(unit, "times") != 0)
        append_unit(&n, unit, l);
    return n;
}

/* The decimals of the published value; more if it was truncated and rounding would show a different
 * number: 245.7 for a printed 245. */
static int answer_decimals(const struct reproduced_row *row)
{
    enum { MORE = 4 };
    const char *printed = row->published->cells[PUBLISHED_VALUE];
    const int decimals = (int)row->published->decimals;
    for (int more = 0; answer_matches(&row->answer, row->published) && more <= MORE; more++) {
        const struct number n = number_text("%.*f", decimals + more, row->answer.number);
        if (strncmp(n.text, printed, strlen(printed)) == 0)
            return decimals + more;
    }
    return decimals;
}

/* The known answer with its unit. */
static struct number answer_text(const struct reproduced_row *row, const struct language *l)
{
    if (row->answer.text[0])
        return number_text("%s", row->answer.text);
    struct number n = number_in(l, "%.*f", answer_decimals(row), row->answer.number);
    append_unit(&n, row->published->cells[PUBLISHED_UNIT], l);
    return n;
}

struct row_words row_ours(const struct reproduced_row *row, const struct language *l)
{
    static const char *const without[REPRODUCED_STATES] = {
        "", "", N_("a fact of the document"), N_("not measured here"), N_("not measured here")};
    struct row_words w = {""};
    if (row->state == REPRODUCED_ANSWER)
        append(&w, "%s", answer_text(row, l).text);
    else if (row->state != REPRODUCED_MEASURED)
        append(&w, "%s", message(l, without[row->state]));
    else if (row->taken.finding[0])
        append(&w, "%s", row->taken.finding);
    else
        append(&w, "%s", measured_text(row, l).text);
    return w;
}

const char *row_status(const struct reproduced_row *row, const struct language *l)
{
    if (row->state == REPRODUCED_MEASURED)
        return row->taken.trusted ? trust_word(row->taken.trust, l) : "";
    if (row->state != REPRODUCED_ANSWER)
        return "";
    return answer_matches(&row->answer, row->published) ? message(l, "known answer")
                                                        : message(l, "differs");
}

struct row_words row_trust(const struct reproduced_row *row, const struct language *l)
{
    struct row_words w = {""};
    const struct point *p = row->state == REPRODUCED_MEASURED ? row->taken.point : NULL;
    const size_t launches = p ? p->seconds[METRIC_TOTAL].launches : 0;
    append(&w, "%s", row_names_status(row, l) ? "" : row_status(row, l));
    if (launches) {
        char count[60];
        message_fill(count, sizeof count,
                     message_plural(l, "%{n} launch", "%{n} launches", launches),
                     WITH({"n", number_of(launches).text}));
        append(&w, "%s%s", w.text[0] ? ", " : "", count);
    }
    return w;
}

bool row_names_status(const struct reproduced_row *row, const struct language *l)
{
    const char *status = row_status(row, l);
    return *status && row->taken.finding[0] && strstr(row->taken.finding, status);
}

const char *text_without_word(const char *sentence, const char *word)
{
    const size_t length = strlen(word);
    return length && strncmp(sentence, word, length) == 0 &&
                   strncmp(sentence + length, ": ", 2) == 0
               ? sentence + length + 2
               : sentence;
}

struct row_words row_ratio(const struct reproduced_row *row, const struct language *l)
{
    struct row_words w = {""};
    if (isfinite(row->ratio))
        append(&w, "%s", number_ratio(l, row->ratio, row->interval).text);
    return w;
}

/* ---- protocols ------------------------------------------------------------------------------ */

/* What is not the same, in the order of protocol_words. */
static const char *const differences[] = {N_("other data"),
                                          N_("another split"),
                                          N_("other preprocessing"),
                                          N_("another initialisation"),
                                          N_("another stopping rule"),
                                          N_("another unit"),
                                          N_("another network"),
                                          N_("another language"),
                                          N_("another machine"),
                                          N_("sizes that are not in the text")};

static struct row_words protocol_text(const char *intro, const char *protocol,
                                      const struct language *l)
{
    struct row_words w = {""};
    while (*protocol) {
        const size_t length = strcspn(protocol, " ");
        for (size_t i = 0; protocol_words[i]; i++)
            if (strlen(protocol_words[i]) == length &&
                strncmp(protocol_words[i], protocol, length) == 0)
                append(&w, "%s%s", w.text[0] ? ", " : intro, message(l, differences[i]));
        protocol += length + (protocol[length] == ' ');
    }
    append(&w, "%s", w.text[0] ? "." : "");
    return w;
}

/* ---- sentences ------------------------------------------------------------------------------- */

static const char *own_sentence(const struct counterpart *c, const struct language *l)
{
    const char *sentence = c->cells[COUNTERPART_SENTENCE];
    return *sentence ? message_in(l, "counterpart", sentence) : "";
}

/* How to measure what was not. */
static void describe_unmeasured(struct row_words *w, const char *experiments, bool needs_device,
                                const struct language *l)
{
    char name[80], text[400];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(experiments, " "), experiments);
    message_format(
        text, sizeof text, l,
        needs_device ? N_("It needs a GPU; there, 'study run --thesis %{experiment}' measures it.")
                     : N_("'study run --thesis %{experiment}' measures it."),
        WITH({"experiment", name}));
    append(w, "%s%s", w->text[0] && w->text[strlen(w->text) - 1] != ' ' ? " " : "", text);
}

/* Why a row that could be measured was not, and how to measure it. */
static void describe_missing(struct row_words *w, const struct reproduced_row *row,
                             bool device_said, const struct language *l)
{
    if (row->taken.why[0])
        append(w, "%s: %s. ", message(l, "No finding yet"), row->taken.why);
    describe_unmeasured(w, row->counterpart->cells[COUNTERPART_EXPERIMENTS],
                        measure_needs_device(&row->measure) && !device_said, l);
}

/* Adds the published number itself, if the programs compute it besides the measurement. */
static void describe_answer(struct row_words *w, const struct reproduced_row *row,
                            const struct language *l)
{
    char text[200];
    if (isnan(row->answer.number) && !row->answer.text[0])
        return;
    message_format(text, sizeof text, l, "The programs compute %{value}.",
                   WITH({"value", answer_text(row, l).text}));
    append_sentence(w, text);
}

/* Adds the time that was measured beside an answer. */
static void describe_time(struct row_words *w, const struct reproduced_row *row,
                          const struct language *l)
{
    char text[200];
    message_format(text, sizeof text, l, "It takes %{time} here.",
                   WITH({"time", measured_text(row, l).text}));
    append_sentence(w, text);
}

enum { LABEL_TEXT = 400 };

/* The label of a point; of one that is cut in the analysis, all of it. */
static void whole_label(const struct point *p, char label[LABEL_TEXT])
{
    static const char *const cut = "...";
    const size_t length = p ? strlen(p->label) : 0;
    snprintf(label, LABEL_TEXT, "%s", p ? p->label : "");
    if (length > strlen(cut) && strcmp(p->label + length - strlen(cut), cut) == 0)
        point_label(&p->samples->identity, label, LABEL_TEXT);
}

/* "maxpool_serial literal 4x4 k=2": the point that gave our value. */
static void describe_point(struct row_words *w, const struct reproduced_row *row,
                           const struct language *l)
{
    char text[LABEL_TEXT + 200], label[LABEL_TEXT];
    whole_label(row->taken.point, label);
    message_format(text, sizeof text, l,
                   *label ? N_("Experiment %{experiment}: %{point}.")
                          : N_("Experiment %{experiment}."),
                   WITH({"experiment", row->experiment->name}, {"point", label}));
    append_sentence(w, text);
}

struct row_words row_remark(const struct reproduced_row *row, bool device_said,
                            const struct language *l)
{
    struct row_words w = {""};
    append(&w, "%s", row->taken.sentence);
    if (*own_sentence(row->counterpart, l))
        append_sentence(&w, own_sentence(row->counterpart, l));
    if (row->state != REPRODUCED_ANSWER)
        describe_answer(&w, row, l);
    if (row->state == REPRODUCED_ANSWER && row->experiment)
        describe_time(&w, row, l);
    if (row->experiment)
        describe_point(&w, row, l);
    if (row->state == REPRODUCED_MISSING) {
        append(&w, "%s", w.text[0] ? " " : "");
        describe_missing(&w, row, device_said, l);
    }
    if (row->state == REPRODUCED_MEASURED && row->other_protocol)
        append(&w, "%s%s", w.text[0] ? " " : "",
               protocol_text(message(l, "No ratio: "),
                             row->counterpart->cells[COUNTERPART_PROTOCOL], l)
                   .text);
    return w;
}

struct row_words row_note(const struct reproduced_row *row, const struct language *l)
{
    struct row_words w = {""};
    const char *note = row->published->cells[PUBLISHED_NOTE];
    if (*note)
        append(&w, "%s: %s.", message(l, "Note on the document"), published_text(note, l));
    return w;
}

struct row_words row_sentence(const struct reproduced_row *row, const struct language *l)
{
    struct row_words w = row_remark(row, false, l);
    const struct row_words note = row_note(row, l);
    append(&w, "%s%s", w.text[0] && note.text[0] ? " " : "", note.text);
    return w;
}

/* ---- summary --------------------------------------------------------------------------------- */

static size_t sum_of(const size_t counts[REPRODUCED_STATES])
{
    size_t sum = 0;
    for (int i = 0; i < REPRODUCED_STATES; i++)
        sum += counts[i];
    return sum;
}

static struct number count_of(size_t count)
{
    return number_of(count);
}

struct row_words reproduction_summary(const struct reproduction *r, const struct language *l)
{
    struct row_words w = {""};
    const struct reproduced_counts c = reproduction_counts(r);
    const size_t *n = c.numbers, *g = c.figures;
    message_format(
        w.text, sizeof w.text, l,
        "Published numbers: %{numbers}. Results compared with ours here: %{results}; settings that "
        "were run here: %{settings}; recomputed without a clock: %{recomputed}; none of these: "
        "%{neither} (facts about the documents: %{facts}; results of another protocol or SUSPECT, "
        "shown without a ratio: %{other}; not measurable here: %{absent}; not measured: "
        "%{missing}). "
        "Figures without printed numbers: %{figures}; with an answer here: %{shown}.",
        WITH({"numbers", count_of(sum_of(n)).text},
             {"results", count_of(c.natures[NATURE_RESULT]).text},
             {"settings", count_of(c.natures[NATURE_CONFIGURATION]).text},
             {"recomputed", count_of(c.natures[NATURE_RECOMPUTED]).text},
             {"neither", count_of(c.natures[NATURE_NEITHER]).text},
             {"facts", count_of(n[REPRODUCED_FACT]).text},
             {"other", count_of(c.other_protocol).text},
             {"absent", count_of(n[REPRODUCED_ABSENT]).text},
             {"missing", count_of(n[REPRODUCED_MISSING]).text},
             {"figures", count_of(sum_of(g)).text},
             {"shown", count_of(g[REPRODUCED_MEASURED] + g[REPRODUCED_ANSWER]).text}));
    return w;
}

/* "total time, structure ...: published 1789.84 s, here 0.13 s" */
static void describe_deviation(struct row_words *w, const struct reproduced_row *row,
                               const struct language *l)
{
    char text[2000];
    message_format(text, sizeof text, l,
                   "%{item}, %{quantity}: published %{published}, here %{ours}",
                   WITH({"item", published_text(row->published->cells[PUBLISHED_ITEM], l)},
                        {"quantity", row_quantity(row, l).text}, {"ours", row_ours(row, l).text},
                        {"published", row_published(row, l).text}));
    append(w, "%s", text);
}

struct row_words reproduction_deviations(const struct reproduction *r, const struct language *l)
{
    enum { NAMED_MOST = 3 };
    struct row_words w = {""};
    const struct reproduced_row *row = NULL, *last = NULL;
    for (size_t named = 0; named < NAMED_MOST && (row = reproduction_deviating(r, row));) {
        if (last && row->counterpart == last->counterpart)
            continue; /* the same measurement compared with another number */
        append(&w, "%s ", named++ ? ";" : message(l, "Farthest from what was published:"));
        describe_deviation(&w, row, l);
        last = row;
    }
    if (w.text[0])
        append(&w, ".");
    return w;
}

/* ---- claims --------------------------------------------------------------------------------- */

const char *claim_text(const char *text, const struct language *l)
{
    return *text ? message_in(l, "claim", text) : "";
}

struct row_words claim_ours(const struct claim_row *j, const struct language *l)
{
    struct row_words w = {""};
    const struct taken *t = &j->taken;
    if (j->answer.text[0])
        append(&w, "%s", j->answer.text);
    else if (isfinite(j->answer.number))
        append(&w, "%s", number_in(l, "%.*g", ANSWER_DIGITS, j->answer.number).text);
    else if (!t->found)
        append(&w, "%s", message(l, "not measured here"));
    else if (t->finding[0])
        append(&w, "%s", t->finding);
    else if (measure_unit_of(&j->measure) == MEASURE_SECONDS)
        append(&w, "%s", seconds_text(t, l).text);
    else
        append(&w, "%s", number_answer(l, t->value, t->interval).text);
    return w;
}

/* "A value above 1 agrees." */
static void describe_expectation(struct row_words *w, const struct published_claim *c,
                                 const struct language *l)
{
    static const char *const ids[] = {[EXPECT_NOTHING] = "",
                                      [EXPECT_RANGE] = N_("A value from %{low} to %{high} agrees."),
                                      [EXPECT_ABOVE] = N_("A value above %{low} agrees."),
                                      [EXPECT_BELOW] = N_("A value below %{high} agrees."),
                                      [EXPECT_EQUAL] = N_("Published: %{equal}.")};
    char text[200];
    const char *id = ids[c->expectation];
    if (!*id)
        return;
    message_format(text, sizeof text, l, id,
                   WITH({"low", number_in(l, "%g", c->low).text},
                        {"high", number_in(l, "%g", c->high).text},
                        {"equal", number_printed(l, c->equal).text}));
    append(w, "%s", text);
}

/* Whether a verdict fails because the value has no interval. */
static bool lacks_interval(const struct claim_row *j)
{
    return j->verdict == VERDICT_UNDECIDED && isfinite(j->taken.value) &&
           isnan(j->taken.interval.lower);
}

struct row_words claim_basis(const struct claim_row *j, const struct language *l)
{
    struct row_words w = {""};
    char *const *cells = j->claim->cells;
    char text[500];
    if (*cells[CLAIM_PROTOCOL])
        append(&w, "%s", protocol_text(message(l, "Reason: "), cells[CLAIM_PROTOCOL], l).text);
    else
        describe_expectation(&w, j->claim, l);
    if (*cells[CLAIM_SENTENCE])
        append(&w, " %s", claim_text(cells[CLAIM_SENTENCE], l));
    if (j->experiment) {
        message_format(
            text, sizeof text, l,
            j->taken.trusted ? N_("Experiment %{experiment}, %{trust}.")
                             : N_("Experiment %{experiment}."),
            WITH({"experiment", j->experiment->name}, {"trust", trust_word(j->taken.trust, l)}));
        append(&w, " %s", text);
        if (lacks_interval(j))
            append(&w, " %s", message(l, "Too few launches for an interval."));
    } else if (*cells[CLAIM_MEASURE])
        describe_unmeasured(&w, cells[CLAIM_EXPERIMENTS], false, l); /* the verdict says of a GPU */
    return w;
}

struct row_words claims_summary(const struct reproduction *r, const struct language *l)
{
    struct row_words w = {""};
    size_t of[VERDICTS] = {0}, all = 0;
    for (int i = 0; i < SOURCES; i++)
        for (int j = 0; r->shown[i] && j < VERDICTS; j++) {
            of[j] += r->verdicts.of[i][j];
            all += r->verdicts.of[i][j];
        }
    message_format(w.text, sizeof w.text, l,
                   "Verdicts on claims (%{claims}) by what was measured or computed here: agrees "
                   "%{agrees}, disagrees %{disagrees}, undecided %{undecided}, not comparable "
                   "%{other}, needs a GPU %{gpu}.",
                   WITH({"claims", count_of(all).text},
                        {"agrees", count_of(of[VERDICT_AGREES]).text},
                        {"disagrees", count_of(of[VERDICT_DISAGREES]).text},
                        {"undecided", count_of(of[VERDICT_UNDECIDED]).text},
                        {"other", count_of(of[VERDICT_NOT_COMPARABLE]).text},
                        {"gpu", count_of(of[VERDICT_NEEDS_GPU]).text}));
    return w;
}
