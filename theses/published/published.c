#include "theses/published/published.h"

#include "experiments/common/lists.h"
#include "harness/base/suite_files.h"
#include "harness/base/text/fit.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- whether a row is possible --------------------------------------------------------------- */

struct checking {
    struct published_row *row;
    const char *path;
    struct failure *failure;
};

static enum status refuse(const struct checking *c, enum published_column column,
                          const char *expected)
{
    return fail(c->failure, STATUS_USAGE, "%s:%lld: column '%s': '%s' is not %s", c->path,
                (long long)c->row->line, published_columns[column],
                text_brief(c->row->cells[column], 80).text, expected);
}

/* ---- required texts -------------------------------------------------------------------------- */

static enum status check_source(const struct checking *c)
{
    for (int i = 0; i < SOURCES; i++)
        if (strcmp(c->row->cells[PUBLISHED_SOURCE], published_sources[i]) == 0) {
            c->row->source = (enum published_source)i;
            return STATUS_OK;
        }
    return refuse(c, PUBLISHED_SOURCE, "one of the four sources");
}

static enum status check_texts(const struct checking *c)
{
    static const enum published_column numbers[] = {PUBLISHED_ITEM, PUBLISHED_QUANTITY,
                                                    PUBLISHED_VALUE},
                                       figures[] = {PUBLISHED_ITEM, PUBLISHED_CAPTION,
                                                    PUBLISHED_KIND};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const enum published_column column = c->row->figure ? figures[i] : numbers[i];
        if (!*c->row->cells[column])
            return refuse(c, column, "a text");
    }
    return STATUS_OK;
}

/* ---- the value ------------------------------------------------------------------------------- */

/* Reads digits, a point and an exponent, as documents print them; refuses what only strtod accepts
 * (blanks, hexadecimals, infinity). */
static bool read_number(const char *text, double *number, size_t *decimals)
{
    char *end;
    const size_t whole = strspn(text, "0123456789");
    const char *rest = text + whole;
    *decimals = *rest == '.' ? strspn(rest + 1, "0123456789") : 0;
    if (whole == 0 || (*rest == '.' && *decimals == 0) ||
        text[strspn(text, "0123456789.eE+-")] != '\0')
        return false;
    *number = strtod(text, &end);
    return *end == '\0' && isfinite(*number);
}

/* The number of sizes, each at least 1, separated by `mark`, "48x48x32"; 0 if the text is not of
 * that form. */
static int count_sizes(const char *text, char mark)
{
    int count = 0;
    while (*text >= '1' && *text <= '9') {
        text += strspn(text, "0123456789");
        count++;
        if (!*text)
            return count;
        if (*text++ != mark)
            return 0;
    }
    return 0;
}

/* 2022-08-26 */
static bool is_day(const char *text)
{
    static const char form[] = "dddd-dd-dd";
    for (size_t i = 0; i < sizeof form - 1; i++)
        if (form[i] == 'd' ? text[i] < '0' || text[i] > '9' : text[i] != form[i])
            return false;
    return text[sizeof form - 1] == '\0';
}

/* True for a version with three parts, 3.13.2 or 2.0.0-beta1, in a row about software. */
static bool is_version(const struct checking *c, const char *text)
{
    return strcmp(c->row->cells[PUBLISHED_MACHINE], "software") == 0 && *text >= '0' &&
           *text <= '9' && text[strspn(text, "0123456789.-abet")] == '\0';
}

static enum status check_value(const struct checking *c)
{
    const char *text = c->row->cells[PUBLISHED_VALUE];
    if (c->row->figure || read_number(text, &c->row->number, &c->row->decimals))
        return STATUS_OK;
    c->row->decimals = 0;
    if (count_sizes(text, 'x') > 1 || is_day(text) || is_version(c, text))
        return STATUS_OK;
    return refuse(c, PUBLISHED_VALUE, "a number, a shape such as 48x48x32, or a day");
}

/* ---- the configuration ----------------------------------------------------------------------- */

/* Checks that a cell has a count of at least `least`, or is empty: *count is then NaN. */
static enum status check_count(const struct checking *c, enum published_column column, double least,
                               double *count)
{
    const char *text = c->row->cells[column];
    size_t decimals;
    *count = NAN;
    if (!*text || (read_number(text, count, &decimals) && *count >= least &&
                   text[strspn(text, "0123456789")] == '\0'))
        return STATUS_OK;
    return refuse(c, column, least > 0.0 ? "a count of at least 1" : "a count of at least 0");
}

