#include "experiments/report/claims/method_paragraph.h"

#include "experiments/analysis/numbers.h"
#include "experiments/analysis/selections/evidence.h"
#include "experiments/samples/point.h"
#include "harness/base/statistics.h"
#include "harness/base/text/messages.h"
#include "harness/base/text/word_list.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct paragraph {
    const struct analysis *analysis;
    const struct machine_facts *machine;
    const struct language *language;
    char *text;
    size_t length;
};

/* Appends a sentence, after a space if it is not the first. */
static void say(struct paragraph *p, const char *id, const struct argument *arguments)
{
    if (p->length > 0 && p->length + 1 < METHOD_PARAGRAPH)
        p->text[p->length++] = ' ';
    p->length += message_format(p->text + p->length, METHOD_PARAGRAPH - p->length, p->language, id,
                                arguments);
}

static struct number count_of(const struct paragraph *p, size_t count)
{
    return number_count(p->language, (double)count);
}

/* ---- the machine ----------------------------------------------------------------------------- */

/* The GPU of the first launch that has one; "" without one. */
static const char *find_gpu(const struct samples *s)
{
    for (size_t i = 0; i < s->launch_count; i++)
        if (s->launches[i].device[0])
            return s->launches[i].device;
    return "";
}

/* "on host (processor, 8 cores; GPU)", as far as known. */
static void describe_machine(const struct paragraph *p, char *text, size_t size)
{
    const struct machine_facts *m = p->machine;
    const struct samples *s = &p->analysis->samples;
    const struct language *l = p->language;
    const char *host = s->launch_count ? s->launches[0].host : "", *gpu = find_gpu(s);
    char cores[60] = "";
    if (m->cores > 0.0)
        message_format(cores, sizeof cores, l, ", %{cores} cores",
                       WITH({"cores", number_text("%.0f", m->cores).text}));
    if (m->quota_cores > 0.0)
        message_format(cores, sizeof cores, l, ", a quota of %{cores} cores",
                       WITH({"cores", number_in(l, "%.3g", m->quota_cores).text}));
    snprintf(text, size, "%s (%s%s%s%s)", host[0] ? host : message(l, "an unnamed host"),
             m->cpu[0] ? m->cpu : message(l, "processor not recorded"), cores, gpu[0] ? "; " : "",
             gpu);
}

/* The flags that decide what code is made: no warnings, and nothing that CMake replaces. */
static void list_flags(const char *flags, char *text, size_t size)
{
    char flag[128];
    text[0] = '\0';
    for (const char *at = flags; *at; at += strspn(at, " ")) {
        const size_t length = strcspn(at, " ");
        snprintf(flag, sizeof flag, "%.*s", (int)length, at);
        if (flag[0] == '-' && strncmp(flag, "-W", 2) != 0)
            word_list_add(text, size, " ", flag);
        at += length;
    }
}

/* What came of the binding to cores: "core", or several words. */
static void list_bindings(const struct samples *s, char *text, size_t size)
{
    text[0] = '\0';
    for (size_t i = 0; i < s->launch_count; i++)
        if (s->launches[i].binding[0] && !word_list_has(text, ", ", s->launches[i].binding))
            word_list_add(text, size, ", ", s->launches[i].binding);
}

static bool has_ranks(const struct samples *s)
{
    bool has = false;
    for (size_t i = 0; i < s->point_count; i++)
        has |= point_has_ranks(&s->points[i].identity);
    return has;
}

/* First and last day of the launches; "" if none is known. */
static void find_days(const struct samples *s, char first[11], char last[11])
{
    first[0] = last[0] = '\0';
    for (size_t i = 0; i < s->launch_count; i++) {
        const struct launch *l = &s->launches[i];
        if (l->first_utc[0] && (!first[0] || strncmp(l->first_utc, first, 10) < 0))
            snprintf(first, 11, "%.10s", l->first_utc);
        if (l->last_utc[0] && strncmp(l->last_utc, last, 10) > 0)
            snprintf(last, 11, "%.10s", l->last_utc);
    }
}

