#include "quantize/run.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>

#include "base/thread_pool.h"
#include "gguf/tensor_type.h"
#include "gguf/writer.h"
#include "quantize/convert_rows.h"

namespace ingle::quantize {

namespace {

namespace fs = std::filesystem;

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

// The tensors of one file to be written.
struct Part {
    fs::path path;
    gguf::Metadata metadata;
    std::vector<const TensorPlan*> tensors;
};

void set_split_keys(gguf::Metadata& metadata, size_t part, size_t parts, size_t tensors) {
    metadata.set(std::string(gguf::split_number_key), uint16_t(part));
    metadata.set(std::string(gguf::split_tensors_key), int32_t(tensors));
    metadata.set(std::string(gguf::split_count_key), uint16_t(parts));
}

std::vector<Part> parts_of(const gguf::File& source, const Plan& plan, const fs::path& path,
                           bool keep_split) {
    const size_t count = keep_split ? source.shard_count() : 1;
    std::vector<Part> parts(count);
    for (const TensorPlan& tensor : plan.tensors)
        parts[keep_split ? tensor.source->shard : 0].tensors.push_back(&tensor);
    parts[0].metadata = plan.metadata;
    for (size_t i = 0; i < count; ++i) {
        parts[i].path = count == 1 ? path : part_path(path, i, count);
        if (count > 1) set_split_keys(parts[i].metadata, i, count, plan.tensors.size());
    }
    if (count == 1)
        for (const auto key :
             {gguf::split_number_key, gguf::split_count_key, gguf::split_tensors_key})
            parts[0].metadata.remove(key);
    return parts;
}

Status check_target(const gguf::File& source, const std::vector<Part>& parts, uint64_t bytes) {
    for (const Part& part : parts) {
        std::error_code ignored;
        for (size_t i = 0; i < source.shard_count(); ++i)
            if (source.shard(i) != nullptr &&
                fs::equivalent(source.shard(i)->path(), part.path, ignored))
                return fail(Code::invalid_argument, "the new file ",
                            quoted(part.path.string(), 4096),
                            " would replace the model that it is made from; choose another name");
        if (fs::is_directory(part.path, ignored))
            return fail(Code::invalid_argument, "cannot write ", quoted(part.path.string(), 4096),
                        ": expected a file name, found a directory");
    }
    std::error_code error;
    const fs::path folder = fs::absolute(parts[0].path).parent_path();
    const fs::space_info space = fs::space(folder, error);
    if (!error && space.available < bytes)
        return fail(Code::io, "not enough space in ", quoted(folder.string(), 4096),
                    ": the new file takes ", human_bytes(bytes), " (", bytes, " bytes), free are ",
                    human_bytes(space.available), " (", space.available,
                    " bytes); nothing was written");
    return {};
}

class Runner {
  public:
    Runner(const gguf::File& source, const Plan& plan, const RunOptions& options)
        : source_(source),
          options_(options),
          pool_(std::max(options.threads, 1)),
          total_(plan.bytes_before()) {}

    Result<Report> run(const std::vector<Part>& parts) {
        const auto begin = Clock::now();
        std::vector<gguf::Writer> writers;
        for (const Part& part : parts) {
            INGLE_ASSIGN(auto writer, write_part(part));
            writers.push_back(std::move(writer));
            report_.files.push_back(part.path);
        }
        for (gguf::Writer& writer : writers) INGLE_TRY(writer.finish());
        for (const Part& part : parts) {
            std::error_code ignored;
            report_.file_bytes += fs::file_size(part.path, ignored);
        }
        report_.seconds = seconds_since(begin);
        return std::move(report_);
    }

  private:
    Result<gguf::Writer> write_part(const Part& part) {
        std::vector<gguf::TensorSpec> specs;
        for (const TensorPlan* const tensor : part.tensors) {
            const auto shape = tensor->source->shape();
            specs.push_back({tensor->name, tensor->type_id, {shape.begin(), shape.end()}});
        }
        INGLE_ASSIGN(auto writer, gguf::Writer::create(part.path, part.metadata, specs));
        for (const TensorPlan* const tensor : part.tensors)
            INGLE_TRY(
                write_tensor(*tensor, writer).in(cat("tensor ", quoted(tensor->source->name))));
        return writer;
    }

    Status write_tensor(const TensorPlan& tensor, gguf::Writer& writer) {
        const auto begin = Clock::now();
        INGLE_ASSIGN(RowConverter converter,
                     RowConverter::make(source_, tensor, pool_, options_.effort));
        while (!converter.done()) {
            if (!options_.progress(done_ + converter.bytes_read(), total_))
                return fail(Code::cancelled, "interrupted; nothing was written");
            INGLE_ASSIGN(const auto bytes, converter.next());
            INGLE_TRY(writer.append(bytes));
        }
        done_ += tensor.source->bytes;
        report_.tensors.push_back({tensor.name, tensor.source->type_id, tensor.type_id,
                                   tensor.source->elements(), tensor.source->bytes, tensor.bytes,
                                   seconds_since(begin), converter.squared_error(),
                                   converter.squared_value(), tensor.importance != nullptr});
        return {};
    }

    const gguf::File& source_;
    const RunOptions& options_;
    ThreadPool pool_;
    uint64_t total_;
    uint64_t done_ = 0;
    Report report_;
};

}  // namespace

fs::path part_path(const fs::path& path, size_t part, size_t parts) {
    std::string stem = path.string();
    if (stem.ends_with(".gguf")) stem.resize(stem.size() - 5);
    std::array<char, 32> suffix;
    std::snprintf(suffix.data(), suffix.size(), "-%05zu-of-%05zu.gguf", part + 1, parts);
    return stem + suffix.data();
}

Result<Report> run(const gguf::File& source, const Plan& plan, const fs::path& path,
                   const RunOptions& options) {
    const auto parts = parts_of(source, plan, path, options.keep_split);
    INGLE_TRY(check_target(source, parts, plan.bytes_after()));
    return Runner(source, plan, options).run(parts);
}

}  // namespace ingle::quantize
