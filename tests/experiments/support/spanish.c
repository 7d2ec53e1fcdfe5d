#include "tests/experiments/support/spanish.h"

#include "tests/support/unit_test.h"

const struct language *spanish(void)
{
    const struct language *l;
    struct failure f = {0};
    const enum status status = language_find(&l, "es", &f);
    if (status == STATUS_UNAVAILABLE) {
        print_message("SKIPPED: %s\n", f.message);
        skip();
    }
    if (status != STATUS_OK)
        fail_msg("%s", f.message);
    return l;
}
