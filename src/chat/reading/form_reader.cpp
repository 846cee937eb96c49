// Reads replies of a style that is described by a Writing.
#include <algorithm>

#include "chat/reading/call_body.h"
#include "chat/reading/marks.h"
#include "chat/reading/reasoning.h"
#include "chat/reading/text_reader.h"
#include "chat/reading/written.h"

namespace ingle::chat {

namespace {

std::string_view opener_of(const Form& form) {
    return form.section_open.empty() ? form.call_open : form.section_open;
}

class FormReader final : public TextReader, private CallSink {
  public:
    FormReader(const Writing& writing, const ReplySetup& setup)
        : writing_(writing),
          tools_(tools_of(setup.tools)),
          takes_calls_(!tools_.empty() && setup.tool_choice != "none"),
          parallel_(setup.parallel_calls),
          splits_(setup.split_reasoning) {
        if (const ReasoningMarks* marks = reasoning_open_in(writing.reasoning, setup.prompt_end)) {
            reasoning_ = marks;
            state_ = State::reasoning;
        }
        if (takes_calls_)
            for (const Form& form : writing.forms)
                if (!opener_of(form).empty()) add_mark(opener_of(form), Mark::call);
        for (const std::string_view mark : writing.dropped) add_mark(mark, Mark::dropped);
        if (writing.reasoning_anywhere)
            for (const ReasoningMarks& marks : writing.reasoning) add_mark(marks.open, Mark::reasoning);
    }

  private:
    enum class State { prelude, content, reasoning, opening, section, call, closing };
    enum class Mark { call, dropped, reasoning };

    void add_mark(std::string_view text, Mark kind) {
        if (std::find(marks_.begin(), marks_.end(), text) != marks_.end()) return;
        marks_.push_back(text);
        kinds_.push_back(kind);
    }

    bool step(bool last) override {
        switch (state_) {
            case State::prelude: return step_prelude(last);
            case State::content: return step_content(last);
            case State::reasoning: return step_reasoning(last);
            case State::opening: return step_opening(last);
            case State::section: return step_section(last);
            case State::call: return step_call(last);
            case State::closing: return step_closing(last);
        }
        return false;
    }

    bool go(State state, size_t bytes = 0) {
        take(bytes);
        state_ = state;
        return true;
    }

    // Before the content: reasoning may begin here, and calls that no mark opens.
    bool step_prelude(bool last) {
        size_t white = white_prefix(rest());
        if (behind_bare_ && white < rest().size() && (rest()[white] == ';' || rest()[white] == ',')) {
            behind_bare_ = false;
            return go(State::prelude, white + 1);
        }
        const std::string_view text = rest().substr(white);
        if (text.empty() && !last) return false;
        if (text.empty()) return !rest().empty() && go(State::content);
        bool unknown = false;
        for (const ReasoningMarks& marks : writing_.reasoning) {
            const Begins begins = begins_with(text, marks.open, last);
            if (begins == Begins::yes) return begin_reasoning(marks, white);
            unknown |= begins == Begins::unknown;
        }
        for (const std::string_view mark : writing_.dropped) {
            const Begins begins = begins_with(text, mark, last);
            if (begins == Begins::yes) return go(State::prelude, white + mark.size());
            unknown |= begins == Begins::unknown;
        }
        if (unknown) return false;
        if (const Form* form = bare_form(text.front())) {
            raw_ = rest().substr(0, white);
            take(white);
            return begin_body(*form);
        }
        return go(State::content);
    }

    const Form* bare_form(char first) const {
        if (!takes_calls_) return nullptr;
        for (const Form& form : writing_.forms) {
            if (!opener_of(form).empty()) continue;
            if (form.shape == Shape::json ? may_begin(form, first) : first == '[') return &form;
        }
        return nullptr;
    }

    bool begin_reasoning(const ReasoningMarks& marks, size_t white) {
        reasoning_ = &marks;
        if (!splits_) pieces().content(rest().substr(0, white + marks.open.size()));
        return go(State::reasoning, white + marks.open.size());
    }

    bool step_reasoning(bool last) {
        const MarkFound found = find_mark(rest(), {&reasoning_->close, 1}, last);
        const std::string_view text = rest().substr(0, found.at);
        if (splits_) pieces().reasoning(text);
        else pieces().content(text);
        if (found.mark < 0) {
            take(found.at);
            return false;
        }
        if (splits_) pieces().end_reasoning();
        else pieces().content(reasoning_->close);
        return go(State::prelude, found.at + reasoning_->close.size());
    }

