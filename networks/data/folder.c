/* A folder of pictures as a data set: each subfolder is a class, in the byte order of names. The
 * seed divides the pictures of all classes into training, validation and test. */
#include "harness/image/folder.h"
#include "harness/base/digest.h"
#include "harness/image/pictures.h"
#include "networks/data/data.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The subfolders, and how many pictures each has. */
struct classes_found {
    struct folder folders; /* one path per class */
    int64_t *pictures;     /* per class */
    int64_t all;
};

static int takes_name(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* Names the option before what a file's reader has said. */
static enum status of_option(const struct failure *said, struct failure *f)
{
    return said->status == STATUS_OK ? STATUS_OK
                                     : fail(f, said->status, "--data: %s", said->message);
}

/* Adds a class if the entry is a folder; other files beside the classes do not count. */
static enum status add_class(struct classes_found *c, const char *folder, const char *name,
                             struct failure *f)
{
    const size_t size = strlen(folder) + strlen(name) + 2;
    char *path = malloc(size);
    struct folder pictures = {NULL, 0};
    struct failure said = {0};
    if (!path)
        return fail(f, STATUS_RESOURCE, "no memory for the names of classes");
    snprintf(path, size, "%s/%s", folder, name);
    if (!folder_is_one(path)) {
        free(path);
        return STATUS_OK;
    }
    folder_list(&pictures, path, &said);
    c->pictures[c->folders.count] = pictures.count;
    c->folders.paths[c->folders.count++] = path;
    c->all += pictures.count;
    folder_release(&pictures);
    return of_option(&said, f);
}

static enum status find_classes(struct classes_found *c, struct data *d, const char *folder,
                                struct failure *f)
{
    struct dirent **entries = NULL;
    const int count = scandir(folder, &entries, takes_name, by_name);
    enum status status = STATUS_OK;
    c->folders.paths = calloc((size_t)(count > 0 ? count : 1), sizeof *c->folders.paths);
    c->pictures = calloc((size_t)(count > 0 ? count : 1), sizeof *c->pictures);
    if (!c->folders.paths || !c->pictures)
        status = fail(f, STATUS_RESOURCE, "no memory for the names of classes");
    for (int i = 0; i < count; i++) {
        const int64_t known = c->folders.count;
        if (status == STATUS_OK)
            status = add_class(c, folder, entries[i]->d_name, f);
        if (status == STATUS_OK && c->folders.count > known)
            status = data_name_class(d, entries[i]->d_name, f);
        free(entries[i]);
    }
    free(entries);
    if (status == STATUS_OK && c->folders.count < 2)
        status = fail(f, STATUS_USAGE,
                      "--data %s: it has %lld subfolders with pictures; each subfolder is a class, "
                      "and a training needs two",
                      folder, (long long)c->folders.count);
    return status;
}

static void release_classes(struct classes_found *c)
{
    folder_release(&c->folders);
    free(c->pictures);
}

/* ---- the parts ---------------------------------------------------------------------------------
 */

/* A share that was asked for and is no image would leave its part out without a word. */
static enum status check_share(const char *option, double share, int64_t taken, int64_t all,
                               const struct data_request *r, struct failure *f)
{
    return share > 0.0 && taken == 0
               ? fail(f, STATUS_USAGE, "%s %g: --data %s: it is less than one of %lld pictures",
                      option, share, r->name, (long long)all)
               : STATUS_OK;
}

/* Sizes of the parts. A share leaves the rest truncated: of 273 images a validation share of 0.1
 * leaves 245 for the training and takes 28. */
static enum status count_parts(const struct data_request *r, int64_t all,
                               int64_t counts[DATA_PARTS], struct failure *f)
{
    enum status status = STATUS_OK;
    if (r->split) {
        if (r->validation_share > 0.0 || r->test_share > 0.0)
            return fail(f, STATUS_USAGE,
                        "--split gives the number of images: it excludes --validation-share and "
                        "--test-share");
        status = data_read_split(r->split, counts, f);
    } else {
        /* The least addend lets 10 images with a share of 0.1 leave 9, whatever the rounding. */
        const int64_t rest = (int64_t)floor((double)all * (1.0 - r->test_share) + 1e-9);
        counts[DATA_TRAIN] = (int64_t)floor((double)rest * (1.0 - r->validation_share) + 1e-9);
        counts[DATA_VALIDATION] = rest - counts[DATA_TRAIN];
        counts[DATA_TEST] = all - rest;
        status = check_share("--test-share", r->test_share, counts[DATA_TEST], all, r, f);
        if (status == STATUS_OK)
            status = check_share("--validation-share", r->validation_share, counts[DATA_VALIDATION],
                                 rest, r, f);
    }
    if (status == STATUS_OK &&
        counts[DATA_TRAIN] + counts[DATA_VALIDATION] + counts[DATA_TEST] > all)
        status = fail(f, STATUS_USAGE, "--split %s: --data %s has %lld pictures", r->split, r->name,
                      (long long)all);
    return status;
}

/* The place of a picture: its rank in the shuffled order decides its part, and where it stands
 * there.
 */
static bool place_of(const struct data *d, int64_t rank, enum data_parts *part, int64_t *at)
{
    for (int i = 0; i < DATA_PARTS; i++) {
        if (rank < d->parts[i].count) {
            *part = (enum data_parts)i;
            *at = rank;
            return true;
        }
        rank -= d->parts[i].count;
    }
    return false;
}

/* Reads the pictures of a class in their order, and writes each to its place. `ranks`: of these
 * pictures. */
static enum status read_class(struct data *d, const char *folder, int32_t label,
                              const int64_t *ranks, struct failure *f)
{
    const struct picture_form form = {d->shape.channels, d->shape.rows, d->shape.cols,
                                      .plain = true};
    const int64_t plane = form.rows * form.cols, elements = tensor_elements(d->shape);
    struct source *source = NULL;
    struct failure said = {0};
    enum status status = pictures_open(&source, folder, &form, false, &said);
    const int64_t count = status == STATUS_OK ? source_batch(source) : 0;
    for (int64_t i = 0; i < count && status == STATUS_OK; i++) {
        enum data_parts part;
        int64_t at;
        if (!place_of(d, ranks[i], &part, &at))
            continue;
        d->parts[part].labels[at] = label;
        for (int64_t c = 0; c < form.channels && status == STATUS_OK; c++) {
            const struct image_range range = {i * form.channels + c, 0, form.rows, 0, form.cols};
            status = source_read(source, &range, d->parts[part].images + at * elements + c * plane,
                                 form.cols, NULL, &said);
        }
    }
    source_close(source);
    return of_option(&said, f);
}

static enum status read_all(struct data *d, const struct classes_found *c, uint64_t seed,
                            struct failure *f)
{
    int64_t *ranks = malloc((size_t)c->all * sizeof *ranks), first = 0;
    enum status status = STATUS_OK;
    if (!ranks)
        return fail(f, STATUS_RESOURCE, "no memory for %lld pictures", (long long)c->all);
    data_shuffle(digest_mix(seed), ranks, c->all);
    for (int64_t i = 0; i < c->folders.count && status == STATUS_OK; i++) {
        status = read_class(d, c->folders.paths[i], (int32_t)i, ranks + first, f);
        first += c->pictures[i];
    }
    free(ranks);
    return status;
}

enum status data_folder(struct data *d, const struct data_request *r, struct failure *f)
{
    struct classes_found c = {{NULL, 0}, NULL, 0};
    int64_t counts[DATA_PARTS];
    if (r->input.rows == 1 && r->input.cols == 1)
        return fail(f, STATUS_USAGE, "--data %s: the network takes vectors, not pictures", r->name);
    if (r->outputs < 2)
        return fail(f, STATUS_USAGE, "--data %s: the network has one output, and no classes",
                    r->name);
    d->classes = true;
    enum status status = find_classes(&c, d, r->name, f);
    if (status == STATUS_OK && c.folders.count > r->outputs)
        status =
            fail(f, STATUS_USAGE, "--data %s: %lld classes, where the network has %lld outputs",
                 r->name, (long long)c.folders.count, (long long)r->outputs);
    if (status == STATUS_OK)
        status = count_parts(r, c.all, counts, f);
    for (int i = 0; status == STATUS_OK && i < DATA_PARTS; i++)
        if (counts[i] > 0)
            status = data_allocate(d, (enum data_parts)i, counts[i], f);
    if (status == STATUS_OK)
        status = read_all(d, &c, r->seed, f);
    release_classes(&c);
    return status;
}
