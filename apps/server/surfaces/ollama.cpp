#include "server/surfaces/ollama.h"

#include <ctime>

namespace ingle::server {

namespace {

int64_t nanoseconds(double seconds) { return int64_t(seconds * 1e9); }

class Ollama : public Surface {
  public:
    Ollama(Form form, bool chat) : form_(std::move(form)), chat_(chat) {}

    std::string_view stream_type() const override { return "application/x-ndjson"; }

    void piece(const Piece& piece, const Answer& answer, std::string& out) override {
        using Kind = chat::ReplyPiece::Kind;
        if (!piece.read) return line(out, piece.text, "", Json(), nullptr);
        for (const chat::ReplyPiece& part : piece.reply) {
            if (part.kind == Kind::content && !part.text.empty()) line(out, part.text, "", Json(), nullptr);
            if (part.kind == Kind::reasoning && !part.text.empty()) line(out, "", part.text, Json(), nullptr);
            // A call is told when it is whole: the next one has begun, or the answer has ended.
            if (part.kind == Kind::call) tell_calls(out, answer, size_t(part.call));
        }
    }

    void finish(int, const Answer& answer, std::string& out) override {
        tell_calls(out, answer, answer.calls.size());
        line(out, "", "", Json(), &answer);
    }

    void end(const std::vector<Answer>&, std::string&) override {}

    void fail(const Error& error, std::string& out) override {
        out += dump(error_body(error, Dialect::ollama)) + "\n";
    }

    Json whole(const std::vector<Answer>& answers) override {
        const Answer& answer = answers.front();
        Json calls;
        for (const ToolCall& call : answer.calls) calls.push_back(call_json(call));
        return object(answer.content, answer.reasoning, calls, &answer);
    }

    std::string_view ping() const override { return {}; }

  private:
    static Json call_json(const ToolCall& call) {
        Json arguments = Json::parse(call.arguments, nullptr, false);
        return {{"id", call.id},
                {"function",
                 {{"name", call.name},
                  {"arguments", arguments.is_discarded() ? Json(Json::object()) : std::move(arguments)}}}};
    }

    void tell_calls(std::string& out, const Answer& answer, size_t until) {
        for (; told_ < until; ++told_) {
            Json calls = Json::array({call_json(answer.calls[told_])});
            line(out, "", "", calls, nullptr);
        }
    }

    void line(std::string& out, const std::string& text, const std::string& thinking, const Json& calls,
              const Answer* last) const {
        out += dump(object(text, thinking, calls, last)) + "\n";
    }

    Json object(const std::string& text, const std::string& thinking, const Json& calls, const Answer* last) const {
        Json json = {{"model", form_.model}, {"created_at", timestamp_now()}};
        if (chat_) {
            Json message = {{"role", "assistant"}, {"content", text}};
            if (!thinking.empty()) message["thinking"] = thinking;
            if (!calls.is_null()) message["tool_calls"] = calls;
            json["message"] = std::move(message);
        } else {
            json["response"] = text;
            if (!thinking.empty()) json["thinking"] = thinking;
        }
        json["done"] = last != nullptr;
        if (last == nullptr) return json;
        const Timings& timings = last->timings;
        const bool cut = last->finish_reason() == "length";
        json["done_reason"] = cut ? "length" : "stop";
        json["total_duration"] =
            nanoseconds(timings.queue_seconds + timings.prompt_seconds + timings.generate_seconds);
        json["load_duration"] = 0;
        json["prompt_eval_count"] = timings.prompt_tokens;
        json["prompt_eval_duration"] = nanoseconds(timings.prompt_seconds);
        json["eval_count"] = timings.tokens;
        json["eval_duration"] = nanoseconds(timings.generate_seconds);
        return json;
    }

    Form form_;
    bool chat_;
    size_t told_ = 0;
};

Status take_message(const Json& given, Json& messages) {
    if (member(given, "images") != nullptr && !given["images"].empty())
        return fail(Code::invalid_argument, "'messages': image input is not supported by this model");
    Json message = given;
    if (message.is_object() && message.contains("thinking")) {
        message["reasoning_content"] = message["thinking"];
        message.erase("thinking");
    }
    if (message.is_object() && message.contains("tool_name")) message["name"] = message["tool_name"];
    messages.push_back(std::move(message));
    return {};
}

}  // namespace

std::string timestamp_now() { return timestamp_in(0); }

std::string timestamp_in(double seconds_from_now) {
    using namespace std::chrono;
    const int64_t micros = duration_cast<microseconds>(system_clock::now().time_since_epoch()).count() +
                           int64_t(seconds_from_now * 1e6);
    const std::time_t seconds = std::time_t(micros / 1'000'000);
    std::tm parts = {};
    gmtime_r(&seconds, &parts);
    char text[32];
    const size_t length = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts);
    const std::string fraction = std::to_string(1'000'000 + micros % 1'000'000).substr(1);
    return cat(std::string_view(text, length), ".", fraction, "Z");
}

