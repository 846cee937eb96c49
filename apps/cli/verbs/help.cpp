#include "cli/help.h"

#include <cstdio>

#include "cli/verb.h"

namespace ingle::cli {

namespace {

std::vector<Option> options() { return {}; }

Status run(const Invocation& invocation) {
    if (invocation.arguments.empty()) {
        std::fputs(front_page().c_str(), stdout);
        return {};
    }
    const std::string& topic = invocation.arguments[0];
    if (topic == "exit-codes") {
        std::fputs(exit_code_page().c_str(), stdout);
        return {};
    }
    if (const Verb* const verb = find_verb(topic)) {
        std::fputs(verb_page(*verb).c_str(), stdout);
        return {};
    }
    std::vector<std::string_view> topics = {"exit-codes"};
    for (const Verb* const verb : all_verbs()) topics.push_back(verb->name);
    const std::string_view near = closest(topic, topics);
    return fail(Code::invalid_argument, "no help about ", quoted(topic),
                near.empty() ? "; `ingle` alone lists the verbs" : cat("; did you mean ", near, "?"));
}

}  // namespace

namespace entries {
extern const Verb help;
const Verb help = {
    .name = "help",
    .group = "This command",
    .summary = "explain a verb and list its flags",
    .arguments = "[VERB|exit-codes]",
    .about = "",
    .options = options,
    .run = run,
};
}  // namespace entries

}  // namespace ingle::cli
