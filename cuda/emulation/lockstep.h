/* Puts the threads of a warp together again. Each thread has left a trace: the basic blocks and the
 * accesses that it executed, up to a barrier of its block. The warp executes them in lockstep, as a
 * GPU with one program counter per warp does: where lanes take different ways, it goes one way
 * after the other, up to the first place that all ways share (the immediate post-dominator), and
 * goes on together from there.
 *
 * The ways that exist are those that some thread took. */
#ifndef CUDA_EMULATION_LOCKSTEP_H
#define CUDA_EMULATION_LOCKSTEP_H

#include <cstdint>
#include <functional>
#include <vector>

/* One step of a thread: a place in the code, and the address if it is an access. */
struct TraceStep {
    uint32_t place;
    uint32_t info; /* of an access, as whoever made the trace has packed it; 0: a basic block */
    uint64_t address;
};

class Lockstep
{
  public:
    enum { ENTRY, END, FIRST_PLACE }; /* places of their own; those of traces begin after them */

    /* Learns the ways of a trace. All traces up to the same barrier come first. */
    void learn(const std::vector<TraceStep> &trace);
    /* Executes the traces of a warp. `step` gets each step with its lanes, `split` the place after
     * which lanes part. */
    void execute(const std::vector<TraceStep> *traces, unsigned lanes,
                 const std::function<void(const TraceStep *const steps[32], uint32_t mask)> &step,
                 const std::function<void(uint32_t place)> &split);
    /* True if two or more ways lead on from a place. */
    bool is_branch(uint32_t place) const
    {
        return place < next_.size() && next_[place].size() > 1;
    }

  private:
    struct Warp;
    void add(uint32_t from, uint32_t to);
    void find_meetings();
    uint32_t meeting_of(uint32_t a, uint32_t b) const;
    void run(Warp &warp, uint32_t mask, uint32_t until, uint32_t last);

    std::vector<std::vector<uint32_t>> next_;
    std::vector<uint32_t> meeting_; /* immediate post-dominator by place */
    std::vector<uint32_t> rank_;    /* by place: its turn in a post-order from the end */
    bool changed_ = true;
};

#endif
