/* Commands with a time limit, alone and simultaneously. The result does not depend on seconds: a
 * command that would wait for ever meets its own limit or the test's. */
#include "experiments/common/process.h"
#include "experiments/common/program_file.h"
#include "tests/support/unit_test.h"

#include <elf.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct process_limits patient = {.seconds = 600, .grace_seconds = 1};
static char folder[] = "/tmp/maxpool-processes-XXXXXX";

static int make_folder(NO_STATE)
{
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(NO_STATE)
{
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

/* The command line of a shell that runs the text. */
struct shell {
    char program[8], option[4], text[256];
    char *words[4];
};

static void shell_make(struct shell *s, const char *text)
{
    strcpy(s->program, "sh");
    strcpy(s->option, "-c");
    snprintf(s->text, sizeof s->text, "cd %s && %s", folder, text);
    s->words[0] = s->program;
    s->words[1] = s->option;
    s->words[2] = s->text;
    s->words[3] = NULL;
}

/* Each makes a file and waits for the other's: in sequence they would never end. */
TEST(test_they_run_at_the_same_time)
{
    struct shell a, b;
    struct process_result results[2];
    struct failure f = {0};
    shell_make(&a, ": > a; until test -e b; do sleep 0.01; done; echo first; exit 3");
    shell_make(&b, ": > b; until test -e a; do sleep 0.01; done; echo second >&2");
    assert_int_equal(
        process_run_all((char *const *const[]){a.words, b.words}, 2, &patient, results, &f),
        STATUS_OK);
    assert_int_equal(results[0].end, PROCESS_EXITED);
    assert_int_equal(results[0].exit_status, 3);
    assert_string_equal(results[0].output, "first\n");
    assert_int_equal(results[1].end, PROCESS_EXITED);
    assert_int_equal(results[1].exit_status, 0);
    assert_string_equal(results[1].output, "second\n");
}

/* The end of one does not affect the others. */
TEST(test_each_has_an_end_of_its_own)
{
    char program[] = "no-such-program-of-anybody";
    char *const missing[] = {program, NULL};
    struct shell killed, loud, sound;
    struct process_result results[4];
    struct failure f = {0};
    shell_make(&killed, "kill -9 $$");
    shell_make(&loud, "head -c 100000 /dev/zero | tr '\\0' x; echo end");
    shell_make(&sound, "echo sound");
    assert_int_equal(
        process_run_all((char *const *const[]){missing, killed.words, loud.words, sound.words}, 4,
                        &patient, results, &f),
        STATUS_OK);
    assert_int_equal(results[0].end, PROCESS_NOT_STARTED);
    assert_non_null(strstr(results[0].output, program));
    assert_int_equal(results[1].end, PROCESS_KILLED);
    assert_int_equal(results[1].signal, 9);
    assert_int_equal(results[2].end, PROCESS_EXITED);
    assert_int_equal(strlen(results[2].output), PROCESS_OUTPUT - 1); /* the last bytes are kept */
    assert_non_null(strstr(results[2].output, "xend\n"));
    assert_int_equal(results[3].exit_status, 0);
    assert_string_equal(results[3].output, "sound\n");
}

/* Neither ends by itself, and each is ended. */
TEST(test_the_limit_is_of_each)
{
    const struct process_limits short_limit = {.seconds = 0.1, .grace_seconds = 1};
    struct shell one, other;
    struct process_result results[2];
    struct failure f = {0};
    shell_make(&one, "exec sleep 3600");
    shell_make(&other, "trap '' TERM; sleep 3600"); /* not even when asked to */
    assert_int_equal(process_run_all((char *const *const[]){one.words, other.words}, 2,
                                     &short_limit, results, &f),
                     STATUS_OK);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(results[i].end, PROCESS_TIMED_OUT);
        assert_int_equal(results[i].exit_status, -1);
    }
}

/* Ten commands: number 2 is left out, number 3 is no program, number 4 is killed. */
enum { QUEUED = 10 };
struct queued {
    struct shell shells[QUEUED];
    char *missing[2];
    size_t began, running, most;
    bool ended[QUEUED];
    enum process_end ends[QUEUED];
    char said[QUEUED][8];
};

static char *const *begin_queued(void *context, size_t i)
{
    struct queued *q = context;
    static char script[64], program[] = "no-such-program-of-anybody";
    assert_int_equal(i, q->began);
    q->began++;
    if (i == 2)
        return NULL;
    q->running++;
    q->most = q->running > q->most ? q->running : q->most;
    q->missing[0] = program;
    snprintf(script, sizeof script, "echo %zu; %s", i, i == 4 ? "kill -9 $$" : "true");
    shell_make(&q->shells[i], script);
    return i == 3 ? q->missing : q->shells[i].words;
}

static void end_queued(void *context, size_t i, const struct process_result *result,
                       const struct failure *why)
{
    struct queued *q = context;
    assert_null(why);
    assert_false(q->ended[i]);
    q->running--;
    q->ended[i] = true;
    q->ends[i] = result->end;
    snprintf(q->said[i], sizeof q->said[i], "%.7s", result->output);
}

/* All of a queue run, each once, in its order and no more than PROCESSES_AT_ONCE at the same time;
 * each has its own end and its own output. */
TEST(test_a_queue_runs_each_once)
{
    static struct queued q;
    struct failure f = {0};
    const struct process_queue queue = {QUEUED, begin_queued, end_queued, &q};
    assert_int_equal(process_run_queue(&queue, &patient, &f), STATUS_OK);
    assert_int_equal(q.began, QUEUED);
    assert_int_equal(q.running, 0);
    assert_int_equal(q.most, PROCESSES_AT_ONCE);
    for (size_t i = 0; i < QUEUED; i++) {
        char expected[8];
        snprintf(expected, sizeof expected, "%zu\n", i);
        assert_int_equal(q.ended[i], i != 2);
        assert_int_equal(q.ends[i], i == 3   ? PROCESS_NOT_STARTED
                                    : i == 4 ? PROCESS_KILLED
                                             : PROCESS_EXITED);
        if (i != 2 && i != 3 && i != 4)
            assert_string_equal(q.said[i], expected);
    }
}

/* A script with this text; `mode`: of its file. */
static void write_script(char path[128], const char *text, size_t length, unsigned mode)
{
    snprintf(path, 128, "%s/script", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    fclose(file);
    assert_int_equal(chmod(path, mode), 0);
}

/* What a start of the file says; both before it and after it failed. */
static void expect_not_started(char *path, const char *why)
{
    char expected[1000], asked[1000];
    char *const words[] = {path, NULL};
    struct process_result result;
    struct failure f = {0};
    snprintf(expected, sizeof expected, "%s: %s", path, why);
    assert_int_equal(process_run(words, &patient, &result, &f), STATUS_OK);
    assert_int_equal(result.end, PROCESS_NOT_STARTED);
    assert_string_equal(result.output, expected);
    assert_false(program_file_starts(path, asked, sizeof asked));
    assert_string_equal(asked, expected);
}

/* Whose interpreter is missing does not pass for a missing file. */
TEST(test_a_missing_interpreter_is_named)
{
    static const struct {
        const char *text, *why;
        unsigned mode;
    } rows[] = {
        {"#!/bin/sh\r\necho x\r\n",
         "its interpreter is '/bin/sh\\r', since its lines end in CRLF, as on Windows; "
         "sed -i 's/\\r$//' makes them end in LF",
         0755},
        {"#! /nowhere/sh -e\n",
         "its interpreter /nowhere/sh cannot be started: No such file or directory", 0755},
        {"#!/nowhere/sh",
         "its interpreter /nowhere/sh cannot be started: No such file or directory", 0755},
        {"#!/etc/passwd\n", "its interpreter /etc/passwd cannot be started: Permission denied",
         0755},
        {"#!/bin/sh\n", "Permission denied", 0644},
    };
    char path[128], text[200];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        write_script(path, rows[i].text, strlen(rows[i].text), rows[i].mode);
        expect_not_started(path, rows[i].why);
    }
    write_script(path, "#!/bin/sh\n", 10, 0755);
    assert_true(program_file_starts(path, text, sizeof text));
    write_script(path, "true\n", 5, 0755); /* a shell runs it */
    assert_true(program_file_starts(path, text, sizeof text));
    expect_not_started(folder, "Permission denied");
    snprintf(path, sizeof path, "%s/none", folder);
    expect_not_started(path, "No such file or directory");
}

/* A binary of another C library. */
TEST(test_a_missing_loader_is_named)
{
    static const char loader[] = "/nowhere/ld-other.so.1";
    char bytes[300] = "", path[128];
    const Elf64_Phdr part = {.p_type = PT_INTERP, .p_offset = 200, .p_filesz = sizeof loader};
    Elf64_Ehdr head = {.e_type = ET_EXEC,
                       .e_machine = EM_X86_64,
                       .e_phoff = sizeof head,
                       .e_phentsize = sizeof part,
                       .e_phnum = 1,
                       .e_ehsize = sizeof head,
                       .e_version = EV_CURRENT};
    memcpy(head.e_ident, ELFMAG, SELFMAG);
    head.e_ident[EI_CLASS] = ELFCLASS64;
    head.e_ident[EI_DATA] = ELFDATA2LSB;
    head.e_ident[EI_VERSION] = EV_CURRENT;
    memcpy(bytes, &head, sizeof head);
    memcpy(bytes + sizeof head, &part, sizeof part);
    memcpy(bytes + part.p_offset, loader, sizeof loader);
    write_script(path, bytes, sizeof bytes, 0755);
    char asked[300];
    assert_false(program_file_starts(path, asked, sizeof asked));
    assert_non_null(
        strstr(asked, ": its interpreter /nowhere/ld-other.so.1 cannot be started: No"));
    for (size_t length = 0; length < sizeof bytes; length++) { /* cut anywhere, it is read safely */
        write_script(path, bytes, length, 0755);
        program_file_starts(path, asked, sizeof asked);
    }
}

/* Prints a megabyte into a pipe of 64 KiB; 0 if all of it could be written. */
static int print_much(int pipe_end)
{
    static char much[1 << 20];
    FILE *out = fdopen(pipe_end, "w");
    return out && fwrite(much, 1, sizeof much, out) == sizeof much && fclose(out) == 0 ? 0 : 1;
}

/* Signals that come while a reader lets the writer wait cut nothing off what is printed. */
TEST(test_signals_cut_no_output)
{
    int ends[2], status;
    char chunk[4096];
    assert_int_equal(pipe(ends), 0);
    const pid_t writer = fork();
    if (writer == 0) {
        process_catch_stop_signals();
        _exit(print_much(ends[1]));
    }
    close(ends[1]);
    assert_int_equal(read(ends[0], chunk, 1), 1); /* it writes */
    for (int i = 0; i < 20; i++) {
        kill(writer, SIGHUP);
        usleep(10000);
    }
    while (read(ends[0], chunk, sizeof chunk) > 0)
        ;
    close(ends[0]);
    assert_int_equal(waitpid(writer, &status, 0), writer);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

const struct tests_group tests_group = {make_folder, remove_folder};
