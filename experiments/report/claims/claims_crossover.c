/* Which of two ways takes less time as fully connected networks grow, and where one overtakes the
 * other: one thread and all, the processor and a GPU, a wide network and a deep one. */
#include "experiments/common/text/messages.h"
#include "experiments/report/claims/claims.h"
#include "experiments/report/claims/crossover.h"
#include "experiments/report/numbers.h"
#include "experiments/samples/point.h"

#include <stdlib.h>
#include <string.h>

static const struct record *record_of(const struct point *p)
{
    return &p->samples->identity;
}

static double parameters_of(const struct point *p)
{
    return point_parameter_bytes(record_of(p)) / sizeof(float);
}

/* ---- points ---------------------------------------------------------------------------------- */

enum way { WAY_ONE_THREAD, WAY_ALL_THREADS, WAY_PROCESSOR, WAY_GPU };

/* Points of one task and one batch. */
struct selection {
    const struct analysis *analysis;
    bool trains;
    int64_t batch;
    double most; /* largest number of threads */
};

/* True for points of ours, of a fully connected network, in one process with a core per thread. */
static bool is_candidate(const struct selection *s, const struct point *p)
{
    static const struct wanted any = {0};
    const struct record *r = record_of(p);
    return evidence_fits(p, &any) && !p->shares_cores && r->network[0] && !point_has_ranks(r) &&
           point_trains(r) == s->trains && point_hidden_layers(r) > 0;
}

static bool is_way(const struct selection *s, const struct point *p, enum way way)
{
    const bool device = point_is_on_device(record_of(p));
    switch (way) {
    case WAY_ONE_THREAD:
        return !device && p->workers == 1.0;
    case WAY_ALL_THREADS:
        return !device && p->workers == s->most && s->most > 1.0;
    case WAY_PROCESSOR:
        return !device;
    default:
        return device;
    }
}

static bool is_selected(const struct selection *s, const struct point *p, enum way way)
{
    return is_candidate(s, p) && record_images(record_of(p)) == s->batch && is_way(s, p, way);
}

static bool same_network(const struct point *p, const struct point *q)
{
    return strcmp(record_of(p)->network, record_of(q)->network) == 0;
}

/* Chooses the fastest point of a network, computed that way. */
static struct choice choose(const struct selection *s, const struct point *network, enum way way)
{
    const struct analysis *a = s->analysis;
    const struct point **all = calloc(a->point_count + 1, sizeof *all);
    size_t count = 0;
    for (size_t i = 0; all && network && i < a->point_count; i++)
        if (same_network(&a->points[i], network) && is_selected(s, &a->points[i], way))
            all[count++] = &a->points[i];
    const struct choice choice = choice_of(&a->samples, all, count);
    free(all);
    return choice;
}

/* True for the first point of its network, computed that way. */
static bool is_first_of_network(const struct selection *s, size_t i, enum way way)
{
    const struct point *points = s->analysis->points;
    if (!is_selected(s, &points[i], way))
        return false;
    for (size_t j = 0; j < i; j++)
        if (same_network(&points[j], &points[i]) && is_selected(s, &points[j], way))
            return false;
    return true;
}

/* ---- pairs ----------------------------------------------------------------------------------- */

/* Pairs the two ways of each network. */
static void pair_ways(const struct selection *s, enum way first, enum way second,
                      struct crossover *out)
{
    for (size_t i = 0; i < s->analysis->point_count; i++) {
        const struct point *p = &s->analysis->points[i];
        if (!is_first_of_network(s, i, first))
            continue;
        const struct choice a = choose(s, p, first), b = choose(s, p, second);
        crossover_add(out, &s->analysis->samples, parameters_of(p), &a, &b);
    }
}

/* Of the networks with several hidden layers and more parameters than `wide`, returns the one with
 * the fewest parameters. */
static const struct point *next_deep(const struct selection *s, const struct point *wide,
                                     enum way way)
{
    const struct point *next = NULL;
    for (size_t i = 0; i < s->analysis->point_count; i++) {
        const struct point *p = &s->analysis->points[i];
        if (is_selected(s, p, way) && point_hidden_layers(record_of(p)) > 1 &&
            parameters_of(p) > parameters_of(wide) &&
            (!next || parameters_of(p) < parameters_of(next)))
            next = p;
    }
    return next;
}

/* Pairs each network of one hidden layer with the next larger one of several. */
static void pair_depths(const struct selection *s, enum way way, enum way unused,
                        struct crossover *out)
{
    (void)unused;
    for (size_t i = 0; i < s->analysis->point_count; i++) {
        const struct point *p = &s->analysis->points[i];
        if (!is_first_of_network(s, i, way) || point_hidden_layers(record_of(p)) != 1)
            continue;
        const struct choice wide = choose(s, p, way), deep = choose(s, next_deep(s, p, way), way);
        crossover_add(out, &s->analysis->samples, parameters_of(p), &wide, &deep);
    }
}

