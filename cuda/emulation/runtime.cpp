#include "cuda/emulation/emulation.h"

#include "cuda/emulation/fibers.h"
#include "cuda/emulation/graphs.h"
#include "cuda/emulation/lines.h"
#include "cuda/emulation/watch.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <iterator>
#include <map>
#include <sanitizer/asan_interface.h>
#include <set>
#include <vector>

typedef std::function<cudaError_t()> Operation;

struct CUstream_st {
    std::deque<Operation> queue;
    int number;    /* 0: the default stream */
    bool blocking; /* it waits for the default stream, and the default stream for it */
};

struct CUevent_st {
    int pending;
    int64_t records; /* ordered so far; `pending` of them are not reached yet */
    bool recorded;
    double when_s;
    Done done; /* what it stands for, since it was last recorded */
    cudaStream_t stream;
};

const struct emulation_machine emulation_sound_machine = {13000, 1, size_t(256) << 20, 65535,
                                                          65535};

namespace
{

enum { RUNTIME_VERSION = 13000, GUARD_BYTE = 0xff, MOST_GUARD = 1 << 16 };

struct State {
    emulation_machine machine = emulation_sound_machine;
    Random random{0};
    int device = 0; /* that cudaSetDevice selected */
    int64_t calls = 0, fail_at = 0, waits = 0;
    cudaError_t fail_with = cudaSuccess;
    cudaError_t last = cudaSuccess;   /* of a launch */
    cudaError_t sticky = cudaSuccess; /* since a kernel went wrong */
    std::string fault;
    bool faults_are_printed = true;
    bool clock_made_up = false, submitted = false;
    double kernel_s = 0.0, submit_s = 0.0, gap_s = 0.0, clock_s = 0.0;
    bool of_graph = false; /* the running operation */
    bool journal_kept = false;
    std::string journal;
    std::map<char *, size_t> arrays, pinned, symbols; /* size by address */
    std::set<cudaStream_t> streams;
    std::set<cudaEvent_t> events;
    int64_t processors = 1, threads = 0, blocks = 2; /* threads 0: any number of them */
    int capability = 90, compiled_for = 90;
    size_t used = 0;
    size_t guard = 4096; /* bytes before and after each array */
    CUstream_st default_stream = {{}, 0, true};
    int stream_count = 0;

    State();
};

uint64_t from_environment(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text ? strtoull(text, nullptr, 10) : otherwise;
}

State::State()
{
    machine.driver = static_cast<int>(from_environment("CUDA_EMULATION_DRIVER", 13000));
    machine.devices = static_cast<int>(from_environment("CUDA_EMULATION_DEVICES", 1));
    machine.memory_bytes = from_environment("CUDA_EMULATION_MEMORY", machine.memory_bytes);
    processors = static_cast<int64_t>(from_environment("CUDA_EMULATION_PROCESSORS", 1));
    capability = static_cast<int>(from_environment("CUDA_EMULATION_CAPABILITY", 90));
    compiled_for = static_cast<int>(from_environment("CUDA_EMULATION_COMPILED_FOR", capability));
    random = Random(from_environment("CUDA_EMULATION_SEED", 0));
    fail_at = static_cast<int64_t>(from_environment("CUDA_EMULATION_FAIL", 0));
    fail_with = cudaErrorLaunchFailure;
    kernel_s = 1e-6 * static_cast<double>(from_environment("CUDA_EMULATION_KERNEL", 0));
    clock_made_up = kernel_s > 0.0;
}

State &state()
{
    static State the_state;
    return the_state;
}

/* ---- who may call -----------------------------------------------------------------------------
 */

cudaError_t machine_error()
{
    const emulation_machine &m = state().machine;
    return m.driver < RUNTIME_VERSION / 1000 * 1000 ? cudaErrorInsufficientDriver
           : m.devices == 0                         ? cudaErrorNoDevice
                                                    : cudaSuccess;
}

/* Called at the start of every call that can fail. */
cudaError_t enter()
{
    State &s = state();
    if (s.sticky != cudaSuccess)
        return s.sticky;
    if (++s.calls == s.fail_at)
        return s.fail_with;
    return machine_error();
}

void break_device(cudaError_t error, const std::string &why)
{
    State &s = state();
    s.sticky = error;
    if (s.fault.empty())
        s.fault = why;
    if (s.faults_are_printed)
        fprintf(stderr, "CUDA emulation: %s\n", lines_resolved(why).c_str());
}

/* Adds a line to the journal. */
void note(const char *what, size_t bytes)
{
    State &s = state();
    if (s.journal_kept)
        s.journal += std::string(what) + " " + std::to_string(bytes) + "\n";
}

void note_kernel(dim3 grid)
{
    State &s = state();
    if (s.journal_kept)
        s.journal += "kernel " + std::to_string(grid.x) + " " + std::to_string(grid.y) + " " +
                     std::to_string(grid.z) + "\n";
}

/* ---- device memory ----------------------------------------------------------------------------
 */

/* While an Access exists, device memory can be read and written. Only copies and kernels create
 * one. */
class Access
{
  public:
    Access()
    {
        for (const auto &a : state().arrays)
            ASAN_UNPOISON_MEMORY_REGION(a.first, a.second);
    }
    ~Access()
    {
        for (const auto &a : state().arrays)
            ASAN_POISON_MEMORY_REGION(a.first, a.second);
    }
    Access(const Access &) = delete;
    Access &operator=(const Access &) = delete;
};

bool within(const std::map<char *, size_t> &arrays, const void *at, size_t bytes)
{
    char *first = static_cast<char *>(const_cast<void *>(at));
    auto next = arrays.upper_bound(first);
    if (next == arrays.begin())
        return false;
    --next;
    /* `at` may be any bytes of a parameter: a pointer to its end may not exist. */
    const uintptr_t before =
        reinterpret_cast<uintptr_t>(first) - reinterpret_cast<uintptr_t>(next->first);
    return bytes <= next->second && before <= next->second - bytes;
}

bool on_device(const void *at, size_t bytes)
{
    return within(state().arrays, at, bytes) || within(state().symbols, at, bytes);
}

} // namespace

