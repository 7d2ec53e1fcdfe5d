#include "experiments/analysis/speedup/serial_fraction.h"

#include "experiments/analysis/numbers.h"
#include "harness/base/text/messages.h"

#include <math.h>
#include <stdbool.h>

/* The message of a share whose interval has these ends, without one: of the share itself. */
static const char *message_of(struct interval ends)
{
    if (ends.upper < 0.0)
        return N_("Karp-Flatt at %{workers} workers: no serial fraction, for the speedup exceeds "
                  "their number");
    if (ends.lower > 1.0)
        return N_("Karp-Flatt at %{workers} workers: no serial fraction, for so many are slower");
    if (ends.lower <= 0.0 && ends.upper >= 1.0)
        return N_("Karp-Flatt at %{workers} workers: these times do not decide the serial "
                  "fraction");
    if (ends.lower < 0.0)
        return N_("Karp-Flatt at %{workers} workers: a serial fraction of at most %{upper}");
    if (ends.upper > 1.0)
        return N_("Karp-Flatt at %{workers} workers: a serial fraction of at least %{lower}");
    return N_("Karp-Flatt at %{workers} workers: serial fraction %{share}");
}

void serial_fraction_say(const struct language *l, double workers, double share,
                         struct interval ends, char *text, size_t size)
{
    const bool known = isfinite(ends.lower) && isfinite(ends.upper);
    const struct interval of = known ? ends : (struct interval){share, share};
    message_format(text, size, l, message_of(of),
                   WITH({"workers", number_text("%.0f", workers).text},
                        {"share", number_answer_share(l, share, ends).text},
                        {"lower", number_percent(l, ends.lower).text},
                        {"upper", number_percent(l, ends.upper).text}));
}
