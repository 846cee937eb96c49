// A session's sequence in a file (kv/state_file.h).
#include "engine/session.h"
#include "kv/state_file.h"

namespace ingle {

Result<int64_t> Session::save(const std::filesystem::path& path) const {
    if (dropped_ > 0)
        return fail(Code::unsupported, "a context that has shifted cannot be saved");
    const backend::KvLayout layout = layout_of(model_->graph(), options_);
    const auto computed = std::span(history_).first(size_t(sequence_->length()));
    const auto binding = kv::StateBinding::of(layout, model_->fingerprint());
    const int64_t first_window = sequence_->first_window();
    INGLE_ASSIGN(auto writer, kv::StateWriter::create(path, binding, computed, first_window));
    std::vector<std::byte> bytes(size_t(binding.page_bytes + binding.window_bytes));
    const auto lasting = std::span(bytes).first(size_t(binding.page_bytes));
    const auto windowed = std::span(bytes).subspan(lasting.size());
    const PageTable pages = sequence_->pages();
    for (size_t i = 0; i < pages.size(); ++i) {
        const bool whole = int64_t(i) >= first_window;
        INGLE_TRY(kv_->read(pages[i].page, backend::PagePart::lasting, lasting));
        if (whole) INGLE_TRY(kv_->read(pages[i].page, backend::PagePart::windowed, windowed));
        INGLE_TRY(writer.append(whole ? std::span(bytes) : lasting));
    }
    INGLE_TRY(writer.commit());
    return int64_t(computed.size());
}

Status Session::restore(const std::filesystem::path& path) {
    const backend::KvLayout layout = layout_of(model_->graph(), options_);
    const auto binding = kv::StateBinding::of(layout, model_->fingerprint());
    INGLE_ASSIGN(const auto reader, kv::StateReader::open(path, binding));
    for (const Token token : reader.tokens())
        if (token < 0 || token >= model_->vocab())
            return fail(Code::corrupt, path.string(), ": token ", token, " is not of this model");
    const auto count = int64_t(reader.tokens().size());
    if (count > context_tokens_)
        return fail(Code::limit, path.string(), ": ", count,
                    " tokens were saved, but the context has room for ", context_tokens_);
    truncate(0);
    Status status;
    const auto fill = [&](int64_t page) -> Status {
        const int64_t begin = page * options_.page_tokens;
        INGLE_TRY(sequence_->grow(std::min(options_.page_tokens, count - begin)));
        const uint32_t own = sequence_->pages()[size_t(page)].page;
        INGLE_TRY(kv_->write(own, backend::PagePart::lasting, reader.page(page)));
        if (page < reader.first_window()) sequence_->drop_windows(page + 1);
        else INGLE_TRY(kv_->write(own, backend::PagePart::windowed, reader.window(page)));
        return {};
    };
    for (int64_t page = 0; status.ok() && page < reader.pages(); ++page) status = fill(page);
    if (status.ok()) status = reader.intact();
    if (status.ok()) history_.assign(reader.tokens().begin(), reader.tokens().end());
    else sequence_->truncate(0);
    return status;
}

}  // namespace ingle
