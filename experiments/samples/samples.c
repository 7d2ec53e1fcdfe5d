#include "experiments/samples/samples.h"

#include "experiments/samples/point.h"
#include "experiments/samples/sample_rows.h"
#include "harness/base/text/fit.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A launch that rows were read of, by one of them. */
struct recent {
    struct record row;
    size_t launch;
};

/* A process that measures several points in turn writes their rows in turn. */
enum { RECENT = 32 };

/* The state while a file is read. Mostly rows are in order of launches, and belong to the same
 * launch as the row before, or to another one of the same process; only others need a search. */
struct samples_reading {
    struct samples *set;
    struct numbering keys; /* numbers of points */
    struct numbering runs; /* numbers of launches, by "point run_id" */
    struct recent *recent; /* [RECENT], those that were new last */
    size_t recent_count;   /* all that were new */
    size_t last;           /* in `recent`: that of the previous row */
    size_t point_capacity, launch_capacity, sample_capacity;
    bool out_of_memory;
};

/* Reserves space for one more item; *items may move. */
static bool reserve_one(void **items, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity)
        return true;
    size_t more = *capacity ? 2 * *capacity : 64;
    void *grown = realloc(*items, more * size);
    if (!grown)
        return false;
    *items = grown;
    *capacity = more;
    return true;
}

static const char *keep(struct samples *set, const char *text)
{
    ptrdiff_t at = numbering_put(&set->texts, text);
    return at < 0 ? NULL : set->texts.texts[at];
}

/* The start time in a run_id, "HOST-PROCESS-NANOSECONDS" with the last in hexadecimal; 0: none, as
 * in run_ids that end in something else. */
static uint64_t time_of_run(const char *run_id)
{
    enum { DIGITS_LEAST = 14 }; /* of a time after 1972 */
    const char *last = strrchr(run_id, '-');
    const size_t digits = last ? strspn(last + 1, "0123456789abcdef") : 0;
    return digits >= DIGITS_LEAST && !last[1 + digits] ? strtoull(last + 1, NULL, 16) : 0;
}

static struct place place_of(const struct record *row)
{
    enum { WARMUPS_MOST = INT32_MAX };
    return (struct place){
        row->round, time_of_run(row->run_id),
        row->warmup == 1 && row->sample >= 0 ? row->sample - WARMUPS_MOST : row->sample, row->turn};
}

/* Negative if a is before b. */
static int compare_places(const struct place *a, const struct place *b)
{
    if (a->round != b->round)
        return a->round < b->round ? -1 : 1;
    if (a->began != b->began)
        return a->began < b->began ? -1 : 1;
    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    return (a->turn > b->turn) - (a->turn < b->turn);
}

/* Makes the row that of the point's identity if it is before the one so far. */
static void take_identity(struct point_samples *p, const struct record *row,
                          const struct place *place)
{
    if (compare_places(place, &p->place) >= 0)
        return;
    p->identity = *row;
    point_keep_own(&p->identity);
    p->place = *place;
}

void samples_group(const struct record *identity, const char *key, char group[SAMPLES_GROUP])
{
    const bool own = point_is_own_program(identity);
    snprintf(group, SAMPLES_GROUP, "%s%s%s", own ? identity->experiment : "", own ? " " : "", key);
}

void samples_launch_name(const struct record *row, char launch[SAMPLES_LAUNCH])
{
    struct record own = *row;
    char key[POINT_KEY], group[SAMPLES_GROUP];
    point_keep_own(&own);
    point_key(&own, key);
    samples_group(&own, key, group);
    snprintf(launch, SAMPLES_LAUNCH, "%s %s", own.run_id, group);
}

void samples_row_name(const struct record *row, char name[SAMPLES_ROW])
{
    char launch[SAMPLES_LAUNCH];
    samples_launch_name(row, launch);
    snprintf(name, SAMPLES_ROW, "%s %" PRId64 " %" PRId64, launch, row->warmup, row->sample);
}

