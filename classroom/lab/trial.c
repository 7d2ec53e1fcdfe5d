#include "classroom/lab/trial.h"

#include "classroom/lab/compiled/source_line.h"
#include "classroom/lab/digits/digits.h"
#include "harness/base/clock.h"
#include "harness/base/digest.h"
#include "harness/base/text/fit.h"
#include "harness/base/text/messages.h"
#include "harness/point/verify/verify.h"

#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const words[LAB_VERDICTS] = {
    N_("correct"), N_("wrong"),   N_("late"),     N_("outside"),   N_("input"),
    N_("memory"),  N_("crashed"), N_("left"),     N_("endless"),   N_("printed"),
    N_("process"), N_("threads"), N_("too_fast"), N_("hand_over"), N_("uncompiled")};

const char *lab_verdict_word(enum lab_verdict verdict)
{
    return words[verdict];
}

__attribute__((format(printf, 3, 4))) static void
set_verdict(struct lab_trial *out, enum lab_verdict verdict, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    out->verdict = verdict;
    vsnprintf(out->cause, sizeof out->cause, format, values);
    va_end(values);
}

/* ---- ended workers --------------------------------------------------------------------------- */

enum { SANITIZER_EXIT = 99 };

/* Extracts a sanitizer's message: the text after "runtime error: " or "AddressSanitizer: ". */
static void sanitizer_words(const char *text, char *out, size_t size)
{
    static const char *const before[] = {"runtime error: ", "AddressSanitizer: "};
    const char *found = NULL;
    for (size_t i = 0; !found && i < sizeof before / sizeof *before; i++) {
        found = strstr(text, before[i]);
        if (found)
            found += strlen(before[i]);
    }
    const size_t length = found ? strcspn(found, "\n") : 0;
    snprintf(out, size, "%.*s", (int)length, found ? found : "");
    char *tail = strstr(out, " on address 0x");
    if (!tail)
        tail = strstr(out, " on unknown address");
    if (tail)
        *tail = '\0';
}

/* Returns the array in which, or next to which (within NEAR bytes), the address is; -1: none. */
static int array_of(const struct lab_worker *w, uint64_t address)
{
    enum { NEAR = 1 << 16 };
    for (int i = 0; i < LAB_ARRAYS; i++)
        if (address >= w->note.addresses[i] - NEAR &&
            address < w->note.addresses[i] + w->bytes[i] + NEAR)
            return i;
    return -1;
}

/* Writes "it read element 12 of the image, which has elements 0 to 11". */
static void describe_element(const struct lab_worker *w, int array, uint64_t address,
                             struct lab_trial *out)
{
    static const char *const names[] = {"the first array", "the second array", "the map"};
    const int64_t begin = (int64_t)w->note.addresses[array] + w->last.begin[array];
    const int64_t count = w->last.bytes[array] / (int64_t)sizeof(float);
    const int64_t apart = (int64_t)address - begin;
    const int64_t element =
        (apart - (apart < 0 ? (int64_t)sizeof(float) - 1 : 0)) / (int64_t)sizeof(float);
    const bool wrote = strstr(w->text, "WRITE") != NULL;
    set_verdict(out, LAB_MEMORY,
                wrote ? "it wrote element %lld of %s, which has elements 0 to %lld"
                      : "it read element %lld of %s, which has elements 0 to %lld",
                (long long)element, names[array], (long long)(count - 1));
    if (wrote && array != LAB_MAP && element >= 0 && element < count)
        set_verdict(out, LAB_INPUT, "it wrote into its input, which is read-only");
}

/* Finds the line of the first frame in the kernel's library that the text names as
 * LIBRARY+0xOFFSET: Clang's sanitizers start a program to translate it, which the sandbox forbids.
 */
static void find_sanitized_line(const struct lab_runner *runner, struct lab_trial *out)
{
    const char *at = strstr(runner->worker.text, runner->library);
    const char *offset = at ? at + strlen(runner->library) : "";
    if (!out->source_line[0] && strncmp(offset, "+0x", 3) == 0)
        source_line_at(runner->library, strtoull(offset + 1, NULL, 16), runner->source,
                       out->source_line, sizeof out->source_line);
}

