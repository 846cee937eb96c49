// Calls whose name stands in a head before the arguments: get_weather[ARGS]{...}, call:f{...}, f(city="Bern").
#include <optional>

#include "base/text.h"
#include "chat/reading/call_body.h"
#include "chat/reading/marks.h"

namespace ingle::chat {

namespace {

constexpr size_t head_bytes_max = 512;

struct Head {
    std::string name, id;
};

bool is_part(std::string_view piece) {
    return piece == head_name || piece == head_id || piece == head_number;
}

// Where the first of the literals in `pieces` stands at or behind `at`.
size_t next_literal(std::string_view text, size_t at, std::span<const std::string_view> pieces) {
    size_t first = text.size();
    for (const std::string_view piece : pieces)
        if (!is_part(piece)) first = std::min(first, text.find(trim(piece), at));
    return std::min(first, text.size());
}

// Literals that a model left out are passed over, with the part behind them if that is not the name.
Head match_head(std::span<const std::string_view> pieces, std::string_view text) {
    Head head;
    size_t at = 0;
    bool missing = false;
    for (size_t i = 0; i < pieces.size(); ++i) {
        at += white_prefix(text.substr(at));
        if (!is_part(pieces[i])) {
            const std::string_view literal = trim(pieces[i]);
            missing = !text.substr(at).starts_with(literal);
            if (!missing) at += literal.size();
            continue;
        }
        if (missing && pieces[i] != head_name) continue;
        const size_t end = next_literal(text, at, pieces.subspan(i + 1));
        const std::string_view part = trim(text.substr(at, end - at));
        if (pieces[i] == head_name) head.name = part;
        if (pieces[i] == head_id) head.id = part;
        at = end;
    }
    return head;
}

bool is_name(std::string_view name) {
    for (const char c : name)
        if (uint8_t(c) <= ' ' || std::string_view("\"'{}()[]<>,;=|`").find(c) != std::string_view::npos)
            return false;
    return !name.empty();
}

class HeadedBody final : public CallBody {
  public:
    HeadedBody(const Form& form, CallSink& sink)
        : form_(form),
          sink_(sink),
          end_mark_(form.call_close.empty() ? form.section_close : form.call_close),
          keywords_(form.notation.keyword_arguments) {}

    size_t push(std::string_view text, bool last) override {
        size_t taken = 0;
        while (state_ == State::reading && taken < text.size()) {
            if (in_arguments_) taken += read_arguments(text.substr(taken));
            else taken += read_head(text[taken]);
        }
        if (last && state_ == State::reading) finish();
        return taken;
    }

  private:
    size_t read_head(char c) {
        if (head_.empty() && (is_white(c) || (keywords_ && c == ',' && list_))) return 1;
        if (keywords_ && head_.empty() && c == '[' && !list_) {
            list_ = true;
            return 1;
        }
        if (keywords_ && head_.empty() && c == ']' && list_) {
            state_ = called_ ? State::ended : State::failed;
            return called_ ? 1 : 0;
        }
        if (c == (keywords_ ? '(' : '{')) {
            begin(head_);
            return 0;
        }
        if (keywords_ && !is_name({&c, 1})) {
            state_ = State::failed;
            return 0;
        }
        head_ += c;
        // Without arguments.
        if (!keywords_ && !end_mark_.empty() && head_.ends_with(end_mark_)) {
            begin(std::string_view(head_).substr(0, head_.size() - end_mark_.size()));
            if (state_ == State::failed) return 1;
            sink_.add_arguments("{}");
            sink_.end_call();
            state_ = State::ended_whole;
        } else if (head_.size() > head_bytes_max) {
            state_ = State::failed;
        }
        return 1;
    }

    void begin(std::string_view text) {
        Head head = match_head(form_.head, text);
        if (form_.id_is_head) {
            const std::string_view mark = form_.head.back();
            const size_t end = text.find(mark);
            head.id = std::string(trim(text.substr(0, end)));
        }
        if (!is_name(head.name) || !sink_.begin_call(head.name, head.id)) {
            state_ = State::failed;
            return;
        }
        in_arguments_ = true;
        mender_ = JsonMender(form_.notation, end_mark_);
    }

    size_t read_arguments(std::string_view text) {
        std::string json;
        const size_t taken = mender_.push(text, json);
        sink_.add_arguments(json);
        if (mender_.done()) {
            sink_.end_call();
            called_ = true;
            in_arguments_ = false;
            head_.clear();
            if (mender_.met_end_mark()) state_ = State::ended_whole;
            else if (!list_) state_ = State::ended;
        }
        return taken;
    }

    void finish() {
        if (!in_arguments_) {
            state_ = called_ && head_.empty() ? State::ended : State::failed;
            return;
        }
        std::string json;
        mender_.finish(json);
        sink_.add_arguments(json);
        sink_.end_call();
        state_ = State::ended;
    }

    const Form& form_;
    CallSink& sink_;
    std::string_view end_mark_;
    bool keywords_;
    JsonMender mender_;
    std::string head_;
    bool list_ = false;    // [f(), g()]
    bool called_ = false;  // a call has ended
    bool in_arguments_ = false;
};

}  // namespace

std::unique_ptr<CallBody> make_headed_body(const Form& form, CallSink& sink) {
    return std::make_unique<HeadedBody>(form, sink);
}

}  // namespace ingle::chat
