// ingle completion: a script that lets a shell complete verbs, flags and values. All of it comes from the schema.
#include <cstdio>

#include "cli/parse.h"
#include "cli/verb.h"

namespace ingle::cli {

namespace {

std::vector<Option> options() { return {}; }

std::string verb_names() {
    std::string names;
    for (const Verb* const verb : all_verbs()) names += cat(names.empty() ? "" : " ", verb->name);
    return names;
}

std::string flags_of(const Verb& verb) {
    std::string flags;
    for (const Option& option : options_of(verb))
        for (const Spelling& spelling : spellings_of(option))
            flags += cat(flags.empty() ? "" : " ", spelling.text);
    return flags;
}

// Within single quotes of any of the three shells.
std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out;
}

std::string bash_script() {
    std::string out =
        "# bash completion for ingle; use: source <(ingle completion bash)\n"
        "_ingle() {\n"
        "    local word=${COMP_WORDS[COMP_CWORD]} flags=\n"
        "    if [ \"$COMP_CWORD\" = 1 ]; then\n"
        "        mapfile -t COMPREPLY < <(compgen -W '" + verb_names() + "' -- \"$word\")\n"
        "        return\n"
        "    fi\n"
        "    case ${COMP_WORDS[1]} in\n";
    for (const Verb* const verb : all_verbs())
        out += cat("    ", verb->name, ") flags='", flags_of(*verb), "' ;;\n");
    out += "    esac\n"
           "    case $word in\n"
           "    -*) mapfile -t COMPREPLY < <(compgen -W \"$flags\" -- \"$word\") ;;\n"
           "    *) mapfile -t COMPREPLY < <(compgen -f -- \"$word\") ;;\n"
           "    esac\n"
           "}\n"
           "complete -o filenames -F _ingle ingle\n";
    return out;
}

std::string zsh_script() {
    std::string out =
        "#compdef ingle\n"
        "# zsh completion for ingle; use: source <(ingle completion zsh)\n"
        "_ingle() {\n"
        "    local -a verbs flags\n"
        "    verbs=(\n";
    for (const Verb* const verb : all_verbs())
        out += cat("        '", verb->name, ":", escaped(verb->summary), "'\n");
    out += "    )\n"
           "    if (( CURRENT == 2 )); then\n"
           "        _describe verb verbs\n"
           "        return\n"
           "    fi\n"
           "    case $words[2] in\n";
    for (const Verb* const verb : all_verbs())
        out += cat("    ", verb->name, ") flags=(", flags_of(*verb), ") ;;\n");
    out += "    esac\n"
           "    if [[ $PREFIX == -* ]]; then\n"
           "        compadd -- $flags\n"
           "    else\n"
           "        _files\n"
           "    fi\n"
           "}\n"
           "compdef _ingle ingle\n";
    return out;
}

// fish knows long options, old-style ones (-ngl) and single letters apart.
std::string fish_flag(const Spelling& spelling) {
    if (spelling.text.starts_with("--")) return cat(" -l ", spelling.text.substr(2));
    return cat(spelling.text.size() == 2 ? " -s " : " -o ", spelling.text.substr(1));
}

std::string fish_script() {
    std::string out = "# fish completion for ingle; use: ingle completion fish | source\n";
    for (const Verb* const verb : all_verbs()) {
        out += cat("complete -c ingle -n __fish_use_subcommand -f -a ", verb->name, " -d '",
                   escaped(verb->summary), "'\n");
        for (const Option& option : options_of(*verb)) {
            out += cat("complete -c ingle -n '__fish_seen_subcommand_from ", verb->name, "'");
            for (const Spelling& spelling : spellings_of(option)) out += fish_flag(spelling);
            if (takes_value(option)) out += " -r";
            std::string choices;
            for (const std::string& choice : option.choices)
                choices += (choices.empty() ? "" : " ") + choice;
            if (!choices.empty()) out += cat(" -f -a '", escaped(choices), "'");
            out += cat(" -d '", escaped(option.help), "'\n");
        }
    }
    return out;
}

Status run(const Invocation& invocation) {
    const std::string shell = invocation.arguments.empty() ? "" : invocation.arguments[0];
    std::string script;
    if (shell == "bash") script = bash_script();
    else if (shell == "zsh") script = zsh_script();
    else if (shell == "fish") script = fish_script();
    else
        return fail(Code::invalid_argument, "expected one of bash, zsh, fish, found ",
                    ingle::quoted(shell));
    std::fputs(script.c_str(), stdout);
    return {};
}

}  // namespace

namespace entries {
extern const Verb completion;
const Verb completion = {
    .name = "completion",
    .group = "This command",
    .summary = "print a script that completes verbs and flags in a shell",
    .arguments = "bash|zsh|fish",
    .about = "  source <(ingle completion bash)\n"
             "  ingle completion fish | source\n",
    .options = options,
    .run = run,
};
}  // namespace entries

}  // namespace ingle::cli
