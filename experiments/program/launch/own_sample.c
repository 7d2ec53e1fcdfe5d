#include "experiments/program/launch/own_sample.h"

#include "experiments/samples/point.h"
#include "harness/base/clock.h"

static bool is_checked(const struct own_command *c)
{
    return c->check || c->expect_hash || c->same_output;
}

struct record own_sample(const struct own_launch *l, const struct own_command *c,
                         const struct record *identity, const char *host, const char *program)
{
    struct record r = *identity;
    record_name_run(r.run_id, sizeof r.run_id, host);
    r.sample = 0;
    r.warmup = 0;
    r.repeats = 1;
    r.others_cores = r.launch_others_cores = l->load.cores;
    r.launch_hardware_threads = other_load_counted_on(&l->load);
    r.launch_stolen_share = l->load.stolen_share;
    r.launch_pressure_share = l->load.pressure_share;
    snprintf(r.counters, sizeof r.counters, "%s", counters_words[l->counters]);
    snprintf(r.stop_reason, sizeof r.stop_reason, "samples");
    snprintf(r.launch, sizeof r.launch, "command");
    snprintf(r.verified, sizeof r.verified, "%s",
             l->end == OWN_WRONG ? "wrong"
             : is_checked(c)     ? own_verdict
                                 : "none");
    snprintf(r.host, sizeof r.host, "%s", host);
    snprintf(r.commit, sizeof r.commit, "%.12s", program);
    clock_utc(r.time_utc, sizeof r.time_utc);
    return r;
}

size_t own_sample_count(const struct own_command *c)
{
    return c->seconds.count ? c->seconds.count : 1;
}

void own_sample_phase(struct record *r, const struct own_launch *l, const struct own_command *c,
                      size_t phase, const char *title)
{
    char name[OWN_PHASE_NAME] = "";
    if (c->seconds.count > 1)
        own_phase_name(c, phase, name);
    snprintf(r->method, sizeof r->method, "%s", name[0] ? name : title);
    r->total_s = c->seconds.count ? l->phases[phase] : l->seconds;
}

struct usage_row own_usage(const struct own_launch *l, const char *run_id, double moved_bytes)
{
    struct usage_row row = usage_blank();
    snprintf(row.run_id, sizeof row.run_id, "%s", run_id);
    row.wall_s = l->wall_s;
    row.user_s = l->process.user_s;
    row.system_s = l->process.system_s;
    row.voluntary_switches = l->process.voluntary;
    row.involuntary_switches = l->process.involuntary;
    row.peak_memory_bytes = l->process.peak_bytes;
    row.instructions = l->instructions;
    row.cycles = l->cycles;
    row.moved_bytes = moved_bytes;
    return row;
}
