#include "cuda/nvml.h"

#include "harness/base/clock.h"
#include "harness/base/text/screen.h"
#include "harness/base/text/word_list.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The part of the library's interface that is used here. Source: NVML API Reference Guide. Names
 * and meanings are the same since the releases that served Kepler, except that "throttle" reasons
 * were renamed to "event" reasons; the old name is deprecated. */
typedef struct nvmlDevice *nvml_device;
enum { NVML_SUCCESS = 0, NVML_CLOCK_SM = 1, NVML_UNSIGNED_INT = 1, NVML_POWER_INSTANT = 186 };

/* nvmlFieldValue_t: a requested field and its value. Source: the same guide, "Field Value Queries",
 * and nvml.h of CUDA 12 and 13. */
struct nvml_field {
    unsigned field, scope; /* scope 0: the GPU */
    long long timestamp, latency;
    int type, status;
    union {
        double real;
        unsigned number;
        unsigned long long large;
    } value;
};

/* nvmlProcessInfo_t since CUDA 11: a process with a context on the device. */
struct nvml_process {
    unsigned process;
    unsigned long long used_bytes;
    unsigned gpu_instance, compute_instance;
};

struct nvml {
    void *library;
    double reading_s;
    nvml_device device;
    int (*shutdown)(void);
    int (*clock)(nvml_device device, int type, unsigned *mhz);
    int (*reasons)(nvml_device device, unsigned long long *reasons);
    int (*power)(nvml_device device, unsigned *milliwatts); /* NULL: the library has none */
    int (*fields)(nvml_device device, int count, struct nvml_field *fields); /* likewise */
    int (*processes)(nvml_device device, unsigned *count, struct nvml_process *processes);
};

/* Bits of the throttle reasons, section "Clocks event reasons". "Idle" and clocks that the user set
 * are left out: they do not throttle. */
static const struct {
    unsigned long long bit;
    const char *word;
} reason_words[] = {
    {0x4, "power_cap"},         {0x8, "hardware_slowdown"}, {0x10, "sync_boost"},
    {0x20, "software_thermal"}, {0x40, "hardware_thermal"}, {0x80, "power_brake"},
};

/* Looks up a function of the library. Copies its address, because ISO C has no cast from an object
 * pointer to a function pointer. */
