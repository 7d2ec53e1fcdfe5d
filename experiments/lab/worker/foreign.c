/* A function from a shared library that we know nothing of. */
#include "experiments/lab/worker/callable.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

const bool callable_is_trusted = false;

/* A function of an operator takes the arrays and so many integers. */
typedef void four_integers(const float *, const float *, float *, int, int, int, int);
typedef void seven_integers(const float *, const float *, float *, int, int, int, int, int, int,
                            int);
typedef void nine_integers(const float *, const float *, float *, int, int, int, int, int, int, int,
                           int, int);

static union {
    void *any;
    four_integers *four;
    seven_integers *seven;
    nine_integers *nine;
} function;

int callable_find(char **argv)
{
    const char *name = argv[LAB_ARG_OPERATOR];
    char underscored[64];
    void *library = dlopen(argv[LAB_ARG_WHAT], RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        return LAB_EXIT_NO_FILE;
    }
    snprintf(underscored, sizeof underscored, "%s_", name); /* as Fortran names it */
    function.any = dlsym(library, name);
    if (!function.any)
        function.any = dlsym(library, underscored);
    return function.any ? 0 : LAB_EXIT_NO_FUNCTION;
}

void callable_call(const struct lab_order *order, float *const arrays[LAB_ARRAYS])
{
    const int32_t *n = order->integers;
    const float *image = arrays[LAB_IMAGE], *second = arrays[LAB_SECOND];
    float *map = arrays[LAB_MAP];
    if (order->count == 4)
        function.four(image, second, map, n[0], n[1], n[2], n[3]);
    else if (order->count == 7)
        function.seven(image, second, map, n[0], n[1], n[2], n[3], n[4], n[5], n[6]);
    else
        function.nine(image, second, map, n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8]);
}
