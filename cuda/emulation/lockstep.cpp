#include "cuda/emulation/lockstep.h"

#include <algorithm>

struct Lockstep::Warp {
    const std::vector<TraceStep> *traces;
    const std::function<void(const TraceStep *const[32], uint32_t)> &step;
    const std::function<void(uint32_t)> &split;
    size_t at[32];

    uint32_t place(unsigned lane) const
    {
        return at[lane] < traces[lane].size() ? traces[lane][at[lane]].place : uint32_t(END);
    }
};

void Lockstep::add(uint32_t from, uint32_t to)
{
    if (next_.size() <= std::max(from, to))
        next_.resize(std::max(from, to) + size_t(1));
    std::vector<uint32_t> &ways = next_[from];
    if (std::find(ways.begin(), ways.end(), to) != ways.end())
        return;
    ways.push_back(to);
    changed_ = true;
}

void Lockstep::learn(const std::vector<TraceStep> &trace)
{
    uint32_t last = ENTRY;
    for (const TraceStep &s : trace) {
        add(last, s.place);
        last = s.place;
    }
    add(last, END);
}

/* The first common post-dominator of two places whose own are known. */
uint32_t Lockstep::meeting_of(uint32_t a, uint32_t b) const
{
    while (a != b)
        if (rank_[a] < rank_[b])
            a = meeting_[a];
        else
            b = meeting_[b];
    return a;
}

/* Immediate post-dominators: the dominators of the reversed graph, from its end (Cooper, Harvey and
 * Kennedy 2001, "A Simple, Fast Dominance Algorithm"). */
void Lockstep::find_meetings()
{
    const uint32_t NONE = UINT32_MAX;
    std::vector<std::vector<uint32_t>> before(next_.size());
    for (uint32_t from = 0; from < next_.size(); from++)
        for (uint32_t to : next_[from])
            before[to].push_back(from);
    std::vector<uint32_t> order; /* post-order of the reversed graph */
    std::vector<std::pair<uint32_t, size_t>> path = {{uint32_t(END), 0}};
    std::vector<bool> seen(next_.size(), false);
    seen[END] = true;
    while (!path.empty()) {
        const uint32_t place = path.back().first;
        if (path.back().second == before[place].size()) {
            order.push_back(place);
            path.pop_back();
            continue;
        }
        const uint32_t other = before[place][path.back().second++];
        if (!seen[other])
            path.push_back({other, 0});
        seen[other] = true;
    }
    rank_.assign(next_.size(), 0);
    for (uint32_t i = 0; i < order.size(); i++)
        rank_[order[i]] = i;
    meeting_.assign(next_.size(), NONE);
    meeting_[END] = END;
    for (bool moved = true; moved;) {
        moved = false;
        for (size_t i = order.size() - 1; i-- > 0;) {
            uint32_t meeting = NONE;
            for (uint32_t to : next_[order[i]])
                if (meeting_[to] != NONE)
                    meeting = meeting == NONE ? to : meeting_of(meeting, to);
            moved = moved || meeting_[order[i]] != meeting;
            meeting_[order[i]] = meeting;
        }
    }
    changed_ = false;
}

/* Executes lanes until they are at `until` or have ended. They are at the same place, after `last`,
 * or part there. */
void Lockstep::run(Warp &warp, uint32_t mask, uint32_t until, uint32_t last)
{
    for (;;) {
        const unsigned first = static_cast<unsigned>(__builtin_ctz(mask));
        const TraceStep *steps[32] = {};
        const uint32_t place = warp.place(first), meeting = meeting_[last];
        uint32_t same = 0;
        for (unsigned i = first; i < 32; i++)
            if (mask >> i & 1 && warp.place(i) == place)
                same |= 1u << i;
        if (same != mask) {
            warp.split(last);
            for (uint32_t left = mask; left;) {
                const uint32_t way = warp.place(static_cast<unsigned>(__builtin_ctz(left)));
                uint32_t group = 0;
                for (unsigned i = 0; i < 32; i++)
                    if (left >> i & 1 && warp.place(i) == way)
                        group |= 1u << i;
                left &= ~group;
                if (way != meeting)
                    run(warp, group, meeting, last);
            }
            continue;
        }
        if (place == until || place == END)
            return;
        for (unsigned i = first; i < 32; i++)
            if (mask >> i & 1)
                steps[i] = &warp.traces[i][warp.at[i]++];
        warp.step(steps, mask);
        last = place;
    }
}

void Lockstep::execute(const std::vector<TraceStep> *traces, unsigned lanes,
                       const std::function<void(const TraceStep *const[32], uint32_t)> &step,
                       const std::function<void(uint32_t)> &split)
{
    Warp warp = {traces, step, split, {}};
    if (changed_)
        find_meetings();
    run(warp, lanes == 32 ? UINT32_MAX : (1u << lanes) - 1, END, ENTRY);
}
