/* Groups points that one process can measure together. */
#include "experiments/common/text/numbering.h"
#include "experiments/plan/plan.h"
#include "experiments/samples/point.h"

#include <stdlib.h>
#include <string.h>

/* Returns a text of everything that the points of a group have in common. It includes the method
 * for simulated points: a simulated rank is given the time of its method, so different methods
 * cannot share a launch. A launch of a program of another has one method too, unless its methods
 * are phases, and belongs to one experiment. */
static char *group_name(const struct plan *plan, const struct planned *p, bool across)
{
    struct record common = p->point;
    char key[POINT_KEY], *name = NULL;
    const struct sweep_program *own = &plan_sweep(plan, p)->own;
    if (own->words ? own->phases : !p->simulated)
        common.method[0] = '\0';
    point_key(&common, key);
    across = across && !own->words;
    if (asprintf(&name, "%s %s %s", across ? "" : plan->definitions[p->definition].name,
                 plan_launcher(plan, p), key) < 0)
        return NULL;
    return name;
}

static bool add_group(struct plan *plan)
{
    struct group *grown = array_grow(plan->groups, plan->group_count, sizeof *grown);
    if (!grown)
        return false;
    plan->groups = grown;
    plan->groups[plan->group_count++] = (struct group){0};
    return true;
}

static bool add_point(struct plan *plan, size_t group, size_t point)
{
    struct group *g = &plan->groups[group];
    size_t *grown = array_grow(g->points, g->count, sizeof *grown);
    if (!grown)
        return false;
    g->points = grown;
    g->points[g->count++] = point;
    plan->points[point].group = group;
    return true;
}

enum status plan_group(struct plan *plan, bool across, struct failure *f)
{
    struct numbering names = {0};
    bool good = true;
    for (size_t i = 0; i < plan->count && good; i++) {
        char *name = group_name(plan, &plan->points[i], across);
        ptrdiff_t at = name ? numbering_put(&names, name) : NUMBERING_FULL;
        free(name);
        good = at >= 0 && ((size_t)at < plan->group_count || add_group(plan)) &&
               add_point(plan, (size_t)at, i);
    }
    numbering_release(&names);
    return good ? STATUS_OK : fail(f, STATUS_RESOURCE, "not enough memory for the plan");
}

char *plan_methods(const struct plan *plan, const size_t *points, size_t count)
{
    size_t capacity = 1, used = 0;
    for (size_t i = 0; i < count; i++)
        capacity += strlen(plan->points[points[i]].point.method) + 1;
    char *text = malloc(capacity);
    if (!text)
        return NULL;
    text[0] = '\0';
    for (size_t i = 0; i < count; i++)
        if (!plan_repeats(plan, points, i))
            used += (size_t)snprintf(text + used, capacity - used, "%s%s", used ? "," : "",
                                     plan->points[points[i]].point.method);
    return text;
}

/* Returns the first experiment of the points whose key at this offset is above 0; NULL: none. */
static const char *first_with(const struct plan *plan, const size_t *points, size_t count,
                              size_t key)
{
    for (size_t i = 0; i < count; i++) {
        const struct definition *d = &plan->definitions[plan->points[points[i]].definition];
        if (*(const int64_t *)(const void *)((const char *)d + key) > 0)
            return d->name;
    }
    return NULL;
}

const char *plan_layers(const struct plan *plan, const size_t *points, size_t count)
{
    return first_with(plan, points, count, offsetof(struct definition, layers));
}

const char *plan_training(const struct plan *plan, const size_t *points, size_t count)
{
    return first_with(plan, points, count, offsetof(struct definition, training));
}

const char *plan_timeline(const struct plan *plan, const size_t *points, size_t count)
{
    return first_with(plan, points, count, offsetof(struct definition, timeline));
}

/* Returns the stricter of two verification modes. */
static char *stricter(char *a, char *b)
{
    static const char *const ways[] = {"full", "sampled"};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (strcmp(a, ways[i]) == 0 || strcmp(b, ways[i]) == 0)
            return strcmp(a, ways[i]) == 0 ? a : b;
    return a;
}

struct sampling plan_sampling(const struct plan *plan, const size_t *points, size_t count)
{
    struct sampling all = plan->definitions[plan->points[points[0]].definition].sampling;
    for (size_t i = 1; i < count; i++) {
        const struct sampling *one =
            &plan->definitions[plan->points[points[i]].definition].sampling;
        all.samples = one->samples > all.samples ? one->samples : all.samples;
        all.warmup = one->warmup > all.warmup ? one->warmup : all.warmup;
        all.relative_ci = one->relative_ci < all.relative_ci ? one->relative_ci : all.relative_ci;
        all.max_seconds = one->max_seconds > all.max_seconds ? one->max_seconds : all.max_seconds;
        all.verify = stricter(all.verify, one->verify);
        all.epochs = one->epochs > all.epochs ? one->epochs : all.epochs;
        all.find_rate = one->find_rate > all.find_rate ? one->find_rate : all.find_rate;
    }
    return all;
}