static void classify_sanitizer(const struct lab_runner *runner, struct lab_trial *out)
{
    char said[256];
    const struct lab_worker *w = &runner->worker;
    const char *at = strstr(w->text, "address 0x");
    const uint64_t address = at ? strtoull(at + strlen("address "), NULL, 16) : 0;
    const int array = array_of(w, address);
    sanitizer_words(w->text, said, sizeof said);
    if (array >= 0)
        describe_element(w, array, address, out);
    else if (said[0])
        set_verdict(out, LAB_MEMORY, "%s", said);
    else
        set_verdict(out, LAB_MEMORY, "a sanitizer stopped it");
    if (strncmp(said, "ABRT", 4) == 0)
        set_verdict(out, LAB_CRASHED, "it crashed: signal 6 (Aborted)");
    if (runner->library)
        find_sanitized_line(runner, out);
}

/* Describes an exception: the last line of a traceback names it. */
static void classify_exception(const struct lab_runner *runner, struct lab_trial *out)
{
    char raised[300];
    const char *text = runner->worker.text, *last = text;
    for (const char *at = text; *at; at++)
        if (at[0] == '\n' && at[1] && at[1] != ' ' && at[1] != '\n')
            last = at + 1;
    snprintf(raised, sizeof raised, "%.*s", (int)strcspn(last, "\n"), last);
    set_verdict(out, LAB_CRASHED, "it raised %s", raised);
    source_line_of_traceback(text, runner->source, out->source_line, sizeof out->source_line);
}

/* What the device reported: a GPU its error, an emulated device the first thing that a thread did
 * wrong, in which it marks places. */
static void classify_device(const struct lab_runner *runner, struct lab_trial *out)
{
    char said[600];
    const char *text = runner->worker.text;
    snprintf(said, sizeof said, "%.*s", (int)strcspn(text, "\n"), text);
    out->verdict = LAB_CRASHED;
    if (!runner->emulated) {
        text_fit_format(out->cause, sizeof out->cause, "the GPU ended it: %s", said);
        return;
    }
    out->verdict = LAB_MEMORY;
    source_line_of_marks(said, runner->library, runner->source, out->cause, sizeof out->cause);
    source_line_in(out->cause, runner->source, out->source_line, sizeof out->source_line);
}

static void classify_exit(const struct lab_runner *runner, struct lab_trial *out)
{
    const struct lab_worker *w = &runner->worker;
    if (w->code == LAB_EXIT_RAISED) {
        classify_exception(runner, out);
        return;
    }
    if (w->code == SANITIZER_EXIT || (runner->checked && strstr(w->text, "runtime error: "))) {
        classify_sanitizer(runner, out);
        return;
    }
    if (w->code == LAB_EXIT_DEVICE) {
        classify_device(runner, out);
        return;
    }
    set_verdict(out, LAB_LEFT,
                "it ended the process with exit status %d before its result was taken", w->code);
}

static void classify_signal(const struct lab_runner *runner, struct lab_trial *out)
{
    const struct lab_worker *w = &runner->worker;
    const int number = w->code != SIGSYS && w->crashed_by ? w->crashed_by : w->code;
    if (number == SIGSYS) {
        set_verdict(
            out, LAB_PROCESS,
            "it started a process or a program, or sent signals to one, which a kernel may not");
        return;
    }
    if (runner->library && w->crashed_at)
        source_line_at(runner->library, w->crashed_at, runner->source, out->source_line,
                       sizeof out->source_line);
    set_verdict(out, LAB_CRASHED, "it crashed: signal %d (%s)", number, strsignal(number));
}

/* Whether it wanted more threads than it is allowed; what happened afterwards follows from it. */
static bool classify_refusal(const struct lab_runner *runner, struct lab_trial *out)
{
    if (!runner->worker.refused_a_thread)
        return false;
    set_verdict(out, LAB_THREADS, "it wanted to run %lld threads at once; allowed: %lld",
                (long long)runner->threads + 1, (long long)runner->threads);
    return true;
}

void lab_classify_end(const struct lab_runner *runner, struct lab_trial *out)
{
    const struct lab_worker *w = &runner->worker;
    out->output = -1;
    if (classify_refusal(runner, out))
        return;
    source_line_in(w->text, runner->source, out->source_line, sizeof out->source_line);
    switch (w->end) {
    case LAB_EXITED:
        classify_exit(runner, out);
        break;
    case LAB_SIGNAL:
        classify_signal(runner, out);
        break;
    case LAB_TIME_OUT:
        set_verdict(out, LAB_ENDLESS, "it had not returned after %g seconds", w->limits.seconds);
        break;
    case LAB_FLOOD:
        set_verdict(out, LAB_PRINTED, "it printed more than %lld bytes",
                    (long long)w->limits.most_output);
        break;
    case LAB_RUNNING:
        break;
    }
}