    bool step_content(bool last) {
        const MarkFound found = find_mark(rest(), marks_, last);
        pieces().content(rest().substr(0, found.at));
        take(found.at);
        if (found.mark < 0) return false;
        const std::string_view mark = marks_[size_t(found.mark)];
        if (kinds_[size_t(found.mark)] == Mark::reasoning) {
            for (const ReasoningMarks& marks : writing_.reasoning)
                if (marks.open == mark) return begin_reasoning(marks, 0);
        }
        if (kinds_[size_t(found.mark)] == Mark::dropped) return go(State::content, mark.size());
        opener_ = mark;
        raw_ = mark;
        return go(State::opening, mark.size());
    }

    // What follows the mark tells which of the forms it opens.
    bool step_opening(bool last) {
        const size_t white = white_prefix(rest());
        if (white == rest().size()) return last && no_call();
        const char first = rest()[white];
        for (const Form& form : writing_.forms) {
            if (opener_of(form) != opener_) continue;
            if (!form.section_open.empty() && !form.call_open.empty()) {
                form_ = &form;
                return go(State::section);
            }
            if (may_begin(form, first)) return begin_body(form);
        }
        return no_call();
    }

    bool no_call() {
        pieces().content(raw_);
        raw_.clear();
        return go(State::content);
    }

    bool begin_body(const Form& form) {
        form_ = &form;
        called_ = false;
        body_ = make_body(form, tools_, *this);
        return go(State::call);
    }

    bool step_section(bool last) {
        const size_t white = white_prefix(rest());
        const std::string_view text = rest().substr(white);
        if (text.empty()) {
            if (!last) return false;
            return raw_.empty() ? !rest().empty() && go(State::content) : no_call();
        }
        const Begins opens = begins_with(text, form_->call_open, last);
        if (opens == Begins::yes) {
            keep_raw(white + form_->call_open.size());
            return begin_body(*form_);
        }
        const Begins closes = begins_with(text, form_->section_close, last);
        if (opens == Begins::unknown || (closes == Begins::unknown && !form_->section_close.empty())) return false;
        if (closes == Begins::yes && !form_->section_close.empty()) {
            raw_.clear();
            return go(State::prelude, white + form_->section_close.size());
        }
        return raw_.empty() ? go(State::content) : no_call();
    }

    void keep_raw(size_t bytes) {
        raw_ += rest().substr(0, bytes);
        take(bytes);
    }

    bool step_call(bool last) {
        const size_t taken = body_->push(rest(), last);
        if (called_) {
            take(taken);
            raw_.clear();
        } else {
            keep_raw(taken);
        }
        switch (body_->state()) {
            case CallBody::State::reading: return false;
            case CallBody::State::ended:
                closing_ = 0;
                return go(State::closing);
            case CallBody::State::ended_whole: return behind_call(!form_->call_close.empty());
            case CallBody::State::failed: return no_call();
        }
        return false;
    }

    // The marks behind a call, each of which may be missing.
    bool step_closing(bool last) {
        const std::string_view marks[] = {trim(form_->behind_arguments), form_->call_close};
        for (; closing_ < 2; ++closing_) {
            const std::string_view mark = marks[closing_];
            if (mark.empty()) continue;
            const size_t white = white_prefix(rest());
            const Begins begins = begins_with(rest().substr(white), mark, last);
            if (begins == Begins::unknown) return false;
            if (begins == Begins::yes) take(white + mark.size());
        }
        return behind_call(true);
    }

    bool behind_call(bool in_section) {
        raw_.clear();
        behind_bare_ = opener_of(*form_).empty();
        const bool section = in_section && !form_->section_open.empty() && !form_->call_open.empty();
        return go(section ? State::section : State::prelude);
    }

    bool begin_call(std::string_view name, std::string_view id) override {
        const auto is_named = [name](const Tool& tool) { return tool.name == name; };
        if (opener_of(*form_).empty() && std::none_of(tools_.begin(), tools_.end(), is_named)) return false;
        called_ = true;
        muted_ = has_call_ && !parallel_;
        has_call_ = true;
        if (!muted_) pieces().begin_call(name, id);
        return true;
    }
    void add_arguments(std::string_view json) override {
        if (!muted_) pieces().arguments(json);
    }
    void end_call() override {}

    const Writing& writing_;
    std::vector<Tool> tools_;
    bool takes_calls_, parallel_, splits_;
    std::vector<std::string_view> marks_;  // that may come amid content
    std::vector<Mark> kinds_;
    State state_ = State::prelude;
    const ReasoningMarks* reasoning_ = nullptr;
    const Form* form_ = nullptr;
    std::string_view opener_;
    std::unique_ptr<CallBody> body_;
    std::string raw_;       // text of what may turn out to be no call
    int closing_ = 0;
    bool called_ = false;   // the body at hand has begun a call
    bool has_call_ = false;
    bool muted_ = false;    // a second call where only one is wanted
    bool behind_bare_ = false;
};

}  // namespace

std::unique_ptr<ReplyReader> read_writing(const Writing& writing, const ReplySetup& setup) {
    return std::make_unique<FormReader>(writing, setup);
}

}  // namespace ingle::chat
