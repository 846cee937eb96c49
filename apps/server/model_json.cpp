#include "server/model_json.h"

namespace ingle::server {

namespace {

// Columns of a hidden state, as the file says.
int64_t embedding_length(const gguf::File& file) {
    const gguf::Metadata& metadata = file.metadata();
    const std::string name = cat(metadata.text("general.architecture"), ".embedding_length");
    const auto length = metadata.get<int64_t>(name);
    return length.ok() ? *length : 0;
}

}  // namespace

Json model_json(const ServedModel& model) {
    const Model& loaded = model.engine->model();
    // llama.cpp's numbers of the kinds of vocabularies.
    const std::string_view kind = loaded.tokenizer()->vocabulary().model;
    const int vocabulary_type = kind == "llama" ? 1 : kind == "gpt2" ? 2 : kind == "bert" ? 3 : kind == "t5" ? 4 : 0;
    return {{"id", model.name},
            {"aliases", model.aliases},
            {"tags", model.tags},
            {"object", "model"},
            {"created", model.created},
            {"owned_by", "ingle"},
            {"meta",
             {{"vocab_type", vocabulary_type},
              {"n_vocab", loaded.vocab()},
              {"n_ctx", model.engine->context_tokens()},
              {"n_ctx_train", loaded.context_trained()},
              {"n_embd", embedding_length(loaded.file())},
              {"n_params", loaded.parameter_count()},
              {"size", loaded.file_bytes()}}}};
}

Json ollama_details_json(const ServedModel& model) {
    const Model& loaded = model.engine->model();
    const std::string architecture(loaded.file().metadata().text("general.architecture"));
    // "llama 135M Q4_1"
    const std::string description = loaded.description();
    const auto words = split(description, ' ');
    return {{"parent_model", ""},
            {"format", "gguf"},
            {"family", architecture},
            {"families", Json::array({architecture})},
            {"parameter_size", words.size() > 1 ? std::string(words[1]) : std::string()},
            {"quantization_level", words.size() > 2 ? std::string(words[2]) : std::string()}};
}

}  // namespace ingle::server
