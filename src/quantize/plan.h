// What will be done to each tensor of a file, decided and checked before any work starts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/pattern.h"
#include "gguf/reader.h"
#include "imatrix/imatrix.h"
#include "quantize/recipe.h"

namespace ingle::quantize {

struct TypeOverride {
    Pattern names;  // matched against the tensor's name, somewhere in it
    uint32_t type_id = 0;
};

struct Options {
    const Recipe* recipe = nullptr;  // null: every tensor is copied as it is
    std::optional<uint32_t> output_type;
    std::optional<uint32_t> embedding_type;
    std::vector<TypeOverride> overrides;  // the first that matches wins
    bool pure = false;                    // every matrix gets the recipe's base type
    bool leave_output = false;            // output.weight stays as it is
    bool allow_requantize = false;
    bool allow_fallback = true;  // types whose blocks do not fit a row may be replaced
    std::vector<int> prune_layers;
    std::vector<gguf::Metadata::Entry> override_metadata;

    const imatrix::Matrix* importance = nullptr;
    std::string importance_file;  // its name, noted in the metadata
    std::vector<std::string>
        include;  // if not empty, importance only where the name has one of these
    std::vector<std::string> exclude;  // no importance where the name has one of these
};

struct TensorPlan {
    const gguf::TensorInfo* source = nullptr;
    std::string name;  // differs from the source's where layers were pruned
    uint32_t type_id = 0;
    uint32_t wanted_type_id = 0;                 // before a fallback
    uint64_t bytes = 0;                          // in the new file
    const imatrix::Entry* importance = nullptr;  // null: all columns alike

    bool is_copy() const { return type_id == source->type_id; }
    bool fell_back() const { return type_id != wanted_type_id; }
};

struct Plan {
    gguf::Metadata metadata;
    std::vector<TensorPlan> tensors;  // in file order
    std::vector<std::string> warnings;

    uint64_t bytes_before() const;
    uint64_t bytes_after() const;
    uint64_t elements() const;
};

// `file` and the importance matrix must outlive the plan. Fails on rows that no type fits, an
// importance matrix of another model, and layers or options that contradict the file.
Result<Plan> make_plan(const gguf::File& file, const Options& options);

// Fails, with names and numbers, on whatever else would make the work fail half-way or give a file
// of no use: types that this build cannot read or write, tensors that are quantized already, types
// of few bits without importance.
Status check_plan(const Plan& plan, const Options& options);

}  // namespace ingle::quantize
