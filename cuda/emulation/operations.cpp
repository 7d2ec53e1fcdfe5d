#include "cuda/emulation/operations.h"

#include <algorithm>

static void join(Done &to, const Done &more)
{
    for (const auto &d : more)
        to[d.first] = std::max(to[d.first], d.second);
}

void Operations::set_blocking(int stream, bool blocking)
{
    blocking_[stream] = blocking;
}

uint32_t Operations::add(int stream, bool blocking, const void *call)
{
    OrderedOperation o = {stream, host_, call};
    blocking_[stream] = blocking;
    join(o.after, waited_[stream]);
    if (last_.count(stream))
        join(o.after, {{stream, last_[stream]}});
    for (const auto &l : last_) /* the default stream and blocking streams wait for each other */
        if ((stream == 0 && blocking_[l.first]) || (l.first == 0 && blocking))
            join(o.after, {l});
    all_.push_back(o);
    last_[stream] = static_cast<uint32_t>(all_.size());
    return last_[stream];
}

void Operations::wait(int stream)
{
    if (last_.count(stream))
        join(host_, {{stream, last_[stream]}});
}

void Operations::wait_all()
{
    for (const auto &l : last_)
        join(host_, {l});
}

Done Operations::event(int stream) const
{
    const auto found = last_.find(stream);
    return found == last_.end() ? Done() : Done{*found};
}

void Operations::wait_event(int stream, const Done &event)
{
    join(waited_[stream], event);
}

void Operations::wait_event(const Done &event)
{
    join(host_, event);
}

/* Directly, or through operations that b waits for. */
bool Operations::precedes(uint32_t a, uint32_t b) const
{
    const int stream = at(a).stream;
    std::vector<uint32_t> open = {b};
    std::map<uint32_t, bool> seen;
    while (!open.empty()) {
        const uint32_t next = open.back();
        open.pop_back();
        if (next <= a || seen[next])
            continue;
        seen[next] = true;
        const auto direct = at(next).after.find(stream);
        if (direct != at(next).after.end() && direct->second >= a)
            return true;
        for (const auto &d : at(next).after)
            open.push_back(d.second);
    }
    return false;
}

bool Operations::are_ordered(uint32_t a, uint32_t b) const
{
    return a == b || precedes(std::min(a, b), std::max(a, b));
}
