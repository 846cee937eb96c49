// The places where answers run, and the cache that they share: pages, prefixes, who has to give way.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/lane.h"
#include "kv/page_pool.h"
#include "kv/prefix_tree.h"

namespace ingle {

struct CacheOptions {
    int64_t page_tokens = 32;
    int64_t sequence_pages_max = 0;  // of one sequence
    int64_t pages_max = 0;           // of all; at least sequence_pages_max
    int64_t unused_pages_max = 0;    // kept for prefixes that no one uses
    int64_t warm_pages_max = 0;      // free pages that keep their memory
    kv::Window window = {};          // of layers that drop theirs
    int64_t windows_max = 0;         // pages that hold one at once
    bool splits_full = true;         // tokens of full pages may be copied (see kv/prefix_tree.h)
};

class Slots {
  public:
    Slots(const CacheOptions& options, std::span<backend::KvStore* const> stores, int64_t count);

    int64_t count() const { return int64_t(slots_.size()); }
    std::span<const std::unique_ptr<Slot>> all() const { return slots_; }
    // Those at work, in the order in which they get what they need.
    std::span<Slot* const> busy() const { return busy_; }
    bool full() const { return busy_.size() == slots_.size(); }

    // Puts the lane into a free slot, with what is known of its tokens; or leaves it and returns null if there is no
    // slot or too few pages. The first always gets a place.
    Slot* admit(std::unique_ptr<Lane>& lane);
    // A free slot that holds what `parent` holds; null if none is free.
    Slot* fork(const Slot& parent, std::unique_ptr<Lane>& lane);
    // Frees the slot. What it computed is kept for others if `keep`.
    std::unique_ptr<Lane> vacate(Slot& slot, bool keep);

    // Looks up more of the slot's tokens, which others may have computed by now.
    void extend(Slot& slot);
    // Makes the slot's full pages known, and lets go what it does not need any more.
    void share(Slot& slot);
    // Others may go on from where the slot is now: what they need for that is kept.
    void hold(const Slot& slot) { tree_.hold_windows(slot.place, slot.sequence); }
    // Forgets full pages of the slot's sequence and moves what follows them together.
    void shift(Slot& slot, std::span<const int64_t> pages);
    // True if the sequence can grow by `count` now; unused prefixes give way.
    bool make_room(kv::Sequence& sequence, int64_t count);
    // As many of `count` tokens as there are pages for.
    int64_t room(Slot& slot, int64_t count);
    // The busy slot that gives way to `slot`: the last that is behind it in order and holds pages; null if there is none.
    Slot* victim_of(const Slot& slot) const;

    kv::PagePool& pool() { return pool_; }
    kv::PrefixTree& tree() { return tree_; }
    const kv::PagePool& pool() const { return pool_; }
    const kv::PrefixTree& tree() const { return tree_; }
    int64_t page_tokens() const { return page_tokens_; }

  private:
    // The one wanted if it is free, else the first.
    Slot* free_slot(int64_t wanted) const;
    void start(Slot& slot, std::unique_ptr<Lane>& lane);
    // The last token is always computed: its logits are wanted.
    static int64_t most_of(const Lane& lane) { return int64_t(lane.tokens.size()) - 1; }

    int64_t page_tokens_;
    kv::PagePool pool_;
    kv::PrefixTree tree_;
    std::vector<std::unique_ptr<Slot>> slots_;
    std::vector<Slot*> busy_;
    uint64_t admissions_ = 0;
};

}  // namespace ingle
