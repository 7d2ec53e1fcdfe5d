/* A fake management library with known answers: 1234 MHz while the emulation has work and 300 MHz
 * otherwise; a power of 512.5 W at the moment, and 345.6 W as the mean of the last second;
 * throttled by heat. With FAKE_NVML_MEAN=1 it knows only the mean; FAKE_NVML_MS are the
 * milliseconds that it takes to tell the clock; FAKE_NVML_OTHERS=n are processes 1 to n beside the
 * caller on the device. With FAKE_NVML_APART=1 each GPU has its own: GPU n a clock that is 100 n
 * MHz lower, and 100 n W more; GPU 0 is not throttled, 1 by heat, and others by power and heat.
 * With OLD_NAMES it is one from before the reasons were renamed: throttled by power and heat,
 * without any power, and without processes. fake_nvml_users counts those that have initialised it
 * and not yet shut it down. */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int nvmlInit_v2(void);
int nvmlShutdown(void);
int nvmlDeviceGetHandleByPciBusId_v2(const char *bus, void **device);
int nvmlDeviceGetClockInfo(void *device, int type, unsigned *mhz);
int nvmlDeviceGetCurrentClocksEventReasons(void *device, unsigned long long *reasons);
int nvmlDeviceGetCurrentClocksThrottleReasons(void *device, unsigned long long *reasons);

extern int fake_nvml_users;
int fake_nvml_users;

enum { DEVICES = 16 };
static char the_devices[DEVICES];

static bool is_device(const void *device)
{
    const char *d = device;
    return d >= the_devices && d < the_devices + DEVICES;
}

/* The number of a GPU with FAKE_NVML_APART, otherwise 0. */
static unsigned number_of(const void *device)
{
    return is_device(device) && getenv("FAKE_NVML_APART")
               ? (unsigned)((const char *)device - the_devices)
               : 0;
}

/* The programs on the emulation export emulation_busy. For other programs the device counts as
 * busy. */
static bool device_works(void)
{
    bool (*busy)(void);
    void *symbol = dlsym(RTLD_DEFAULT, "emulation_busy");
    memcpy(&busy, &symbol, sizeof busy);
    return !symbol || busy();
}

int nvmlInit_v2(void)
{
    fake_nvml_users++;
    return 0;
}

int nvmlShutdown(void)
{
    fake_nvml_users--;
    return 0;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char *bus, void **device)
{
    const char *colon = strchr(bus, ':'); /* "0000:01:00.0": an emulated GPU 1 */
    const unsigned long number = colon ? strtoul(colon + 1, NULL, 16) : 0;
    *device = &the_devices[number % DEVICES];
    return bus[0] ? 0 : 2;
}

int nvmlDeviceGetClockInfo(void *device, int type, unsigned *mhz)
{
    const char *ms = getenv("FAKE_NVML_MS");
    if (ms)
        nanosleep(&(struct timespec){.tv_nsec = 1000000 * strtol(ms, NULL, 10)}, NULL);
    *mhz = device_works() ? 1234 - 100 * number_of(device) : 300;
    return is_device(device) && type == 1 ? 0 : 2;
}

#ifdef OLD_NAMES
int nvmlDeviceGetCurrentClocksThrottleReasons(void *device, unsigned long long *reasons)
{
    *reasons = 0x1 | 0x4 | 0x20; /* idle too, which does not throttle */
    return is_device(device) ? 0 : 2;
}
#else
/* As in nvml.h. */
struct field_value {
    unsigned field_id, scope_id;
    long long timestamp, latency;
    int type, status;
    union {
        double real;
        unsigned number;
    } value;
};

struct process {
    unsigned number;
    unsigned long long used_bytes;
    unsigned gpu_instance, compute_instance;
};

int nvmlDeviceGetComputeRunningProcesses_v3(void *device, unsigned *count, struct process *all);

int nvmlDeviceGetComputeRunningProcesses_v3(void *device, unsigned *count, struct process *all)
{
    const char *text = getenv("FAKE_NVML_OTHERS");
    const unsigned others = text ? (unsigned)strtoul(text, NULL, 10) : 0;
    if (*count < others + 1)
        return 7; /* insufficient size */
    for (unsigned i = 0; i <= others; i++)
        all[i] = (struct process){.number = i < others ? i + 1 : (unsigned)getpid()};
    *count = others + 1;
    return is_device(device) ? 0 : 2;
}

int nvmlDeviceGetPowerUsage(void *device, unsigned *milliwatts);
int nvmlDeviceGetFieldValues(void *device, int count, struct field_value *values);

/* Field 186 is the power at the moment, 185 its mean. */
int nvmlDeviceGetFieldValues(void *device, int count, struct field_value *values)
{
    for (int i = 0; i < count; i++) {
        const bool instant = values[i].field_id == 186 && values[i].scope_id == 0;
        values[i].status = instant && !getenv("FAKE_NVML_MEAN") ? 0 : 3; /* not supported */
        values[i].type = 1;                                              /* unsigned int */
        values[i].value.number = values[i].status == 0 ? 512500 + 100000 * number_of(device) : 0;
    }
    return is_device(device) ? 0 : 2;
}

int nvmlDeviceGetPowerUsage(void *device, unsigned *milliwatts)
{
    *milliwatts = 345600;
    return is_device(device) ? 0 : 2;
}

int nvmlDeviceGetCurrentClocksEventReasons(void *device, unsigned long long *reasons)
{
    static const unsigned long long apart[] = {0x1, 0x40, 0x4 | 0x20};
    const unsigned number = number_of(device);
    *reasons = getenv("FAKE_NVML_APART") ? apart[number < 2 ? number : 2] : 0x40;
    return is_device(device) ? 0 : 2;
}

/* Deprecated: must not be called if the other function exists. */
int nvmlDeviceGetCurrentClocksThrottleReasons(void *device, unsigned long long *reasons)
{
    *reasons = 0x80;
    return is_device(device) ? 0 : 2;
}
#endif
