// Measuring importance for `ingle imatrix`: what it begins from, what it writes on the way, where it goes on.
#pragma once

#include "cli/verb.h"
#include "imatrix/imatrix.h"

namespace ingle::cli {

// The files of --in-file, added up; empty if there are none.
Result<imatrix::Matrix> merged_inputs(const OptionValues& values);

// In the form of --output-format.
Status save_as_asked(const OptionValues& values, const imatrix::Matrix& matrix, const std::string& path);

// Reads the text of -f or -p with the model and writes the matrix, on the way and at the end. Ctrl-C writes what there
// is, and --resume goes on from there.
Status measure_and_save(const Invocation& invocation);

}  // namespace ingle::cli
