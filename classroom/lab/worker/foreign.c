/* A function from a shared library about which nothing is known. */
#include "classroom/lab/worker/callable.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const bool callable_is_trusted = false;

/* A function takes three arrays and, as its operator says, up to ten integers. It is given ten: by
 * the calling conventions of Linux the caller removes what a function does not take. */
typedef void foreign_function(const float *, const float *, float *, int, int, int, int, int, int,
                              int, int, int, int);

static void *library;
static union {
    void *any;
    foreign_function *call;
} function;

/* ---- a kernel on a GPU: arrays on the device mirror those in shared memory ---------------------
 */

/* The functions are in the kernel's library, which includes labs/device.cu: make the arrays, give
 * the address of one, copy all to the device, wait until all work is done, copy the map back. */
static union {
    void *any;
    const char *(*call)(const size_t *);
} make;
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

static bool device_is_used(void)
{
    return make.any && array.any && give.any && wait_for.any && take.any;
}

/* Makes the arrays if the library is for a GPU. False if that fails, after a message on standard
 * error. */
static bool device_begin(const size_t bytes[LAB_ARRAYS])
{
    make.any = dlsym(library, "lab_device_begin");
    array.any = dlsym(library, "lab_device_array");
    give.any = dlsym(library, "lab_device_give");
    wait_for.any = dlsym(library, "lab_device_wait");
    take.any = dlsym(library, "lab_device_take");
    operands.any = dlsym(library, "lab_device_operands"); /* only of an emulated device */
    const char *why = device_is_used() ? make.call(bytes) : NULL;
    if (why)
        fprintf(stderr, "there is no GPU for it: %s\n", why);
    return !why;
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

/* Shows an emulated device where the operands of the next call are. */
static void device_show(const struct lab_order *order)
{
    long long begins[LAB_ARRAYS], bytes[LAB_ARRAYS];
    for (int i = 0; i < LAB_ARRAYS; i++) {
        begins[i] = order->begin[i];
        bytes[i] = order->bytes[i];
    }
    if (operands.any)
        operands.call(begins, bytes);
}

/* ---- the function ------------------------------------------------------------------------------
 */

int callable_find(char **argv)
{
    const char *name = argv[LAB_ARG_OPERATOR];
    char underscored[64];
    library = dlopen(argv[LAB_ARG_WHAT], RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        return LAB_EXIT_NO_FILE;
    }
    snprintf(underscored, sizeof underscored, "%s_", name); /* Fortran's name for it */
    function.any = dlsym(library, name);
    if (!function.any)
        function.any = dlsym(library, underscored);
    if (!function.any)
        return LAB_EXIT_NO_FUNCTION;
    size_t bytes[LAB_ARRAYS];
    for (int i = 0; i < LAB_ARRAYS; i++)
        bytes[i] = strtoull(argv[LAB_ARG_BYTES + i], NULL, 10);
    return device_begin(bytes) ? 0 : LAB_EXIT_UNAVAILABLE;
}

void callable_move(int32_t ask, void *const arrays[LAB_ARRAYS])
{
    if (!device_is_used())
        return;
    if (ask == LAB_GIVE)
        expect(give.call(arrays));
    else
        expect(take.call(arrays[LAB_MAP]));
}

/* Takes address and size of the loaded object that contains the function. */
static int take_object(struct dl_phdr_info *object, size_t size, void *context)
{
    struct lab_code *code = context;
    (void)size;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        const uint64_t begin = object->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_LOAD && code->function >= begin &&
            code->function < begin + part->p_memsz) {
            code->begin = object->dlpi_addr;
            code->bytes = begin + part->p_memsz - object->dlpi_addr;
            return 1;
        }
    }
    return 0;
}

struct lab_code callable_code(void)
{
    struct lab_code code = {.function = (uint64_t)(uintptr_t)function.any};
    return dl_iterate_phdr(take_object, &code) ? code : (struct lab_code){0};
}

double callable_product_s(void)
{
    return 0.0;
}

/* Returns the address of an operand, on the device if the kernel runs on a GPU. */
static float *operand_address(const struct lab_order *order, float *const arrays[LAB_ARRAYS],
                              enum lab_array which)
{
    return device_is_used() ? (float *)((char *)array.call((int)which) + order->begin[which])
                            : arrays[which];
}

void callable_call(const struct lab_order *order, float *const arrays[LAB_ARRAYS])
{
    const int32_t *n = order->integers;
    const float *image = operand_address(order, arrays, LAB_IMAGE),
                *second = operand_address(order, arrays, LAB_SECOND);
    float *map = operand_address(order, arrays, LAB_MAP);
    if (device_is_used())
        device_show(order);
    function.call(image, second, map, n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9]);
    if (device_is_used())
        expect(wait_for.call());
}
