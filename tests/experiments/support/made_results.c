#include "tests/experiments/support/made_results.h"

#include "experiments/definition/definition.h"
#include "tests/support/unit_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char folder[] = "/tmp/maxpool_results_XXXXXX";

int run(const char *format, ...)
{
    char command[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(command, sizeof command, format, arguments);
    va_end(arguments);
    int status = system(command);
    return status < 0 ? -1 : WEXITSTATUS(status);
}

int make_results_by(const char *program)
{
    return mkdtemp(folder) ? run(MAXPOOL_BINARY_DIR "/bin/%s %s", program, folder) : -1;
}

int make_results_folder(NO_STATE)
{
    return make_results_by("make_results");
}

int remove_folder(NO_STATE)
{
    return run("rm -r %s", folder);
}

enum { STATUS_SKIPPED = 77 }; /* SKIP_RETURN_CODE of the tests */
static bool lacked_a_program;

void need_program(const char *program)
{
    if (run("command -v %s > /dev/null", program) == 0)
        return;
    print_message("SKIPPED: %s is missing\n", program);
    lacked_a_program = true;
    skip();
}

int tests_end(int failed)
{
    return failed || !lacked_a_program ? failed : STATUS_SKIPPED;
}

struct opened {
    struct experiment e;
    struct inventory in;
    char name[64];
};

struct experiment *open_one(const char *name)
{
    struct failure f = {0};
    struct opened *o = calloc(1, sizeof *o);
    assert_non_null(o);
    snprintf(o->name, sizeof o->name, "%s", name);
    char *names[] = {o->name};
    assert_int_equal(inventory_open(&o->in, folder, names, 1, &f), STATUS_OK);
    assert_int_equal(experiment_open(&o->e, &o->in, 0, &f), STATUS_OK);
    return &o->e;
}

void close_one(struct experiment *e)
{
    struct opened *o = (struct opened *)e; /* its first member */
    experiment_close(e);
    inventory_close(&o->in);
    free(o);
}

bool has_reason(const struct point *p, const char *code)
{
    for (size_t i = 0; i < p->reason_count; i++)
        if (strcmp(p->reasons[i].code, code) == 0)
            return true;
    return false;
}

struct claim claim_of(const char *name, const char *chart, const struct language *l)
{
    struct experiment *e = open_one(name);
    struct claim c;
    claim_make(e, chart, l, &c);
    close_one(e);
    memset(c.rows, 0, sizeof c.rows);
    return c;
}

void claim_says(const struct claim *c, const char *text)
{
    if (!c->has_answer || !strstr(c->answer, text))
        fail_msg("'%s' says nothing of '%s' (%s)", c->answer, text, c->why);
}

void claim_lacks(const struct claim *c, const char *why)
{
    assert_false(c->has_answer);
    assert_string_equal(c->why, why);
}

struct plan plan_of_text(const char *text)
{
    struct failure f = {0};
    struct definition d;
    struct plan plan = {.settings = {MAXPOOL_BINARY_DIR "/bin", "", 2}};
    char path[] = "/tmp/plan_of_text_XXXXXX.ini";
    const int file = mkstemps(path, 4);
    assert_true(file >= 0);
    FILE *stream = fdopen(file, "w");
    assert_non_null(stream);
    fputs(text, stream);
    fclose(stream);
    if (definition_read(&d, path, SCALE_QUICK, 2, &f) != STATUS_OK)
        fail_msg("%s", f.message);
    remove(path);
    assert_int_equal(plan_add(&plan, &d, &f), STATUS_OK);
    return plan;
}

char *read_file(const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t size = 0;
    assert_non_null(file);
    assert_true(getdelim(&text, &size, '\0', file) > 0);
    fclose(file);
    return text;
}
