// What `ingle quantize` plans and what it did, for people and for programs.
#pragma once

#include <string>

#include "quantize/run.h"

namespace ingle::cli {

// One line per tensor: name, shape, types, bytes; warnings and sums below.
std::string text_of_plan(const quantize::Plan& plan);
// {"file", "bytes_before", "bytes_after", "bits_per_weight", "warnings": [...],
//  "tensors": [{"name", "shape", "type_before", "type_after", "bytes_before", "bytes_after",
//               "importance", "fallback_from"}]}
std::string json_of_plan(const quantize::Plan& plan, const std::string& path);

// One line per type: tensors, bytes, bits per weight, relative error, time; sums below.
std::string text_of_report(const quantize::Report& report);
// As of a plan, with "seconds", and per tensor "seconds" and "relative_rmse" (null for copies).
std::string json_of_report(const quantize::Plan& plan, const quantize::Report& report);

}  // namespace ingle::cli
