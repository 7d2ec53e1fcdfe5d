/* Programs of four structures that embed pictures and compute the distances between them. */
#include "experiments/analysis/numbers.h"
#include "experiments/analysis/selections/columns.h"
#include "experiments/report/claims/memory_held.h"
#include "experiments/report/claims/selected_charts.h"
#include "harness/base/text/messages.h"
#include "harness/records/timeline.h"
#include "theses/published/suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The original program and its successors. The times of three are published, for 500 faces. */
static const struct {
    const char *structure;
    const char *published; /* its name in counterparts.csv; "": none */
} structures[] = {
    {"reload", "faces.reload"}, {"once", "faces.once"}, {"split", "faces.split"}, {"batched", ""}};

enum { STRUCTURES = sizeof structures / sizeof *structures };

/* Finds the fastest point of each structure, NULL: none; returns their number. */
static size_t find_all(const struct analysis *a, struct fastest found[STRUCTURES])
{
    size_t count = 0;
    struct wanted w = {.method = structures[0].structure};
    w.problem = evidence_problem(a, &w);
    for (size_t i = 0; i < STRUCTURES; i++) {
        w.method = structures[i].structure;
        found[i] = w.problem ? evidence_choice(a, &w) : (struct fastest){.point = NULL};
        count += found[i].point != NULL;
    }
    return count;
}

static bool is_rewritten(const struct point *p)
{
    return strcmp(method_of(p), structures[0].structure) != 0;
}

/* The fastest of all structures except the first. */
static struct fastest find_best(const struct analysis *a, const struct point *first)
{
    const struct wanted w = {.problem = first, .also = is_rewritten};
    return evidence_choice(a, &w);
}

/* How many times as fast as the first one the published program was; NaN: not published. */
static double published_ratio(size_t i)
{
    return structures[i].published[0] ? published_number(structures[0].published) /
                                            published_number(structures[i].published)
                                      : (double)NAN;
}

/* Names each other structure, with how many times as fast as the first it is; its label is the
 * published number. */
static void name_others(const struct analysis *a, const struct fastest found[STRUCTURES],
                        const struct language *l, struct selection *out)
{
    for (size_t i = 1; i < STRUCTURES; i++) {
        const double published = published_ratio(i);
        if (!found[i].point)
            continue;
        const struct comparison_of_points r =
            compare_choices(&a->samples, &found[0].choice, &found[i].choice, METRIC_TOTAL);
        struct selection_row *row = selection_number(out, published > 0.0 ? "published" : "other",
                                                     found[i].point, r.value, r.interval);
        if (published > 0.0)
            snprintf(row->label, sizeof row->label, "%s", number_plain(l, published).text);
    }
}

/* Names the peak memory of the structures that have a timeline, the first apart. */
static void name_memory(const struct experiment *e, const struct fastest found[STRUCTURES],
                        struct selection *out)
{
    struct memory_held held;
    const char *role = "memory";
    for (size_t i = 0; i < STRUCTURES; i++) {
        if (!found[i].point || !memory_held_read(&held, e, structures[i].structure))
            continue;
        selection_number(out, role, found[i].point, held.peak_bytes / 1048576.0, no_interval);
        role = "more_memory";
    }
}

static void list_points(const struct fastest found[STRUCTURES], struct selection *out)
{
    for (size_t i = 0; i < STRUCTURES; i++)
        if (found[i].point) {
            out->published[out->listed_count] =
                structures[i].published[0] ? published_digits(structures[i].published) : NULL;
            selection_list(out, found[i].point);
        }
}

static void name_structures(const struct experiment *e, const struct language *l,
                            struct selection *out)
{
    const struct analysis *a = &e->analysis;
    struct fastest found[STRUCTURES];
    if (find_all(a, found) < 2 || !found[0].point) {
        out->lack = N_("the original structure and another are needed");
        return;
    }
    const struct fastest best = find_best(a, found[0].point);
    const struct comparison_of_points r =
        compare_choices(&a->samples, &found[0].choice, &best.choice, METRIC_TOTAL);
    out->finding = evidence_differs(&r) ? "differs" : "same";
    selection_time(out, "first", &found[0].choice, &found[0].total);
    selection_count(out, "images", (double)record_images(&found[0].point->samples->identity));
    selection_number(out, "best", best.point, r.value, r.interval);
    selection_minute(out, r.value, r.interval);
    name_others(a, found, l, out);
    name_memory(e, found, out);
    list_points(found, out);
}

