#include "theses/reproduce/answers.h"

#include "experiments/analysis/speedup/scaling.h"
#include "experiments/definition/definition.h"
#include "experiments/samples/point.h"
#include "kernels/geometry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- arithmetic ------------------------------------------------------------------------------ */

/* amdahl F P: the speedup of P workers if the share F is parallel. */
static enum status answer_amdahl(struct answering *a)
{
    a->out->number = amdahl_speedup(a->numbers[0], a->numbers[1]);
    return STATUS_OK;
}

/* share A B: A / B. */
static enum status answer_share(struct answering *a)
{
    a->out->number = a->numbers[0] / a->numbers[1];
    return STATUS_OK;
}

static enum status answer_percent(struct answering *a)
{
    a->out->number = 100.0 * a->numbers[0] / a->numbers[1];
    return STATUS_OK;
}

/* rest F: 1 - F; rest_of A B: 1 - A / B. */
static enum status answer_rest(struct answering *a)
{
    a->out->number = 1.0 - a->numbers[0];
    return STATUS_OK;
}

static enum status answer_rest_of(struct answering *a)
{
    a->out->number = 1.0 - a->numbers[0] / a->numbers[1];
    return STATUS_OK;
}

static enum status answer_times(struct answering *a)
{
    a->out->number = a->numbers[0] * a->numbers[1];
    return STATUS_OK;
}

/* whole A B: the whole part of A B, as a program's int(). */
static enum status answer_whole(struct answering *a)
{
    a->out->number = floor(a->numbers[0] * a->numbers[1]);
    return STATUS_OK;
}

/* ---- shapes ---------------------------------------------------------------------------------- */

/* elements N: elements of an N x N image. */
static enum status answer_elements(struct answering *a)
{
    const int64_t n = (int64_t)a->numbers[0];
    a->out->number = (double)geometry_elements(1, n, n);
    return STATUS_OK;
}

/* Number of windows of an n x n image; numbers[1] to numbers[3] are k, s and p. */
static double windows_of(const double *numbers, double n)
{
    const double side = (double)geometry_outputs((int64_t)n, (int64_t)numbers[1],
                                                 (int64_t)numbers[2], (int64_t)numbers[3]);
    return side * side;
}

static enum status answer_windows(struct answering *a)
{
    a->out->number = windows_of(a->numbers, a->numbers[0]);
    return STATUS_OK;
}

/* map N K S P: the sides of the map of an N x N image, "2x2". */
static enum status answer_map(struct answering *a)
{
    const double side = sqrt(windows_of(a->numbers, a->numbers[0]));
    snprintf(a->out->text, sizeof a->out->text, "%.0fx%.0f", side, side);
    return STATUS_OK;
}

/* removed N K S P: percent of the elements that the map no longer has. */
static enum status answer_removed(struct answering *a)
{
    const double n = a->numbers[0];
    a->out->number = 100.0 * (1.0 - windows_of(a->numbers, n) / (n * n));
    return STATUS_OK;
}

/* growth N K S P: windows of an image of side 2 N / windows of one of side N. */
static enum status answer_growth(struct answering *a)
{
    const double n = a->numbers[0];
    a->out->number = windows_of(a->numbers, 2.0 * n) / windows_of(a->numbers, n);
    return STATUS_OK;
}

/* dense I H1 H2 O: number of weights and biases of a network with two hidden layers. */
static enum status answer_dense(struct answering *a)
{
    double sum = 0.0;
    for (int i = 0; i < 3; i++)
        sum += (a->numbers[i] + 1.0) * a->numbers[i + 1];
    a->out->number = sum;
    return STATUS_OK;
}

/* ---- defaults of this suite ------------------------------------------------------------------ */

/* default OPERATOR COLUMN: the default value in the operator's programs. */
static enum status answer_default(struct answering *a)
{
    char text[RECORD_TEXT];
    const struct operator_row *o = operator_find(a->words[0]);
    const int column = point_column_find(a->words[1]);
    if (!o || column < 0)
        return answer_refuse(a, o ? 1 : 0, o ? "a column of points" : "an operator");
    const struct parameter *p = operator_parameter_of_column(o, a->words[1]);
    if (p && p->follows)
        p = operator_parameter(o, p->follows);
    a->out->number = p ? (double)p->fallback
                       : strtod(point_column_default(point_column((size_t)column), o, text), NULL);
    return STATUS_OK;
}