typedef void pair_function(const struct selection *s, enum way first, enum way second,
                           struct crossover *out);

/* Selects the batch of point i. True if it is the first point of that batch, computed that way. */
static bool begins_batch(struct selection *s, size_t i, enum way way)
{
    const struct point *points = s->analysis->points;
    s->batch = record_images(record_of(&points[i]));
    if (!is_selected(s, &points[i], way))
        return false;
    for (size_t j = 0; j < i; j++)
        if (is_selected(s, &points[j], way))
            return false;
    return true;
}

/* Makes the pairs of the batch with the most pairs; of equal ones, the largest batch. The caller
 * releases them. */
static void make_pairs(const struct analysis *a, bool trains, pair_function *pair, enum way first,
                       enum way second, struct crossover *out)
{
    struct selection s = {.analysis = a, .trains = trains};
    int64_t batch = 0;
    for (size_t i = 0; i < a->point_count; i++)
        if (is_candidate(&s, &a->points[i]) && a->points[i].workers > s.most)
            s.most = a->points[i].workers;
    *out = (struct crossover){.count = 0};
    for (size_t i = 0; i < a->point_count; i++) {
        struct crossover own = {.lacks_memory = out->lacks_memory};
        if (!begins_batch(&s, i, first))
            continue;
        pair(&s, first, second, &own);
        if (own.count > out->count || (own.count == out->count && s.batch > batch)) {
            const struct crossover fewer = *out;
            *out = own;
            own = fewer;
            batch = s.batch;
        }
        out->lacks_memory = out->lacks_memory || own.lacks_memory;
        crossover_release(&own);
    }
    crossover_find(out);
}

/* ---- sentences ------------------------------------------------------------------------------- */

/* The two ways, as readers call them. */
struct names {
    struct words first, second;
};

static struct words words_of(const char *text)
{
    struct words w;
    snprintf(w.text, sizeof w.text, "%s", text);
    return w;
}

static struct number count_text(double count)
{
    return number_text("%.0f", count);
}

/* Describes the cases without a simple crossover: several changes, one from the second way to the
 * first, or one with no significant difference at either end. Returns false, and adds nothing, in
 * other cases. */
static bool say_changes(const struct crossover *x, const struct names *n, const struct language *l,
                        struct claim *c)
{
    const bool back = x->changes == 1 && crossover_is_significant(&x->pairs[x->before], true);
    const bool some_end = x->first > 0 || x->second < x->count;
    const struct number from = count_text(x->pairs[x->before].parameters),
                        to = count_text(x->pairs[x->after].parameters);
    const struct argument values[] = {{"a", back ? n->second.text : n->first.text},
                                      {"b", back ? n->first.text : n->second.text},
                                      {"low", from.text},
                                      {"high", to.text},
                                      {NULL, NULL}};
    if (x->changes > 1) {
        claim_title(c, l, "The faster of %{a} and %{b} changes more than once", values);
        claim_say(
            c, l,
            " As the networks grow, the faster way changes more than once: there is no single "
            "crossover.",
            NULL);
    } else if (back || (x->changes == 1 && !some_end)) {
        claim_title(c, l, "Less time with %{a} for the smaller networks, with %{b} for the larger",
                    values);
        claim_say(c, l,
                  " Where the samples decide, it is less with %{a} up to %{low} parameters and "
                  "with %{b} from %{high} on.",
                  values);
    }
    return x->changes > 1 || back || (x->changes == 1 && !some_end);
}

