/* The main of tests: a part of the library that is linked only to programs without a main. */
#include "tests/support/unit_test.h"

int main(void)
{
    return tests_run();
}
