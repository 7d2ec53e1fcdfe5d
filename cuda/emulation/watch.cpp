#include "cuda/emulation/watch.h"

#include "cuda/emulation/counting.h"
#include "cuda/emulation/fibers.h"
#include "cuda/emulation/lines.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <link.h>
#include <map>
#include <sys/mman.h>
#include <unordered_map>
#include <vector>

WatchedThread watched_thread;
bool watching;

extern "C" {
__attribute__((weak)) extern char __start_cuda_position[], __stop_cuda_position[];
}

namespace
{

enum { WORD = 4, GUARD = 1 << 16 };

/* The last accesses of 4 bytes of memory. A stamp says which thread, and when: 0 is never. */
struct Trace {
    uint64_t write, read[2]; /* the last reader, and another one */
    uint32_t write_site, read_site[2];
    uint32_t atomic_write;
};

/* An array, with a trace for every 4 bytes and a flag for every byte: it was written. Their memory
 * appears when it is first touched. */
struct Region {
    uintptr_t first;
    size_t bytes;
    uint8_t memory;
    bool checked;    /* false: constants and parameters, which nothing writes */
    uint64_t device; /* its address on a device, where arrays begin at multiples of 256 */
    Trace *traces;
    uint16_t *written; /* in shared memory by which block: written_now() */
};

struct Grid {
    uint32_t operation;
    uint64_t first_block; /* serial number */
};

bool checks;
std::map<uintptr_t, Region> regions;
Region shared_static, shared_dynamic;
const Region *last_region;
std::string fault;
Operations operations;
std::vector<Grid> grids;
uint64_t block_serial = 1;
struct {
    unsigned x, y, z;
} block;
std::unordered_map<const void *, uint32_t> site_numbers;
std::vector<const void *> sites = {nullptr};

void *reserve(size_t bytes)
{
    void *place = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (place == MAP_FAILED) {
        fprintf(stderr, "CUDA emulation: no memory to watch %zu bytes\n", bytes);
        abort();
    }
    return place;
}

size_t trace_count(const Region &r)
{
    return r.bytes / WORD + 2;
}

uint64_t next_device_address(size_t bytes)
{
    const uint64_t ALIGNMENT = 256;
    static uint64_t next = ALIGNMENT;
    const uint64_t address = next;
    next += (bytes / ALIGNMENT + 1) * ALIGNMENT;
    return address;
}

Region new_region(const void *first, size_t bytes, Memory memory, bool written)
{
    Region r = {reinterpret_cast<uintptr_t>(first),
                bytes,
                static_cast<uint8_t>(memory),
                memory != MEMORY_CONSTANT,
                next_device_address(bytes),
                nullptr,
                nullptr};
    if (r.checked) {
        r.traces = static_cast<Trace *>(reserve(trace_count(r) * sizeof(Trace)));
        r.written = static_cast<uint16_t *>(reserve(2 * (bytes + 1)));
        if (written)
            std::fill_n(r.written, bytes, uint16_t(1));
    }
    return r;
}

void release(Region &r)
{
    if (r.traces)
        munmap(r.traces, trace_count(r) * sizeof(Trace));
    if (r.written)
        munmap(r.written, 2 * (r.bytes + 1));
    r.traces = nullptr;
    r.written = nullptr;
}

bool holds(const Region &r, uintptr_t address)
{
    return address - r.first < r.bytes;
}

/* Shared memory is new to every block: what another block wrote does not count. Two blocks have the
 * same mark only if 65535 blocks lie between. */
uint16_t written_now(const Region &r)
{
    return r.memory == MEMORY_SHARED ? static_cast<uint16_t>(block_serial % 0xffff + 1) : 1;
}

uint32_t site_of(const void *instruction)
{
    static const void *last;
    static uint32_t last_number;
    if (instruction == last)
        return last_number;
    const auto found = site_numbers.emplace(instruction, static_cast<uint32_t>(sites.size()));
    if (found.second)
        sites.push_back(instruction);
    last = instruction;
    return last_number = found.first->second;
}

/* ---- stamps ---- */

/* block (serial number) 32 bits, barrier of the block 12, barrier of the warp 10, thread 10 */
uint64_t stamp_now()
{
    return block_serial << 32 | static_cast<uint64_t>(watched_thread.phase & 0xfff) << 20 |
           (watched_thread.warp_phase & 0x3ff) << 10 | watched_thread.thread;
}

unsigned thread_of(uint64_t stamp)
{
    return stamp & 0x3ff;
}

uint32_t operation_of(uint64_t stamp)
{
    const uint64_t serial = stamp >> 32;
    size_t low = 0, high = grids.size();
    while (high - low > 1) {
        const size_t middle = (low + high) / 2;
        (grids[middle].first_block <= serial ? low : high) = middle;
    }
    return grids[low].operation;
}

bool operations_are_ordered(uint32_t a, uint32_t b)
{
    static uint32_t last_a, last_b;
    static bool last;
    if (a != last_a || b != last_b) {
        last = operations.are_ordered(a, b);
        last_a = a;
        last_b = b;
    }
    return last;
}

/* True if nothing orders an earlier access and one of now. */
bool is_race(const Region &r, uint64_t before, uint64_t now)
{
    if (before == 0 || before == now)
        return false;
    if (before >> 32 != now >> 32) {
        if (r.memory == MEMORY_SHARED)
            return false;
        const uint32_t a = operation_of(before), b = operation_of(now);
        return a == b || !operations_are_ordered(a, b);
    }
    if ((before >> 20 & 0xfff) != (now >> 20 & 0xfff) || thread_of(before) == thread_of(now))
        return false;
    const bool same_warp = thread_of(before) / 32 == thread_of(now) / 32;
    return !(same_warp && (before >> 10 & 0x3ff) != (now >> 10 & 0x3ff));
}

/* ---- faults ---- */

std::string here(const void *instruction)
{
    return line_mark(static_cast<const char *>(instruction) - 1);
}

std::string block_text()
{
    char text[64];
    snprintf(text, sizeof text, "block (%u, %u, %u)", block.x, block.y, block.z);
    return text;
}

/* Notes the fault and ends the thread; outside of a kernel only notes it. */
void report(const std::string &what)
{
    if (fault.empty())
        fault = what;
    if (watching) {
        watching = false;
        fibers_abandon();
    }
}

const char *memory_word(const Region &r)
{
    return r.memory == MEMORY_SHARED     ? "shared"
           : r.memory == MEMORY_CONSTANT ? "constant"
                                         : "global";
}

std::string who_now()
{
    return thread_text(watched_thread.thread) + " of " + block_text();
}

/* Who made an earlier access. */
std::string who(uint64_t stamp)
{
    if (stamp >> 32 == block_serial)
        return thread_text(thread_of(stamp));
    const uint32_t operation = operation_of(stamp);
    return operation == grids.back().operation ? "a thread of another block"
                                               : "another kernel or copy";
}

void report_race(const Region &r, uintptr_t address, bool write, const void *instruction,
                 uint64_t before, uint32_t site, bool wrote)
{
    char text[96];
    const bool same_block = before >> 32 == block_serial;
    snprintf(text, sizeof text, "byte %zu of %s memory (address %#zx)",
             static_cast<size_t>(address - r.first), memory_word(r), static_cast<size_t>(address));
    report("race on " + std::string(text) + ": " + who_now() +
           (write ? " writes it at " : " reads it at ") + here(instruction) + ", " + who(before) +
           (wrote ? " wrote it at " : " read it at ") + here(sites[site]) +
           (same_block ? ", and no barrier lies between" : ", and nothing orders the two"));
}

[[noreturn]] void report_outside(uintptr_t address, size_t bytes, bool write,
                                 const void *instruction)
{
    char text[160] = "";
    for (const auto &named : regions) {
        const Region &r = named.second;
        const intptr_t off = static_cast<intptr_t>(address - r.first);
        if (!r.checked || off < -GUARD || off > static_cast<intptr_t>(r.bytes) + GUARD)
            continue;
        if (off < 0)
            snprintf(text, sizeof text, ", %zd bytes before an array of %zu bytes", -off, r.bytes);
        else
            snprintf(text, sizeof text, ", %zu bytes after the end of an array of %zu bytes",
                     static_cast<size_t>(off) - r.bytes +
                         (static_cast<size_t>(off) < r.bytes ? bytes : 0),
                     r.bytes);
        break;
    }
    report(std::string("out of bounds: ") + who_now() + (write ? " writes " : " reads ") +
           std::to_string(bytes) + " bytes at " + here(instruction) +
           (text[0] ? text : ", in no array of the device (memory of the host?)"));
    abort();
}

/* ---- accesses ---- */

bool any_written(const Region &r, uintptr_t address, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (r.written[address - r.first + i] == written_now(r))
            return true;
    return false;
}

/* A vector of which a part was written may be read for that part. */
void check_written(const Region &r, uintptr_t address, size_t bytes, const void *instruction)
{
    size_t missing = bytes;
    for (size_t i = bytes; i-- > 0;)
        if (r.written[address - r.first + i] != written_now(r))
            missing = i;
    if (missing == bytes || (bytes > WORD && any_written(r, address, bytes)))
        return;
    report(std::string(memory_word(r)) + " memory is read before it was written: " + who_now() +
           " reads byte " + std::to_string(address - r.first + missing) + " at " +
           here(instruction));
}

void check_trace(const Region &r, Trace &c, uintptr_t address, bool write, bool atomic,
                 uint32_t site, uint64_t now)
{
    const void *instruction = sites[site];
    if (!(atomic && c.atomic_write) && is_race(r, c.write, now))
        report_race(r, address, write, instruction, c.write, c.write_site, true);
    if (write)
        for (int i = 0; i < 2; i++)
            if (is_race(r, c.read[i], now))
                report_race(r, address, write, instruction, c.read[i], c.read_site[i], false);
    if (write) {
        c.write = now;
        c.write_site = site;
        c.atomic_write = atomic;
    } else if (c.read[0] != now) {
        if (thread_of(c.read[0]) != thread_of(now) || c.read[0] >> 32 != now >> 32) {
            c.read[1] = c.read[0];
            c.read_site[1] = c.read_site[0];
        }
        c.read[0] = now;
        c.read_site[0] = site;
    }
}

void check(const Region &r, uintptr_t address, size_t bytes, bool write, bool atomic, uint32_t site,
           uint64_t now)
{
    const size_t first = (address - r.first) / WORD, last = (address - r.first + bytes - 1) / WORD;
    if (!write || atomic)
        check_written(r, address, bytes, sites[site]);
    for (size_t i = first; i <= last; i++)
        check_trace(r, r.traces[i], address, write, atomic, site, now);
    if (write)
        std::fill_n(r.written + (address - r.first), bytes, written_now(r));
}

const Region *find_region(uintptr_t address)
{
    if (last_region && holds(*last_region, address))
        return last_region;
    for (auto next = regions.upper_bound(address); next != regions.begin();) {
        --next; /* variables on the device are within their object's data */
        if (holds(next->second, address))
            return last_region = &next->second;
    }
    return nullptr;
}

/* True for the variables of the object that holds the kernels, and this emulation with them. */
bool is_own(const ElfW(Phdr) & part, uintptr_t first)
{
    return part.p_flags & PF_W && reinterpret_cast<uintptr_t>(&watching) - first < part.p_memsz;
}

/* Adds the data of every loaded object: variables on the device, tables, constants. Read-only parts
 * and those of the host's libraries are constants. */
int add_object(dl_phdr_info *object, size_t, void *)
{
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) &part = object->dlpi_phdr[i];
        const uintptr_t first = object->dlpi_addr + part.p_vaddr;
        if (part.p_type == PT_LOAD && part.p_memsz > 0 && !regions.count(first))
            regions[first] =
                new_region(reinterpret_cast<const void *>(first), part.p_memsz,
                           is_own(part, first) ? MEMORY_GLOBAL : MEMORY_CONSTANT, true);
    }
    return 0;
}

