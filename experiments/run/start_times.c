#include "experiments/run/start_times.h"

#include "experiments/plan/cost.h"
#include "harness/base/clock.h"
#include "harness/base/text/wording.h"

#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const double slow_start_s = 1.5, slow_lookup_s = 0.5;
enum { BEFORE_DECIDING = 2 }; /* launches; the first one may read programs from disk */

/* Describes what is wrong with this host's name, and the remedy; "" if it is resolved at once. */
static void name_trouble(char *text, size_t size)
{
    char host[256] = "";
    struct addrinfo *found = NULL;
    gethostname(host, sizeof host - 1);
    double began = clock_now();
    int error = getaddrinfo(host, NULL, NULL, &found);
    double took = clock_now() - began;
    if (error == 0)
        freeaddrinfo(found);
    text[0] = '\0';
    if (error != 0)
        snprintf(text, size,
                 "the name of this host, '%s', is not found (%s); a line '127.0.1.1 %s' in "
                 "/etc/hosts helps",
                 host, gai_strerror(error), host);
    else if (took > slow_lookup_s)
        snprintf(text, size,
                 "the name of this host, '%s', takes %.1f s to be found; a line '127.0.1.1 %s' in "
                 "/etc/hosts helps",
                 host, took, host);
}

static struct start_time *find(struct starts *s, const char *launcher)
{
    for (size_t i = 0; i < STARTS_LAUNCHERS; i++) {
        if (!s->of[i].launcher[0])
            snprintf(s->of[i].launcher, sizeof s->of[i].launcher, "%s", launcher);
        if (strcmp(s->of[i].launcher, launcher) == 0)
            return &s->of[i];
    }
    return NULL;
}

static void report_late_start(const struct start_time *t, double start_s)
{
    char why[640];
    name_trouble(why, sizeof why);
    wording_warn("study", "starting by %s takes %.1f s a launch, measuring %.2g s%s%s", t->launcher,
                 start_s, t->measuring_s / (double)t->launches, *why ? ": " : "", why);
}

void starts_take(struct starts *s, struct plan *plan, const char *launcher, double seconds,
                 double measuring_s)
{
    struct start_time *t = find(s, launcher);
    bool simulated =
        strcmp(launcher, "simgrid") == 0; /* its samples are not times of this machine */
    if (!t || t->reported || simulated || strcmp(launcher, "plain") == 0)
        return;
    t->launches++;
    t->measuring_s += measuring_s;
    t->starting_s += seconds > measuring_s ? seconds - measuring_s : 0;
    double start_s = t->starting_s / (double)t->launches;
    if (t->launches < BEFORE_DECIDING || start_s < slow_start_s || t->starting_s < t->measuring_s)
        return;
    t->reported = true;
    report_late_start(t, start_s);
    cost_learn_start(plan, launcher, start_s);
}
