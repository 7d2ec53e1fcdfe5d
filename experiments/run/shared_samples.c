#include "experiments/run/shared_samples.h"

#include "experiments/common/text/numbering.h"
#include "experiments/samples/journal.h"
#include "experiments/samples/point.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAME = POINT_KEY + 2 * RECORD_TEXT + 64 };

struct results_path sharing_under_way(const char *results)
{
    return results_file(results, "under_way.samples.csv");
}

/* ---- the files ------------------------------------------------------------------------------ */

enum status sample_writers_open(struct sample_writers *w, const struct plan *plan,
                                const char *results, struct failure *f)
{
    *w = (struct sample_writers){
        plan, results, calloc(plan->definition_count + 1, sizeof(struct record_writer *)), NULL};
    if (!w->writers)
        return fail(f, STATUS_RESOURCE, "not enough memory for the samples");
    enum status status = STATUS_OK;
    for (size_t i = 0; i < plan->definition_count && status == STATUS_OK; i++)
        status = record_writer_open(
            &w->writers[i], results_samples(results, plan->definitions[i].name).text, NULL, f);
    return status;
}

enum status sample_writers_close(struct sample_writers *w, struct failure *f)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; w->writers && i < w->plan->definition_count; i++) {
        enum status closed = record_writer_close(w->writers[i], f);
        status = status == STATUS_OK ? closed : status;
    }
    free(w->writers);
    w->writers = NULL;
    return status;
}

/* ---- copying launches ------------------------------------------------------------------------ */

/* A definition that receives the rows of a launch, and the point whose present set they then belong
 * to; SIZE_MAX: they keep the set that they name. */
struct receiver {
    size_t definition, point;
};

/* What to copy from one file: launches, and for each the definitions that receive its rows. */
struct copy_job {
    struct sample_writers *sample_writers;
    struct numbering launches; /* "RUN KEY" */
    struct span {
        size_t first, count; /* range in `receivers` */
    } * spans;               /* one per launch */
    struct receiver *receivers;
    size_t count;
    struct numbering known; /* samples that exist: "DEFINITION RUN KEY WARMUP SAMPLE" */
    size_t reading;         /* definition whose samples are being noted */
    enum status status;
    struct failure *failure;
};

static void launch_name(const char *run_id, const char *key, char name[NAME])
{
    snprintf(name, NAME, "%s %s", run_id, key);
}

static void out_of_memory(struct copy_job *job)
{
    job->status = fail(job->failure, STATUS_RESOURCE, "not enough memory to share samples");
}

/* Adds a launch that no definition receives yet. */
static void begin_launch(struct copy_job *job, const char *run_id, const char *key)
{
    char name[NAME];
    launch_name(run_id, key, name);
    struct span *grown = array_grow(job->spans, job->launches.count, sizeof *grown);
    job->spans = grown ? grown : job->spans;
    ptrdiff_t at = grown ? numbering_put(&job->launches, name) : NUMBERING_FULL;
    if (at < 0)
        out_of_memory(job);
    else
        job->spans[at] = (struct span){job->count, 0};
}

/* Adds a definition that receives the last launch, as one of the present set of `point`. */
static void add_receiver(struct copy_job *job, size_t definition, size_t point)
{
    struct receiver *grown = array_grow(job->receivers, job->count, sizeof *grown);
    if (!grown) {
        out_of_memory(job);
        return;
    }
    job->receivers = grown;
    job->receivers[job->count++] = (struct receiver){definition, point};
    job->spans[job->launches.count - 1].count++;
}

static ptrdiff_t find_launch(const struct copy_job *job, const struct record *row)
{
    char key[POINT_KEY], name[NAME];
    point_key(row, key);
    launch_name(row->run_id, key, name);
    return numbering_find(&job->launches, name);
}

static void sample_name(size_t definition, const char *launch, const struct record *row,
                        char name[NAME + 64])
{
    snprintf(name, NAME + 64, "%zu %s %" PRId64 " %" PRId64, definition, launch, row->warmup,
             row->sample);
}

/* A first set is not named, so that rows are as they always were. */
static void name_set(struct record *row, int64_t set, int64_t set_launches)
{
    if (set > 1) {
        row->set = set;
        row->set_launches = set_launches;
    }
}

static void name_present_set(struct record *row, const struct sample_writers *w, size_t point)
{
    const struct ledger_point *p = &w->ledger->points[point];
    name_set(row, p->set, p->set_launches);
}

