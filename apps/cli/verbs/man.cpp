// ingle man: manual pages for man(1), of the command and of every verb. All of it comes from the schema.
#include <cstdio>
#include <filesystem>
#include <span>

#include "base/file.h"
#include "cli/manual.h"
#include "cli/verb.h"

namespace ingle::cli {

namespace {

std::vector<Option> options() {
    return {{.name = "folder", .flags = "--folder", .placeholder = "FOLDER", .default_value = std::string(),
             .help = "write the pages of all verbs into this folder, as packages want them"}};
}

Status write_pages(const std::filesystem::path& folder) {
    std::error_code fault;
    std::filesystem::create_directories(folder, fault);  // writing says what went wrong
    const auto write = [&](const std::string& name, const std::string& page) {
        return write_file_atomically(folder / name, std::as_bytes(std::span(page)));
    };
    INGLE_TRY(write("ingle.1", manual_page()));
    for (const Verb* const verb : all_verbs())
        INGLE_TRY(write(cat("ingle-", verb->name, ".1"), manual_page(*verb)));
    return {};
}

Status run(const Invocation& invocation) {
    if (const std::string& folder = invocation.values.text("folder"); !folder.empty()) return write_pages(folder);
    std::string page = manual_page();
    if (!invocation.arguments.empty()) {
        const Verb* const verb = find_verb(invocation.arguments[0]);
        if (verb == nullptr)
            return fail(Code::invalid_argument, "no verb ", ingle::quoted(invocation.arguments[0]),
                        "; `ingle help` lists them");
        page = manual_page(*verb);
    }
    std::fputs(page.c_str(), stdout);
    return {};
}

}  // namespace

namespace entries {
extern const Verb man;
const Verb man = {
    .name = "man",
    .group = "This command",
    .summary = "print a manual page",
    .arguments = "[VERB]",
    .about = "  ingle man serve | man -l -\n"
             "  ingle man --folder /usr/local/share/man/man1\n",
    .options = options,
    .run = run,
};
}  // namespace entries

}  // namespace ingle::cli
