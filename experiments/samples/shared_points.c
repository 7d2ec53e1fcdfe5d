#include "experiments/samples/shared_points.h"

#include <stdlib.h>
#include <string.h>

/* An occurrence of a point: its key and its file. */
struct occurrence {
    size_t key, file;
};

static int by_key(const void *a, const void *b)
{
    const struct occurrence *p = a, *q = b;
    return (p->key > q->key) - (p->key < q->key);
}

/* Marks every two files that contain the same key. */
static void note_pairs(struct shared_points *s, struct occurrence *occurrences, size_t count)
{
    qsort(occurrences, count, sizeof *occurrences, by_key);
    for (size_t first = 0, end = 0; first < count; first = end) {
        for (end = first; end < count && occurrences[end].key == occurrences[first].key; end++)
            ;
        for (size_t i = first; i < end; i++)
            for (size_t j = first; j < end; j++)
                s->same[occurrences[i].file * s->count + occurrences[j].file] = true;
    }
}

/* Returns false if memory runs out. */
static bool compare_files(struct shared_points *s)
{
    struct numbering keys = {0};
    struct occurrence *occurrences = NULL;
    size_t count = 0, points = 0;
    for (size_t i = 0; i < s->count; i++)
        points += s->sets[i].point_count;
    occurrences = calloc(points + 1, sizeof *occurrences);
    bool whole = occurrences != NULL;
    for (size_t i = 0; i < s->count; i++)
        for (size_t j = 0; j < s->sets[i].point_count && whole; j++) {
            const ptrdiff_t key = numbering_put(&keys, s->sets[i].points[j].key);
            whole = key >= 0;
            if (whole)
                occurrences[count++] = (struct occurrence){(size_t)key, i};
        }
    if (whole)
        note_pairs(s, occurrences, count);
    free(occurrences);
    numbering_release(&keys);
    return whole;
}

static bool shares_any(const struct shared_points *s, size_t file)
{
    for (size_t i = 0; i < s->count; i++)
        if (shared_points_are_in(s, file, i))
            return true;
    return false;
}

enum status shared_points_read(struct shared_points *out, const struct texts *files,
                               struct failure *f)
{
    *out = (struct shared_points){.files = *files};
    if (files->count < 2)
        return STATUS_OK;
    out->sets = calloc(files->count, sizeof *out->sets);
    out->same = calloc(files->count * files->count, sizeof *out->same);
    const bool allocated = out->sets && out->same;
    out->count = allocated ? files->count : 0;
    for (size_t i = 0; i < out->count; i++) {
        struct failure unread = {0};
        samples_read(&out->sets[i], files->items[i], &unread);
    }
    if (!allocated || !compare_files(out)) {
        shared_points_release(out);
        return fail(f, STATUS_RESOURCE, "not enough memory for the points of %zu files",
                    files->count);
    }
    return STATUS_OK;
}

void shared_points_release(struct shared_points *s)
{
    for (size_t i = 0; i < s->count; i++)
        samples_release(&s->sets[i]);
    free(s->sets);
    free(s->same);
    *s = (struct shared_points){0};
}

enum status shared_points_samples(struct samples *out, struct shared_points *s, const char *path,
                                  struct failure *f)
{
    size_t own = 0;
    while (own < s->count && strcmp(s->files.items[own], path) != 0)
        own++;
    if (own == s->count || s->sets[own].point_count == 0)
        return samples_read(out, path, f);
    if (shares_any(s, own))
        return samples_join(out, &s->sets[own], path, s->sets, s->count, f);
    *out = s->sets[own];
    s->sets[own] = (struct samples){0};
    return STATUS_OK;
}

bool shared_points_are_in(const struct shared_points *s, size_t file, size_t other)
{
    return file != other && s->same[file * s->count + other];
}
