#include "server/model_json.h"

#include <filesystem>

#include "gguf/reader.h"
#include "server/sampling_fields.h"
#include "server/served_model.h"
#include "server/service.h"
#include "server/surfaces/native.h"

namespace ingle::server {

namespace {

// Columns of a hidden state, as the file says.
int64_t embedding_length(const gguf::File& file) {
    const gguf::Metadata& metadata = file.metadata();
    const std::string name = cat(metadata.text("general.architecture"), ".embedding_length");
    const auto length = metadata.get<int64_t>(name);
    return length.ok() ? *length : 0;
}

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

Json details_of(std::string_view architecture, std::string_view size, std::string_view type) {
    return {{"parent_model", ""},
            {"format", "gguf"},
            {"family", architecture},
            {"families", Json::array({architecture})},
            {"parameter_size", size},
            {"quantization_level", type}};
}

Json details_of(const ServedModel& model) {
    const Model& loaded = model.engine->model();
    // "llama 135M Q4_1"
    const std::string description = loaded.description();
    const auto words = split(description, ' ');
    return details_of(loaded.file().metadata().text("general.architecture"),
                      words.size() > 1 ? words[1] : std::string_view(),
                      words.size() > 2 ? words[2] : std::string_view());
}

Json show_of(const ServedModel& served) {
    const Model& model = served.engine->model();
    const std::string architecture(model.file().metadata().text("general.architecture"));
    Json capabilities = Json::array({"completion"});
    if (served.chat_template && served.chat_template->capabilities().tools) capabilities.push_back("tools");
    if (served.chat_template && served.chat_template->capabilities().enable_thinking)
        capabilities.push_back("thinking");
    std::string parameters;
    const Json settings = sampling_json(served.sampling);
    for (const auto& [name, value] : settings.items())
        if (value.is_number()) parameters += cat(name, " ", value.dump(), "\n");
    return {{"modelfile", ""},
            {"parameters", parameters},
            {"template", served.chat_template ? served.chat_template->source() : std::string()},
            {"details", details_of(served)},
            {"model_info",
             {{"general.architecture", architecture},
              {"general.parameter_count", model.parameter_count()},
              {cat(architecture, ".context_length"), model.context_trained()}}},
            {"capabilities", std::move(capabilities)}};
}

Json capabilities_json(const ServedModel& model) {
    if (!model.chat_template) return Json::object();
    const chat::Capabilities& can = model.chat_template->capabilities();
    return {{"supports_system_role", can.system_role},
            {"supports_tools", can.tools},
            {"supports_tool_calls", can.tool_calls},
            {"supports_parallel_tool_calls", can.tool_calls},
            {"supports_string_content", can.text_content},
            {"supports_typed_content", can.typed_content},
            {"supports_enable_thinking", can.enable_thinking}};
}

Json properties_of(const ServedModel& model, const Settings& settings) {
    GenerationRequest defaults;
    defaults.sampling = model.sampling;
    defaults.tokens_max = settings.tokens_max;
    const Engine& engine = *model.engine;
    return {{"default_generation_settings",
             {{"n_ctx", engine.context_tokens()}, {"params", generation_settings_json(defaults, model.tokenizer())}}},
            {"total_slots", engine.sequences_max()},
            {"model_alias", model.name},
            {"model_path", model.path},
            {"model_description", engine.model().description()},
            {"modalities", {{"vision", false}, {"audio", false}}},
            {"chat_template", model.chat_template ? model.chat_template->source() : std::string()},
            {"chat_template_caps", capabilities_json(model)},
            {"bos_token", model.bos_text},
            {"eos_token", model.eos_text},
            {"build_info", system_fingerprint()},
            {"endpoint_slots", settings.show_slots},
            {"endpoint_metrics", settings.show_metrics},
            {"is_sleeping", false}};
}

}  // namespace

std::shared_ptr<const ModelCard> make_card(const ServedModel& model, const Settings& settings) {
    auto card = std::make_shared<ModelCard>();
    card->listing = model_json(model);
    card->details = details_of(model);
    card->show = show_of(model);
    card->properties = properties_of(model, settings);
    card->metrics = model.engine->metrics();
    card->key_type = info(model.engine->key_type()).name;
    card->value_type = info(model.engine->value_type()).name;
    card->context_tokens = model.engine->context_tokens();
    card->bytes = model.engine->model().file_bytes();
    return card;
}

Result<ModelReport> described_model(const Request& request, const Service& service) {
    INGLE_TRY(service.models().ready());
    const std::string name = request.query_value("model");
    if (service.models().several() && name.empty()) {
        for (ModelReport& report : service.models().reports())
            if (report.state == ModelState::loaded) return std::move(report);
        return fail(Code::invalid_argument, "no model is in memory; ?model= names one");
    }
    auto report = service.models().report(name);
    if (!report) return fail(Code::not_found, "there is no model ", quoted(name));
    if (!report->card)
        return fail(Code::invalid_argument, "the model ", quoted(report->name),
                    " is not loaded; POST /models/load does that");
    return std::move(*report);
}

Json listing_json(const ModelReport& report) {
    Json aliases = report.aliases;
    Json json = {{"id", report.name}, {"aliases", std::move(aliases)}, {"tags", report.tags},
                 {"object", "model"}, {"created", 0}, {"owned_by", "ingle"}};
    if (report.card) json = report.card->listing;
    json["path"] = report.path;
    Json status = {{"value", to_string(report.state)}};
    if (report.state == ModelState::loading) status["progress"] = report.progress;
    if (!report.fault.empty()) {
        status["failed"] = true;
        status["message"] = report.fault;
    }
    json["status"] = std::move(status);
    return json;
}

Json details_json(const ModelReport& report) {
    if (report.card) return report.card->details;
    return details_of("", "", "");
}

Json show_json(const ModelReport& report) {
    if (report.card) return report.card->show;
    const auto file = gguf::File::open(report.path);
    if (!file.ok()) return {{"modelfile", ""}, {"details", details_json(report)}, {"capabilities", Json::array()}};
    const gguf::Metadata& metadata = file->metadata();
    const std::string architecture(metadata.text("general.architecture"));
    const auto context = file->get<int64_t>(architecture + ".context_length");
    int64_t parameters = 0;
    for (const gguf::TensorInfo& tensor : file->tensors()) parameters += int64_t(tensor.elements());
    return {{"modelfile", ""},
            {"template", metadata.text("tokenizer.chat_template")},
            {"details", details_of(architecture, metadata.text("general.size_label"), "")},
            {"model_info",
             {{"general.architecture", architecture},
              {"general.parameter_count", parameters},
              {architecture + ".context_length", context.ok() ? *context : 0}}},
            {"capabilities", Json::array({"completion"})}};
}

uint64_t bytes_of(const ModelReport& report) {
    if (report.card) return report.card->bytes;
    std::error_code error;
    const auto bytes = std::filesystem::file_size(report.path, error);
    return error ? 0 : bytes;
}

}  // namespace ingle::server