static const struct template sentences = {
    .title = {SAY_IF("differs", "%{best.method} is %{best.brief} times as fast as %{first.method}, "
                                "the original program"),
              SAY("%{best.method} and %{first.method}, the original program: no difference is "
                  "seen")},
    .answer = {SAY("%{first.network} takes %{first.y} for %{images.x} pictures of %{first.side} "
                   "with the structure %{first.method}%{first.doubt}"),
               SAY_EACH("published", "; %{published.method} is %{published.y} times as fast "
                                     "(published: %{published})%{published.doubt}"),
               SAY_EACH("other", "; %{other.method} is %{other.y} times as fast%{other.doubt}"),
               {.id = "."},
               SAY(" Peak memory in MiB: %{memory.method} %{memory.plain}"),
               {.id = ", %{more_memory.method} %{more_memory.plain}", .role = "each more_memory"},
               {.id = ".", .role = "memory"}},
    .plain = {SAY("Where %{first.method} takes one minute, %{best.method} takes "
                  "%{minute.roughly}.")},
    .against = AGAINST_PUBLISHED,
    .of_table = true,
};

/* ---- the chart ------------------------------------------------------------------------------- */

enum { TRACE_MOMENTS = 256 }; /* even */

/* The last execution of a structure: the largest values of each `each` moments. */
struct trace {
    double seconds[TRACE_MOMENTS], cpu[TRACE_MOMENTS], bytes[TRACE_MOMENTS];
    size_t count, each, in_last;
};

struct traces {
    struct trace of[STRUCTURES];
    size_t last; /* structure of the row before; STRUCTURES: another */
    double last_seconds;
};

/* Joins two moments each, if there is no space for another. */
static void make_space(struct trace *t)
{
    if (t->count < TRACE_MOMENTS)
        return;
    t->count = TRACE_MOMENTS / 2;
    t->each *= 2;
    for (size_t i = 0; i < t->count; i++) {
        t->seconds[i] = t->seconds[2 * i];
        t->cpu[i] = fmax(t->cpu[2 * i], t->cpu[2 * i + 1]);
        t->bytes[i] = fmax(t->bytes[2 * i], t->bytes[2 * i + 1]);
    }
}

static void add_moment(struct trace *t, const struct timeline_row *r)
{
    if (t->count == 0 || t->in_last == t->each) {
        make_space(t);
        t->seconds[t->count] = r->seconds;
        t->cpu[t->count] = t->bytes[t->count] = 0.0;
        t->count++;
        t->in_last = 0;
    }
    t->cpu[t->count - 1] = fmax(t->cpu[t->count - 1], r->cpu_share);
    t->bytes[t->count - 1] = fmax(t->bytes[t->count - 1], r->resident_bytes);
    t->in_last++;
}

/* An execution begins where the seconds restart or another structure ran. */
static bool take_moment(const void *row, int64_t line, void *context)
{
    const struct timeline_row *r = row;
    struct traces *t = context;
    size_t i = 0;
    (void)line;
    while (i < STRUCTURES && strcmp(structures[i].structure, r->label) != 0)
        i++;
    if (i < STRUCTURES && (i != t->last || r->seconds < t->last_seconds)) {
        t->of[i].count = 0;
        t->of[i].each = 1;
    }
    if (i < STRUCTURES)
        add_moment(&t->of[i], r);
    t->last = i;
    t->last_seconds = r->seconds;
    return true;
}

static void draw_load(const struct experiment *e, const struct language *l, struct selection *out)
{
    struct traces *t = calloc(1, sizeof *t);
    size_t curves = 0;
    struct failure ignored = {0};
    out->lacks_memory = !t;
    if (!t)
        return;
    t->last = STRUCTURES;
    table_read(e->timeline_path, &timeline_schema, take_moment, t, NULL, &ignored);
    for (size_t i = 0; i < STRUCTURES; i++)
        curves += t->of[i].count >= 3;
    out->few = curves < 2; /* nothing to compare */
    for (size_t i = 0; i < STRUCTURES; i++)
        for (size_t j = 0; j < t->of[i].count; j++) {
            const struct trace *own = &t->of[i];
            selection_at(out, 1, structures[i].structure, own->seconds[j], own->cpu[j]);
            selection_at(out, 2, structures[i].structure, own->seconds[j],
                         own->bytes[j] / 1048576.0);
        }
    free(t);
    name_structures(e, l, out);
}

static const struct columns load = {.name_roles = draw_load};
static const struct form load_form = {
    .name = "lines",
    .panels = {{N_("busy processors"), N_("seconds since the start"), NULL, "%g", AXIS_LINEAR,
                AXIS_LINEAR, .level = 0.0},
               {N_("memory in use, MiB"), N_("seconds since the start"), NULL, "%g", AXIS_LINEAR,
                AXIS_LINEAR, .level = 0.0}},
    .own_y = true,
};
const struct selected_chart faces_chart = {select_columns, &load, &load_form, &sentences};
