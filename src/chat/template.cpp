#include "chat/template.h"

#include <mutex>

#include "chat/adapt.h"
#include "chat/jinja/interpreter.h"
#include "chat/json_value.h"

namespace ingle::chat {

struct ChatTemplate::State {
    std::string source;
    jinja::Syntax syntax;
    jinja::Limits limits;
    std::once_flag probed;
    Capabilities capabilities;
};

namespace {

// Longer sources are no chat templates.
constexpr size_t source_bytes_max = 4u << 20;

Status define(jinja::Interpreter& interpreter, std::string_view name, const Json& json,
              int depth_max) {
    auto value = value_from_json(json, depth_max);
    if (!value.ok()) return std::move(value).status().in(name);
    interpreter.define(name, std::move(*value));
    return Status();
}

Result<Rendered> render_plainly(const jinja::Syntax& syntax, const jinja::Limits& limits,
                                const ChatInput& input, const Json& messages) {
    jinja::Interpreter interpreter(syntax, limits, input.now);
    const auto text = [&](std::string_view name, const std::string& value) {
        interpreter.define(name, jinja::Value::text(value));
    };
    text("bos_token", input.bos_token);
    text("eos_token", input.eos_token);
    if (input.add_generation_prompt)
        interpreter.define("add_generation_prompt", jinja::Value(*input.add_generation_prompt));
    if (input.enable_thinking)
        interpreter.define("enable_thinking", jinja::Value(*input.enable_thinking));
    const int depth_max = limits.value_depth_max;
    INGLE_TRY(define(interpreter, "messages", messages, depth_max));
    if (!input.tools.is_null()) INGLE_TRY(define(interpreter, "tools", input.tools, depth_max));
    if (!input.documents.is_null())
        INGLE_TRY(define(interpreter, "documents", input.documents, depth_max));
    for (const auto& [name, value] : input.variables.items())
        INGLE_TRY(define(interpreter, name, value, depth_max));
    return interpreter.render();
}

}  // namespace

Result<ChatTemplate> ChatTemplate::parse(std::string source, const jinja::Limits& limits) {
    if (source.size() > source_bytes_max)
        return fail(Code::limit, "chat template: ", human_bytes(source.size()), " is more than ",
                    human_bytes(source_bytes_max));
    auto syntax = jinja::parse(source);
    if (!syntax.ok()) return std::move(syntax).status().in("chat template");
    ChatTemplate made;
    made.state_ = std::make_shared<State>();
    made.state_->source = std::move(source);
    made.state_->syntax = std::move(*syntax);
    made.state_->limits = limits;
    return made;
}

const std::string& ChatTemplate::source() const {
    return state_->source;
}

const Capabilities& ChatTemplate::capabilities() const {
    std::call_once(state_->probed, [this] {
        state_->capabilities = probe([this](const ChatInput& input) {
            return render_plainly(state_->syntax, state_->limits, input, input.messages);
        });
    });
    return state_->capabilities;
}

Result<Rendered> ChatTemplate::render(const ChatInput& input) const {
    const auto plainly = [&](const Json& messages) {
        return render_plainly(state_->syntax, state_->limits, input, messages);
    };
    if (input.adapt == Adapt::by_probe) {
        auto rendered = plainly(adapted(input.messages, capabilities()));
        if (rendered.ok()) return rendered;
    }
    auto rendered = plainly(input.messages);
    if (!rendered.ok() && input.adapt != Adapt::never && rendered.status().code() != Code::limit) {
        for (const Json& messages : alternatives(input.messages)) {
            auto other = plainly(messages);
            if (other.ok()) return other;
        }
    }
    if (!rendered.ok()) return std::move(rendered).status().in("chat template");
    return rendered;
}

Result<std::tm> parse_clock(std::string_view text) {
    const auto number = [&](size_t begin, size_t size) -> int {
        const auto value =
            begin + size <= text.size() ? parse_int(text.substr(begin, size)) : std::nullopt;
        return value && *value >= 0 ? int(*value) : -1;
    };
    const bool date_only = text.size() == 10;
    const bool shaped =
        (date_only || text.size() == 19) && text[4] == '-' && text[7] == '-' &&
        (date_only || ((text[10] == ' ' || text[10] == 'T') && text[13] == ':' && text[16] == ':'));
    std::tm time = {};
    const int year = number(0, 4), month = number(5, 2), day = number(8, 2);
    time.tm_hour = date_only ? 0 : number(11, 2);
    time.tm_min = date_only ? 0 : number(14, 2);
    time.tm_sec = date_only ? 0 : number(17, 2);
    static constexpr int month_days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    const auto days_in = [&](int m) { return month_days[m - 1] + (m == 2 && leap); };
    const bool valid = shaped && year > 0 && month >= 1 && month <= 12 && day >= 1 &&
                       day <= days_in(month) && time.tm_hour >= 0 && time.tm_hour < 24 &&
                       time.tm_min >= 0 && time.tm_min < 60 && time.tm_sec >= 0 && time.tm_sec < 60;
    if (!valid)
        return fail(Code::invalid_argument, "expected a time like \"2024-07-26 12:34:56\", found ",
                    quoted(text));
    time.tm_year = year - 1900;
    time.tm_mon = month - 1;
    time.tm_mday = day;
    time.tm_yday = day - 1;
    for (int m = 1; m < month; ++m) time.tm_yday += days_in(m);
    // Days since a Sunday, by counting the leap days of the years before.
    const int past = year - 1;
    time.tm_wday = (past * 365 + past / 4 - past / 100 + past / 400 + time.tm_yday + 1) % 7;
    time.tm_isdst = -1;
    return time;
}

}  // namespace ingle::chat
