// What more effort buys: error and processor time of the encoders on the matrices of the reference
// data, as a Markdown table.
//
//   encoders FOLDER [VALUES [TYPE ...]]
//
// FOLDER has real_weights.safetensors and synthetic_weights.safetensors: F32 matrices, each with
// NAME.importance beside it. VALUES: how many of each matrix are encoded, from its first row on.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/file.h"
#include "quant/support/format.h"

namespace {

using namespace ingle;

struct Matrix {
    int64_t columns = 0;
    std::vector<float> values;
};

void read(const std::string& path, std::map<std::string, Matrix>& matrices) {
    const auto bytes = read_file(path);
    if (!bytes.ok()) {
        std::fprintf(stderr, "error: %s\n", bytes.status().message().c_str());
        std::exit(1);
    }
    uint64_t header_bytes = 0;
    std::memcpy(&header_bytes, bytes->data(), 8);
    const auto header = nlohmann::json::parse(bytes->substr(8, header_bytes));
    for (const auto& [name, entry] : header.items()) {
        if (name == "__metadata__") continue;
        const size_t begin = entry["data_offsets"][0], end = entry["data_offsets"][1];
        Matrix& matrix = matrices[name];
        matrix.columns = entry["shape"].back().get<int64_t>();
        matrix.values.resize((end - begin) / sizeof(float));
        std::memcpy(matrix.values.data(), bytes->data() + 8 + header_bytes + begin, end - begin);
    }
}

struct Cost {
    double error = 0;  // weighted, root mean square
    double nanoseconds = 0;  // of a value
};

Cost encode(const quant::FormatInfo& format, const Matrix& matrix, size_t values_max,
            const std::vector<float>& importance, const quant::EncodeContext& context) {
    const auto columns = size_t(matrix.columns);
    const size_t rows = std::min(values_max, matrix.values.size()) / columns;
    const size_t row_bytes = columns / size_t(format.block_size) * format.block_bytes;
    std::vector<std::byte> blocks(rows * row_bytes);
    const std::clock_t begin = std::clock();
    for (size_t row = 0; row < rows; ++row)
        format.encode_row(matrix.values.data() + row * columns, matrix.columns,
                          blocks.data() + row * row_bytes, context);
    const double seconds = double(std::clock() - begin) / CLOCKS_PER_SEC;
    std::vector<float> decoded(columns);
    double error = 0;
    for (size_t row = 0; row < rows; ++row) {
        format.decode_row(blocks.data() + row * row_bytes, matrix.columns, decoded.data());
        for (size_t i = 0; i < columns; ++i) {
            const double difference =
                double(decoded[i]) - double(matrix.values[row * columns + i]);
            error += double(importance.empty() ? 1.0f : importance[i]) * difference * difference;
        }
    }
    return {std::sqrt(error), 1e9 * seconds / double(rows * columns)};
}

void print_row(const quant::FormatInfo& format, const std::map<std::string, Matrix>& matrices,
               size_t values_max) {
    double ratios[quant::effort_max + 1][2] = {}, worst[quant::effort_max + 1] = {};
    double nanoseconds[quant::effort_max + 1] = {};
    int count = 0;
    for (const auto& [name, matrix] : matrices) {
        if (name.ends_with(".importance") || matrix.columns % format.block_size != 0) continue;
        const std::vector<float> weights[2] = {{}, matrices.at(name + ".importance").values};
        ++count;
        for (int given = 0; given < 2; ++given) {
            double least = 0;
            for (int effort = quant::effort_min; effort <= quant::effort_max; ++effort) {
                const Cost cost =
                    encode(format, matrix, values_max, weights[given], {weights[given], effort});
                if (effort == quant::effort_min) least = cost.error;
                ratios[effort][given] += cost.error / least;
                worst[effort] = std::max(worst[effort], cost.error / least);
                nanoseconds[effort] += cost.nanoseconds / 2;
            }
        }
    }
    std::printf("| %s | %.1f |", std::string(format.name).c_str(), nanoseconds[1] / count);
    for (int effort = 2; effort <= quant::effort_max; ++effort)
        std::printf(" %.3f, %.3f (%.3f) | %.1f |", ratios[effort][0] / count,
                    ratios[effort][1] / count, worst[effort], nanoseconds[effort] / nanoseconds[1]);
    std::printf("\n");
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "expected FOLDER [VALUES [TYPE ...]]\n");
        return 2;
    }
    std::map<std::string, Matrix> matrices;
    for (const char* const name : {"/real_weights.safetensors", "/synthetic_weights.safetensors"})
        read(argv[1] + std::string(name), matrices);
    const size_t values_max = argc > 2 ? size_t(std::atoll(argv[2])) : 65536;
    std::printf("| type | ns a value | effort 2: error without, with importance (worst) | time | "
                "effort 3: error | time |\n|---|---|---|---|---|---|\n");
    for (const quant::FormatInfo& format : quant::all_formats()) {
        bool wanted = argc <= 3 && format.block_size > 1;
        for (int i = 3; i < argc; ++i) wanted = wanted || format.name == argv[i];
        if (wanted) print_row(format, matrices, values_max);
    }
}