/* System, MPI, binding and days, as far as known. */
static void describe_surroundings(struct paragraph *p)
{
    const struct samples *s = &p->analysis->samples;
    const struct machine_facts *m = p->machine;
    char list[600] = "", bindings[120], first[11], last[11];
    if (m->os[0] && m->kernel[0])
        word_list_add(list, sizeof list, "; ",
                      words_message(p->language, "%{system}, kernel %{release}",
                                    WITH({"system", m->os}, {"release", m->kernel}))
                          .text);
    if (has_ranks(s) && m->mpi[0])
        word_list_add(list, sizeof list, "; ", m->mpi);
    list_bindings(s, bindings, sizeof bindings);
    if (bindings[0])
        word_list_add(
            list, sizeof list, "; ",
            words_message(p->language, "binding to cores: %{binding}", WITH({"binding", bindings}))
                .text);
    find_days(s, first, last);
    if (first[0])
        word_list_add(list, sizeof list, "; ",
                      words_message(p->language,
                                    strcmp(first, last) < 0 ? N_("%{first} to %{last} (UTC)")
                                                            : N_("%{first} (UTC)"),
                                    WITH({"first", first}, {"last", last}))
                          .text);
    if (list[0])
        say(p, N_("System: %{list}."), WITH({"list", list}));
}

/* ---- our programs ---------------------------------------------------------------------------- */

static void describe_build(struct paragraph *p)
{
    const struct machine_facts *m = p->machine;
    const struct samples *s = &p->analysis->samples;
    const struct language *l = p->language;
    const char *commit = s->launch_count ? s->launches[0].commit : "";
    char flags[256], in_brackets[260];
    list_flags(m->flags, flags, sizeof flags);
    snprintf(in_brackets, sizeof in_brackets, "%s%s%s", flags[0] ? " (" : "", flags,
             flags[0] ? ")" : "");
    say(p, N_("The programs are of commit %{commit}, compiled by %{compiler}%{flags}."),
        WITH({"commit", commit[0] ? commit : message(l, "unknown")},
             {"compiler", m->compiler[0] ? m->compiler : message(l, "an unrecorded compiler")},
             {"flags", in_brackets}));
}

static size_t count_stops(const struct samples *s, const char *reason)
{
    size_t n = 0;
    for (size_t i = 0; i < s->launch_count; i++)
        n += strcmp(s->launches[i].stop_reason, reason) == 0;
    return n;
}

/* "2", or "2 to 10": the shares that were asked of the launches, in percent. */
static struct number asked_share(const struct paragraph *p)
{
    const struct interval asked = p->analysis->asked;
    const struct number least = number_in(p->language, "%.3g", 100.0 * asked.lower),
                        most = number_in(p->language, "%.3g", 100.0 * asked.upper);
    return strcmp(least.text, most.text) == 0
               ? least
               : number_text("%s %s %s", least.text, message(p->language, "to"), most.text);
}

static void describe_stops(struct paragraph *p)
{
    const struct samples *s = &p->analysis->samples;
    const struct number converged = count_of(p, count_stops(s, "relative_ci")),
                        samples = count_of(p, count_stops(s, "samples")),
                        seconds = count_of(p, count_stops(s, "seconds"));
    if (isnan(p->analysis->asked.lower))
        say(p,
            N_("Each launch takes samples until the 95 % interval of its median is as narrow as "
               "was "
               "asked, which these files do not record (%{converged} launches), or until it "
               "reaches "
               "its limit of samples (%{samples}) or of time (%{seconds})."),
            WITH({"converged", converged.text}, {"samples", samples.text},
                 {"seconds", seconds.text}));
    else
        say(p,
            N_("Each launch takes samples until half the 95 % interval of its median is within "
               "%{share} % of the median (%{converged} launches), or until it reaches its limit of "
               "samples (%{samples}) or of time (%{seconds})."),
            WITH({"share", asked_share(p).text}, {"converged", converged.text},
                 {"samples", samples.text}, {"seconds", seconds.text}));
    say(p, N_("The time of a point is the median over its launches of each launch's median."),
        NULL);
}

