/* Every chart, drawn from the committed samples, from a small part of them as in a quick study, and
 * from made-up ones of a GPU, in both languages: no panel is empty, no text overlaps another or
 * leaves the canvas, and no two things with different names share a colour. The checks use the
 * positions and sizes in the SVG itself; letters have the widths of Helvetica. */
#include "tests/experiments/support/made_results.h"
#include "tests/support/run_program.h"
#include "tests/support/unit_test.h"

#include <ctype.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXTS = 400, PANELS = 12, MARKS = 8000, NAME = 160 };

struct box {
    double left, right, top, bottom;
};

struct text {
    char words[NAME], colour[40];
    struct box box;
};

struct mark {
    double x, y;
};

struct picture {
    double width, height;
    struct text texts[TEXTS];
    size_t text_count;
    struct box panels[PANELS]; /* inside the axes */
    size_t panel_count;
    struct mark marks[MARKS];
    size_t mark_count;
};

/* ---- widths of letters ---------------------------------------------------------------------- */

/* Returns the width as a fraction of the font's size; continuation bytes of UTF-8 have none. */
static double letter_width(unsigned char letter)
{
    if ((letter & 0xC0) == 0x80)
        return 0.0;
    if (strchr("ijl.,:;'|! ", letter))
        return 0.25;
    if (strchr("frt()[]-/", letter))
        return 0.32;
    if (strchr("mwMW%", letter))
        return 0.83;
    return isupper(letter) ? 0.68 : 0.54;
}

static double text_width(const char *text, double size)
{
    double width = 0.0;
    for (; *text; text++)
        width += letter_width((unsigned char)*text);
    return width * size;
}

/* ---- reading a drawing ---------------------------------------------------------------------- */

/* Returns the number after `name` within a tag, or `otherwise`. */
static double number_of(const char *tag, const char *name, double otherwise)
{
    const char *end = strchr(tag, '>'), *at = strstr(tag, name);
    return at && end && at < end ? strtod(at + strlen(name), NULL) : otherwise;
}

static void text_of(const char *tag, const char *name, char *out, size_t size)
{
    const char *end = strchr(tag, '>'), *at = strstr(tag, name);
    out[0] = '\0';
    if (at && end && at < end)
        snprintf(out, size, "%.*s", (int)strcspn(at + strlen(name), "\""), at + strlen(name));
}

/* Copies the text between tags, without tags inside it. */
static void words_of(const char *at, const char *end, char words[NAME])
{
    size_t length = 0;
    bool tag = false;
    for (; at < end && length + 1 < NAME; at++) {
        tag = *at == '<' || (tag && *at != '>');
        if (!tag && *at != '>')
            words[length++] = *at;
    }
    words[length] = '\0';
}

static struct box box_of(double x, double y, double width, double size, const char *anchor, bool up)
{
    const double before = strcmp(anchor, "end") == 0      ? width
                          : strcmp(anchor, "middle") == 0 ? 0.5 * width
                                                          : 0.0;
    if (up)
        return (struct box){x - 0.72 * size, x, y + before - width, y + before};
    return (struct box){x - before, x - before + width, y - 0.72 * size, y};
}

/* <g transform="translate(x,y) rotate(270.00)" ... font-size="13.00"
 * text-anchor="end"><text>...</text> */
static void take_text(struct picture *p, const char *group)
{
    const char *text = strstr(group, "<text"), *end = text ? strstr(text, "</text>") : NULL;
    char anchor[16];
    if (!end || p->text_count == TEXTS)
        fail_msg("a text without its end, or more than %d", TEXTS);
    struct text *t = &p->texts[p->text_count];
    double x = 0.0, y = 0.0;
    sscanf(strstr(group, "translate("), "translate(%lf,%lf)", &x, &y);
    text_of(group, "text-anchor=\"", anchor, sizeof anchor);
    text_of(group, "fill=\"", t->colour, sizeof t->colour);
    words_of(strchr(text, '>') + 1, end, t->words);
    const char *close = strchr(group, '>');
    const bool up = strstr(group, "rotate(") && strstr(group, "rotate(") < close;
    const double size = number_of(group, "font-size=\"", 12.0);
    t->box = box_of(x, y, text_width(t->words, size), size, anchor, up);
    p->text_count += t->words[strspn(t->words, " ")] != '\0';
}

/* Reads the next position of a path from the byte at *at on; true if a line leads to it. After the
 * last one *at is at the end or beyond. */
