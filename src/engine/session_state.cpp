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
    INGLE_ASSIGN(auto writer, kv::StateWriter::create(path, binding, computed));
    std::vector<std::byte> page(size_t(binding.page_bytes));
    for (const PageEntry& entry : sequence_->pages()) {
        INGLE_TRY(kv_->read(entry.page, page));
        INGLE_TRY(writer.append(page));
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
    INGLE_TRY(sequence_->grow(count));
    Status status;
    for (int64_t i = 0; status.ok() && i < reader.pages(); ++i)
        status = kv_->write(sequence_->pages()[size_t(i)].page, reader.page(i));
    if (status.ok()) status = reader.intact();
    if (status.ok()) history_.assign(reader.tokens().begin(), reader.tokens().end());
    else sequence_->truncate(0);
    return status;
}

}  // namespace ingle