/* True in all that dynamic shared memory might have, whatever the launch asked for. */
bool is_dynamic(uintptr_t address)
{
    return address - shared_dynamic.first < EMULATION_SHARED_BYTES;
}

void count(const Region &r, uintptr_t address, size_t bytes, bool write, const void *instruction)
{
    count_access(watched_thread.thread, {r.memory == MEMORY_SHARED     ? COUNTED_SHARED
                                         : r.memory == MEMORY_CONSTANT ? COUNTED_CONSTANT
                                                                       : COUNTED_GLOBAL,
                                         r.device, static_cast<int64_t>(r.bytes), address - r.first,
                                         static_cast<uint32_t>(bytes), write, instruction});
}

void take(const void *pointer, size_t bytes, bool write, bool aligned, bool atomic,
          const void *instruction)
{
    const uintptr_t address = reinterpret_cast<uintptr_t>(pointer);
    if (address - reinterpret_cast<uintptr_t>(watched_thread.stack) < watched_thread.stack_bytes ||
        address - reinterpret_cast<uintptr_t>(__start_cuda_position) <
            static_cast<size_t>(__stop_cuda_position - __start_cuda_position))
        return;
    const Region *r = is_dynamic(address)             ? &shared_dynamic
                      : holds(shared_static, address) ? &shared_static
                                                      : find_region(address);
    if (!r || !holds(*r, address + bytes - 1))
        report_outside(address, bytes, write, instruction);
    if (aligned && address % bytes != 0)
        report("misaligned: " + who_now() + (write ? " writes " : " reads ") +
               std::to_string(bytes) + " bytes at an address that is no multiple of it, at " +
               here(instruction));
    const uint32_t site = site_of(instruction);
    if (!r->checked)
        return;
    check(*r, address, bytes, write, atomic, site, stamp_now());
    if (counting)
        count(*r, address, bytes, write, instruction);
}

} // namespace

