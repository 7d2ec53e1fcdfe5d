/* Spanish, for tests of Spanish reports. */
#ifndef MAXPOOL_TEST_SPANISH_H
#define MAXPOOL_TEST_SPANISH_H

#include "harness/base/text/language.h"

/* Skips the test if the build has no catalogues because msgfmt was missing. */
const struct language *spanish(void);

#endif
