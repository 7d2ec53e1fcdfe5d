/* Ctrl-C and SIGTERM. Until the first execution there is nothing to lose, and a signal ends the
 * process at once. From then on the sample at hand is finished, recorded and reported, then the
 * process ends the way the signal would have ended it; of several processes that measure together
 * all end so, whichever of them received the signal. */
#ifndef MAXPOOL_SIGNALS_H
#define MAXPOOL_SIGNALS_H

/* Ignores SIGXFSZ, so that a limit on file sizes is an error like a full disk. */
void signals_ignore_file_limit(void);

/* From here on catches SIGINT and SIGTERM; the second one ends the process at once. */
void signals_catch(void);

/* The signal that was caught, or 0. */
int signals_caught(void);

/* Another process of this run caught the signal: this one is to end by it too. 0: none did. */
void signals_join(int number);

/* A file that is being written, to be removed where the second signal ends the process; NULL: none
 * any longer. The path must last until then. */
void signals_unfinished(const char *path);

/* Ends the process by the signal that was caught, if any. */
void signals_resume(void);

#endif
