/* Sample records: what is written is read back, no complete row is ever lost, and nothing
 * incomplete is ever read as a row. */
#include "harness/base/digest.h"
#include "harness/base/text/csv_field.h"
#include "harness/records/columns.h"
#include "harness/records/layer_record.h"
#include "harness/records/record.h"
#include "harness/records/training_record.h"
#include "tests/support/unit_test.h"

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/maxpool-record-XXXXXX";
static char path[64];

static int make_folder(NO_STATE)
{
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/samples.csv", folder);
    return 0;
}

static int remove_folder(NO_STATE)
{
    unlink(path);
    return rmdir(folder);
}

static int remove_file(NO_STATE)
{
    unlink(path);
    return 0;
}

/* A test that begins without the file. */
#define RECORD_TEST(name) TEST_WITH(name, NULL, remove_file)

static void put_file(const char *content, size_t length)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(content, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static void put_text(const char *content)
{
    put_file(content, strlen(content));
}

static size_t get_file(char *content, size_t size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t length = fread(content, 1, size - 1, file);
    content[length] = '\0';
    fclose(file);
    return length;
}

/* The first rows of a file. */
struct rows {
    struct record first[8];
    int64_t lines[8];
    size_t count;
};

static bool keep(const struct record *r, int64_t line, void *context)
{
    struct rows *rows = context;
    if (rows->count < 8) {
        rows->first[rows->count] = *r;
        rows->lines[rows->count] = line;
    }
    rows->count++;
    return true;
}

static struct record_report read_good(struct rows *rows)
{
    struct record_report report;
    struct failure f = {0};
    rows->count = 0;
    assert_int_equal(record_read(path, keep, rows, &report, &f), STATUS_OK);
    assert_int_equal(report.rows, rows->count);
    return report;
}

static struct record_report read_text(const char *content, struct rows *rows)
{
    put_text(content);
    return read_good(rows);
}

/* Reading ends with status 2; the message has the part, and the file no row. */
static void expect_unread(const char *file, const char *part)
{
    struct rows rows = {.count = 0};
    struct failure f = {0};
    assert_int_equal(record_read(file, keep, &rows, NULL, &f), STATUS_USAGE);
    if (!strstr(f.message, part))
        fail_msg("'%s' does not say '%s'", f.message, part);
    assert_int_equal(rows.count, 0);
}

static struct record sample_row(int64_t sample)
{
    struct record r = record_empty();
    strcpy(r.experiment, "threads");
    strcpy(r.method, "literal");
    strcpy(r.run_id, "node-1-1");
    r.rows = r.cols = 1024;
    r.sample = sample;
    r.total_s = 0.012345678;
    return r;
}

static struct record_writer *open_good(bool *torn)
{
    struct record_writer *w;
    struct failure f = {0};
    assert_int_equal(record_writer_open(&w, path, torn, &f), STATUS_OK);
    return w;
}

static void append_good(struct record_writer *w, int64_t sample)
{
    struct record r = sample_row(sample);
    struct failure f = {0};
    assert_int_equal(record_append(w, &r, &f), STATUS_OK);
}

static void close_good(struct record_writer *w)
{
    struct failure f = {0};
    assert_int_equal(record_writer_close(w, &f), STATUS_OK);
}

static void write_rows(int64_t count)
{
    struct record_writer *w = open_good(NULL);
    for (int64_t i = 0; i < count; i++)
        append_good(w, i);
    close_good(w);
}

/* ---- writing -------------------------------------------------------------------------------- */

RECORD_TEST(test_header_is_the_schema)
{
    char line[TABLE_LINE_MAX];
    size_t length = table_format_header(&record_schema, line);
    line[length] = '\0';
    assert_string_equal(
        line,
        "experiment,program,operator,space,method,offload,filter_memory,distribution,planes,rows,"
        "cols,kernel,stride,padding,pad_mode,filter,seed,max_value,input,ranks,threads,nodes,"
        "device,"
        "block,isa,bind,binding,launch,run_id,round,sample,warmup,stop_reason,setup_s,first_launch_"
        "s,"
        "distribute_s,compute_s,product_s,collect_s,total_s,imbalance_s,start_error_s,verified,"
        "host,commit,time_utc,isa_limit,host_memory,streams,chunks,cache,allocate_s,"
        "device_distribute_s,device_compute_s,device_collect_s,clock_mhz,throttle,platform,row_"
        "s,pages_asked,pages,repeats,turn,company,network,weights,images,batch,channels,"
        "filters,"
        "groups,bias,activation,epilogue,residual,factor,"
        "task,data,optimizer,strategy,learning_rate,shards,epoch,step,forward_s,loss_s,"
        "backward_s,exchange_s,update_s,loss,accuracy,parameters_hash,gradient,d_output,"
        "recomputed,against,device_cold_s,power_w,augment,error_bound_max,error_bound_rms,"
        "error_ulps_max,error_ulps_rms,error_layer,error_network_ulps,involuntary_switches,"
        "cpu_mhz,others_cores,launch_others_cores,launch_stolen_share,launch_pressure_share,"
        "set,set_launches,filter_cols,stops,parallel,normalize,split,select,init,"
        "counters,instructions,cycles,submit,launch_hardware_threads,math,overlap,throttle_"
        "rank\n");
    assert_int_equal(record_column_find("operator")->number, 3);
    assert_null(record_column_find("operator_name"));
}

/* Every column has its own position, and no position is unused. */
RECORD_TEST(test_numbers_are_places)
{
    for (size_t i = 0; i < RECORD_COLUMNS; i++) {
        const struct record_column *c = &record_columns[i];
        assert_in_range(c->number, 1, RECORD_COLUMNS);
        assert_string_equal(record_schema.columns[c->number - 1].name, c->column.name);
        assert_ptr_equal(record_column_find(c->column.name), c);
        assert_true(c->column.meaning[0] && record_column_unit(c)[0]);
    }
}

/* Files of earlier versions are read by the former names of the columns. */
RECORD_TEST(test_old_names_are_read)
{
    struct rows rows;
    const struct record_report report = read_text("experiment,total_s,again\nold,0.5,17\n", &rows);
    assert_int_equal(report.unknown_columns, 0);
    assert_int_equal(rows.count, 1);
    assert_int_equal(rows.first[0].recomputed, 17);
    assert_string_equal(column_name_now("again"), "recomputed");
    assert_string_equal(column_name_now("rows"), "rows");
}

/* In earlier versions some operands were in another column: each is moved to its own. Operands of
 * other operators and of this version stay in place. */
RECORD_TEST(test_operands_of_old_files_are_moved)
{
    struct rows rows;
    const struct record_report report = read_text(
        "operator,filter,weights_file\nconv,w.npy,\ndistances,itself,\nmaxpool,identity,\n"
        "network,,seeded\n",
        &rows);
    assert_int_equal(report.unknown_columns, 0);
    assert_int_equal(rows.count, 4);
    static const struct {
        const char *filter, *weights, *against;
    } expected[] = {
        {"", "w.npy", ""}, {"", "", "itself"}, {"identity", "", ""}, {"", "seeded", ""}};
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(rows.first[i].filter, expected[i].filter);
        assert_string_equal(rows.first[i].weights, expected[i].weights);
        assert_string_equal(rows.first[i].against, expected[i].against);
    }
    read_text("operator,filter,weights,against\nconv,x,w.npy,\nother,x,,\n", &rows);
    assert_int_equal(rows.count, 2);
    assert_string_equal(rows.first[0].filter, "x");
    assert_string_equal(rows.first[0].weights, "w.npy");
    assert_string_equal(rows.first[1].filter, "x");
}

