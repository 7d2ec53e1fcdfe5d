#include "harness/point/options/interactive.h"

#include "harness/base/text/integer.h"
#include "harness/base/text/screen.h"

#include "kernels/windows.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Reads a line of standard input without its newline; status 2 at the end of the input. */
static enum status read_line(char **line, size_t *capacity, struct failure *f)
{
    if (getline(line, capacity, stdin) < 0)
        return fail(f, STATUS_USAGE, "--interactive: the input ended before all was answered");
    (*line)[strcspn(*line, "\n")] = 0;
    return STATUS_OK;
}

/* Reads the integer from least to most at the beginning of a text, and moves *rest after it and the
 * blanks that follow. */
static bool take_integer(const char **rest, int64_t least, int64_t most, int64_t *value)
{
    *rest += strspn(*rest, " \t");
    if (!integer_take(rest, least, most, value))
        return false;
    *rest += strspn(*rest, " \t\r");
    return true;
}

static void show_prompt(const char *id, const struct argument *values)
{
    char text[512];
    message_format(text, sizeof text, screen_language(), id, values);
    fputs(text, stderr);
}

static void show_range(const char *answer, int64_t least, int64_t most)
{
    show_prompt(N_("  '%{answer}' is not an integer from %{least} to %{most}.\n"),
                WITH({"answer", answer}, {"least", integer_text(least).text},
                     {"most", integer_text(most).text}));
}

/* Asks until the answer is an integer from least to most; an empty answer keeps *value. */
static enum status ask_integer(const char *question, int64_t least, int64_t most, int64_t *value,
                               struct failure *f)
{
    char *line = NULL;
    size_t capacity = 0;
    enum status status;
    for (;;) {
        fprintf(stderr, "%s [%" PRId64 "]: ", screen_text(question), *value);
        status = read_line(&line, &capacity, f);
        if (status != STATUS_OK || line[strspn(line, " \t")] == 0)
            break;
        const char *rest = line;
        int64_t answer;
        if (take_integer(&rest, least, most, &answer) && *rest == 0) {
            *value = answer;
            break;
        }
        show_range(line, least, most);
    }
    free(line);
    return status;
}

/* Asks for N (N x N), or for rows and columns; an empty answer keeps both. */
static enum status ask_sides(int64_t *rows, int64_t *cols, struct failure *f)
{
    char *line = NULL;
    size_t capacity = 0;
    enum status status;
    for (;;) {
        fprintf(stderr, "%s [%" PRId64 "]: ", screen_text(N_("Size: N for N x N, or ROWS COLUMNS")),
                *rows);
        status = read_line(&line, &capacity, f);
        const char *rest = status == STATUS_OK ? line + strspn(line, " \t") : "";
        int64_t first = *rows, second;
        if (status != STATUS_OK || *rest == 0)
            break;
        bool whole = take_integer(&rest, 1, INT64_MAX, &first);
        second = first;
        if (whole && *rest)
            whole = take_integer(&rest, 1, INT64_MAX, &second);
        if (whole && *rest == 0) {
            *rows = first;
            *cols = second;
            break;
        }
        show_prompt(N_("  '%{answer}' is not one size, or two, of at least 1.\n"),
                    WITH({"answer", line}));
    }
    free(line);
    return status;
}

/* The answers to the question after the image, the number of the tesina's menu first. */
static const struct {
    const char *answer;
    bool typed;
} image_answers[] = {
    {"1", true},       {"m", true},  {"manual", true},     {"2", false},         {"r", false},
    {"random", false}, {"a", false}, {"aleatoria", false}, {"aleatorio", false}, {"", false}};

/* Sets *typed from an answer, whatever the case of its letters; blanks around it do not count. */
static bool take_image(const char *line, bool *typed)
{
    const char *begin = line + strspn(line, " \t\r");
    size_t length = strlen(begin);
    while (length > 0 && strchr(" \t\r", begin[length - 1]))
        length--;
    for (size_t i = 0; i < sizeof image_answers / sizeof *image_answers; i++)
        if (strlen(image_answers[i].answer) == length &&
            strncasecmp(image_answers[i].answer, begin, length) == 0) {
            *typed = image_answers[i].typed;
            return true;
        }
    return false;
}

