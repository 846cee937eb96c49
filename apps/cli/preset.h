// A presets file: models with flags of their own, in INI form.
//
//   [*]                        ; for every model
//   ctx-size = 8192
//
//   [writer]                   ; the name by which clients ask for it
//   model = /models/writer-Q4_K_M.gguf
//   temp = 0.9
//
// Keys are flags without their dashes, or names of environment variables. What the command line says wins over a
// model's section, and that over [*].
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/option.h"

namespace ingle::cli {

struct PresetEntry {
    std::string key;
    std::string value;
    int line = 0;
};

struct PresetSection {
    std::string name;
    std::vector<PresetEntry> entries;
};

// Keys before the first section belong to a section without a name.
Result<std::vector<PresetSection>> parse_presets(std::string_view text);

// What a model is run with.
struct Preset {
    std::string name;
    std::string model;       // a file or a reference to a hub
    OptionValues values;
    bool at_start = false;
    bool hides_source = false;  // the entry that the cache would have for it is not listed
    std::string definition;     // the section's text, for telling whether it has changed
};

// Fails naming the file's line: a key that is no flag of a model, a value that the flag does not take.
Result<std::vector<Preset>> presets_of(std::string_view text, const OptionValues& given);

}  // namespace ingle::cli