static void describe_ours(struct paragraph *p, const char *machine)
{
    const struct samples *s = &p->analysis->samples;
    say(p,
        N_("%{samples} timed samples (and %{warmups} warm-up runs, not used) in %{launches} "
           "launches "
           "of %{points} points, on %{machine}."),
        WITH({"samples", count_of(p, s->sample_count).text},
             {"warmups", count_of(p, (size_t)s->warmups).text},
             {"launches", count_of(p, samples_counting(s)).text},
             {"points", count_of(p, s->point_count).text}, {"machine", machine}));
    describe_build(p);
    describe_surroundings(p);
    describe_stops(p);
}

/* ---- a program of another -------------------------------------------------------------------- */

static bool is_own(const struct samples *s)
{
    bool own = s->point_count > 0;
    for (size_t i = 0; i < s->point_count; i++)
        own &= strcmp(s->points[i].identity.operator_name, own_operator) == 0;
    return own;
}

/* Whether the times are those of the whole process, not numbers that it printed. */
static bool times_are_wall(const struct samples *s)
{
    for (size_t i = 0; i < s->launch_count; i++) {
        const struct launch *l = &s->launches[i];
        const double total = l->count ? s->samples[l->first].seconds[PHASE_TOTAL] : l->wall_s;
        if (!(fabs(total - l->wall_s) <= 1e-9 + 1e-6 * l->wall_s))
            return false;
    }
    return true;
}

static void describe_own(struct paragraph *p, const char *machine)
{
    const struct samples *s = &p->analysis->samples;
    const struct launch *first = &s->launches[0];
    const bool measured = s->launch_count > 0 && first->host[0];
    if (!measured) {
        say(p,
            N_("%{samples} times of %{points} points, read from a file: the machine, the program "
               "and "
               "how they were measured are not known."),
            WITH({"samples", count_of(p, s->sample_count).text},
                 {"points", count_of(p, s->point_count).text}));
    } else {
        say(p,
            N_("%{launches} launches of %{points} points of a program that is not maxpool's, on "
               "%{machine}."),
            WITH({"launches", count_of(p, samples_counting(s)).text},
                 {"points", count_of(p, s->point_count).text}, {"machine", machine}));
        say(p,
            N_("Its compiler and its version are not recorded; command and files of the program "
               "have "
               "the hash %{hash} (SHA-256, its beginning)."),
            WITH({"hash", first->commit}));
        describe_surroundings(p);
        say(p,
            times_are_wall(s) ? N_("A launch gives one time: total time is that of the process, "
                                   "from its start to its end.")
                              : N_("A launch gives one time: total time is what the program itself "
                                   "printed, as --seconds found it."),
            NULL);
    }
    say(p, N_("The time of a point is the median over its launches."), NULL);
}

/* ---- intervals ------------------------------------------------------------------------------- */

/* A kind of interval: how many there are, and of how many values each is made, if all are of as
 * many. */
struct kind {
    size_t count, values;
    bool same;
};

static void take(struct kind *k, size_t values)
{
    k->same = k->count == 0 || (k->same && k->values == values);
    k->values = values;
    k->count++;
}

/* " (of 9 in order, numbers 2 and 8)"; "" if they are not all of as many values. */
static void describe_ranks(const struct paragraph *p, const struct kind *k, char *text, size_t size)
{
    size_t lower, upper;
    text[0] = '\0';
    if (k->same && median_interval_ranks(k->values, 0.95, &lower, &upper) == 0)
        message_format(
            text, size, p->language, " (of %{count} in order, numbers %{lower} and %{upper})",
            WITH({"count", count_of(p, k->values).text}, {"lower", count_of(p, lower).text},
                 {"upper", count_of(p, upper).text}));
}

/* Intervals of times, by enum how. */
enum how { BY_LAUNCHES, BY_RESAMPLING, WITHIN_LAUNCH, NO_INTERVAL, HOWS };

static enum how how_of(const struct estimate *e)
{
    size_t lower, upper;
    if (isnan(e->interval.lower))
        return NO_INTERVAL;
    if (e->launches == 1)
        return WITHIN_LAUNCH;
    return median_interval_ranks(e->launches, 0.95, &lower, &upper) == 0 ? BY_LAUNCHES
                                                                         : BY_RESAMPLING;
}

