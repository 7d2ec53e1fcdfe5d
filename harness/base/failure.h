/* Exit statuses, and how a function says why it could not go on. Functions return a status and
 * fill a failure; only main prints it and exits, so that under MPI one message comes out. */
#ifndef MAXPOOL_FAILURE_H
#define MAXPOOL_FAILURE_H

enum status {
    STATUS_OK = 0,          /* done and verified */
    STATUS_WRONG = 1,       /* a result was wrong */
    STATUS_USAGE = 2,       /* bad option or input */
    STATUS_UNAVAILABLE = 3, /* not available here: no GPU, no MPI, built without a library */
    STATUS_RESOURCE = 4,    /* sizes overflow or exceed memory, or another resource is lacking */
    STATUS_OUTPUT = 5       /* output could not be written */
};

struct failure {
    enum status status;
    char message[1024]; /* one line, without the program's name and without a newline */
};

/* Fills *f (where f is not NULL) and returns status, so that callers can write
 * `return fail(f, STATUS_USAGE, "stride must be at least 1, not %d", s)`. The first failure is
 * kept: a second call on the same struct leaves it as it is. */
enum status fail(struct failure *f, enum status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Why a write failed, by its errno: strerror()'s words, but that this process's limit on file sizes
 * is named where it was in the way. */
const char *failure_of_write(int error);

#endif
