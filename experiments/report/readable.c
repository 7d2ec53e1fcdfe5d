#include "experiments/report/readable.h"

#include "experiments/common/output.h"
#include "harness/records/bytes.h"

static const char copies[] = "analysis/unpacked";

static bool lies_packed(const char *path)
{
    char packed[PATH_MAX];
    return bytes_are_packed(path, packed);
}

struct results_path readable_table(table_place *place, const char *folder, const char *experiment)
{
    const struct results_path recorded = place(folder, experiment);
    return lies_packed(recorded.text) ? place(results_file(folder, copies).text, experiment)
                                      : recorded;
}

/* Copies what is left of `from`. */
static enum status copy_rest(struct bytes *from, const struct output *to, struct failure *f)
{
    char piece[1 << 16];
    ssize_t got;
    while ((got = bytes_read(from, piece, sizeof piece)) > 0)
        if (fwrite(piece, 1, (size_t)got, to->stream) != (size_t)got)
            break; /* output_close says why */
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

enum status readable_make(const char *folder, const char *experiment, struct failure *f)
{
    static table_place *const places[] = {results_layers, results_training, results_timeline};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < sizeof places / sizeof *places && status == STATUS_OK; i++) {
        const struct results_path recorded = places[i](folder, experiment);
        if (!lies_packed(recorded.text))
            continue;
        status = results_make(results_file(folder, copies).text, f);
        if (status == STATUS_OK)
            status = unpack(recorded.text, readable_table(places[i], folder, experiment).text, f);
    }
    return status;
}
