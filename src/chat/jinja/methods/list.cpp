// Methods of list. Those that would change it are refused by the sandbox.
#include "chat/jinja/sequence_methods.h"

namespace ingle::jinja::methods {

namespace {

Result<Value> copy(Call& call) {
    return call.self;
}

constexpr Function functions[] = {
    {"count", "value", sequence_count},
    {"index", "value start? stop?", sequence_index},
    {"copy", "", copy},
    {"append", "", nullptr},
    {"clear", "", nullptr},
    {"extend", "", nullptr},
    {"insert", "", nullptr},
    {"pop", "", nullptr},
    {"remove", "", nullptr},
    {"reverse", "", nullptr},
    {"sort", "", nullptr},
};

}  // namespace

namespace entries {
extern const Family list;
const Family list = {functions, "list"};
}  // namespace entries

}  // namespace ingle::jinja::methods
