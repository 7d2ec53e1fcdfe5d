#include "experiments/plan/cost.h"

#include "experiments/common/results.h"
#include "experiments/common/text/numbering.h"
#include "experiments/plan/work.h"
#include "experiments/samples/journal.h"
#include "experiments/samples/point.h"
#include "networks/point/record_subject.h"
#include "peers/script_methods.h"

#include <stdlib.h>
#include <string.h>

/* ---- the model ------------------------------------------------------------------------------ */

/* Seconds to simulate a training's messages, for about four layers and two steps. The more messages
 * are under way at once, the longer one takes. */
static double step_messages_cost(const struct record *p)
{
    const double ranks = (double)work_or_one(p->ranks), shards = (double)work_or_one(p->shards);
    const bool central = strcmp(p->strategy, "central") == 0;
    const double messages = 8.0 * (shards + ranks) * (central ? 1.0 : ranks - 1.0);
    return messages * (20e-6 + 1e-9 * messages) + 0.03 * ranks;
}

/* Seconds to start a process. */
static double start_cost(const struct plan *plan, const struct planned *p)
{
    const double ranks = (double)work_or_one(p->point.ranks);
    if (p->simulated) /* mostly for the ranks' copies of the program, or a step's messages */
        return 0.2 + 0.015 * ranks + (point_trains(&p->point) ? step_messages_cost(&p->point) : 0);
    const struct script_method *script = script_method_row(p->point.operator_name, p->point.method);
    if (script && script->start_s > 0)
        return script->start_s;
    return strcmp(plan_launcher(plan, p), "plain") == 0 ? 0.02 : 0.25; /* mpirun: 0.07 to 0.31 */
}

/* Returns the table row of a point's method, ours or another library's; NULL: not known. */
static const struct method *method_row(const struct record *p)
{
    const struct point_kind kind = point_record_kind(p);
    const enum space_kind space = kind.space ? kind.space->kind : SPACE_HOST;
    const struct operator_row *o = kind.operator_row;
    const struct method *ours = o ? operator_method(o, space, p->method) : NULL;
    return ours || !o ? ours : recorded_peer(o, p->method);
}

/* Operations per second and core: from the method's row, otherwise those of vector code. Whole
 * networks consist mostly of products. */
static double speed_of(const struct record *p)
{
    const struct method *method = method_row(p);
    if (method && method->operations_per_s > 0)
        return method->operations_per_s;
    return p->network[0] ? PRODUCT_OPERATIONS_PER_S : VECTOR_OPERATIONS_PER_S;
}

static double elements_of(const struct record *p)
{
    return work_has_sizes(p) ? (double)work_or_one(p->planes) * (double)p->rows * (double)p->cols
                             : 1e6;
}

/* Seconds of one execution: the longer of the times for its operations and for its elements. */
static double execution_cost(const struct plan *plan, const struct record *p)
{
    const double elements_per_s = 1e9;
    double workers = (double)(work_or_one(p->threads) * work_or_one(p->ranks));
    double cores = (double)plan->settings.cores;
    double speed = workers < cores ? workers : cores;
    double computing = work_operations(p) / speed_of(p) / speed;
    double moving = elements_of(p) / elements_per_s;
    return computing > moving ? computing : moving;
}

/* The most executions that a launch times. An epoch counts as many steps as with random data;
 * measured launches correct this. */
static double samples_of(const struct planned *p, const struct sampling *s)
{
    const double steps_of_epoch = 4.0;
    const bool whole = point_trains(&p->point) && s->epochs > 0;
    return whole ? steps_of_epoch * (double)s->epochs : (double)s->samples;
}

/* Seconds for one method: warm-up and samples. A training with given epochs runs to its end. */
static double own_cost(const struct plan *plan, const struct planned *p)
{
    const struct sampling *s = &plan->definitions[p->definition].sampling;
    double one = execution_cost(plan, &p->point);
    const bool whole = point_trains(&p->point) && s->epochs > 0;
    double all = one * samples_of(p, s);
    double sampling = whole || all < s->max_seconds ? all : s->max_seconds + one;
    return p->simulated ? 0 : one * (double)s->warmup + sampling;
}

/* Seconds to make and pack a network's parameters, and to compare random outputs of each layer with
 * its definition. */
static double network_cost(const struct record *p)
{
    const double values_per_s = 1e8, steps_per_s = 4e8, steps_most = 4e8;
    if (!p->network[0])
        return 0;
    const double steps = work_oracle_steps(p);
    return 0.5 * (double)work_bytes(p) / sizeof(float) / values_per_s +
           (steps < steps_most ? steps : steps_most) / steps_per_s;
}

/* Seconds of the process that do not depend on the methods: start, filling and the oracle. Beyond
 * `steps_most` steps programs verify only a part (harness/point/verify/verify.c). */
static double shared_cost(const struct plan *plan, const struct planned *p)
{
    const double elements_per_s = 2e8, steps_per_s = 4e8, steps_most = 4e9;
    const struct sampling *s = &plan->definitions[p->definition].sampling;
    if (p->simulated)
        return start_cost(plan, p);
    double steps = work_oracle_steps(&p->point);
    bool whole = strcmp(s->verify, "full") == 0 && steps <= steps_most;
    return start_cost(plan, p) + elements_of(&p->point) / elements_per_s + network_cost(&p->point) +
           (whole ? steps / steps_per_s : 0);
}

