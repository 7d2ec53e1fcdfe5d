#include "fibers.h"

#include "context.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <sanitizer/asan_interface.h>
#include <sys/mman.h>
#include <utility>
#include <vector>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#endif

uint3 threadIdx, blockIdx;
dim3 blockDim, gridDim;

/* The kernels' dynamic shared memory, under the name that they use, and their static shared
 * memory. */
alignas(16) float pool_tile[SHIM_SHARED_BYTES / sizeof(float)];
extern "C" {
__attribute__((weak)) extern char __start_cuda_shared[], __stop_cuda_shared[];
}

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

enum { STACK_BYTES = 128 * 1024 };

/* A copy into shared memory (cp.async). */
struct Copy {
    float *to;
    const float *from; /* nullptr: zeros */
    int elements;
};

/* A fiber runs one thread of the block after another on its stack. At a barrier it waits, and
 * another fiber takes the threads that are left. So kernels without barriers need one fiber. */
struct Fiber {
    Context context;
    std::vector<Copy> copies; /* started by the thread, not awaited yet */
    char *stack;
    void *fake_stack;
    bool waiting;
    const char *kernel, *file;
    int line;
};

/* Of the running grid. */
const std::function<void()> *thread_body;
std::vector<unsigned> order;
unsigned next_thread, finished;

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
    leave_to(&self->fake_stack, scheduler_stack, scheduler_stack_bytes);
    context_switch(&self->context, &scheduler);
    arrive(self->fake_stack, &scheduler_stack, &scheduler_stack_bytes);
}

void take_threads()
{
    while (next_thread < order.size()) {
        const unsigned i = order[next_thread++];
        threadIdx.x = i % blockDim.x;
        threadIdx.y = i / blockDim.x % blockDim.y;
        threadIdx.z = i / blockDim.x / blockDim.y;
        running->copies.clear();
        (*thread_body)();
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
    f->waiting = false;
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
    f->waiting = false;
    leave_to(&scheduler_fake_stack, f->stack, STACK_BYTES);
    context_switch(&scheduler, &f->context);
    arrive(scheduler_fake_stack, nullptr, nullptr);
    (f->waiting ? waiting : idle).push_back(f);
}

/* ---- blocks -----------------------------------------------------------------------------------
 */

std::string place(const Fiber *f)
{
    char text[512];
    snprintf(text, sizeof text, "%s:%d, block (%u, %u, %u), kernel %.300s", f->file, f->line,
             blockIdx.x, blockIdx.y, blockIdx.z, f->kernel);
    return text;
}

/* Returns "" if all threads wait at the same barrier, otherwise what is wrong. */
std::string check_barrier()
{
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
    memset(pool_tile, 0xff, dynamic_bytes);
    ASAN_POISON_MEMORY_REGION(reinterpret_cast<char *>(pool_tile) + dynamic_bytes,
                              sizeof pool_tile - dynamic_bytes);
    if (__start_cuda_shared)
        memset(__start_cuda_shared, 0xff,
               static_cast<size_t>(__stop_cuda_shared - __start_cuda_shared));
}

std::string run_block(Random &random)
{
    random.order(order.data(), static_cast<unsigned>(order.size()));
    next_thread = finished = 0;
    while (next_thread < order.size())
        run(idle_fiber());
    std::vector<unsigned> turns(order.size());
    while (!waiting.empty()) {
        const std::string wrong = check_barrier();
        if (!wrong.empty()) {
            abandon_waiting();
            return wrong;
        }
        const std::vector<Fiber *> released = std::move(waiting);
        waiting.clear();
        random.order(turns.data(), static_cast<unsigned>(released.size()));
        for (size_t i = 0; i < released.size(); i++)
            run(released[turns[i]]);
    }
    return "";
}

} // namespace

void shim_barrier(const char *kernel, const char *file, int line)
{
    Fiber *self = running;
    const uint3 mine = threadIdx;
    self->waiting = true;
    self->kernel = kernel;
    self->file = file;
    self->line = line;
    back_to_scheduler(self);
    threadIdx = mine;
}

void shim_copy_begin(float *to, const float *from, int elements, bool there)
{
    running->copies.push_back({to, there ? from : nullptr, elements});
}

void shim_copy_wait()
{
    for (const Copy &c : running->copies)
        for (int i = 0; i < c.elements; i++)
            c.to[i] = c.from ? c.from[i] : 0.0f;
    running->copies.clear();
}

std::string run_grid(dim3 grid, dim3 block, size_t shared_bytes,
                     const std::function<void()> &thread, Random &random)
{
    const size_t blocks = static_cast<size_t>(grid.x) * grid.y * grid.z;
    std::vector<unsigned> turns(blocks);
    std::string wrong;
    thread_body = &thread;
    gridDim = grid;
    blockDim = block;
    order.resize(static_cast<size_t>(block.x) * block.y * block.z);
    random.order(turns.data(), static_cast<unsigned>(blocks));
    for (size_t i = 0; wrong.empty() && i < blocks; i++) {
        blockIdx.x = turns[i] % grid.x;
        blockIdx.y = turns[i] / grid.x % grid.y;
        blockIdx.z = turns[i] / grid.x / grid.y;
        poison_shared(shared_bytes);
        wrong = run_block(random);
    }
    return wrong;
}
