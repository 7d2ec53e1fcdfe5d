#include "cuda/emulation/counts.h"

#include "cuda/emulation/counting.h"
#include "cuda/emulation/lines.h"
#include "cuda/emulation/lockstep.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

bool counting;

namespace
{

enum { WORD = 4 };

/* A place of a trace: a basic block, or an access of an instruction. */
struct Place {
    const void *instruction;
    bool access, write;
    counted_memory memory;
    counted_requests requests;
    int64_t steps, splits;
};

/* An array of the device, for pictures. */
struct Array {
    uint64_t first;
    int64_t bytes;
};

struct Picture {
    uint32_t place;
    Array array;
    uint32_t bytes;
    int64_t address[COUNT_WARP];
};

std::unordered_map<uintptr_t, uint32_t> numbers; /* of places, by instruction and kind */
uintptr_t last_key = UINTPTR_MAX;                /* of the place that was asked for last */
uint32_t last_number;
std::vector<Place> places;
Lockstep lockstep;
std::vector<std::vector<TraceStep>> traces; /* of the block's threads */
std::vector<bool> touched[COUNTED_WAYS];    /* sectors of the device */
std::vector<Array> arrays;
std::vector<Picture> pictures;
emulation_counts counts;
const void *first_kernel;
bool first_block;
std::vector<bool> shared_words; /* of static shared memory that the first block touched */

Place &place_at(uint32_t number)
{
    return places[number - Lockstep::FIRST_PLACE];
}

/* The number of a place; `kind`: 0 a basic block, 1 a load, 2 a store. */
uint32_t number_of(const void *instruction, unsigned kind, counted_memory memory)
{
    const uintptr_t key = reinterpret_cast<uintptr_t>(instruction) * 4 + kind;
    if (key == last_key)
        return last_number;
    const auto found = numbers.emplace(key, static_cast<uint32_t>(places.size()) +
                                                uint32_t(Lockstep::FIRST_PLACE));
    if (found.second)
        places.push_back({instruction, kind > 0, kind == 2, memory, {}, 0, 0});
    last_key = key;
    return last_number = found.first->second;
}

/* ---- requests ---- */

/* The lanes of a request: first byte and number of bytes of each. */
struct Request {
    uint64_t address[COUNT_WARP];
    unsigned lanes;
    uint32_t bytes;
};

/* Sorts numbers and removes those that are there twice; returns how many are left. */
int64_t distinct(uint64_t *numbers_, size_t count)
{
    std::sort(numbers_, numbers_ + count);
    return std::unique(numbers_, numbers_ + count) - numbers_;
}

void count_sectors(const Request &r, bool write, counted_requests &to)
{
    uint64_t sectors[2 * COUNT_WARP], bytes[COUNT_WARP];
    size_t n = 0;
    for (unsigned i = 0; i < r.lanes; i++) {
        bytes[i] = r.address[i] / r.bytes;
        sectors[n++] = r.address[i] / COUNT_SECTOR;
        sectors[n++] = (r.address[i] + r.bytes - 1) / COUNT_SECTOR;
    }
    const int64_t needed = distinct(bytes, r.lanes) * r.bytes, got = distinct(sectors, n);
    to.sectors += got;
    to.least_sectors += (needed + COUNT_SECTOR - 1) / COUNT_SECTOR;
    std::vector<bool> &seen = touched[write ? COUNTED_WRITE : COUNTED_READ];
    if (seen.size() <= sectors[got - 1])
        seen.resize(2 * sectors[got - 1] + 1);
    for (int64_t i = 0; i < got; i++)
        seen[sectors[i]] = true;
}

/* Wavefronts of one part of a request: the most different words in one bank. */
int64_t wavefronts_of(uint64_t *words, size_t n)
{
    int64_t most = 0, in_bank[COUNT_BANKS] = {};
    const int64_t different = distinct(words, n);
    for (int64_t i = 0; i < different; i++)
        most = std::max(most, ++in_bank[words[i] % COUNT_BANKS]);
    return most;
}

/* `lane_of`: the lane's number of each address, since some lanes may be inactive. */
void count_banks(const Request &r, const unsigned *lane_of, counted_requests &to)
{
    const unsigned parts = r.bytes > 2 * WORD ? 4 : r.bytes > WORD ? 2 : 1;
    for (unsigned part = 0; part < parts; part++) {
        uint64_t words[4 * COUNT_WARP];
        size_t n = 0;
        for (unsigned i = 0; i < r.lanes; i++)
            for (uint64_t b = 0; lane_of[i] * parts / COUNT_WARP == part && b < r.bytes; b += WORD)
                words[n++] = (r.address[i] + b) / WORD;
        to.wavefronts += n > 0 ? wavefronts_of(words, n) : 0;
        to.least_wavefronts += n > 0;
    }
}

void count_words(const Request &r, counted_requests &to)
{
    uint64_t words[COUNT_WARP];
    for (unsigned i = 0; i < r.lanes; i++)
        words[i] = r.address[i] / WORD;
    to.wavefronts += distinct(words, r.lanes);
    to.least_wavefronts++;
}

void keep_picture(uint32_t place, const TraceStep *const steps[COUNT_WARP], uint32_t bytes)
{
    enum { MOST = 256 };
    Picture p = {place, {0, 0}, bytes, {}};
    if (pictures.size() >= MOST)
        return;
    uint64_t any = 0;
    for (unsigned i = 0; i < COUNT_WARP; i++)
        any = steps[i] ? steps[i]->address : any;
    for (const Array &a : arrays)
        if (any - a.first < static_cast<uint64_t>(a.bytes))
            p.array = a;
    for (unsigned i = 0; i < COUNT_WARP; i++)
        p.address[i] = steps[i] ? static_cast<int64_t>(steps[i]->address - p.array.first) : -1;
    pictures.push_back(p);
}

void count_request(const TraceStep *const steps[COUNT_WARP], uint32_t mask)
{
    Request r = {{}, 0, 0};
    unsigned lane_of[COUNT_WARP];
    for (unsigned i = 0; i < COUNT_WARP; i++)
        if (mask >> i & 1) {
            r.bytes = steps[i]->info;
            lane_of[r.lanes] = i;
            r.address[r.lanes++] = steps[i]->address;
        }
    Place &p = place_at(steps[lane_of[0]]->place);
    p.requests.requests++;
    p.requests.lanes += r.lanes;
    p.requests.lane_bytes += r.lanes * r.bytes;
    if (p.memory == COUNTED_GLOBAL)
        count_sectors(r, p.write, p.requests);
    else if (p.memory == COUNTED_SHARED)
        count_banks(r, lane_of, p.requests);
    else
        count_words(r, p.requests);
}

/* ---- totals ---- */

void add(counted_requests &to, const counted_requests &more)
{
    to.requests += more.requests;
    to.lanes += more.lanes;
    to.lane_bytes += more.lane_bytes;
    to.sectors += more.sectors;
    to.least_sectors += more.least_sectors;
    to.wavefronts += more.wavefronts;
    to.least_wavefronts += more.least_wavefronts;
}

void add_places()
{
    for (uint32_t i = 0; i < places.size(); i++) {
        const Place &p = places[i];
        if (p.access)
            add(counts.requests[p.memory][p.write], p.requests);
        if (lockstep.is_branch(i + uint32_t(Lockstep::FIRST_PLACE)))
            counts.branches += p.steps;
        counts.splits += p.splits;
    }
    counts.static_shared_bytes = WORD * std::count(shared_words.begin(), shared_words.end(), true);
    for (int way = 0; way < COUNTED_WAYS; way++)
        counts.distinct_sectors[way] = std::count(touched[way].begin(), touched[way].end(), true);
}

void note_static(const CountedAccess &a)
{
    if (a.array != COUNTED_STATIC_ARRAY)
        return;
    const uint64_t last = (a.at + a.bytes - 1) / WORD;
    if (shared_words.size() <= last)
        shared_words.resize(last + 1);
    for (uint64_t word = a.at / WORD; word <= last; word++)
        shared_words[word] = true;
}

void forget()
{
    counts = {};
    numbers.clear();
    places.clear();
    lockstep = Lockstep();
    arrays.clear();
    pictures.clear();
    for (std::vector<bool> &t : touched)
        t.clear();
    shared_words.clear();
    last_key = UINTPTR_MAX;
}

} // namespace