bool is_behind_array(const void *at, size_t bytes)
{
    const State &s = state();
    auto next = s.arrays.upper_bound(static_cast<char *>(const_cast<void *>(at)));
    if (next == s.arrays.begin())
        return false;
    --next;
    const uintptr_t before =
        reinterpret_cast<uintptr_t>(at) - reinterpret_cast<uintptr_t>(next->first);
    return before + bytes > next->second && before < next->second + s.guard;
}

namespace
{

/* False if a kernel wrote beyond an array. The address sanitizer detects such a write, and a read,
 * at once. */
bool guards_intact()
{
#ifdef __SANITIZE_ADDRESS__
    return true;
#endif
    const size_t guard = state().guard;
    static const std::vector<char> sound(MOST_GUARD, static_cast<char>(GUARD_BYTE));
    for (const auto &a : state().arrays)
        if (memcmp(a.first - guard, sound.data(), guard) != 0 ||
            memcmp(a.first + a.second, sound.data(), guard) != 0)
            return false;
    return true;
}

/* ---- streams ----------------------------------------------------------------------------------
 */

void step(cudaStream_t stream)
{
    Operation operation = std::move(stream->queue.front());
    stream->queue.pop_front();
    if (state().sticky != cudaSuccess)
        return;
    const cudaError_t error = operation();
    if (error != cudaSuccess)
        state().sticky = error;
}

/* Returns a random stream that has work, or NULL. */
cudaStream_t any_busy()
{
    std::vector<cudaStream_t> busy;
    if (!state().default_stream.queue.empty())
        busy.push_back(&state().default_stream);
    for (cudaStream_t s : state().streams)
        if (!s->queue.empty())
            busy.push_back(s);
    return busy.empty() ? nullptr : busy[state().random.below(busy.size())];
}

/* A stream by its handle: the default stream's is nullptr. */
cudaStream_t found(cudaStream_t stream)
{
    return stream ? stream : &state().default_stream;
}

/* Runs all work of the stream. Other streams may advance meanwhile. */
void drain(cudaStream_t stream)
{
    while (!stream->queue.empty())
        step(state().random.below(2) ? any_busy() : stream);
    state().submitted = false;
}

void drain_all()
{
    while (cudaStream_t s = any_busy())
        step(s);
}

bool known(cudaStream_t stream)
{
    return stream == &state().default_stream || state().streams.count(stream) > 0;
}

/* What goes into the default stream comes after all that blocking streams have, and the other way
 * round. */
void drain_before(cudaStream_t stream)
{
    State &s = state();
    if (stream != &s.default_stream && stream->blocking)
        drain(&s.default_stream);
    for (cudaStream_t other : s.streams)
        if (stream == &s.default_stream && other->blocking)
            drain(other);
}

cudaError_t enqueue(cudaStream_t handle, Operation operation)
{
    const cudaStream_t stream = found(handle);
    if (!known(stream))
        return cudaErrorInvalidResourceHandle;
    drain_before(stream);
    stream->queue.push_back(std::move(operation));
    return cudaSuccess;
}

/* Notes an operation of the host; its number, or 0 where nothing is checked. */
uint32_t note_operation(cudaStream_t handle, const void *call)
{
    const cudaStream_t stream = found(handle);
    return watch_checks() && known(stream)
               ? watch_operations().add(stream->number, stream->blocking, call)
               : 0;
}

/* The arrays of the device, and the pinned ones, to which addresses among these bytes belong. */
std::set<const void *> arrays_in(const void *bytes, size_t count)
{
    std::set<const void *> found;
    const char *first = static_cast<const char *>(bytes);
    for (size_t i = 0; i + sizeof(char *) <= count; i += sizeof(char *)) {
        char *at;
        memcpy(&at, first + i, sizeof at);
        for (const auto *arrays : {&state().arrays, &state().pinned})
            if (within(*arrays, at, 1))
                found.insert(std::prev(arrays->upper_bound(at))->first);
    }
    return found;
}

/* Orders an operation in a stream; while that is captured, in the graph. A stream that waits for
 * the default stream makes the latter wait for the capture. */
cudaError_t submit(cudaStream_t handle, const Ordered &operation)
{
    const cudaStream_t stream = found(handle);
    if (graphs_capturing(stream))
        return graphs_add(operation);
    for (cudaStream_t other : state().streams)
        if (stream == &state().default_stream && other->blocking && graphs_capturing(other))
            return graphs_break(cudaErrorStreamCaptureImplicit);
    return runtime_queue(handle, operation, false);
}

/* The host waits for a stream. */
void wait_for(cudaStream_t handle)
{
    state().waits++;
    drain(found(handle));
    if (watch_checks())
        watch_operations().wait(found(handle)->number);
}

void wait_for_all()
{
    state().waits++;
    drain_all();
    if (watch_checks())
        watch_operations().wait_all();
}

/* ---- kernels ----------------------------------------------------------------------------------
 */

void pass_kernel()
{
    State &s = state();
    s.clock_s += s.kernel_s + (s.submitted ? 0.0 : s.submit_s) + (s.of_graph ? 0.0 : s.gap_s);
    s.submitted = true;
}

cudaError_t run_kernel(const Launch &launch, uint32_t operation)
{
    std::string wrong;
    note_kernel(launch.grid);
    pass_kernel();
    {
        const Access access;
        wrong = run_grid(launch, operation, state().random);
    }
    if (wrong.empty() && !guards_intact())
        wrong = "a kernel wrote beyond an array";
    if (!wrong.empty())
        break_device(cudaErrorLaunchFailure, wrong);
    return state().sticky;
}

bool launchable(dim3 grid, dim3 block, size_t shared_bytes)
{
    const emulation_machine &m = state().machine;
    const auto within_limit = [](unsigned n, int64_t most) { return n >= 1 && n <= most; };
    return within_limit(grid.x, 2147483647) && within_limit(grid.y, m.grid_rows) &&
           within_limit(grid.z, m.grid_planes) && within_limit(block.x * block.y * block.z, 1024) &&
           shared_bytes <= EMULATION_SHARED_BYTES;
}

double now_s()
{
    if (state().clock_made_up)
        return state().clock_s;
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

/* Returns an array between two guards, all NaN. */
char *new_guarded(size_t bytes)
{
    const size_t guard = state().guard;
    char *block = static_cast<char *>(malloc(bytes + 2 * guard));
    if (!block)
        abort();
    memset(block, GUARD_BYTE, bytes + 2 * guard);
    ASAN_POISON_MEMORY_REGION(block, bytes + 2 * guard);
    return block + guard;
}

/* The error of a call that may not be made while a stream is captured. */
cudaError_t unsafe()
{
    const cudaError_t error = enter();
    return error == cudaSuccess && graphs_capturing()
               ? graphs_break(cudaErrorStreamCaptureUnsupported)
               : error;
}

} // namespace

cudaError_t runtime_enter()
{
    return enter();
}

cudaStream_t runtime_stream(cudaStream_t handle)
{
    return known(found(handle)) ? found(handle) : nullptr;
}

cudaError_t runtime_queue(cudaStream_t handle, const Ordered &operation, bool of_graph)
{
    const uint32_t number = note_operation(handle, operation.call);
    const Work work = operation.work;
    return enqueue(handle, [=] {
        state().of_graph = of_graph;
        const cudaError_t error = work(number);
        state().of_graph = false;
        return error;
    });
}

cudaError_t runtime_fault(cudaError_t error, const std::string &why)
{
    break_device(error, why);
    return state().sticky;
}

void runtime_note(const char *what, size_t number)
{
    note(what, number);
}

void emulation_launch(dim3 grid, dim3 block, size_t shared_bytes, cudaStream_t stream,
                      const EmulationCall &call, const void *instruction)
{
    const std::shared_ptr<const void> parameters(call.parameters, call.release);
    const Launch launch = {grid,        block,      shared_bytes,        call.kernel,
                           call.thread, parameters, call.parameter_bytes};
    cudaError_t error = enter();
    if (error == cudaSuccess && !launchable(grid, block, shared_bytes))
        error = cudaErrorInvalidConfiguration;
    if (error == cudaSuccess)
        error = submit(stream, {instruction, cudaGraphNodeTypeKernel,
                                [=](uint32_t number) { return run_kernel(launch, number); },
                                arrays_in(call.parameters, call.parameter_bytes)});
    state().last = error;
}

void emulation_atomic(const void *address, size_t bytes, const void *instruction)
{
    watch_access(address, bytes, true, true, instruction);
}

void emulation_know_symbol(void *address, size_t bytes)
{
    state().symbols[static_cast<char *>(address)] = bytes;
}

extern "C" {

/* ---- control ----------------------------------------------------------------------------------
 */

void emulation_reset(const struct emulation_machine *machine, uint64_t seed)
{
    State &s = state();
    s.machine = *machine;
    s.random = Random(seed);
    s.calls = s.fail_at = s.waits = 0;
    s.last = s.sticky = cudaSuccess;
    s.fault.clear();
    watch_forget();
    s.clock_made_up = s.journal_kept = false;
    s.gap_s = 0.0;
    graphs_forget();
    s.journal.clear();
}

void emulation_clock(double kernel_s, double submit_s)
{
    State &s = state();
    s.clock_made_up = true;
    s.kernel_s = kernel_s;
    s.submit_s = submit_s;
}

void emulation_gap(double gap_s)
{
    state().gap_s = gap_s;
}

bool emulation_busy(void)
{
    if (!state().default_stream.queue.empty())
        return true;
    for (cudaStream_t s : state().streams)
        if (!s->queue.empty())
            return true;
    return false;
}

void emulation_journal_begin(void)
{
    state().journal_kept = true;
    state().journal.clear();
}

const char *emulation_journal(void)
{
    return state().journal.c_str();
}

void emulation_fail_at(int64_t nth, cudaError_t error)
{
    state().fail_at = nth > 0 ? state().calls + nth : 0;
    state().fail_with = error;
}

void emulation_break(cudaError_t error)
{
    state().sticky = error;
}

int64_t emulation_calls(void)
{
    return state().calls;
}

int64_t emulation_waits(void)
{
    return state().waits;
}

int64_t emulation_live(void)
{
    const State &s = state();
    return static_cast<int64_t>(s.arrays.size() + s.pinned.size() + s.streams.size() +
                                s.events.size()) +
           graphs_live();
}

const char *emulation_fault(void)
{
    return state().fault.c_str();
}

void emulation_watch(bool checks)
{
    watch_set(checks);
    if (checks && state().arrays.empty())
        state().guard = MOST_GUARD;
}

void emulation_show(void *hidden, void *first, size_t bytes, bool written)
{
    watch_freed(static_cast<char *>(hidden));
    watch_allocated(static_cast<char *>(first), bytes, written);
}

void emulation_seed(uint64_t seed)
{
    state().random = Random(seed);
}

void emulation_memory(size_t bytes)
{
    state().machine.memory_bytes = bytes;
}

void emulation_residence(int64_t processors, int64_t threads, int64_t blocks)
{
    state().processors = processors;
    state().threads = threads;
    state().blocks = blocks;
}

void emulation_print_faults(bool printed)
{
    state().faults_are_printed = printed;
}

/* ---- the device -------------------------------------------------------------------------------
 */

cudaError_t cudaDriverGetVersion(int *version)
{
    *version = state().machine.driver;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    *version = RUNTIME_VERSION;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int *count)
{
    *count = state().machine.devices;
    return enter();
}

cudaError_t cudaSetDevice(int device)
{
    if (const cudaError_t error = enter())
        return error;
    if (device < 0 || device >= state().machine.devices)
        return cudaErrorInvalidDevice;
    state().device = device;
    return cudaSuccess;
}

cudaError_t cudaGetDevice(int *device)
{
    *device = state().device;
    return enter();
}

cudaError_t cudaDeviceReset(void)
{
    return cudaDeviceSynchronize();
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *p, int)
{
    if (const cudaError_t error = enter())
        return error;
    memset(p, 0, sizeof *p);
    snprintf(p->name, sizeof p->name, "CPU emulation");
    p->totalGlobalMem = state().machine.memory_bytes;
    p->major = state().capability / 10;
    p->minor = state().capability % 10;
    p->multiProcessorCount = static_cast<int>(state().processors);
    p->maxThreadsPerMultiProcessor = 2048;
    p->maxGridSize[0] = 2147483647;
    p->maxGridSize[1] = state().machine.grid_rows;
    p->maxGridSize[2] = state().machine.grid_planes;
    p->l2CacheSize = 4096;
    p->warpSize = 32;
    p->maxThreadsPerBlock = 1024;
    p->maxThreadsDim[0] = p->maxThreadsDim[1] = 1024;
    p->maxThreadsDim[2] = 64;
    p->regsPerBlock = 65536;
    p->sharedMemPerBlock = EMULATION_SHARED_BYTES;
    p->totalConstMem = 65536;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetPCIBusId(char *text, int size, int device)
{
    snprintf(text, static_cast<size_t>(size), "0000:%02x:00.0", device);
    return enter();
}

cudaError_t cudaDeviceSynchronize(void)
{
    const cudaError_t error = unsafe();
    if (!graphs_capturing())
        wait_for_all();
    return error != cudaSuccess ? error : state().sticky;
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total)
{
    *total = state().machine.memory_bytes;
    *free_bytes = *total > state().used ? *total - state().used : 0;
    return enter();
}

/* ---- arrays -----------------------------------------------------------------------------------
 */

cudaError_t cudaMalloc(void **out, size_t bytes)
{
    State &s = state();
    cudaError_t error = unsafe();
    if (error == cudaSuccess && bytes == 0)
        error = cudaErrorInvalidValue; /* the runtime gives NULL; no code should ask for it */
    if (error == cudaSuccess && s.used + bytes > s.machine.memory_bytes)
        error = cudaErrorMemoryAllocation;
    if (error != cudaSuccess)
        return error;
    char *array = new_guarded(bytes);
    s.arrays[array] = bytes;
    watch_allocated(array, bytes, false);
    s.used += bytes;
    note("allocate", bytes);
    *out = array;
    return cudaSuccess;
}

/* Waits for the device, as the runtime's function does. cudaFree(NULL) creates the context. */
cudaError_t cudaFree(void *array)
{
    State &s = state();
    if (!array)
        return s.sticky != cudaSuccess ? s.sticky : machine_error();
    if (graphs_capturing())
        return graphs_break(cudaErrorStreamCaptureUnsupported);
    wait_for_all();
    const auto freed = s.arrays.find(static_cast<char *>(array));
    if (freed == s.arrays.end()) {
        break_device(cudaErrorInvalidValue, "an array was freed that is not there");
        return s.sticky;
    }
    watch_freed(freed->first);
    graphs_freed(freed->first);
    ASAN_UNPOISON_MEMORY_REGION(freed->first - s.guard, freed->second + 2 * s.guard);
    free(freed->first - s.guard);
    note("free", freed->second);
    s.used -= freed->second;
    s.arrays.erase(freed);
    return s.sticky;
}

cudaError_t cudaMallocHost(void **out, size_t bytes)
{
    if (const cudaError_t error = unsafe())
        return error;
    char *array = static_cast<char *>(malloc(bytes > 0 ? bytes : 1));
    if (!array)
        return cudaErrorMemoryAllocation;
    state().pinned[array] = bytes;
    *out = array;
    return cudaSuccess;
}

cudaError_t cudaFreeHost(void *array)
{
    if (graphs_capturing())
        return graphs_break(cudaErrorStreamCaptureUnsupported);
    drain_all();
    graphs_freed(array);
    if (state().pinned.erase(static_cast<char *>(array)) == 0)
        break_device(cudaErrorInvalidValue, "a pinned array was freed that is not there");
    else
        free(array);
    return state().sticky;
}

/* ---- copies -----------------------------------------------------------------------------------
 */

/* Which sides are on the device: by the kind, or as they are for cudaMemcpyDefault. */
static bool copy_is_sound(const void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    const bool to_device = kind == cudaMemcpyDefault
                               ? on_device(to, 1)
                               : kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    const bool from_device = kind == cudaMemcpyDefault ? on_device(from, 1)
                                                       : kind == cudaMemcpyDeviceToHost ||
                                                             kind == cudaMemcpyDeviceToDevice;
    return (to_device ? on_device(to, bytes) : !on_device(to, 1)) &&
           (from_device ? on_device(from, bytes) : !on_device(from, 1));
}

static cudaError_t copy_now(void *to, const void *from, size_t bytes, uint32_t operation)
{
    note(on_device(to, bytes) ? "send" : "collect", bytes);
    const Access access;
    memmove(to, from, bytes);
    if (operation > 0 && on_device(from, bytes))
        watch_copied(from, bytes, false, operation);
    if (operation > 0 && within(state().symbols, to, bytes)) {
        const auto symbol = std::prev(state().symbols.upper_bound(static_cast<char *>(to)));
        watch_symbol(symbol->first, symbol->second);
    }
    if (operation > 0 && on_device(to, bytes))
        watch_copied(to, bytes, true, operation);
    if (watch_fault().empty())
        return cudaSuccess;
    break_device(cudaErrorLaunchFailure, watch_fault());
    return state().sticky;
}

/* A copy or a memset without a stream goes into the default stream, and the emulation does it at
 * once. The host has waited for it only if `awaited`. */
static cudaError_t done_at_once(uint32_t operation, bool awaited, const Operation &work)
{
    state().waits += awaited;
    drain_before(&state().default_stream);
    drain(&state().default_stream);
    const cudaError_t error = state().sticky != cudaSuccess ? state().sticky : work();
    if (operation > 0 && awaited)
        watch_operations().wait(0);
    return error;
}

/* A copy from pageable memory may return before it has arrived: what it reads is in a buffer of the
 * driver's by then. Source: CUDA Runtime API, "API synchronization behavior". */
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    cudaError_t error = unsafe();
    if (error == cudaSuccess && !copy_is_sound(to, from, bytes, kind))
        error = cudaErrorInvalidValue;
    if (error != cudaSuccess)
        return error;
    const uint32_t number = note_operation(nullptr, __builtin_return_address(0));
    const bool staged =
        on_device(to, 1) && !on_device(from, 1) && !within(state().pinned, from, bytes);
    return done_at_once(number, !staged, [=] { return copy_now(to, from, bytes, number); });
}

/* A copy from pageable memory is read at once and arrives in the stream's order. A copy to pageable
 * memory is complete on return. Pinned memory is read and written when the stream reaches the
 * copy. */
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    cudaError_t error = enter();
    if (error == cudaSuccess && !copy_is_sound(to, from, bytes, kind))
        error = cudaErrorInvalidValue;
    if (error != cudaSuccess)
        return error;
    const bool sends = kind == cudaMemcpyHostToDevice;
    const bool on_host = sends || kind == cudaMemcpyDeviceToHost;
    const bool pinned = !on_host || within(state().pinned, sends ? from : to, bytes);
    const void *const both[] = {to, from};
    Ordered copy = {__builtin_return_address(0), cudaGraphNodeTypeMemcpy,
                    [=](uint32_t number) { return copy_now(to, from, bytes, number); },
                    arrays_in(both, sizeof both)};
    if (!pinned && graphs_capturing(found(stream)))
        return graphs_break(cudaErrorStreamCaptureUnsupported);
    if (!pinned && sends) {
        const char *first = static_cast<const char *>(from);
        const std::vector<char> taken(first, first + bytes);
        copy.work = [=](uint32_t number) { return copy_now(to, taken.data(), bytes, number); };
    }
    error = submit(stream, copy);
    if (error == cudaSuccess && !pinned && !sends)
        wait_for(stream);
    return error != cudaSuccess ? error : state().sticky;
}

static cudaError_t set_now(void *to, int byte, size_t bytes, uint32_t operation)
{
    note("set", bytes);
    const Access access;
    memset(to, byte, bytes);
    if (operation > 0)
        watch_copied(to, bytes, true, operation);
    return cudaSuccess;
}

cudaError_t cudaMemset(void *to, int byte, size_t bytes)
{
    cudaError_t error = unsafe();
    if (error == cudaSuccess && !on_device(to, bytes))
        error = cudaErrorInvalidValue;
    if (error != cudaSuccess)
        return error;
    const uint32_t number = note_operation(nullptr, __builtin_return_address(0));
    return done_at_once(number, false, [=] { return set_now(to, byte, bytes, number); });
}

cudaError_t cudaMemsetAsync(void *to, int byte, size_t bytes, cudaStream_t stream)
{
    cudaError_t error = enter();
    if (error == cudaSuccess && !on_device(to, bytes))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = submit(stream, {__builtin_return_address(0), cudaGraphNodeTypeMemset,
                                [=](uint32_t number) { return set_now(to, byte, bytes, number); },
                                arrays_in(&to, sizeof to)});
    return error;
}

/* ---- streams and events -----------------------------------------------------------------------
 */

cudaError_t cudaStreamCreate(cudaStream_t *out)
{
    return cudaStreamCreateWithFlags(out, cudaStreamDefault);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *out, unsigned flags)
{
    if (const cudaError_t error = enter())
        return error;
    *out = new CUstream_st();
    (*out)->number = ++state().stream_count;
    (*out)->blocking = flags != cudaStreamNonBlocking;
    state().streams.insert(*out);
    return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    if (!stream || !known(stream))
        return cudaErrorInvalidResourceHandle;
    if (graphs_capturing(stream))
        return graphs_break(cudaErrorStreamCaptureUnsupported);
    drain(stream);
    state().streams.erase(stream);
    delete stream;
    return state().sticky;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    if (const cudaError_t error = enter())
        return error;
    if (!known(found(stream)))
        return cudaErrorInvalidResourceHandle;
    if (graphs_capturing(found(stream)))
        return graphs_break(cudaErrorStreamCaptureUnsupported);
    wait_for(stream);
    return state().sticky;
}

cudaError_t cudaEventCreate(cudaEvent_t *out)
{
    if (const cudaError_t error = enter())
        return error;
    *out = new CUevent_st();
    state().events.insert(*out);
    return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    drain_all();
    if (state().events.erase(event) == 0)
        return cudaErrorInvalidResourceHandle;
    delete event;
    return state().sticky;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    if (const cudaError_t error = enter())
        return error;
    if (!known(found(stream)))
        return cudaErrorInvalidResourceHandle;
    if (graphs_capturing(found(stream))) /* it would tell no time */
        return graphs_break(cudaErrorNotSupported);
    event->pending++;
    event->records++;
    event->stream = found(stream);
    event->done = watch_operations().event(found(stream)->number);
    return enqueue(stream, [=] {
        event->pending--;
        event->recorded = true;
        event->when_s = now_s();
        note("record", 0);
        return cudaSuccess;
    });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    if (const cudaError_t error = unsafe())
        return error;
    state().waits++;
    while (event->pending > 0 && !event->stream->queue.empty())
        step(event->stream);
    watch_operations().wait_event(event->done);
    return state().sticky;
}

/* Each question lets the device advance by an operation, which the seed draws. */
cudaError_t cudaEventQuery(cudaEvent_t event)
{
    if (const cudaError_t error = unsafe())
        return error;
    if (event->pending > 0)
        if (cudaStream_t busy = any_busy())
            step(busy);
    if (state().sticky == cudaSuccess && event->pending > 0)
        return cudaErrorNotReady;
    watch_operations().wait_event(event->done);
    return state().sticky;
}

/* The host does not wait. When the stream comes to this, the other one runs up to the event as it
 * was last recorded here. */
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned)
{
    if (const cudaError_t error = enter())
        return error;
    if (graphs_capturing(found(stream)))
        return graphs_break(cudaErrorStreamCaptureIsolation);
    const cudaStream_t other = event->stream;
    const int64_t recorded = event->records;
    watch_operations().wait_event(found(stream)->number, event->done);
    return enqueue(stream, [=] {
        while (event->records - event->pending < recorded && !other->queue.empty())
            step(other);
        return cudaSuccess;
    });
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t begin, cudaEvent_t end)
{
    if (const cudaError_t error = enter())
        return error;
    if (begin->pending > 0 || end->pending > 0)
        return cudaErrorNotReady;
    if (!begin->recorded || !end->recorded)
        return cudaErrorInvalidResourceHandle;
    *milliseconds = static_cast<float>((end->when_s - begin->when_s) * 1e3);
    return cudaSuccess;
}