static bool copy_row(const struct record *row, int64_t line, void *context)
{
    struct copy_job *job = context;
    ptrdiff_t at = find_launch(job, row);
    (void)line;
    if (at < 0)
        return true;
    for (size_t i = 0; i < job->spans[at].count && job->status == STATUS_OK; i++) {
        const struct receiver *to = &job->receivers[job->spans[at].first + i];
        size_t definition = to->definition;
        char name[NAME + 64];
        struct record copy = *row;
        sample_name(definition, job->launches.texts[at], row, name);
        if (numbering_find(&job->known, name) >= 0)
            continue;
        snprintf(copy.experiment, sizeof copy.experiment, "%s",
                 job->sample_writers->plan->definitions[definition].name);
        if (to->point != SIZE_MAX)
            name_present_set(&copy, job->sample_writers, to->point);
        job->status = record_append(job->sample_writers->writers[definition], &copy, job->failure);
    }
    return job->status == STATUS_OK;
}

static bool note_known(const struct record *row, int64_t line, void *context)
{
    struct copy_job *job = context;
    ptrdiff_t at = find_launch(job, row);
    (void)line;
    if (at < 0)
        return true;
    char name[NAME + 64];
    sample_name(job->reading, job->launches.texts[at], row, name);
    if (numbering_put(&job->known, name) < 0)
        out_of_memory(job);
    return job->status == STATUS_OK;
}

/* Notes the existing samples: a study that was killed while copying left some of them, which must
 * not be copied again. */
static void note_existing(struct copy_job *job)
{
    for (job->reading = 0; job->reading < job->sample_writers->plan->definition_count;
         job->reading++) {
        bool wanted = false;
        for (size_t i = 0; i < job->count && !wanted; i++)
            wanted = job->receivers[i].definition == job->reading;
        if (!wanted || job->status != STATUS_OK)
            continue;
        const char *name = job->sample_writers->plan->definitions[job->reading].name;
        enum status status = record_read(results_samples(job->sample_writers->results, name).text,
                                         note_known, job, NULL, job->failure);
        job->status = job->status == STATUS_OK ? status : job->status;
    }
}

/* Copies the gathered launches and releases the job. */
static enum status run_copy_job(struct copy_job *job, const char *from, bool may_exist)
{
    if (job->status == STATUS_OK && job->count > 0 && may_exist)
        note_existing(job);
    if (job->status == STATUS_OK && job->count > 0) {
        enum status status = record_read(from, copy_row, job, NULL, job->failure);
        job->status = job->status == STATUS_OK ? status : job->status;
    }
    numbering_release(&job->launches);
    numbering_release(&job->known);
    free(job->receivers);
    free(job->spans);
    return job->status;
}

/* ---- rows of a process ----------------------------------------------------------------------- */

enum status sharing_copy_samples(struct sample_writers *w, const struct samples *fresh,
                                 const size_t *points, size_t count, struct failure *f)
{
    struct copy_job job = {.sample_writers = w, .failure = f};
    for (size_t i = 0; i < fresh->launch_count && job.status == STATUS_OK; i++) {
        const struct point_samples *p = &fresh->points[fresh->launches[i].point];
        begin_launch(&job, fresh->launches[i].run_id, p->key);
        for (size_t j = 0; j < count && job.status == STATUS_OK; j++) {
            const struct planned *asked = &w->plan->points[points[j]];
            if (point_matches(&asked->point, &p->identity))
                add_receiver(&job, asked->definition, points[j]);
        }
    }
    return run_copy_job(&job, sharing_under_way(w->results).text, false);
}

/* ---- earlier launches ------------------------------------------------------------------------ */

static bool note_adoption(struct adoptions *adopted, size_t point, int64_t round)
{
    struct adoption *grown = array_grow(adopted->items, adopted->count, sizeof *grown);
    if (!grown)
        return false;
    adopted->items = grown;
    adopted->items[adopted->count++] = (struct adoption){point, round};
    return true;
}

/* A program of another belongs to its experiment: of two with one title nobody knows whether they
 * are the same. */
static bool may_share(const struct planned *asked, const struct record *theirs)
{
    return !point_is_own_program(&asked->point) ||
           strcmp(asked->point.experiment, theirs->experiment) == 0;
}

/* Copies a launch of another experiment to every point that lacks its round; `fresh`: it was left
 * by a study that was killed, and belongs to the present set. */
