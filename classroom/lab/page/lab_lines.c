#include "classroom/lab/page/lab_lines.h"

#include "classroom/lab/guard/protection.h"
#include "experiments/analysis/numbers.h"
#include "experiments/common/short_paths.h"
#include "harness/base/text/fit.h"
#include "harness/base/text/messages.h"
#include "harness/base/text/wording.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Adds a line; the caller fills in its text. Without space left, it replaces the last line. */
static struct lab_line *line(struct lab_lines *t, enum lab_part part, const char *label)
{
    struct lab_line *l = &t->lines[t->count < LAB_LINES ? t->count++ : LAB_LINES - 1];
    *l = (struct lab_line){.part = part};
    snprintf(l->label, sizeof l->label, "%s", label);
    return l;
}

static void say(struct lab_lines *t, enum lab_part part, const char *label, const char *text)
{
    snprintf(line(t, part, label)->text, sizeof t->lines->text, "%s", text);
}

/* Adds a line below a heading. */
static struct lab_line *line_below(struct lab_lines *t, enum lab_part part, const char *label)
{
    struct lab_line *l = line(t, part, label);
    l->below = true;
    return l;
}

static void fill(struct lab_line *l, const char *pattern, const struct argument *arguments)
{
    message_fill(l->text, sizeof l->text, pattern, arguments);
}

/* ---- what it is ------------------------------------------------------------------------------ */

/* Writes "2048 x 2048, kernel size 2, stride 2, padding 0". */
static void put_sizes(char *text, size_t size, const struct lab_report *r, const struct language *l)
{
    struct operation op = r->timing.input.operation;
    const struct image_shape image = image_planes(&op);
    const struct parameters *p = &op.parameters;
    size_t used = 0;
    if (image.planes > 1)
        used = message_format(text, size, l, "%{planes} planes of %{rows} x %{columns}",
                              WITH({"planes", number_text("%lld", (long long)image.planes).text},
                                   {"rows", number_text("%lld", (long long)image.rows).text},
                                   {"columns", number_text("%lld", (long long)image.cols).text}));
    else
        used = (size_t)snprintf(text, size, "%lld x %lld", (long long)image.rows,
                                (long long)image.cols);
    if (op.kind->parameters[0] == NULL || used >= size)
        return;
    used += (size_t)snprintf(text + used, size - used, ", ");
    if (op.kind->image_channels)
        used += message_format(text + used, size - used, l, "%{filters} filters, ",
                               WITH({"filters", number_text("%lld", (long long)p->filters).text}));
    message_format(text + used, size - used, l,
                   "kernel size %{kernel}, stride %{stride}, padding %{padding}",
                   WITH({"kernel", number_text("%lld", (long long)p->kernel).text},
                        {"stride", number_text("%lld", (long long)p->stride).text},
                        {"padding", number_text("%lld", (long long)p->padding).text}));
}

static void describe_subject(struct lab_lines *t, const struct lab_report *r)
{
    const struct language *l = t->language;
    char file[201], sizes[256] = "", threads[64];
    text_fit(file, sizeof file, r->file);
    if (r->timed)
        put_sizes(sizes, sizeof sizes, r, l);
    message_fill(threads, sizeof threads,
                 message_plural(l, "%{n} thread", "%{n} threads", (unsigned long)r->threads),
                 WITH({"n", number_text("%lld", (long long)r->threads).text}));
    snprintf(t->subject, sizeof t->subject, "%s: %s%s%s, %s", file, r->kind->name,
             sizes[0] ? ", " : "", sizes, threads);
}

static void describe_how(struct lab_lines *t, const struct lab_report *r)
{
    const struct language *l = t->language;
    char shapes[64];
    if (r->build.command[0]) {
        struct lab_line *compiled = line(t, LAB_LINE_HOW, message(l, "compiled by"));
        char command[sizeof r->build.command];
        snprintf(command, sizeof command, "%s", r->build.command);
        short_paths(command, r->build.file);
        text_fit(compiled->text, sizeof compiled->text, command);
    }
    message_fill(shapes, sizeof shapes,
                 message_plural(l, "%{n} edge shape", "%{n} edge shapes", r->checks.shapes),
                 WITH({"n", number_text("%zu", r->checks.shapes).text}));
    struct lab_line *checked = line(t, LAB_LINE_HOW, message(l, "checked on"));
    if (r->build.checked[0])
        fill(checked,
             message(l, "%{shapes}, every output; with address and undefined-behaviour sanitizers"),
             WITH({"shapes", shapes}));
    else
        fill(checked, message(l, "%{shapes}, every output; without sanitizers: %{why}"),
             WITH({"shapes", shapes}, {"why", message(l, r->build.unchecked)}));
    for (size_t i = 0; i < LAB_PROTECTIONS; i++)
        if (!(r->checks.protection & lab_protections[i].bit))
            fill(line(t, LAB_LINE_HOW, message(l, "note")),
                 message(l, "not protected against %{what}"),
                 WITH({"what", message(l, lab_protections[i].against)}));
}

