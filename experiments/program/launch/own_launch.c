#include "experiments/program/launch/own_launch.h"

#include "experiments/program/launch/duration.h"
#include "experiments/program/launch/own_binding.h"
#include "experiments/program/launch/own_words.h"
#include "harness/base/text/fit.h"
#include "harness/base/text/screen.h"
#include "harness/base/text/wording.h"
#include "harness/records/table.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <regex.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

const char *const own_end_words[OWN_ENDS] = {"done",    "failed",      "failed",
                                             "timeout", "interrupted", "failed"};

/* Before the hash of an output, in the journal. */
static const char hash_word[] = "output SHA-256 ";

/* From SIGTERM to SIGKILL, for a program that has something to finish. */
static const double grace_s = 5;

static void set_end(struct own_launch *l, enum own_end end, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void set_end(struct own_launch *l, enum own_end end, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    text_fit_arguments(l->reason, sizeof l->reason, format, arguments);
    va_end(arguments);
    l->end = end;
}

/* ---- the output ------------------------------------------------------------------------------ */

/* What a launch printed. Without an option that reads stdout, both streams are in the process's
 * tail alone. */
struct printed {
    char *out; /* all of stdout, and a final 0; a 0 within it becomes '?' */
    size_t count;
};

static enum status read_printed(struct printed *p, int file, struct failure *f)
{
    struct stat info;
    if (fstat(file, &info) != 0)
        return fail(f, STATUS_RESOURCE, "the output cannot be read: %s", strerror(errno));
    p->out = malloc((size_t)info.st_size + 1);
    if (!p->out)
        return fail(f, STATUS_RESOURCE, "not enough memory for the output of the command");
    while (p->count < (size_t)info.st_size) {
        const ssize_t got =
            pread(file, p->out + p->count, (size_t)info.st_size - p->count, (off_t)p->count);
        if (got <= 0)
            break;
        p->count += (size_t)got;
    }
    p->out[p->count] = '\0';
    return STATUS_OK;
}

/* The expression was compiled before, so this cannot fail but for memory. */
static bool compile(regex_t *compiled, const char *text)
{
    char *expression = own_expression(text);
    const bool good = expression && regcomp(compiled, expression, REG_EXTENDED | REG_NEWLINE) == 0;
    free(expression);
    return good;
}

/* A match of --seconds: where its group is in the text. */
struct match {
    size_t begin, end;
    double seconds;
    bool part; /* of a longer number: the seconds are wrong */
};

/* True if the last word of a text is a number: 10, and not t1. */
static bool ends_in_number(const char *text)
{
    const size_t length = strlen(text);
    size_t begin = length;
    while (begin > 0 && !strchr(" \t=:;([", text[begin - 1]))
        begin--;
    return begin < length && isdigit((unsigned char)text[begin]) &&
           isdigit((unsigned char)text[length - 1]);
}

/* The unit of a match: behind the group, else before it, as in "Time (ms): 450"; else a second. The
 * unit of a number before it is not one: "10 ms 15". */
static double unit_of(const char *text, const regmatch_t at[2])
{
    char before[64];
    double unit = 1.0;
    const char *group = text + at[1].rm_so, *end = group;
    while (end > text + at[0].rm_so && strchr(" \t=:", end[-1]))
        end--;
    const int most = (int)sizeof before - 1;
    const int length = end - text - at[0].rm_so < most ? (int)(end - text - at[0].rm_so) : most;
    snprintf(before, sizeof before, "%.*s", length, end - length);
    if (duration_unit_at(text + at[1].rm_eo, &unit) || !duration_take_unit(before, &unit))
        return unit;
    return ends_in_number(before) ? 1.0 : unit;
}

/* True if a number goes on at `at` from before it: with a digit, or behind the decimal sign.
 * `parts`: a comma there parts fields. */
static bool goes_on_from_before(const char *text, const char *at, bool parts)
{
    if (at == text)
        return false;
    const bool sign = at[-1] == '.' || (at[-1] == ',' && !parts);
    return isdigit((unsigned char)at[-1]) ||
           (sign && at - 1 > text && isdigit((unsigned char)at[-2]));
}

/* True if an expression names a comma right before its group, as in "4, *([0-9.]+)". */
static bool names_comma(const char *expression)
{
    const char *group = strchr(expression, '(');
    while (group && group > expression && group[-1] == '\\')
        group = strchr(group + 1, '(');
    while (group && group > expression && strchr(" *+?\\s\"", group[-1]))
        group--;
    return group && group > expression && group[-1] == ',';
}

/* Reads what the group of a match holds. NaN: no time. */
static double read_match(const char *text, const regmatch_t at[2], bool parts, bool *part)
{
    char group[128];
    double seconds;
    const char *begin = text + at[1].rm_so, *end = text + at[1].rm_eo;
    if (end - begin >= (ptrdiff_t)sizeof group)
        return NAN;
    snprintf(group, sizeof group, "%.*s", (int)(end - begin), begin);
    /* what the expression itself matches behind the group was meant */
    *part = isdigit((unsigned char)*begin) &&
            (goes_on_from_before(text, begin, parts) ||
             (at[1].rm_eo == at[0].rm_eo && duration_goes_on(group, end)));
    const double unit = unit_of(text, at);
    return duration_read(group, '.', unit, &seconds) || duration_read(group, ',', unit, &seconds)
               ? seconds
               : (double)NAN;
}

/* Finds the times in a text; `parts`: see goes_on_from_before(). Returns 0 for none, 1 for one
 * (several times the same is one), and 2 if they differ. */
static int find_seconds(const regex_t *expression, bool parts, const char *text,
                        struct match *first)
{
    const size_t length = strlen(text);
    regmatch_t at[2];
    int found = 0;
    for (size_t from = 0; from <= length && found < 2;) {
        if (regexec(expression, text + from, 2, at, from ? REG_NOTBOL : 0) != 0)
            break;
        if (at[1].rm_so >= 0) {
            struct match m = {from + (size_t)at[1].rm_so, from + (size_t)at[1].rm_eo, NAN, false};
            m.seconds = read_match(text + from, at, parts, &m.part);
            found = found == 0 ? 1 : m.seconds == first->seconds ? found : 2;
            *first = found == 1 ? m : *first;
        }
        from += at[0].rm_eo > 0 ? (size_t)at[0].rm_eo : 1;
    }
    return found;
}

/* Takes the time of an expression from stdout, else from stderr. */
static void take_seconds(struct own_launch *l, const char *text, const struct printed *p,
                         struct match *match)
{
    regex_t expression;
    if (!compile(&expression, text)) {
        set_end(l, OWN_FAILED, "not enough memory for --seconds");
        return;
    }
    const bool parts = names_comma(text);
    int count = find_seconds(&expression, parts, p->out, match);
    if (count == 0) {
        count = find_seconds(&expression, parts, l->process.output, match);
        match->begin = match->end = 0; /* not in stdout */
    }
    regfree(&expression);
    if (count == 0)
        set_end(l, OWN_FAILED, "its output has no match of --seconds '%s'", text);
    else if (count > 1)
        set_end(l, OWN_FAILED,
                "--seconds '%s' matches several times with different numbers; make it match "
                "the one that counts",
                text_brief(text, 200).text);
    else if (match->part)
        set_end(l, OWN_FAILED,
                "what --seconds '%s' matches is part of a longer number; let the group match "
                "all of it, as (\\S+) does",
                text_brief(text, 200).text);
    else if (!(match->seconds > 0.0) || !isfinite(match->seconds))
        set_end(l, OWN_FAILED, "what --seconds '%s' matches is no number above 0",
                text_brief(text, 200).text);
}

/* Takes the time of every phase; the first is that of the launch. */
static void take_phases(struct own_launch *l, const struct own_command *c, const struct printed *p,
                        struct match matches[OWN_PHASES])
{
    for (size_t i = 0; i < c->seconds.count && l->end == OWN_DONE; i++) {
        take_seconds(l, own_phase_expression(c, i), p, &matches[i]);
        l->phases[i] = matches[i].seconds;
    }
    if (c->seconds.count > 0)
        l->seconds = l->end == OWN_DONE ? l->phases[0] : (double)NAN;
}

/* The hash of stdout without the times that --seconds found there: they differ every time. What
 * comes last is removed first. */
static void take_hash(struct own_launch *l, struct printed *p, struct match matches[OWN_PHASES])
{
    for (;;) {
        struct match *last = &matches[0];
        for (size_t i = 1; i < OWN_PHASES; i++)
            last = matches[i].end > last->end ? &matches[i] : last;
        if (last->end == 0)
            break;
        memmove(p->out + last->begin, p->out + last->end, p->count - last->end + 1);
        p->count -= last->end - last->begin;
        for (size_t i = 0; i < OWN_PHASES; i++) /* two phases may have one number */
            if (matches[i].end > last->begin && &matches[i] != last)
                matches[i].begin = matches[i].end = 0;
        last->begin = last->end = 0;
    }
    sha256_hex(p->out, p->count, l->hash);
}

static bool contains(const char *text, const char *expression_text)
{
    regex_t expression;
    if (!compile(&expression, expression_text))
        return false;
    const bool found = regexec(&expression, text, 0, NULL, 0) == 0;
    regfree(&expression);
    return found;
}

/* Compares what the process printed with what was asked. */
static void check_printed(struct own_launch *l, const struct own_command *c, struct printed *p,
                          const char *first_hash)
{
    char hash[SHA256_HEX];
    struct match matches[OWN_PHASES] = {{0}};
    sha256_hex(p->out, p->count, hash);
    for (size_t i = 0; i < p->count; i++)
        p->out[i] = p->out[i] ? p->out[i] : '?';
    take_phases(l, c, p, matches);
    if (l->end != OWN_DONE)
        return;
    if (c->check && !contains(p->out, c->check) && !contains(l->process.output, c->check))
        set_end(l, OWN_WRONG, "its output has no match of --check '%s'", c->check);
    else if (c->expect_hash && strcasecmp(hash, c->expect_hash) != 0)
        set_end(l, OWN_WRONG, "the SHA-256 of its output is %s, not that of --expect-hash", hash);
    if (!c->same_output)
        return;
    take_hash(l, p, matches);
    if (l->end == OWN_DONE && first_hash[0] && strcmp(first_hash, l->hash) != 0)
        set_end(l, OWN_WRONG, "its output differs from that of the first launch (--same-output)");
}

/* Shows stdout before what stderr holds, as much as fits. */
static void join_output(struct process_result *r, const struct printed *p)
{
    char joined[PROCESS_OUTPUT];
    const size_t room = sizeof joined - 1 - strnlen(r->output, sizeof joined / 2);
    const char *from = p->count > room ? p->out + (p->count - room) : p->out;
    snprintf(joined, sizeof joined, "%s%s", from, r->output);
    memcpy(r->output, joined, sizeof joined);
}

/* ---- the process ----------------------------------------------------------------------------- */

static void classify(struct own_launch *l, double timeout_s)
{
    const struct process_result *r = &l->process;
    const bool wants = strcasestr(r->output, "tty") || strcasestr(r->output, "terminal");
    int waiting = 0; /* bytes that study itself could read */
    ioctl(STDIN_FILENO, FIONREAD, &waiting);
    l->end = OWN_DONE;
    l->seconds = r->seconds;
    if (r->end == PROCESS_NOT_STARTED)
        set_end(l, OWN_NOT_STARTED, "the command cannot be started: %s", r->output);
    else if (r->end == PROCESS_STOPPED)
        set_end(l, OWN_STOPPED, "asked to stop");
    else if (r->end == PROCESS_TIMED_OUT)
        set_end(l, OWN_TIMED_OUT, "not done within %g s; --timeout allows more", timeout_s);
    else if (r->end == PROCESS_TERMINAL)
        set_end(l, OWN_FAILED,
                "it waits for a terminal, and there is none here: give it its input as a file or "
                "as options");
    else if (r->end == PROCESS_KILLED)
        set_end(l, OWN_FAILED, "ended by signal %d (%s)", r->signal, strsignal(r->signal));
    else if (r->exit_status != 0 && wants)
        set_end(l, OWN_FAILED, "exit status %d; it has no terminal here, and its input is empty",
                r->exit_status);
    else if (r->exit_status != 0 && waiting > 0)
        set_end(l, OWN_FAILED,
                "exit status %d; its input is empty, study's own is not given to it: let a shell "
                "read a file, sh -c './mine < FILE'",
                r->exit_status);
    else if (r->exit_status != 0)
        set_end(l, OWN_FAILED, "exit status %d", r->exit_status);
    else if (r->left_children)
        set_end(l, OWN_FAILED,
                "it ended while processes that it had started were running; they were ended, and "
                "its time is not known: let it wait for them");
    if (l->end != OWN_DONE)
        l->seconds = NAN;
}

/* Threads of OpenMP take their number from the environment too. */
static void set_environment(const struct own_workers *w)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRId64, w->threads);
    if (w->threads != RECORD_NO_INT)
        setenv("OMP_NUM_THREADS", text, 1);
}

