#include "experiments/published/published.h"

#include "experiments/common/lists.h"
#include "experiments/published/published_checks.h"
#include "harness/base/suite_files.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