/* ---- is it correct --------------------------------------------------------------------------- */

static void describe_failure(struct lab_lines *t, const struct lab_report *r)
{
    const struct language *l = t->language;
    char cause[sizeof r->trial->cause];
    wording_translate(l, "reason", r->trial->cause, cause, sizeof cause);
    fill(line(t, LAB_LINE_VERDICT, message(l, "verdict")),
         message(l, "NOT CORRECT (%{word}): %{cause}"),
         WITH({"word", lab_verdict_word(r->verdict)}, {"cause", cause}));
    if (r->timed)
        put_sizes(line(t, LAB_LINE_VERDICT, message(l, "shape"))->text, sizeof t->lines->text, r,
                  l);
    else if (r->checks.shape[0])
        say(t, LAB_LINE_VERDICT, message(l, "shape"), r->checks.shape);
    if (r->trial->source_line[0])
        say(t, LAB_LINE_VERDICT, message(l, "source line"), r->trial->source_line);
}

static void describe_correct(struct lab_lines *t, const struct lab_report *r)
{
    const struct language *l = t->language;
    if (!r->timed)
        say(t, LAB_LINE_VERDICT, message(l, "verdict"), message(l, "CORRECT"));
    else
        fill(line(t, LAB_LINE_VERDICT, message(l, "verdict")),
             message(l, "CORRECT, in each of %{n} samples too"),
             WITH({"n", number_text("%zu", r->timing.rounds).text}));
}

/* ---- how fast is it -------------------------------------------------------------------------- */

void lab_interval_text(char *text, size_t size, const char *lower, const char *upper,
                       const struct language *l)
{
    message_format(text, size, l, "[%{lower}, %{upper}]", WITH({"lower", lower}, {"upper", upper}));
}

static struct number interval_text(const struct language *l, const struct summary *s)
{
    char interval[80];
    lab_interval_text(interval, sizeof interval, number_seconds(l, s->lower).text,
                      number_seconds(l, s->upper).text, l);
    return number_text("%s %s", number_seconds(l, s->median).text, interval);
}

/* Writes "1.8 times as fast [1.7, 1.9]", or that no difference was seen. */
static void times_text(char *text, size_t size, const struct summary *ratio,
                       const struct language *l)
{
    const struct interval i = {ratio->lower, ratio->upper};
    const struct number lower = number_within(l, ratio->lower, ratio->median, i),
                        upper = number_within(l, ratio->upper, ratio->median, i),
                        median = number_within(l, ratio->median, ratio->median, i);
    const char *pattern =
        ratio->lower <= 1.0 && ratio->upper >= 1.0
            ? message(l, "no difference seen (%{lower} to %{upper} times as fast)")
            : message(l, "%{times} times as fast [%{lower}, %{upper}]");
    message_fill(text, size, pattern,
                 WITH({"lower", lower.text}, {"upper", upper.text}, {"times", median.text}));
}

static void describe_hand_over(struct lab_lines *t, const struct lab_report *r)
{
    const struct language *l = t->language;
    const double share = r->timing.echo_s / r->timing.candidates[0].time.median;
    struct lab_line *to = line(t, LAB_LINE_TIME, message(l, "handing over"));
    const char *remark = "";
    if (share > lab_hand_over_most)
        remark = message(l, ": a larger --size measures the kernel alone");
    else if (r->grown)
        remark = message(l, "; n was doubled until it is below 1 %");
    fill(to, message(l, "%{seconds}, %{share} of it%{remark}"),
         WITH({"seconds", number_seconds(l, r->timing.echo_s).text},
              {"share", number_percent(l, share).text}, {"remark", remark}));
}

