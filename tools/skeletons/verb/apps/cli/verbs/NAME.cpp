// ingle @flag@: what it does, in one line.
#include <cstdio>

#include "cli/verb.h"

namespace ingle::cli {

namespace {

std::vector<Option> options() {
    return {{.name = "count", .flags = "--count", .placeholder = "N",
             .default_value = int64_t(1), .help = "how often", .min = 1, .max = 100}};
}

Status run(const Invocation& invocation) {
    for (int64_t i = 0; i < invocation.values.integer("count"); ++i) std::puts("@flag@");
    return {};
}

}  // namespace

namespace entries {
extern const Verb @name@;
const Verb @name@ = {
    .name = "@flag@",
    .group = "Look inside",
    .summary = "one line for the front page",
    .arguments = "",
    .about = "  ingle @flag@ --count 2\n",
    .options = options,
    .run = run,
};
}  // namespace entries

}  // namespace ingle::cli