static ptrdiff_t find_point(struct samples_reading *r, const struct record *row)
{
    struct samples *set = r->set;
    struct record own = *row;
    char key[POINT_KEY], group[SAMPLES_GROUP];
    point_keep_own(&own);
    point_key(&own, key);
    samples_group(&own, key, group);
    ptrdiff_t at = numbering_put(&r->keys, group);
    if (at < 0 || (size_t)at < set->point_count)
        return at;
    if (!reserve_one((void **)&set->points, set->point_count, &r->point_capacity,
                     sizeof *set->points))
        return -1;
    set->points[at] =
        (struct point_samples){.identity = own, .place = place_of(row), .key = strdup(key)};
    if (!set->points[at].key)
        return -1;
    set->point_count++;
    return at;
}

static bool new_launch(struct samples_reading *r, const struct record *row, size_t point)
{
    struct samples *set = r->set;
    if (!reserve_one((void **)&set->launches, set->launch_count, &r->launch_capacity,
                     sizeof *set->launches))
        return false;
    struct launch l = {.point = point,
                       .place = place_of(row),
                       .verdict_number = place_of(row).number,
                       .round = row->round,
                       .set = record_set(row),
                       .set_launches = row->set_launches,
                       .experiment = keep(set, row->experiment),
                       .run_id = keep(set, row->run_id),
                       .stop_reason = keep(set, ""),
                       .host = keep(set, row->host),
                       .commit = keep(set, row->commit),
                       .binding = keep(set, row->binding),
                       .pages = keep(set, row->pages),
                       .isa = keep(set, row->isa),
                       .device = keep(set, row->device),
                       .counters = keep(set, row->counters),
                       .verified = keep(set, row->verified),
                       .error_ulps = NAN,
                       .others_cores = NAN,
                       .hardware_threads = NAN,
                       .stolen_share = NAN,
                       .throttle_rank = NAN};
    text_fit_format(l.first_utc, sizeof l.first_utc, "%s", row->time_utc);
    if (!l.experiment || !l.run_id || !l.stop_reason || !l.host || !l.commit || !l.binding ||
        !l.pages || !l.isa || !l.device || !l.counters || !l.verified)
        return false;
    set->launches[set->launch_count++] = l;
    return true;
}

static ptrdiff_t find_launch(struct samples_reading *r, const struct record *row)
{
    ptrdiff_t point = find_point(r, row);
    if (point < 0)
        return -1;
    char name[RECORD_TEXT + 32];
    snprintf(name, sizeof name, "%td %s", point, row->run_id);
    ptrdiff_t at = numbering_put(&r->runs, name);
    if (at == (ptrdiff_t)r->set->launch_count && !new_launch(r, row, (size_t)point))
        return -1;
    return at;
}

/* True if both rows are of the same launch: every point column is the same. What differs most often
 * is compared first. */
static bool same_launch(const struct record *a, const struct record *b)
{
    return strcmp(a->method, b->method) == 0 && strcmp(a->run_id, b->run_id) == 0 &&
           record_same(a, b, COLUMN_POINT);
}

/* Looks for the row's launch among the recent ones, from that of the previous row on, and makes it
 * the last one. False if it is none of them. */
static bool is_recent(struct samples_reading *r, const struct record *row)
{
    const size_t count = r->recent_count < RECENT ? r->recent_count : RECENT;
    for (size_t i = 0; i < count; i++) {
        const size_t at = (r->last + i) % count;
        if (same_launch(&r->recent[at].row, row)) {
            r->last = at;
            return true;
        }
    }
    return false;
}

/* Makes the row's launch the last one. Returns false if memory runs out. */
static bool take_launch(struct samples_reading *r, const struct record *row)
{
    if (is_recent(r, row))
        return true;
    r->recent = r->recent ? r->recent : malloc(RECENT * sizeof *r->recent);
    const ptrdiff_t launch = r->recent ? find_launch(r, row) : -1;
    if (launch < 0)
        return false;
    r->last = r->recent_count++ % RECENT;
    r->recent[r->last].row = *row;
    r->recent[r->last].launch = (size_t)launch;
    return true;
}

