// Making GGUF files from others: split, merge, set, remove, extract. Files take their names when they are whole.
#include <algorithm>
#include <cstdio>

#include "cli/gguf_actions.h"
#include "cli/model_file.h"
#include "cli/npy.h"
#include "container/decode.h"
#include "container/parse_value.h"
#include "container/split.h"
#include "gguf/tensor_type.h"

namespace ingle::cli {

namespace {

constexpr size_t any = ~size_t(0);

// "20M", "2G", "500K": powers of 1000, as llama-gguf-split takes them; a plain number is bytes.
Result<uint64_t> parse_size(std::string_view text) {
    uint64_t unit = 1;
    std::string_view digits = text;
    constexpr std::string_view units = "KMG";
    if (!digits.empty() && units.find(digits.back()) != std::string_view::npos) {
        for (size_t i = 0; i <= units.find(digits.back()); ++i) unit *= 1000;
        digits.remove_suffix(1);
    }
    const auto number = parse_int(digits);
    if (!number || *number < 1 || uint64_t(*number) > (uint64_t(1) << 62) / unit)
        return fail(Code::invalid_argument, "--split-max-size: expected a size as in 500M or 2G, found ",
                    quoted(text));
    return uint64_t(*number) * unit;
}

Status split(const GgufCall& call) {
    INGLE_ASSIGN(const auto file, open_model(call.words[0]));
    container::SplitOptions options;
    options.bare_first = call.values.flag("no_tensor_first_split");
    options.tensors_max = uint64_t(call.values.integer("split_max_tensors"));
    if (const std::string& size = call.values.text("split_max_size"); !size.empty()) {
        INGLE_ASSIGN(options.bytes_max, parse_size(size));
        if (!call.values.given("split_max_tensors")) options.tensors_max = 0;
    }
    INGLE_ASSIGN(const auto parts, container::plan_split(file, options));
    const bool dry = call.values.flag("dry_run");
    std::vector<std::filesystem::path> paths;
    if (dry) {
        for (size_t p = 0; p < parts.size(); ++p)
            paths.push_back(gguf::part_path(call.words[1], p, parts.size()));
    } else {
        INGLE_ASSIGN(paths, container::write_split(file, parts, call.words[1], show_progress("Writing")));
    }
    for (size_t p = 0; p < parts.size(); ++p)
        std::printf("%s: %zu tensors, %s\n", paths[p].string().c_str(), parts[p].count,
                    human_bytes(parts[p].bytes).c_str());
    if (dry) std::printf("Nothing was written (--dry-run).\n");
    return {};
}

Status merge(const GgufCall& call) {
    INGLE_ASSIGN(const auto file, open_model(call.words[0]));
    if (file.shard_count() < 2)
        return fail(Code::invalid_argument, call.words[0],
                    ": expected a part of a split model, found a whole one");
    if (call.values.flag("dry_run")) {
        std::printf("%zu parts with %zu tensors would become %s. Nothing was written (--dry-run).\n",
                    file.shard_count(), file.tensors().size(), call.words[1].c_str());
        return {};
    }
    INGLE_TRY(container::write_copy(file, container::without_split_keys(file), call.words[1],
                                    show_progress("Writing")));
    std::printf("%s: %zu tensors of %zu parts\n", call.words[1].c_str(), file.tensors().size(),
                file.shard_count());
    return {};
}

std::string output_of(const GgufCall& call) {
    const std::string& out = call.values.text("output");
    return out.empty() ? call.words[0] : out;
}

// Edits one file, also if it is a part of a set.
template <class Edit>
Status edit_metadata(const GgufCall& call, Edit edit) {
    auto file = gguf::File::open(call.words[0], gguf::File::Splits::ignore);
    if (!file.ok()) return naming_file(std::move(file).status(), call.words[0]);
    gguf::Metadata metadata = file->metadata();
    for (const std::string& word : call.words.subspan(1)) INGLE_TRY(edit(metadata, word));
    const std::string out = output_of(call);
    if (call.values.flag("dry_run")) {
        std::printf("%s would be written anew. Nothing was written (--dry-run).\n", out.c_str());
        return {};
    }
    return container::write_copy(*file, metadata, out, show_progress("Writing"));
}

Status set(const GgufCall& call) {
    return edit_metadata(call, [](gguf::Metadata& metadata, const std::string& word) -> Status {
        INGLE_ASSIGN(auto assignment, container::parse_assignment(
                                          word, [&](std::string_view key) { return metadata.find(key); }));
        metadata.set(std::move(assignment.key), std::move(assignment.value));
        return {};
    });
}

Status remove(const GgufCall& call) {
    return edit_metadata(call, [&](gguf::Metadata& metadata, const std::string& key) -> Status {
        if (metadata.remove(key)) return {};
        return fail(Code::not_found, call.words[0], ": there is no key ", quoted(key));
    });
}

Result<const gguf::TensorInfo*> tensor_of(const gguf::File& file, const GgufCall& call) {
    const std::string& name = call.words[1];
    if (const gguf::TensorInfo* const found = file.find_tensor(name)) return found;
    std::vector<std::string_view> names;
    for (const gguf::TensorInfo& tensor : file.tensors()) names.push_back(tensor.name);
    const std::string_view near = closest(name, names);
    return fail(Code::not_found, call.words[0], ": there is no tensor ", quoted(name),
                near.empty() ? "" : cat("; did you mean ", near, "?"));
}

Status extract_raw(const gguf::File& file, const gguf::TensorInfo& tensor, const std::string& out) {
    INGLE_ASSIGN(AtomicFile writer, AtomicFile::create(out));
    INGLE_TRY(container::for_each_piece(
        file, tensor, [&](std::span<const std::byte> bytes) { return writer.append(bytes); }));
    return writer.commit();
}

Status extract_values(const gguf::File& file, const gguf::TensorInfo& tensor, const std::string& out) {
    const container::DecodeRow decode = container::decoder_of(tensor.type_id);
    if (decode == nullptr)
        return fail(Code::unsupported, "tensor ", quoted(tensor.name), ": this build cannot decode ",
                    container::type_name(tensor.type_id), "; --raw writes its bytes");
    const gguf::TensorType& type = *gguf::find_tensor_type(tensor.type_id);
    std::vector<int64_t> shape;  // NumPy names the slowest dimension first
    for (size_t i = tensor.rank; i-- > 0;) shape.push_back(int64_t(tensor.dims[i]));
    INGLE_ASSIGN(NpyWriter writer, NpyWriter::create(out, shape));
    const uint64_t blocks = tensor.bytes / type.block_bytes;
    const uint64_t step = std::max<uint64_t>((1 << 20) / type.block_bytes, 1);
    std::vector<std::byte> bytes;
    std::vector<float> values;
    for (uint64_t first = 0; first < blocks; first += step) {
        const uint64_t count = std::min(step, blocks - first);
        bytes.resize(size_t(count * type.block_bytes));
        values.resize(size_t(count * type.block_elements));
        INGLE_TRY(file.read(tensor, first * type.block_bytes, bytes));
        decode(bytes.data(), int64_t(values.size()), values.data());
        INGLE_TRY(writer.write(values));
    }
    return writer.finish();
}

Status extract(const GgufCall& call) {
    INGLE_ASSIGN(const auto file, open_model(call.words[0]));
    INGLE_ASSIGN(const gguf::TensorInfo* const tensor, tensor_of(file, call));
    const std::string& out = call.values.text("output");
    if (out.empty()) return fail(Code::invalid_argument, "extract: expected the file to write: -o FILE");
    return call.values.flag("raw") ? extract_raw(file, *tensor, out) : extract_values(file, *tensor, out);
}

}  // namespace

std::span<const GgufAction> gguf_changes() {
    static constexpr GgufAction actions[] = {
        {"split", "FILE PREFIX", "writes PREFIX-00001-of-0000N.gguf and so on", 2, 2, split},
        {"merge", "PART FILE", "makes one file of a split model; any part names it", 2, 2, merge},
        {"set", "FILE KEY=TYPE:VALUE...", "sets metadata, in place or with -o; u8 to f64, bool, str, u32[] ...",
         2, any, set},
        {"remove", "FILE KEY...", "takes metadata away, in place or with -o", 2, any, remove},
        {"extract", "FILE TENSOR", "writes a tensor to -o FILE: NumPy, float32; --raw its bytes", 2, 2,
         extract},
    };
    return actions;
}

}  // namespace ingle::cli