/* Asks until the answer is a choice; an empty one means a random image. */
static enum status ask_choice(bool *typed, struct failure *f)
{
    char *line = NULL;
    size_t capacity = 0;
    enum status status;
    for (;;) {
        fprintf(stderr, "%s [2]: ", screen_text(N_("Choice")));
        status = read_line(&line, &capacity, f);
        if (status != STATUS_OK || take_image(line, typed))
            break;
        show_prompt(N_("  Answer 1 or m (manual), 2 or r (random).\n"), NULL);
    }
    free(line);
    return status;
}

/* Reads exactly `cols` finite numbers from a line; otherwise returns false. */
static bool parse_row(const char *line, float *row, int64_t cols)
{
    for (int64_t c = 0; c < cols; c++) {
        char *end;
        const float value = strtof(line, &end);
        if (end == line || !isfinite(value))
            return false;
        row[c] = value;
        line = end;
    }
    return line[strspn(line, " \t\r")] == 0;
}

static enum status ask_elements(const struct options *o, float *elements, struct failure *f)
{
    char *line = NULL;
    size_t capacity = 0;
    enum status status = STATUS_OK;
    for (int64_t r = 0; status == STATUS_OK && r < o->rows;) {
        const struct integer_text cols = integer_text(o->cols);
        show_prompt(N_("Row %{row} (%{n} numbers): "),
                    WITH({"row", integer_text(r + 1).text}, {"n", cols.text}));
        status = read_line(&line, &capacity, f);
        if (status == STATUS_OK && parse_row(line, elements + r * o->cols, o->cols))
            r++;
        else if (status == STATUS_OK)
            show_prompt(N_("  A row is %{n} finite numbers with blanks between them.\n"),
                        WITH({"n", cols.text}));
    }
    free(line);
    return status;
}

/* Asks for the elements of a matrix. Nobody types more than a thousand rows and columns. */
static enum status ask_source(struct options *o, struct source **source, struct failure *f)
{
    const struct image_shape shape = {1, o->rows, o->cols};
    if (o->rows > 1000 || o->cols > 1000)
        return fail(f, STATUS_USAGE,
                    "--interactive: an image to type in has at most 1000 rows and "
                    "columns");
    float *elements = malloc((size_t)(o->rows * o->cols) * sizeof *elements);
    if (!elements)
        return fail(f, STATUS_RESOURCE, "no memory for the elements typed in");
    enum status status = ask_elements(o, elements, f);
    if (status == STATUS_OK)
        return source_open_memory(source, shape, elements, "typed", f);
    free(elements);
    return status;
}

static enum status ask_image(struct options *o, struct source **source, struct failure *f)
{
    bool manual = false;
    o->rows = o->cols = 8;
    o->planes = 1;
    show_prompt(N_("The image\n  1  manual: type it in, row by row\n  2  random, from a seed\n"),
                NULL);
    enum status status = ask_choice(&manual, f);
    if (status == STATUS_OK)
        status = ask_sides(&o->rows, &o->cols, f);
    if (status == STATUS_OK && manual)
        return ask_source(o, source, f);
    if (status == STATUS_OK)
        status = ask_integer(N_("Seed"), 0, INT64_MAX, &o->seed, f);
    return status;
}

/* Asks for the parameters of a window that fits: at most the padded image. */
static enum status ask_parameters(struct options *o, struct failure *f)
{
    const int64_t side = o->rows < o->cols ? o->rows : o->cols;
    struct parameters *p = &o->parameters;
    int64_t widest;
    enum status status = ask_integer(N_("Padding"), 0, INT64_MAX / 4, &p->padding, f);
    if (__builtin_add_overflow(side, 2 * p->padding, &widest))
        widest = INT64_MAX;
    if (p->kernel > widest)
        p->kernel = widest;
    if (status == STATUS_OK)
        status = ask_integer(N_("Kernel size"), 1, widest, &p->kernel, f);
    p->stride = p->kernel;
    if (status == STATUS_OK)
        status = ask_integer(N_("Stride"), 1, INT64_MAX, &p->stride, f);
    return status;
}

enum status interactive_ask(struct options *o, const struct operator_row *kind,
                            struct source **source, struct failure *f)
{
    enum status status = ask_image(o, source, f);
    if (status == STATUS_OK && operator_parameter(kind, windows_kernel.option))
        status = ask_parameters(o, f);
    return status;
}
