// The grammar that keeps a reply to the calls of a style: text that its reader reads back as calls of the tools with
// arguments that their schemas allow.
#include <algorithm>

#include "chat/reading/gbnf_text.h"
#include "chat/reading/reasoning.h"
#include "chat/reading/tools.h"
#include "chat/reading/value_grammar.h"
#include "chat/reading/written.h"

namespace ingle::chat {

namespace {

class FormGrammar {
  public:
    FormGrammar(const Writing& writing, const ReplySetup& setup)
        : writing_(writing), setup_(setup), form_(writing.forms.front()) {}

    Result<ReplyGrammar> make() {
        INGLE_ASSIGN(tools_, wanted_tools(setup_));
        std::vector<std::string> calls;
        for (const Tool& tool : tools_) {
            auto call = call_of(tool);
            if (!call.ok())
                return std::move(call).status().in(cat("tool ", quoted(tool.name)));
            calls.push_back(text_.rule("call", *call));
        }
        std::string root = all_calls(text_.either(calls));
        const bool lazy = setup_.tool_choice == "auto";
        if (!lazy) root = cat(reasoning(), root);
        ReplyGrammar grammar = text_.take(root);
        if (lazy) grammar.trigger_words = triggers();
        return grammar;
    }

  private:
    // Literals of a form, as tokens where the vocabulary has them.
    std::string mark(std::string_view mark) { return mark.empty() ? "" : text_.mark(mark) + " "; }
    // White space that models may leave out.
    std::string maybe(std::string_view white) { return white.empty() ? "" : text_.literal(white) + "? "; }

    std::string all_calls(const std::string& call) {
        std::string inner = call + " ";
        if (form_.list) {
            const std::string more = setup_.parallel_calls ? cat("(\",\" [ \\n]{0,8} ", call, ")* ") : "";
            inner = cat("\"[\" [ \\n]{0,8} ", call, " ", more, "[ \\n]{0,8} \"]\" ");
        }
        std::string all = inner;
        if (!form_.call_open.empty())
            all = cat(mark(form_.call_open), maybe(form_.space), inner, maybe(form_.space), mark(form_.call_close));
        // A call that no mark opens stands alone.
        if (setup_.parallel_calls && !form_.list && !form_.call_open.empty()) {
            const std::string one = text_.rule("one", all);
            all = cat(one, " (", maybe(form_.separator), one, ")* ");
        }
        if (form_.section_open.empty()) return all;
        return cat(mark(form_.section_open), maybe("\n"), all, maybe("\n"), mark(form_.section_close));
    }

    std::string reasoning() {
        if (writing_.reasoning.empty()) return "";
        const ReasoningMarks* open = reasoning_open_in(writing_.reasoning, setup_.prompt_end);
        const ReasoningMarks& marks = open ? *open : writing_.reasoning.front();
        const std::string rest = cat(text_.text_without(marks.close), " ", mark(marks.close),
                                     writing_.behind_reasoning.empty() ? "[ \\n]{0,2} " : "",
                                     mark(writing_.behind_reasoning));
        return open ? rest : cat("(", mark(marks.open), rest, ")? ");
    }

    std::vector<std::string> triggers() const {
        const std::string_view opener = form_.section_open.empty() ? form_.call_open : form_.section_open;
        if (!opener.empty()) return {std::string(opener)};
        std::vector<std::string> words;
        for (const Tool& tool : tools_) words.push_back(cat(form_.list ? "[" : "", beginning_of(tool.name)));
        return words;
    }

    // Of a call that no mark opens, up to its name.
    std::string beginning_of(std::string_view name) const {
        if (form_.shape == Shape::json) return cat("{\"", form_.name_key, "\": ", json_quoted(name));
        return cat(name, "(");
    }

    Result<std::string> call_of(const Tool& tool) {
        if (form_.shape == Shape::parameters) return parameters_call(tool);
        if (form_.shape == Shape::headed) return headed_call(tool);
        const std::string schema = text_.schema(tool.parameters);
        if (form_.name_is_key)
            return cat(text_.literal(cat("{", json_quoted(tool.name), ": ")), " ", schema, " \"}\"");
        const std::string id = form_.id_key.empty()
                                   ? ""
                                   : cat("(", text_.literal(cat("\"", form_.id_key, "\": \"")), " [0-9]{1,3} ",
                                         text_.literal("\", "), ")? ");
        const std::string begin = cat("\"", form_.name_key, "\": ", json_quoted(tool.name), ", \"",
                                      form_.arguments_key, "\": ");
        return cat("\"{\" ", id, text_.literal(begin), " ", schema, " \"}\"");
    }

