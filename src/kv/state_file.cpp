#include "kv/state_file.h"

#include <cstring>

#include "base/checked.h"

namespace ingle::kv {

namespace {

constexpr uint64_t magic = 0x31764b656c676e49;  // "IngleKv1"
constexpr uint32_t version = 2;

struct Header {
    uint64_t magic;
    uint32_t version;
    uint32_t key_type;
    uint32_t value_type;
    uint32_t page_tokens;
    uint64_t model;
    uint64_t page_bytes;
    uint64_t window_bytes;
    uint64_t first_window;
    uint64_t tokens;
};
static_assert(sizeof(Header) == 64, "no padding");

template <class T>
std::span<const std::byte> bytes_of(const T& value) {
    return std::as_bytes(std::span(&value, 1));
}

uint64_t number_at(std::span<const std::byte> bytes, uint64_t offset) {
    uint64_t number;
    std::memcpy(&number, bytes.data() + offset, sizeof(number));
    return number;
}

Status fits(const Header& found, const StateBinding& expected) {
    if (found.model != expected.model)
        return fail(Code::invalid_argument, "the state belongs to another model");
    if (found.key_type != expected.key_type || found.value_type != expected.value_type)
        return fail(Code::invalid_argument, "the state has another type of keys or values: expected ",
                    expected.key_type, " and ", expected.value_type, ", found ", found.key_type,
                    " and ", found.value_type);
    if (found.page_tokens != expected.page_tokens || found.page_bytes != expected.page_bytes ||
        found.window_bytes != expected.window_bytes)
        return fail(Code::invalid_argument, "the state has another form of pages: expected ",
                    expected.page_tokens, " tokens in ", expected.page_bytes, " + ",
                    expected.window_bytes, " bytes, found ", found.page_tokens, " in ",
                    found.page_bytes, " + ", found.window_bytes);
    return {};
}

}  // namespace

StateBinding StateBinding::of(const backend::KvLayout& layout, uint64_t model) {
    StateBinding binding;
    binding.model = model;
    binding.key_type = uint32_t(layout.key_type);
    binding.value_type = uint32_t(layout.value_type);
    binding.page_tokens = uint32_t(layout.page_tokens);
    binding.page_bytes = layout.state_bytes(backend::PagePart::lasting);
    binding.window_bytes = layout.state_bytes(backend::PagePart::windowed);
    return binding;
}

Status StateWriter::put(std::span<const std::byte> bytes) {
    sum_.update(bytes);
    bytes_ += bytes.size();
    return file_.append(bytes);
}

Result<StateWriter> StateWriter::create(const std::filesystem::path& path,
                                        const StateBinding& binding,
                                        std::span<const Token> tokens, int64_t first_window) {
    INGLE_ASSIGN(AtomicFile file, AtomicFile::create(path));
    StateWriter writer(std::move(file));
    const Header header{magic,
                        version,
                        binding.key_type,
                        binding.value_type,
                        binding.page_tokens,
                        binding.model,
                        binding.page_bytes,
                        binding.window_bytes,
                        uint64_t(first_window),
                        tokens.size()};
    INGLE_TRY(writer.put(bytes_of(header)));
    INGLE_TRY(writer.put(std::as_bytes(tokens)));
    const uint64_t sum = writer.sum_.value();
    INGLE_TRY(writer.put(bytes_of(sum)));
    return writer;
}

Status StateWriter::append(std::span<const std::byte> pages) { return put(pages); }

Status StateWriter::commit() {
    const uint64_t sum = sum_.value();
    INGLE_TRY(put(bytes_of(sum)));
    return file_.commit();
}

Result<StateReader> StateReader::open(const std::filesystem::path& path,
                                      const StateBinding& binding) {
    INGLE_ASSIGN(MappedFile file, MappedFile::open(path));
    StateReader reader(std::move(file));
    INGLE_TRY(reader.read(binding).in(path.string()));
    return reader;
}

Status StateReader::read(const StateBinding& binding) {
    const std::span<const std::byte> bytes = file_.bytes();
    Header header;
    if (bytes.size() < sizeof(header) + 16)
        return fail(Code::corrupt, "not a saved sequence: it has ", bytes.size(), " bytes");
    std::memcpy(&header, bytes.data(), sizeof(header));
    if (header.magic != magic) return fail(Code::corrupt, "not a saved sequence");
    if (header.version != version)
        return fail(Code::unsupported, "a saved sequence of version ", header.version,
                    "; this build reads version ", version);
    const auto token_bytes = checked_mul(header.tokens, sizeof(Token));
    if (!token_bytes || *token_bytes > bytes.size() - sizeof(header) - 16)
        return fail(Code::corrupt, "the file was cut: ", header.tokens, " tokens do not fit in ",
                    bytes.size(), " bytes");
    const uint64_t head = sizeof(header) + *token_bytes;
    Checksum sum;
    sum.update(bytes.first(size_t(head)));
    if (sum.value() != number_at(bytes, head))
        return fail(Code::corrupt, "the checksum of the head is wrong: the file was damaged");
    INGLE_TRY(fits(header, binding));
    first_page_ = head + 8;
    page_bytes_ = header.page_bytes;
    window_bytes_ = header.window_bytes;
    pages_ = int64_t((header.tokens + header.page_tokens - 1) / header.page_tokens);
    if (header.first_window > uint64_t(pages_))
        return fail(Code::corrupt, "windows begin with page ", header.first_window, " of ", pages_);
    first_window_ = int64_t(header.first_window);
    auto pages_bytes = checked_mul(uint64_t(pages_), page_bytes_);
    const auto windows_bytes = checked_mul(uint64_t(pages_ - first_window_), window_bytes_);
    if (pages_bytes && windows_bytes) pages_bytes = checked_add(*pages_bytes, *windows_bytes);
    else pages_bytes = {};
    const uint64_t rest = bytes.size() - first_page_ - 8;
    if (!pages_bytes || *pages_bytes != rest)
        return fail(Code::corrupt, "the file was cut: expected ", pages_, " pages of ", page_bytes_,
                    " bytes, the last ", pages_ - first_window_, " with ", window_bytes_,
                    " more; found ", rest, " bytes");
    sum.update(bytes.subspan(size_t(head), bytes.size() - 8 - size_t(head)));
    if (sum.value() != number_at(bytes, bytes.size() - 8))
        return fail(Code::corrupt, "the checksum is wrong: the file was damaged");
    tokens_.resize(size_t(header.tokens));
    std::memcpy(tokens_.data(), bytes.data() + sizeof(header), size_t(*token_bytes));
    return file_.intact();
}

}  // namespace ingle::kv
