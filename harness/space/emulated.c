#include "harness/space/emulated.h"

#include "harness/base/failure.h"
#include "harness/base/suite_files.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Returns the number of arguments that ask for the emulated device at *argv: `--device cpu` is two,
 * `--device=cpu` is one. */
static int asks(char *const *argv)
{
    if (strcmp(argv[0], "--device=cpu") == 0)
        return 1;
    return strcmp(argv[0], "--device") == 0 && argv[1] && strcmp(argv[1], "cpu") == 0 ? 2 : 0;
}

/* Removes the arguments that ask for the emulated device, up to `--`. Returns true if there were
 * any. */
static bool take(char **argv)
{
    bool asked = false, options = true;
    char **to = argv;
    while (*argv) {
        const int count = options ? asks(argv) : 0;
        options = options && strcmp(*argv, "--") != 0;
        asked = asked || count > 0;
        argv += count;
        if (count == 0)
            *to++ = *argv++;
    }
    *to = NULL;
    return asked;
}

int emulated_hand_over(const char *name, char **argv)
{
    char program[PATH_MAX], module[NAME_MAX + 1];
    if (!take(argv))
        return STATUS_OK;
    snprintf(module, sizeof module, "emulation/%s", name);
    if (!suite_module(program, module)) {
        fprintf(stderr,
                "%s: --device cpu: built without the emulation: build where a C++ compiler is "
                "(Debian: g++)\n",
                name);
        return STATUS_UNAVAILABLE;
    }
    execv(program, argv);
    fprintf(stderr, "%s: --device cpu: %s: %s\n", name, program, strerror(errno));
    return STATUS_UNAVAILABLE;
}
