#include "experiments/common/examples.h"

#include <stddef.h>
#include <string.h>

enum { EXAMPLES = 3 };

/* Commands whose description ends with examples of its own are not here. */
static const struct {
    const char *command, *lines[EXAMPLES + 1];
} examples[] = {
    {"run",
     {"study run threads", "study run --all --quick --budget 5m",
      "study run threads --standard --results results/night"}},
    {"report",
     {"study report", "study report --lang es",
      "study report --results A --results B --label laptop --label cluster"}},
    {"list", {"study list", "study list --standard", "study list --thesis"}},
    {"status",
     {"study status", "study status threads --standard", "study status threads --left-out"}},
    {"plan", {"study plan threads", "study plan --all --standard", "study plan threads --shell"}},
    {"compare",
     {"study compare results/before results/after",
      "study compare before/threads.csv after/threads.csv",
      "study compare results/before results/after --margin 0.05"}},
    {"analyze", {"study analyze", "study analyze threads", "study analyze threads --points"}},
    {"roofline",
     {"study roofline", "study roofline --max-seconds 60",
      "study roofline --results results/night"}},
    {"amdahl",
     {"study amdahl --fraction 0.95", "study amdahl --fraction 0.95 --workers 2,4,8",
      "study amdahl --fraction 1"}},
    {"predict",
     {"study predict scale --ranks 64", "study predict scale --ranks 1024 --platform ethernet_10g",
      "study predict scale --ranks 1024 --platform infiniband --efficiency 0.5"}},
    {"calibrate",
     {"study calibrate scale", "study calibrate scale --standard",
      "study calibrate scale --results results/night"}},
    {"pack",
     {"study pack maxpool.c --student 'Ana Torres'", "study pack maxpool.c --output ana.zip",
      "study pack maxpool.c --results results/lab"}},
    {"audit",
     {"study audit ana.zip", "study audit handed_in/*.zip --seed 7122",
      "study audit handed_in/*.zip --share 0.5"}},
    {"cite", {"study cite", "study cite --format text", "study cite >> thesis.bib"}},
    {"import",
     {"study import samples.tar", "study import samples.tar --results results/cluster",
      "study import threads.csv --experiment threads"}},
    {"env", {"study env", "study env > machine.json", "study env --results results/night"}},
};

const char *const *command_examples(const char *command)
{
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++)
        if (strcmp(examples[i].command, command) == 0)
            return examples[i].lines;
    return NULL;
}