static bool next_place(const char **at, const char *end, double *x, double *y)
{
    bool line = false;
    while (*at < end && !isdigit((unsigned char)**at))
        line = *(*at)++ == 'L' || line;
    char *after;
    *x = strtod(*at, &after);
    *y = strtod(after + 1, &after);
    *at = after;
    return line;
}

/* Records the border of a panel: a path in the axes' gray with a long line along its bottom. */
static void take_border(struct picture *p, const char *path)
{
    const char *at = strstr(path, "d='"), *end = at ? strchr(at + 3, '\'') : NULL;
    struct box b = {1e9, -1e9, 1e9, -1e9};
    double x, y, before_x = 0.0, before_y = 0.0;
    bool foot = false;
    if (!end)
        return;
    while (end[-1] == ' ' || end[-1] == '\n' || end[-1] == '\t')
        end--;
    for (at += 3; at < end; before_x = x, before_y = y) {
        const bool line = next_place(&at, end, &x, &y);
        foot = foot || (line && fabs(x - before_x) > 60.0 && fabs(y - before_y) < 0.5);
        b = (struct box){fmin(b.left, x), fmax(b.right, x), fmin(b.top, y), fmax(b.bottom, y)};
    }
    if (!foot)
        return;
    if (b.bottom - b.top < 1.0) /* rows have only a bottom line */
        b.top = 0.0;
    if (p->panel_count < PANELS)
        p->panels[p->panel_count++] = b;
}

static void take_mark(struct picture *p, double x, double y)
{
    if (p->mark_count < MARKS)
        p->marks[p->mark_count++] = (struct mark){x, y};
}

/* True if the element at `at` is the mark of a point; then also gives its position. */
static bool is_mark(const char *at, double *x, double *y)
{
    const char *end = strchr(at, '>');
    const char *move = end ? strstr(at, "translate(") : NULL;
    const char *corners = strstr(at, "points = '");
    if (strncmp(at, "<use ", 5) == 0)
        return move && move < end && sscanf(move, "translate(%lf,%lf)", x, y) == 2;
    if (strncmp(at, "<polygon ", 9) != 0)
        return false;
    return sscanf(at, "<polygon %*[^=]='%lf,%lf", x, y) == 2 ||
           (corners && sscanf(corners, "points = '%lf,%lf", x, y) == 2);
}

static void read_picture(struct picture *p, const char *svg)
{
    static const char border[] = "<path stroke='rgb( 68,  68,  68)'  d='M";
    memset(p, 0, sizeof *p);
    const char *head = strstr(svg, "viewBox=\"0 0 ");
    assert_non_null(head);
    sscanf(head, "viewBox=\"0 0 %lf %lf", &p->width, &p->height);
    for (const char *at = svg; (at = strchr(at, '<')); at++) {
        double x, y;
        if (strncmp(at, "<g transform=\"translate(", 24) == 0)
            take_text(p, at);
        else if (strncmp(at, border, strlen(border)) == 0)
            take_border(p, at);
        else if (is_mark(at, &x, &y))
            take_mark(p, x, y);
    }
}

/* ---- faults of a drawing --------------------------------------------------------------------- */

static size_t faults;

static void fault(const char *file, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void fault(const char *file, const char *format, ...)
{
    va_list arguments;
    char text[600];
    va_start(arguments, format);
    /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): begun in the line before */
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    print_error("%s: %s\n", file, text);
    faults++;
}

static void look_at_panels(const struct picture *p, const char *file)
{
    if (p->panel_count == 0)
        fault(file, "no panel");
    for (size_t i = 0; i < p->panel_count; i++) {
        size_t inside = 0;
        const struct box *b = &p->panels[i];
        for (size_t j = 0; j < p->mark_count; j++)
            inside += p->marks[j].x >= b->left - 1.0 && p->marks[j].x <= b->right + 1.0 &&
                      p->marks[j].y >= b->top - 1.0 && p->marks[j].y <= b->bottom + 1.0;
        if (inside == 0)
            fault(file, "an empty panel, from x = %.0f to %.0f", b->left, b->right);
    }
}

static void look_at_edges(const struct picture *p, const char *file)
{
    for (size_t i = 0; i < p->text_count; i++) {
        const struct box *b = &p->texts[i].box;
        if (b->left < 0.0 || b->top < 0.0 || b->right > p->width || b->bottom > p->height)
            fault(file, "'%s' leaves the canvas", p->texts[i].words);
    }
}