/* Number of different values of an axis in the sweeps of a definition. */
static size_t count_values(const struct definition *d, int column)
{
    struct texts seen = {0};
    for (size_t i = 0; i < d->sweep_count; i++)
        for (size_t j = 0; j < d->sweeps[i].axis_count; j++) {
            const struct axis_values *axis = &d->sweeps[i].axes[j];
            for (size_t k = 0; axis->column == column && k < axis->values.count; k++)
                if (!texts_have(&seen, axis->values.items[k]))
                    texts_add(&seen, axis->values.items[k]);
        }
    const size_t count = seen.count;
    texts_release(&seen);
    return count;
}

/* axis EXPERIMENT COLUMN: number of values in its definition. */
static enum status answer_axis(struct answering *a)
{
    struct definition d;
    char *path = NULL;
    const int column = point_column_find(a->words[1]);
    if (column < 0)
        return answer_refuse(a, 1, "a column of points");
    enum status status = definition_find(&path, definitions_folder(), a->words[0], a->failure);
    if (status == STATUS_OK)
        status = definition_read(&d, path, SCALE_THESIS, 1, a->failure);
    if (status == STATUS_OK) {
        a->out->number = (double)count_values(&d, column);
        definition_release(&d);
    }
    free(path);
    return status;
}

/* ---- the table ------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    int arguments, numbers; /* number of arguments; how many of them are numbers: all or none */
    answer_function *make;
} functions[] = {
    {"amdahl", 2, 2, answer_amdahl},
    {"share", 2, 2, answer_share},
    {"percent", 2, 2, answer_percent},
    {"rest", 1, 1, answer_rest},
    {"rest_of", 2, 2, answer_rest_of},
    {"times", 2, 2, answer_times},
    {"whole", 2, 2, answer_whole},
    {"elements", 1, 1, answer_elements},
    {"windows", 4, 4, answer_windows},
    {"map", 4, 4, answer_map},
    {"removed", 4, 4, answer_removed},
    {"growth", 4, 4, answer_growth},
    {"dense", 4, 4, answer_dense},
    {"maximum", 4, 4, answer_maximum},
    {"product", 6, 6, answer_product},
    {"pooled", 4, 4, answer_pooled},
    {"exponent", 1, 0, answer_exponent},
    {"default", 2, 0, answer_default},
    {"axis", 2, 0, answer_axis},
    {"parameters", 1, 0, answer_parameters},
    {"layer_parameters", 2, 0, answer_layer_parameters},
    {"shape", 2, 0, answer_shape},
    {"layer", 3, 0, answer_layer},
    {"input", 2, 0, answer_input},
    {"augment", 1, 0, answer_augment},
};

/* Splits the words after the name in place. Returns their number, or ANSWER_ARGUMENTS + 1 if they
 * are too many. */
static int split(struct answering *a, char *text)
{
    char *rest = NULL;
    int count = 0;
    for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        if (count == ANSWER_ARGUMENTS)
            return count + 1;
        char *end;
        a->words[count] = word;
        a->numbers[count] = strtod(word, &end);
        if (end == word || *end)
            a->numbers[count] = NAN;
        count++;
    }
    return count;
}

enum status answer_make(struct answer *out, const char *expression, struct failure *f)
{
    char text[200];
    struct answering a = {.expression = expression, .out = out, .failure = f};
    *out = (struct answer){.number = NAN};
    snprintf(text, sizeof text, "%s", expression);
    const size_t name = strcspn(text, " ");
    char *rest = text + name + (text[name] != '\0');
    text[name] = '\0';
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (strcmp(text, functions[i].name) != 0)
            continue;
        const int count = split(&a, rest);
        if (count != functions[i].arguments)
            return fail(f, STATUS_USAGE, "known answer '%s': %s takes %d arguments", expression,
                        text, functions[i].arguments);
        for (int j = 0; j < functions[i].numbers; j++)
            if (isnan(a.numbers[j]))
                return answer_refuse(&a, j, "a number");
        return functions[i].make(&a);
    }
    return fail(f, STATUS_USAGE, "known answer '%s': there is no function '%s'", expression, text);
}

bool answer_matches(const struct answer *a, const struct published_row *row)
{
    if (row->figure) /* prints no digits */
        return true;
    if (a->text[0])
        return strcmp(a->text, row->cells[PUBLISHED_VALUE]) == 0;
    return fabs(a->number - row->number) < pow(10.0, -(double)row->decimals);
}
