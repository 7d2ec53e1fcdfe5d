/* The texts of the study are those of all programs. */
#ifndef MAXPOOL_COMMON_LANGUAGE_H
#define MAXPOOL_COMMON_LANGUAGE_H

#include "harness/base/text/language.h"

#endif
