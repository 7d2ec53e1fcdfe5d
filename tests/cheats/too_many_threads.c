/* expect: threads, threads at once
 * Uses four threads more than it may, and waits for all of them. */
#include "honest.h"

#include <pthread.h>
#include <unistd.h>

static void *work(void *ignored)
{
    usleep(1000);
    return ignored;
}

void maxpool(ARGUMENTS)
{
    pthread_t team[64];
    const int more = threads + 4 < 64 ? threads + 4 : 64;
    for (int i = 0; i < more; i++)
        pthread_create(&team[i], NULL, work, NULL);
    for (int i = 0; i < more; i++)
        pthread_join(team[i], NULL);
    HONEST();
}