static enum status check_counts(const struct checking *c)
{
    static const enum published_column counts[] = {
        PUBLISHED_STRIDE, PUBLISHED_PROCESSES, PUBLISHED_CORES,      PUBLISHED_BATCH,
        PUBLISHED_EPOCHS, PUBLISHED_GPUS,      PUBLISHED_IMAGE_SIDE, PUBLISHED_PICTURES};
    double ignored;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        const enum status status = check_count(c, counts[i], 1.0, &ignored);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

/* Checks that the window fits the padded image. */
static enum status check_window(const struct checking *c)
{
    double n, k, padding;
    enum status status = check_count(c, PUBLISHED_N, 1.0, &n);
    if (status == STATUS_OK)
        status = check_count(c, PUBLISHED_K, 1.0, &k);
    if (status == STATUS_OK)
        status = check_count(c, PUBLISHED_PADDING, 0.0, &padding);
    if (status == STATUS_OK && k > n + 2.0 * (isnan(padding) ? 0.0 : padding))
        return refuse(c, PUBLISHED_K, "a window that fits the padded image");
    return status;
}

static bool is_one_of(const char *text, const char *const *words)
{
    while (*words && strcmp(text, *words) != 0)
        words++;
    return *words != NULL;
}

static enum status check_words(const struct checking *c)
{
    static const char *const tasks[] = {"", "train", "infer", "train and infer", NULL},
                             *const strategies[] = {"", "mirrored", "central", NULL};
    const char *network = c->row->cells[PUBLISHED_NETWORK], *block = c->row->cells[PUBLISHED_BLOCK];
    if (!is_one_of(c->row->cells[PUBLISHED_TASK], tasks))
        return refuse(c, PUBLISHED_TASK, "train, infer or train and infer");
    if (!is_one_of(c->row->cells[PUBLISHED_STRATEGY], strategies))
        return refuse(c, PUBLISHED_STRATEGY, "mirrored or central");
    if (*block && count_sizes(block, 'x') < 2)
        return refuse(c, PUBLISHED_BLOCK, "a block of threads such as 32x32x1");
    if (*network >= '0' && *network <= '9' && !strchr(network, ' ') &&
        count_sizes(network, '-') == 0)
        return refuse(c, PUBLISHED_NETWORK, "the sizes of hidden layers such as 800-400-208");
    return STATUS_OK;
}

/* Sets source, number and decimals of the row. Status 2: "FILE:LINE: column 'NAME': ...". */
static enum status published_check(struct published_row *row, const char *path, struct failure *f)
{
    const struct checking c = {row, path, f};
    enum status status = check_source(&c);
    if (status == STATUS_OK)
        status = check_texts(&c);
    if (status == STATUS_OK)
        status = check_value(&c);
    if (status == STATUS_OK)
        status = check_counts(&c);
    if (status == STATUS_OK)
        status = check_window(&c);
    return status == STATUS_OK ? check_words(&c) : status;
}

/* ---- the rows -------------------------------------------------------------------------------- */

const char *const published_sources[SOURCES] = {
    "Tesina: convolutional networks and max pooling by HPC techniques (UNAM 2023)",
    "TFM: time evaluation of neural networks on heterogeneous hardware (UCM 2019)",
    "Assignment: CPU against GPU, face recognition with GPUs, session 3",
    "Project report: faces, sequential optimisation"};
const char *const published_source_words[SOURCES] = {"tesina", "solar", "devices", "faces"};

const char *const published_columns[PUBLISHED_COLUMNS + 1] = {
    "source",  "item",       "machine",   "quantity", "unit",          "method", "n",
    "k",       "stride",     "padding",   "block",    "processes",     "cores",  "network",
    "layer",   "task",       "batch",     "epochs",   "optimizer",     "part",   "strategy",
    "gpus",    "image_side", "structure", "pictures", "compared_with", "value",  "note",
    "caption", "kind",       "x",         "y",        "series",        "ranges", NULL};

const char *const published_files[PUBLISHED_FILES] = {
    "tesina",         "tesina_training", "solar_mlp", "solar_time_ratios",      "solar_cnn",
    "resnet_devices", "faces",           "devices",   "figures_without_numbers"};

int published_column_find(const char *name)
{
    for (int i = 0; i < PUBLISHED_COLUMNS; i++)
        if (strcmp(name, published_columns[i]) == 0)
            return i;
    return -1;
}

static enum status read_file(struct published *p, size_t file, const char *folder,
                             struct failure *f)
{
    char path[PATH_MAX];
    const bool figures = strcmp(published_files[file], "figures_without_numbers") == 0;
    const int length = snprintf(path, sizeof path, "%s/%s.csv", folder, published_files[file]);
    if (length < 0 || (size_t)length >= sizeof path)
        return fail(f, STATUS_USAGE, "%s: this path is too long", folder);
    struct strict_table *t = &p->tables[file];
    enum status status = strict_table_read(t, path, published_columns, f);
    for (size_t i = 0; i < t->count && status == STATUS_OK; i++) {
        struct published_row *grown = array_grow(p->rows, p->count, sizeof *grown);
        if (!grown)
            return fail(f, STATUS_RESOURCE, "%s: not enough memory", path);
        p->rows = grown;
        p->rows[p->count] = (struct published_row){.file = published_files[file],
                                                   .line = t->rows[i].line,
                                                   .figure = figures,
                                                   .cells = t->rows[i].cells,
                                                   .number = NAN};
        status = published_check(&p->rows[p->count++], path, f);
        p->figures += figures;
        p->numbers += !figures;
    }
    return status;
}

enum status published_read(struct published *out, const char *folder, struct failure *f)
{
    enum status status = STATUS_OK;
    *out = (struct published){0};
    for (size_t i = 0; i < PUBLISHED_FILES && status == STATUS_OK; i++)
        status = read_file(out, i, folder, f);
    if (status != STATUS_OK)
        published_release(out);
    return status;
}

void published_release(struct published *p)
{
    for (size_t i = 0; i < PUBLISHED_FILES; i++)
        strict_table_release(&p->tables[i]);
    free(p->rows);
    *p = (struct published){0};
}

const char *published_folder(void)
{
    static char path[PATH_MAX];
    return suite_share(path, "data/published");
}
