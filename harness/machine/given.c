#include "harness/machine/given.h"

#include "harness/machine/at_start.h"

#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct core_set given;  /* once known */
static struct core_set loaded; /* when the libraries had been initialised */
static bool is_known, was_loaded;

bool given_read(struct core_set *mask)
{
    memset(mask, 0, sizeof *mask);
    return syscall(SYS_sched_getaffinity, 0, sizeof *mask, mask) > 0;
}

const struct core_set *given_mask(void)
{
    if (!is_known) {
        if (&at_start && at_start.bytes > 0)
            given = at_start.mask;
        else
            given_read(&given);
        is_known = true;
    }
    return &given;
}

/* Runs before main, when one thread exists, after the constructors of the libraries. */
__attribute__((constructor)) static void note_loaded(void)
{
    given_mask();
    was_loaded = given_read(&loaded);
}

void given_restore(void)
{
    if (is_known && &at_start && at_start.bytes > 0)
        given_return(&given);
}

void given_return(const struct core_set *mask)
{
    syscall(SYS_sched_setaffinity, 0, sizeof *mask, mask);
}

void given_note_change(void)
{
    struct core_set now;
    if (was_loaded && given_read(&now) && memcmp(&now, &loaded, sizeof now) != 0)
        given = now;
}
