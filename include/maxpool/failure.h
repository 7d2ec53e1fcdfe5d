/* Failures as values: every function that can fail returns a status and, if the caller provides a
 * struct for it, the reason in one line. Nothing is printed and no global state is kept. */
#ifndef MAXPOOL_INCLUDE_FAILURE_H
#define MAXPOOL_INCLUDE_FAILURE_H

/* Marks what the library exports; everything else in it is hidden. */
#if defined(__GNUC__)
#define MAXPOOL_API __attribute__((visibility("default")))
#else
#define MAXPOOL_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The same numbers as the exit statuses of the suite's programs. */
enum maxpool_status {
    MAXPOOL_OK = 0,
    MAXPOOL_WRONG = 1,       /* a result is outside its error bound */
    MAXPOOL_USAGE = 2,       /* a wrong argument or file, or an operation that does not exist */
    MAXPOOL_UNAVAILABLE = 3, /* this build or this machine cannot do it */
    MAXPOOL_RESOURCE = 4,    /* sizes overflow, or memory is lacking */
    MAXPOOL_OUTPUT = 5 /* a file could not be written; no function of the library returns it */
};

/* Why a call failed: one line, without a newline. A call that succeeds leaves it unchanged. */
struct maxpool_failure {
    enum maxpool_status status;
    char message[1024];
};

/* What a status means, as an English phrase: "wrong argument or file". Never NULL. */
MAXPOOL_API const char *maxpool_status_text(enum maxpool_status status);

/* The version of the library that runs: "0.1.0". MAXPOOL_VERSION of <maxpool/version.h> is the
 * version of the headers. */
MAXPOOL_API const char *maxpool_version(void);

#ifdef __cplusplus
}
#endif

#endif