static bool add_sample(struct samples_reading *r, const struct record *row, size_t at)
{
    struct samples *set = r->set;
    if (!reserve_one((void **)&set->samples, set->sample_count, &r->sample_capacity,
                     sizeof *set->samples))
        return false;
    set->samples[set->sample_count++] =
        (struct sample){.launch = at,
                        .number = row->sample,
                        .seconds =
                            {
#define PHASE(constant, field, ...)        [PHASE_##constant] = row->field,
#define LAUNCH_PHASE(constant, field, ...) [PHASE_##constant] = row->field,
#include "harness/records/columns.inc"
                            },
                        .switches = record_number(row->involuntary_switches),
                        .cpu_mhz = row->cpu_mhz,
                        .instructions = row->instructions,
                        .cycles = row->cycles};
    struct launch *launch = &set->launches[at];
    const int64_t repeats = row->repeats > 1 ? row->repeats : 1; /* not in old files */
    launch->repeats = launch->count++ == 0 || repeats < launch->repeats ? repeats : launch->repeats;
    launch->throttled += row->throttle[0] && strcmp(row->throttle, "none") != 0;
    launch->at_power_cap += strcmp(row->throttle, "power_cap") == 0;
    launch->throttle_rank = fmin(launch->throttle_rank, record_number(row->throttle_rank));
    launch->stopped += row->stops > 0;
    return true;
}

/* Root mean square error of a row's result in ulps: a network's outputs are compared with double
 * precision throughout, an operator's with its oracle. NaN: not recorded, as in old files. */
static double record_error_ulps(const struct record *r)
{
    return r->network[0] && !point_trains(r) ? r->error_network_ulps : r->error_ulps_rms;
}

bool has_verdict(const char *verified)
{
    return verified[0] != '\0' && strcmp(verified, "none") != 0;
}

/* Takes the verdict of the first sample that has one, and "wrong" of any. */
static void take_verdict(struct samples *set, struct launch *launch, const struct record *row)
{
    const int64_t number = place_of(row).number;
    const bool is_first = !has_verdict(launch->verified) || number < launch->verdict_number;
    if (strcmp(row->verified, "wrong") != 0 &&
        (!is_first || strcmp(launch->verified, "wrong") == 0 ||
         (has_verdict(launch->verified) && !has_verdict(row->verified))))
        return;
    launch->verified = keep(set, row->verified);
    launch->verdict_number = number;
}

static void take_times(struct launch *launch, const char *time_utc)
{
    if (strcmp(time_utc, launch->first_utc) < 0)
        text_fit_format(launch->first_utc, sizeof launch->first_utc, "%s", time_utc);
    if (strcmp(time_utc, launch->last_utc) > 0)
        text_fit_format(launch->last_utc, sizeof launch->last_utc, "%s", time_utc);
}

/* Its last row has that of the whole launch. */
static void take_load(struct launch *launch, const struct record *row)
{
    if (!isnan(row->launch_others_cores))
        launch->others_cores = row->launch_others_cores;
    if (!isnan(row->launch_hardware_threads))
        launch->hardware_threads = row->launch_hardware_threads;
    if (!isnan(row->launch_stolen_share))
        launch->stolen_share = row->launch_stolen_share;
}

static bool take_row(const struct record *row, int64_t line, void *context)
{
    (void)line;
    struct samples_reading *r = context;
    r->out_of_memory = !take_launch(r, row);
    if (r->out_of_memory)
        return false;
    const size_t at = r->recent[r->last].launch;
    struct launch *launch = &r->set->launches[at];
    const struct place place = place_of(row);
    take_identity(&r->set->points[launch->point], row, &place);
    if (compare_places(&place, &launch->place) < 0)
        launch->place = place;
    if (row->stop_reason[0]) {
        launch->stop_reason = keep(r->set, row->stop_reason);
        launch->finished = strcmp(row->stop_reason, "interrupted") != 0;
    }
    if (row->counters[0])
        launch->counters = keep(r->set, row->counters);
    take_verdict(r->set, launch, row);
    r->out_of_memory = !launch->stop_reason || !launch->verified || !launch->counters;
    launch->error_ulps = fmax(launch->error_ulps, record_error_ulps(row));
    take_times(launch, row->time_utc);
    take_load(launch, row);
    if (row->warmup == 1)
        launch->warmups++;
    else if (!r->out_of_memory)
        r->out_of_memory = !add_sample(r, row, at);
    return !r->out_of_memory;
}