/* Writes where the two cross, as the title and as a sentence after the others. */
static void say_crossing(const struct crossover *x, const struct names *n, const struct language *l,
                         struct claim *c)
{
    const bool all_first = x->first == x->count, all_second = x->second == 0;
    const double low = x->pairs[x->first > 0 ? x->first - 1 : 0].parameters;
    const double high = x->pairs[x->second < x->count ? x->second : x->count - 1].parameters;
    const bool begins = x->first > 0, ends = x->second < x->count;
    if (say_changes(x, n, l, c))
        return;
    const char *title = N_("No crossover of %{a} and %{b} is seen");
    const char *said =
        N_(" The samples do not show from how many parameters on it is less with %{b}.");
    if (all_second) {
        title = N_("Less time with %{b} than with %{a} for all %{count} networks");
        said = N_(" It is less with %{b} for all %{count} networks: a crossover would lie below "
                  "%{high} parameters.");
    } else if (all_first) {
        title = N_("Less time with %{a} than with %{b} for all %{count} networks");
        said = N_(" It is less with %{a} for all %{count} networks: a crossover would lie beyond "
                  "%{low} parameters.");
    } else if (begins && ends) {
        title = N_("Crossover of %{a} and %{b} between %{low} and %{high} parameters");
        said = N_(" It is less with %{a} up to %{low} parameters and with %{b} from %{high} on: "
                  "the crossover lies between %{low} and %{high} parameters.");
    } else if (ends) {
        title = N_("From %{high} parameters on, less time with %{b} than with %{a}");
        said = N_(" From %{high} parameters on it is less with %{b}; below, the samples do not "
                  "decide for every network.");
    } else if (begins) {
        title = N_("Up to %{low} parameters, less time with %{a} than with %{b}");
        said =
            N_(" Up to %{low} parameters it is less with %{a}; beyond, the samples do not decide "
               "for every network.");
    }
    const struct number count = count_text((double)x->count), from = count_text(low),
                        to = count_text(high);
    const struct argument values[] = {{"a", n->first.text},  {"b", n->second.text},
                                      {"count", count.text}, {"low", from.text},
                                      {"high", to.text},     {NULL, NULL}};
    claim_title(c, l, title, values);
    claim_say(c, l, said, values);
}

/* Adds the points of the smallest and the largest pair, and those next to the crossover. */
static void add_rows(const struct crossover *x, struct claim *c)
{
    const size_t below = x->first > 0 ? x->first - 1 : 0;
    const size_t pairs[] = {0, below, x->second < x->count ? x->second : 0, x->count - 1};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        evidence_add(c->rows, &c->count, CLAIM_ROWS, x->pairs[pairs[i]].first.point);
        evidence_add(c->rows, &c->count, CLAIM_ROWS, x->pairs[pairs[i]].second.point);
    }
}

/* The second way's time relative to the first way's: "0.53 [0.52, 0.54]". */
static struct number share_text(const struct language *l, const struct crossover_pair *p)
{
    const struct interval of = p->ratio.interval, share = {1.0 / of.upper, 1.0 / of.lower};
    return number_answer(l, 1.0 / p->ratio.value, share);
}

/* The doubt about the graver of the two points. */
static struct words pair_doubt(const struct crossover_pair *p, const struct language *l)
{
    const bool second = p->second.point->trust > p->first.point->trust;
    return words_doubt(second ? p->second.point : p->first.point, l);
}

/* Describes the two ways of one network: the smallest, the largest, and where they cross. */
static void describe_ways(const struct crossover *x, bool trains, const struct names *n,
                          const struct language *l, struct claim *c)
{
    const struct crossover_pair *small = &x->pairs[0], *large = &x->pairs[x->count - 1];
    claim_say(c, l,
              trains
                  ? N_("A training step of %{small}, %{small_parameters} parameters, takes "
                       "%{small_share} of the time with %{b} that it takes with %{a}%{doubt}; of "
                       "%{large}, %{large_parameters} parameters, %{large_share}%{large_doubt}.")
                  : N_("The inference of %{small}, %{small_parameters} parameters, takes "
                       "%{small_share} of the time with %{b} that it takes with %{a}%{doubt}; of "
                       "%{large}, %{large_parameters} parameters, %{large_share}%{large_doubt}."),
              WITH({"small", words_problem(small->first.point, l).text},
                   {"small_parameters", count_text(small->parameters).text},
                   {"small_share", share_text(l, small).text}, {"doubt", pair_doubt(small, l).text},
                   {"a", n->first.text}, {"b", n->second.text},
                   {"large", words_problem(large->first.point, l).text},
                   {"large_parameters", count_text(large->parameters).text},
                   {"large_share", share_text(l, large).text},
                   {"large_doubt", pair_doubt(large, l).text}));
    say_crossing(x, n, l, c);
    claim_plain(c, l,
                "What takes a minute with %{a} takes about %{time} with %{b}, for the largest "
                "of these networks.",
                WITH({"a", n->first.text}, {"b", n->second.text},
                     {"time", number_about_seconds(l, 60.0 / large->ratio.value).text}));
    add_rows(x, c);
}

/* ---- threads and devices --------------------------------------------------------------------- */

/* The reason why the pairs give no answer, `few` if they are fewer than two; NULL: none. */
static const char *lack_of(const struct crossover *x, const char *few)
{
    if (x->lacks_memory)
        return N_("not enough memory");
    if (x->count < 2)
        return few;
    return x->known > 0 ? NULL : N_("three rounds in common are needed");
}

