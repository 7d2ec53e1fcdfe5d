/* A function from a shared library about which nothing is known. */
#include "classroom/lab/worker/callable.h"
#include "classroom/lab/worker/device.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    return device_begin(library, bytes) ? 0 : LAB_EXIT_UNAVAILABLE;
}

void callable_move(int32_t ask, void *const arrays[LAB_ARRAYS])
{
    if (!device_is_used())
        return;
    if (ask == LAB_GIVE)
        device_give(arrays);
    else
        device_take(arrays[LAB_MAP]);
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
    return device_is_used() ? (float *)((char *)device_array(which) + order->begin[which])
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
        device_wait();
}
