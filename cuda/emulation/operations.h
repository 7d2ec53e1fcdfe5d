/* What the host has ordered: kernels and copies, the stream of each, and which of them wait for
 * which. Two operations that are not ordered may run at the same time on a device, whatever the
 * emulation does. */
#ifndef CUDA_EMULATION_OPERATIONS_H
#define CUDA_EMULATION_OPERATIONS_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

/* Numbers of operations by stream: all up to that one are done. Streams are numbered as they
 * appear; 0 is the default stream. */
typedef std::map<int, uint32_t> Done;

struct OrderedOperation {
    int stream;
    Done after;       /* done before it begins */
    const void *call; /* the host's instruction that ordered it; nullptr: not known */
};

class Operations
{
  public:
    /* Notes an operation; returns its number, from 1. */
    uint32_t add(int stream, bool blocking, const void *call);
    /* The host has waited for everything in the stream. */
    void wait(int stream);
    void wait_all();
    /* An event stands for what the stream has been given so far; a stream, or the host, waits for
     * it. */
    Done event(int stream) const;
    void wait_event(int stream, const Done &event);
    void wait_event(const Done &event);
    /* True if one of the two waits for the other. */
    bool are_ordered(uint32_t a, uint32_t b) const;
    const OrderedOperation &at(uint32_t number) const
    {
        return all_[number - 1];
    }
    void set_blocking(int stream, bool blocking);

  private:
    bool precedes(uint32_t a, uint32_t b) const;
    std::vector<OrderedOperation> all_;
    std::map<int, uint32_t> last_; /* of each stream */
    std::map<int, bool> blocking_; /* streams that wait for the default stream, and it for them */
    Done host_;                    /* what the host has waited for */
    std::map<int, Done> waited_;   /* what a stream waits for by events */
};

#endif
