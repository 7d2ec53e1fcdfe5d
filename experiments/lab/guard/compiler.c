#include "experiments/lab/guard/compiler.h"

#include "experiments/lab/call/readable.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static const rlim_t most_memory = (rlim_t)2 << 30, most_memory_large = (rlim_t)32 << 30,
                    most_file = (rlim_t)256 << 20; /* bytes */
static const rlim_t most_cpu_s = 60;

void compiler_allow(struct compiler_limits *c, const char *path, int levels)
{
    char folder[PATH_MAX];
    const char *home = getenv("HOME");
    const size_t used = strlen(c->readable);
    snprintf(folder, sizeof folder, "%s", path);
    for (int i = 0; i < levels; i++) {
        char *slash = strrchr(folder, '/');
        if (slash)
            *slash = '\0';
    }
    if (levels != 1 && (!folder[0] || (home && strcmp(folder, home) == 0)))
        return;
    if (used + strlen(folder) + 2 < sizeof c->readable)
        snprintf(c->readable + used, sizeof c->readable - used, "%s\n", folder);
}

static void limit(int what, rlim_t most)
{
    const struct rlimit both = {most, most};
    setrlimit(what, &both);
}

void compiler_enter(const void *context)
{
    const struct compiler_limits *c = context;
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_AS, c->large ? most_memory_large : most_memory);
    limit(RLIMIT_FSIZE, most_file);
    limit(RLIMIT_CPU, most_cpu_s);
    setenv("TMPDIR", c->folder, 1);
    readable_only(c->readable, c->folder);
}
