// Calls as JSON objects: {"name": "f", "arguments": {...}}, with whatever else, in any order; several in a list;
// OpenAI's {"type": "function", "function": {...}}; {"f": {...}} where the name is the key. Arguments go on as
// they come, unless they stand before the name.
#include "chat/reading/call_body.h"
#include "chat/reading/marks.h"

namespace ingle::chat {

namespace {

class JsonBody final : public CallBody {
  public:
    JsonBody(const Form& form, CallSink& sink)
        : form_(form), sink_(sink), end_mark_(form.call_close.empty() ? form.section_close : form.call_close) {}

    size_t push(std::string_view text, bool last) override {
        size_t taken = 0;
        while (state_ == State::reading && taken < text.size()) taken += step(text.substr(taken));
        if (last && state_ == State::reading) finish();
        return taken;
    }

  private:
    enum class At { start, item, key, key_text, colon, value, reading_value };
    enum class Role { name, id, arguments, wrapper, other };

    size_t step(std::string_view text) {
        const char c = text.front();
        if (at_ == At::key_text || at_ == At::reading_value) return read_value(text);
        if (is_white(c)) return 1;
        switch (at_) {
            case At::start:
                if (c == '[') {
                    list_ = true;
                    at_ = At::item;
                    return 1;
                }
                [[fallthrough]];
            case At::item: return step_item(c);
            case At::key: return step_key(c);
            case At::colon:
                if (c != ':') return give_up();
                at_ = At::value;
                return 1;
            default: return step_value(c);
        }
    }

    size_t give_up() {
        state_ = State::failed;
        return 0;
    }

    size_t step_item(char c) {
        if (c == '{') {
            at_ = At::key;
            begun_ = false;
            nesting_ = 0;
            name_.clear();
            id_.clear();
            early_.clear();
            return 1;
        }
        if (list_ && (c == ',' || c == ';')) return 1;
        if (!list_ || c != ']') return give_up();
        state_ = State::ended;
        return 1;
    }

    size_t step_key(char c) {
        if (c == ',') return 1;
        if (c == '"' || c == '\'') {
            at_ = At::key_text;
            start_value({});
            return 0;
        }
        if (c != '}') return give_up();
        if (nesting_ > 0) {
            --nesting_;
            return 1;
        }
        end_call();
        return state_ == State::failed ? 0 : 1;
    }

    size_t step_value(char c) {
        if (role_ == Role::wrapper) {
            if (c == '{') {
                ++nesting_;
                at_ = At::key;
                return 1;
            }
            role_ = Role::name;
        }
        at_ = At::reading_value;
        streams_ = role_ == Role::arguments && c == '{';
        start_value(role_ == Role::arguments ? end_mark_ : std::string_view());
        if (streams_ && !name_.empty()) begin();
        return 0;
    }

    void start_value(std::string_view end_mark) {
        mender_ = JsonMender({}, end_mark);
        value_.clear();
    }

    size_t read_value(std::string_view text) {
        const size_t taken = mender_.push(text, value_);
        if (streams_ && at_ == At::reading_value) pass_arguments();
        if (mender_.done()) end_value();
        return taken;
    }

    void pass_arguments() {
        if (begun_) sink_.add_arguments(value_);
        else early_ += value_;
        value_.clear();
    }

    void end_value() {
        if (at_ == At::key_text) {
            take_key(text_of(value_));
            return;
        }
        if (role_ == Role::name) name_ = text_of(value_);
        if (role_ == Role::id) id_ = text_of(value_);
        if (role_ == Role::arguments && !streams_ && !take_whole_arguments()) return;
        streams_ = false;
        at_ = At::key;
        if (!begun_ && !name_.empty() && !early_.empty()) begin();
        if (!mender_.met_end_mark() || state_ == State::failed) return;
        end_call();
        if (state_ != State::failed) state_ = State::ended_whole;
    }

