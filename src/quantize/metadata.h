// The metadata of the new file, and which layer of the old one becomes which of the new one.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gguf/reader.h"

namespace ingle::quantize {

struct Options;

// New number of each layer, -1 for those that are dropped. Empty: all stay as they are.
struct LayerMap {
    std::vector<int> new_number;

    // The tensor's new name; nothing if its layer is dropped.
    std::optional<std::string> renamed(const std::string& name) const;
    size_t kept() const;
};

// Fails on a layer that is not there or named twice, and if none would stay.
Result<LayerMap> map_layers(const gguf::File& file, const std::vector<int>& prune);

// The file's own metadata with the file type, where importance came from, pruned layers and the
// user's own keys.
Result<gguf::Metadata> make_metadata(const gguf::File& file, const Options& options,
                                     const LayerMap& layers);

// "KEY=TYPE:VALUE" with TYPE int, float, bool or str.
Result<gguf::Metadata::Entry> parse_override(std::string_view text);

}  // namespace ingle::quantize