static void describe_times(struct paragraph *p)
{
    struct kind kinds[HOWS] = {{0}};
    bool widened = false;
    char ranks[100];
    for (size_t i = 0; i < p->analysis->point_count; i++) {
        const struct point *at = &p->analysis->points[i];
        if (!isfinite(at->seconds[METRIC_TOTAL].value))
            continue;
        take(&kinds[how_of(&at->seconds[METRIC_TOTAL])], at->seconds[METRIC_TOTAL].launches);
        widened |= at->common[METRIC_TOTAL] > 0.0 || at->between[METRIC_TOTAL] > 0.0;
    }
    describe_ranks(p, &kinds[BY_LAUNCHES], ranks, sizeof ranks);
    if (kinds[BY_LAUNCHES].count)
        say(p, N_("The 95 % interval of a time lies between two of its launches by rank%{ranks}."),
            WITH({"ranks", ranks}));
    if (kinds[BY_RESAMPLING].count)
        say(p,
            N_("The 95 % interval of a time of two to five launches comes from resampling whole "
               "launches, widened to Student's distribution."),
            NULL);
    if (kinds[WITHIN_LAUNCH].count)
        say(p,
            N_("The 95 % interval of a time of one launch lies between two of its samples by rank, "
               "and shows nothing of other launches."),
            NULL);
    if (kinds[NO_INTERVAL].count)
        say(p, N_("%{count} times have no interval: too few launches or samples."),
            WITH({"count", count_of(p, kinds[NO_INTERVAL].count).text}));
    if (widened)
        say(p, N_("Noise that rounds or sessions share widens the intervals of times."), NULL);
}

/* Speedups and ratios: those of the same rounds, and all others that have an interval. */
struct ratio_kinds {
    struct kind paired;
    size_t others;
};

static void take_speedup(struct ratio_kinds *k, const struct speedup *s, size_t own)
{
    if (s->point < 0 || (size_t)s->point == own)
        return;
    if (s->pairs > 0)
        take(&k->paired, s->pairs);
    else
        k->others += !isnan(s->interval[METRIC_TOTAL].lower);
}

static void describe_ratios(struct paragraph *p)
{
    const struct analysis *a = p->analysis;
    struct ratio_kinds k = {0};
    char ranks[100];
    for (size_t i = 0; i < a->point_count; i++) {
        for (int b = 0; b < BASELINES; b++)
            take_speedup(&k, &a->points[i].speedup[b], i);
        take_speedup(&k, &a->points[i].over_base, i);
    }
    describe_ranks(p, &k.paired, ranks, sizeof ranks);
    if (k.paired.count)
        say(p,
            N_("A ratio of two times is the median of the ratios within rounds; its 95 % interval "
               "lies between two of these by rank%{ranks}, and is extended to contain the quotient "
               "of "
               "the two times."),
            WITH({"ranks", ranks}));
    if (k.others)
        say(p,
            k.paired.count
                ? N_("Of times with fewer than six rounds in common, it is the quotient, with an "
                     "interval from resampling the launches of both.")
                : N_("A ratio of two times is their quotient; its 95 % interval comes from "
                     "resampling the launches of both."),
            NULL);
}

static void describe_left_out(struct paragraph *p)
{
    const struct samples *s = &p->analysis->samples;
    size_t count = 0;
    for (size_t i = 0; i < s->launch_count; i++)
        count += s->launches[i].left_out;
    if (count)
        say(p, N_("%{count} launches that other programs disturbed enter no statistic."),
            WITH({"count", count_of(p, count).text}));
    say(p, N_("No sample is discarded for its time."), NULL);
}

void method_paragraph(const struct analysis *a, const struct analysis_request *request,
                      const struct language *l, char text[METHOD_PARAGRAPH])
{
    struct paragraph p = {a, request->machine, l, text, 0};
    char machine[500];
    text[0] = '\0';
    describe_machine(&p, machine, sizeof machine);
    if (is_own(&a->samples))
        describe_own(&p, machine);
    else
        describe_ours(&p, machine);
    describe_times(&p);
    describe_ratios(&p);
    describe_left_out(&p);
}
