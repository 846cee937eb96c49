// A model with what requests to it need. Immutable; requests under way keep it alive.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "chat/template.h"
#include "engine/engine.h"

namespace ingle::server {

struct ServedModel {
    std::shared_ptr<Engine> engine;
    std::string name;                  // first of the names by which clients know it
    std::vector<std::string> aliases;  // all of them
    std::vector<std::string> tags;
    std::string path;
    int64_t created = 0;               // seconds since 1970
    std::optional<chat::ChatTemplate> chat_template;
    std::string template_fault;        // why there is none
    std::string bos_text;
    std::string eos_text;
    OptionValues sampling;             // what requests start from
    chat::Json template_variables = chat::Json::object();
    std::optional<bool> thinking;      // nothing: as the template has it

    const Tokenizer& tokenizer() const { return *engine->model().tokenizer(); }
};

}  // namespace ingle::server