static void describe_time(struct lab_lines *t, const struct lab_report *r)
{
    const struct language *l = t->language;
    const struct summary *time = &r->timing.candidates[0].time;
    const double limit = r->limit.roof.seconds;
    const struct bounded share = lab_share_of_limit(r);
    const struct interval between = {share.lower, share.upper};
    fill(line(t, LAB_LINE_TIME, message(l, "time")),
         message(l, "%{time}, median and 95 % interval"),
         WITH({"time", interval_text(l, time).text}));
    describe_hand_over(t, r);
    if (!(limit > 0.0))
        return;
    fill(line(t, LAB_LINE_TIME, message(l, "machine limit")),
         r->limit.measured_now
             ? message(l, "%{limit}: yours reaches %{share} (measured just now; 'study roofline' "
                          "measures it closely)")
             : message(l, "%{limit}: yours reaches %{share}"),
         WITH({"limit", number_seconds(l, limit).text},
              {"share", number_answer_share(l, share.value, between).text}));
}

/* True if the time of the best of our methods is seen to be shorter than all others': their
 * intervals are disjoint. */
static bool is_best_alone(const struct lab_timing *timing)
{
    size_t longer = 1;
    for (size_t i = 1; i < timing->count; i++)
        longer += i != timing->best && timing->candidates[i].time.lower > timing->best_time.upper;
    return longer + 1 == timing->count;
}

/* Describes a method of ours: its role, its time, and how the kernel compares with it. */
static void describe_method(struct lab_lines *t, const struct lab_timing *timing, size_t i)
{
    const struct language *l = t->language;
    const struct lab_candidate *r = &timing->candidates[i];
    char times[160];
    struct lab_line *to = line_below(t, LAB_LINE_METHODS, r->name);
    const char *standing = i == timing->best && is_best_alone(timing) ? message(l, " (best)")
                           : i == timing->next                        ? message(l, " (next step)")
                                                                      : "";
    strncat(to->label, standing, sizeof to->label - strlen(to->label) - 1);
    const struct summary *time = i == timing->best ? &timing->best_time : &r->time,
                         *ratio = i == timing->best ? &timing->best_ratio : &r->ratio;
    times_text(times, sizeof times, ratio, l);
    fill(to, message(l, "%{time}; yours: %{times}"),
         WITH({"time", interval_text(l, time).text}, {"times", times}));
}

static void describe_methods(struct lab_lines *t, const struct lab_report *r)
{
    const struct language *l = t->language;
    if (r->timing.count > 1)
        say(t, LAB_LINE_METHODS, message(l, "compared with"),
            message(l, "(each sample on a fresh image, interleaved)"));
    for (size_t i = 1; i < r->timing.count; i++)
        describe_method(t, &r->timing, i);
}

/* ---- what the compiler did ------------------------------------------------------------------- */

/* Lists the loops of the file, only the last SHOWN if there are more. */
static void describe_loops(struct lab_lines *t, const struct lab_loops *loops)
{
    enum { SHOWN = 8 };
    const struct language *l = t->language;
    const size_t first = loops->count > SHOWN ? loops->count - SHOWN : 0;
    char label[64];
    if (loops->count > 0)
        say(t, LAB_LINE_INSIDE, message(l, "the compiler"), message(l, "by source line of loops"));
    for (size_t i = first; i < loops->count; i++) {
        const struct lab_loop *loop = &loops->items[i];
        message_format(label, sizeof label, l, "line %{line}",
                       WITH({"line", number_text("%d", loop->line).text}));
        struct lab_line *to = line_below(t, LAB_LINE_INSIDE, label);
        if (loop->bytes > 0)
            fill(to, message(l, "vectorized: %{n} elements at a time"),
                 WITH({"n", number_text("%d", loop->bytes / (int)sizeof(float)).text}));
        else
            fill(to, message(l, "not vectorized: %{why}"), WITH({"why", loop->why}));
    }
}

/* ---- what next ------------------------------------------------------------------------------- */