/* True if two boxes overlap by more than a hair's breadth in both directions. */
static bool overlap(const struct box *a, const struct box *b)
{
    const double across = fmin(a->right, b->right) - fmax(a->left, b->left);
    const double along = fmin(a->bottom, b->bottom) - fmax(a->top, b->top);
    return across > 2.0 && along > 2.0;
}

static void look_at_texts(const struct picture *p, const char *file)
{
    for (size_t i = 0; i < p->text_count; i++)
        for (size_t j = i + 1; j < p->text_count; j++)
            if (overlap(&p->texts[i].box, &p->texts[j].box))
                fault(file, "'%s' lies upon '%s'", p->texts[j].words, p->texts[i].words);
}

/* True for the names of series, which are coloured. The arrows of clipped intervals and the bound
 * below the share f of a law are coloured too, but name nothing. */
static bool is_name(const struct text *t)
{
    unsigned r, g, b;
    const bool arrow = strcmp(t->words, "↓") == 0 || strcmp(t->words, "↑") == 0;
    const bool bound = strncmp(t->words, "bound ", 6) == 0 || strncmp(t->words, "cota ", 5) == 0;
    return !arrow && !bound && sscanf(t->colour, "rgb(%u,%u,%u)", &r, &g, &b) == 3 &&
           !(r == g && g == b);
}

/* Series of one method share its colour. Reports series that share a colour although the first
 * words of their names differ. */
static void look_at_colours(const struct picture *p, const char *file)
{
    for (size_t i = 0; i < p->text_count; i++)
        for (size_t j = i + 1; j < p->text_count; j++) {
            const struct text *a = &p->texts[i], *b = &p->texts[j];
            const size_t word = strcspn(a->words, " ");
            if (is_name(a) && is_name(b) && strcmp(a->colour, b->colour) == 0 &&
                (strncmp(a->words, b->words, word) != 0 ||
                 (b->words[word] && b->words[word] != ' ')))
                fault(file, "'%s' and '%s' share a colour", a->words, b->words);
        }
}

static void look_at(const char *file, const char *svg)
{
    static struct picture p;
    read_picture(&p, svg);
    look_at_panels(&p, file);
    look_at_edges(&p, file);
    look_at_texts(&p, file);
    look_at_colours(&p, file);
}

/* ---- all charts of a folder ----------------------------------------------------------------- */

static void draw_and_look(const char *results, const char *language, size_t least)
{
    char name[512], path[512];
    size_t count = 0;
    assert_int_equal(run("%s/bin/study plot --charts svg --lang %s --results %s/%s > /dev/null 2> "
                         "%s/reported",
                         MAXPOOL_BINARY_DIR, language, folder, results, folder),
                     0);
    snprintf(path, sizeof path, "%s/%s/charts", folder, results);
    DIR *charts = opendir(path);
    assert_non_null(charts);
    faults = 0;
    for (struct dirent *item; (item = readdir(charts));) {
        if (item->d_name[0] == '.')
            continue;
        snprintf(name, sizeof name, "%s/charts/%s", results, item->d_name);
        char *svg = read_file(name);
        look_at(name, svg);
        free(svg);
        count++;
    }
    closedir(charts);
    assert_true(count >= least);
    if (faults)
        fail_msg("%zu faults in the charts of %s (%s)", faults, results, language);
}

static void skip_without_gnuplot(void)
{
    if (run("command -v gnuplot > /dev/null") == 0)
        return;
    print_message("gnuplot is missing: no chart was looked at\n");
    skip();
}

static void of_the_committed_samples(NO_STATE)
{
    skip_without_gnuplot();
    assert_int_equal(
        run("mkdir %s/whole && cp %s/results/reference/amd-epyc-zen4-2-cores/*.csv.gz %s/whole",
            folder, MAXPOOL_SOURCE_DIR, folder),
        0);
    draw_and_look("whole", "en", 15);
    draw_and_look("whole", "es", 15);
}

/* One or two values of x, as in a quick study. */
static void of_a_small_part(NO_STATE)
{
    skip_without_gnuplot();
    assert_int_equal(
        run("mkdir %s/part && cd %s/results/reference/amd-epyc-zen4-2-cores && for f in *.csv.gz; "
            "do gzip -dc $f | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == \"rows\") c = "
            "i } NR == 1 || !c || $c == 512 || $c == 2048 || $c == 181' > %s/part/${f%%.gz}; done",
            folder, MAXPOOL_SOURCE_DIR, folder),
        0);
    draw_and_look("part", "en", 8);
}