static enum status run_shell(struct process_result *result, const char *command,
                             const struct own_workers *w, bool even_stopped, struct failure *f)
{
    char *text = own_text_fill(command, w);
    if (!text)
        return fail(f, STATUS_RESOURCE, "not enough memory for a command");
    char shell[] = "/bin/sh", option[] = "-c";
    const struct process_limits limits = {
        .grace_seconds = grace_s, .death_signal = SIGKILL, .even_stopped = even_stopped};
    const enum status status =
        process_run((char *[]){shell, option, text, NULL}, &limits, result, f);
    free(text);
    return status;
}

static enum status prepare(struct own_launch *out, const struct own_command *c,
                           const struct own_workers *w, struct failure *f)
{
    out->end = OWN_DONE;
    if (!c->prepare)
        return STATUS_OK;
    const enum status status = run_shell(&out->process, c->prepare, w, false, f);
    if (status == STATUS_OK && out->process.end == PROCESS_STOPPED)
        set_end(out, OWN_STOPPED, "asked to stop");
    else if (status == STATUS_OK && !process_succeeded(&out->process))
        set_end(out, OWN_NOT_STARTED, "--prepare '%s' failed with exit status %d: %s",
                text_brief(c->prepare, 200).text, out->process.exit_status, out->process.output);
    return status;
}

