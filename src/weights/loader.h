// Gives model files their hyper-parameters and tensors by GGUF name. Faults are collected, not thrown: a model that
// lacks three tensors reports three lines. After a fault the getters return harmless values.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "gguf/reader.h"
#include "graph/builder.h"

namespace ingle {

class Loader {
  public:
    // `file` and `builder` must outlive the loader; the mapping must outlive the built graph.
    Loader(const gguf::File& file, graph::Builder& builder);

    graph::Builder& builder() const { return builder_; }
    const gguf::File& file() const { return file_; }
    const std::string& architecture() const { return architecture_; }

    // Hyper-parameters; the architecture's prefix is put before `key`. Without a fallback the key must be there.
    int64_t integer(std::string_view key, int64_t min, int64_t max);
    int64_t integer_or(std::string_view key, int64_t fallback, int64_t min, int64_t max);
    float real(std::string_view key, float min, float max);
    float real_or(std::string_view key, float fallback, float min, float max);
    bool flag_or(std::string_view key, bool fallback);
    std::string_view text_or(std::string_view key, std::string_view fallback);
    bool has_key(std::string_view key) const;

    // Tensors. `name` is without ".weight" or ".bias"; the same tensor gives the same id each time.
    WeightId matrix(const std::string& name, int64_t columns, int64_t rows);
    // `count` matrices below each other, as many rows as they have together: [columns, rows, count] in the file
    WeightId stack(const std::string& name, int64_t columns, int64_t rows, int64_t count);
    // [columns], stored in a plain float format
    WeightId vector(const std::string& name, int64_t columns);
    // "NAME.bias", or `none` if the file has none
    WeightId bias(const std::string& name, int64_t columns);
    bool has_tensor(std::string_view full_name) const;
    // Rows of the matrix "NAME.weight" (its second dimension); a fault and 0 if there is none.
    int64_t rows_of(const std::string& name);

    void fault(std::string message);
    // Ok, or every fault, one a line.
    Status status() const;
    // Tensors of the file that no getter asked for.
    std::vector<std::string> unused_tensors() const;

  private:
    WeightId tensor(const std::string& full_name, std::vector<uint64_t> shape);
    // The number in the tensor NAME.scale beside NAME.weight, or 1 if the file has none.
    float factor_beside(const std::string& full_name);
    std::string key_of(std::string_view key) const { return architecture_ + "." + std::string(key); }
    template <class T>
    T take(Result<T> result, T harmless);

    const gguf::File& file_;
    graph::Builder& builder_;
    std::string architecture_;
    std::vector<std::string> faults_;
    std::map<std::string, WeightId, std::less<>> known_;
};

}  // namespace ingle