static void describe_next(struct lab_lines *t, const struct lab_report *r)
{
    const struct language *l = t->language;
    const struct lab_timing *timing = &r->timing;
    const struct lab_candidate *next = &timing->candidates[timing->next];
    if (timing->count < 2)
        return;
    struct lab_line *to = line(t, LAB_LINE_NEXT, message(l, "what next"));
    if (lab_is_at_memory_limit(&r->limit.roof, lab_share_of_limit(r).value))
        snprintf(to->text, sizeof to->text, "%s",
                 message(l, "its time is near that of its memory traffic: fewer operations would "
                            "hardly make it faster"));
    else if (timing->next == 0 && timing->best > 0 && timing->best_ratio.upper < 1.0)
        fill(to,
             message(l, "it follows the ideas of the ladder already, and %{method} follows them in "
                        "less time: compare the sources"),
             WITH({"method", timing->candidates[timing->best].name}));
    else if (timing->next == 0)
        snprintf(to->text, sizeof to->text, "%s",
                 message(l, "none of the methods compared is faster"));
    else
        snprintf(to->text, sizeof to->text, "%s: %s", next->name,
                 next->idea ? message_in(l, "method", next->idea)
                            : message(l, "another library's method"));
    say(t, LAB_LINE_NEXT, "", r->kind->foreign->page);
}

/* Says what other programs did while the kernel was timed, if that is known. */
static void describe_load(struct lab_lines *t, const struct lab_report *r)
{
    const struct language *l = t->language;
    const struct other_load *load = &r->timing.load;
    if (!isfinite(load->cores))
        return;
    fill(line(t, LAB_LINE_HOW, message(l, "other load")),
         lab_was_disturbed(r)
             ? message(l, "other programs kept %{busy} of %{all} hardware threads busy: measure "
                          "again once they have ended")
             : message(l, "other programs kept %{busy} of %{all} hardware threads busy"),
         WITH({"busy", number_in(l, "%.2f", load->cores).text},
              {"all", number_text("%lld", (long long)load->hardware_threads).text}));
}

/* Adds what the verdict was not protected against. */
static void describe_grade_protection(struct lab_line *to, const struct lab_report *r,
                                      const struct language *l)
{
    char lacking[600];
    const size_t used = strlen(to->text);
    lab_protection_sentence(l, ~r->checks.protection & ((1 << LAB_PROTECTIONS) - 1), lacking,
                            sizeof lacking);
    if (lacking[0])
        snprintf(to->text + used, sizeof to->text - used, "; %s", lacking);
}

/* Writes "8 of 10 points"; if undecided, the least and the most points; if disturbed, none. */
static void describe_grade(struct lab_lines *t, const struct lab_report *r)
{
    const struct language *l = t->language;
    const struct lab_grade *g = &r->grade;
    struct lab_line *to = line(t, LAB_LINE_GRADE, message(l, "grade"));
    if (g->disturbed) {
        snprintf(to->text, sizeof to->text, "%s",
                 message(l, "none, measure again: other programs were running"));
        return;
    }
    fill(to,
         g->decided ? message(l, "%{points} of %{most} points")
                    : message(l, "UNDECIDED: %{points} or %{perhaps} of %{most} points"),
         WITH({"points", number_in(l, "%g", g->points).text},
              {"perhaps", number_in(l, "%g", g->perhaps).text},
              {"most", number_in(l, "%g", g->most).text}));
    const size_t used = strlen(to->text);
    const struct interval i = {g->lower, g->upper};
    if (r->verdict == LAB_CORRECT)
        message_format(to->text + used, sizeof to->text - used, l,
                       "; it takes %{ratio} [%{lower}, %{upper}] times as long as %{method}",
                       WITH({"ratio", number_within(l, g->ratio, g->ratio, i).text},
                            {"lower", number_within(l, g->lower, g->ratio, i).text},
                            {"upper", number_within(l, g->upper, g->ratio, i).text},
                            {"method", r->rubric->method}));
    describe_grade_protection(to, r, l);
}

void lab_lines_make(struct lab_lines *t, const struct lab_report *r, const struct language *l)
{
    *t = (struct lab_lines){.language = l};
    describe_subject(t, r);
    describe_how(t, r);
    if (r->verdict != LAB_CORRECT) {
        describe_failure(t, r);
    } else {
        describe_correct(t, r);
        if (r->timed && r->sweep == LAB_POINT) {
            describe_time(t, r);
            describe_load(t, r);
            describe_methods(t, r);
            describe_loops(t, &r->build.loops);
            describe_next(t, r);
        }
    }
    if (r->rubric)
        describe_grade(t, r);
}
