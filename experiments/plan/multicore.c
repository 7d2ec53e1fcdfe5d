#include "experiments/plan/multicore.h"

#include "experiments/common/lists.h"
#include "experiments/definition/definition_source.h"
#include "harness/base/suite_files.h"
#include "harness/base/text/fit.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* A key of the file. Each must be there, and is a number in (least, most] or [1, most]. */
struct key {
    const char *name;
    size_t offset;
    bool whole;       /* int64_t, at least 1; else double, above 0 */
    bool may_be_zero; /* there may be none */
    double most;      /* 0: any */
};

#define KEY(name, member, ...)                                                                     \
    {                                                                                              \
        name, offsetof(struct multicore, member), __VA_ARGS__                                      \
    }
static const struct key keys[] = {
    KEY("cores", cores, true, false, 65536.0),
    KEY("nodes", nodes, true, false, 65536.0),
    KEY("speed", speed, false, false, 0.0),
    KEY("clock", clock, false, false, 1.0),
    KEY("core_bandwidth", core_bandwidth, false, false, 0.0),
    KEY("node_bandwidth", node_bandwidth, false, false, 0.0),
    KEY("cache_bytes", cache_bytes, false, true, 0.0),
    KEY("cache_cores", cache_cores, true, false, 65536.0),
    KEY("cache_bandwidth", cache_bandwidth, false, false, 0.0),
    KEY("line_near_s", line_near_s, false, true, 0.0),
    KEY("line_far_s", line_far_s, false, true, 0.0),
};
enum { KEYS = sizeof keys / sizeof *keys };

static enum status refuse(const struct definition_source *in, const struct entry *e,
                          const struct key *key)
{
    if (key->whole)
        return fail(in->failure, STATUS_USAGE, "%s:%d: %s: '%s' is not a whole number from 1 to %g",
                    in->path, e->line, e->key, e->value, key->most);
    if (key->may_be_zero)
        return fail(in->failure, STATUS_USAGE, "%s:%d: %s: '%s' is not a number from 0", in->path,
                    e->line, e->key, e->value);
    if (key->most > 0.0)
        return fail(in->failure, STATUS_USAGE,
                    "%s:%d: %s: '%s' is not a number above 0 and at most %g", in->path, e->line,
                    e->key, e->value, key->most);
    return fail(in->failure, STATUS_USAGE, "%s:%d: %s: '%s' is not a number above 0", in->path,
                e->line, e->key, e->value);
}

static enum status set_number(const struct definition_source *in, const struct entry *e,
                              const struct key *key, struct multicore *out)
{
    char *end;
    const double value = strtod(e->value, &end);
    const bool large = key->whole ? value >= 1.0 && value == floor(value)
                                  : value > 0.0 || (key->may_be_zero && value == 0.0);
    if (end == e->value || *end || !isfinite(value) || !large ||
        (key->most > 0.0 && value > key->most))
        return refuse(in, e, key);
    void *to = (char *)out + key->offset;
    if (key->whole)
        *(int64_t *)to = (int64_t)value;
    else
        *(double *)to = value;
    return STATUS_OK;
}

static enum status set_entry(const struct definition_source *in, const struct entry *e,
                             struct multicore *out, bool *seen)
{
    if (strcmp(in->sections[e->section].name, "machine") != 0)
        return fail(in->failure, STATUS_USAGE,
                    "%s:%d: a machine has the section [machine], not [%s]", in->path,
                    in->sections[e->section].line, in->sections[e->section].name);
    if (e->scale == EVERY_SCALE && strcmp(e->key, "title") == 0) {
        text_fit(out->title, sizeof out->title, e->value);
        return STATUS_OK;
    }
    for (size_t i = 0; i < KEYS; i++)
        if (e->scale == EVERY_SCALE && strcmp(e->key, keys[i].name) == 0) {
            seen[i] = true;
            return set_number(in, e, &keys[i], out);
        }
    return fail(in->failure, STATUS_USAGE, "%s:%d: a machine has no key '%s'", in->path, e->line,
                e->key);
}

static enum status check_whole(const struct definition_source *in, const struct multicore *out,
                               const bool *seen)
{
    for (size_t i = 0; i < KEYS; i++)
        if (!seen[i])
            return fail(in->failure, STATUS_USAGE, "%s: the machine has no key '%s'", in->path,
                        keys[i].name);
    if (out->cores % out->nodes != 0)
        return fail(in->failure, STATUS_USAGE, "%s: %lld nodes do not divide %lld cores", in->path,
                    (long long)out->nodes, (long long)out->cores);
    return STATUS_OK;
}

static bool is_path(const char *name)
{
    const size_t length = strlen(name);
    return strchr(name, '/') || (length > 4 && strcmp(name + length - 4, ".ini") == 0);
}

enum status multicore_read(struct multicore *out, const char *name, struct failure *f)
{
    char folder[PATH_MAX], path[PATH_MAX];
    bool seen[KEYS] = {false};
    *out = (struct multicore){.nodes = 0};
    enum status status = is_path(name) ? text_compose(path, sizeof path, f, "%s", name)
                                       : text_compose(path, sizeof path, f, "%s/%s.ini",
                                                      suite_share(folder, "machines"), name);
    if (status != STATUS_OK)
        return status;
    text_fit(out->name, sizeof out->name, name);
    text_fit(out->title, sizeof out->title, name);
    struct definition_source in = {.path = path, .failure = f};
    status = definition_source_read(&in);
    for (size_t i = 0; status == STATUS_OK && i < in.entry_count; i++)
        status = set_entry(&in, &in.entries[i], out, seen);
    if (status == STATUS_OK)
        status = check_whole(&in, out, seen);
    definition_source_release(&in);
    return status;
}