/* ---- the order of the record ------------------------------------------------------------------
 */

/* A point or a launch to be sorted. */
struct placed {
    struct place place;
    size_t index;
};

static int compare_placed(const void *a, const void *b)
{
    const struct placed *one = a, *other = b;
    const int order = compare_places(&one->place, &other->place);
    return order ? order : (one->index > other->index) - (one->index < other->index);
}

static bool sort_points(struct samples *s)
{
    struct placed *order = malloc((s->point_count + 1) * sizeof *order);
    size_t *new_place = malloc((s->point_count + 1) * sizeof *new_place);
    struct point_samples *sorted = malloc((s->point_count + 1) * sizeof *sorted);
    const bool good = order && new_place && sorted;
    for (size_t i = 0; good && i < s->point_count; i++)
        order[i] = (struct placed){s->points[i].place, i};
    if (good)
        qsort(order, s->point_count, sizeof *order, compare_placed);
    for (size_t i = 0; good && i < s->point_count; i++) {
        new_place[order[i].index] = i;
        sorted[i] = s->points[order[i].index];
    }
    for (size_t i = 0; good && i < s->launch_count; i++)
        s->launches[i].point = new_place[s->launches[i].point];
    if (good) {
        free(s->points);
        s->points = sorted;
    } else {
        free(sorted);
    }
    free(order);
    free(new_place);
    return good;
}

static int compare_samples(const void *a, const void *b)
{
    const struct sample *one = a, *other = b;
    return (one->number > other->number) - (one->number < other->number);
}

/* Sorts items that are not in order already; equal ones are rare then. */
static void sort_if_needed(void *items, size_t count, size_t size,
                           int (*compare)(const void *, const void *))
{
    const char *at = items;
    for (size_t i = 1; i < count; i++, at += size)
        if (compare(at, at + size) > 0) {
            qsort(items, count, size, compare);
            return;
        }
}

/* Sorts the listed launches of a point. */
static bool sort_listed(const struct samples *s, size_t *listed, size_t count)
{
    struct placed *order = malloc((count + 1) * sizeof *order);
    for (size_t i = 0; order && i < count; i++)
        order[i] = (struct placed){s->launches[listed[i]].place, listed[i]};
    if (order)
        qsort(order, count, sizeof *order, compare_placed);
    for (size_t i = 0; order && i < count; i++)
        listed[i] = order[i].index;
    free(order);
    return order != NULL;
}

int64_t record_set(const struct record *r)
{
    return r->set > 1 ? r->set : 1;
}

/* Indices of the launches of each point, in file order; p->first and p->count tell which. */
static void list_launches(struct samples *s, size_t *listed)
{
    for (size_t i = 0; i < s->point_count; i++)
        s->points[i].count = 0;
    for (size_t i = 0; i < s->launch_count; i++)
        s->points[s->launches[i].point].count++;
    size_t at = 0;
    for (size_t i = 0; i < s->point_count; i++) {
        s->points[i].first = at;
        at += s->points[i].count;
        s->points[i].count = 0;
    }
    for (size_t i = 0; i < s->launch_count; i++) {
        struct point_samples *p = &s->points[s->launches[i].point];
        listed[p->first + p->count++] = i;
    }
}

/* True if an earlier launch of the list is of the same set and round, and finished. */
static bool is_repeated(const struct samples *s, const size_t *listed, size_t at)
{
    const struct launch *launch = &s->launches[listed[at]];
    for (size_t i = 0; i < at; i++) {
        const struct launch *l = &s->launches[listed[i]];
        if (l->finished && l->set == launch->set && l->round == launch->round)
            return true;
    }
    return false;
}

/* A set is whole once as many rounds are finished as were planned when it began, whatever their
 * times. A wrong result is never hidden: its set counts at once. */
