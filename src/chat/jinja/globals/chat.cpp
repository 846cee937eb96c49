// The global functions that chat templates get beside the language's own.
#include "chat/jinja/function.h"
#include "chat/jinja/print.h"
#include "chat/jinja/runtime.h"
#include "chat/jinja/strftime.h"

namespace ingle::jinja::globals {

namespace {

Result<Value> raise_exception(Call& call) {
    INGLE_ASSIGN(const TextPtr message, to_text(call.runtime, call[0]));
    return Status(Code::invalid_argument, std::string(message->bytes()));
}

Result<Value> strftime_now(Call& call) {
    INGLE_ASSIGN(const TextPtr format, call.text(0));
    return Value(std::make_shared<const Text>(format_time(call.runtime.now(), format->bytes()),
                                              !format->untrusted().empty()));
}

constexpr Function functions[] = {
    {"raise_exception", "message", raise_exception},
    {"strftime_now", "format", strftime_now},
};

}  // namespace

namespace entries {
extern const Family chat;
const Family chat = {functions};
}  // namespace entries

}  // namespace ingle::jinja::globals
