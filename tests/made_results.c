#include "tests/made_results.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

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

int remove_folder(void **state)
{
    (void)state;
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

void open_one(struct inventory *in, struct experiment *e, char *name)
{
    struct failure f = {0};
    char *names[] = {name};
    assert_int_equal(inventory_open(in, folder, names, 1, &f), STATUS_OK);
    assert_int_equal(experiment_open(e, in, 0, &f), STATUS_OK);
}

void close_one(struct inventory *in, struct experiment *e)
{
    experiment_close(e);
    inventory_close(in);
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
