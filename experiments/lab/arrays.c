#include "experiments/lab/arrays.h"

#include "experiments/lab/guard/huge_files.h"
#include "harness/machine/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char *const names[LAB_ARRAYS] = {"the image", "the second operand", "the map"};

/* Fixes the size. Of arrays that workers may only read, this process has the only writable mapping;
 * after sealing nobody can make another one. */
static bool seal(int descriptor, bool read_only)
{
    const int seals = F_SEAL_SHRINK | F_SEAL_GROW | (read_only ? F_SEAL_FUTURE_WRITE : 0);
    return fcntl(descriptor, F_ADD_SEALS, seals) == 0;
}

static enum status map_here(struct lab_arrays *a, int i, int descriptor, struct failure *f)
{
    char *address = mmap(NULL, a->bytes[i], PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (address == MAP_FAILED)
        return fail(f, STATUS_RESOURCE, "no address space for %s: %s", names[i], strerror(errno));
    a->address[i] = address;
    return STATUS_OK;
}

/* Makes a large array on huge pages; workers get a descriptor that can only read, except of the
 * map. False: they are not available. */
static bool open_huge(struct lab_arrays *a, int i, int system, enum status *status,
                      struct failure *f)
{
    int writer, reader;
    if (system < 0 || a->bytes[i] < MEMORY_HUGE_PAGE ||
        !huge_files_make(system, a->bytes[i], &writer, &reader))
        return false;
    *status = map_here(a, i, writer, f);
    a->descriptor[i] = i == LAB_MAP ? writer : reader;
    close(i == LAB_MAP ? reader : writer);
    return true;
}

static enum status open_one(struct lab_arrays *a, int i, int system, struct failure *f)
{
    enum status status;
    if (open_huge(a, i, system, &status, f))
        return status;
    a->descriptor[i] = memfd_create("lab", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (a->descriptor[i] < 0 || ftruncate(a->descriptor[i], (off_t)a->bytes[i]) != 0)
        return fail(f, STATUS_RESOURCE, "no shared memory for %s: %s", names[i], strerror(errno));
    status = map_here(a, i, a->descriptor[i], f);
    if (status != STATUS_OK)
        return status;
    if (!seal(a->descriptor[i], i != LAB_MAP))
        return fail(f, STATUS_UNAVAILABLE, "this system cannot make shared memory read-only: %s",
                    strerror(errno));
    return STATUS_OK;
}

enum status lab_arrays_open(struct lab_arrays *a, const size_t bytes[LAB_ARRAYS], struct failure *f)
{
    const size_t page = MEMORY_HUGE_PAGE;
    size_t total = 0;
    *a = (struct lab_arrays){.descriptor = {-1, -1, -1}};
    for (int i = 0; i < LAB_ARRAYS; i++) {
        const size_t unit = bytes[i] >= page / 4 ? page : 4096;
        a->bytes[i] = (bytes[i] + unit - 1) / unit * unit;
        total = memory_add(total, a->bytes[i]);
    }
    enum status status = memory_check(total, "image, second operand and map", f);
    const int system = total >= page ? huge_files_open() : -1;
    for (int i = 0; status == STATUS_OK && i < LAB_ARRAYS; i++)
        status = open_one(a, i, system, f);
    if (system >= 0)
        close(system);
    if (status != STATUS_OK)
        lab_arrays_close(a);
    return status;
}

void lab_arrays_close(struct lab_arrays *a)
{
    for (int i = 0; i < LAB_ARRAYS; i++) {
        if (a->address[i])
            munmap(a->address[i], a->bytes[i]);
        if (a->descriptor[i] >= 0)
            close(a->descriptor[i]);
        a->address[i] = NULL;
        a->descriptor[i] = -1;
    }
}
