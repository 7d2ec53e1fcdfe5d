/* The student's page: a single file with a light and a dark style that fits on a phone. */
#include "classroom/lab/page/lab_lines.h"
#include "experiments/common/folder_files.h"

#include "experiments/analysis/numbers.h"
#include "experiments/common/output.h"
#include "experiments/report/page/page_style.h"
#include "experiments/report/report.h"
#include "harness/base/text/messages.h"
#include "harness/machine/machine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char own_style[] =
    "main{margin:0 auto;padding-top:1rem;max-width:46rem}"
    "h1{overflow-wrap:anywhere}.verdict{font-weight:700;font-size:1.1rem;padding:.5rem .8rem;"
    "border-radius:.4rem;color:#fff;background:var(--PRECISE)}.verdict.no{background:var(--INVALID)"
    "}"
    "dl{display:grid;grid-template-columns:minmax(6.5rem,max-content) 1fr;gap:.25rem .9rem;"
    "margin:.6rem 0}dt{margin:0;color:var(--soft);font-weight:600}dd{margin:0;min-width:0;"
    "overflow-wrap:anywhere}pre{background:var(--box);border-radius:.4rem;padding:.6rem .8rem;"
    "overflow-x:auto;font-size:.8rem;line-height:1.45;margin:.5rem 0}"
    "pre mark{display:inline-block;min-width:100%;background:var(--line);color:inherit}"
    "@media(max-width:30rem){dl{display:block}dd{margin-bottom:.5rem}}"
    "svg{display:block;width:100%;height:auto;fill:var(--ink);font:11px system-ui,sans-serif}"
    "svg .soft{fill:var(--soft)}svg .grid{stroke:var(--line)}svg .roof{stroke:var(--INVALID);"
    "stroke-dasharray:3 3}svg .our{stroke:var(--soft);stroke-width:3}"
    "svg .your{stroke:var(--accent);stroke-width:5}";

/* ---- elements -------------------------------------------------------------------------------- */

static void put(FILE *out, const char *text)
{
    const struct document d = {.stream = out};
    report_html.text(&d, text);
}

static void put_element(FILE *out, const char *open, const char *text, const char *close)
{
    fputs(open, out);
    put(out, text);
    fputs(close, out);
}

static void put_head(FILE *out, const struct lab_report *r, const struct lab_lines *t)
{
    fprintf(out,
            "<!doctype html>\n<html lang=\"%s\">\n<head>\n<meta charset=\"utf-8\">\n"
            "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
            "<link rel=\"icon\" href=\"data:,\">\n<title>",
            t->language->code);
    put(out, file_name(r->file));
    fprintf(out, "</title>\n<style>%s%s</style>\n</head>\n<body>\n<main>\n", page_style, own_style);
    put_element(out, "<h1>", file_name(r->file), "</h1>\n");
    const char *description = t->subject + strlen(r->file);
    put_element(out, "<p class=\"caption\">", description + strspn(description, ": "), "</p>\n");
}

/* Writes a card: what it shows, the figure, and a remark. */
static void put_card(FILE *out, const char *what, const char *figure, const char *remark)
{
    put_element(out, "<div class=\"card\"><span>", what, "</span>");
    put_element(out, "<b>", figure, "</b>");
    put_element(out, "<small>", remark, "</small></div>\n");
}

static void put_cards(FILE *out, const struct lab_report *r, const struct language *l)
{
    char text[160];
    const struct lab_timing *timing = &r->timing;
    const struct summary *time = &timing->candidates[0].time;
    const struct bounded share = lab_share_of_limit(r);
    const struct interval between = {share.lower, share.upper};
    fputs("<div class=\"cards\">\n", out);
    lab_interval_text(text, sizeof text, number_seconds(l, time->lower).text,
                      number_seconds(l, time->upper).text, l);
    put_card(out, message(l, "time"), number_seconds(l, time->median).text, text);
    if (r->limit.roof.seconds > 0.0)
        put_card(out, message(l, "share of this machine's limit"),
                 number_answer_share(l, share.value, between).text,
                 number_seconds(l, r->limit.roof.seconds).text);
    if (timing->literal > 0) {
        char what[120];
        const struct summary *ratio = &timing->candidates[timing->literal].ratio;
        message_format(what, sizeof what, l, "times as fast as %{method}",
                       WITH({"method", timing->candidates[timing->literal].name}));
        lab_interval_text(text, sizeof text, number_plain(l, ratio->lower).text,
                          number_plain(l, ratio->upper).text, l);
        put_card(out, what, number_plain(l, ratio->median).text, text);
    }
    fputs("</div>\n", out);
}