    Result<std::string> headed_call(const Tool& tool) {
        std::string out;
        for (size_t i = 0; i < form_.head.size(); ++i) {
            const std::string_view piece = form_.head[i];
            const std::string id = "[a-zA-Z0-9_-]{1,64} ";
            if (piece == head_name) {
                out += text_.literal(tool.name) + " ";
            } else if (piece == head_id) {
                out += id;
            } else if (piece == head_number) {
                out += "[0-9]{1,3} ";
            } else if (i + 1 < form_.head.size() && form_.head[i + 1] == head_id) {
                out += cat("(", mark(piece), id, ")? ");
                ++i;
            } else {
                out += mark(piece);
            }
        }
        const bool plain = form_.notation.string_mark.empty() && !form_.notation.keyword_arguments;
        if (plain) {
            out += text_.schema(tool.parameters) + " ";
        } else {
            INGLE_ASSIGN(const std::string arguments,
                         object_in_notation(text_, tool.parameters, form_.notation));
            out += arguments + " ";
        }
        return out + (form_.behind_arguments.empty() ? "" : text_.literal(form_.behind_arguments));
    }

    Result<std::string> parameters_call(const Tool& tool) {
        const ParameterMarks& marks = form_.marks;
        INGLE_ASSIGN(const auto members, plain_members(tool.parameters));
        const std::string line = marks.lines ? "\"\\n\" " : "";
        const std::string between = maybe(marks.between);
        std::string out = cat(mark(marks.name_open), text_.literal(tool.name), " ", mark(marks.name_close), between);
        for (const Member& member : members) {
            INGLE_ASSIGN(const std::string value, text_value(text_, member.schema, marks.value_close));
            const bool is_text = kind_of_schema(member.schema) == ValueKind::text;
            const std::string type = cat("\" string=\"", is_text ? "true" : "false");
            const std::string key = cat(member.name, marks.typed ? type : "");
            const std::string one = cat(mark(marks.key_open), text_.literal(key), " ", mark(marks.key_close),
                                        marks.value_open.empty() ? "" : between, mark(marks.value_open), line, value, " ", line, mark(marks.value_close),
                                        between);
            out += member.required ? one : cat("(", one, ")? ");
        }
        return out + mark(marks.call_close);
    }

    const Writing& writing_;
    const ReplySetup& setup_;
    const Form& form_;
    std::vector<Tool> tools_;
    GbnfText text_;
};

}  // namespace

Result<ReplyGrammar> grammar_of_writing(const Writing& writing, const ReplySetup& setup) {
    if (writing.forms.empty())
        return fail(Code::unsupported, "the model's chat template has no way of writing tool calls");
    return FormGrammar(writing, setup).make();
}

std::vector<std::string_view> marks_of_writing(const Writing& writing) {
    std::vector<std::string_view> marks;
    const auto add = [&marks](std::string_view mark) {
        const bool known = std::find(marks.begin(), marks.end(), mark) != marks.end();
        if (!mark.empty() && !known) marks.push_back(mark);
    };
    for (const ReasoningMarks& one : writing.reasoning) add(one.open), add(one.close);
    for (const std::string_view mark : writing.dropped) add(mark);
    for (const Form& form : writing.forms) {
        for (const std::string_view mark : {form.section_open, form.section_close, form.call_open, form.call_close,
                                            form.behind_arguments, form.notation.string_mark})
            add(mark);
        for (const std::string_view piece : form.head)
            if (piece != head_name && piece != head_id && piece != head_number) add(piece);
        const ParameterMarks& p = form.marks;
        for (const std::string_view mark : {p.name_open, p.name_close, p.key_open, p.key_close, p.value_open,
                                            p.value_close, p.call_close})
            add(mark);
    }
    return marks;
}

}  // namespace ingle::chat
