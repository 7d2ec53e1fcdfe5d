#include "networks/point/output_files.h"

#include "harness/records/layer_record.h"
#include "harness/records/training_record.h"
#include "networks/point/layers/layer_rows.h"
#include "networks/point/trace/trace.h"

#include <errno.h>

static enum status open_trace(FILE **out, const char *path, struct failure *f)
{
    *out = fopen(path, "w");
    return *out ? STATUS_OK
                : fail(f, STATUS_OUTPUT, "%s: cannot write it: %s", path, failure_of_write(errno));
}

enum status outputs_open(struct outputs *o, const struct options *asked, struct failure *f)
{
    enum status status = STATUS_OK;
    if (asked->record_layers)
        status = table_writer_open(&o->layers, &layer_record_schema, asked->record_layers, NULL, f);
    if (status == STATUS_OK && asked->record_training)
        status = table_writer_open(&o->training, &training_record_schema, asked->record_training,
                                   NULL, f);
    if (status == STATUS_OK && asked->trace)
        status = open_trace(&o->trace, asked->trace, f);
    if (status == STATUS_OK && asked->timeline)
        status = timeline_start(&o->timeline, asked->timeline, f);
    timeline_label(o->timeline, asked->network);
    return status;
}

/* Stops and closes everything, also after a failure. */
static enum status close_all(struct outputs *o, struct failure *f)
{
    const enum status stopped = timeline_stop(o->timeline, f);
    const enum status layers = table_writer_close(o->layers, f);
    const enum status training = table_writer_close(o->training, f);
    *o = (struct outputs){.trace = o->trace};
    return stopped != STATUS_OK ? stopped : layers != STATUS_OK ? layers : training;
}

enum status outputs_deliver(struct outputs *o, const struct point *p, struct failure *f)
{
    enum status status = STATUS_OK;
    if (o->layers)
        status = layer_rows_append(o->layers, p, f);
    if (p->options.trace) {
        const enum status traced = trace_write(o->trace, p, f);
        o->trace = NULL;
        status = status != STATUS_OK ? status : traced;
    }
    const enum status closed = close_all(o, f);
    return status != STATUS_OK ? status : closed;
}

void outputs_close(struct outputs *o)
{
    close_all(o, NULL);
    if (o->trace)
        fclose(o->trace);
    o->trace = NULL;
}