/* The batch of a network was in the column of the compared pictures and is moved; the number of
 * compared pictures stays. */
RECORD_TEST(test_integers_of_old_files_are_moved)
{
    struct rows rows;
    read_text("operator,images,batch\nnetwork,16,\nfaces,25,13\nconv,,4\nnetwork,,8\n"
              "network,3,2\n",
              &rows);
    assert_int_equal(rows.count, 5);
    static const struct {
        int64_t images, batch, both;
    } expected[] = {{RECORD_NO_INT, 16, 16},
                    {25, 13, 25},
                    {RECORD_NO_INT, 4, 4},
                    {RECORD_NO_INT, 8, 8},
                    {3, 2, 3}};
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(rows.first[i].images, expected[i].images);
        assert_int_equal(rows.first[i].batch, expected[i].batch);
        assert_int_equal(record_images(&rows.first[i]), expected[i].both);
    }
}

/* Files that use the former name of the output gradient are read. */
RECORD_TEST(test_output_gradients_of_old_files_are_read)
{
    struct rows rows;
    const struct record_report report =
        read_text("operator,gradient,slopes\nconv,image,random\nconv,weights,dy.npy\n", &rows);
    assert_int_equal(report.unknown_columns, 0);
    assert_int_equal(rows.count, 2);
    assert_string_equal(rows.first[0].gradient, "image");
    assert_string_equal(rows.first[0].d_output, "random");
    assert_string_equal(rows.first[1].d_output, "dy.npy");
}

