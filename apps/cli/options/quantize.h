// The flags of `ingle quantize`, which are llama-quantize's, and what they say about a file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/verb.h"
#include "imatrix/imatrix.h"
#include "quantize/plan.h"

namespace ingle::cli {

std::vector<Option> quantize_options();

// IN.gguf [OUT.gguf] TYPE [THREADS]
struct QuantizeWords {
    std::string input;
    std::string output;  // made from the input's folder and the type if not given
    const quantize::Recipe* recipe = nullptr;  // null: COPY
    std::optional<int> threads;
};
Result<QuantizeWords> quantize_words(const std::vector<std::string>& arguments);

// Without the recipe. `importance` is filled from --imatrix and must outlive the result.
Result<quantize::Options> quantize_options_of(const OptionValues& values,
                                              std::optional<imatrix::Matrix>& importance);

// The types that may be named, for the help page.
std::string quantize_type_table();

}  // namespace ingle::cli