/* ---- what the watch tells ---- */

void count_access(unsigned thread, const CountedAccess &a)
{
    if (a.memory == COUNTED_GLOBAL &&
        std::none_of(arrays.begin(), arrays.end(),
                     [&](const Array &known) { return known.first == a.array; }))
        arrays.push_back({a.array, a.array_bytes});
    if (a.memory == COUNTED_SHARED && first_block && counts.launches == 1)
        note_static(a);
    traces[thread].push_back(
        {number_of(a.instruction, a.write ? 2 : 1, a.memory), a.bytes, a.array + a.at});
}

void count_block_of_code(unsigned thread, const void *instruction)
{
    traces[thread].push_back({number_of(instruction, 0, COUNTED_GLOBAL), 0, 0});
}

void count_grid(const Launch &l)
{
    const size_t threads = size_t(l.block.x) * l.block.y * l.block.z;
    const unsigned grid[] = {l.grid.x, l.grid.y, l.grid.z},
                   block[] = {l.block.x, l.block.y, l.block.z};
    if (counts.launches++ == 0) {
        first_kernel = l.kernel;
        std::copy(grid, grid + 3, counts.grid);
        std::copy(block, block + 3, counts.block);
        counts.dynamic_shared_bytes = static_cast<int64_t>(l.shared_bytes);
    }
    traces.assign(threads, {});
    first_block = true;
}