static void adopt_launch(struct copy_job *job, struct ledger *ledger, const struct samples *from,
                         const struct launch *launch, bool fresh, struct adoptions *adopted)
{
    const struct point_samples *p = &from->points[launch->point];
    begin_launch(job, launch->run_id, p->key);
    for (size_t i = 0; i < ledger->plan->count && job->status == STATUS_OK; i++) {
        const struct planned *asked = &ledger->plan->points[i];
        if (asked->skip || ledger_state(ledger, i, launch->round) == LAUNCH_DONE ||
            launch->round >= plan_launches(ledger->plan, asked) ||
            (!fresh && launch->set != ledger->points[i].set) || !may_share(asked, &p->identity) ||
            !point_matches(&asked->point, &p->identity))
            continue;
        add_receiver(job, asked->definition, fresh ? i : SIZE_MAX);
        ledger_take(ledger, i, from, launch);
        if (!note_adoption(adopted, i, launch->round))
            out_of_memory(job);
    }
}

/* Another experiment may have begun a newer set of a point of this plan. */
static void learn_sets(struct ledger *ledger, const struct samples *from)
{
    for (size_t i = 0; i < from->launch_count; i++) {
        const struct launch *l = &from->launches[i];
        for (size_t j = 0; l->set > 1 && j < ledger->plan->count; j++)
            if (l->set > ledger->points[j].set &&
                may_share(&ledger->plan->points[j], &from->points[l->point].identity) &&
                point_matches(&ledger->plan->points[j].point, &from->points[l->point].identity))
                ledger_begin_set(ledger, j, l->set, l->set_launches);
    }
}

static enum status adopt_file(struct sample_writers *w, struct ledger *ledger, const char *path,
                              bool fresh, struct adoptions *adopted, struct failure *f)
{
    struct samples from;
    struct copy_job job = {.sample_writers = w, .failure = f};
    struct failure unreadable = {0};
    if (!table_is_begun(path) || samples_read(&from, path, &unreadable) != STATUS_OK)
        return STATUS_OK; /* its owner reports it */
    learn_sets(ledger, &from);
    for (size_t i = 0; i < from.launch_count && job.status == STATUS_OK; i++)
        if (ledger_counts(&from.launches[i]))
            adopt_launch(&job, ledger, &from, &from.launches[i], fresh, adopted);
    enum status status = run_copy_job(&job, path, true);
    samples_release(&from);
    return status;
}

/* Returns the point of the plan that a row belongs to, in the experiment that it names; SIZE_MAX:
 * none. */
static size_t own_point(const struct plan *plan, const struct record *row)
{
    for (size_t i = 0; i < plan->count; i++)
        if (strcmp(plan->points[i].point.experiment, row->experiment) == 0 &&
            point_matches(&plan->points[i].point, row))
            return i;
    return SIZE_MAX;
}

/* Copies rows of launches that did not finish, too, to the experiment that they name. */
static enum status copy_rest(struct sample_writers *w, struct failure *f)
{
    struct results_path path = sharing_under_way(w->results);
    struct copy_job job = {.sample_writers = w, .failure = f};
    struct samples rest;
    if (!table_is_begun(path.text) || samples_read(&rest, path.text, NULL) != STATUS_OK)
        return STATUS_OK;
    for (size_t i = 0; i < rest.launch_count && job.status == STATUS_OK; i++) {
        const struct point_samples *p = &rest.points[rest.launches[i].point];
        const size_t point = own_point(w->plan, &p->identity);
        if (point == SIZE_MAX)
            continue;
        begin_launch(&job, rest.launches[i].run_id, p->key);
        if (job.status == STATUS_OK)
            add_receiver(&job, w->plan->points[point].definition, point);
    }
    enum status status = run_copy_job(&job, path.text, true);
    samples_release(&rest);
    return status;
}

/* State of copying rows of an experiment that the plan does not have. */
struct rescue {
    const char *experiment;
    struct numbering known; /* "RUN KEY WARMUP SAMPLE" of the rows in its file */
    struct record_writer *writer;
    const char *journal;
    struct record last; /* a copied row of the launch, with its set */
    enum status status;
    struct failure *failure;
};

/* Takes from the journal of its experiment the newest set of a row's point. */
static bool take_set(const struct journal_row *row, void *context)
{
    struct record *r = context;
    if (strcmp(row->status, "again") == 0 && point_matches(&row->point, r) &&
        record_set(&row->point) > record_set(r))
        name_set(r, row->point.set, row->point.set_launches);
    return true;
}

/* Names the set of a row that a study left when it was killed. */
static void find_set(struct rescue *r, struct record *row)
{
    if (strcmp(r->last.run_id, row->run_id) == 0 && record_same(&r->last, row, COLUMN_POINT)) {
        row->set = r->last.set;
        row->set_launches = r->last.set_launches;
        return;
    }
    const enum status status = journal_read(r->journal, take_set, row, NULL, r->failure);
    r->status = r->status == STATUS_OK ? status : r->status;
    r->last = *row;
}