static bool is_whole(const struct samples *s, const size_t *listed, size_t count, int64_t set)
{
    int64_t finished = 0, planned = INT64_MAX;
    for (size_t i = 0; i < count; i++) {
        const struct launch *l = &s->launches[listed[i]];
        if (l->set != set)
            continue;
        if (strcmp(l->verified, "wrong") == 0)
            return true;
        if (l->set_launches != RECORD_NO_INT && l->set_launches < planned)
            planned = l->set_launches;
        finished += l->finished && !is_repeated(s, listed, i);
    }
    return finished >= planned;
}

/* The newest set that is whole; if none is, the oldest. */
static int64_t set_that_counts(const struct samples *s, const size_t *listed, size_t count)
{
    int64_t whole = 0, oldest = INT64_MAX;
    for (size_t i = 0; i < count; i++) {
        const int64_t set = s->launches[listed[i]].set;
        oldest = set < oldest ? set : oldest;
        if (set > 1 && set > whole && is_whole(s, listed, count, set))
            whole = set;
    }
    return whole > 0 ? whole : oldest;
}

/* Groups launches by point, those of the set that counts first, in the order of the record if
 * `sorted`; new_place[old] is the new index of each. */
static bool group_launches(struct samples *s, bool sorted, size_t *new_place)
{
    struct launch *grouped = malloc((s->launch_count + 1) * sizeof *grouped);
    size_t *listed = calloc(s->launch_count + 1, sizeof *listed), at = 0;
    bool good = grouped && listed;
    if (good)
        list_launches(s, listed);
    for (size_t i = 0; sorted && good && i < s->point_count; i++)
        good = sort_listed(s, listed + s->points[i].first, s->points[i].count);
    for (size_t i = 0; good && i < s->point_count; i++) {
        struct point_samples *p = &s->points[i];
        const size_t all = p->count, *own = listed + p->first;
        p->set = set_that_counts(s, own, all);
        p->count = 0;
        for (int others = 0; others < 2; others++)
            for (size_t j = 0; j < all; j++) {
                const struct launch *l = &s->launches[own[j]];
                if ((l->set != p->set) != others)
                    continue;
                p->count += !others;
                new_place[own[j]] = at;
                grouped[at++] = *l;
            }
        p->others = all - p->count;
    }
    free(listed);
    if (!good || at < s->launch_count) {
        free(grouped);
        return false;
    }
    free(s->launches);
    s->launches = grouped;
    return true;
}

static bool group_samples(struct samples *s, const size_t *new_place)
{
    struct sample *grouped = malloc((s->sample_count + 1) * sizeof *grouped);
    if (!grouped)
        return false;
    size_t at = 0;
    for (size_t i = 0; i < s->launch_count; i++) {
        s->launches[i].first = at;
        at += s->launches[i].count;
        s->launches[i].count = 0;
    }
    for (size_t i = 0; i < s->sample_count; i++) {
        struct sample one = s->samples[i];
        one.launch = new_place[one.launch];
        struct launch *l = &s->launches[one.launch];
        grouped[l->first + l->count++] = one;
    }
    for (size_t i = 0; i < s->launch_count; i++)
        sort_if_needed(grouped + s->launches[i].first, s->launches[i].count, sizeof *grouped,
                       compare_samples);
    free(s->samples);
    s->samples = grouped;
    return true;
}

static bool group(struct samples *s, bool sorted)
{
    size_t *new_place = calloc(s->launch_count + 1, sizeof *new_place);
    bool good = new_place && (!sorted || sort_points(s)) && group_launches(s, sorted, new_place) &&
                group_samples(s, new_place);
    free(new_place);
    return good;
}

/* Copies the texts of a launch from another set: each set owns its texts. */
static bool keep_texts(struct samples *set, struct launch *l)
{
    const char **const texts[] = {&l->experiment, &l->run_id,   &l->stop_reason, &l->host,
                                  &l->commit,     &l->binding,  &l->pages,       &l->isa,
                                  &l->device,     &l->verified, &l->counters};
    bool kept = true;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        *texts[i] = keep(set, *texts[i]);
        kept = kept && *texts[i];
    }
    return kept;
}