void count_block()
{
    const int64_t threads = static_cast<int64_t>(traces.size());
    counts.blocks++;
    counts.threads += threads;
    counts.warps += (threads + COUNT_WARP - 1) / COUNT_WARP;
    for (std::vector<TraceStep> &t : traces)
        t.clear();
}

void count_phase(bool barrier)
{
    bool first_warp = first_block;
    counts.barriers += barrier;
    for (const std::vector<TraceStep> &t : traces)
        lockstep.learn(t);
    for (size_t i = 0; i < traces.size(); i += COUNT_WARP) {
        lockstep.execute(
            &traces[i], static_cast<unsigned>(std::min(traces.size() - i, size_t(COUNT_WARP))),
            [=](const TraceStep *const steps[COUNT_WARP], uint32_t mask) {
                const TraceStep &s = *steps[__builtin_ctz(mask)];
                counts.steps++;
                counts.active_lanes += __builtin_popcount(mask);
                place_at(s.place).steps++;
                if (s.info > 0)
                    count_request(steps, mask);
                if (s.info > 0 && first_warp)
                    keep_picture(s.place, steps, s.info);
            },
            [](uint32_t place) {
                if (place >= Lockstep::FIRST_PLACE)
                    place_at(place).splits++;
            });
        first_warp = false;
    }
    for (std::vector<TraceStep> &t : traces)
        t.clear();
    first_block = first_block && barrier;
}

/* ---- interface ---- */

extern "C" {

void emulation_count_begin(void)
{
    forget();
    counting = true;
}

void emulation_count_end(struct emulation_counts *out)
{
    counting = false;
    add_places();
    *out = counts;
}

void emulation_count_kernel(struct counted_kernel *kernel)
{
    const FunctionPlace at =
        counts.launches > 0 && first_kernel ? function_at(first_kernel) : FunctionPlace();
    snprintf(kernel->name, sizeof kernel->name, "%s", at.name.c_str());
    snprintf(kernel->file, sizeof kernel->file, "%s",
             at.place.substr(0, at.place.rfind(':')).c_str());
}

/* Texts of places, by number. */
static std::vector<std::string> texts()
{
    std::vector<const void *> instructions;
    for (const Place &p : places)
        instructions.push_back(static_cast<const char *>(p.instruction) - 1);
    return lines_of(instructions);
}

/* Adds what place `i` counted to a line; false if that is nothing. */
static bool add_place(counted_line &line, uint32_t i)
{
    const Place &p = places[i];
    const bool branch = lockstep.is_branch(i + uint32_t(Lockstep::FIRST_PLACE));
    if (p.requests.requests == 0 && p.splits == 0)
        return false;
    if (p.access)
        add(line.requests[p.memory][p.write], p.requests);
    line.branches += branch ? p.steps : 0;
    line.splits += p.splits;
    return true;
}

int64_t emulation_count_places(struct counted_line *out, int64_t most)
{
    int64_t n = 0;
    for (uint32_t i = 0; i < places.size(); i++) {
        counted_line line = {};
        if (!add_place(line, i))
            continue;
        snprintf(line.place, sizeof line.place, "%s",
                 line_mark(static_cast<const char *>(places[i].instruction) - 1).c_str());
        if (n < most)
            out[n] = line;
        n++;
    }
    return n;
}

int64_t emulation_count_lines(struct counted_line *lines, int64_t most)
{
    const std::vector<std::string> at = texts();
    std::map<std::string, counted_line> by_place;
    for (uint32_t i = 0; i < places.size(); i++) {
        counted_line line = {};
        if (add_place(line, i) && !by_place.emplace(at[i], line).second)
            add_place(by_place[at[i]], i);
    }
    int64_t n = 0;
    for (auto &known : by_place) {
        snprintf(known.second.place, sizeof known.second.place, "%s", known.first.c_str());
        if (n < most)
            lines[n] = known.second;
        n++;
    }
    return n;
}

int64_t emulation_count_pictures(struct counted_picture *out, int64_t most)
{
    const std::vector<std::string> at = texts();
    int64_t n = 0;
    for (const Picture &p : pictures) {
        const Place &place = place_at(p.place);
        if (n < most) {
            counted_picture &one = out[n];
            one = {"", place.memory, place.write, p.array.bytes, p.bytes, {}};
            snprintf(one.place, sizeof one.place, "%s",
                     at[p.place - Lockstep::FIRST_PLACE].c_str());
            std::copy(p.address, p.address + COUNT_WARP, one.address);
        }
        n++;
    }
    return n;
}
}
