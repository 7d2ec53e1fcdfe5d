/* All of them, the first being what is used where none is named. */
#include "networks/optimizers/optimizer.h"

const struct optimizer *const optimizers[] = {&adam_optimizer, &sgd_optimizer};
const int optimizer_count = sizeof optimizers / sizeof *optimizers;
