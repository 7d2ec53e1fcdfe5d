/* How narrow the interval of a point should be: the target of the scale at which it was measured.
 * The journal records the scale of every launch, which rounds were beyond the plan, and by its
 * command how narrow an interval each launch was to reach. */
#include "experiments/analysis/analysis.h"
#include "experiments/definition/definition.h"
#include "experiments/samples/journal.h"
#include "experiments/samples/point.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The target for results without a journal. */
static const double unknown_scale = 0.02;

/* NaN for a word that is not a scale. */
static double target_of(const char *word)
{
    for (int scale = 0; scale < SCALES; scale++)
        if (strcmp(word, scale_names[scale]) == 0)
            return scale_targets[scale];
    return NAN;
}

/* The share that a launch's command asks for; NaN: none. */
static double asked_of(const char *command)
{
    static const char option[] = " --relative-ci ";
    const char *at = strstr(command, option);
    const double share = at ? strtod(at + strlen(option), NULL) : 0.0;
    return share > 0.0 ? share : (double)NAN;
}

struct search {
    struct analysis *analysis;
    double strictest; /* over all rows; NaN: none has a scale */
};

/* The strictest scale counts: a point measured at two scales has samples of both. */
static bool take(const struct journal_row *row, void *context)
{
    struct search *s = context;
    const double target = target_of(row->scale);
    if (isnan(target) || strcmp(row->status, "done") != 0)
        return true;
    s->strictest = fmin(s->strictest, target);
    struct interval *asked = &s->analysis->asked;
    const double share = asked_of(row->command);
    const bool further = strcmp(row->reason, journal_further) == 0;
    for (size_t i = 0; i < s->analysis->point_count; i++) {
        struct point *p = &s->analysis->points[i];
        const bool widens = share < asked->lower || share > asked->upper ||
                            (share > 0.0 && isnan(asked->lower)); /* not yet in `asked` */
        const bool reports =
            widens || !(p->target <= target) || (further && row->point.round < p->further);
        if (!reports || record_set(&row->point) != p->samples->set ||
            !point_matches(&row->point, &p->samples->identity))
            continue;
        asked->lower = fmin(asked->lower, share); /* a NaN changes neither */
        asked->upper = fmax(asked->upper, share);
        p->target = p->target <= target ? p->target : target;
        if (further && row->point.round < p->further)
            p->further = row->point.round;
    }
    return true;
}

static void read_own(struct search *s, const struct analysis_request *request,
                     struct failure *unread)
{
    if (request->samples)
        journal_read_of(request->samples->folder, request->name, take, s, unread);
    else if (request->journal)
        journal_read(request->journal, take, s, NULL, unread);
}

/* The journals of the experiments that have a point of this one. */
static void read_sharing(struct search *s, const struct analysis_request *request,
                         struct failure *unread)
{
    const struct folder_samples *all = request->samples;
    for (size_t i = 0; all && i < all->count; i++)
        if (folder_samples_share(all, request->index, i))
            journal_read_of(all->folder, all->names.items[i], take, s, unread);
}

void analysis_targets(struct analysis *a, const struct analysis_request *request)
{
    struct search s = {a, NAN};
    struct failure unread = {0}; /* reported with the journal; a target is needed anyway */
    a->asked = no_interval;
    for (size_t i = 0; i < a->point_count; i++)
        a->points[i].target = NAN;
    read_own(&s, request, &unread);
    const double own = s.strictest; /* other experiments decide only about shared points */
    read_sharing(&s, request, &unread);
    s.strictest = own;
    const double otherwise = isnan(s.strictest) ? unknown_scale : s.strictest;
    for (size_t i = 0; i < a->point_count; i++)
        if (isnan(a->points[i].target))
            a->points[i].target = otherwise;
}
