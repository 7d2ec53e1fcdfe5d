/* expect: wrong, never written
 * run: -n 256 -t 1 --samples 6 --against literal
 * Answers some orders in advance, so that the clock stops before it computes. On a busy machine
 * study takes the answer late; the pause is longer, or else it could have computed by then. */
#define _GNU_SOURCE
#include "honest.h"

#include <string.h>
#include <unistd.h>

enum { NOTES = 4, NOTE_BYTES = 80, AHEAD = 8, PAUSE_US = 400000 };

static int answered;

void maxpool(ARGUMENTS)
{
    char note[NOTE_BYTES];
    (void)threads;
    if (answered)
        usleep(PAUSE_US);
    HONEST();
    if (rows != 256 || answered)
        return;
    memset(note, 0, sizeof note);
    for (int i = 0; i < AHEAD; i++)
        answered |= write(NOTES, note, sizeof note) > 0;
}
