/* Any bytes as a file of samples: every row that is read can be written, and is then read again
 * unchanged. */
#include "harness/records/record.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* A file in memory, created at first use and reused. */
struct memory_file {
    int fd;
    char path[64];
};

static void fill(struct memory_file *file, const void *data, size_t size)
{
    if (file->fd < 0) {
        file->fd = memfd_create("fuzz.csv", 0);
        snprintf(file->path, sizeof file->path, "/proc/self/fd/%d", file->fd);
    }
    if (file->fd < 0 || ftruncate(file->fd, 0) != 0 ||
        pwrite(file->fd, data, size, 0) != (ssize_t)size)
        abort();
}

struct again {
    struct record row;
    int64_t rows;
};

static bool keep(const struct record *r, int64_t line, void *context)
{
    struct again *again = context;
    (void)line;
    again->row = *r;
    again->rows++;
    return true;
}

/* Compares two rows by the lines that they are written as: control characters become blanks. */
static bool same_row(const struct record *a, const struct record *b)
{
    char line_a[TABLE_LINE_MAX], line_b[TABLE_LINE_MAX];
    size_t length = table_format(&record_schema, a, line_a);
    return length == table_format(&record_schema, b, line_b) && memcmp(line_a, line_b, length) == 0;
}

static bool write_and_read(const struct record *r, int64_t line, void *context)
{
    static struct memory_file file = {.fd = -1};
    char text[2 * TABLE_LINE_MAX];
    struct again again = {.rows = 0};
    struct record_report report;
    int64_t *last_line = context;
    struct record named = *r;
    if (!*r->run_id) /* a file may lack the columns; one that has them needs them filled */
        strcpy(named.run_id, "unnamed");
    if (r->sample == RECORD_NO_INT)
        named.sample = 0;
    size_t length = table_format_header(&record_schema, text);
    length += table_format(&record_schema, &named, text + length);
    fill(&file, text, length);
    if (line <= *last_line || record_read(file.path, keep, &again, &report, NULL) != STATUS_OK ||
        again.rows != 1 || report.corrupt != 0 || report.torn || !same_row(&named, &again.row))
        abort();
    *last_line = line;
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct memory_file file = {.fd = -1};
    struct failure f = {0};
    struct record_report report;
    int64_t last_line = 1;
    fill(&file, data, size);
    enum status status = record_read(file.path, write_and_read, &last_line, &report, &f);
    if (status != f.status || (status != STATUS_OK && status != STATUS_USAGE) || report.rows < 0 ||
        (report.corrupt > 0) != (report.first_corrupt_line > 1) ||
        (status == STATUS_OK && report.corrupt > report.rows))
        abort();
    return 0;
}
