/* The sample record: one CSV row per timed execution. The columns are declared once, in record.c,
 * and walked by header, writer and reader. Readers go by name and take an absent column as not
 * available, so that later versions may append columns; only appending to a file needs the same
 * header. Raw samples only: every statistic is derived later. */
#ifndef MAXPOOL_RECORD_H
#define MAXPOOL_RECORD_H

#include "harness/records/table.h"

enum { RECORD_TEXT = 256 }; /* bytes of a text field, the final 0 included */

/* One row. Integers hold RECORD_NO_INT and reals NaN where a column does not apply. */
struct record {
    /* the point */
    char experiment[RECORD_TEXT];
    char program[RECORD_TEXT];
    char operator_name[RECORD_TEXT]; /* column "operator": maxpool, matmul ... */
    char space[RECORD_TEXT];
    char method[RECORD_TEXT];
    char offload[RECORD_TEXT];
    char filter_memory[RECORD_TEXT];
    char distribution[RECORD_TEXT];
    int64_t planes, rows, cols;
    int64_t kernel, stride, padding;
    char pad_mode[RECORD_TEXT];
    char filter[RECORD_TEXT]; /* identity, random, or the file's name */
    int64_t seed, max_value;  /* of the random image or filter; absent for files */
    char input[RECORD_TEXT];  /* random, or the file's name */
    /* resources */
    int64_t ranks, threads, nodes;
    char device[RECORD_TEXT];
    int64_t block;
    char isa[RECORD_TEXT];
    char bind[RECORD_TEXT]; /* what was asked of the program: core or none */
    char
        binding[RECORD_TEXT]; /* what came of it: core, none, inherited (the launcher bound this
                                 process), or shared (some cores have more workers than they are) */
    char launch[RECORD_TEXT]; /* plain, mpirun, srun, simgrid */
    /* the sample */
    char run_id[RECORD_TEXT]; /* one launch of one program; samples that share it are correlated */
    int64_t round;
    int64_t sample;                /* counts from 0 within warm-up and within the timed samples */
    int64_t warmup;                /* 1 for a warm-up execution */
    char stop_reason[RECORD_TEXT]; /* on the last row of a launch: relative_ci, samples, seconds,
                                      interrupted, wrong; empty on the others */
    /* seconds by phase */
    double setup_s, first_launch_s, distribute_s, compute_s, product_s, collect_s, total_s;
    double imbalance_s, start_error_s;
    char verified[RECORD_TEXT]; /* exact, bound, sampled_exact, sampled_bound, none, wrong */
    /* provenance */
    char host[RECORD_TEXT];
    char commit[RECORD_TEXT];
    char time_utc[RECORD_TEXT]; /* when the sample ended, ISO 8601 */
    /* of the point again, in later versions */
    char isa_limit[RECORD_TEXT]; /* what --isa asked for; "": nothing, the widest there is */
    /* of a GPU */
    char host_memory[RECORD_TEXT]; /* pageable, pinned */
    int64_t streams, chunks;
    char cache[RECORD_TEXT]; /* flushed, warm */
    double allocate_s, device_distribute_s, device_compute_s, device_collect_s;
    int64_t clock_mhz;
    char throttle[RECORD_TEXT]; /* none, or reasons parted by "+" */
    /* a simulated launch (launch is simgrid) */
    char platform[RECORD_TEXT]; /* the machine that was simulated; "" for a measured sample */
    double
        row_s; /* seconds given for computing a row of the map; NaN: it was computed and clocked */
    /* memory; of several processes the first one's */
    char pages_asked[RECORD_TEXT]; /* what --pages asked for; "": nothing, huge where there are */
    char pages[RECORD_TEXT]; /* what came of it for the image: huge, ordinary, or advised (huge ones
                                were asked for, and the system does not tell) */
    /* of the sample again */
    int64_t repeats; /* executions that its seconds are the mean of: 1 unless one is too short for
                        the clock */
    int64_t turn; /* place of the method within its turn, from 0; absent where a method is alone */
    char company[RECORD_TEXT]; /* the methods that took turns in the process, joined by "+"; "": a
                                  method alone */
    /* of a network */
    char network[RECORD_TEXT];      /* its name, "+features" behind it where it ends before the
                                       classifier; "": the point is an operator's */
    char weights_file[RECORD_TEXT]; /* "seeded", or the file's name; "" likewise */
    int64_t images;                 /* that go through together */
    /* images of several channels under a bank of filters */
    int64_t batch, channels, filters, groups;
    char bias[RECORD_TEXT]; /* none, random, or the file's name */
    /* the end of its outputs */
    char activation[RECORD_TEXT], epilogue[RECORD_TEXT];
    char residual[RECORD_TEXT], factor[RECORD_TEXT]; /* none, random, or the file's name */
    /* of a training step */
    char task[RECORD_TEXT]; /* infer, train; "": the point is an operator's */
    char data[RECORD_TEXT], optimizer[RECORD_TEXT], strategy[RECORD_TEXT];
    double learning_rate;
    int64_t shards, epoch, step; /* step 1 is the first */
    double forward_s, loss_s, backward_s, exchange_s, update_s;
    double loss, accuracy;             /* of the batch, before the update */
    char parameters_hash[RECORD_TEXT]; /* at the end of an epoch; "" elsewhere */
    /* of a convolution run backward */
    char gradient[RECORD_TEXT]; /* none, image, weights */
    char slopes[RECORD_TEXT];   /* none, random, or the file's name */
    int64_t again;              /* outputs computed once more, in all processes */
};

extern const struct column record_columns[];
extern const size_t record_column_count;
extern const struct schema record_schema; /* the same, for harness/records/table.h */

/* A row with every column not available. */
struct record record_empty(void);

/* An integer of a row as a real: NaN where the column does not apply. */
double record_number(int64_t value);

/* A count of a row: 1 where the column does not apply, since a serial program has no ranks. */
double record_count(int64_t value);

/* Index of a column by name, or -1. */
int record_column_find(const char *name);

/* Writes the header line or one row, newline included, to a stream (RFC 4180 quoting; reals with 9
 * significant digits, so nanoseconds of a second survive). */
void record_print_header(FILE *stream);
void record_print(FILE *stream, const struct record *r);

/* ---- appending ------------------------------------------------------------------------------ */

struct record_writer;

/* As table_writer_open, table_append and table_writer_close: status 2 for a file with another
 * header, 5 where it cannot be written; a torn last line is cut off and told in *torn (may be
 * NULL). */
enum status record_writer_open(struct record_writer **out, const char *path, bool *torn,
                               struct failure *f);
enum status record_append(struct record_writer *w, const struct record *r, struct failure *f);
enum status record_writer_close(struct record_writer *w, struct failure *f); /* NULL is fine */

/* ---- reading -------------------------------------------------------------------------------- */

/* Called for each row; a false return stops the reading. */
typedef bool record_visitor(const struct record *r, int64_t line, void *context);

/* As table_read; what it came across, rows left out too, is told in *report (may be NULL). */
enum status record_read(const char *path, record_visitor *visit, void *context,
                        struct record_report *report, struct failure *f);

#endif
