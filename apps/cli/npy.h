// Writes a NumPy array of float32 row by row (format 1.0): a header of text, then the rows.
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
    // `path` "-" is standard output.
    static Result<NpyWriter> create(const std::string& path, int64_t rows, int64_t columns);
    NpyWriter(NpyWriter&&) = default;
    NpyWriter& operator=(NpyWriter&&) = default;
    ~NpyWriter();

    Status write(std::span<const float> row);
    // All rows were written: gives the file its name.
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