RECORD_TEST(test_every_column_comes_back)
{
    struct record r = record_empty();
    for (size_t i = 0; i < record_schema.count; i++) {
        const struct column *column = &record_schema.columns[i];
        char *field = (char *)&r + column->offset;
        int64_t whole = (int64_t)i - 20;
        double real = (123456789.0 + (double)i) / 1e9; /* nanoseconds are preserved */
        if (column->type == COLUMN_TEXT)
            snprintf(field, RECORD_TEXT, "text \"%zu\", with a comma", i);
        else if (column->type == COLUMN_INT)
            memcpy(field, &whole, sizeof whole);
        else
            memcpy(field, &real, sizeof real);
    }
    struct record_writer *w = open_good(NULL);
    struct failure f = {0};
    assert_int_equal(record_append(w, &r, &f), STATUS_OK);
    close_good(w);

    struct rows rows;
    struct record_report report = read_good(&rows);
    assert_int_equal(rows.count, 1);
    assert_int_equal(report.corrupt + report.missing_columns + report.unknown_columns, 0);
    assert_memory_equal(&rows.first[0], &r, sizeof r);
}

RECORD_TEST(test_absent_stays_absent)
{
    struct record_writer *w = open_good(NULL);
    struct record r = record_empty();
    strcpy(r.run_id, "node-1-1");
    r.sample = 0;
    r.total_s = (double)INFINITY; /* no valid time: not available */
    struct failure f = {0};
    assert_int_equal(record_append(w, &r, &f), STATUS_OK);
    close_good(w);
    struct rows rows;
    read_good(&rows);
    assert_string_equal(rows.first[0].device, "");
    assert_true(rows.first[0].block == RECORD_NO_INT);
    assert_true(isnan(rows.first[0].product_s));
    assert_true(isnan(rows.first[0].total_s));
}

RECORD_TEST(test_text_never_breaks_a_row)
{
    struct record r = sample_row(0);
    strcpy(r.input, "two\r\nlines\tand \"quotes\"");
    memset(r.host, '"', RECORD_TEXT - 1);
    struct record_writer *w = open_good(NULL);
    struct failure f = {0};
    assert_int_equal(record_append(w, &r, &f), STATUS_OK);
    close_good(w);
    struct rows rows;
    struct record_report report = read_good(&rows);
    assert_int_equal(report.corrupt, 0);
    assert_int_equal(rows.count, 1);
    assert_string_equal(rows.first[0].input, "two  lines and \"quotes\"");
    assert_string_equal(rows.first[0].host, r.host);
}

RECORD_TEST(test_appends_to_its_own_file)
{
    write_rows(2);
    write_rows(3);
    struct rows rows;
    struct record_report report = read_good(&rows);
    assert_int_equal(rows.count, 5);
    assert_int_equal(report.corrupt, 0); /* a second header would be one */
    assert_int_equal(rows.lines[0], 2);
    assert_int_equal(rows.lines[4], 6);
}

static void expect_refusal(const char *content, enum status expected, const char *part)
{
    char after[8192];
    put_text(content);
    struct record_writer *w;
    struct failure f = {0};
    assert_int_equal(record_writer_open(&w, path, NULL, &f), expected);
    assert_null(w);
    if (!strstr(f.message, part))
        fail_msg("'%s' does not say '%s'", f.message, part);
    get_file(after, sizeof after);
    assert_string_equal(after, content); /* unchanged */
}

RECORD_TEST(test_other_headers_are_refused)
{
    char ours[TABLE_LINE_MAX];
    ours[table_format_header(&record_schema, ours) - 1] = '\0';
    char longer[TABLE_LINE_MAX + 16];
    snprintf(longer, sizeof longer, "%s,energy_j\n", ours);
    char shorter[TABLE_LINE_MAX];
    strcpy(shorter, ours);
    strcpy(strstr(shorter, ",pages_asked"), "\n");

    expect_refusal("experiment,program,kind,space\n1,2,3,4\n", STATUS_USAGE,
                   "column 3 is 'kind', ours 'operator'");
    expect_refusal(longer, STATUS_USAGE, "more columns");
    expect_refusal(shorter, STATUS_USAGE, "is '', ours 'pages_asked'");
    expect_refusal("not a table, and no newline", STATUS_USAGE, "'not a table', ours 'experiment'");
}

RECORD_TEST(test_torn_line_is_cut_off)
{
    write_rows(2);
    FILE *file = fopen(path, "ab");
    assert_non_null(file);
    for (int i = 0; i < 3000; i++) /* longer than one step of the search for the last newline */
        fputs("torn,", file);
    fclose(file);

    struct rows rows;
    struct record_report report = read_good(&rows);
    assert_true(report.torn);
    assert_int_equal(rows.count, 2);

    bool torn;
    struct record_writer *w = open_good(&torn);
    assert_true(torn);
    append_good(w, 2);
    close_good(w);
    report = read_good(&rows);
    assert_false(report.torn);
    assert_int_equal(report.corrupt, 0);
    assert_int_equal(rows.count, 3);
}