static int find(void *library, const char *name, void *function)
{
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

/* Initialises the library and finds the device; where it is not found, shuts the library down. */
static bool find_device(struct nvml *n, int (*init)(void),
                        int (*by_bus)(const char *bus, nvml_device *device), const char *bus)
{
    if (init() != NVML_SUCCESS)
        return false;
    if (by_bus(bus, &n->device) == NVML_SUCCESS)
        return true;
    n->shutdown();
    return false;
}

static bool start(struct nvml *n, const char *bus)
{
    (void)find(n->library, "nvmlDeviceGetPowerUsage", &n->power);
    (void)find(n->library, "nvmlDeviceGetFieldValues", &n->fields);
    if (!find(n->library, "nvmlDeviceGetComputeRunningProcesses_v3", &n->processes))
        (void)find(n->library, "nvmlDeviceGetComputeRunningProcesses_v2", &n->processes);
    int (*init)(void);
    int (*by_bus)(const char *bus, nvml_device *device);
    return find(n->library, "nvmlInit_v2", &init) &&
           find(n->library, "nvmlShutdown", &n->shutdown) &&
           find(n->library, "nvmlDeviceGetHandleByPciBusId_v2", &by_bus) &&
           find(n->library, "nvmlDeviceGetClockInfo", &n->clock) &&
           (find(n->library, "nvmlDeviceGetCurrentClocksEventReasons", &n->reasons) ||
            find(n->library, "nvmlDeviceGetCurrentClocksThrottleReasons", &n->reasons)) &&
           find_device(n, init, by_bus, bus);
}

/* The first reading may take longer than later ones, so it does not count. */
static void clock_readings(struct nvml *n)
{
    enum { READINGS = 4 };
    struct phases unused = phases_none();
    for (int i = 0; i < READINGS; i++) {
        const double start = clock_now();
        nvml_read(n, &unused);
        const double seconds = clock_now() - start;
        if (i > 0 && seconds > n->reading_s)
            n->reading_s = seconds;
    }
}

struct nvml *nvml_open(const char *bus)
{
    struct nvml *n = calloc(1, sizeof *n);
    if (!n)
        return NULL;
    n->library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (n->library && start(n, bus)) {
        clock_readings(n);
        return n;
    }
    if (n->library)
        dlclose(n->library);
    free(n);
    return NULL;
}

void nvml_close(struct nvml *n)
{
    if (!n)
        return;
    n->shutdown();
    dlclose(n->library);
    free(n);
}

static void name_reasons(unsigned long long reasons, char *text, size_t size)
{
    size_t used = 0;
    for (size_t i = 0; i < sizeof reason_words / sizeof reason_words[0]; i++)
        if (reasons & reason_words[i].bit) {
            const int n = snprintf(text + used, size - used, "%s%s", used > 0 ? "+" : "",
                                   reason_words[i].word);
            used = used + (size_t)n < size ? used + (size_t)n : size - 1;
        }
    if (used == 0)
        snprintf(text, size, "none");
}

/* The reasons that a text has. */
static unsigned long long reasons_in(const char *text)
{
    unsigned long long reasons = 0;
    for (size_t i = 0; i < sizeof reason_words / sizeof reason_words[0]; i++)
        if (word_list_has(text, "+", reason_words[i].word))
            reasons |= reason_words[i].bit;
    return reasons;
}

bool nvml_is_throttled(const char *throttle)
{
    return reasons_in(throttle) != 0;
}

void nvml_add_reasons(char *throttle, size_t size, const char *other)
{
    if (other[0])
        name_reasons(reasons_in(throttle) | reasons_in(other), throttle, size);
}

/* Reads the power at this moment if the driver reports it. Since Ampere the other function reports
 * the mean of the last second, during most of which no kernel ran. */
static int query_power(const struct nvml *n, unsigned *milliwatts)
{
    struct nvml_field now = {.field = NVML_POWER_INSTANT};
    if (n->fields && n->fields(n->device, 1, &now) == NVML_SUCCESS && now.status == NVML_SUCCESS &&
        now.type == NVML_UNSIGNED_INT) {
        *milliwatts = now.value.number;
        return 1;
    }
    return n->power && n->power(n->device, milliwatts) == NVML_SUCCESS;
}

void nvml_read(const struct nvml *n, struct phases *phases)
{
    unsigned mhz, milliwatts;
    unsigned long long reasons;
    if (n->clock(n->device, NVML_CLOCK_SM, &mhz) == NVML_SUCCESS)
        phases->clock_mhz = mhz;
    if (query_power(n, &milliwatts))
        phases->power_w = 1e-3 * milliwatts;
    if (n->reasons(n->device, &reasons) == NVML_SUCCESS)
        name_reasons(reasons, phases->throttle, sizeof phases->throttle);
}

double nvml_reading_s(const struct nvml *n)
{
    return n ? n->reading_s : 0.0;
}

bool nvml_fits(const struct nvml *n, double seconds)
{
    static const double least_s = 6e-3;
    return seconds >= least_s && seconds >= 2.0 * nvml_reading_s(n);
}

/* Returns how many other processes have a context on the device, without the one that
 * MAXPOOL_GPU_HOLDER names (scripts/gpu_check.sh); -1 if that is unknown.
 * Without this process in the list its numbers are those of another namespace (a container), and
 * nothing is known. */
static int nvml_others(const struct nvml *n)
{
    enum { MOST = 64 };
    struct nvml_process all[MOST];
    unsigned count = MOST;
    const char *holder = getenv("MAXPOOL_GPU_HOLDER");
    const unsigned own = (unsigned)getpid(),
                   held = holder ? (unsigned)strtoul(holder, NULL, 10) : 0;
    bool listed = false;
    int others = 0;
    if (!n || !n->processes || n->processes(n->device, &count, all) != NVML_SUCCESS)
        return -1;
    for (unsigned i = 0; i < count && i < MOST; i++) {
        listed = listed || all[i].process == own;
        others += all[i].process != own && (held == 0 || all[i].process != held);
    }
    return listed ? others : -1;
}

void nvml_describe(const struct nvml *n, char *text, size_t size)
{
    const int others = nvml_others(n);
    size_t used = strlen(text);
    if (n) {
        char number[24];
        snprintf(number, sizeof number, "%.1f", 1e3 * nvml_reading_s(n));
        message_format(text + used, size - used, screen_language(),
                       "\na reading of clock and power takes %{time} ms", WITH({"time", number}));
    }
    used = strlen(text);
    if (others > 0)
        message_fill(text + used, size - used,
                     message_plural(screen_language(),
                                    "\n%{n} other process uses this GPU: times may be disturbed",
                                    "\n%{n} other processes use this GPU: times may be disturbed",
                                    (unsigned long)others),
                     WITH({"n", integer_text(others).text}));
}
