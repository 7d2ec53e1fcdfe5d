#include "experiments/common/output.h"

enum status output_open(struct output *o, const char *path, struct failure *f)
{
    const enum status status = whole_file_open(&o->file, path, f);
    o->stream = o->file.stream;
    o->path = o->file.path;
    o->temporary = o->file.temporary;
    return status;
}

enum status output_open_derived(struct output *o, const char *path, struct failure *f)
{
    const enum status status = output_open(o, path, f);
    o->file.derived = true;
    return status;
}

void output_abandon(struct output *o)
{
    if (!o->stream)
        return;
    o->stream = NULL;
    whole_file_abandon(&o->file);
}

enum status output_close(struct output *o, struct failure *f)
{
    o->stream = NULL;
    return whole_file_close(&o->file, f);
}

enum status output_write(const char *path, const char *text, size_t length, struct failure *f)
{
    struct output o;
    enum status status = output_open(&o, path, f);
    if (status != STATUS_OK)
        return status;
    fwrite(text, 1, length, o.stream); /* a failure is recorded in the stream */
    return output_close(&o, f);
}
