// Writes a NumPy array of float32 piece by piece (format 1.0): a header of text, then the values.
// Published format: numpy.lib.format. The file appears under its name only when it is whole.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string>

#include "base/status.h"

namespace ingle::cli {

class NpyWriter {
  public:
    // `shape`: the slowest dimension first, as NumPy names them. `path` "-" is standard output.
    static Result<NpyWriter> create(const std::string& path, std::span<const int64_t> shape);
    NpyWriter(NpyWriter&&) = default;
    NpyWriter& operator=(NpyWriter&&) = default;
    ~NpyWriter();

    Status write(std::span<const float> values);
    // All values were written: gives the file its name.
    Status finish();

  private:
    struct Close {
        void operator()(std::FILE* file) const;
    };
    NpyWriter() = default;

    std::string path_;
    std::string partial_path_;  // empty: standard output
    std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace ingle::cli
