#include "cuda/emulation/fibers.h"

#include "cuda/emulation/context.h"
#include "cuda/emulation/counting.h"
#include "cuda/emulation/lines.h"
#include "cuda/emulation/warp_exchange.h"
#include "cuda/emulation/watch.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <link.h>
#include <memory>
#include <sanitizer/asan_interface.h>
#include <sys/mman.h>
#include <utility>
#include <vector>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#endif

#define POSITION __attribute__((section("cuda_position")))
POSITION uint3 threadIdx = {0, 0, 0}, blockIdx = {0, 0, 0};
POSITION dim3 blockDim, gridDim;

/* The kernels' dynamic shared memory, under the name that they use. */
alignas(16) __thread float pool_tile[EMULATION_SHARED_BYTES / sizeof(float)];

/* ---- numbers ----------------------------------------------------------------------------------
 */

uint64_t Random::below(uint64_t n)
{
    uint64_t z = (state_ += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (z ^ (z >> 31)) % n;
}

void Random::order(unsigned *items, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        items[i] = seed_ == 1 ? n - 1 - i : i;
    for (unsigned i = n; seed_ > 1 && i > 1; i--)
        std::swap(items[i - 1], items[below(i)]);
}

/* ---- fibers -----------------------------------------------------------------------------------
 */

namespace
{

enum { STACK_BYTES = 128 * 1024, LANES = 32 };

/* A copy into shared memory (cp.async). */
struct Copy {
    float *to;
    const float *from; /* nullptr: zeros */
    int elements;
    const void *instruction;
};

enum Waiting { RUNS, AT_BARRIER, AT_WARP };

/* A fiber runs one thread of the block after another on its stack. At a barrier it waits, and
 * another fiber takes the threads that are left. So kernels without barriers need one fiber. */
struct Fiber {
    Context context;
    std::vector<Copy> copies; /* started by the thread, not awaited yet */
    char *stack;
    void *fake_stack;
    Waiting waiting;
    unsigned thread;
    const char *kernel, *file; /* of the barrier at which it waits */
    int line;
    const void *instruction;
    WarpLane lane; /* what it gives to the other lanes of its warp and gets from them */
};

/* Of the running grid. */
const Launch *launch;
std::vector<unsigned> order;
unsigned next_thread, finished;
std::vector<bool> done; /* of each thread of the block */
unsigned phase;
std::vector<unsigned> warp_phases;

std::vector<std::unique_ptr<Fiber>> fibers;
std::vector<Fiber *> idle, waiting;
Fiber *running;
Context scheduler;
void *scheduler_fake_stack;
const void *scheduler_stack;
size_t scheduler_stack_bytes;

/* The sanitizer must be informed of every change of stacks. */
void leave_to(void **fake_stack, const void *stack, size_t bytes)
{
#ifdef __SANITIZE_ADDRESS__
    __sanitizer_start_switch_fiber(fake_stack, stack, bytes);
#else
    (void)fake_stack;
    (void)stack;
    (void)bytes;
#endif
}

void arrive(void *fake_stack, const void **from, size_t *bytes)
{
#ifdef __SANITIZE_ADDRESS__
    __sanitizer_finish_switch_fiber(fake_stack, from, bytes);
#else
    (void)fake_stack;
    (void)from;
    (void)bytes;
#endif
}

void back_to_scheduler(Fiber *self)
{
    watching = false;
    leave_to(&self->fake_stack, scheduler_stack, scheduler_stack_bytes);
    context_switch(&self->context, &scheduler);
    arrive(self->fake_stack, &scheduler_stack, &scheduler_stack_bytes);
}

/* Makes a thread the current one. */
void become(Fiber *f, unsigned thread)
{
    f->thread = thread;
    threadIdx.x = thread % blockDim.x;
    threadIdx.y = thread / blockDim.x % blockDim.y;
    threadIdx.z = thread / blockDim.x / blockDim.y;
    watched_thread = {f->stack, STACK_BYTES, thread, phase, warp_phases[thread / LANES]};
    watching = watch_checks();
}

void take_threads()
{
    while (next_thread < order.size()) {
        become(running, order[next_thread++]);
        running->copies.clear();
        launch->call(launch->parameters.get());
        watching = false;
        done[running->thread] = true;
        finished++;
    }
}

void fiber_main()
{
    arrive(nullptr, &scheduler_stack, &scheduler_stack_bytes);
    for (;;) {
        take_threads();
        back_to_scheduler(running);
    }
}

void begin(Fiber *f)
{
    f->waiting = RUNS;
    f->fake_stack = nullptr;
    context_make(&f->context, f->stack, STACK_BYTES, fiber_main);
}

Fiber *idle_fiber()
{
    if (idle.empty()) {
        void *stack = mmap(nullptr, STACK_BYTES, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (stack == MAP_FAILED)
            abort();
        fibers.emplace_back(new Fiber());
        fibers.back()->stack = static_cast<char *>(stack);
        begin(fibers.back().get());
        idle.push_back(fibers.back().get());
    }
    Fiber *f = idle.back();
    idle.pop_back();
    return f;
}

/* Runs a fiber until it waits or has no more threads. */
void run(Fiber *f)
{
    running = f;
    f->waiting = RUNS;
    leave_to(&scheduler_fake_stack, f->stack, STACK_BYTES);
    context_switch(&scheduler, &f->context);
    arrive(scheduler_fake_stack, nullptr, nullptr);
    (f->waiting != RUNS ? waiting : idle).push_back(f);
}

/* Waits at a barrier of the block or the warp, and becomes the thread that it was. */
void wait_at(Waiting barrier)
{
    Fiber *self = running;
    self->waiting = barrier;
    back_to_scheduler(self);
    become(self, self->thread);
}

/* ---- blocks -----------------------------------------------------------------------------------
 */

std::string place(const Fiber *f)
{
    char text[512];
    if (!f->file)
        return line_mark(static_cast<const char *>(f->instruction) - 1) + ", " +
               thread_text(f->thread);
    snprintf(text, sizeof text, "%s:%d, block (%u, %u, %u), kernel %.300s", f->file, f->line,
             blockIdx.x, blockIdx.y, blockIdx.z, f->kernel);
    return text;
}

/* Returns "" if all threads wait at the same barrier, otherwise what is wrong. */
std::string check_barrier()
{
    for (const Fiber *f : waiting)
        if (f->waiting == AT_WARP)
            return "threads of a warp wait for lanes that never come, at " + place(f);
    for (const Fiber *f : waiting)
        if (f->line != waiting[0]->line)
            return "threads of a block wait at different barriers: " + place(f) + " and " +
                   place(waiting[0]);
    if (finished == 0)
        return "";
    return "a barrier was reached by " + std::to_string(waiting.size()) + " of " +
           std::to_string(order.size()) + " threads: " + place(waiting[0]);
}

/* Restarts fibers that would wait for ever. */
void abandon_waiting()
{
    for (Fiber *f : waiting) {
        ASAN_UNPOISON_MEMORY_REGION(f->stack, STACK_BYTES);
        begin(f);
        idle.push_back(f);
    }
    waiting.clear();
}

void poison_shared(size_t dynamic_bytes)
{
    ASAN_UNPOISON_MEMORY_REGION(pool_tile, sizeof pool_tile);
    const SharedMemory all = shared_memory();
    memset(all.first, 0xff, all.bytes);
    ASAN_POISON_MEMORY_REGION(emulation_dynamic_shared() + dynamic_bytes,
                              sizeof pool_tile - dynamic_bytes);
}

/* Runs the fibers of a list, in a drawn order, until each waits or ends. */
void run_all(const std::vector<Fiber *> &released, Random &random)
{
    std::vector<unsigned> turns(released.size());
    random.order(turns.data(), static_cast<unsigned>(released.size()));
    for (size_t i = 0; i < released.size(); i++)
        if (watch_fault().empty())
            run(released[turns[i]]);
        else
            waiting.push_back(released[turns[i]]); /* to be restarted */
}

/* Moves the fibers that wait at the barrier of their warp, and whose other lanes are there too or
 * have ended, from the waiting ones to `released`; exchanges what they give. */
void release_warp(unsigned warp, std::vector<Fiber *> &released)
{
    Fiber *lanes[LANES] = {};
    unsigned there = 0, ended = 0;
    for (Fiber *f : waiting)
        if (f->waiting == AT_WARP && f->thread / LANES == warp) {
            lanes[f->thread % LANES] = f;
            there |= 1u << f->thread % LANES;
        }
    for (unsigned i = 0; i < LANES; i++)
        if (warp * LANES + i >= done.size() || done[warp * LANES + i])
            ended |= 1u << i;
    WarpLane *parts[LANES] = {};
    for (unsigned i = 0; i < LANES; i++) {
        if (!lanes[i] || lanes[i]->lane.mask & ~(there | ended))
            continue;
        bool same = true; /* all of them name the same lanes */
        for (unsigned k = 0; k < LANES; k++)
            same = same && (!(lanes[i]->lane.mask >> k & 1) || !lanes[k] ||
                            lanes[k]->lane.mask == lanes[i]->lane.mask);
        if (same)
            parts[i] = &lanes[i]->lane;
    }
    const std::string wrong = warp_exchange(parts);
    if (!wrong.empty())
        watch_note(wrong + ", at " + place(waiting[0]));
    warp_phases[warp] += there != 0;
    for (size_t i = 0; i < waiting.size();) {
        Fiber *f = waiting[i];
        if (f->waiting == AT_WARP && f->thread / LANES == warp && parts[f->thread % LANES]) {
            released.push_back(f);
            waiting.erase(waiting.begin() + static_cast<ptrdiff_t>(i));
        } else
            i++;
    }
}

std::vector<Fiber *> released_by_warps()
{
    std::vector<Fiber *> released;
    for (unsigned warp = 0; warp < warp_phases.size(); warp++)
        release_warp(warp, released);
    return released;
}

std::string run_threads(Random &random)
{
    random.order(order.data(), static_cast<unsigned>(order.size()));
    next_thread = finished = phase = 0;
    done.assign(order.size(), false);
    warp_phases.assign((order.size() + LANES - 1) / LANES, 0);
    while (next_thread < order.size() && watch_fault().empty())
        run(idle_fiber());
    while (!waiting.empty() && watch_fault().empty()) {
        const std::vector<Fiber *> of_warps = released_by_warps();
        if (!of_warps.empty()) {
            run_all(of_warps, random);
            continue;
        }
        const std::string wrong = check_barrier();
        if (!wrong.empty())
            return wrong;
        if (counting)
            count_phase(true);
        phase++;
        warp_phases.assign(warp_phases.size(), 0);
        const std::vector<Fiber *> released = std::move(waiting);
        waiting.clear();
        run_all(released, random);
    }
    if (counting && watch_fault().empty())
        count_phase(false);
    return watch_fault();
}

std::string run_block(Random &random)
{
    const std::string wrong = run_threads(random);
    abandon_waiting();
    return wrong;
}

} // namespace

char *emulation_dynamic_shared()
{
    return reinterpret_cast<char *>(pool_tile);
}

/* Takes what is local to this thread in the object that holds the kernels. */
static int take_shared(dl_phdr_info *object, size_t, void *context)
{
    SharedMemory *own = static_cast<SharedMemory *>(context);
    char *first = static_cast<char *>(object->dlpi_tls_data);
    for (int i = 0; first && i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) &part = object->dlpi_phdr[i];
        if (part.p_type == PT_TLS && emulation_dynamic_shared() - first >= 0 &&
            static_cast<size_t>(emulation_dynamic_shared() - first) < part.p_memsz)
            *own = {first, part.p_memsz};
    }
    return own->first != nullptr;
}

SharedMemory shared_memory()
{
    static SharedMemory known;
    static const char *of;
    if (of != emulation_dynamic_shared()) { /* once, or in another thread of the host */
        known = {emulation_dynamic_shared(), sizeof pool_tile};
        SharedMemory whole = {nullptr, 0};
        if (dl_iterate_phdr(take_shared, &whole))
            known = whole;
        of = emulation_dynamic_shared();
    }
    return known;
}

std::string thread_text(unsigned thread)
{
    char text[64];
    snprintf(text, sizeof text, "thread (%u, %u, %u)", thread % blockDim.x,
             thread / blockDim.x % blockDim.y, thread / blockDim.x / blockDim.y);
    return text;
}

/* The fiber is not left in the list of idle ones as it is: abandon_waiting() restarts it. */
void fibers_abandon()
{
    wait_at(AT_BARRIER);
    abort();
}

void emulation_barrier(const char *kernel, const char *file, int line)
{
    running->kernel = kernel;
    running->file = file;
    running->line = line;
    wait_at(AT_BARRIER);
}

WarpLane warp_meet(const WarpLane &given, const void *instruction)
{
    Fiber *self = running;
    self->file = nullptr;
    self->line = 0;
    self->instruction = instruction;
    self->lane = given;
    self->lane.number = self->thread % LANES;
    self->lane.mask |= 1u << self->lane.number;
    wait_at(AT_WARP);
    return self->lane;
}

void emulation_copy_begin(float *to, const float *from, int elements, bool there)
{
    running->copies.push_back({to, there ? from : nullptr, elements, __builtin_return_address(0)});
}

/* What is wrong with a copy of several floats, whose addresses are multiples of its bytes; "" if
 * nothing is. Also for kernels that are not watched. */
static std::string wrong_with(const Copy &c, size_t bytes)
{
    const auto offset = [bytes](const float *p) { return reinterpret_cast<uintptr_t>(p) % bytes; };
    if (offset(c.to) != 0 || offset(c.from) != 0)
        return "misaligned: a copy of " + std::to_string(bytes) + " bytes";
    return c.from && is_behind_array(c.from, bytes) ? "a kernel copied from beyond an array" : "";
}

void emulation_copy_wait()
{
    for (const Copy &c : running->copies) {
        const size_t bytes = static_cast<size_t>(c.elements) * sizeof(float);
        if (c.from)
            watch_access(c.from, bytes, false, false, c.instruction);
        watch_access(c.to, bytes, true, false, c.instruction);
        const std::string wrong = c.elements > 1 ? wrong_with(c, bytes) : "";
        if (!wrong.empty())
            watch_note(wrong + ", at " + line_mark(static_cast<const char *>(c.instruction) - 1));
        for (int i = 0; i < c.elements; i++)
            c.to[i] = c.from ? c.from[i] : 0.0f;
    }
    running->copies.clear();
}

std::string run_grid(const Launch &l, uint32_t operation, Random &random)
{
    const size_t blocks = static_cast<size_t>(l.grid.x) * l.grid.y * l.grid.z;
    std::vector<unsigned> turns(blocks);
    std::string wrong;
    launch = &l;
    gridDim = l.grid;
    blockDim = l.block;
    order.resize(static_cast<size_t>(l.block.x) * l.block.y * l.block.z);
    random.order(turns.data(), static_cast<unsigned>(blocks));
    const bool watched = watch_checks();
    if (watched)
        watch_grid(operation, l.parameters.get(), l.parameter_bytes);
    if (counting)
        count_grid(l);
    for (size_t i = 0; wrong.empty() && i < blocks; i++) {
        blockIdx.x = turns[i] % l.grid.x;
        blockIdx.y = turns[i] / l.grid.x % l.grid.y;
        blockIdx.z = turns[i] / l.grid.x / l.grid.y;
        poison_shared(l.shared_bytes);
        if (watched)
            watch_block(blockIdx.x, blockIdx.y, blockIdx.z, l.shared_bytes);
        if (counting)
            count_block();
        wrong = run_block(random);
    }
    if (watched)
        watch_grid_end(l.parameters.get());
    return wrong;
}