/* ---- errors and kernels -----------------------------------------------------------------------
 */

cudaError_t cudaPeekAtLastError(void)
{
    return state().last;
}

cudaError_t cudaGetLastError(void)
{
    const cudaError_t error = state().last;
    state().last = cudaSuccess;
    return error;
}

static const struct {
    cudaError_t error;
    const char *name, *text;
} errors[] = {
#define ERROR(name, text)                                                                          \
    {                                                                                              \
        name, #name, text                                                                          \
    }
    ERROR(cudaSuccess, "no error"),
    ERROR(cudaErrorInvalidValue, "invalid argument"),
    ERROR(cudaErrorMemoryAllocation, "out of memory"),
    ERROR(cudaErrorInvalidConfiguration, "invalid configuration argument"),
    ERROR(cudaErrorInvalidResourceHandle, "invalid resource handle"),
    ERROR(cudaErrorNotReady, "device not ready"),
    ERROR(cudaErrorIllegalAddress, "an illegal memory access was encountered"),
    ERROR(cudaErrorLaunchFailure, "unspecified launch failure"),
    ERROR(cudaErrorIllegalState, "the operation cannot be performed in the present state"),
    ERROR(cudaErrorNotSupported, "operation not supported"),
    ERROR(cudaErrorSystemNotReady, "system not yet initialized"),
    ERROR(cudaErrorStreamCaptureUnsupported, "operation not permitted when stream is capturing"),
    ERROR(cudaErrorStreamCaptureInvalidated,
          "operation failed due to a previous error during capture"),
    ERROR(cudaErrorStreamCaptureIsolation,
          "dependency created on uncaptured work in another stream"),
    ERROR(cudaErrorStreamCaptureImplicit,
          "operation would make the legacy stream depend on a capturing blocking stream"),
#undef ERROR
};

const char *cudaGetErrorName(cudaError_t error)
{
    for (const auto &e : errors)
        if (e.error == error)
            return e.name;
    return "cudaErrorUnknown";
}

const char *cudaGetErrorString(cudaError_t error)
{
    for (const auto &e : errors)
        if (e.error == error)
            return e.text;
    return "unknown error";
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *a, const void *kernel)
{
    cudaError_t error = enter();
    if (error == cudaSuccess && !kernel)
        error = cudaErrorInvalidValue;
    if (error != cudaSuccess)
        return error;
    memset(a, 0, sizeof *a);
    a->maxThreadsPerBlock = 1024;
    a->numRegs = 32;
    a->binaryVersion = a->ptxVersion = state().compiled_for;
    return cudaSuccess;
}

/* Few, so that kernels with grid-stride loops need more than one step. */
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *, int threads,
                                                          size_t)
{
    const State &s = state();
    *blocks = static_cast<int>(s.threads > 0 ? std::min(s.blocks, s.threads / threads) : s.blocks);
    return enter();
}
}
