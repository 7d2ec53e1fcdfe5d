#include "classroom/lab/worker/device.h"

#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

static union {
    void *any;
    const char *(*call)(const size_t *);
} begin;
static union {
    void *any;
    void *(*call)(int);
} array;
static union {
    void *any;
    const char *(*call)(void *const *);
} give;
static union {
    void *any;
    const char *(*call)(void);
} wait_for;
static union {
    void *any;
    const char *(*call)(void *);
} take;

static union {
    void *any;
    void (*call)(const long long *, const long long *);
} operands;

bool device_begin(void *library, const size_t bytes[LAB_ARRAYS])
{
    begin.any = dlsym(library, "lab_device_begin");
    array.any = dlsym(library, "lab_device_array");
    give.any = dlsym(library, "lab_device_give");
    wait_for.any = dlsym(library, "lab_device_wait");
    take.any = dlsym(library, "lab_device_take");
    operands.any = dlsym(library, "lab_device_operands"); /* only of an emulated device */
    const char *why = device_is_used() ? begin.call(bytes) : NULL;
    if (why)
        fprintf(stderr, "there is no GPU for it: %s\n", why);
    return !why;
}

bool device_is_used(void)
{
    return begin.any && array.any && give.any && wait_for.any && take.any;
}

void *device_array(enum lab_array which)
{
    return array.call((int)which);
}

/* Ends the process after an error, as a sanitizer does: with the message and a reserved exit
 * status. */
static void expect(const char *why)
{
    if (!why)
        return;
    fprintf(stderr, "%s\n", why);
    fflush(stderr);
    _exit(LAB_EXIT_DEVICE);
}

void device_show(const struct lab_order *order)
{
    long long begins[LAB_ARRAYS], bytes[LAB_ARRAYS];
    for (int i = 0; i < LAB_ARRAYS; i++) {
        begins[i] = order->begin[i];
        bytes[i] = order->bytes[i];
    }
    if (operands.any)
        operands.call(begins, bytes);
}

void device_give(void *const host[LAB_ARRAYS])
{
    expect(give.call(host));
}

void device_wait(void)
{
    expect(wait_for.call());
}

void device_take(void *map)
{
    expect(take.call(map));
}
