/* Writes the report as one JSON object, for autograders. */
#include "classroom/lab/guard/protection.h"
#include "classroom/lab/lab.h"

#include "harness/base/json_number.h"
#include "harness/base/utf8.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void add_summary(cJSON *object, const char *name, const struct summary *s)
{
    cJSON *part = cJSON_AddObjectToObject(object, name);
    json_add_number(part, "median", s->median);
    json_add_number(part, "lower", s->lower);
    json_add_number(part, "upper", s->upper);
    json_add_number(part, "n", (double)s->n);
}

static void add_timing(cJSON *root, const struct lab_report *r)
{
    const struct lab_timing *timing = &r->timing;
    const struct lab_candidate *kernel = &timing->candidates[0];
    const struct bounded share = lab_share_of_limit(r);
    json_add_number(root, "rows", (double)timing->input.size.rows);
    json_add_number(root, "columns", (double)timing->input.size.cols);
    add_summary(root, "seconds", &kernel->time);
    cJSON_AddStringToObject(root, "stop_reason", timing->stop_reason);
    json_add_number(root, "hand_over_s", timing->echo_s);
    json_add_number(root, "machine_limit_s", r->limit.roof.seconds);
    json_add_number(root, "share_of_limit", share.value);
    json_add_number(root, "share_of_limit_lower", share.lower);
    json_add_number(root, "share_of_limit_upper", share.upper);
    cJSON *methods = cJSON_AddArrayToObject(root, "compared_with");
    for (size_t i = 1; i < timing->count; i++) {
        cJSON *method = cJSON_CreateObject();
        cJSON_AddStringToObject(method, "method", timing->candidates[i].name);
        add_summary(method, "seconds", &timing->candidates[i].time);
        add_summary(method, "times_as_fast", &timing->candidates[i].ratio);
        cJSON_AddItemToArray(methods, method);
    }
    if (timing->best > 0) {
        cJSON *best = cJSON_AddObjectToObject(root, "best");
        cJSON_AddStringToObject(best, "method", timing->candidates[timing->best].name);
        add_summary(best, "seconds", &timing->best_time);
        add_summary(best, "times_as_fast", &timing->best_ratio);
    }
    if (timing->next > 0)
        cJSON_AddStringToObject(root, "next", timing->candidates[timing->next].name);
}

static void add_conditions(cJSON *root, const struct lab_report *r)
{
    const struct other_load *l = &r->timing.load;
    cJSON *part = cJSON_AddObjectToObject(root, "conditions");
    json_add_number(part, "others_cores", l->cores);
    json_add_number(part, "hardware_threads", (double)l->hardware_threads);
    json_add_number(part, "stolen_share", l->stolen_share);
    json_add_number(part, "pressure_share", l->pressure_share);
    cJSON_AddBoolToObject(part, "disturbed", lab_was_disturbed(r));
    cJSON_AddBoolToObject(part, "graded_despite_load", r->request.despite_load);
}

static void add_grade(cJSON *root, const struct lab_grade *g, const char *method)
{
    cJSON *grade = cJSON_AddObjectToObject(root, "grade");
    const bool decided = g->decided && !g->disturbed;
    cJSON_AddStringToObject(grade, "verdict",
                            g->disturbed ? "MEASURE AGAIN"
                            : decided    ? "DECIDED"
                                         : "UNDECIDED");
    json_add_number(grade, "points", g->disturbed ? NAN : g->points);
    json_add_number(grade, "perhaps", g->disturbed ? NAN : decided ? g->points : g->perhaps);
    json_add_number(grade, "most", g->most);
    cJSON_AddStringToObject(grade, "method", method);
    json_add_number(grade, "ratio", g->ratio);
    json_add_number(grade, "lower", g->lower);
    json_add_number(grade, "upper", g->upper);
    cJSON_AddStringToObject(grade, "basis", "measured here");
}

static void add_verdict(cJSON *root, const struct lab_report *r)
{
    char file[PATH_MAX];
    snprintf(file, sizeof file, "%s", r->file);
    utf8_clean_foreign(file, false);
    cJSON_AddStringToObject(root, "file", file);
    cJSON_AddStringToObject(root, "method", r->name);
    cJSON_AddStringToObject(root, "operator", r->kind->name);
    json_add_number(root, "threads", (double)r->threads);
    cJSON_AddStringToObject(root, "verdict", lab_verdict_word(r->verdict));
    cJSON_AddStringToObject(root, "cause", r->trial->cause);
    cJSON_AddStringToObject(root, "shape", r->checks.shape);
    cJSON_AddStringToObject(root, "source_line", r->trial->source_line);
    cJSON_AddStringToObject(root, "command", r->build.command);
    lab_protection_json(root, r->checks.protection);
}

struct cJSON *lab_json_object(const struct lab_report *r)
{
    cJSON *root = cJSON_CreateObject();
    add_verdict(root, r);
    if (r->timed && r->verdict == LAB_CORRECT) {
        add_timing(root, r);
        add_conditions(root, r);
    }
    if (r->rubric)
        add_grade(root, &r->grade, r->rubric->method);
    return root;
}

enum status lab_json(const struct lab_report *r, struct failure *f)
{
    cJSON *root = lab_json_object(r);
    char *text = cJSON_Print(root);
    cJSON_Delete(root);
    if (!text)
        return fail(f, STATUS_RESOURCE, "no memory for the JSON text");
    puts(text);
    free(text);
    return STATUS_OK;
}
