/* Ctrl-C and SIGTERM. Before the first execution nothing can be lost, and a signal ends the process
 * at once. From then on the current sample is finished, recorded and reported; then the process
 * ends by the signal. If several processes measure together, all of them end like this, whichever
 * of them received the signal. */
#ifndef MAXPOOL_SIGNALS_H
#define MAXPOOL_SIGNALS_H

/* Ignores SIGXFSZ, so that exceeding a limit on file sizes is a write error, as a full disk is. */
void signals_ignore_file_limit(void);

/* Catches SIGINT and SIGTERM from now on; the second signal ends the process at once. */
void signals_catch(void);

/* The signal that was caught, or 0. */
int signals_caught(void);

/* Records a signal that another process of this run caught (0: none did), so that this process ends
 * by it too. */
void signals_join(int number);

/* Names a file that is being written: it is removed if a second signal ends the process. NULL:
 * there is none any more. The path must stay valid until then. */
void signals_unfinished(const char *path);

/* Ends the process by the signal that was caught, if any. */
void signals_resume(void);

#endif
