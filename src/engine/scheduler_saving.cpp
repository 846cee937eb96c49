// Sequences to files and back. The engine's thread copies pages between steps; files are read and written by the caller's.
#include <algorithm>
#include <future>

#include "engine/scheduler.h"

namespace ingle {

namespace {

constexpr int64_t pages_at_once = 16;  // that a step waits for

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

// Holds pages of the cache from the outside. Made, used and destroyed on the engine's thread.
struct Scheduler::HeldPages {
    kv::Sequence sequence;
    kv::PrefixTree::Place place;

    HeldPages(Slots& slots, int64_t pages_max)
        : sequence(slots.pool(), slots.page_tokens(), pages_max) {}
};

Status Scheduler::on_engine(std::function<Status()> work) {
    if (std::this_thread::get_id() == thread_.get_id())
        return fail(Code::unsupported, "the engine cannot wait for itself: ask from another thread");
    std::promise<Status> done;
    {
        const std::lock_guard lock(mutex_);
        if (stopping_) return fail(Code::cancelled, "the engine is shutting down");
        errands_.push_back([&] { done.set_value(within_memory(work)); });
    }
    work_.notify_one();
    return done.get_future().get();
}

Status Scheduler::check_slot(int64_t slot) const {
    if (slot < 0 || slot >= options_.sequences_max)
        return fail(Code::invalid_argument, "slot: expected 0 to ", options_.sequences_max - 1,
                    ", found ", slot);
    return {};
}

Result<SavedSequence> Scheduler::save(int64_t slot, const std::filesystem::path& path) {
    const Clock::time_point start = Clock::now();
    INGLE_TRY(check_slot(slot));
    std::unique_ptr<HeldPages> held;
    std::vector<Token> tokens;
    INGLE_TRY(on_engine([&]() -> Status {
        const Slot& source = *slots_->all()[size_t(slot)];
        held = std::make_unique<HeldPages>(*slots_, sequence_pages_max_);
        held->place = slots_->tree().enter(source.last_salt);
        slots_->tree().extend(held->place, held->sequence, source.last, int64_t(source.last.size()));
        tokens.assign(source.last.begin(), source.last.begin() + held->sequence.length());
        return {};
    }));
    const auto let_go = [&]() -> Status {
        slots_->tree().leave(held->place, held->sequence);
        held = nullptr;
        return {};
    };
    Result<SavedSequence> saved = write_state(path, *held, tokens);
    INGLE_TRY(on_engine(let_go));
    if (saved.ok()) saved->seconds = seconds_since(start);
    return saved;
}

Result<SavedSequence> Scheduler::write_state(const std::filesystem::path& path,
                                             const HeldPages& held, std::span<const Token> tokens) {
    const kv::Sequence& sequence = held.sequence;
    INGLE_ASSIGN(auto writer, kv::StateWriter::create(path, binding_, tokens, sequence.first_window()));
    const PageTable pages = sequence.pages();
    std::vector<std::byte> bytes(size_t(pages_at_once) *
                                 size_t(binding_.page_bytes + binding_.window_bytes));
    for (size_t first = 0; first < pages.size(); first += size_t(pages_at_once)) {
        const size_t last = std::min(first + size_t(pages_at_once), pages.size());
        size_t used = 0;
        const auto copy = [&](size_t i, backend::PagePart part, uint64_t size) {
            const auto out = std::span(bytes).subspan(used, size_t(size));
            used += out.size();
            return store_->read(pages[i].page, part, out);
        };
        const auto copy_all = [&]() -> Status {
            for (size_t i = first; i < last; ++i) {
                INGLE_TRY(copy(i, backend::PagePart::lasting, binding_.page_bytes));
                if (int64_t(i) >= sequence.first_window())
                    INGLE_TRY(copy(i, backend::PagePart::windowed, binding_.window_bytes));
            }
            return {};
        };
        INGLE_TRY(on_engine(copy_all));
        INGLE_TRY(writer.append(std::span(bytes).first(used)));
    }
    INGLE_TRY(writer.commit());
    return SavedSequence{int64_t(tokens.size()), writer.bytes(), 0};
}

Result<SavedSequence> Scheduler::restore(int64_t slot, const std::filesystem::path& path) {
    const Clock::time_point start = Clock::now();
    INGLE_TRY(check_slot(slot));
    INGLE_ASSIGN(const auto reader, kv::StateReader::open(path, binding_));
    INGLE_TRY(check_prompt(reader.tokens()).in(path.string()));
    std::unique_ptr<HeldPages> held;
    const auto tokens = int64_t(reader.tokens().size());
    const int64_t page_tokens = slots_->page_tokens();
    Status status;
    // Page by page, as windows are held of a few at a time only.
    const auto fill = [&](int64_t page) -> Status {
        const int64_t count = std::min(page_tokens, tokens - page * page_tokens);
        slots_->make_room(held->sequence, count);
        INGLE_TRY(held->sequence.grow(count));
        const uint32_t own = held->sequence.pages()[size_t(page)].page;
        INGLE_TRY(store_->write(own, backend::PagePart::lasting, reader.page(page)));
        if (page < reader.first_window()) held->sequence.drop_windows(page + 1);
        else INGLE_TRY(store_->write(own, backend::PagePart::windowed, reader.window(page)));
        return {};
    };
    for (int64_t first = 0; status.ok() && first < reader.pages(); first += pages_at_once)
        status = on_engine([&]() -> Status {
            if (held == nullptr) held = std::make_unique<HeldPages>(*slots_, sequence_pages_max_);
            const int64_t last = std::min(first + pages_at_once, reader.pages());
            for (int64_t i = first; i < last; ++i) INGLE_TRY(fill(i));
            return reader.intact();
        });
    INGLE_TRY(on_engine([&]() -> Status {
        if (held == nullptr) return {};
        if (status.ok()) {
            held->place = slots_->tree().enter("");
            slots_->tree().keep_and_leave(held->place, held->sequence, reader.tokens());
            Slot& target = *slots_->all()[size_t(slot)];
            target.last.assign(reader.tokens().begin(), reader.tokens().end());
            target.last_salt.clear();
        }
        held = nullptr;
        return {};
    }));
    INGLE_TRY(std::move(status));
    return SavedSequence{int64_t(reader.tokens().size()), reader.bytes(), seconds_since(start)};
}

Result<int64_t> Scheduler::erase(int64_t slot) {
    INGLE_TRY(check_slot(slot));
    int64_t erased = 0;
    INGLE_TRY(on_engine([&]() -> Status {
        Slot& target = *slots_->all()[size_t(slot)];
        slots_->tree().forget(target.last_salt, target.last);
        erased = int64_t(target.last.size());
        target.last.clear();
        return {};
    }));
    return erased;
}

}  // namespace ingle
