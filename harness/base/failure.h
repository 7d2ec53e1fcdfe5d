/* Exit statuses, and how a function reports why it failed. Functions return a status and fill a
 * failure; only main prints it and exits, so that an MPI program prints one message. */
#ifndef MAXPOOL_FAILURE_H
#define MAXPOOL_FAILURE_H

enum status {
    STATUS_OK = 0,          /* done and verified */
    STATUS_WRONG = 1,       /* a result is wrong */
    STATUS_USAGE = 2,       /* bad option or input */
    STATUS_UNAVAILABLE = 3, /* not available: no GPU, no MPI, built without a library */
    STATUS_RESOURCE = 4,    /* sizes overflow or exceed memory, or another resource is short */
    STATUS_OUTPUT = 5       /* output could not be written */
};

struct failure {
    enum status status;
    /* One line, without the program's name and without a newline; a longer one ends in "...". */
    char message[1024];
};

/* Fills *f (unless f is NULL) and returns status, so that callers can write
 * `return fail(f, STATUS_USAGE, "stride must be at least 1, not %d", s)`. The first failure is
 * kept: further calls on the same struct do not change it. */
enum status fail(struct failure *f, enum status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The status of a file that could not be opened, by errno: STATUS_RESOURCE if open files or memory
 * ran out, otherwise `usual`. */
enum status failure_status_of(int error, enum status usual);

/* Returns why a write failed, by its errno: the text of strerror(), or a text that names this
 * process's limit on file sizes if that limit was the cause. */
const char *failure_of_write(int error);

#endif
