/* All optimizers; the first is the default. */
#include "networks/optimizers/optimizer.h"

const struct optimizer *const optimizers[] = {&adam_optimizer, &sgd_optimizer};
const int optimizer_count = sizeof optimizers / sizeof *optimizers;