RECORD_TEST(test_torn_line_of_another_process_is_cut_off)
{
    struct record_writer *w = open_good(NULL);
    append_good(w, 0);
    FILE *file = fopen(path, "ab");
    fputs("torn,", file);
    fclose(file);
    append_good(w, 1);
    close_good(w);
    struct rows rows;
    struct record_report report = read_good(&rows);
    assert_int_equal(rows.count, 2);
    assert_int_equal(report.corrupt, 0);
}

RECORD_TEST(test_torn_header_is_begun_anew)
{
    put_text("experiment,program,oper");
    bool torn;
    struct record_writer *w = open_good(&torn);
    assert_true(torn);
    append_good(w, 0);
    close_good(w);
    struct rows rows;
    assert_int_equal(read_good(&rows).missing_columns, 0);
    assert_int_equal(rows.count, 1);
}

/* ---- what cannot be written ----------------------------------------------------------------- */

RECORD_TEST(test_full_device)
{
    struct record_writer *w;
    struct failure f = {0};
    assert_int_equal(record_writer_open(&w, "/dev/full", NULL, &f), STATUS_OUTPUT);
    assert_null(w);
    assert_non_null(strstr(f.message, "/dev/full"));
    assert_non_null(strstr(f.message, "No space left"));
}

/* Reading a FIFO would block until there is a writer, and reading /dev/zero would never end. */
RECORD_TEST(test_only_regular_files_are_read)
{
    char message[sizeof path + 40];
    snprintf(message, sizeof message, "%s: is a FIFO, not a regular file", path);
    assert_int_equal(mkfifo(path, 0600), 0);
    expect_unread(path, message);
    expect_unread("/dev/zero", "/dev/zero: is a character device, not a regular file");
}

RECORD_TEST(test_impossible_paths)
{
    static const char *const paths[] = {"/nowhere/at/all.csv", "/tmp", "/dev/null/samples.csv"};
    for (size_t i = 0; i < 3; i++) {
        struct record_writer *w;
        struct failure f = {0};
        assert_int_equal(record_writer_open(&w, paths[i], NULL, &f), STATUS_OUTPUT);
        assert_null(w);
        assert_non_null(strstr(f.message, paths[i]));
    }
}

/* Under a limit of the file size, rows are appended until one does not fit; the file then holds
 * exactly the rows before it. */
static void append_until_full(rlim_t limit, int64_t *fitted)
{
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit before, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = limit;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    struct record_writer *w = NULL;
    struct failure f = {0};
    enum status status = record_writer_open(&w, path, NULL, &f);
    *fitted = 0;
    while (status == STATUS_OK && *fitted < 1000) {
        struct record r = sample_row(*fitted);
        status = record_append(w, &r, &f);
        *fitted += status == STATUS_OK;
    }
    enum status closed = record_writer_close(w, NULL);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_int_equal(closed, STATUS_OK);
    assert_int_equal(status, STATUS_OUTPUT);
    assert_non_null(strstr(f.message, "the limit on file sizes"));
}

RECORD_TEST(test_size_limit_loses_nothing)
{
    for (rlim_t limit = 2000; limit < 2060; limit += 7) {
        int64_t fitted;
        unlink(path);
        append_until_full(limit, &fitted);
        assert_true(fitted > 0);
        struct rows rows;
        struct record_report report = read_good(&rows);
        assert_int_equal(rows.count, fitted);
        assert_int_equal(report.corrupt, 0);
        assert_false(report.torn); /* the partial row was removed again */
        write_rows(1);             /* with room again, appending continues */
        read_good(&rows);
        assert_int_equal(rows.count, fitted + 1);
    }
}

RECORD_TEST(test_size_limit_within_the_header)
{
    int64_t fitted;
    append_until_full(100, &fitted);
    assert_int_equal(fitted, 0);
    char content[256];
    assert_int_equal(get_file(content, sizeof content), 0);
}

RECORD_TEST(test_pipe_gets_header_and_rows)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    char target[64];
    snprintf(target, sizeof target, "/proc/self/fd/%d", ends[1]);
    struct record_writer *w;
    struct failure f = {0};
    assert_int_equal(record_writer_open(&w, target, NULL, &f), STATUS_OK);
    append_good(w, 7);
    close_good(w);
    close(ends[1]);
    char content[4 * TABLE_LINE_MAX];
    ssize_t length = read(ends[0], content, sizeof content);
    close(ends[0]);
    assert_true(length > 0);
    put_file(content, (size_t)length);
    struct rows rows;
    read_good(&rows);
    assert_int_equal(rows.count, 1);
    assert_int_equal(rows.first[0].sample, 7);
}