static bool has_gpu(const struct analysis *a, bool trains)
{
    const struct selection s = {.analysis = a, .trains = trains};
    bool found = false;
    for (size_t i = 0; i < a->point_count; i++)
        found = found || (is_candidate(&s, &a->points[i]) && is_way(&s, &a->points[i], WAY_GPU));
    return found;
}

static void claim_threads(const struct experiment *e, bool trains, const struct language *l,
                          struct claim *c)
{
    struct crossover x;
    make_pairs(&e->analysis, trains, pair_ways, WAY_ONE_THREAD, WAY_ALL_THREADS, &x);
    const char *lack = lack_of(&x, N_("two networks with one thread and with several are needed"));
    if (lack) {
        claim_refuse(c, l, lack);
    } else {
        const struct names n = {words_of(message(l, "one thread")),
                                words_workers(x.pairs[0].second.point, l)};
        describe_ways(&x, trains, &n, l, c);
    }
    crossover_release(&x);
}

void claim_training_threads(const struct experiment *e, const struct language *l, struct claim *c)
{
    claim_threads(e, true, l, c);
}

void claim_inference_threads(const struct experiment *e, const struct language *l, struct claim *c)
{
    claim_threads(e, false, l, c);
}

static void claim_processor_or_gpu(const struct experiment *e, bool trains,
                                   const struct language *l, struct claim *c)
{
    struct crossover x;
    make_pairs(&e->analysis, trains, pair_ways, WAY_PROCESSOR, WAY_GPU, &x);
    const char *lack = lack_of(
        &x, has_gpu(&e->analysis, trains)
                ? N_("two networks on the processor and on the GPU, in one batch, are needed")
                : N_("no GPU was measured"));
    if (lack) {
        claim_refuse(c, l, lack);
    } else {
        const struct names n = {words_of(message(l, "the processor")),
                                words_of(message(l, "the GPU"))};
        describe_ways(&x, trains, &n, l, c);
    }
    crossover_release(&x);
}

void claim_training_devices(const struct experiment *e, const struct language *l, struct claim *c)
{
    claim_processor_or_gpu(e, true, l, c);
}

void claim_inference_devices(const struct experiment *e, const struct language *l, struct claim *c)
{
    claim_processor_or_gpu(e, false, l, c);
}

/* ---- hidden layers --------------------------------------------------------------------------- */

/* "A training step of mlp:25600, 1331201 parameters, takes 1.9 [1.8, 2.0] times as long as one of
 * mlp:1600-800, 1363201 parameters". */
static void say_depths(const struct crossover_pair *p, const struct language *l, struct claim *c)
{
    claim_say(c, l,
              "A training step of %{wide}, %{wide_parameters} parameters, takes %{times} times as "
              "long as one of %{deep}, %{deep_parameters} parameters%{doubt}.",
              WITH({"wide", words_problem(p->first.point, l).text},
                   {"wide_parameters", count_text(p->parameters).text},
                   {"times", number_answer(l, p->ratio.value, p->ratio.interval).text},
                   {"deep", record_of(p->second.point)->network},
                   {"deep_parameters", count_text(parameters_of(p->second.point)).text},
                   {"doubt", pair_doubt(p, l).text}));
}

static void describe_depths(const struct crossover *x, const struct language *l, struct claim *c)
{
    const struct crossover_pair *large = &x->pairs[x->count - 1];
    const struct names n = {words_of(message(l, "one hidden layer")),
                            words_of(message(l, "several"))};
    say_depths(&x->pairs[0], l, c);
    claim_add(c, " ");
    say_depths(large, l, c);
    say_crossing(x, &n, l, c);
    claim_plain(c, l,
                "Of the largest pair, what takes the network of several hidden layers a "
                "minute takes the one of one hidden layer about %{time}.",
                WITH({"time", number_about_seconds(l, 60.0 * large->ratio.value).text}));
    add_rows(x, c);
}

static void claim_depth(const struct experiment *e, enum way way, const struct language *l,
                        struct claim *c)
{
    struct crossover x;
    make_pairs(&e->analysis, true, pair_depths, way, way, &x);
    const char *lack =
        lack_of(&x, way == WAY_GPU && !has_gpu(&e->analysis, true)
                        ? N_("no GPU was measured")
                        : N_("networks of one hidden layer and of several are needed"));
    if (lack)
        claim_refuse(c, l, lack);
    else
        describe_depths(&x, l, c);
    crossover_release(&x);
}

void claim_training_depth(const struct experiment *e, const struct language *l, struct claim *c)
{
    claim_depth(e, WAY_PROCESSOR, l, c);
}

void claim_training_depth_gpu(const struct experiment *e, const struct language *l, struct claim *c)
{
    claim_depth(e, WAY_GPU, l, c);
}