static bool add_launch(struct samples_reading *r, const struct samples *from,
                       const struct launch *launch)
{
    struct samples *set = r->set;
    const size_t at = set->launch_count - 1;
    struct launch copy = *launch;
    copy.point = set->launches[at].point;
    if (!keep_texts(set, &copy))
        return false;
    set->launches[at] = copy;
    for (size_t i = 0; i < launch->count; i++) {
        if (!reserve_one((void **)&set->samples, set->sample_count, &r->sample_capacity,
                         sizeof *set->samples))
            return false;
        set->samples[set->sample_count] = from->samples[launch->first + i];
        set->samples[set->sample_count++].launch = at;
    }
    return true;
}

/* True if the own launches of the point, judging by the first, come from that computer, and those
 * of the same set from that build: others are not comparable. A set of which none is there replaces
 * the others as a whole, so its build is its own. */
static bool is_alike(const struct samples *own, size_t point, const struct launch *launch)
{
    const struct launch *first = NULL;
    for (size_t i = 0; i < own->launch_count; i++) {
        const struct launch *l = &own->launches[i];
        if (l->point != point)
            continue;
        first = first ? first : l;
        if (l->set == launch->set)
            return strcmp(first->host, launch->host) == 0 && strcmp(l->commit, launch->commit) == 0;
    }
    return first && strcmp(first->host, launch->host) == 0;
}

/* Adds the launches of one point of another set that this set lacks: all of them, or only the
 * comparable ones. */
static bool add_point(struct samples_reading *r, const struct samples *from,
                      const struct point_samples *p, bool all)
{
    char group[SAMPLES_GROUP];
    samples_group(&p->identity, p->key, group);
    const ptrdiff_t point = numbering_find(&r->keys, group);
    for (size_t i = 0; point >= 0 && i < p->count + p->others; i++) {
        const struct launch *launch = &from->launches[p->first + i];
        if (!all && !is_alike(r->set, (size_t)point, launch))
            continue;
        char name[RECORD_TEXT + 32];
        struct record row = {
            .round = launch->round, .set = launch->set, .set_launches = launch->set_launches};
        snprintf(row.run_id, sizeof row.run_id, "%s", launch->run_id);
        snprintf(name, sizeof name, "%td %s", point, launch->run_id);
        const ptrdiff_t at = numbering_put(&r->runs, name);
        if (at < 0)
            return false;
        if (at == (ptrdiff_t)r->set->launch_count &&
            !(new_launch(r, &row, (size_t)point) && add_launch(r, from, launch)))
            return false;
    }
    return true;
}

static bool add_others(struct samples_reading *r, const struct samples *others, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < others[i].point_count; j++)
            if (!add_point(r, &others[i], &others[i].points[j], false))
                return false;
    return true;
}

/* Adds a point without launches, unless the set has it; *is_new: it had not. */
static bool put_point(struct samples_reading *r, const struct point_samples *p, bool *is_new)
{
    struct samples *set = r->set;
    char group[SAMPLES_GROUP];
    samples_group(&p->identity, p->key, group);
    const ptrdiff_t at = numbering_put(&r->keys, group);
    *is_new = at == (ptrdiff_t)set->point_count;
    if (!*is_new)
        return at >= 0;
    if (!reserve_one((void **)&set->points, set->point_count, &r->point_capacity,
                     sizeof *set->points))
        return false;
    set->points[set->point_count] =
        (struct point_samples){.identity = p->identity, .place = p->place, .key = strdup(p->key)};
    return set->points[set->point_count++].key != NULL;
}

/* Adds all of another set: points, launches and samples keep their order. */
static bool add_all(struct samples_reading *r, const struct samples *from)
{
    bool good = true, is_new;
    for (size_t i = 0; i < from->point_count && good; i++)
        good =
            put_point(r, &from->points[i], &is_new) && add_point(r, from, &from->points[i], true);
    r->set->report = from->report;
    return good;
}

static bool add_part(struct samples_reading *r, const struct samples_part *part)
{
    bool good = true, is_new;
    for (size_t i = 0; i < part->from->point_count && good; i++) {
        const struct point_samples *p = &part->from->points[i];
        if (part->wanted[i])
            good = put_point(r, p, &is_new) && add_point(r, part->from, p, part->own || is_new);
    }
    const struct record_report *report = &part->from->report;
    if (part->own && report->corrupt + report->torn >= r->set->report.corrupt + r->set->report.torn)
        r->set->report = *report;
    return good;
}