/* ---- interface ---- */

void watch_set(bool on)
{
    checks = on;
}

bool watch_checks()
{
    return checks;
}

void watch_allocated(char *array, size_t bytes, bool written)
{
    if (checks)
        regions[reinterpret_cast<uintptr_t>(array)] =
            new_region(array, bytes, MEMORY_GLOBAL, written);
}

void watch_symbol(char *symbol, size_t bytes)
{
    const uintptr_t first = reinterpret_cast<uintptr_t>(symbol);
    if (!checks || regions.count(first))
        return;
    Region r = new_region(symbol, bytes, MEMORY_GLOBAL, false);
    r.memory = MEMORY_CONSTANT;
    regions[first] = r;
    last_region = nullptr;
}

void watch_freed(char *array)
{
    const auto found = regions.find(reinterpret_cast<uintptr_t>(array));
    if (found == regions.end())
        return;
    release(found->second);
    regions.erase(found);
    last_region = nullptr;
}

void watch_copied(const void *array, size_t bytes, bool write, uint32_t operation)
{
    const uintptr_t address = reinterpret_cast<uintptr_t>(array);
    const Region *r = checks && bytes > 0 ? find_region(address) : nullptr;
    if (!r || !r->checked || !holds(*r, address + bytes - 1))
        return;
    grids.push_back({operation, ++block_serial});
    watched_thread = {};
    const uint32_t site = site_of(operations.at(operation).call);
    const uint64_t now = stamp_now();
    const size_t first = (address - r->first) / WORD,
                 last = (address - r->first + bytes - 1) / WORD;
    for (size_t i = first; i <= last; i++)
        check_trace(*r, r->traces[i], r->first + i * WORD, write, false, site, now);
    if (write)
        std::fill_n(r->written + (address - r->first), bytes, written_now(*r));
}