RECORD_TEST(test_processes_share_a_file)
{
    enum { PROCESSES = 4, EACH = 200 };
    pid_t children[PROCESSES];
    for (int i = 0; i < PROCESSES; i++) {
        children[i] = fork();
        if (children[i] == 0) {
            struct record_writer *w = NULL;
            bool good = record_writer_open(&w, path, NULL, NULL) == STATUS_OK;
            for (int64_t row = 0; good && row < EACH; row++) {
                struct record r = sample_row(row);
                good = record_append(w, &r, NULL) == STATUS_OK;
            }
            _exit(!good || record_writer_close(w, NULL) != STATUS_OK);
        }
    }
    for (int i = 0; i < PROCESSES; i++) {
        int status;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_int_equal(status, 0);
    }
    struct rows rows;
    struct record_report report = read_good(&rows);
    assert_int_equal(rows.count, PROCESSES * EACH);
    assert_int_equal(report.corrupt, 0);
}

/* ---- reading -------------------------------------------------------------------------------- */

RECORD_TEST(test_columns_go_by_name)
{
    put_text("total_s,energy_j,rows,method\r\n0.5,17,32,staged\r\n,,,fused\r\n");
    struct rows rows;
    struct record_report report = read_good(&rows);
    assert_int_equal(report.unknown_columns, 1);
    assert_int_equal(report.missing_columns, RECORD_COLUMNS - 3);
    assert_int_equal(rows.count, 2);
    assert_int_equal(rows.first[0].rows, 32);
    assert_true(rows.first[0].total_s == 0.5);
    assert_string_equal(rows.first[0].method, "staged");
    assert_true(rows.first[0].cols == RECORD_NO_INT);
    assert_true(rows.first[1].rows == RECORD_NO_INT);
}

RECORD_TEST(test_byte_order_mark)
{
    put_text("\ufeffmethod,rows\nstaged,1\n");
    struct rows rows;
    assert_int_equal(read_good(&rows).unknown_columns, 0);
    assert_string_equal(rows.first[0].method, "staged");
}

/* What spreadsheets make of a file: separators, a mark, quotes around everything, decimal commas.
 */
RECORD_TEST(test_files_of_spreadsheets)
{
    static const char *const files[] = {
        "method,rows,total_s,setup_s\nstaged,7,0.5,1.25\n",
        "\ufeffmethod;rows;total_s;setup_s\r\nstaged;7;0,5;1,25\r\n",
        "\"method\";\"rows\";\"total_s\";\"setup_s\"\n\"staged\";\"7\";\"0,5\";\"1,25\"\n",
        "method\trows\ttotal_s\tsetup_s\nstaged\t7\t5,0E-1\t1,25\n",
        "method,rows,total_s,setup_s\nstaged,7,\"0,5\",\"1,25\"\n",
        "method;rows;total_s;setup_s\nstaged;7;0.5;1.25\n",
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct rows rows;
        const struct record_report report = read_text(files[i], &rows);
        assert_int_equal(report.corrupt + report.unknown_columns, 0);
        assert_int_equal(rows.count, 1);
        assert_string_equal(rows.first[0].method, "staged");
        assert_int_equal(rows.first[0].rows, 7);
        assert_true(rows.first[0].total_s == 0.5);
        assert_true(rows.first[0].setup_s == 1.25);
    }
}

/* A comma is the decimal sign of the whole file, or of none of its numbers. */
RECORD_TEST(test_decimal_signs_are_not_mixed)
{
    struct rows rows;
    assert_int_equal(read_text("rows;total_s\n1;0,5\n2;1,234\n3;7\n4;0,25\n", &rows).corrupt, 0);
    assert_true(rows.first[1].total_s == 1.234); /* others prove the sign */
    struct record_report report = read_text("rows;total_s\n1;0,5\n2;0.5\n3;7\n4;0.25\n", &rows);
    assert_int_equal(report.corrupt, 1);
    assert_int_equal(report.first_corrupt_line, 2);
    assert_string_equal(report.first_corrupt, "total_s is '0,5'");
    put_text("rows,total_s\n1,\"1,234\"\n2,3\n3,4\n"); /* 1.234, or 1234? */
    report = read_good(&rows);
    assert_int_equal(report.corrupt, 1);
    assert_int_equal(rows.count, 2);
}

/* Rows of a launch that do not say which: commas that a spreadsheet left, or cleared cells. */
RECORD_TEST(test_rows_without_identity)
{
    struct rows rows;
    const struct record_report report =
        read_text("program,operator,space,method,run_id,sample,total_s\np,o,s,a,r,0,1\n,,,,,,\n"
                  "p,o,s,b,,1,1\np,o,s,c,r,,1\np,o,s,d,r,2,1\np,o,s,e,r,3,1\n",
                  &rows);
    assert_int_equal(report.corrupt, 3);
    assert_int_equal(report.first_corrupt_line, 3);
    assert_string_equal(report.first_corrupt, "all fields are empty");
    assert_int_equal(rows.count, 3);
    assert_string_equal(rows.first[1].method, "d");
}