/* ---- the drawing ----------------------------------------------------------------------------- */

enum { WIDE = 360, LEFT = 108, RIGHT = 12, ROW = 24, TOP = 22 };

struct axis {
    double low, high; /* seconds; the axis is logarithmic */
};

static double x_of(const struct axis *a, double seconds)
{
    return LEFT + (WIDE - LEFT - RIGHT) * log(seconds / a->low) / log(a->high / a->low);
}

static struct axis axis_of(const struct lab_report *r)
{
    const double limit = r->limit.roof.seconds;
    struct axis a = {limit > 0.0 ? limit : (double)INFINITY, 0.0};
    for (size_t i = 0; i < r->timing.count; i++) {
        a.low = fmin(a.low, r->timing.candidates[i].time.lower);
        a.high = fmax(a.high, r->timing.candidates[i].time.upper);
    }
    return (struct axis){a.low / 1.3, a.high * 1.3};
}

static void draw_line(FILE *out, const char *style, double x1, double y1, double x2, double y2)
{
    fprintf(out, "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", style,
            x1, y1, x2, y2);
}

/* Draws lines at powers of ten, or at powers of two if the axis spans at most two decades. */
static void draw_grid(FILE *out, const struct axis *a, double bottom, const struct language *l)
{
    const double base = a->high / a->low > 100.0 ? 10.0 : 2.0;
    double end = 0.0;
    for (double at = pow(base, ceil(log(a->low) / log(base))); at < a->high; at *= base) {
        const double x = x_of(a, at);
        draw_line(out, "grid", x, TOP - 6, x, bottom);
        if (x < end + 46 || x > WIDE - 24)
            continue;
        fprintf(out, "<text class=\"soft\" x=\"%.1f\" y=\"10\" text-anchor=\"middle\">", x);
        put_element(out, "", number_about_seconds(l, at).text, "</text>\n");
        end = x;
    }
}

static void draw_candidate(FILE *out, const struct axis *a, const struct lab_candidate *r, double y,
                           const char *name, bool yours)
{
    const double middle = x_of(a, r->time.median);
    fprintf(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\"%s>", LEFT - 8, y + 4,
            yours ? " font-weight=\"700\"" : "");
    put_element(out, "", name, "</text>\n");
    draw_line(out, yours ? "your" : "our", x_of(a, r->time.lower), y, x_of(a, r->time.upper), y);
    fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4.5\"/>\n", middle, y);
}

/* Draws times with their intervals on a logarithmic axis, and the machine's limit. */
static void draw_times(FILE *out, const struct lab_report *r, const struct language *l)
{
    const struct axis a = axis_of(r);
    const double limit = r->limit.roof.seconds, bottom = TOP + ROW * (double)r->timing.count;
    fprintf(out, "<figure>\n<svg viewBox=\"0 0 %d %.0f\" role=\"img\">\n", WIDE,
            bottom + (limit > 0.0 ? 18 : 4));
    put_element(out, "<title>", message(l, "time of each, with its 95 % interval"), "</title>\n");
    draw_grid(out, &a, bottom, l);
    if (limit > 0.0) {
        draw_line(out, "roof", x_of(&a, limit), TOP - 6, x_of(&a, limit), bottom + 4);
        fprintf(out, "<text class=\"soft\" x=\"%.1f\" y=\"%.1f\">", x_of(&a, limit), bottom + 15);
        put_element(out, "", message(l, "machine limit"), "</text>\n");
    }
    for (size_t i = 0; i < r->timing.count; i++)
        draw_candidate(out, &a, &r->timing.candidates[i], TOP + ROW * ((double)i + 0.4),
                       i == 0 ? message(l, "yours") : r->timing.candidates[i].name, i == 0);
    put_element(out, "</svg>\n<figcaption>",
                message(l,
                        "Time of each method with its 95 % interval, on a logarithmic axis. Each "
                        "sample had a new image; the methods were interleaved."),
                "</figcaption>\n</figure>\n");
}

/* ---- lists and sources ----------------------------------------------------------------------- */

/* Writes all lines of a part as a list of labels and texts; `below`: only those below a heading. */
static void put_list(FILE *out, const struct lab_lines *t, enum lab_part part, bool below)
{
    bool any = false;
    for (size_t i = 0; i < t->count; i++) {
        const struct lab_line *l = &t->lines[i];
        if (l->part != part || (below && !l->below))
            continue;
        fputs(any ? "" : "<dl>\n", out);
        put_element(out, "<dt>", l->label, "</dt>");
        put_element(out, "<dd>", l->text, "</dd>\n");
        any = true;
    }
    fputs(any ? "</dl>\n" : "", out);
}

