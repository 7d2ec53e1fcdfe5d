#include "experiments/analysis/machine_facts.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#ifdef MAXPOOL_HAVE_CJSON
#include <cjson/cJSON.h>

/* Path of keys of each fact in environment.json, and the field it fills. Size 0 marks a number. */
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
    REAL("conditions.frequency_least_mhz", frequency_least_mhz),
    REAL("conditions.frequency_most_mhz", frequency_most_mhz),
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

static void copy_text(char *to, size_t size, const cJSON *item)
{
    snprintf(to, size, "%s", cJSON_IsString(item) ? item->valuestring : "");
}

/* NaN if it is not a number, or below 0. */
static double amount_of(const cJSON *item, const char *name)
{
    const cJSON *number = cJSON_GetObjectItemCaseSensitive(item, name);
    return cJSON_IsNumber(number) && number->valuedouble >= 0.0 ? number->valuedouble : NAN;
}

/* Reads the list of runs; leaves it empty if memory runs out. */
static void take_runs(struct machine_facts *m, const cJSON *root)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(root, "runs"), *item;
    const int count = cJSON_IsArray(list) ? cJSON_GetArraySize(list) : 0;
    m->runs = count ? calloc((size_t)count, sizeof *m->runs) : NULL;
    cJSON_ArrayForEach(item, list)
    {
        if (!m->runs)
            break;
        struct machine_run *run = &m->runs[m->run_count++];
        copy_text(run->begin_utc, sizeof run->begin_utc,
                  cJSON_GetObjectItemCaseSensitive(item, "begin_utc"));
        copy_text(run->end_utc, sizeof run->end_utc,
                  cJSON_GetObjectItemCaseSensitive(item, "end_utc"));
        run->load = amount_of(item, "busy_cores");
        run->stolen = amount_of(item, "stolen_share");
        run->others = amount_of(item, "others_busy_cores");
    }
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
        return fail(f, failure_status_of(errno, STATUS_USAGE), "%s: cannot be read: %s", path,
                    strerror(errno));
    cJSON *root = cJSON_Parse(text);
    free(text);
    if (!cJSON_IsObject(root)) {
        cJSON_Delete(root);
        return fail(f, STATUS_USAGE, "%s: is no JSON object", path);
    }
    m->known = true;
    take(m, root);
    take_runs(m, root);
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
                                .frequency_least_mhz = NAN,
                                .frequency_most_mhz = NAN,
                                .clock_resolution_s = NAN};
    struct stat about;
    const bool empty =
        stat(path, &about) == 0 ? about.st_size == 0 : errno == ENOENT || errno == ENOTDIR;
    return empty ? STATUS_OK : read_json(m, path, f);
}

void machine_facts_release(struct machine_facts *m)
{
    free(m->runs);
    m->runs = NULL;
    m->run_count = 0;
}

/* Returns the run that was under way at `utc`, or NULL if none was. It is the last that had begun;
 * one that was killed has no end. */
static const struct machine_run *run_at(const struct machine_facts *m, const char *utc)
{
    for (size_t i = m->run_count; i-- > 0;) {
        const struct machine_run *run = &m->runs[i];
        if (strcmp(run->begin_utc, utc) <= 0)
            return !run->end_utc[0] || strcmp(utc, run->end_utc) <= 0 ? run : NULL;
    }
    return NULL;
}

size_t machine_run_number(const struct machine_facts *m, const char *utc)
{
    const struct machine_run *run = run_at(m, utc);
    return run ? (size_t)(run - m->runs) + 1 : 0;
}

double machine_load_at(const struct machine_facts *m, const char *utc)
{
    if (!m->run_count)
        return m->load;
    const struct machine_run *run = run_at(m, utc);
    return run ? run->load : (double)NAN;
}

double machine_most_workers(const struct machine_facts *m)
{
    const double cores = m->cores > 0.0 ? m->cores : (double)INFINITY;
    return m->quota_cores > 0.0 ? fmin(cores, m->quota_cores) : cores;
}

double machine_stolen_at(const struct machine_facts *m, const char *utc)
{
    const struct machine_run *run = run_at(m, utc);
    return run ? run->stolen : (double)NAN;
}

double machine_others_at(const struct machine_facts *m, const char *utc)
{
    const struct machine_run *run = run_at(m, utc);
    return run ? run->others : (double)NAN;
}