/* Writes a header of the first `count` columns and a row, both without the column `left_out`. */
static void put_without(const char *left_out, size_t count)
{
    char text[8192] = "";
    for (int line = 0; line < 2; line++) {
        for (size_t i = 0; i < count; i++) {
            const struct column *c = &record_schema.columns[i];
            const char *field = line == 0 ? c->name : c->type == COLUMN_TEXT ? "x" : "1";
            if (strcmp(c->name, left_out) != 0)
                snprintf(text + strlen(text), sizeof text - strlen(text), "%s,", field);
        }
        text[strlen(text) - 1] = '\n';
    }
    put_text(text);
}

/* Somebody deleted a column in a spreadsheet: points would be mixed, or only a fact is missing. */
RECORD_TEST(test_a_file_that_lost_a_column)
{
    static const char *const needed[] = {"program", "operator", "space",
                                         "method",  "run_id",   "sample"};
    static const size_t versions[] = {60, RECORD_COLUMNS};
    struct rows rows = {.count = 0};
    for (size_t v = 0; v < 2; v++) {
        for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
            struct failure f = {0};
            put_without(needed[i], versions[v]);
            assert_int_equal(record_read(path, keep, &rows, NULL, &f), STATUS_USAGE);
            assert_non_null(strstr(f.message, needed[i]));
        }
        put_without("host", versions[v]);
        assert_int_equal(read_good(&rows).rows, 1);
        put_without("", versions[v]);
        assert_int_equal(read_good(&rows).rows, 1);
    }
}

