#include "engine/slots.h"

#include <algorithm>
#include <tuple>

namespace ingle {

Slots::Slots(const CacheOptions& options, std::span<backend::KvStore* const> stores, int64_t count)
    : page_tokens_(options.page_tokens),
      pool_(options.pages_max, stores,
            {options.warm_pages_max, options.window, options.windows_max}),
      tree_(pool_, options.page_tokens, options.unused_pages_max, options.splits_full) {
    for (int64_t id = 0; id < count; ++id)
        slots_.push_back(std::make_unique<Slot>(id, pool_, options.page_tokens,
                                                options.sequence_pages_max));
    busy_.reserve(slots_.size());
}

Slot* Slots::free_slot(int64_t wanted) const {
    if (wanted >= 0 && wanted < count() && slots_[size_t(wanted)]->lane == nullptr)
        return slots_[size_t(wanted)].get();
    for (const std::unique_ptr<Slot>& slot : slots_)
        if (slot->lane == nullptr) return slot.get();
    return nullptr;
}

void Slots::start(Slot& slot, std::unique_ptr<Lane>& lane) {
    slot.lane = std::move(lane);
    slot.admission = ++admissions_;
    busy_.push_back(&slot);
    std::ranges::sort(busy_, {}, [](const Slot* each) {
        return std::tuple(-each->lane->job->info.priority, each->admission);
    });
}

Slot* Slots::admit(std::unique_ptr<Lane>& lane) {
    Slot* const slot = free_slot(lane->job->info.slot);
    if (slot == nullptr) return nullptr;
    const auto needed = int64_t(lane->tokens.size());
    int64_t found = 0;
    if (lane->job->cache_prompt && !lane->embeds()) {
        slot->place = tree_.enter(lane->job->info.salt);
        found = tree_.extend(slot->place, slot->sequence, lane->tokens, most_of(*lane));
    }
    // A page more for everyone who writes, so that the newcomer is not sent back at once.
    const int64_t pages = slot->sequence.pages_for(needed - found) + int64_t(busy_.size()) + 1;
    if (!busy_.empty() && pages > pool_.available() + tree_.unused()) {
        tree_.leave(slot->place, slot->sequence);
        return nullptr;
    }
    if (slot->place.entered()) tree_.count_lookup(most_of(*lane), found);
    if (!lane->begun) lane->cached = found;
    start(*slot, lane);
    return slot;
}

Slot* Slots::fork(const Slot& parent, std::unique_ptr<Lane>& lane) {
    Slot* const slot = free_slot(-1);
    if (slot == nullptr) return nullptr;
    slot->sequence.share(parent.sequence);
    if (parent.place.entered()) slot->place = tree_.fork(parent.place);
    start(*slot, lane);
    return slot;
}

std::unique_ptr<Lane> Slots::vacate(Slot& slot, bool keep) {
    std::erase(busy_, &slot);
    const std::span<const Token> held =
        std::span(slot.lane->tokens).first(size_t(slot.sequence.length()));
    const Status remembered = within_memory([&] {
        slot.last_salt = slot.lane->job->info.salt;
        slot.last.assign(held.begin(), held.end());
        return Status();
    });
    if (!remembered.ok()) slot.last.clear();
    if (keep && slot.place.entered()) tree_.keep_and_leave(slot.place, slot.sequence, held);
    else tree_.leave(slot.place, slot.sequence);
    return std::move(slot.lane);
}

void Slots::extend(Slot& slot) {
    if (!slot.place.entered()) return;
    const int64_t found = tree_.extend(slot.place, slot.sequence, slot.lane->tokens,
                                       most_of(*slot.lane));
    if (found > 0) tree_.count_lookup(0, found);
    if (!slot.lane->read_prompt()) slot.lane->cached += found;
}

void Slots::share(Slot& slot) {
    if (slot.place.entered()) tree_.keep(slot.place, slot.sequence, slot.lane->tokens);
    slot.sequence.trim();
}

void Slots::shift(Slot& slot, std::span<const int64_t> pages) {
    tree_.part(slot.place);
    slot.sequence.drop(pages);
    std::vector<Token>& tokens = slot.lane->tokens;
    for (size_t i = pages.size(); i-- > 0;) {
        const auto first = tokens.begin() + pages[i] * page_tokens_;
        tokens.erase(first, first + page_tokens_);
    }
    slot.lane->dropped += int64_t(pages.size()) * page_tokens_;
}

bool Slots::make_room(kv::Sequence& sequence, int64_t count) {
    sequence.trim();
    if (tree_.evict_windows(sequence.pages_for(count)) < sequence.pages_for(count)) return false;
    // A page that the tree lets go may still be held by a sequence that parted from it.
    for (;;) {
        const int64_t missing = sequence.pages_for(count) - pool_.available();
        if (missing <= 0) return true;
        if (tree_.evict(missing) == 0) return false;
    }
}

int64_t Slots::room(Slot& slot, int64_t count) {
    if (make_room(slot.sequence, count)) return count;
    const int64_t most = std::min(pool_.available(), pool_.windows_available());
    while (count > 0 && slot.sequence.pages_for(count) > most) --count;
    return count;
}

Slot* Slots::victim_of(const Slot& slot) const {
    for (size_t i = busy_.size(); i-- > 0 && busy_[i] != &slot;)
        if (!busy_[i]->sequence.pages().empty()) return busy_[i];
    return nullptr;
}

}  // namespace ingle
