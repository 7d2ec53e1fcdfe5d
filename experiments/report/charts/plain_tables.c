#include "experiments/report/charts/plain_tables.h"

#include "experiments/common/output.h"
#include "harness/records/bytes.h"
#include "harness/records/table.h"

#include <string.h>
#include <unistd.h>

static const char copies[] = "analysis/unpacked";

static bool lies_packed(const char *path)
{
    char packed[PATH_MAX];
    return bytes_are_packed(path, packed);
}

struct results_path plain_table(table_path *path_of, const char *folder, const char *experiment)
{
    const struct results_path recorded = path_of(folder, experiment);
    return lies_packed(recorded.text) ? path_of(results_file(folder, copies).text, experiment)
                                      : recorded;
}

/* A night of ten rows per second takes a third of this. A packed file may contain a thousand times
 * its size, and the copy must not fill the disk. */
enum { UNPACKED_MOST = 256 << 20 };

/* Bytes of the last line of a text; `before` of its bytes came before this text, if it has no
 * newline. */
static size_t line_length(const char *text, size_t length, size_t before)
{
    const char *newline = memrchr(text, '\n', length);
    return newline ? (size_t)(text + length - newline - 1) : before + length;
}

/* Copies the rest of `from`, as long as no line is too long for a table and the total is within the
 * limit. */
static enum status copy_rest(struct bytes *from, const struct output *to, struct failure *f)
{
    char piece[1 << 16];
    ssize_t got;
    size_t copied = 0, line = 0;
    while ((got = bytes_read(from, piece, sizeof piece)) > 0) {
        copied += (size_t)got;
        line = line_length(piece, (size_t)got, line);
        if (line > TABLE_LINE_MAX)
            return fail(f, STATUS_USAGE, "%s: holds a line of more than %d bytes: left out",
                        from->path, TABLE_LINE_MAX);
        if (copied > UNPACKED_MOST)
            return fail(f, STATUS_USAGE, "%s: unpacks to more than %d MiB: left out", from->path,
                        UNPACKED_MOST >> 20);
        if (fwrite(piece, 1, (size_t)got, to->stream) != (size_t)got)
            break; /* output_close reports it */
    }
    return got < 0 ? fail(f, STATUS_USAGE, "%s: cannot be read: %s", from->path, from->error)
                   : STATUS_OK;
}

static enum status unpack(const char *packed, const char *copy, struct failure *f)
{
    struct bytes from;
    struct output to;
    enum status status = bytes_open(&from, packed, f);
    if (status != STATUS_OK)
        return status;
    status = output_open(&to, copy, f);
    if (status == STATUS_OK)
        status = copy_rest(&from, &to, f);
    if (status == STATUS_OK)
        status = output_close(&to, f);
    else
        output_abandon(&to);
    bytes_close(&from);
    return status;
}

/* Makes the copy of a packed table anew. Without a new copy, that of an earlier run is removed. */
static enum status renew(table_path *path_of, const char *folder, const char *experiment,
                         struct failure *f)
{
    const struct results_path recorded = path_of(folder, experiment);
    const struct results_path copy = plain_table(path_of, folder, experiment);
    if (!lies_packed(recorded.text))
        return STATUS_OK;
    enum status status = results_make(results_file(folder, copies).text, f);
    if (status == STATUS_OK)
        status = unpack(recorded.text, copy.text, f);
    if (status != STATUS_OK)
        unlink(copy.text);
    return status;
}

enum status plain_tables_make(const char *folder, const char *experiment, struct failure *f)
{
    static table_path *const paths[] = {results_layers, results_training, results_timeline};
    enum status first = STATUS_OK;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        const enum status status =
            renew(paths[i], folder, experiment, first == STATUS_OK ? f : NULL);
        first = first == STATUS_OK ? status : first;
    }
    return first;
}