namespace {

// "1h30m", "10s", "250ms", "-1s"; Go's form of durations.
std::optional<double> seconds_of(std::string_view text) {
    const bool negative = text.starts_with('-');
    if (negative) text.remove_prefix(1);
    double sum = 0;
    bool any = false;
    while (!text.empty()) {
        const size_t length = text.find_first_not_of("0123456789.");
        if (length == 0 || length == text.npos) return std::nullopt;
        const auto number = parse_real(text.substr(0, length));
        text.remove_prefix(length);
        const size_t unit_length = std::min(text.find_first_of("0123456789."), text.size());
        const std::string_view unit = text.substr(0, unit_length);
        text.remove_prefix(unit_length);
        const double factor = unit == "h" ? 3600 : unit == "m" ? 60 : unit == "s" ? 1 : unit == "ms" ? 1e-3
                              : unit == "us" ? 1e-6 : unit == "ns" ? 1e-9 : -1;
        if (!number || factor < 0) return std::nullopt;
        sum += *number * factor;
        any = true;
    }
    if (!any) return std::nullopt;
    return negative ? -sum : sum;
}

}  // namespace

Status take_keep_alive(const Json& request, const ServedModel& model, Catalogue& models) {
    const Json* const given = member(request, "keep_alive");
    if (given == nullptr) return {};
    std::optional<double> seconds;
    if (given->is_number()) seconds = given->get<double>();
    if (given->is_string()) {
        const std::string text = given->get<std::string>();
        seconds = seconds_of(text);
        if (!seconds) seconds = parse_real(text);
    }
    if (!seconds)
        return fail(Code::invalid_argument, "'keep_alive': expected seconds or a duration like \"10m\", found ",
                    quoted(dump(*given), 40));
    models.keep(model.name, *seconds);
    return {};
}

Json loaded_json(const Json& request, const ServedModel& model) {
    const Json* const keep = member(request, "keep_alive");
    const bool goes = keep != nullptr && (keep->is_number() ? keep->get<double>() == 0 : *keep == "0");
    Json json = {{"model", Fields(request).text("model", model.name)}, {"created_at", timestamp_now()}};
    if (member(request, "messages") != nullptr) json["message"] = {{"role", "assistant"}, {"content", ""}};
    else json["response"] = "";
    json["done"] = true;
    json["done_reason"] = goes ? "unload" : "load";
    return json;
}

Result<Json> fields_from_ollama(const Json& request) {
    Fields fields(request);
    Json chat = Json::object();
    if (const Json* const options = fields.object("options")) {
        chat = *options;
        if (const Json* const length = member(*options, "num_predict")) chat["n_predict"] = *length;
    }
    if (const Json* const model = member(request, "model")) chat["model"] = *model;
    chat["stream"] = fields.flag("stream", true);
    if (const Json* const format = member(request, "format")) {
        if (format->is_object()) chat["json_schema"] = *format;
        else if (*format == "json") chat["response_format"] = {{"type", "json_object"}};
        else if (*format != "") fields.wrong("'format': expected json or a JSON Schema");
    }
    if (const Json* const think = member(request, "think")) {
        if (think->is_string()) chat["reasoning_effort"] = *think;
        else chat["chat_template_kwargs"]["enable_thinking"] = *think;
    }
    INGLE_TRY(fields.status());
    return chat;
}

Result<Json> chat_from_ollama(const Json& request) {
    INGLE_ASSIGN(Json chat, fields_from_ollama(request));
    Fields fields(request);
    fields.require("messages");
    const Json* const messages = fields.array("messages");
    INGLE_TRY(fields.status());
    chat["messages"] = Json::array();
    for (const Json& message : *messages) INGLE_TRY(take_message(message, chat["messages"]));
    if (const Json* const tools = fields.array("tools")) chat["tools"] = *tools;
    INGLE_TRY(fields.status());
    return chat;
}

std::unique_ptr<Surface> make_ollama(Form form, bool chat) {
    return std::make_unique<Ollama>(std::move(form), chat);
}

}  // namespace ingle::server
