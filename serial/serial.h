/* The serial space. */
#ifndef MAXPOOL_SERIAL_H
#define MAXPOOL_SERIAL_H

#include "harness/space/space.h"

extern const struct space serial_space;

#endif
