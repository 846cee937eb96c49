// Calls with one marked text for each parameter. What the texts are, strings or other JSON, the tool's schema says.
#include <algorithm>
#include <set>

#include "base/text.h"
#include "chat/reading/call_body.h"
#include "chat/reading/marks.h"

namespace ingle::chat {

namespace {

// A value that is not a string by its schema.
std::string value_json(std::string_view text, ValueKind kind) {
    const std::string_view bare = trim(text);
    if (Json::accept(bare) && !(kind == ValueKind::unknown && bare.starts_with('"')))
        return std::string(bare);
    for (const auto& [word, json] : {std::pair("True", "true"), {"False", "false"}, {"None", "null"}})
        if (bare == word && kind == ValueKind::json) return json;
    const bool is_number = !bare.empty() && bare.find_first_not_of("0123456789+-.eE") == bare.npos;
    if (kind == ValueKind::unknown || !(bare.starts_with('{') || bare.starts_with('[') || is_number))
        return json_quoted(text);
    std::string mended;
    JsonMender mender;
    mender.push(bare, mended);
    mender.finish(mended);
    return mended;
}

// Whether a JSON object or array breaks off inside a string.
bool ends_in_string(std::string_view json) {
    json = trim(json);
    if (!json.starts_with('{') && !json.starts_with('[')) return false;
    bool inside = false;
    for (size_t i = 0; i < json.size(); ++i) {
        if (inside && json[i] == '\\') ++i;
        else if (json[i] == '"') inside = !inside;
    }
    return inside;
}

class ParametersBody final : public CallBody {
  public:
    ParametersBody(const Form& form, const std::vector<Tool>& tools, CallSink& sink)
        : marks_(form.marks),
          tools_(tools),
          sink_(sink),
          end_mark_(form.call_close.empty() ? form.section_close : form.call_close) {}

    size_t push(std::string_view text, bool last) override {
        size_t taken = 0;
        while (state_ == State::reading) {
            const At before = at_;
            const size_t more = step(text.substr(taken), last);
            taken += more;
            if (more == 0 && at_ == before) break;
        }
        if (last && state_ == State::reading) finish();
        return taken;
    }

  private:
    enum class At { name_open, name, between, key, value_open, value };

    size_t step(std::string_view text, bool last) {
        switch (at_) {
            case At::name_open: return step_over(text, marks_.name_open, last, At::name);
            case At::name: return step_name(text, last);
            case At::between: return step_between(text, last);
            case At::key: return step_key(text, last);
            case At::value_open: return step_over(text, marks_.value_open, last, At::value);
            case At::value: return step_value(text, last);
        }
        return 0;
    }

    // White space and a mark that must come.
    size_t step_over(std::string_view text, std::string_view mark, bool last, At next) {
        if (mark.empty()) {
            at_ = next;
            return 0;
        }
        if (const size_t white = white_prefix(text)) return white;
        const Begins begins = begins_with(text, mark, last);
        if (begins == Begins::unknown) return 0;
        if (begins == Begins::yes) {
            at_ = next;
            return mark.size();
        }
        if (next == At::name) state_ = State::failed;
        at_ = next == At::value ? At::between : next;
        return 0;
    }

    size_t step_name(std::string_view text, bool last) {
        const std::string_view ends[] = {marks_.name_close, marks_.key_open, marks_.call_close, end_mark_};
        const MarkFound found = find_mark(text, ends, last);
        if (found.mark < 0) {
            name_ += text.substr(0, found.at);
            if (name_.size() > 512) state_ = State::failed;
            return found.at;
        }
        name_ += text.substr(0, found.at);
        name_ = std::string(trim(name_));
        const bool plausible = !name_.empty() && name_.find_first_of(" \n\t\"<>{}") == std::string::npos;
        if (!plausible || !sink_.begin_call(name_, "")) {
            state_ = State::failed;
            return found.at;
        }
        begun_ = true;
        sink_.add_arguments("{");
        at_ = At::between;
        return found.at + (found.mark == 0 ? marks_.name_close.size() : 0);
    }

    // Before a parameter or the end; what else stands there is dropped.
    size_t step_between(std::string_view text, bool last) {
        const std::string_view ends[] = {marks_.key_open, marks_.call_close, end_mark_};
        const MarkFound found = find_mark(text, ends, last);
        if (found.mark < 0) return found.at;
        if (found.mark == 0) {
            at_ = At::key;
            key_.clear();
        } else {
            end_call(found.mark == 1 && marks_.call_close != end_mark_ ? State::ended : State::ended_whole);
        }
        return found.at + ends[found.mark].size();
    }