    void take_key(std::string key) {
        at_ = At::colon;
        const bool known = key == form_.name_key || key == form_.arguments_key || key == "name" ||
                           key == "parameters" || key == "arguments" || key == "id" || key == "type" ||
                           key == "function";
        if (form_.name_is_key) {
            role_ = Role::arguments;
            name_ = std::move(key);
        } else if (key == form_.name_key || key == "name") {
            role_ = Role::name;
        } else if (key == form_.arguments_key || key == "arguments" || key == "parameters") {
            role_ = Role::arguments;
        } else if (key == "id") {
            role_ = Role::id;
        } else {
            role_ = key == "function" ? Role::wrapper : Role::other;
        }
        // Other JSON than a call, where nothing but its keys tells.
        const bool bare = form_.call_open.empty() && form_.section_open.empty();
        if (bare && !known && !form_.name_is_key && !begun_ && name_.empty() && early_.empty())
            state_ = State::failed;
    }

    // Arguments that are no object: an object as JSON text, or nothing.
    bool take_whole_arguments() {
        const Json value = Json::parse(value_, nullptr, false);
        std::string object = "{}";
        if (value.is_string() && white_prefix(value.get<std::string>()) < value.get<std::string>().size()) {
            object.clear();
            JsonMender inner;
            inner.push(value.get<std::string>(), object);
            inner.finish(object);
        } else if (!value.is_null() && !value.is_string()) {
            object.clear();
        }
        if (!object.starts_with('{')) {
            state_ = State::failed;
            return false;
        }
        early_ = std::move(object);
        return true;
    }

    static std::string text_of(const std::string& json) {
        const Json value = Json::parse(json, nullptr, false);
        return value.is_string() ? value.get<std::string>() : std::string();
    }

    void begin() {
        if (!sink_.begin_call(name_, id_)) {
            state_ = State::failed;
            return;
        }
        begun_ = true;
        sink_.add_arguments(early_);
        early_.clear();
    }

    void end_call() {
        if (!begun_) {
            if (name_.empty()) {
                state_ = State::failed;
                return;
            }
            if (early_.empty()) early_ = "{}";
            begin();
            if (state_ == State::failed) return;
        }
        sink_.end_call();
        at_ = At::item;
        if (!list_) state_ = State::ended;
    }

    void finish() {
        if (at_ == At::item && list_) {
            state_ = State::ended;
            return;
        }
        if (at_ == At::reading_value && streams_) {
            mender_.finish(value_);
            pass_arguments();
        }
        if (!begun_ && !early_.empty() && !name_.empty()) begin();
        if (begun_) sink_.end_call();
        if (state_ != State::failed) state_ = begun_ ? State::ended : State::failed;
    }

    const Form& form_;
    CallSink& sink_;
    std::string_view end_mark_;
    At at_ = At::start;
    Role role_ = Role::other;
    JsonMender mender_;
    std::string value_;  // of the member at hand
    std::string name_, id_;
    std::string early_;  // arguments that came before the call could begin
    int nesting_ = 0;    // wrappers that are open
    bool list_ = false;
    bool streams_ = false;
    bool begun_ = false;
};

}  // namespace

std::unique_ptr<CallBody> make_json_body(const Form& form, CallSink& sink) {
    return std::make_unique<JsonBody>(form, sink);
}

bool may_begin(const Form& form, char c) {
    if (form.shape == Shape::json) return c == '{' || c == '[';
    if (form.shape == Shape::parameters) return true;
    return c != '{' && (c != '[' || form.notation.keyword_arguments);
}

std::unique_ptr<CallBody> make_body(const Form& form, const std::vector<Tool>& tools, CallSink& sink) {
    if (form.shape == Shape::json) return make_json_body(form, sink);
    if (form.shape == Shape::headed) return make_headed_body(form, sink);
    return make_parameters_body(form, tools, sink);
}

}  // namespace ingle::chat