enum status own_cleanup_run(const struct own_command *c, const struct own_workers *w,
                            struct failure *f)
{
    struct process_result result;
    if (!c->cleanup)
        return STATUS_OK;
    const enum status status = run_shell(&result, c->cleanup, w, true, f);
    if (status != STATUS_OK || process_succeeded(&result))
        return status;
    return fail(f, STATUS_RESOURCE, "--cleanup '%s' failed with exit status %d: %s",
                text_brief(c->cleanup, 200).text, result.exit_status, result.output);
}

static enum status run_words(struct own_launch *out, const struct own_command *c, char **words,
                             double timeout_s, int file, struct failure *f)
{
    static struct load_reading before, after; /* 24 KiB each */
    const struct process_limits limits = {.seconds = timeout_s,
                                          .grace_seconds = grace_s,
                                          .death_signal = SIGTERM,
                                          .keep_cores = c->bind != BIND_NONE,
                                          .stdout_file = file > 0 ? file : 0};
    other_load_read(&before, "", LOAD_OF_FAMILY);
    struct counters counters;
    struct counter_reading counted[2];
    counters_open(&counters);
    counters_read(&counters, &counted[0]);
    const enum status status = process_run(words, &limits, &out->process, f);
    counters_read(&counters, &counted[1]);
    counters_between(&counted[0], &counted[1], &out->instructions, &out->cycles);
    out->counters = counters_state(&counters);
    counters_close(&counters);
    other_load_read(&after, "", LOAD_OF_FAMILY);
    out->load = other_load_between(&before, &after);
    out->wall_s = out->process.seconds;
    out->cpu_s = out->process.user_s + out->process.system_s;
    return status;
}

