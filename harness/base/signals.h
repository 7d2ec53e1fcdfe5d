/* Ctrl-C and SIGTERM: the sample at hand is finished, recorded and reported, then the process ends
 * the way the signal would have ended it. */
#ifndef MAXPOOL_SIGNALS_H
#define MAXPOOL_SIGNALS_H

/* Catches SIGINT and SIGTERM (the second one ends the process at once), ignores SIGXFSZ so that a
 * file size limit is an error like a full disk. */
void signals_catch(void);

/* The signal that was caught, or 0. */
int signals_caught(void);

/* A file that is being written, to be removed where the second signal ends the process; NULL: none
 * any longer. The path must last until then. */
void signals_unfinished(const char *path);

/* Ends the process by the signal that was caught, if any. */
void signals_resume(void);

#endif