void watch_grid(uint32_t operation, const void *parameters, size_t parameter_bytes)
{
    static bool objects_are_known;
    if (!objects_are_known) {
        objects_are_known = true;
        dl_iterate_phdr(add_object, nullptr);
        const SharedMemory all = shared_memory();
        shared_static = new_region(all.first, all.bytes, MEMORY_SHARED, false);
        shared_dynamic =
            new_region(emulation_dynamic_shared(), EMULATION_SHARED_BYTES, MEMORY_SHARED, false);
        shared_static.device = COUNTED_STATIC_ARRAY;
        shared_dynamic.device = COUNTED_DYNAMIC_ARRAY;
    }
    grids.push_back({operation, block_serial + 1});
    if (parameter_bytes > 0)
        regions[reinterpret_cast<uintptr_t>(parameters)] =
            new_region(parameters, parameter_bytes, MEMORY_CONSTANT, true);
}

void watch_grid_end(const void *parameters)
{
    last_region = nullptr;
    regions.erase(reinterpret_cast<uintptr_t>(parameters));
}

void watch_block(unsigned x, unsigned y, unsigned z, size_t shared_bytes)
{
    block_serial++;
    block = {x, y, z};
    shared_dynamic.bytes = shared_bytes;
}

void watch_access(const void *address, size_t bytes, bool write, bool atomic,
                  const void *instruction)
{
    if (watching)
        take(address, bytes, write, true, atomic, instruction);
}

const std::string &watch_fault()
{
    return fault;
}

void watch_note(const std::string &wrong)
{
    if (fault.empty())
        fault = wrong;
}

void watch_forget()
{
    fault.clear();
}

Operations &watch_operations()
{
    return operations;
}

/* ---- called by instrumented code --------------------------------------------------------------
 */

#define ACCESS(name, bytes, write, aligned)                                                        \
    extern "C" void name(void *address)                                                            \
    {                                                                                              \
        if (__builtin_expect(watching, 0))                                                         \
            take(address, bytes, write, aligned, false, __builtin_return_address(0));              \
    }
