#include "experiments/report/page/terms.h"

#include "harness/base/text/messages.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

const struct term terms[] = {
    {"median", N_("median"),
     N_("the middle of the sorted samples: half of them are shorter, half are longer")},
    {"interval", N_("interval"),
     N_("the range that contains the true value in 95 of 100 such studies, written [lower, "
        "upper]")},
    {"sample", N_("sample"),
     N_("one timed execution of a method, in a training one step; of training data one example, "
        "with its target")},
    {"launch", N_("launch"),
     N_("one start of a program; samples of one launch resemble each other, so a point has several "
        "launches (nine)")},
    {"round", N_("round"),
     N_("one launch of every point, in random order; ratios are taken within rounds, so that slow "
        "changes of the machine cancel; within a process, one sample of every method")},
    {"point", N_("point"),
     N_("one configuration: program, method, sizes, hyper-parameters, workers")},
    {"method", N_("method"),
     N_("one way to compute an operator, such as max pooling; its name is the same on every page")},
    {"n", "n", N_("side of an image of n × n elements")},
    {"k", "k", N_("kernel size: side of the window, which has k × k elements")},
    {"s", "s", N_("stride: step from one window to the next; with s = k windows do not overlap")},
    {"worker", N_("worker"),
     N_("a thread, a rank (a process of MPI), or a thread of a rank; a serial program has one")},
    {"rung", N_("rung"),
     N_("a step of the ladder: a method with one optimization more than the method before it")},
    {"baseline", N_("baseline"), N_("what a speedup is relative to; always named")},
    {"speedup", N_("speedup"),
     N_("the time of the baseline divided by the time: 2 means twice as fast")},
    {"efficiency", N_("efficiency"),
     N_("the speedup divided by the number of workers: 100 % means that no worker is wasted")},
    {"f", N_("f, the parallel fraction"),
     N_("the part of the time that several workers can share")},
    {"amdahl", N_("Amdahl's law"),
     N_("S(p) = 1 / ((1 − f) + f / p), the speedup of p workers when the fraction f of the time "
        "can be shared")},
    {"bound", N_("Amdahl's bound"),
     N_("1 / (1 − f), the speedup that no number of workers exceeds")},
    {"serial", N_("serial fraction"), N_("the part of the time that only one worker can do")},
    {"karp-flatt", N_("Karp-Flatt"),
     N_("the serial fraction that a measured speedup implies: (1/S − 1/p) / (1 − 1/p)")},
    {"gustafson", N_("Gustafson's law"),
     N_("S(p) = (1 − f) + f p, the speedup of p workers when the work grows with them")},
    {"limit", N_("machine's limit"),
     N_("the least time that the memory bandwidth and the arithmetic peak of this machine allow "
        "(roofline); a method at 50 % of the limit takes twice that time")},
    {"exposed", N_("exposed communication time"),
     N_("time spent waiting for messages while nothing is computed")},
    {"oracle", N_("oracle"),
     N_("an independent, slow and obviously correct computation that every result is compared "
        "with")},
    {"scale", N_("scale"),
     N_("how precise a study is: quick (±10 %), standard (±3 %), full (±2 %)")},
    {"precise", N_("PRECISE"), N_("the interval is as narrow as the scale asks for")},
    {"rough", N_("ROUGH"),
     N_("correct, with a wider interval than the scale asks for; more launches make it narrower")},
    {"suspect", N_("SUSPECT"),
     N_("something disturbed the measurement: the page names it and says what to do")},
    {"invalid", N_("INVALID"),
     N_("a wrong result, or a time that the least work of the operator does not allow; it enters "
        "no ratio and no fit")},
    {"simulated", N_("SIMULATED"), N_("computed by a simulator, not measured")},
    {"tesina", N_("tesina"),
     N_("the thesis that this suite grew out of: max pooling in Python and Numba, on one processor "
        "core and on three GPUs")},
};
const size_t term_count = sizeof terms / sizeof *terms;

/* A letter or digit of any language: a byte beyond ASCII is part of a letter. */
static bool is_letter(char c)
{
    return isalnum((unsigned char)c) || (unsigned char)c >= 0x80 || c == '_';
}

/* Length of `word` at `at`, including a plural ending, if no letter follows; otherwise 0. A single
 * letter is never a word: s is also the unit of seconds. */
static size_t match(const char *at, const char *word)
{
    size_t length = strlen(word);
    if (length == 1 || strncmp(at, word, length) != 0)
        return 0;
    if (at[length] == 'e' && at[length + 1] == 's' && !is_letter(at[length + 2]))
        length += 2;
    else if (at[length] == 's' && !is_letter(at[length + 1]))
        length++;
    return is_letter(at[length]) ? 0 : length;
}

const struct term *term_at(const char *text, const char *at, const struct language *l,
                           size_t *length)
{
    const struct term *found = NULL;
    *length = 0;
    if (at > text && is_letter(at[-1]))
        return NULL;
    for (size_t i = 0; i < term_count; i++) {
        const size_t here = match(at, message(l, terms[i].term));
        if (here > *length) {
            found = &terms[i];
            *length = here;
        }
    }
    return found;
}
