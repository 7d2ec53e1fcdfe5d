/* Spanish, for tests of what reports say in it. */
#ifndef MAXPOOL_TEST_SPANISH_H
#define MAXPOOL_TEST_SPANISH_H

#include "experiments/common/text/language.h"

/* Skips the test where the build has no catalogues, since there was no msgfmt. */
const struct language *spanish(void);

#endif