/* Notes a row; false if it was known, or if memory is lacking. */
static bool note_row(struct rescue *r, const struct record *row)
{
    char key[POINT_KEY], launch[NAME], name[NAME + 64];
    size_t before = r->known.count;
    point_key(row, key);
    launch_name(row->run_id, key, launch);
    sample_name(0, launch, row, name);
    if (numbering_put(&r->known, name) < 0)
        r->status = fail(r->failure, STATUS_RESOURCE, "not enough memory to rescue samples");
    return r->status == STATUS_OK && r->known.count > before;
}

static bool note_theirs(const struct record *row, int64_t line, void *context)
{
    struct rescue *r = context;
    (void)line;
    note_row(r, row);
    return r->status == STATUS_OK;
}

static bool rescue_row(const struct record *row, int64_t line, void *context)
{
    struct rescue *r = context;
    (void)line;
    if (strcmp(row->experiment, r->experiment) == 0 && note_row(r, row)) {
        struct record copy = *row;
        find_set(r, &copy);
        if (r->status == STATUS_OK)
            r->status = record_append(r->writer, &copy, r->failure);
    }
    return r->status == STATUS_OK;
}

static enum status rescue(const struct sample_writers *w, const char *experiment, struct failure *f)
{
    struct results_path from = sharing_under_way(w->results);
    struct results_path to = results_samples(w->results, experiment);
    const struct results_path journal = results_journal(w->results, experiment);
    struct rescue r = {
        .experiment = experiment, .journal = journal.text, .last = record_empty(), .failure = f};
    enum status status = record_writer_open(&r.writer, to.text, NULL, f);
    if (status != STATUS_OK)
        return status;
    status = record_read(to.text, note_theirs, &r, NULL, f);
    if (status == STATUS_OK && r.status == STATUS_OK)
        status = record_read(from.text, rescue_row, &r, NULL, f);
    enum status closed = record_writer_close(r.writer, f);
    numbering_release(&r.known);
    status = status == STATUS_OK ? r.status : status;
    return status == STATUS_OK ? closed : status;
}

static bool gather_experiment(const struct record *row, int64_t line, void *context)
{
    (void)line;
    return !results_name_is_safe(row->experiment) || numbering_put(context, row->experiment) >= 0;
}

static bool is_of_plan(const struct plan *plan, const char *experiment)
{
    for (size_t i = 0; i < plan->definition_count; i++)
        if (strcmp(plan->definitions[i].name, experiment) == 0)
            return true;
    return false;
}

/* Copies the rows that another study left to their experiments, before the common file is used
 * again. */
static enum status rescue_others(const struct sample_writers *w, struct failure *f)
{
    struct numbering experiments = {0};
    struct results_path path = sharing_under_way(w->results);
    enum status status = STATUS_OK;
    if (!table_is_begun(path.text) ||
        record_read(path.text, gather_experiment, &experiments, NULL, NULL) != STATUS_OK)
        return STATUS_OK;
    for (size_t i = 0; i < experiments.count && status == STATUS_OK; i++)
        if (!is_of_plan(w->plan, experiments.texts[i]))
            status = rescue(w, experiments.texts[i], f);
    numbering_release(&experiments);
    return status;
}

/* Whether a file holds samples: NAME.csv, without another dot. */
static int is_samples(const struct dirent *item)
{
    const char *dot = strchr(item->d_name, '.');
    return dot && dot != item->d_name && strcmp(dot, ".csv") == 0 &&
           strcmp(item->d_name, "ceilings.csv") != 0;
}

enum status sharing_recover(struct sample_writers *w, struct ledger *ledger,
                            struct adoptions *adopted, struct failure *f)
{
    struct results_path under_way = sharing_under_way(w->results);
    enum status status = adopt_file(w, ledger, under_way.text, true, adopted, f);
    if (status == STATUS_OK)
        status = copy_rest(w, f);
    return status == STATUS_OK ? rescue_others(w, f) : status;
}

enum status sharing_adopt(struct sample_writers *w, struct ledger *ledger,
                          struct adoptions *adopted, struct failure *f)
{
    struct dirent **items = NULL;
    int count = scandir(w->results, &items, is_samples, alphasort);
    enum status status = STATUS_OK;
    for (int i = 0; i < count; i++) {
        if (status == STATUS_OK)
            status = adopt_file(w, ledger, results_file(w->results, items[i]->d_name).text, false,
                                adopted, f);
        free(items[i]);
    }
    free(items);
    if (status == STATUS_OK && ledger->out_of_memory)
        status = fail(f, STATUS_RESOURCE, "not enough memory for the ledger");
    return status;
}
