/* The texts of the study are those of all programs. */
#ifndef MAXPOOL_COMMON_MESSAGES_H
#define MAXPOOL_COMMON_MESSAGES_H

#include "harness/base/text/messages.h"

#endif
