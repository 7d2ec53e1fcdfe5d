#include "classroom/lab/compiled/counted_call.h"

#include "classroom/lab/compiled/source_line.h"
#include "experiments/common/folder_files.h"
#include "harness/base/suite_files.h"
#include "harness/base/text/fit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The last line of counts in what the worker printed. Returns what follows it, NULL if there is
 * none. */
static const char *find_counts(const char *text, char counts[LAB_COUNTS_TEXT])
{
    static const char word[] = "\ncounts";
    const char *last = NULL;
    for (const char *at = text; (at = strstr(at, word)); at += strlen(word))
        last = at + strlen(word);
    const size_t length = last ? strcspn(last, "\n") : 0;
    if (length == 0 || length >= LAB_COUNTS_TEXT || last[length] != '\n')
        return NULL;
    memcpy(counts, last, length);
    counts[length] = '\0';
    return last + length + 1;
}

/* Rewrites lines "place @0x1234@ NUMBERS" with the line of the source in place of the mark. Lines
 * that are not complete, or do not fit, are left out. */
static void find_lines(const char *text, const char *library, const char *source,
                       char lines[LAB_COUNTED_LINES])
{
    static const char word[] = "place @";
    char mark[32] = "", line[256] = "";
    size_t used = 0;
    lines[0] = '\0';
    for (; strncmp(text, word, strlen(word)) == 0; text = strchr(text, '\n') + 1) {
        const char *begin = text + strlen(word), *end = strchr(begin, '@');
        const char *const over = strchr(begin, '\n');
        if (!over || !end || end > over || end - begin >= (int)sizeof mark)
            return;
        if (strncmp(mark, begin, (size_t)(end - begin + 1)) != 0) { /* neighbours share a mark */
            snprintf(mark, sizeof mark, "%.*s@", (int)(end - begin), begin);
            source_line_at(library, strtoull(mark, NULL, 16), source, line, sizeof line);
        }
        const int n = snprintf(lines + used, LAB_COUNTED_LINES - used, "%s%.*s\n",
                               line[0] ? line : "(elsewhere)", (int)(over - end - 1), end + 1);
        if (used + (size_t)n >= LAB_COUNTED_LINES) {
            lines[used] = '\0';
            return;
        }
        used += (size_t)n;
    }
}

static enum status call(struct lab_runner *runner, struct lab_input *in,
                        const struct lab_arrays *arrays, const char *source, uint64_t seed,
                        struct lab_counts *counts, struct failure *f)
{
    struct lab_trial trial;
    const struct lab_trial_options options = {.seed = seed, .max_value = 255};
    const enum status status = lab_try(runner, in, arrays, &options, &trial, f);
    if (status == STATUS_OK && trial.verdict != LAB_CORRECT)
        return fail(f, STATUS_USAGE, "it is not correct at this size: %s: %s",
                    lab_verdict_word(trial.verdict), trial.cause);
    /* What it printed is read completely when it ends. */
    lab_worker_end(&runner->worker);
    if (status != STATUS_OK)
        return status;
    const char *places = find_counts(runner->worker.text, counts->numbers);
    if (!places)
        return fail(f, STATUS_USAGE, "its counts are not among the first %d bytes that it printed",
                    LAB_OUTPUT);
    find_lines(places, runner->library, source, counts->lines);
    return STATUS_OK;
}

enum status lab_counted_call(const struct operator_row *kind, const struct lab_start *how,
                             const struct foreign_sizes *size, const char *source, uint64_t seed,
                             struct lab_counts *counts, struct failure *f)
{
    struct lab_input in;
    struct lab_arrays arrays;
    size_t bytes[LAB_ARRAYS];
    struct lab_runner runner = {.threads = how->threads,
                                .planar = true,
                                .device = true,
                                .emulated = true,
                                .library = how->what};
    enum status status = lab_input_open(&in, kind, size, seed, f);
    if (status != STATUS_OK)
        return status;
    lab_input_bytes(&in, bytes);
    status = lab_arrays_open(&arrays, bytes, f);
    if (status == STATUS_OK) {
        status = lab_runner_start(&runner, how, &arrays, f);
        if (status == STATUS_OK && runner.worker.pid == 0)
            status = fail(f, STATUS_USAGE, "it ended before it was called");
        if (status == STATUS_OK)
            status = call(&runner, &in, &arrays, source, seed, counts, f);
        lab_worker_end(&runner.worker);
        lab_arrays_close(&arrays);
    }
    lab_input_close(&in);
    return status;
}

/* ---- beside the suite's kernels ---- */

enum { WORDS = 24, NUMBER = 24 };

static enum status start(char *const words[], struct failure *f)
{
    int ended;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        execv(words[0], words);
        _exit(127);
    }
    if (child < 0 || waitpid(child, &ended, 0) < 0)
        return fail(f, STATUS_RESOURCE, "%s: %s", words[0], strerror(errno));
    return WIFEXITED(ended) && WEXITSTATUS(ended) == 0
               ? STATUS_OK
               : fail(f, STATUS_RESOURCE, "%s ended without counts", words[0]);
}

enum status lab_counts_show(const struct operator_row *kind, const struct foreign_sizes *size,
                            const char *source, const struct lab_counts *counts, const char *card,
                            struct failure *f)
{
    char program[PATH_MAX], module[64], beside[LAB_COUNTS_TEXT + 128], numbers[8][NUMBER];
    const char *const options[] = {"--rows", "--cols", "--planes", "-k", "-s", "-p"};
    const int64_t values[] = {size->rows,   size->cols,   size->planes,
                              size->kernel, size->stride, size->padding};
    char *words[WORDS] = {program, (char *)"--method", (char *)"naive,loop,tiled",
                          (char *)"--count=table"};
    int n = 4;
    snprintf(module, sizeof module, "emulation/%s_cuda", kind->name);
    if (!suite_module(program, module))
        return fail(f, STATUS_UNAVAILABLE, "--count: built without the emulation");
    for (int i = 0; i < kind->foreign->counted_sizes; i++) {
        snprintf(numbers[i], NUMBER, "%lld", (long long)values[i]);
        words[n++] = (char *)options[i];
        words[n++] = numbers[i];
    }
    if (card) {
        words[n++] = (char *)"--card";
        words[n++] = (char *)card;
    }
    text_fit_format(beside, sizeof beside, "%s%s", text_brief(file_name(source), 100).text,
                    counts->numbers);
    if (setenv("CUDA_EMULATION_BESIDE", beside, 1) != 0 ||
        setenv("CUDA_EMULATION_BESIDE_SOURCE", source, 1) != 0 ||
        setenv("CUDA_EMULATION_BESIDE_LINES", counts->lines, 1) != 0)
        return fail(f, STATUS_RESOURCE, "no memory for the counts");
    return start(words, f);
}