static enum status run_and_read(struct own_launch *out, const struct own_command *c, char **words,
                                double timeout_s, const char *first_hash, struct failure *f)
{
    const bool reads = c->check || c->expect_hash || c->seconds.count || c->same_output;
    const int file = reads ? memfd_create("output", MFD_CLOEXEC) : -1;
    struct printed printed = {0};
    if (reads && file < 0)
        return fail(f, STATUS_RESOURCE, "no memory for the output: %s", strerror(errno));
    enum status status = run_words(out, c, words, timeout_s, file, f);
    out->started = status == STATUS_OK && out->process.end != PROCESS_NOT_STARTED;
    if (status == STATUS_OK && reads)
        status = read_printed(&printed, file, f);
    if (status == STATUS_OK) {
        classify(out, timeout_s);
        if (reads && out->end == OWN_DONE)
            check_printed(out, c, &printed, first_hash);
        if (reads && out->end != OWN_NOT_STARTED)
            join_output(&out->process, &printed);
    }
    if (file >= 0)
        close(file);
    free(printed.out);
    return status;
}

enum status own_launch_run(struct own_launch *out, const struct own_command *c,
                           const struct own_workers *w, double timeout_s, const char *first_hash,
                           struct failure *f)
{
    *out = (struct own_launch){.seconds = NAN};
    char **words = own_words_fill(c, w);
    out->command = words ? own_words_line(words) : NULL;
    enum status status =
        out->command ? STATUS_OK : fail(f, STATUS_RESOURCE, "not enough memory for a command");
    set_environment(w);
    if (status == STATUS_OK)
        status = prepare(out, c, w, f);
    if (status == STATUS_OK && out->end == OWN_DONE) {
        struct own_binding binding;
        status = own_binding_begin(&binding, c->bind, w, f);
        if (status == STATUS_OK)
            status = run_and_read(out, c, words, timeout_s, first_hash, f);
        own_binding_end(&binding);
    }
    own_words_free(words);
    if (out->end == OWN_DONE && out->hash[0])
        snprintf(out->reason, sizeof out->reason, "%s%s", hash_word, out->hash);
    return status;
}

