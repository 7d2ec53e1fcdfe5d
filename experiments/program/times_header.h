/* What the columns of a file of times hold, by the words of its header: those that people,
 * spreadsheets and other tools write, in English and in Spanish. */
#ifndef MAXPOOL_TIMES_HEADER_H
#define MAXPOOL_TIMES_HEADER_H

enum times_role {
    TIMES_OTHER,      /* a parameter of the program, or a result of it */
    TIMES_THREADS,    /* a number of workers */
    TIMES_RANKS,      /* likewise; they are ranks */
    TIMES_SECONDS,    /* a time, in `unit` seconds */
    TIMES_REPETITION, /* the number of a repetition */
    TIMES_CURVE,      /* what was measured: each of its values is a curve */
    TIMES_JOB,        /* the number of a job of Slurm, or of a step of it */
    TIMES_STATE,      /* how a job ended */
    TIMES_IGNORED,    /* what may differ between repetitions: a host, a date, a spread */
    TIMES_ROLES
};

struct times_field {
    enum times_role role;
    double unit;    /* seconds of one */
    int numbered;   /* the number at the end of its name; 0: none */
    int preference; /* of columns with seconds, that with the highest is the time */
};

/* Returns what a column of this name holds: case, blanks, underscores, words such as those of
 * "number of OpenMP threads", and a unit at its end, as in "Time (ms)" or time_ms, do not count. A
 * column "run 2" or "time2" is the time of a repetition. */
struct times_field times_field_of(const char *name);

#endif