RECORD_TEST(test_a_file_that_lost_most_rows_is_refused)
{
    static const struct {
        const char *content, *message;
    } cases[] = {
        {"rows,total_s\n\"1,024\",1\n", ":2: rows is '1,024'; 1 of 1 rows cannot be read"},
        {"rows,total_s\n1,1\n2,x\n3\n", ":3: total_s is 'x'; 2 of 3 rows cannot be read"},
        {"rows,run_id\n1,\n", ":2: run_id is empty; 1 of 1 rows cannot be read"},
        {"rows,run_id\n1\n", ":2: it has 1 fields, the header has 2; 1 of 1 rows"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct rows rows = {.count = 0};
        struct failure f = {0};
        put_text(cases[i].content);
        assert_int_equal(record_read(path, keep, &rows, NULL, &f), STATUS_USAGE);
        assert_non_null(strstr(f.message, cases[i].message));
    }
}

/* Line ends of old Macs and of Windows are accepted; a row without a line end counts as
 * incomplete. */
RECORD_TEST(test_line_ends_of_other_systems)
{
    static const char *const texts[] = {"method,rows\nstaged,1\nfused,2\ntorn,3",
                                        "method,rows\r\nstaged,1\r\nfused,2\r\ntorn,3",
                                        "\ufeffmethod,rows\rstaged,1\rfused,2\rtorn,3"};
    for (size_t i = 0; i < 3; i++) {
        put_text(texts[i]);
        struct rows rows;
        struct record_report report = read_good(&rows);
        assert_int_equal(report.unknown_columns + report.corrupt, 0);
        assert_int_equal(rows.count, 2);
        assert_true(report.torn);
        assert_string_equal(rows.first[1].method, "fused");
        assert_int_equal(rows.first[1].rows, 2);
        assert_int_equal(rows.lines[1], 3);
    }
}

RECORD_TEST(test_corrupt_rows_are_located)
{
    static const char *const corrupt[] = {
        "staged,1",                     /* a field too few */
        "staged,1,2,3",                 /* a field too many */
        "staged,1x,2",                  /* no integer */
        "staged,-,2",                   /* nor this */
        "staged,9223372036854775808,2", /* nor one of 63 bits */
        "staged,1 2,2",                 /* two numbers */
        "staged,1,2,,3",                /* a value behind the last column */
        "staged,1,nan",                 /* no decimal number */
        "staged,1,1e999",               /* beyond a double */
        "staged,1,0x10",                /* hexadecimal */
        "staged,1,1.5.2",               /* two points */
        "sta\"ged,1,2",                 /* a quote within */
        "\"staged,1,2",                 /* a quote without an end */
        "\"staged\"x,1,2",              /* text after a quote */
    };
    for (size_t i = 0; i < sizeof corrupt / sizeof *corrupt; i++) {
        char content[256];
        snprintf(content, sizeof content, "method,rows,total_s\na,1,2\n%s\n\"b\"\"c\",-3,4e-3\n",
                 corrupt[i]);
        put_text(content);
        struct rows rows;
        struct record_report report = read_good(&rows);
        if (report.corrupt != 1 || report.first_corrupt_line != 3 || rows.count != 2)
            fail_msg("'%s' was not left out", corrupt[i]);
        assert_string_equal(rows.first[1].method, "b\"c");
        assert_int_equal(rows.first[1].rows, -3);
        assert_int_equal(rows.lines[1], 4);
    }
}

RECORD_TEST(test_empty_lines_are_no_rows)
{
    struct rows rows;
    const struct record_report report = read_text("method,rows\r\n\r\na,1\r\n\r\n\nb,2\n\n", &rows);
    assert_int_equal(report.corrupt, 0);
    assert_int_equal(rows.count, 2);
    assert_int_equal(rows.lines[1], 6);
}

RECORD_TEST(test_long_lines_and_zero_bytes)
{
    enum { LONG = 3 * 1000 * 1000 };
    char *content = malloc(LONG + 256);
    assert_non_null(content);
    int length = sprintf(content, "method,rows\na,1\n");
    memset(content + length, 'x', LONG);
    length += LONG;
    static const char rest[] = "\nb,2\nc\0,3\nd,4\ntorn";
    memcpy(content + length, rest, sizeof rest - 1);
    put_file(content, (size_t)length + sizeof rest - 1);
    free(content);
    struct rows rows;
    struct record_report report = read_good(&rows);
    assert_int_equal(report.corrupt, 2);
    assert_int_equal(report.first_corrupt_line, 3);
    assert_true(report.torn);
    assert_int_equal(rows.count, 3);
    assert_string_equal(rows.first[2].method, "d");
    assert_int_equal(rows.lines[2], 6);
}

RECORD_TEST(test_files_that_are_no_tables)
{
    static const struct {
        const char *content, *part;
    } cases[] = {
        {"", "no header"},
        {"method,rows", "no header"},
        {"\"method,rows\n", "no header"},
        {"one,two\n1,2\n", "none of our columns, it begins with 'one'"},
        {"method,rows,method\n", "'method' stands twice"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        put_text(cases[i].content);
        expect_unread(path, cases[i].part);
    }
    expect_unread("/nowhere.csv", "");
    expect_unread("/tmp", "");
}

static bool stop_at_once(const struct record *r, int64_t line, void *context)
{
    (void)r;
    (void)line;
    ++*(int *)context;
    return false;
}

RECORD_TEST(test_visitor_stops_the_reading)
{
    write_rows(3);
    int visits = 0;
    assert_int_equal(record_read(path, stop_at_once, &visits, NULL, NULL), STATUS_OK);
    assert_int_equal(visits, 1);
}

/* Rows of layers and of trainings have the columns of the launch, which end with `commit`, in
 * common with the samples; the columns after it are specific to the table, even if a sample has the
 * same name. */
RECORD_TEST(test_rows_of_a_launch)
{
    static const struct schema *const kinds[] = {&layer_record_schema, &training_record_schema};
    union {
        struct layer_record layer;
        struct training_record training;
    } row;
    struct record r;
    table_blank(&record_schema, &r);
    for (size_t i = 0; i < record_schema.count; i++) {
        const struct column *column = &record_schema.columns[i];
        char *field = (char *)&r + column->offset;
        if (column->type == COLUMN_TEXT)
            snprintf(field, column->size, "%s of it", column->name);
        else if (column->type == COLUMN_INT)
            memcpy(field, &(int64_t){(int64_t)i}, sizeof(int64_t));
        else
            memcpy(field, &(double){0.5 + (double)i}, sizeof(double));
    }
    for (size_t kind = 0; kind < 2; kind++) {
        char reported[TABLE_LINE_MAX], sample[TABLE_LINE_MAX];
        const int last = table_find(kinds[kind], "commit");
        assert_in_range(last, 12, (int)kinds[kind]->count - 2);
        table_blank(kinds[kind], &row);
        table_copy_until(kinds[kind], &row, "commit", &record_schema, &r);
        for (int i = 0; i < (int)kinds[kind]->count; i++) {
            struct column one = kinds[kind]->columns[i], other = {0};
            const struct schema of_one = {&one, 1, kinds[kind]->row_bytes};
            const size_t length = table_format(&of_one, &row, reported);
            if (i > last) {
                assert_int_equal(length, 1); /* nothing but the line end */
                continue;
            }
            assert_in_range(table_find(&record_schema, one.name), 0, record_schema.count);
            other = record_schema.columns[table_find(&record_schema, one.name)];
            const struct schema of_other = {&other, 1, sizeof r};
            assert_int_equal(table_format(&of_other, &r, sample), length);
            assert_memory_equal(reported, sample, length);
        }
        table_blank(kinds[kind], &row);
        table_copy_until(kinds[kind], &row, "no such column", &record_schema, &r);
        assert_int_equal(row.layer.experiment[0], 0);
    }
}

/* Numbers as spreadsheets of several countries write them; NAN: no number. */
RECORD_TEST(test_written_numbers)
{
    static const struct {
        const char *text;
        double value;
    } numbers[] = {{"1024", 1024.0},         {"1 024", 1024.0},
                   {"1\u00a0024,5", 1024.5}, {"-1\u202f234\u202f567", -1234567.0},
                   {"12'345", 12345.0},      {"1\u2019024e3", 1024000.0},
                   {"\u00a07\u2009", 7.0},   {"1 02", (double)NAN},
                   {"1 0245", (double)NAN},  {"1024 500", (double)NAN},
                   {"0 123", (double)NAN},   {"1 024 5", (double)NAN},
                   {"1,234.5", 1234.5},      {"-1,234,567.25", -1234567.25},
                   {"1.234,5", 1234.5},      {"1.234.567", 1234567.0},
                   {"12,34.5", (double)NAN}, {"1.2.3", (double)NAN},
                   {"0,123.5", (double)NAN}, {"1,234.5,6", (double)NAN},
                   {"5'", (double)NAN},      {"", (double)NAN},
                   {" ", (double)NAN}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        double value;
        const char *comma = strchr(numbers[i].text, ','), *point = strchr(numbers[i].text, '.');
        const char sign = comma && (!point || comma > point) ? ',' : '.';
        const bool good = csv_read_real(numbers[i].text, sign, &value);
        assert_int_equal(good, !isnan(numbers[i].value));
        if (good)
            assert_true(value == numbers[i].value);
    }
    char line[] = " a ,\"b \" , c d\t,";
    char *at = line;
    static const char *const fields[] = {"a", "b ", "c d", ""};
    for (size_t i = 0; i < 4; i++, at++) {
        char *field = at;
        at = csv_field_end(at, ',');
        assert_true(at && *at == (i < 3 ? ',' : '\0'));
        *at = '\0';
        assert_string_equal(field, fields[i]);
    }
    assert_int_equal(csv_stated_separator("\"sep=;\""), ';');
    assert_int_equal(csv_stated_separator("SEP=\t\t\t"), '\t');
    assert_int_equal(csv_stated_separator("sep=;a"), '\0');
    assert_int_equal(csv_stated_separator("sep,seed"), '\0');
}

/* Reads a text as a number, and compares it, bit by bit, with what strtod makes of all of it;
 * strtod takes hexadecimals too. */
static void read_as_strtod(const char *text)
{
    char *end, with_comma[CSV_NUMBER_BYTES];
    double expected = strtod(text, &end), value = 0.0;
    const bool is_number = *text && !*end && isfinite(expected) && !strchr(text, 'x');
    assert_int_equal(csv_read_real(text, '.', &value), is_number);
    if (is_number)
        assert_memory_equal(&value, &expected, sizeof value);
    snprintf(with_comma, sizeof with_comma, "%s", text);
    if (strchr(with_comma, '.'))
        *strchr(with_comma, '.') = ',';
    assert_int_equal(csv_read_real(with_comma, ',', &value), is_number);
    if (is_number)
        assert_memory_equal(&value, &expected, sizeof value);
}

RECORD_TEST(test_numbers_are_those_of_strtod)
{
    static const char *const texts[] = {"0",
                                        "-0",
                                        "+5",
                                        "5.",
                                        ".5",
                                        "-.5e1",
                                        "1e22",
                                        "1e23",
                                        "1e-22",
                                        "1e-23",
                                        "1e",
                                        "1e+",
                                        "e5",
                                        ".",
                                        "-",
                                        "+",
                                        "--1",
                                        "1e+-2",
                                        "1.2.3",
                                        "1e400",
                                        "1e-400",
                                        "00000000000000000001",
                                        "999999999999999",
                                        "9007199254740993",
                                        "123456789012345.6",
                                        "1e1e1",
                                        "0x10",
                                        "nan",
                                        "-inf",
                                        "1E3",
                                        "1e0000000000000000001"};
    uint64_t drawn = 35;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        read_as_strtod(texts[i]);
    for (int i = 0; i < 20000; i++) {
        char text[CSV_NUMBER_BYTES];
        drawn = digest_mix(drawn);
        const double mantissa = (double)(int64_t)drawn * 0x1p-63;
        snprintf(text, sizeof text, i % 2 ? "%.*g" : "%.*e", (int)(drawn % 17),
                 mantissa * pow(10.0, (double)(drawn / 32 % 60) - 30.0));
        read_as_strtod(text);
    }
}

const struct tests_group tests_group = {make_folder, remove_folder};
