#include "cuda/ranks/place.h"

#include "cuda/device.h"
#include "cuda/nvml.h"
#include "cuda/ranks/local_rank.h"
#include "harness/base/text/screen.h"
#include "mpi/group.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SUMMARY_BYTES = 4096, MOST_SHOWN = 16 };

/* Where a rank computes. */
struct place {
    char host[64], bus[32];
    int64_t device;
};

/* This process's part. */
static struct {
    struct place place;
    size_t share_bytes;   /* of the device's memory, among the ranks that have the same device */
    const char *found_by; /* how the GPU was found: an option, a variable, or MPI itself */
    char summary[SUMMARY_BYTES];
} mine;

/* ---- the device of a rank ---------------------------------------------------------------------
 */

/* True if no two ranks of this computer have the same number. Collective over them. */
static bool numbers_differ(int64_t number, int64_t *all)
{
    const struct rank_group *g = group();
    bool differ = true;
    MPI_Allgather(&number, 1, MPI_INT64_T, all, 1, MPI_INT64_T, g->node);
    for (int a = 0; a < g->node_ranks; a++)
        for (int b = 0; b < a; b++)
            differ = differ && all[a] != all[b];
    return differ;
}

/* Returns the local rank: that of the launcher if each rank of the computer has its own, otherwise
 * MPI's. */
static enum status settle_number(int64_t *number, struct failure *f)
{
    const struct rank_group *g = group();
    const struct local_rank found = local_rank_find(getenv);
    int64_t *all = malloc((size_t)g->node_ranks * sizeof *all);
    enum status status = all ? STATUS_OK : fail(f, STATUS_RESOURCE, "no memory for local ranks");
    status = mpi_processes.common_status(status, f);
    const bool usable = status == STATUS_OK && numbers_differ(found.number, all) && found.variable;
    *number = usable ? found.number : g->node_rank;
    mine.found_by = usable ? found.variable : "MPI";
    free(all);
    return status;
}

/* Returns the number of ranks of this computer that have this rank's device. Collective. */
static int64_t count_sharing(struct place *all)
{
    const struct rank_group *g = group();
    const int bytes = (int)sizeof mine.place;
    int64_t sharing = 0;
    MPI_Allgather(&mine.place, bytes, MPI_BYTE, all, bytes, MPI_BYTE, g->node);
    for (int r = 0; r < g->node_ranks; r++)
        sharing += strcmp(all[r].bus, mine.place.bus) == 0;
    return sharing > 0 ? sharing : 1; /* itself at least */
}

/* Divides the device's free memory among its ranks. All of them have a context by now, and none has
 * allocated anything before the last of them knows its share. */
static enum status find_share(struct failure *f)
{
    size_t available = 0;
    struct place *all = calloc((size_t)group()->node_ranks, sizeof *all);
    enum status status = all ? STATUS_OK : fail(f, STATUS_RESOURCE, "no memory for local ranks");
    status = mpi_processes.common_status(status, f);
    if (status == STATUS_OK) {
        const int64_t sharing = count_sharing(all);
        status = device_available(&available, f);
        mine.share_bytes = available / (size_t)sharing;
        status = mpi_processes.common_status(status, f);
    }
    free(all);
    return status;
}

enum status place_take(const struct job *job, struct failure *f)
{
    int64_t number = 0, devices = 0;
    struct device device;
    enum status status = settle_number(&number, f);
    if (status == STATUS_OK)
        status = device_count(&devices, f);
    if (status == STATUS_OK) {
        mine.place.device = local_rank_device(job->device.device, number, devices);
        status = device_take(&device, mine.place.device, f);
    }
    status = mpi_processes.common_status(status, f);
    if (status != STATUS_OK)
        return status;
    if (job->device.device >= 0)
        mine.found_by = "--device";
    gethostname(mine.place.host, sizeof mine.place.host - 1);
    memcpy(mine.place.bus, device.bus, sizeof mine.place.bus);
    return find_share(f);
}

int64_t place_device(void)
{
    return mine.place.device;
}

size_t place_share_bytes(void)
{
    return mine.share_bytes;
}

static bool same_device(const struct place *a, const struct place *b)
{
    return strcmp(a->host, b->host) == 0 && strcmp(a->bus, b->bus) == 0;
}

/* ---- readings ---------------------------------------------------------------------------------
 */

/* What a rank read of its GPU. */
struct reading {
    struct place place;
    struct phases seen;
};

static bool has_read(const struct reading *r)
{
    return r->seen.clock_mhz != RECORD_NO_INT || r->seen.throttle[0];
}

