#include "experiments/run/import.h"

#include "experiments/common/lock.h"
#include "experiments/common/output.h"
#include "experiments/common/process.h"
#include "experiments/common/results.h"
#include "experiments/run/sample_store.h"
#include "experiments/run/unpack.h"
#include "experiments/samples/journal.h"
#include "experiments/samples/point.h"
#include "experiments/samples/sample_rows.h"
#include "experiments/samples/samples.h"
#include "harness/base/regular_file.h"
#include "harness/base/text/fit.h"
#include "harness/records/record.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <inttypes.h>
#include <limits.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct import {
    const char *results, *experiment;
    struct import_counts *counts;
    struct failure *failure;
    bool writing;     /* in the second pass */
    const char *path; /* the file that is being read */
    size_t above; /* bytes of a path that users do not know: the folder of an unpacked tar file */
    enum status status;
    struct sample_store store;
    struct table_writer *journal;
    void *known;      /* tree of samples_row_name()s in the results */
    void *shown;      /* tree of member_name()s in the results, of rows and of the journal */
    void *journalled; /* tree of those of the journal */
    void *origins;    /* tree of struct origin, from the results and the imported files */
};

/* ---- known samples --------------------------------------------------------------------------- */

enum { NAME = SAMPLES_ROW };

/* Writes what identifies a launch of an experiment. */
static void member_name(const struct record *r, char name[NAME])
{
    char key[POINT_KEY];
    point_key(r, key);
    snprintf(name, NAME, "%s %s %" PRId64 " %" PRId64, r->experiment, key, r->round, record_set(r));
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* Notes a name; false if it was known already, or if memory is lacking. */
static bool note(struct import *in, void **names, const char name[NAME])
{
    if (tfind(name, names, compare_names))
        return false;
    char *copy = strdup(name);
    if (!copy || !tsearch(copy, names, compare_names)) {
        free(copy);
        in->status = fail(in->failure, STATUS_RESOURCE, "not enough memory to find duplicates");
        return false;
    }
    return true;
}

static bool note_sample(struct import *in, const struct record *r)
{
    char name[NAME];
    samples_row_name(r, name);
    return note(in, &in->known, name);
}

static bool note_member(struct import *in, void **names, const struct record *r)
{
    char name[NAME];
    member_name(r, name);
    return note(in, names, name);
}

/* ---- which machine measured which point ------------------------------------------------------ */

/* A point and round of an experiment, and the host that measured it. Parts of a plan on many nodes
 * measure each point and round once; separate machines measure each of them again. */
struct origin {
    char name[1024], host[RECORD_TEXT];
};

static int compare_origins(const void *a, const void *b)
{
    return strcmp(((const struct origin *)a)->name, ((const struct origin *)b)->name);
}

static void name_origin(const struct record *r, char *name, size_t size)
{
    size_t used = (size_t)snprintf(name, size, "%s %" PRId64, r->experiment, r->round);
    for (size_t i = 0; i < point_column_count() && used < size; i++) {
        const struct column *c = &point_column(i)->column;
        const char *field = (const char *)r + c->offset;
        int64_t number = 0;
        if (c->type == COLUMN_INT)
            memcpy(&number, field, sizeof number);
        used += (size_t)(c->type == COLUMN_TEXT
                             ? snprintf(name + used, size - used, " %s", field)
                             : snprintf(name + used, size - used, " %" PRId64, number));
    }
}

/* Notes the host of a row; returns the host that measured this point and round before, if it is
 * another one. */
static const char *find_other_host(struct import *in, const struct record *r)
{
    struct origin *origin = calloc(1, sizeof *origin);
    if (!origin || !r->host[0] || r->round == RECORD_NO_INT || r->sample != 0) {
        free(origin);
        return NULL;
    }
    name_origin(r, origin->name, sizeof origin->name);
    memcpy(origin->host, r->host, sizeof origin->host);
    struct origin **there = tsearch(origin, &in->origins, compare_origins);
    if (!there || *there != origin)
        free(origin);
    return there && strcmp((*there)->host, r->host) != 0 ? (*there)->host : NULL;
}

static void check_machine(struct import *in, const struct record *r, int64_t line)
{
    const char *other = find_other_host(in, r);
    if (other)
        in->status =
            fail(in->failure, STATUS_USAGE,
                 "%s:%" PRId64 ": '%s' measured what '%s' has measured (%s): import "
                 "each machine into a folder of its own, then compare them by 'study report "
                 "--results A --results B'",
                 in->path, line, text_brief(r->host, 60).text, text_brief(other, 60).text,
                 text_brief(r->experiment, 60).text);
}

/* ---- what the folder has --------------------------------------------------------------------- */

static bool note_old(const struct record *r, int64_t line, void *context)
{
    struct import *in = context;
    (void)line;
    note_sample(in, r);
    note_member(in, &in->shown, r);
    find_other_host(in, r);
    return in->status == STATUS_OK;
}

static bool note_old_member(const struct journal_row *row, void *context)
{
    struct import *in = context;
    if (strcmp(row->status, "done") == 0) {
        note_member(in, &in->shown, &row->point);
        note_member(in, &in->journalled, &row->point);
    }
    return in->status == STATUS_OK;
}

/* A file of one experiment that cannot be read has nothing to note; its readers report it. */
static void note_own_files(struct import *in)
{
    struct dirent **items = NULL;
    const int count = scandir(in->results, &items, NULL, NULL);
    for (int i = 0; i < count; i++) {
        char name[RESULTS_NAME + 1];
        if (in->status == STATUS_OK && results_own_name(items[i]->d_name, name) &&
            results_name_is_safe(name))
            record_read(results_own_samples(in->results, name).text, note_old, in, NULL, NULL);
        free(items[i]);
    }
    free(items);
}

static void note_folder(struct import *in)
{
    const struct results_path samples = results_samples(in->results);
    note_own_files(in);
    if (in->status == STATUS_OK && table_is_begun(samples.text)) {
        const enum status status = record_read(samples.text, note_old, in, NULL, in->failure);
        in->status = in->status == STATUS_OK ? status : in->status;
    }
    if (in->status == STATUS_OK) {
        const enum status status =
            journal_read(results_journal(in->results).text, note_old_member, in, NULL, in->failure);
        in->status = in->status == STATUS_OK ? status : in->status;
    }
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Journals that an experiment has a launch, unless the journal says so. */
static void add_member(struct import *in, const struct journal_row *row)
{
    if (!note_member(in, &in->journalled, &row->point))
        return;
    note_member(in, &in->shown, &row->point);
    if (in->status == STATUS_OK)
        in->status = table_append(in->journal, row, in->failure);
}

/* The row of another experiment is there: the journal says that this one has the launch, too. */
static void share_row(struct import *in, const struct record *r)
{
    struct journal_row row = journal_blank();
    if (!note_member(in, &in->shown, r))
        return;
    row.point = *r;
    snprintf(row.status, sizeof row.status, "done");
    snprintf(row.reason, sizeof row.reason, "imported");
    add_member(in, &row);
}

static void write_row(struct import *in, const struct record *r)
{
    if (note_sample(in, r)) {
        note_member(in, &in->shown, r);
        in->status = record_append(in->store.writer, r, in->failure);
        in->counts->rows += in->status == STATUS_OK;
    } else if (in->status == STATUS_OK) {
        in->counts->duplicates++;
        share_row(in, r);
    }
}

static bool take_journal_row(const struct journal_row *row, void *context)
{
    struct import *in = context;
    if (strcmp(row->status, "done") == 0 && results_name_is_safe(row->point.experiment))
        add_member(in, row);
    return in->status == STATUS_OK;
}

/* The journal of an imported folder says which points its experiments have, and at which scale they
 * were measured. What failed there may be measured here. */
static void take_journal(struct import *in, const char *path)
{
    if (!in->writing)
        return;
    const enum status status = journal_read(path, take_journal_row, in, NULL, in->failure);
    in->status = in->status == STATUS_OK ? status : in->status;
}

static void check_row(struct import *in, const struct record *r, int64_t line)
{
    const char *lost = sample_lost_column(r);
    if (!r->experiment[0])
        in->status = fail(in->failure, STATUS_USAGE,
                          "%s:%" PRId64 ": this row names no experiment; give --experiment NAME",
                          in->path, line);
    else if (!results_name_is_safe(r->experiment))
        in->status = fail(in->failure, STATUS_USAGE,
                          "%s:%" PRId64 ": '%s' cannot be the name of an experiment", in->path,
                          line, text_brief(r->experiment, 80).text);
    else if (!r->run_id[0] || r->sample == RECORD_NO_INT)
        in->status =
            fail(in->failure, STATUS_USAGE,
                 "%s:%" PRId64 ": this row has no run_id or no sample number", in->path, line);
    else if (lost)
        in->status = fail(in->failure, STATUS_USAGE,
                          "%s:%" PRId64 ": this row has no value in the column '%s', which tells "
                          "points apart: restore it",
                          in->path, line, lost);
    else
        check_machine(in, r, line);
}

static bool take_row(const struct record *row, int64_t line, void *context)
{
    struct import *in = context;
    struct record r = *row;
    if (!r.experiment[0] && in->experiment)
        snprintf(r.experiment, sizeof r.experiment, "%s", in->experiment);
    if (in->writing)
        write_row(in, &r);
    else
        check_row(in, &r, line);
    if (in->status == STATUS_OK && process_stop_signal())
        in->status =
            fail(in->failure, STATUS_RESOURCE, "%s: asked to stop while it was read", in->path);
    return in->status == STATUS_OK;
}

/* ---- files ----------------------------------------------------------------------------------- */

static void take_file(struct import *in, const char *path)
{
    struct record_report report;
    in->path = path;
    enum status status = record_read(path, take_row, in, &report, in->failure);
    if (in->status == STATUS_OK)
        in->status = status;
    if (in->status != STATUS_OK)
        return;
    if (report.unknown_columns > 0)
        in->status =
            fail(in->failure, STATUS_USAGE,
                 "%s: has %" PRId64 " columns that this version does not know; they would be "
                 "lost",
                 path, report.unknown_columns);
    if (in->writing) {
        in->counts->files++;
        if (in->counts->corrupt == 0 && report.corrupt > 0)
            snprintf(in->counts->first_corrupt, sizeof in->counts->first_corrupt,
                     "%s:%" PRId64 ": %s", path, report.first_corrupt_line, report.first_corrupt);
        in->counts->corrupt += report.corrupt;
        if (report.torn && in->counts->torn++ == 0)
            snprintf(in->counts->first_torn, sizeof in->counts->first_torn, "%s", path);
    }
}

static bool ends_in(const char *text, const char *end)
{
    size_t length = strlen(text), own = strlen(end);
    return length >= own && strcmp(text + length - own, end) == 0;
}

/* Copies a file unchanged, unless there is already one of that name. */
static void take_copy(struct import *in, const char *path, struct results_path own)
{
    char text[1 << 16];
    if (!in->writing || access(own.text, F_OK) == 0)
        return;
    struct output to;
    FILE *from = fopen(path, "rb");
    bool good = from && output_open(&to, own.text, NULL) == STATUS_OK;
    for (size_t n = 1; good && n > 0;) {
        n = fread(text, 1, sizeof text, from);
        good = fwrite(text, 1, n, to.stream) == n && !ferror(from);
        if (!good)
            output_abandon(&to);
    }
    if (from)
        fclose(from);
    if (!good || output_close(&to, NULL) != STATUS_OK)
        in->status = fail(in->failure, STATUS_OUTPUT, "%s: cannot be copied to %s", path, own.text);
}

/* Copies a path without the ending of a packed file. */
static void plain_path(const char *path, char plain[PATH_MAX])
{
    snprintf(plain, PATH_MAX, "%s", path);
    if (ends_in(plain, ".csv.gz"))
        plain[strlen(plain) - strlen(".gz")] = '\0';
}

/* Whether the file belongs to an experiment's samples: layers, training record, or use of resources
 * over time; packed or not. */
static bool goes_along(const char *path, const struct FTW *where)
{
    static const char *const endings[] = {".layers.csv", ".training.csv", ".timeline.csv",
                                          ".usage.csv"};
    char plain[PATH_MAX];
    plain_path(path, plain);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (ends_in(plain, endings[i]) && strlen(plain + where->base) > strlen(endings[i]))
            return true;
    return false;
}

static bool is_environment(const char *path, const struct FTW *where)
{
    return strcmp(path + where->base, "environment.json") == 0;
}

/* Whether the file holds samples. In a folder of results, what study itself derived is left out. */
static bool holds_samples(const char *path, const struct FTW *where)
{
    static const char *const others[] = {".journal.csv", ".points.csv", ".samples.csv",
                                         "/ceilings.csv", "/journal.csv"};
    static const char derived[] = "/analysis/";
    char plain[PATH_MAX];
    plain_path(path, plain);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (ends_in(plain, others[i]))
            return false;
    if (!ends_in(plain, ".csv"))
        return false;
    plain[where->base] = '\0';
    return !ends_in(plain, derived);
}

/* nftw() has no context argument. */
static struct import *walking;

/* Skips links, FIFOs and devices: reading them may never end, or lead to another folder. */
static void skip_special(struct import *in, const char *path, const struct stat *about)
{
    struct import_counts *counts = in->counts;
    if (in->writing && counts->special++ == 0)
        snprintf(counts->first_special, sizeof counts->first_special, "%s is %s", path + in->above,
                 regular_kind(about->st_mode));
}

static int take_found(const char *path, const struct stat *about, int type, struct FTW *where)
{
    if (type == FTW_SL || (type == FTW_F && !S_ISREG(about->st_mode)))
        skip_special(walking, path, about);
    else if (type == FTW_DNR || type == FTW_NS)
        walking->status = fail(walking->failure, STATUS_USAGE, "%s: cannot be read", path);
    else if (type == FTW_F && is_environment(path, where))
        /* what the machine of the samples recorded about itself */
        take_copy(walking, path, results_environment(walking->results));
    else if (type == FTW_F && strcmp(path + where->base, "journal.csv") == 0)
        take_journal(walking, path);
    else if (type == FTW_F && goes_along(path, where))
        take_copy(walking, path, results_file(walking->results, path + where->base));
    else if (type == FTW_F && holds_samples(path, where))
        take_file(walking, path);
    return walking->status == STATUS_OK ? 0 : 1;
}

static void take_folder(struct import *in, const char *path)
{
    walking = in;
    if (nftw(path, take_found, 16, FTW_PHYS) < 0 && in->status == STATUS_OK)
        in->status = fail(in->failure, failure_status_of(errno, STATUS_USAGE),
                          "%s: cannot be read: %s", path, strerror(errno));
}

static void take_tar(struct import *in, const char *path)
{
    struct results_path folder;
    in->status = unpack_tar(in->results, path, &folder, in->failure);
    if (in->status != STATUS_OK)
        return;
    in->above = strlen(folder.text) + 1;
    take_folder(in, folder.text);
    in->above = 0;
    unpack_remove(folder.text);
}

static bool is_tar(const char *path)
{
    static const char *const ends[] = {".tar",     ".tar.gz", ".tgz",
                                       ".tar.bz2", ".tar.xz", ".tar.zst"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (ends_in(path, ends[i]))
            return true;
    return false;
}

static void take_path(struct import *in, const char *path)
{
    struct stat about;
    if (stat(path, &about) != 0)
        in->status = fail(in->failure, failure_status_of(errno, STATUS_USAGE),
                          "%s: cannot be read: %s", path, strerror(errno));
    else if (S_ISDIR(about.st_mode))
        take_folder(in, path);
    else if (is_tar(path) && S_ISREG(about.st_mode))
        take_tar(in, path);
    else
        take_file(in, path); /* it refuses files that are not regular */
}

static void open_files(struct import *in)
{
    in->status = sample_store_open(&in->store, in->results, in->failure);
    if (in->status == STATUS_OK)
        in->status = journal_open(&in->journal, in->results, in->failure);
}

static void close_files(struct import *in)
{
    const enum status samples = sample_store_close(&in->store, in->failure),
                      journal = table_writer_close(in->journal, in->failure);
    if (in->status == STATUS_OK)
        in->status = samples != STATUS_OK ? samples : journal;
    tdestroy(in->known, free);
    tdestroy(in->shown, free);
    tdestroy(in->journalled, free);
    tdestroy(in->origins, free);
}

static void take_all(struct import *in, char **paths, int count)
{
    note_folder(in);
    for (int pass = 0; pass < 2 && in->status == STATUS_OK; pass++) {
        in->writing = pass == 1;
        if (in->writing)
            open_files(in);
        for (int i = 0; i < count && in->status == STATUS_OK; i++)
            take_path(in, paths[i]);
    }
    close_files(in);
}

enum status import_files(const char *results, const char *experiment, char **paths, int count,
                         struct import_counts *counts, struct failure *f)
{
    struct results_lock lock;
    *counts = (struct import_counts){0};
    if (experiment && !results_name_is_safe(experiment))
        return fail(f, STATUS_USAGE, "'%s' cannot be the name of an experiment", experiment);
    process_catch_stop_signals(); /* so that no unpacked files remain */
    enum status status = results_make(results, f);
    if (status == STATUS_OK)
        status = results_lock(results, "study import", &lock, f);
    if (status != STATUS_OK)
        return status;
    unpack_remove_stale(results);
    struct import *in = calloc(1, sizeof *in);
    if (in) {
        in->results = results;
        in->experiment = experiment;
        in->counts = counts;
        in->failure = f;
        take_all(in, paths, count);
        status = in->status;
    } else {
        status = fail(f, STATUS_RESOURCE, "not enough memory to import");
    }
    free(in);
    results_unlock(&lock);
    return status;
}