/* Completes a set, in the order of the record if `sorted`, or releases it if something failed. */
static enum status finish(struct samples_reading *r, const char *path, bool sorted,
                          enum status status, struct failure *f)
{
    struct samples *out = r->set;
    if (status == STATUS_OK && (r->out_of_memory || !group(out, sorted)))
        status = fail(f, STATUS_RESOURCE, "%s: not enough memory for its samples", path);
    numbering_release(&r->keys);
    numbering_release(&r->runs);
    free(r->recent);
    for (size_t i = 0; status == STATUS_OK && i < out->point_count; i++)
        for (size_t j = 0; j < out->points[i].count; j++)
            out->unfinished += !out->launches[out->points[i].first + j].finished;
    for (size_t i = 0; status == STATUS_OK && i < out->launch_count; i++)
        out->warmups += out->launches[i].warmups;
    if (status != STATUS_OK)
        samples_release(out);
    return status;
}

/* Refuses samples of which a column was deleted that tells points apart. */
static enum status check_points(const struct samples *s, const char *path, struct failure *f)
{
    for (size_t i = 0; i < s->point_count; i++) {
        const char *lost = sample_lost_column(&s->points[i].identity);
        if (lost)
            return fail(f, STATUS_USAGE,
                        "%s: samples of %s have no value in the column '%s', which tells points "
                        "apart: restore it",
                        path, s->points[i].identity.program, lost);
    }
    return STATUS_OK;
}

enum status samples_read(struct samples *out, const char *path, struct failure *f)
{
    *out = (struct samples){0};
    struct samples_reading r = {.set = out};
    enum status status = record_read(path, take_row, &r, &out->report, f);
    if (status == STATUS_OK && !r.out_of_memory)
        status = check_points(out, path, f);
    return finish(&r, path, true, status, f);
}

enum status samples_join(struct samples *out, const struct samples *own, const char *path,
                         const struct samples *others, size_t count, struct failure *f)
{
    *out = (struct samples){0};
    struct samples_reading r = {.set = out};
    r.out_of_memory = !add_all(&r, own) || !add_others(&r, others, count);
    return finish(&r, path, false, STATUS_OK, f);
}

enum status samples_unite(struct samples *out, const char *path, const struct samples_part *parts,
                          size_t count, struct failure *f)
{
    *out = (struct samples){0};
    struct samples_reading r = {.set = out};
    for (size_t i = 0; i < count && !r.out_of_memory; i++)
        r.out_of_memory = !add_part(&r, &parts[i]);
    return finish(&r, path, true, STATUS_OK, f);
}

void samples_release(struct samples *s)
{
    for (size_t i = 0; i < s->point_count; i++)
        free(s->points[i].key);
    free(s->points);
    free(s->launches);
    free(s->samples);
    numbering_release(&s->texts);
    *s = (struct samples){0};
}

size_t samples_counting(const struct samples *s)
{
    size_t counting = 0;
    for (size_t i = 0; i < s->point_count; i++)
        counting += s->points[i].count;
    return counting;
}

bool samples_replaced(const struct samples *s, const char *run_id)
{
    bool found = false;
    for (size_t i = 0; i < s->launch_count; i++) {
        const struct launch *l = &s->launches[i];
        if (strcmp(l->run_id, run_id) != 0)
            continue;
        if (l->set == s->points[l->point].set)
            return false;
        found = true;
    }
    return found;
}

bool launch_counts(const struct launch *l)
{
    return l->finished && !l->left_out;
}

size_t samples_phase(const struct samples *s, const struct launch *launch, enum phase phase,
                     double *values)
{
    size_t n = 0;
    for (size_t i = 0; launch_counts(launch) && i < launch->count; i++) {
        double seconds = s->samples[launch->first + i].seconds[phase];
        if (!isnan(seconds))
            values[n++] = seconds;
    }
    return n;
}
