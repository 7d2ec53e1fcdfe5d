/* A management library with known answers: 1234 MHz while the shim has work and 300 MHz while it
 * has none; 512.5 W at the moment and 345.6 W in the mean of the last second, of which
 * FAKE_NVML_MEAN=1 knows the second alone; throttled by heat. With OLD_NAMES one from before the
 * reasons were renamed: throttled by power and heat, and silent about its power. */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

int nvmlInit_v2(void);
int nvmlShutdown(void);
int nvmlDeviceGetHandleByPciBusId_v2(const char *bus, void **device);
int nvmlDeviceGetClockInfo(void *device, int type, unsigned *mhz);
int nvmlDeviceGetCurrentClocksEventReasons(void *device, unsigned long long *reasons);
int nvmlDeviceGetCurrentClocksThrottleReasons(void *device, unsigned long long *reasons);

static char the_device;

/* The programs on the shim export shim_busy; of others nothing is known. */
static bool device_works(void)
{
    bool (*busy)(void);
    void *symbol = dlsym(RTLD_DEFAULT, "shim_busy");
    memcpy(&busy, &symbol, sizeof busy);
    return !symbol || busy();
}

int nvmlInit_v2(void)
{
    return 0;
}

int nvmlShutdown(void)
{
    return 0;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char *bus, void **device)
{
    *device = &the_device;
    return bus[0] ? 0 : 2;
}

int nvmlDeviceGetClockInfo(void *device, int type, unsigned *mhz)
{
    *mhz = device_works() ? 1234 : 300;
    return device == &the_device && type == 1 ? 0 : 2;
}

#ifdef OLD_NAMES
int nvmlDeviceGetCurrentClocksThrottleReasons(void *device, unsigned long long *reasons)
{
    *reasons = 0x1 | 0x4 | 0x20; /* idle too, which holds nothing back */
    return device == &the_device ? 0 : 2;
}
#else
/* As nvml.h has it. */
struct field_value {
    unsigned field_id, scope_id;
    long long timestamp, latency;
    int type, status;
    union {
        double real;
        unsigned number;
    } value;
};

int nvmlDeviceGetPowerUsage(void *device, unsigned *milliwatts);
int nvmlDeviceGetFieldValues(void *device, int count, struct field_value *values);

/* 186 is the power of the moment, 185 its mean. */
int nvmlDeviceGetFieldValues(void *device, int count, struct field_value *values)
{
    for (int i = 0; i < count; i++) {
        const bool instant = values[i].field_id == 186 && values[i].scope_id == 0;
        values[i].status = instant && !getenv("FAKE_NVML_MEAN") ? 0 : 3; /* not supported */
        values[i].type = 1;                                              /* unsigned int */
        values[i].value.number = values[i].status == 0 ? 512500 : 0;
    }
    return device == &the_device ? 0 : 2;
}

int nvmlDeviceGetPowerUsage(void *device, unsigned *milliwatts)
{
    *milliwatts = 345600;
    return device == &the_device ? 0 : 2;
}

int nvmlDeviceGetCurrentClocksEventReasons(void *device, unsigned long long *reasons)
{
    *reasons = 0x40;
    return device == &the_device ? 0 : 2;
}

/* Deprecated: not to be asked where the other is there. */
int nvmlDeviceGetCurrentClocksThrottleReasons(void *device, unsigned long long *reasons)
{
    *reasons = 0x80;
    return device == &the_device ? 0 : 2;
}
#endif
