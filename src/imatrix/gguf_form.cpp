// The GGUF form. Keys: general.type = "imatrix", imatrix.datasets, imatrix.chunk_count,
// imatrix.chunk_size; per weight the tensors NAME.in_sum2 and NAME.counts, both F32.
#include <cstring>

#include "gguf/reader.h"
#include "gguf/tensor_type.h"
#include "gguf/writer.h"
#include "imatrix/forms.h"

namespace ingle::imatrix {

namespace {

constexpr std::string_view type_key = "general.type";
constexpr std::string_view type_name = "imatrix";
constexpr std::string_view datasets_key = "imatrix.datasets";
constexpr std::string_view chunk_count_key = "imatrix.chunk_count";
constexpr std::string_view chunk_size_key = "imatrix.chunk_size";
constexpr std::string_view sums_suffix = ".in_sum2";
constexpr std::string_view counts_suffix = ".counts";
constexpr uint32_t f32_id = 0;

Result<std::vector<float>> floats_of(const gguf::File& file, const gguf::TensorInfo& tensor) {
    if (tensor.type_id != f32_id)
        return fail(Code::corrupt, "tensor ", quoted(tensor.name), ": expected F32, found ",
                    gguf::find_tensor_type(tensor.type_id)->name);
    const auto bytes = file.bytes(tensor);
    std::vector<float> values(bytes.size() / sizeof(float));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    INGLE_TRY(check_measured(values, cat("tensor ", quoted(tensor.name))));
    return values;
}

Result<Entry> entry_of(const gguf::File& file, const gguf::TensorInfo& sums,
                       std::string_view name) {
    const auto* const counts = file.find_tensor(cat(name, counts_suffix));
    if (counts == nullptr)
        return fail(Code::corrupt, "tensor ", quoted(sums.name), " has no ",
                    quoted(cat(name, counts_suffix)));
    Entry entry;
    INGLE_ASSIGN(entry.sums, floats_of(file, sums));
    INGLE_ASSIGN(entry.counts, floats_of(file, *counts));
    const uint64_t experts = sums.elements() / sums.dims[0];
    if (entry.counts.size() != experts)
        return fail(Code::corrupt, "tensor ", quoted(counts->name), ": expected ", experts,
                    " counts, one for each row of ", quoted(sums.name), ", found ",
                    entry.counts.size());
    return entry;
}

void add_tensors(std::vector<gguf::TensorSpec>& specs, const std::string& name,
                 const Entry& entry) {
    gguf::TensorSpec sums = {cat(name, sums_suffix), f32_id, {entry.columns()}};
    gguf::TensorSpec counts = {cat(name, counts_suffix), f32_id, {1}};
    if (entry.experts() > 1) {
        sums.dims.push_back(entry.experts());
        counts.dims.push_back(entry.experts());
    }
    specs.push_back(std::move(sums));
    specs.push_back(std::move(counts));
}

}  // namespace

Result<Matrix> parse_gguf(std::span<const std::byte> bytes) {
    INGLE_ASSIGN(const auto file, gguf::File::parse(bytes));
    if (file.metadata().text(type_key) != type_name)
        return fail(Code::invalid_argument, "expected a file whose ", type_key, " is ",
                    quoted(type_name), ", found ", quoted(file.metadata().text(type_key)));
    Matrix matrix;
    INGLE_ASSIGN(matrix.chunk_count, file.metadata().get_or<uint32_t>(chunk_count_key, 0));
    INGLE_ASSIGN(matrix.chunk_tokens,
                 file.metadata().get_or<uint32_t>(chunk_size_key, chunk_tokens_default));
    if (file.metadata().contains(datasets_key)) {
        INGLE_ASSIGN(const auto names, file.get<std::span<const std::string_view>>(datasets_key));
        matrix.datasets.assign(names.begin(), names.end());
    }
    for (const gguf::TensorInfo& tensor : file.tensors()) {
        const std::string_view full = tensor.name;
        if (!full.ends_with(sums_suffix)) continue;
        const std::string_view name = full.substr(0, full.size() - sums_suffix.size());
        INGLE_ASSIGN(Entry entry, entry_of(file, tensor, name));
        matrix.entries.emplace(name, std::move(entry));
    }
    if (matrix.entries.empty())
        return fail(Code::corrupt, "no tensor of ", file.tensors().size(), " is named *",
                    sums_suffix);
    return matrix;
}

Status save_gguf(const std::filesystem::path& path, const Matrix& matrix) {
    gguf::Metadata metadata;
    metadata.set(std::string(type_key), std::string(type_name));
    metadata.set(std::string(datasets_key),
                 gguf::Array{gguf::Strings::copy_of(std::span(matrix.datasets))});
    metadata.set(std::string(chunk_count_key), matrix.chunk_count);
    metadata.set(std::string(chunk_size_key), matrix.chunk_tokens);
    std::vector<gguf::TensorSpec> specs;
    for (const auto& [name, entry] : matrix.entries) add_tensors(specs, name, entry);
    INGLE_ASSIGN(auto writer, gguf::Writer::create(path, metadata, specs));
    for (const auto& [name, entry] : matrix.entries) {
        INGLE_TRY(writer.append(std::as_bytes(std::span(entry.sums))));
        INGLE_TRY(writer.append(std::as_bytes(std::span(entry.counts))));
    }
    return writer.finish();
}

}  // namespace ingle::imatrix