ACCESS(__tsan_read1, 1, false, true)
ACCESS(__tsan_read2, 2, false, true)
ACCESS(__tsan_read4, 4, false, true)
ACCESS(__tsan_read8, 8, false, true)
ACCESS(__tsan_read16, 16, false, true)
ACCESS(__tsan_write1, 1, true, true)
ACCESS(__tsan_write2, 2, true, true)
ACCESS(__tsan_write4, 4, true, true)
ACCESS(__tsan_write8, 8, true, true)
ACCESS(__tsan_write16, 16, true, true)
ACCESS(__tsan_unaligned_read2, 2, false, false)
ACCESS(__tsan_unaligned_read4, 4, false, false)
ACCESS(__tsan_unaligned_read8, 8, false, false)
ACCESS(__tsan_unaligned_read16, 16, false, false)
ACCESS(__tsan_unaligned_write2, 2, true, false)
ACCESS(__tsan_unaligned_write4, 4, true, false)
ACCESS(__tsan_unaligned_write8, 8, true, false)
ACCESS(__tsan_unaligned_write16, 16, true, false)
ACCESS(__tsan_volatile_read1, 1, false, true)
ACCESS(__tsan_volatile_read4, 4, false, true)
ACCESS(__tsan_volatile_read8, 8, false, true)
ACCESS(__tsan_volatile_write1, 1, true, true)
ACCESS(__tsan_volatile_write4, 4, true, true)
ACCESS(__tsan_volatile_write8, 8, true, true)

extern "C" void __sanitizer_cov_trace_pc(void)
{
    if (__builtin_expect(counting, 0) && watching)
        count_block_of_code(watched_thread.thread, __builtin_return_address(0));
}

/* A struct that is copied: word by word. */
static void take_range(char *address, size_t bytes, bool write, const void *instruction)
{
    for (size_t i = 0; watching && i < bytes; i += WORD)
        take(address + i, std::min(bytes - i, size_t(WORD)), write, false, false, instruction);
}

/* Atomic operations of the compiler: of the host's code, since kernels have functions for them.
 * They are declared as the compiler declares them when it checks for something. */
#define ATOMIC(bits, type)                                                                         \
    extern "C" type __tsan_atomic##bits##_load(const volatile void *address, int)                  \
    {                                                                                              \
        return __atomic_load_n((const volatile type *)address, __ATOMIC_SEQ_CST);                  \
    }                                                                                              \
    extern "C" void __tsan_atomic##bits##_store(volatile void *address, type value, int)           \
    {                                                                                              \
        __atomic_store_n((volatile type *)address, value, __ATOMIC_SEQ_CST);                       \
    }                                                                                              \
    extern "C" type __tsan_atomic##bits##_exchange(volatile void *address, type value, int)        \
    {                                                                                              \
        return __atomic_exchange_n((volatile type *)address, value, __ATOMIC_SEQ_CST);             \
    }                                                                                              \
    extern "C" type __tsan_atomic##bits##_fetch_add(volatile void *address, type value, int)       \
    {                                                                                              \
        return __atomic_fetch_add((volatile type *)address, value, __ATOMIC_SEQ_CST);              \
    }                                                                                              \
    extern "C" type __tsan_atomic##bits##_fetch_sub(volatile void *address, type value, int)       \
    {                                                                                              \
        return __atomic_fetch_sub((volatile type *)address, value, __ATOMIC_SEQ_CST);              \
    }                                                                                              \
    extern "C" bool __tsan_atomic##bits##_compare_exchange_strong(                                 \
        volatile void *address, void *expected, type value, int, int)                              \
    {                                                                                              \
        return __atomic_compare_exchange_n((volatile type *)address, (type *)expected, value,      \
                                           false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);             \
    }
ATOMIC(8, uint8_t)
ATOMIC(32, uint32_t)
ATOMIC(64, uint64_t)

extern "C" {
void __tsan_read_range(void *address, long bytes)
{
    take_range(static_cast<char *>(address), size_t(bytes), false, __builtin_return_address(0));
}

void __tsan_write_range(void *address, long bytes)
{
    take_range(static_cast<char *>(address), size_t(bytes), true, __builtin_return_address(0));
}

void *__tsan_memcpy(void *to, const void *from, size_t bytes)
{
    take_range(static_cast<char *>(const_cast<void *>(from)), bytes, false,
               __builtin_return_address(0));
    take_range(static_cast<char *>(to), bytes, true, __builtin_return_address(0));
    return memcpy(to, from, bytes);
}

void *__tsan_memmove(void *to, const void *from, size_t bytes)
{
    take_range(static_cast<char *>(const_cast<void *>(from)), bytes, false,
               __builtin_return_address(0));
    take_range(static_cast<char *>(to), bytes, true, __builtin_return_address(0));
    return memmove(to, from, bytes);
}

void *__tsan_memset(void *to, int byte, size_t bytes)
{
    take_range(static_cast<char *>(to), bytes, true, __builtin_return_address(0));
    return memset(to, byte, bytes);
}

void __tsan_init(void)
{
}

void __tsan_func_entry(void *)
{
}

void __tsan_func_exit(void *)
{
}

void __tsan_vptr_update(void *, void *)
{
}

void __tsan_vptr_read(void *)
{
}
}