    void end_call(State state) {
        sink_.add_arguments("}");
        sink_.end_call();
        state_ = state;
    }

    size_t step_key(std::string_view text, bool last) {
        const MarkFound found = find_mark(text, {&marks_.key_close, 1}, last);
        key_ += text.substr(0, found.at);
        if (found.mark < 0) return found.at;
        kind_ = ValueKind::unknown;
        const size_t attribute = key_.find("\" string=\"");
        if (attribute != std::string::npos) {
            kind_ = key_.substr(attribute).ends_with("true") ? ValueKind::text : ValueKind::json;
            key_.resize(attribute);
        } else {
            kind_ = kind_of_parameter(tools_, name_, trim(key_));
        }
        key_ = std::string(trim(key_));
        repeated_ = !keys_.insert(key_).second;
        value_.clear();
        value_begun_ = false;
        line_break_ = false;
        open_value();
        at_ = At::value_open;
        return found.at + marks_.key_close.size();
    }

    void open_value() {
        if (repeated_) return;
        std::string out = keys_.size() > 1 ? ", " : "";
        out += json_quoted(key_) + ": ";
        if (kind_ == ValueKind::text) out += '"';
        sink_.add_arguments(out);
    }

    // A mark ends the value if a parameter or the end follows; else it belongs to the value.
    size_t step_value(std::string_view text, bool last) {
        const MarkFound found = find_mark(text, {&marks_.value_close, 1}, false);
        if (found.mark < 0 || found.at > 0) {
            add_value(text.substr(0, found.at));
            // The beginning of a mark at the end of the text is no part of the value.
            return found.mark < 0 && last ? text.size() : found.at;
        }
        const std::string_view behind = text.substr(marks_.value_close.size());
        const std::string_view rest = behind.substr(white_prefix(behind));
        bool ends = rest.empty() && last, unknown = rest.empty() && !last;
        for (const std::string_view mark : {marks_.key_open, marks_.call_close, end_mark_}) {
            if (mark.empty() || rest.empty()) continue;
            const Begins begins = begins_with(rest, mark, last);
            ends |= begins == Begins::yes;
            unknown |= begins == Begins::unknown;
        }
        if (!ends && unknown) return 0;
        const bool in_string = kind_ == ValueKind::json && ends_in_string(value_);
        if (!ends || (in_string && !rest.empty())) {
            add_value(marks_.value_close);
            return marks_.value_close.size();
        }
        close_value();
        at_ = At::between;
        return marks_.value_close.size();
    }

    void add_value(std::string_view text) {
        if (text.empty()) return;
        std::string more;
        if (line_break_) more += '\n';
        line_break_ = false;
        more += text;
        if (marks_.lines && !value_begun_ && more.starts_with('\n')) more.erase(0, 1);
        value_begun_ = true;
        if (marks_.lines && more.ends_with('\n')) {
            more.pop_back();
            line_break_ = true;
        }
        if (kind_ != ValueKind::text) {
            value_ += more;
        } else if (!repeated_) {
            const std::string quoted = json_quoted(more);
            sink_.add_arguments(std::string_view(quoted).substr(1, quoted.size() - 2));
        }
    }

    void close_value() {
        if (repeated_) return;
        sink_.add_arguments(kind_ == ValueKind::text ? "\"" : value_json(value_, kind_));
    }

    void finish() {
        if (!begun_) {
            state_ = State::failed;
            return;
        }
        if (at_ == At::value_open || at_ == At::value) close_value();
        end_call(State::ended);
    }

    const ParameterMarks& marks_;
    const std::vector<Tool>& tools_;
    CallSink& sink_;
    std::string_view end_mark_;
    At at_ = At::name_open;
    std::string name_, key_;
    std::string value_;  // that is no string by its schema
    std::set<std::string> keys_;
    ValueKind kind_ = ValueKind::unknown;
    bool begun_ = false;
    bool repeated_ = false;     // a key that came before; its value is dropped
    bool value_begun_ = false;
    bool line_break_ = false;   // held back: the last one does not belong to the value
};

}  // namespace

std::unique_ptr<CallBody> make_parameters_body(const Form& form, const std::vector<Tool>& tools, CallSink& sink) {
    return std::make_unique<ParametersBody>(form, tools, sink);
}

}  // namespace ingle::chat