bool own_hash_read(const struct journal_row *row, char hash[SHA256_HEX])
{
    const char *at = strstr(row->reason, hash_word);
    if (strcmp(row->status, own_end_words[OWN_DONE]) != 0 || !at)
        return false;
    text_fit_format(hash, SHA256_HEX, "%s", at + strlen(hash_word));
    return true;
}

void own_launch_release(struct own_launch *launch)
{
    free(launch->command);
    launch->command = NULL;
}

void own_launch_show(const struct own_launch *l)
{
    char status[16];
    snprintf(status, sizeof status, "%d", l->process.exit_status);
    fflush(stdout);
    fprintf(stderr, "study: '%s': %s\n", l->command, wording_on_screen(l->reason).text);
    if (l->process.end == PROCESS_NOT_STARTED || !l->process.output[0])
        return;
    if (l->process.end == PROCESS_EXITED)
        screen_say(stderr, N_("Its exit status is %{status}, and its output:\n"),
                   WITH({"status", status}));
    else
        fputs(screen_text(N_("Its output:\n")), stderr);
    fputs(l->process.output, stderr);
    if (l->process.output[strlen(l->process.output) - 1] != '\n')
        putc('\n', stderr);
}

/* A hypervisor that takes more of the time than this starves a program as others here do. */
static const double stolen_share = 0.25;

/* Whether others took cores that the launch could have used: beside what it used itself, they left
 * none idle. A launch that is too short for a count of the others' ticks has the pressure, which
 * the system counts in microseconds. */
static bool were_cores_taken(const struct own_launch *l)
{
    const struct other_load *load = &l->load;
    const bool pressed = isnan(load->cores) && load->pressure_share > stolen_share;
    return load_disturbs(load->cores, l->cpu_s / l->wall_s, (double)load->hardware_threads) ||
           load->stolen_share > stolen_share || pressed;
}

void own_tally_add(struct own_tally *t, const struct own_launch *l)
{
    struct own_use *use = were_cores_taken(l) ? &t->disturbed : &t->quiet;
    use->launches++;
    use->wall_s += l->wall_s;
    use->cpu_s += l->cpu_s;
    use->least_s = use->least_s > 0.0 ? fmin(use->least_s, l->seconds) : l->seconds;
}

size_t own_tally_launches(const struct own_tally *t)
{
    return t->quiet.launches + t->disturbed.launches;
}

/* The least time of all launches: 0 if there is none. */
static double least_of(const struct own_tally *t)
{
    const double quiet = t->quiet.least_s, disturbed = t->disturbed.least_s;
    return quiet > 0.0 && disturbed > 0.0 ? fmin(quiet, disturbed) : fmax(quiet, disturbed);
}

/* Whether no more than one processor was busy, and the time did not fall. */
static bool is_like_one(const struct own_use *several, const struct own_tally *one)
{
    return several->launches > 0 && several->cpu_s <= 1.1 * several->wall_s &&
           several->least_s >= 0.9 * least_of(one);
}

bool own_tally_warn(const char *title, int64_t threads, const struct own_tally *one,
                    const struct own_tally *several)
{
    const bool known = several->quiet.launches > 0;
    const struct own_use *use = known ? &several->quiet : &several->disturbed;
    if (own_tally_launches(one) == 0 || !is_like_one(use, one))
        return false;
    char count[24], busy[24];
    snprintf(count, sizeof count, "%" PRId64, threads);
    snprintf(busy, sizeof busy, "%.2f", use->cpu_s / use->wall_s);
    number_localize(screen_language(), busy);
    fprintf(stderr, "study: ");
    screen_say(stderr,
               known ? N_("with %{threads} threads %{program} kept %{busy} processors busy, and "
                          "took as long as with one: does it use {threads} or OMP_NUM_THREADS?\n")
                     : N_("with %{threads} threads %{program} kept %{busy} processors busy, and "
                          "took as long as with one, but in each of these launches other programs "
                          "took the cores: measure again when they are idle\n"),
               WITH({"threads", count}, {"program", title}, {"busy", busy}));
    return true;
}