/* ---- results --------------------------------------------------------------------------------- */

/* A NaN with all bits set is the poison of the map. */
static bool was_never_written(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits == UINT32_MAX;
}

static void describe_wrong(const struct wrong_output *w, struct lab_trial *out)
{
    char found[64], near[48] = "";
    out->output = w->index;
    snprintf(found, sizeof found, "it is %.9g", (double)w->found);
    if (was_never_written(w->found))
        snprintf(found, sizeof found, "it was never written");
    if (w->bound > 0.0)
        snprintf(near, sizeof near, " (within %.3g)", w->bound);
    set_verdict(out, LAB_WRONG, "plane %lld, row %lld, column %lld of the map should be %.9g%s; %s",
                (long long)w->plane, (long long)w->row, (long long)w->col, w->expected, near,
                found);
}

static enum status verify(const struct lab_input *in, const struct lab_trial_options *options,
                          const float *map, struct lab_trial *out, struct failure *f)
{
    struct verifier *v;
    struct failure wrong = {0};
    const struct operation *op = &in->operation;
    const struct verify_scope all = {.count = shape_elements(op->map)};
    enum status status =
        verifier_make(&v, op, in->source, &in->facts, &all,
                      options->every_output ? VERIFY_FULL : VERIFY_SAMPLED, options->seed, f);
    if (status != STATUS_OK)
        return status;
    out->all_verified = options->every_output && !verifier_downgraded(v);
    status = verifier_check(v, map, &wrong);
    if (verifier_wrong(v))
        describe_wrong(verifier_wrong(v), out);
    verifier_free(v);
    return status == STATUS_OK || status == STATUS_WRONG ? STATUS_OK
                                                         : fail(f, status, "%s", wrong.message);
}

/* Refuses results whose errors show operands of fewer digits than float has; only images of wide
 * integers show it, and those whose results are exact: then none may differ, whatever the number of
 * terms. */
static void check_digits(const struct lab_input *in, const struct lab_arrays *arrays,
                         const struct lab_order *order, struct lab_trial *out)
{
    const struct lab_digits digits = lab_digits_of(in, arrays, order);
    const bool exact = in->exact && !in->operation.kind->points;
    if (digits.outputs == 0 || digits.error <= (exact ? 0.0 : digits.allowed))
        return;
    if (exact)
        set_verdict(out, LAB_WRONG,
                    "it computes with fewer digits than float has: a sum that float holds exactly "
                    "is another one");
    else
        set_verdict(out, LAB_WRONG,
                    "it computes with fewer digits than float has: the errors of %lld outputs are "
                    "%.3g times as large as roundings explain",
                    (long long)digits.outputs, digits.error / digits.allowed);
}

/* Lets the worker continue for up to two seconds to see whether the map still changes after the
 * answer. A worker with a single thread only waits for the next order. */
static bool goes_on(struct lab_runner *runner, const struct lab_arrays *arrays)
{
    const size_t bytes = arrays->bytes[LAB_MAP];
    enum { TRIES = 400, PAUSE_US = 5000 };
    char *before = lab_worker_threads(&runner->worker) > 1 ? malloc(bytes) : NULL;
    bool changed = false;
    if (!before)
        return false;
    memcpy(before, arrays->address[LAB_MAP], bytes);
    lab_worker_resume(&runner->worker);
    for (int i = 0; i < TRIES && !changed; i++) {
        usleep(PAUSE_US);
        changed = memcmp(before, arrays->address[LAB_MAP], bytes) != 0;
    }
    lab_worker_halt(&runner->worker);
    free(before);
    return changed;
}

/* ---- threads --------------------------------------------------------------------------------- */

/* More CPU time than the allowed threads can use, by this share and these seconds, is refused. */
static const double cpu_slack = 0.25, cpu_slack_s = 0.05;

static void classify_threads(const struct lab_runner *runner, double wall_s, double cpu_s,
                             struct lab_trial *out)
{
    const struct lab_worker *w = &runner->worker;
    const int64_t left = lab_worker_threads(w);
    const double most = (double)runner->threads * wall_s;
    if (classify_refusal(runner, out))
        return;
    if (w->note.threads > runner->threads || left > runner->threads) {
        set_verdict(out, LAB_THREADS, "%lld threads ran at once, and %lld are allowed",
                    (long long)(w->note.threads > left ? w->note.threads : left),
                    (long long)runner->threads);
    } else if (cpu_s > most * (1.0 + cpu_slack) + cpu_slack_s) {
        set_verdict(out, LAB_THREADS,
                    "it used %.3g s of CPU time in %.3g s, and %lld threads are allowed", cpu_s,
                    wall_s, (long long)runner->threads);
    }
}

