// How much of what the machine can do at most a benchmark used.
#pragma once

#include <map>

#include "cli/bench_report.h"
#include "engine/model.h"

namespace ingle::cli {

struct Roofs {
    double int8 = 0;  // Gop/s, a multiply-add is two
    double f32 = 0;   // Gflop/s
    double read = 0;  // GB/s
};

// Measured once per number of threads, a second or so each.
class RoofMeter {
  public:
    const Roofs& of(const Runtime& runtime);

  private:
    std::map<int, Roofs> by_threads_;
};

// Of a prompt alone: the time its multiplications would take at the roofs of their kinds, over the measured time. Of
// generation alone: the time to read the matrices once per token at the roof, over the measured time. Nothing for
// both together.
std::optional<double> share_of_roof(const Model& model, const Roofs& roofs, const BenchRow& row);

}  // namespace ingle::cli
