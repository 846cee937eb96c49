// Which chat template: the model's own, a built-in name, a file, or the text itself.
#pragma once

#include <vector>

#include "chat/template.h"
#include "cli/verb.h"
#include "gguf/reader.h"

namespace ingle::cli {

std::vector<Option> chat_template_options();

// As the options say, else the one in the model's file (null: no model), else chatml with a notice.
Result<chat::ChatTemplate> choose_template(const OptionValues& values, const gguf::File* model);

// A JSON text, or the failure with what it was for.
Result<chat::Json> parse_json(std::string_view text, std::string_view what);

}  // namespace ingle::cli