/* Number of methods that a launch of a group measures. */
static size_t methods_of(const struct plan *plan, const struct group *g)
{
    size_t n = 0;
    for (size_t i = 0; i < g->count; i++)
        n += !plan->points[g->points[i]].skip && !plan_repeats(plan, g->points, i);
    return n ? n : 1;
}

/* Nothing is known of a program of another before its first launch. */
static double share_of(const struct plan *plan, const struct planned *p)
{
    if (plan_sweep(plan, p)->own.words)
        return 1.0 / (double)methods_of(plan, &plan->groups[p->group]);
    return own_cost(plan, p) +
           shared_cost(plan, p) / (double)methods_of(plan, &plan->groups[p->group]);
}

/* ---- corrections by what was measured ------------------------------------------------------- */

/* Measured and estimated seconds of launches that have something in common. */
struct ratio {
    double measured_s, estimated_s;
};

struct corrections {
    struct plan *plan;
    size_t definition;
    struct numbering names; /* names of what launches have in common; they number `ratios` */
    struct ratio *ratios;   /* one per name */
    bool out_of_memory;
};

/* Names what a point's launches have in common with other launches, the closest first: program and
 * method, program, nothing. */
enum { SIMILARITY_LEVELS = 3 };
static void similarity_key(const struct record *p, size_t which, char *name, size_t size)
{
    const char *forms[SIMILARITY_LEVELS] = {p->method, "", ""};
    snprintf(name, size, "%s %s", which == 2 ? "" : p->program, forms[which]);
}

static void add_ratio(struct corrections *c, const char *name, double measured_s,
                      double estimated_s)
{
    size_t before = c->names.count;
    ptrdiff_t at = numbering_put(&c->names, name);
    if (at >= 0 && (size_t)at == before) {
        struct ratio *grown = array_grow(c->ratios, before, sizeof *grown);
        if (grown) {
            c->ratios = grown;
            c->ratios[at] = (struct ratio){0};
        } else {
            at = NUMBERING_FULL;
        }
    }
    c->out_of_memory = c->out_of_memory || at < 0;
    if (c->out_of_memory)
        return;
    c->ratios[at].measured_s += measured_s;
    c->ratios[at].estimated_s += estimated_s;
}

void cost_learn(struct planned *p, double share_s)
{
    p->measured++;
    p->measured_s += (share_s - p->measured_s) / (double)p->measured;
    p->estimate_s = p->measured_s;
}

static bool take_launch(const struct journal_row *row, void *context)
{
    struct corrections *c = context;
    if (strcmp(row->status, "done") != 0 || !(row->seconds > 0) ||
        strcmp(row->scale, scale_names[c->plan->definitions[c->definition].scale]) != 0)
        return true;
    for (size_t i = 0; i < c->plan->count; i++) {
        struct planned *p = &c->plan->points[i];
        if (p->definition != c->definition || !point_matches(&p->point, &row->point))
            continue;
        for (size_t which = 0; which < SIMILARITY_LEVELS; which++) {
            char name[2 * RECORD_TEXT + 2];
            similarity_key(&p->point, which, name, sizeof name);
            add_ratio(c, name, row->seconds, share_of(c->plan, p));
        }
        cost_learn(p, row->seconds);
        break;
    }
    return !c->out_of_memory;
}

/* Returns the model's seconds, multiplied by its error factor for the most similar launches. */
static double corrected(const struct corrections *c, const struct planned *p)
{
    double share = share_of(c->plan, p);
    for (size_t which = 0; which < SIMILARITY_LEVELS; which++) {
        char name[2 * RECORD_TEXT + 2];
        similarity_key(&p->point, which, name, sizeof name);
        ptrdiff_t at = numbering_find(&c->names, name);
        if (at >= 0 && c->ratios[at].estimated_s > 0)
            return share * c->ratios[at].measured_s / c->ratios[at].estimated_s;
    }
    return share;
}

enum status cost_estimate(struct plan *plan, const char *results, struct failure *f)
{
    struct corrections c = {.plan = plan};
    enum status status = STATUS_OK;
    for (; c.definition < plan->definition_count && status == STATUS_OK; c.definition++) {
        const char *name = plan->definitions[c.definition].name;
        status = journal_read_of(results, name, take_launch, &c, f);
    }
    if (status == STATUS_OK && c.out_of_memory)
        status = fail(f, STATUS_RESOURCE, "not enough memory for the plan");
    for (size_t i = 0; i < plan->count && status == STATUS_OK; i++) {
        struct planned *p = &plan->points[i];
        if (p->measured == 0)
            p->estimate_s = corrected(&c, p);
    }
    numbering_release(&c.names);
    free(c.ratios);
    return status;
}

void cost_learn_start(struct plan *plan, const char *launcher, double start_s)
{
    for (size_t i = 0; i < plan->count; i++) {
        struct planned *p = &plan->points[i];
        if (strcmp(plan_launcher(plan, p), launcher) != 0 || p->measured > 0)
            continue;
        double more = start_s - start_cost(plan, p);
        if (more > 0)
            p->estimate_s =
                share_of(plan, p) + more / (double)methods_of(plan, &plan->groups[p->group]);
    }
}
