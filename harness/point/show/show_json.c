#include "harness/base/utf8.h"
#include "harness/point/sampling/noise.h"
#include "harness/point/show/compare.h"
#include "harness/point/show/show.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef MAXPOOL_HAVE_CJSON
#include "harness/base/json_number.h"

/* Adds one column of a record. Integers stay exact beyond 2^53. */
static void add_column(cJSON *object, const struct column *column, const struct record *r)
{
    const char *field = (const char *)r + column->offset;
    int64_t integer;
    double real;
    char digits[32], text[UTF8_GROWTH * RECORD_TEXT];
    switch (column->type) {
    case COLUMN_TEXT:
        utf8_clean(field, text, sizeof text, false);
        if (text[0])
            cJSON_AddStringToObject(object, column->name, text);
        else
            cJSON_AddNullToObject(object, column->name);
        return;
    case COLUMN_INT:
        memcpy(&integer, field, sizeof integer);
        snprintf(digits, sizeof digits, "%lld", (long long)integer);
        cJSON_AddRawToObject(object, column->name, integer == RECORD_NO_INT ? "null" : digits);
        return;
    case COLUMN_REAL:
        memcpy(&real, field, sizeof real);
        json_add_number(object, column->name, real);
        return;
    }
}

static void add_point(cJSON *root, const struct measurement *m)
{
    cJSON *point = cJSON_AddObjectToObject(root, "last_row");
    for (size_t i = 0; i < record_schema.count; i++)
        add_column(point, &record_schema.columns[i], &m->row);
}

static void add_summary(cJSON *object, const struct summary *s)
{
    cJSON_AddNumberToObject(object, "n", (double)s->n);
    json_add_number(object, "median", s->median);
    json_add_number(object, "lower", s->lower);
    json_add_number(object, "upper", s->upper);
    json_add_number(object, "minimum", s->minimum);
    json_add_number(object, "quartile1", s->quartile1);
    json_add_number(object, "quartile3", s->quartile3);
    json_add_number(object, "maximum", s->maximum);
}

static void add_statistics(cJSON *root, const struct measurement *m)
{
    cJSON *statistics = cJSON_AddObjectToObject(root, "statistics");
    for (int phase = 0; phase < SAMPLE_PHASES; phase++) {
        const struct summary s = measurement_phase(m, phase);
        if (s.n == 0)
            continue;
        add_summary(cJSON_AddObjectToObject(statistics, phase_rows[phase].column), &s);
    }
}

static void add_samples(cJSON *root, const struct measurement *m)
{
    cJSON *samples = cJSON_AddArrayToObject(root, "samples");
    for (size_t i = 0; i < m->count; i++) {
        cJSON *sample = cJSON_CreateObject();
        for (int phase = 0; phase < SAMPLE_PHASES; phase++)
            json_add_number(sample, phase_rows[phase].column, phase_seconds(&m->timed[i], phase));
        cJSON_AddItemToArray(samples, sample);
    }
}

static void add_machine(cJSON *root, const struct machine *m)
{
    char line[1024];
    cJSON *machine = cJSON_AddObjectToObject(root, "machine");
    machine_line(m, line, sizeof line);
    cJSON_AddStringToObject(machine, "host", m->host);
    cJSON_AddStringToObject(machine, "description", line);
    cJSON_AddNumberToObject(machine, "allowed_cores", (double)m->allowed_cores);
    cJSON_AddNumberToObject(machine, "quota_cores", m->quota_cores);
    cJSON_AddNumberToObject(machine, "load", m->load);
}

enum status show_json_check(struct failure *f)
{
    (void)f;
    return STATUS_OK;
}

/* Adds how many times as fast as the first method this one is, within rounds; and whether it is the
 * fastest. */
static void add_comparison(cJSON *root, const struct point *p, size_t which)
{
    if (p->contender_count == 1)
        return;
    const struct comparison compared = compare(p, which);
    add_summary(cJSON_AddObjectToObject(root, "times_first"), &compared.faster);
    cJSON_AddBoolToObject(root, "fastest", compared.best);
}

/* Adds a text if samples were delayed, otherwise null. */
static void add_noise(cJSON *root, const struct measurement *m)
{
    char text[256];
    const struct noise noise = noise_of(m);
    if (noise.seen)
        cJSON_AddStringToObject(root, "noise", noise_text(&noise, text, sizeof text));
    else
        cJSON_AddNullToObject(root, "noise");
}

static cJSON *make_object(const struct point *p, size_t which)
{
    const struct contender *c = &p->contenders[which];
    cJSON *root = cJSON_CreateObject();
    add_point(root, &c->measurement);
    add_machine(root, &p->machine);
    json_add_number(root, "clock_resolution_s", p->clock_step_s);
    cJSON_AddNumberToObject(root, "rounded_values", (double)c->resources.facts.rounded);
    cJSON_AddNumberToObject(root, "nans_taken_as_zero", (double)c->resources.facts.nans);
    if (source_note(p->source))
        cJSON_AddStringToObject(root, "input_note", source_note(p->source));
    add_statistics(root, &c->measurement);
    add_comparison(root, p, which);
    add_noise(root, &c->measurement);
    add_samples(root, &c->measurement);
    return root;
}

/* Makes an object for one method, or an array of objects for several. */
static cJSON *make_document(const struct point *p)
{
    if (p->contender_count == 1)
        return make_object(p, 0);
    cJSON *array = cJSON_CreateArray();
    for (size_t i = 0; i < p->contender_count; i++)
        cJSON_AddItemToArray(array, make_object(p, i));
    return array;
}

enum status show_json(FILE *out, const struct point *p, struct failure *f)
{
    cJSON *root = make_document(p);
    char *text = cJSON_Print(root);
    cJSON_Delete(root);
    if (!text)
        return fail(f, STATUS_RESOURCE, "no memory for the JSON text");
    fprintf(out, "%s\n", text);
    free(text);
    return STATUS_OK;
}
#else
enum status show_json_check(struct failure *f)
{
    return fail(f, STATUS_UNAVAILABLE, "--format json: this build has no cJSON");
}

enum status show_json(FILE *out, const struct point *p, struct failure *f)
{
    (void)out;
    (void)p;
    return show_json_check(f);
}
#endif