/* ---- one call -------------------------------------------------------------------------------- */

static enum status take(struct lab_runner *runner, const struct lab_input *in,
                        const struct lab_arrays *arrays, const struct lab_trial_options *options,
                        const struct lab_order *order, struct lab_trial *out, struct failure *f)
{
    float *map = NULL;
    enum status status = lab_input_take_map(in, runner->planar, arrays, order, &map, f);
    if (status == STATUS_OK)
        status = verify(in, options, map, out, f);
    free(map);
    if (status == STATUS_OK && out->verdict == LAB_CORRECT && !runner->trusted &&
        (in->exact || options->max_value >= lab_wide_integers))
        check_digits(in, arrays, order, out);
    if (status == STATUS_OK && out->verdict == LAB_CORRECT && lab_input_wrote_beside(arrays, order))
        set_verdict(out, LAB_OUTSIDE, "it wrote beside the map");
    if (status == STATUS_OK && out->verdict == LAB_WRONG && !runner->trusted &&
        goes_on(runner, arrays))
        set_verdict(out, LAB_LATE, "the map changed after the function had returned");
    return status;
}

/* Copies the arrays to the device or the map back; does nothing if the kernel runs on the host. */
static bool move(struct lab_runner *runner, const struct lab_order *call, enum lab_ask ask)
{
    double ignored;
    struct lab_order order = *call;
    order.ask = (int32_t)ask;
    return !runner->device || lab_worker_clock(&runner->worker, &order, &ignored, &ignored);
}

/* The clock covers all that the worker does while it has the input: it is stopped before the input
 * is written, and again when the clock is read. The empty order comes before the input. */
static enum status call(struct lab_runner *runner, struct lab_input *in,
                        const struct lab_arrays *arrays, const struct lab_trial_options *options,
                        const struct lab_order *order, struct lab_trial *out, struct failure *f)
{
    struct lab_worker *w = &runner->worker;
    const struct lab_order echo = {.ask = LAB_ECHO};
    lab_worker_clock(w, &echo, &out->began, &out->echo_s);
    const enum status status =
        lab_input_fill(in, options->seed, options->max_value, runner->planar, arrays, order, f);
    if (status != STATUS_OK)
        return status;
    move(runner, order, LAB_GIVE);
    const double cpu = lab_worker_cpu(w);
    if (lab_worker_clock(w, order, &out->began, &out->seconds)) {
        const double used = lab_worker_cpu(w) - cpu;
        move(runner, order, LAB_TAKE);
        if (runner->trusted)
            out->product_s = w->note.product_s;
        else if (!runner->device && w->pid > 0) /* a GPU's driver starts additional threads */
            classify_threads(runner, out->seconds, used, out);
    }
    if (w->pid == 0)
        lab_classify_end(runner, out);
    return STATUS_OK;
}

enum status lab_try(struct lab_runner *runner, struct lab_input *in,
                    const struct lab_arrays *arrays, const struct lab_trial_options *options,
                    struct lab_trial *out, struct failure *f)
{
    struct lab_operand_kept kept = {.kept = false};
    const struct lab_order order = lab_input_order(in, runner->threads, options->at_end, arrays);
    *out = (struct lab_trial){.verdict = LAB_CORRECT, .output = -1, .seconds = NAN, .echo_s = NAN};
    enum status status = STATUS_OK;
    if (!runner->prepared)
        status = lab_input_renew(in, digest_mix(options->seed), &kept, f);
    if (status == STATUS_OK && !runner->trusted && options->exact && lab_input_can_be_exact(in))
        lab_input_be_exact(in, digest_mix(options->seed + 1));
    else if (status == STATUS_OK && !runner->trusted && options->max_value == lab_wide_integers)
        lab_input_be_wide(in, digest_mix(options->seed + 1));
    if (status == STATUS_OK)
        status = call(runner, in, arrays, options, &order, out, f);
    if (status == STATUS_OK && out->verdict == LAB_CORRECT)
        status = take(runner, in, arrays, options, &order, out, f);
    if (out->verdict == LAB_CORRECT)
        lab_input_restore(in, &kept);
    else
        operand_release(&kept.operand); /* the failure is explained with the operand of this call */
    return status;
}
