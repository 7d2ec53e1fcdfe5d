/* One row per peer and problem. */
#include "experiments/analysis/derived/derived.h"

#include "experiments/analysis/derived/derived_table.h"
#include "experiments/analysis/palette.h"

#include <math.h>
#include <string.h>

enum side { PEER, OURS };

static const struct point *side_of(const struct derived_source *s, size_t side)
{
    return &s->analysis->points[side == PEER ? s->ratio->peer : s->ratio->ours];
}

static const struct record *problem_of(const struct derived_source *s)
{
    return &side_of(s, PEER)->samples->identity;
}

/* ---- texts ----------------------------------------------------------------------------------- */

static void experiment_name(const struct derived_source *s, size_t which, char *text)
{
    (void)which;
    derived_copy(text, s->analysis->name);
}

static void shape(const struct derived_source *s, size_t which, char *text)
{
    (void)which;
    derived_copy(text, s->ratio->shape);
}

/* A text of the peer's record; `which` is its offset. */
static void word_of_problem(const struct derived_source *s, size_t which, char *text)
{
    derived_copy(text, (const char *)problem_of(s) + which);
}

static void method(const struct derived_source *s, size_t which, char *text)
{
    derived_copy(text, side_of(s, which)->samples->identity.method);
}

static void space(const struct derived_source *s, size_t which, char *text)
{
    derived_copy(text, side_of(s, which)->samples->identity.space);
}

/* The stride; "k" if it equals the kernel size. */
static void step(const struct derived_source *s, size_t which, char *text)
{
    const struct record *r = problem_of(s);
    (void)which;
    if (r->stride == r->kernel && r->kernel > 0)
        derived_copy(text, "k");
    else if (r->stride > 0)
        snprintf(text, DERIVED_TEXT, "%lld", (long long)r->stride);
}

static void status_word(const struct derived_source *s, size_t which, char *text)
{
    (void)which;
    derived_copy(text, trust_names[s->ratio->trust]);
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* A bool of the ratio, as 1 or 0; `which` is its offset. */
static double flag(const struct derived_source *s, size_t which, size_t part)
{
    bool value;
    (void)part;
    memcpy(&value, (const char *)s->ratio + which, sizeof value);
    return value;
}

static double count(const struct derived_source *s, size_t which, size_t part)
{
    size_t value;
    (void)part;
    memcpy(&value, (const char *)s->ratio + which, sizeof value);
    return (double)value;
}

/* An integer of the peer's record; `which` is its offset. */
static double size_of_problem(const struct derived_source *s, size_t which, size_t part)
{
    int64_t value;
    (void)part;
    memcpy(&value, (const char *)problem_of(s) + which, sizeof value);
    return record_number(value);
}

static double workers(const struct derived_source *s, size_t which, size_t part)
{
    (void)which;
    (void)part;
    return side_of(s, PEER)->workers;
}

static double place(const struct derived_source *s, size_t which, size_t part)
{
    (void)which;
    (void)part;
    return (double)palette_place(side_of(s, PEER));
}

static double colour(const struct derived_source *s, size_t which, size_t part)
{
    (void)which;
    (void)part;
    return palette_colour(side_of(s, PEER));
}

static double seconds(const struct derived_source *s, size_t which, size_t part)
{
    (void)part;
    return which == OURS ? s->ratio->ours_s : side_of(s, which)->seconds[METRIC_TOTAL].value;
}

static double ratio(const struct derived_source *s, size_t which, size_t part)
{
    (void)which;
    return derived_part(s->ratio->value, s->ratio->interval, part);
}

static double p_value(const struct derived_source *s, size_t which, size_t part)
{
    (void)which;
    (void)part;
    return s->ratio->p_value;
}

/* Columns besides the record's, which follow these two. */
static const struct derived_column names[] = {
    {"experiment", experiment_name, NULL, 0, 0, false},
    {"shape", shape, NULL, 0, 0, false},
};

static const struct derived_column columns[] = {
    {"peer", method, NULL, PEER, 0, false},
    {"peer_space", space, NULL, PEER, 0, false},
    {"method", method, NULL, OURS, 0, false},
    {"space", space, NULL, OURS, 0, false},
    {"step", step, NULL, 0, 0, false},
    {"status", status_word, NULL, 0, 0, false},
    /* 1: the definition names the shape */
    {"named", NULL, flag, offsetof(struct ratio, named), 0, false},
    /* 1: no other peer is faster for this problem and these workers */
    {"fastest", NULL, flag, offsetof(struct ratio, fastest), 0, false},
    {"workers", NULL, workers, 0, 0, false},
    {"place", NULL, place, 0, 0, false}, /* of the peer, as the colour */
    {"colour", NULL, colour, 0, 0, false},
    {"peer_s", NULL, seconds, PEER, 0, false},
    {"ours_s", NULL, seconds, OURS, 0, false},
    {"ratio", NULL, ratio, 0, PART_VALUE, false},
    {"lower", NULL, ratio, 0, PART_LOWER, false},
    {"upper", NULL, ratio, 0, PART_UPPER, false},
    /* rounds in which both were compared; 0: launches of both were resampled */
    {"pairs", NULL, count, offsetof(struct ratio, pairs), 0, false},
    /* of ours measured there: `method` is the fastest of them */
    {"methods", NULL, count, offsetof(struct ratio, methods), 0, false},
    /* of "no difference", for this ratio alone */
    {"p_value", NULL, p_value, 0, 0, false},
};

enum { NAMES = sizeof names / sizeof *names, COLUMNS = sizeof columns / sizeof *columns };
_Static_assert(NAMES + COLUMNS <= DERIVED_OWN_COLUMNS, "a file must hold them");

void derived_write_ratios(FILE *stream, const struct analysis *a)
{
    struct derived_layout l = {.file = derived_ratios_file};
    derived_add_columns(&l, names, NAMES);
    derived_add_record_columns(&l, word_of_problem, size_of_problem);
    derived_add_columns(&l, columns, COLUMNS);
    struct derived_writer w;
    derived_begin(&w, stream, l.columns, l.count);
    for (size_t i = 0; i < a->ratio_count; i++)
        derived_write_row(&w, &(struct derived_source){.analysis = a, .ratio = &a->ratios[i]});
}