static bool has_part(const struct lab_lines *t, enum lab_part part)
{
    for (size_t i = 0; i < t->count; i++)
        if (t->lines[i].part == part)
            return true;
    return false;
}

/* Writes the lines of the kernel's file around line `middle`. */
static void put_source(FILE *out, const char *file, int middle)
{
    enum { AROUND = 4 };
    char *text = NULL;
    size_t size = 0;
    FILE *in = middle > 0 ? fopen(file, "r") : NULL;
    if (!in)
        return;
    fputs("<pre>", out);
    for (int number = 1; getline(&text, &size, in) > 0 && number <= middle + AROUND; number++) {
        if (number < middle - AROUND)
            continue;
        text[strcspn(text, "\r\n")] = '\0';
        fprintf(out, "%s%3d  ", number == middle ? "<mark>" : "", number);
        put(out, text);
        fputs(number == middle ? "</mark>\n" : "\n", out);
    }
    fputs("</pre>\n", out);
    free(text);
    fclose(in);
}

static void put_section(FILE *out, const char *title)
{
    put_element(out, "<section>\n<h2>", title, "</h2>\n");
}

static void put_failure(FILE *out, const struct lab_report *r, const struct lab_lines *t)
{
    const char *colon = strrchr(r->trial->source_line, ':');
    put_list(out, t, LAB_LINE_VERDICT, false);
    put_source(out, r->file, colon ? atoi(colon + 1) : 0);
    if (r->checks.explained)
        put_element(out, "<pre>", r->checks.explained, "</pre>\n");
}

static void put_timing(FILE *out, const struct lab_report *r, const struct lab_lines *t)
{
    const struct language *l = t->language;
    put_cards(out, r, l);
    put_section(out, message(l, "How fast it is"));
    draw_times(out, r, l);
    put_list(out, t, LAB_LINE_TIME, false);
    put_list(out, t, LAB_LINE_METHODS, true);
    fputs("</section>\n", out);
    put_section(out, message(l, "What to try next"));
    put_list(out, t, LAB_LINE_NEXT, false);
    fputs("</section>\n", out);
    if (!has_part(t, LAB_LINE_INSIDE))
        return;
    put_section(out, message(l, "What the compiler did"));
    put_list(out, t, LAB_LINE_INSIDE, false);
    fputs("</section>\n", out);
}

/* Writes machine and date, for readers who find the page later. */
static void put_foot(FILE *out, const struct lab_lines *t)
{
    struct machine machine;
    char line[512], day[64] = "";
    const time_t now = time(NULL);
    struct tm utc;
    machine_describe(&machine);
    machine_line(&machine, line, sizeof line);
    if (gmtime_r(&now, &utc))
        strftime(day, sizeof day, "%Y-%m-%d %H:%M UTC", &utc);
    put_section(out, message(t->language, "How it was measured"));
    put_list(out, t, LAB_LINE_HOW, false);
    put_element(out, "<p class=\"note\">", line, "<br>");
    put_element(out, "", day, "</p>\n</section>\n");
}

static void write_page(FILE *out, const struct lab_report *r, const struct lab_lines *t)
{
    const bool correct = r->verdict == LAB_CORRECT;
    put_head(out, r, t);
    for (size_t i = 0; i < t->count; i++)
        if (t->lines[i].part == LAB_LINE_VERDICT && strcmp(t->lines[i].text, "") != 0) {
            put_element(out, correct ? "<p class=\"verdict\">" : "<p class=\"verdict no\">",
                        t->lines[i].text, "</p>\n");
            break;
        }
    put_list(out, t, LAB_LINE_GRADE, false);
    if (!correct)
        put_failure(out, r, t);
    else if (r->timed && r->sweep == LAB_POINT)
        put_timing(out, r, t);
    put_foot(out, t);
    fputs("</main>\n</body>\n</html>\n", out);
}

enum status lab_page(const struct lab_report *r, const struct language *l, const char *path,
                     struct failure *f)
{
    struct output o;
    struct lab_lines t;
    const enum status status = output_open(&o, path, f);
    if (status != STATUS_OK)
        return status;
    lab_lines_make(&t, r, l);
    write_page(o.stream, r, &t);
    return output_close(&o, f);
}