static void of_made_up_samples(NO_STATE)
{
    skip_without_gnuplot();
    assert_int_equal(
        run("mkdir %s/made && %s/bin/make_results %s/made", folder, MAXPOOL_BINARY_DIR, folder), 0);
    draw_and_look("made", "en", 8);
    assert_int_equal(
        run("mkdir %s/gpu && %s/bin/make_gpu_results %s/gpu", folder, MAXPOOL_BINARY_DIR, folder),
        0);
    draw_and_look("gpu", "en", 8);
    draw_and_look("gpu", "es", 8);
}

/* An axis that spans few decades has numbers between them, and no two of its numbers look the
 * same. */
static void short_axes_have_numbers(NO_STATE)
{
    static const struct {
        const char *expression, *text;
    } cases[] = {
        {"numbers('%g', 0.9, 1.7)", " 1 1.2 1.4 1.6"},
        {"numbers('%.0s %cs', 6.5e-6, 1.2e-5)", " 7 µs 8 µs 9 µs 10 µs 11 µs 12 µs"},
        {"numbers('%.0s %cs', 2.4e-4, 1.2e-3)", " 300 µs 500 µs 700 µs 1 ms"},
        {"numbers('%g', 0.9, 120)", " 1 2 5 10 20 50 100"},
        {"words(ticks_of(1, 1000))", "0"},
        {"tick_text('%.0s %cs', 1.5e-3)", "1.5 ms"},
        {"tick_text('%.0s %cs', 7e-4)", "700 µs"},
        {"tick_text('%g', 1.25)", "1.25"},
        {"'<'.tick_text('', 1).'>'", "<>"},
    };
    skip_without_gnuplot();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char command[1024];
        snprintf(command, sizeof command,
                 "LC_ALL=C.UTF-8 gnuplot -e \"format = 'svg'; out = '/dev/null'; texts = ''; "
                 "finding = ''; "
                 "quantity = ''; load '%s/plots/lib/style.gp'; numbers(form, low, high) = (at = "
                 "ticks_of(low, high), text = '', unused = sum [n = 1:words(at)] (text = text.' '."
                 "tick_text(form, real(word(at, n))), 0), text); print %s\"",
                 MAXPOOL_SOURCE_DIR, cases[i].expression);
        struct outcome o = run_program(command, NULL);
        o.err[strcspn(o.err, "\n")] = '\0';
        assert_string_equal(o.err, cases[i].text);
    }
}

/* ---- the test can fail ----------------------------------------------------------------------- */

static const char drawing[] =
    "<svg viewBox=\"0 0 200 100\">"
    "<path stroke='rgb( 68,  68,  68)'  d='M10.00,10.00 L10.00,90.00 L190.00,90.00 M10.00,10.00 '/>"
    "<use xlink:href='#gpPt6' transform='translate(%d,50.00) scale(2)' color='x'/>"
    "<g transform=\"translate(20,%d)\" fill=\"rgb(0,114,178)\" font-size=\"10.00\" "
    "text-anchor=\"start\"><text>fused one</text></g>"
    "<g transform=\"translate(%d,60)\" fill=\"rgb(0,114,178)\" font-size=\"10.00\" "
    "text-anchor=\"start\"><text>%s two</text></g></svg>";

static size_t faults_of(int mark_x, int first_y, int second_x, const char *second)
{
    char svg[sizeof drawing + 100];
    snprintf(svg, sizeof svg, drawing, mark_x, first_y, second_x, second);
    faults = 0;
    look_at("a planted fault", svg);
    return faults;
}

static void faults_are_seen(NO_STATE)
{
    assert_int_equal(faults_of(50, 30, 20, "fused"), 0);
    assert_int_equal(faults_of(195, 30, 20, "fused"), 1); /* an empty panel */
    assert_int_equal(faults_of(50, 58, 20, "fused"), 1);  /* overlapping text */
    assert_int_equal(faults_of(50, 30, 180, "fused"), 1); /* text beyond the edge */
    assert_int_equal(faults_of(50, 30, 20, "direct"), 1); /* one colour for two methods */
    assert_int_equal(faults_of(50, 30, 20, "fused2"), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faults_are_seen),          cmocka_unit_test(short_axes_have_numbers),
        cmocka_unit_test(of_the_committed_samples), cmocka_unit_test(of_a_small_part),
        cmocka_unit_test(of_made_up_samples),
    };
    return cmocka_run_group_tests(tests, make_results_folder, remove_folder);
}