/* True if no rank before this one read the same GPU. */
static bool is_first_reading(const struct reading *all, int rank)
{
    for (int r = 0; r < rank; r++)
        if (has_read(&all[r]) && same_device(&all[r].place, &all[rank].place))
            return false;
    return has_read(&all[rank]);
}

/* Adds the reading of a rank to those of the ranks before it. */
static void add_reading(const struct reading *all, int rank, struct phases *phases)
{
    const struct phases *seen = &all[rank].seen;
    if (seen->clock_mhz != RECORD_NO_INT &&
        (phases->clock_mhz == RECORD_NO_INT || seen->clock_mhz < phases->clock_mhz))
        phases->clock_mhz = seen->clock_mhz;
    if (is_first_reading(all, rank))
        phases->power_w += seen->power_w; /* unknown (NaN) if one is */
    nvml_add_reasons(phases->throttle, sizeof phases->throttle, seen->throttle);
    if (phases->throttle_rank == RECORD_NO_INT && nvml_is_throttled(seen->throttle))
        phases->throttle_rank = rank;
}

static void forget_reading(struct phases *phases)
{
    const struct phases none = phases_none();
    phases->clock_mhz = none.clock_mhz;
    phases->power_w = none.power_w;
    phases->throttle[0] = '\0';
    phases->throttle_rank = none.throttle_rank;
}

void place_merge_readings(struct phases *phases)
{
    const struct rank_group *g = group();
    const struct reading own = {mine.place, *phases};
    const int bytes = (int)sizeof own;
    struct reading *all = calloc((size_t)g->ranks, sizeof *all);
    struct failure ignored = {0};
    bool any = false;
    const enum status status = all ? STATUS_OK : fail(&ignored, STATUS_RESOURCE, "no memory");
    forget_reading(phases);
    if (mpi_processes.common_status(status, &ignored) == STATUS_OK) {
        MPI_Allgather(&own, bytes, MPI_BYTE, all, bytes, MPI_BYTE, g->all);
        for (int r = 0; r < g->ranks; r++)
            any = any || has_read(&all[r]);
        phases->power_w = any ? 0.0 : phases->power_w;
        for (int r = 0; r < g->ranks; r++)
            add_reading(all, r, phases);
    }
    free(all);
}

/* ---- description ------------------------------------------------------------------------------
 */

static int64_t count_devices(const struct place *all, int ranks)
{
    int64_t devices = 0;
    for (int a = 0; a < ranks; a++) {
        bool seen = false;
        for (int b = 0; b < a; b++)
            seen = seen || same_device(&all[a], &all[b]);
        devices += !seen;
    }
    return devices;
}

/* Adds a line to the summary. */
static void add_line(const char *form, const struct argument *values)
{
    const size_t used = strlen(mine.summary);
    if (used + 2 >= sizeof mine.summary)
        return;
    mine.summary[used] = '\n';
    mine.summary[used + 1] = 0;
    message_format(mine.summary + used + 1, sizeof mine.summary - used - 1, screen_language(), form,
                   values);
}

static void add_ranks(const struct place *all, int ranks)
{
    for (int r = 0; r < ranks && r < MOST_SHOWN; r++)
        add_line(N_("rank %{rank}: GPU %{device} of %{host} (%{bus})"),
                 WITH({"rank", integer_text(r).text}, {"device", integer_text(all[r].device).text},
                      {"host", all[r].host}, {"bus", all[r].bus}));
    if (ranks > MOST_SHOWN)
        add_line(N_("ranks that are not shown: %{n}"),
                 WITH({"n", integer_text(ranks - MOST_SHOWN).text}));
    add_line(N_("the GPU of each rank by %{variable}"), WITH({"variable", mine.found_by}));
}

static void add_sharing(int64_t ranks, int64_t devices)
{
    if (devices < ranks)
        add_line(
            N_("%{ranks} ranks share GPUs, %{devices} in all: more ranks than GPUs give no "
               "speedup"),
            WITH({"ranks", integer_text(ranks).text}, {"devices", integer_text(devices).text}));
}

void place_describe(struct resources *resources)
{
    const struct rank_group *g = group();
    struct place *all = calloc((size_t)g->ranks, sizeof *all);
    struct failure ignored = {0};
    const enum status status = all ? STATUS_OK : fail(&ignored, STATUS_RESOURCE, "no memory");
    if (mpi_processes.common_status(status, &ignored) == STATUS_OK) {
        mpi_processes.gather(&mine.place, sizeof mine.place, all);
        if (g->rank == GROUP_ROOT) {
            snprintf(mine.summary, sizeof mine.summary, "%s", resources->device_summary);
            add_ranks(all, g->ranks);
            add_sharing(g->ranks, count_devices(all, g->ranks));
            resources->device_summary = mine.summary;
        }
    }
    free(all);
}
