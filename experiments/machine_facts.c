#include "experiments/machine_facts.h"

#include "harness/table.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef MAXPOOL_HAVE_CJSON
#include <cjson/cJSON.h>

/* Where each fact stands in environment.json: a path of keys, and the field it fills. A size of 0
 * marks a number. */
static const struct {
    const char *path;
    size_t offset, size;
} facts[] = {
#define TEXT(path, field)                                                                          \
    {                                                                                              \
        path, offsetof(struct machine_facts, field), sizeof((struct machine_facts *)0)->field      \
    }
#define REAL(path, field)                                                                          \
    {                                                                                              \
        path, offsetof(struct machine_facts, field), 0                                             \
    }
    TEXT("machine.host", host),
    TEXT("machine.cpu", cpu),
    REAL("machine.allowed_cores", cores),
    REAL("machine.quota_cores", quota_cores),
    REAL("machine.memory_bytes", memory_bytes),
    REAL("conditions.busy_cores", load),
    REAL("machine.clock_resolution_s", clock_resolution_s),
    TEXT("conditions.governor", governor),
    TEXT("system.name", os),
    TEXT("system.release", kernel),
    TEXT("build.compiler", compiler),
    TEXT("build.flags", flags),
    TEXT("build.commit", commit),
    TEXT("mpi", mpi),
    TEXT("gpus.0", gpu),
    TEXT("time_utc", time_utc),
#undef TEXT
#undef REAL
};

static const cJSON *find(const cJSON *root, const char *path)
{
    char key[64];
    while (root && *path) {
        size_t length = strcspn(path, ".");
        snprintf(key, sizeof key, "%.*s", (int)length, path);
        root = cJSON_IsArray(root) ? cJSON_GetArrayItem(root, atoi(key))
                                   : cJSON_GetObjectItemCaseSensitive(root, key);
        path += length + (path[length] == '.');
    }
    return root;
}

static void take(struct machine_facts *m, const cJSON *root)
{
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        const cJSON *item = find(root, facts[i].path);
        char *field = (char *)m + facts[i].offset;
        if (facts[i].size && cJSON_IsString(item))
            snprintf(field, facts[i].size, "%s", item->valuestring);
        if (!facts[i].size && cJSON_IsNumber(item))
            memcpy(field, &item->valuedouble, sizeof(double));
    }
    if (!(m->quota_cores > 0.0))
        m->quota_cores = NAN;
    if (!(m->load >= 0.0))
        m->load = NAN;
}

static char *read_text(const char *path)
{
    enum { MOST = 4 << 20 };
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    char *text = malloc(MOST + 1);
    if (text)
        text[fread(text, 1, MOST, file)] = '\0';
    fclose(file);
    return text;
}

static enum status read_json(struct machine_facts *m, const char *path, struct failure *f)
{
    char *text = read_text(path);
    if (!text)
        return fail(f, STATUS_USAGE, "%s: cannot be read: %s", path, strerror(errno));
    cJSON *root = cJSON_Parse(text);
    free(text);
    if (!cJSON_IsObject(root)) {
        cJSON_Delete(root);
        return fail(f, STATUS_USAGE, "%s: is no JSON object", path);
    }
    m->known = true;
    take(m, root);
    cJSON_Delete(root);
    return STATUS_OK;
}
#else
static enum status read_json(struct machine_facts *m, const char *path, struct failure *f)
{
    (void)m;
    return fail(f, STATUS_UNAVAILABLE, "%s: this build cannot read JSON (built without cJSON)",
                path);
}
#endif

enum status machine_facts_read(struct machine_facts *m, const char *path, struct failure *f)
{
    *m = (struct machine_facts){.cores = NAN,
                                .quota_cores = NAN,
                                .memory_bytes = NAN,
                                .load = NAN,
                                .clock_resolution_s = NAN};
    return access(path, F_OK) == 0 ? read_json(m, path, f) : STATUS_OK;
}

/* ---- ceilings ------------------------------------------------------------------------------- */

static const struct column ceiling_columns[] = {
    {"level", COLUMN_TEXT, offsetof(struct ceiling, level), sizeof((struct ceiling *)0)->level,
     "L1, L2, L3 or memory"},
    {"bytes", COLUMN_REAL, offsetof(struct ceiling, bytes), sizeof(double),
     "capacity of the level"},
    {"workers", COLUMN_REAL, offsetof(struct ceiling, workers), sizeof(double), "that stream"},
    {"bandwidth_bytes_per_s", COLUMN_REAL, offsetof(struct ceiling, bandwidth), sizeof(double),
     "median"},
    {"lower_bytes_per_s", COLUMN_REAL, offsetof(struct ceiling, lower), sizeof(double), "of 95 %"},
    {"upper_bytes_per_s", COLUMN_REAL, offsetof(struct ceiling, upper), sizeof(double), "of 95 %"},
};
static const struct schema ceiling_schema = {
    ceiling_columns, sizeof ceiling_columns / sizeof *ceiling_columns, sizeof(struct ceiling)};

enum status ceilings_add(struct ceilings *c, const struct ceiling *row, struct failure *f)
{
    struct ceiling *grown = realloc(c->rows, (c->count + 1) * sizeof *grown);
    if (!grown)
        return fail(f, STATUS_RESOURCE, "no memory for %zu ceilings", c->count + 1);
    c->rows = grown;
    grown[c->count++] = *row;
    return STATUS_OK;
}

static bool take_ceiling(const void *row, int64_t line, void *context)
{
    (void)line;
    return ceilings_add(context, row, NULL) == STATUS_OK;
}

enum status ceilings_write(const struct ceilings *c, const char *path, struct failure *f)
{
    struct table_writer *w = NULL;
    if (unlink(path) != 0 && errno != ENOENT)
        return fail(f, STATUS_OUTPUT, "%s: cannot be replaced: %s", path, strerror(errno));
    enum status status = table_writer_open(&w, &ceiling_schema, path, NULL, f);
    for (size_t i = 0; status == STATUS_OK && i < c->count; i++)
        status = table_append(w, &c->rows[i], f);
    const enum status closed = table_writer_close(w, f);
    return status != STATUS_OK ? status : closed;
}

enum status ceilings_read(struct ceilings *c, const char *path, struct failure *f)
{
    *c = (struct ceilings){0};
    if (access(path, F_OK) != 0)
        return STATUS_OK;
    return table_read(path, &ceiling_schema, take_ceiling, c, NULL, f);
}

void ceilings_release(struct ceilings *c)
{
    free(c->rows);
    *c = (struct ceilings){0};
}

/* Smaller capacity first (none: memory, the last), then fewer workers. */
static bool nearer(const struct ceiling *a, const struct ceiling *b)
{
    double x = isnan(a->bytes) ? INFINITY : a->bytes, y = isnan(b->bytes) ? INFINITY : b->bytes;
    return x < y || (x == y && a->workers < b->workers);
}

const struct ceiling *ceilings_find(const struct ceilings *c, double bytes, double workers)
{
    const struct ceiling *best = NULL;
    for (size_t i = 0; c && i < c->count; i++) {
        const struct ceiling *row = &c->rows[i];
        bool holds = isnan(row->bytes) || row->bytes >= bytes;
        if (holds && row->workers >= workers && (!best || nearer(row, best)))
            best = row;
    }
    return best;
}
