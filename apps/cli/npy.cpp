#include "cli/npy.h"

#include <filesystem>

#include "base/platform.h"

namespace ingle::cli {

namespace {

std::string header_of(std::span<const int64_t> shape) {
    std::string tuple;
    for (const int64_t size : shape) tuple += cat(size, ", ");
    if (shape.size() > 1) tuple.resize(tuple.size() - 2);  // a tuple of one keeps its comma
    std::string text = cat("{'descr': '<f4', 'fortran_order': False, 'shape': (", tuple, "), }");
    constexpr size_t preamble = 10;  // magic, version, length of the text
    text.append(63 - (preamble + text.size()) % 64, ' ');
    text += '\n';
    return std::string("\x93NUMPY\x01\x00", 8) + char(text.size() & 255) + char(text.size() >> 8) +
           text;
}

Status not_written(const std::string& path) { return fail(Code::io, "cannot write ", quoted(path)); }

}  // namespace

void NpyWriter::Close::operator()(std::FILE* file) const {
    if (file != stdout) std::fclose(file);
}

Result<NpyWriter> NpyWriter::create(const std::string& path, std::span<const int64_t> shape) {
    NpyWriter writer;
    writer.path_ = path;
    if (path == "-") {
        writer.file_.reset(stdout);
    } else {
        writer.partial_path_ = cat(path, ".", platform::process_id(), ".partial");
        writer.file_.reset(std::fopen(writer.partial_path_.c_str(), "wb"));
    }
    const std::string header = header_of(shape);
    if (writer.file_ == nullptr ||
        std::fwrite(header.data(), 1, header.size(), writer.file_.get()) != header.size())
        return not_written(path);
    return writer;
}

NpyWriter::~NpyWriter() {
    if (file_ == nullptr || partial_path_.empty()) return;
    file_.reset();
    std::error_code ignored;
    std::filesystem::remove(partial_path_, ignored);
}

Status NpyWriter::write(std::span<const float> values) {
    if (std::fwrite(values.data(), sizeof(float), values.size(), file_.get()) != values.size())
        return not_written(path_);
    return {};
}

Status NpyWriter::finish() {
    if (std::fflush(file_.get()) != 0) return not_written(path_);
    file_.reset();
    if (partial_path_.empty()) return {};
    std::error_code error;
    std::filesystem::rename(partial_path_, path_, error);
    if (error) return not_written(path_).in(error.message());
    return {};
}

}  // namespace ingle::cli
